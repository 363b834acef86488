//! What ails the connections, in one line. The page of connections has the details.

use crate::client::readings::{AccountState, last_answer};
use crate::kit::connections::{accounts_of, is_fault_of};
use crate::kit::text::{clock, listed, when};
use jiff::Timestamp;
use shared::domain::Platform;

/// The sentences of the line; none if all is well. `needs_person` are the connections that need a person.
pub(super) fn sentences(accounts: &[AccountState], needs_person: &[(&str, Platform)], now: Timestamp) -> Vec<String> {
    let is_own_fault = |account: &&AccountState| needs_person.iter().all(|(id, _)| *id != account.connection);
    let of_platform = |platform: Platform| {
        let all: Vec<&AccountState> =
            accounts.iter().filter(|account| account.platform == Some(platform)).filter(is_own_fault).collect();
        [silence(platform, &all, now), missing_numbers(platform, &all, now)].into_iter().flatten().collect::<Vec<_>>()
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

/// The state of all connections in a few words, and whether something ails them. Nothing is said to work that was not read:
/// while a reading is under way, only how far it is.
pub(super) fn summary(accounts: &[AccountState], broken: usize, now: Timestamp) -> (String, bool) {
    let count = |is_it: &dyn Fn(&AccountState) -> bool| accounts.iter().filter(|account| is_it(account)).count();
    let (waiting, old) = (count(&|account| account.is_waiting), count(&|account| account.lack(now).is_some()));
    match (broken, silent_platforms(accounts)) {
        (0, 0) if waiting > 0 => (format!("{} of {} responded", accounts.len() - waiting, accounts.len()), false),
        (0, 0) if old > 0 => (format!("{old} not up to date"), true),
        (0, 0) => ("All working".to_owned(), false),
        (0, 1) => ("1 platform not responding".to_owned(), true),
        (0, silent) => (format!("{silent} platforms not responding"), true),
        (broken, _) => (format!("{broken} broken"), true),
    }
}

/// The platforms of which some account has not answered.
fn silent_platforms(accounts: &[AccountState]) -> usize {
    let is_silent = |platform: &Platform| {
        accounts.iter().any(|account| account.platform == Some(*platform) && account.problem.is_some())
    };
    Platform::ALL.iter().filter(|platform| is_silent(platform)).count()
}

/// `TikTok did not answer at 02:58 UTC; its numbers are from 02:41 UTC.`
fn silence(platform: Platform, all: &[&AccountState], now: Timestamp) -> Option<String> {
    let silent: Vec<(&AccountState, &str)> =
        all.iter().filter_map(|account| Some((*account, account.problem.as_deref()?))).collect();
    let is_platforms = silent.iter().any(|(_, problem)| is_fault_of(platform, problem));
    let what = if is_platforms { "did not answer" } else { "could not be read" };
    let (who, has) = accounts_of(platform, silent.len(), all.len());
    let its = if has == "has" { "its" } else { "their" };
    let read = last_answer(silent.iter().filter_map(|(account, _)| account.answered_at()));
    let shown = match read {
        Some(at) => format!("{its} numbers are from {}", clock(at, now)),
        None => format!("{its} campaigns are missing"),
    };
    let tried = tried(silent.iter().map(|(account, _)| *account), now);
    (!silent.is_empty()).then(|| format!("{who} {what}{tried}; {shown}."))
}

/// `The numbers of TikTok could not be read at 02:58 UTC; they are from 02:41 UTC.`
fn missing_numbers(platform: Platform, all: &[&AccountState], now: Timestamp) -> Option<String> {
    let is_old = |account: &&&AccountState| account.problem.is_none() && account.numbers_problem.is_some();
    let old: Vec<&AccountState> = all.iter().filter(is_old).copied().collect();
    let (who, _) = accounts_of(platform, old.len(), all.len());
    let read = last_answer(old.iter().filter_map(|account| account.answered_at()));
    let shown = read.map(|at| format!("; they are from {}", clock(at, now))).unwrap_or_default();
    let tried = tried(old.iter().copied(), now);
    (!old.is_empty()).then(|| format!("The numbers of {who} could not be read{tried}{shown}."))
}

/// ` at 02:58 UTC`: when some accounts were tried last.
fn tried<'a>(accounts: impl Iterator<Item = &'a AccountState>, now: Timestamp) -> String {
    let last = accounts.filter_map(|account| account.failed_at).max();
    last.map(|at| format!(" {}", when(at, now))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::RecentSpend;

    /// An account that was tried at 8:59, and read at another time.
    fn account(connection: &str, platform: Platform, problem: bool, read_at: Option<&str>) -> AccountState {
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        AccountState {
            connection: connection.to_owned(),
            platform: Some(platform),
            problem: problem.then(|| format!("{} is throttling.", platform.display_name())),
            failed_at: problem.then(|| at("2026-12-01T08:59:00Z")),
            spend: read_at.map(|_| RecentSpend::UNKNOWN),
            read_at: read_at.map(at),
            numbers_at: read_at.map(at),
            ..AccountState::default()
        }
    }

    fn now() -> Timestamp {
        "2026-12-01T09:00:00Z".parse().unwrap()
    }

    /// The line as a page shows it: without the day of today.
    fn line(accounts: &[AccountState], needs_person: &[(&str, Platform)]) -> String {
        sentences(accounts, needs_person, now()).join(" ").replace("\u{2063}1 Dec 2026, ", "")
    }

    #[test]
    fn a_platform_that_does_not_answer_is_one_sentence() {
        let (early, late) = (Some("2026-12-01T02:41:00Z"), Some("2026-12-01T08:58:00Z"));
        let mut accounts = vec![account("a", Platform::Gamma, true, early), account("b", Platform::Gamma, true, late)];
        accounts.push(account("c", Platform::Beta, false, late));
        let tiktok = "TikTok did not answer at 08:59 UTC; its numbers are from 02:41 UTC.";
        assert_eq!(line(&accounts, &[]), tiktok);
        assert_eq!(
            line(&accounts, &[("x", Platform::Beta), ("y", Platform::Beta), ("z", Platform::Alpha)]),
            format!("{tiktok} 1 Google Ads account and 2 Meta accounts need attention.")
        );
        accounts.push(account("d", Platform::Gamma, false, late));
        let two = "2 of 3 accounts of TikTok did not answer at 08:59 UTC; their numbers are from 02:41 UTC.";
        assert_eq!(line(&accounts, &[]), two);
        let never = [account("a", Platform::Zeta, true, None)];
        assert_eq!(line(&never, &[]), "Reddit did not answer at 08:59 UTC; its campaigns are missing.");
        let yesterday = [account("a", Platform::Zeta, true, Some("2026-11-30T23:58:00Z"))];
        let told = "Reddit did not answer at 08:59 UTC; its numbers are from 30 Nov 2026, 23:58 UTC.";
        assert_eq!(line(&yesterday, &[]), told);
        let ours = AccountState { problem: Some("This is our fault.".to_owned()), ..never[0].clone() };
        assert_eq!(line(&[ours], &[]), "Reddit could not be read at 08:59 UTC; its campaigns are missing.");
    }

    #[test]
    fn nothing_works_that_was_not_read() {
        let late = Some("2026-12-01T08:58:00Z");
        let read = || account("a", Platform::Alpha, false, late);
        let told = |accounts: &[AccountState], broken| summary(accounts, broken, now());
        assert_eq!(told(&[read(), read()], 0), ("All working".to_owned(), false));
        let first = AccountState { is_waiting: true, ..account("b", Platform::Beta, false, None) };
        assert_eq!(told(&[read(), first.clone()], 0), ("1 of 2 responded".to_owned(), false));
        assert_eq!(told(&[first], 1), ("1 broken".to_owned(), true));
        let silent = || account("c", Platform::Gamma, true, late);
        assert_eq!(told(&[read(), silent(), silent()], 0), ("1 platform not responding".to_owned(), true));
        let other = account("d", Platform::Zeta, true, None);
        assert_eq!(told(&[silent(), other], 0).0, "2 platforms not responding");
        let old = AccountState { numbers_problem: Some("No report.".to_owned()), ..read() };
        assert_eq!(told(&[read(), old], 0), ("1 not up to date".to_owned(), true));
    }

    #[test]
    fn an_account_that_needs_a_person_is_no_fault_of_its_platform() {
        let revoked = [account("a", Platform::Beta, true, None), account("b", Platform::Beta, false, None)];
        assert_eq!(line(&revoked, &[("a", Platform::Beta)]), "1 Meta account needs attention.");
        assert_eq!(line(&revoked[1..], &[]), "");
    }

    #[test]
    fn numbers_may_be_old_although_the_campaigns_are_not() {
        let (problem, numbers_at) = (Some("No report.".to_owned()), Some("2026-12-01T02:41:00Z".parse().unwrap()));
        let account = account("a", Platform::Alpha, false, Some("2026-12-01T08:59:00Z"));
        let failed_at = Some("2026-12-01T08:59:00Z".parse().unwrap());
        let old = [AccountState { numbers_problem: problem, numbers_at, failed_at, ..account }];
        let told = "The numbers of Google Ads could not be read at 08:59 UTC; they are from 02:41 UTC.";
        assert_eq!(line(&old, &[]), told);
    }
}
