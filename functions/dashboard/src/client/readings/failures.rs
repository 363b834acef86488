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
                None => "Its numbers are missing or incomplete.".to_owned(),
            };
            ShownFailure { account: failure.account.clone(), message: failure.message.clone(), shown }
        };
        gathered.failures.iter().map(failure).collect()
    }

    /// All of them in a few words, as on the list of campaigns: `TikTok: 2 ad accounts are`.
    pub(crate) fn words(failures: &[ShownFailure]) -> String {
        let [first, others @ ..] = failures else { return String::new() };
        let platform = first.platform();
        match others.len() {
            0 => format!("{} is", first.account),
            more if others.iter().all(|other| other.platform() == platform) => {
                format!("{platform}: {} ad accounts are", more + 1)
            }
            more => format!("{} ad accounts are", more + 1),
        }
    }

    fn platform(&self) -> &str {
        self.account.split(": ").next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_accounts_are_counted_by_their_platform() {
        let words = |accounts: &[&str]| {
            let failure = |account: &&str| ShownFailure {
                account: (*account).to_owned(),
                message: String::new(),
                shown: String::new(),
            };
            ShownFailure::words(&accounts.iter().map(failure).collect::<Vec<_>>())
        };
        assert_eq!(words(&["TikTok: A (1)"]), "TikTok: A (1) is");
        assert_eq!(words(&["TikTok: A (1)", "TikTok: B (2)"]), "TikTok: 2 ad accounts are");
        assert_eq!(words(&["TikTok: A (1)", "Meta: B (2)"]), "2 ad accounts are");
    }
}
