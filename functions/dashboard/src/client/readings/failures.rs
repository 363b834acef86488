//! Ad accounts that did not answer, and the numbers that a page shows of each instead.

use super::gather::{Account, InsightsData};
use super::words::out_of_date_words;
use crate::client::accounts::Failure;
use crate::kit::text::as_of;
use jiff::Timestamp;

/// An ad account that did not answer, or all of a platform.
pub(crate) struct ShownFailure {
    pub(crate) account: String,
    pub(crate) message: String,
    /// `Its numbers are as of 02:58 UTC.`
    pub(crate) shown: String,
    /// Whether numbers from before are shown.
    is_kept: bool,
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
            let read = kept.filter_map(|account| account.read_at).min();
            let shown = match read {
                Some(at) => format!("Its numbers are {}.", as_of(at, now)),
                None => "Its numbers are missing or incomplete.".to_owned(),
            };
            let (account, message) = (failure.account.clone(), failure.message.clone());
            ShownFailure { account, message, shown, is_kept: read.is_some() }
        };
        gathered.failures.iter().map(failure).collect()
    }

    /// All of them in a few words, as on the list of campaigns: `TikTok: 2 ad accounts are out of date`.
    pub(crate) fn words(failures: &[ShownFailure]) -> String {
        let [first, others @ ..] = failures else { return String::new() };
        let platform = first.platform();
        let state = out_of_date_words(failures.iter().filter(|failure| failure.is_kept).count(), failures.len());
        match others.len() {
            0 => format!("{} is {state}", first.account),
            more if others.iter().all(|other| other.platform() == platform) => {
                format!("{platform}: {} ad accounts are {state}", more + 1)
            }
            more => format!("{} ad accounts are {state}", more + 1),
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
                is_kept: account.starts_with("TikTok"),
            };
            ShownFailure::words(&accounts.iter().map(failure).collect::<Vec<_>>())
        };
        assert_eq!(words(&["TikTok: A (1)"]), "TikTok: A (1) is out of date");
        assert_eq!(words(&["TikTok: A (1)", "TikTok: B (2)"]), "TikTok: 2 ad accounts are out of date");
        assert_eq!(words(&["TikTok: A (1)", "Meta: B (2)"]), "2 ad accounts are missing or out of date");
    }
}
