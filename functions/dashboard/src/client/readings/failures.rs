//! Ad accounts that did not answer, and the numbers that a page shows of each instead.

use super::gather::{Account, InsightsData};
use crate::client::accounts::Failure;
use crate::kit::text::as_of;
use jiff::Timestamp;

/// An ad account that did not answer, or all of a platform.
pub(crate) struct ShownFailure {
    pub(crate) account: String,
    pub(crate) message: String,
    /// `Its numbers are as of 02:58 UTC.`
    pub(crate) shown: String,
}

impl ShownFailure {
    /// The ad accounts that failed, in the order of the platforms.
    pub(crate) fn all(gathered: &InsightsData, now: Timestamp) -> Vec<ShownFailure> {
        let failure = |failure: &Failure| {
            let is_of = |account: &&Account| {
                let connection = &account.connection;
                failure.account == connection.name() || failure.account == connection.platform_name()
            };
            let kept = gathered.accounts.iter().filter(is_of).filter(|account| account.is_kept);
            let shown = match kept.filter_map(|account| account.read_at).min() {
                Some(at) => format!("Its numbers are {}.", as_of(at, now)),
                None => "Its numbers are missing here, or not complete.".to_owned(),
            };
            ShownFailure { account: failure.account.clone(), message: failure.message.clone(), shown }
        };
        gathered.failures.iter().map(failure).collect()
    }
}
