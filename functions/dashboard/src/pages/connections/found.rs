//! What a consent has brought: the campaigns of its ad accounts, and what a person does next with them.

use crate::client::readings::{AccountState, Overview};
use crate::kit::campaign::campaign_count;
use shared::envelope::query::value;

/// The campaigns of the ad accounts that were connected now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// `12 campaigns found in 3 ad accounts.`
    pub(super) words: String,
    pub(super) has_campaigns: bool,
    /// The address at which all of them are read, if some are not yet.
    pub(super) complete_path: Option<String>,
}

/// Whether the person comes from a consent that has connected something.
pub(super) fn is_connected(query: &[(String, String)]) -> bool {
    value(query, "status") == Some("connected")
}

impl Found {
    /// What is known of the connections that the address names; `None` if none of them has an ad account.
    pub(super) fn of(overview: &Overview, query: &[(String, String)]) -> Option<Found> {
        let ids = value(query, "connection_ids").or_else(|| value(query, "connection_id")).unwrap_or_default();
        let ids: Vec<&str> = ids.split(',').collect();
        let accounts = overview.accounts.iter().filter(|account| ids.contains(&account.connection.as_str()));
        let accounts: Vec<&AccountState> = accounts.collect();
        let campaigns = overview.rows.iter().filter(|row| ids.contains(&row.connection.as_str())).count();
        let read = accounts.iter().filter(|account| account.read_at.is_some()).count();
        let is_waiting = accounts.iter().any(|account| account.read_at.is_none() && account.is_waiting);
        let at_least = if accounts.iter().any(|account| account.is_cut) { "At least " } else { "" };
        let places = match accounts.len() {
            0 => return None,
            1 => "1 ad account".to_owned(),
            count if read < count => format!("{read} of {count} ad accounts"),
            count => format!("{count} ad accounts"),
        };
        let counted = campaign_count(campaigns);
        let words = match (read, campaigns) {
            (0, _) if is_waiting => "The campaigns are being read now.".to_owned(),
            (0, _) => "The campaigns cannot be read now.".to_owned(),
            (_, 0) => format!("No campaigns yet in {places}."),
            _ => format!("{at_least}{counted} found in {places}."),
        };
        let complete_path = overview.complete_path.clone().filter(|_| is_waiting && overview.reloads);
        Some(Found { words, has_campaigns: campaigns > 0, complete_path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::CampaignRow;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::CampaignStatus::Active;
    use shared::envelope::query::pairs;

    fn account(id: &str, is_read: bool) -> AccountState {
        let read_at = is_read.then(|| "2026-11-30T09:00:00Z".parse().unwrap());
        AccountState { connection: id.to_owned(), read_at, is_waiting: !is_read, ..AccountState::default() }
    }

    fn found(accounts: Vec<AccountState>, campaigns: &[&str]) -> Option<Found> {
        let row = |connection: &&str| CampaignRow {
            connection: (*connection).to_owned(),
            ..CampaignRow::without_numbers(campaign("alpha_1_2", Active))
        };
        let (rows, complete_path) = (campaigns.iter().map(row).collect(), Some("/complete".to_owned()));
        let overview = Overview { accounts, rows, complete_path, reloads: true, ..Overview::default() };
        Found::of(&overview, &pairs(Some("status=connected&connection_id=a&connection_ids=a,b")))
    }

    #[test]
    fn what_was_found_is_that_of_the_accounts_of_the_consent() {
        let all = || vec![account("a", true), account("b", true), account("other", true)];
        let told = found(all(), &["a", "a", "b", "other"]).unwrap();
        assert_eq!((told.words.as_str(), told.has_campaigns), ("3 campaigns found in 2 ad accounts.", true));
        assert_eq!(told.complete_path, None, "all is read");
        let none = found(vec![account("a", true)], &["other"]).unwrap();
        assert_eq!((none.words.as_str(), none.has_campaigns), ("No campaigns yet in 1 ad account.", false));
        assert_eq!(found(vec![account("other", true)], &["other"]), None);
    }

    #[test]
    fn what_is_still_read_is_said_and_completes_itself() {
        let part = found(vec![account("a", true), account("b", false)], &["a"]).unwrap();
        assert_eq!(part.words, "1 campaign found in 1 of 2 ad accounts.");
        assert_eq!(part.complete_path.as_deref(), Some("/complete"));
        let none = found(vec![account("a", false)], &[]).unwrap();
        assert_eq!(none.words, "The campaigns are being read now.");
        let silent = AccountState { is_waiting: false, ..account("a", false) };
        let silent = found(vec![silent], &[]).unwrap();
        assert_eq!((silent.words.as_str(), silent.complete_path), ("The campaigns cannot be read now.", None));
    }
}
