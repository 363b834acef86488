//! What ails the connections, in one line. The page of connections has the details.

use crate::client::readings::AccountState;
use crate::kit::connections::{accounts_of, is_fault_of};
use crate::kit::text::{clock, listed};
use jiff::Timestamp;
use shared::domain::Platform;

/// The sentences of the line; none if all is well. `needs_person` are the connections that need a person.
pub(super) fn sentences(accounts: &[AccountState], needs_person: &[(&str, Platform)], now: Timestamp) -> Vec<String> {
    let is_own_fault = |account: &&AccountState| needs_person.iter().all(|(id, _)| *id != account.connection);
    let of_platform = |platform: Platform| {
        let all: Vec<&AccountState> =
            accounts.iter().filter(|account| account.platform == Some(platform)).filter(is_own_fault).collect();
        [silence(platform, &all, now), missing_numbers(platform, &all)].into_iter().flatten().collect::<Vec<_>>()
    };
    Platform::ALL.into_iter().flat_map(of_platform).chain(needs_you(needs_person)).collect()
}

/// `5 Meta accounts and 1 TikTok account need attention.`
fn needs_you(needs_person: &[(&str, Platform)]) -> Option<String> {
    let of_platform = |platform: Platform| {
        let name = platform.display_name();
        match needs_person.iter().filter(|(_, of)| *of == platform).count() {
            0 => None,
            1 => Some(format!("1 {name} account")),
            count => Some(format!("{count} {name} accounts")),
        }
    };
    let all: Vec<String> = Platform::ALL.into_iter().filter_map(of_platform).collect();
    let verb = if needs_person.len() == 1 { "needs" } else { "need" };
    (!all.is_empty()).then(|| format!("{} {verb} attention.", listed(&all)))
}

/// The platforms of which some account has not answered.
pub(super) fn silent_platforms(accounts: &[AccountState]) -> usize {
    let is_silent = |platform: &Platform| {
        accounts.iter().any(|account| account.platform == Some(*platform) && account.problem.is_some())
    };
    Platform::ALL.iter().filter(|platform| is_silent(platform)).count()
}

/// `TikTok has not responded since 02:58 UTC.`
fn silence(platform: Platform, all: &[&AccountState], now: Timestamp) -> Option<String> {
    let silent: Vec<(&AccountState, &str)> =
        all.iter().filter_map(|account| Some((*account, account.problem.as_deref()?))).collect();
    let latest = silent.iter().filter_map(|(account, _)| account.read_at).max();
    let since = latest.map_or_else(|| "yet".to_owned(), |at| format!("since {}", clock(at, now)));
    let is_platforms = silent.iter().any(|(_, problem)| is_fault_of(platform, problem));
    let what = if is_platforms { "responded" } else { "been read" };
    let (who, has) = accounts_of(platform, silent.len(), all.len());
    (!silent.is_empty()).then(|| format!("{who} {has} not {what} {since}."))
}

/// `The numbers of TikTok are not up to date.`
fn missing_numbers(platform: Platform, all: &[&AccountState]) -> Option<String> {
    let is_old = |account: &&&AccountState| account.problem.is_none() && account.numbers_problem.is_some();
    let old = all.iter().filter(is_old).count();
    let (who, _) = accounts_of(platform, old, all.len());
    (old > 0).then(|| format!("The numbers of {who} are not up to date."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(connection: &str, platform: Platform, problem: bool, read_at: Option<&str>) -> AccountState {
        AccountState {
            connection: connection.to_owned(),
            platform: Some(platform),
            problem: problem.then(|| format!("{} is throttling.", platform.display_name())),
            read_at: read_at.map(|at| at.parse().unwrap()),
            ..AccountState::default()
        }
    }

    /// The line as a page shows it: without the day of today.
    fn line(accounts: &[AccountState], needs_person: &[(&str, Platform)]) -> String {
        let told = sentences(accounts, needs_person, "2026-12-01T09:00:00Z".parse().unwrap()).join(" ");
        told.replace("\u{2063}1 Dec 2026, ", "")
    }

    #[test]
    fn a_platform_that_does_not_answer_is_one_sentence() {
        let (early, late) = (Some("2026-12-01T01:00:00Z"), Some("2026-12-01T02:58:00Z"));
        let mut accounts = vec![account("a", Platform::Gamma, true, early), account("b", Platform::Gamma, true, late)];
        accounts.push(account("c", Platform::Beta, false, late));
        assert_eq!(line(&accounts, &[]), "TikTok has not responded since 02:58 UTC.");
        assert_eq!(
            line(&accounts, &[("x", Platform::Beta), ("y", Platform::Beta), ("z", Platform::Alpha)]),
            "TikTok has not responded since 02:58 UTC. 1 Google Ads account and 2 Meta accounts need attention."
        );
        accounts.push(account("d", Platform::Gamma, false, late));
        assert_eq!(line(&accounts, &[]), "2 of 3 accounts of TikTok have not responded since 02:58 UTC.");
        assert_eq!(silent_platforms(&accounts), 1);
        let never = [account("a", Platform::Zeta, true, None)];
        assert_eq!(line(&never, &[]), "Reddit has not responded yet.");
        let yesterday = [account("a", Platform::Zeta, true, Some("2026-11-30T23:58:00Z"))];
        assert_eq!(line(&yesterday, &[]), "Reddit has not responded since 30 Nov 2026, 23:58 UTC.");
        let ours = AccountState { problem: Some("This is our fault.".to_owned()), ..never[0].clone() };
        assert_eq!(line(&[ours], &[]), "Reddit has not been read yet.");
    }

    #[test]
    fn an_account_that_needs_a_person_is_no_fault_of_its_platform() {
        let revoked = [account("a", Platform::Beta, true, None), account("b", Platform::Beta, false, None)];
        assert_eq!(line(&revoked, &[("a", Platform::Beta)]), "1 Meta account needs attention.");
        assert_eq!(line(&revoked[1..], &[]), "");
    }

    #[test]
    fn numbers_may_be_old_although_the_campaigns_are_not() {
        let account = account("a", Platform::Alpha, false, Some("2026-12-01T08:59:00Z"));
        let old = [AccountState { numbers_problem: Some("No report.".to_owned()), ..account }];
        assert_eq!(line(&old, &[]), "The numbers of Google Ads are not up to date.");
    }
}
