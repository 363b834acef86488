//! Changes of campaigns: each is stored before it is sent, sent at most once per attempt, and its outcome is stored.
//!
//! [`creates`] are sent once, and searched at their platform if the outcome is unknown. [`edits`], which are updates and
//! removals, name the desired state: if the outcome is unknown, the campaign is read.

mod creates;
mod edits;
mod failure;
mod held;
mod scheduled;

pub use creates::{CreateSender, Reconciled};
pub use edits::{Edit, Edited, RecordedChanges, changes_for, settle_unknown};

pub use held::{check_end, held_dates, require_not_ended};
pub use scheduled::{cancel_changes_of_account, fail_scheduled};

use crate::domain::{Change, Connection, CustomerConnections};
use crate::error::{Error, Kind};

/// The connection of a change's ad account.
pub fn find_connection<'a, A>(connected: &'a CustomerConnections, change: &Change<A>) -> Result<&'a Connection, Error> {
    let is_of_account = |connection: &&Connection| {
        connection.platform == change.platform && connection.account_id() == change.account_id
    };
    connected.connections.iter().find(is_of_account).ok_or_else(|| {
        let platform = change.platform;
        let account = &change.account_id;
        let message = format!(
            "The ad account {account} is no longer connected. Connect it again: GET /v1/connections/{platform}/authorize."
        );
        Error::new(Kind::Forbidden, message).on(platform)
    })
}
