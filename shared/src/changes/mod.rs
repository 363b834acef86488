//! Changes of campaigns: each is stored before it is sent, sent at most once per attempt, and its outcome is stored.
//!
//! [`creates`] are sent once; if the outcome is unknown, the service searches the platform for the campaign. [`edits`],
//! which are updates and removals, name the desired state; if the outcome is unknown, the service reads the campaign.

mod active_campaigns;
mod approval;
mod bulk;
mod cancel;
mod capacity;
mod creates;
mod disconnect;
mod edits;
mod erasure;
mod execute;
mod facts;
mod failure;
mod held_dates;
mod monthly;
mod of_user;
mod partial_error;
mod plan;
mod record_update;
pub mod request;
mod request_approval;
mod retry;
mod scheduled;
mod spending_limit;
mod stop;
mod turn;
mod undo;
mod user_pause;
mod waiting_activation;

pub use active_campaigns::count_active;
pub use approval::{Proposal, Review, approve, not_awaiting_approval, reject, review};
pub use bulk::{Bulk, BulkOutcome, attempt_until, change_account};
pub use cancel::{cancel, cancel_awaiting_approval, cancel_changes_of_account, cancel_changes_of_key};
pub use capacity::require_capacity;
pub use creates::{CreateSender, CreateTrigger, Reconciliation, begin_creates};
pub use disconnect::disconnect;
pub use edits::{RecordedChanges, settle_unknown};
pub use erasure::{begin_erasure, continue_erasure};
pub use execute::{ChangePreview, Execution, ExecutionError, execute, plan_scheduled, preview};
pub use facts::StoredState;
pub use monthly::{Adjustment, adjust_daily_budget, require_amount};
pub use of_user::seen_by_user;
pub use plan::{
    CampaignRequest, ChangePlan, CreatePlan, Verdict, all_or_none, count_creates, plan_create, preview_creates,
    require_time,
};
pub use retry::{RemainingWork, remaining_work};
pub use scheduled::attempt_scheduled;
pub use spending_limit::{count_refusal, count_refusal_of, with_user};
pub use stop::{begin_stop, continue_stop, pause_campaigns, refuse_key, resume_key, stop_only_key, stop_progress};
pub use undo::{no_inverse, require_outcome};
pub use user_pause::{pause_progress, pause_user, require_not_of_user_pause, resume_user};

use crate::domain::{Change, Connection, ConnectionStatement, ConnectionStatus, CustomerConnections, Platform, Reason};
use crate::error::{Error, Kind};

/// The connection of a change's ad account.
pub fn find_connection<'a>(connected: &'a CustomerConnections, change: &Change) -> Result<&'a Connection, Error> {
    find_account(connected, change.platform, &change.account_id)
}

/// The error for a connection that cannot create, because it does not work.
fn inactive_connection(connection: &Connection) -> Error {
    let (platform, status) = (connection.platform, connection.status);
    let reason = match status {
        ConnectionStatus::Revoked => Reason::ConnectionRevoked,
        ConnectionStatus::Active | ConnectionStatus::Error | ConnectionStatus::Pending => Reason::ConnectionBroken,
    };
    let (id, account) = (connection.id.clone(), connection.account_id().to_owned());
    let why = connection.status_message().unwrap_or_default();
    let message = ConnectionStatement::Broken { id, platform, account, status, why };
    Error::new(Kind::Forbidden, message).because(reason).on(platform)
}

/// A connection that may create: a retry needs an active one, as a new create does.
pub fn require_active(connection: &Connection) -> Result<&Connection, Error> {
    if connection.status == ConnectionStatus::Active { Ok(connection) } else { Err(inactive_connection(connection)) }
}

/// The connection of an ad account.
pub fn find_account<'a>(
    connected: &'a CustomerConnections,
    platform: Platform,
    account: &str,
) -> Result<&'a Connection, Error> {
    let is_of_account =
        |connection: &&Connection| connection.platform == platform && connection.account_id() == account;
    connected.connections.iter().find(is_of_account).ok_or_else(|| {
        let message = ConnectionStatement::Ended { platform, account: account.to_owned() };
        Error::new(Kind::Forbidden, message).because(Reason::NotConnected).on(platform)
    })
}
