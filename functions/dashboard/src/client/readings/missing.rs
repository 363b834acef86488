//! The ad accounts that a sum lacks: those that were not read yet, and those whose rows are from before. A sum counts such
//! rows, and says as a lower bound when they were read. `kit/missing.rs` has the words.

use super::freshness::seconds_to_newer;
use super::last_answer::{last_answer, of_account};
use super::overview::Overview;
use super::state::AccountState;
use crate::kit::missing::{MissingPart, freshness, newer_in, without};
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Currency, Platform};

/// Rows that are older than this are told as old although nothing has failed: they are being read.
pub(super) const OLD: SignedDuration = SignedDuration::from_mins(10);

/// What a sum lacks of an ad account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// All of it.
    All,
    /// What came after this time.
    Since(Timestamp),
}

impl Lack {
    fn since(self) -> Option<Timestamp> {
        match self {
            Lack::All => None,
            Lack::Since(at) => Some(at),
        }
    }
}

impl AccountState {
    /// When it answered last; `None` if it has not yet.
    pub(crate) fn answered_at(&self) -> Option<Timestamp> {
        let lacks_only_numbers = self.problem.is_none() && self.numbers_problem.is_some();
        of_account(self.read_at, self.numbers_at, lacks_only_numbers)
    }

    /// What sums lack of the account; `None` if it has been read a moment ago.
    pub(crate) fn lack(&self, now: Timestamp) -> Option<Lack> {
        let has_failed = self.problem.is_some() || self.numbers_problem.is_some();
        match self.answered_at() {
            _ if self.spend.is_none() => Some(Lack::All),
            Some(at) => (has_failed || self.is_old(now)).then_some(Lack::Since(at)),
            None => has_failed.then_some(Lack::All),
        }
    }

    /// When its rows were read, if they are old or its platform has failed since; `None` for rows of a moment ago.
    pub(super) fn kept_since(&self, now: Timestamp) -> Option<Timestamp> {
        // Where its numbers were never read, its campaigns may be from before.
        [self.lack_of_any(now), self.lack_of_campaigns(now)].into_iter().flatten().find_map(Lack::since)
    }

    /// Whether its campaigns may be in a currency; `None` for any. That of an account that has never answered is not known.
    pub(crate) fn may_have(&self, currency: Option<Currency>) -> bool {
        currency.is_none_or(|asked| self.currency.is_none_or(|known| known == asked))
    }

    /// What the page lacks of the account: campaigns, or numbers.
    fn lack_of_any(&self, now: Timestamp) -> Option<Lack> {
        let lacks: Vec<Lack> = self.lack(now).into_iter().chain(self.lack_of_campaigns(now)).collect();
        all_of(&lacks)
    }

    /// What the number of campaigns lacks of the account.
    fn lack_of_campaigns(&self, now: Timestamp) -> Option<Lack> {
        match self.read_at {
            None => Some(Lack::All),
            Some(at) if self.problem.is_some() => Some(Lack::Since(self.answered_at().unwrap_or(at))),
            Some(at) => (now.duration_since(at) >= OLD).then_some(Lack::Since(at)),
        }
    }

    /// Whether a part of it is being read again for long.
    fn is_old(&self, now: Timestamp) -> bool {
        [self.read_at, self.numbers_at].into_iter().flatten().any(|at| now.duration_since(at) >= OLD)
    }
}

impl Overview {
    /// The ad accounts that the sums in a currency lack: `TikTok as of 02:58 UTC`.
    pub(crate) fn missing(&self, currency: Option<Currency>) -> Option<String> {
        without(&self.parts(|account| account.may_have(currency), AccountState::lack), self.now)
    }

    /// The same of the number of campaigns.
    pub(crate) fn missing_campaigns(&self) -> Option<String> {
        without(&self.parts(|account| account.may_have(self.currency), AccountState::lack_of_campaigns), self.now)
    }

    /// The age of what is shown: `Updated just now, TikTok as of 02:58 UTC`; `None` without ad accounts.
    pub(crate) fn age(&self) -> Option<String> {
        freshness(self.read_at(), &self.parts(|_| true, AccountState::lack_of_any), self.now)
    }

    /// When newer numbers can be read, if the person has just asked for them too soon.
    pub(crate) fn newer_in(&self) -> Option<String> {
        let wait = || seconds_to_newer(self.read_at()?, self.now).map(newer_in);
        self.asks_for_newer.then(wait).flatten()
    }

    /// The oldest reading of what is not missing.
    fn read_at(&self) -> Option<Timestamp> {
        let is_current = |account: &&AccountState| account.lack_of_any(self.now).is_none();
        let times = |account: &AccountState| [account.read_at, account.numbers_at].into_iter().flatten().min();
        self.accounts.iter().filter(is_current).filter_map(times).min()
    }

    /// The ad accounts that lack something, by platform.
    fn parts(
        &self,
        is_of: impl Fn(&AccountState) -> bool,
        lack: impl Fn(&AccountState, Timestamp) -> Option<Lack>,
    ) -> Vec<MissingPart> {
        let part = |platform: Platform| {
            let own = || self.accounts.iter().filter(|one| one.platform == Some(platform) && is_of(one));
            let lacking = || own().filter_map(|account| Some((account, lack(account, self.now)?)));
            let since = all_of(&lacking().map(|(_, lack)| lack).collect::<Vec<_>>())?.since();
            let is_first = lacking().all(|(account, _)| account.is_first);
            let (missing, all) = (lacking().count(), own().count());
            Some(MissingPart { platform, missing, all, since, is_kept: since.is_some(), is_first })
        };
        Platform::ALL.into_iter().filter_map(part).collect()
    }
}

/// What is missing of several; `None` if nothing is.
fn all_of(lacks: &[Lack]) -> Option<Lack> {
    if lacks.contains(&Lack::All) {
        return Some(Lack::All);
    }
    last_answer(lacks.iter().filter_map(|lack| lack.since())).map(Lack::Since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::RecentSpend;
    use crate::kit::times::with_times;
    use crate::kit::total::Total;
    use rust_decimal::Decimal;

    fn at(time: &str) -> Timestamp {
        format!("2026-12-01T{time}:00Z").parse().unwrap()
    }

    /// An account in a currency that has spent 10 and was read at a time.
    fn account(platform: Platform, code: &str, read: Option<&str>) -> AccountState {
        let whole = Total::of(Some(Decimal::TEN));
        AccountState {
            platform: Some(platform),
            currency: Currency::from_code(code),
            spend: read.map(|_| RecentSpend { today: whole, week: whole, week_before: whole }),
            has_numbers: read.is_some(),
            read_at: read.map(at),
            numbers_at: read.map(at),
            ..AccountState::default()
        }
    }

    fn failed(account: AccountState) -> AccountState {
        AccountState { problem: Some("No.".to_owned()), numbers_problem: Some("No.".to_owned()), ..account }
    }

    fn overview(accounts: Vec<AccountState>) -> Overview {
        Overview { accounts, now: at("09:00"), ..Overview::default() }
    }

    /// What is missing in a currency, the age, and what was spent today.
    fn told(accounts: Vec<AccountState>, code: &str) -> (Option<String>, Option<String>, Vec<String>) {
        let overview = overview(accounts);
        let today = |(currency, spend): (Currency, RecentSpend)| {
            format!("{} {}", currency.code(), spend.today.text(|sum| sum.to_string()))
        };
        let sums = overview.totals().into_iter().map(today).collect();
        (overview.missing(Currency::from_code(code)), overview.age(), sums)
    }

    #[test]
    fn a_silent_platform_is_named_in_each_sum_that_has_its_rows() {
        let accounts = || {
            vec![
                account(Platform::Alpha, "USD", Some("09:00")),
                failed(account(Platform::Gamma, "USD", Some("02:58"))),
                account(Platform::Beta, "EUR", Some("09:00")),
            ]
        };
        let overview = overview(accounts());
        let missing = overview.missing(Currency::from_code("USD")).unwrap();
        assert_eq!(with_times(&missing, None), "TikTok as of <time datetime=\"2026-12-01T02:58:00Z\">02:58 UTC</time>");
        assert_eq!(overview.missing(Currency::from_code("EUR")), None);
        let age = "Updated just now, TikTok as of <time datetime=\"2026-12-01T02:58:00Z\">02:58 UTC</time>";
        assert_eq!(overview.age().map(|age| with_times(&age, None)).as_deref(), Some(age));
        let (_, _, mut sums) = told(accounts(), "USD");
        sums.sort();
        assert_eq!(sums, ["EUR 10", "USD at least 20"]);
    }

    #[test]
    fn a_refresh_that_comes_too_soon_says_when_it_works() {
        let read = overview(vec![account(Platform::Beta, "USD", Some("09:00"))]);
        let asked = |seconds: i64, asks_for_newer| {
            let now = at("09:00") + SignedDuration::from_secs(seconds);
            Overview { accounts: read.accounts.clone(), now, asks_for_newer, ..Overview::default() }.newer_in()
        };
        assert_eq!(asked(4, true).as_deref(), Some("You can refresh again in 6 seconds."));
        assert_eq!((asked(4, false), asked(0, true), asked(10, true)), (None, None, None));
    }

    #[test]
    fn rows_from_before_a_silence_have_their_time() {
        let since = |account: AccountState| account.kept_since(at("09:00"));
        let tiktok = || account(Platform::Gamma, "USD", Some("08:58"));
        assert_eq!((since(tiktok()), since(failed(tiktok()))), (None, Some(at("08:58"))));
        assert_eq!(since(account(Platform::Gamma, "USD", Some("08:50"))), Some(at("08:50")), "it is being read");
        let without_numbers = AccountState { spend: None, numbers_at: None, ..failed(tiktok()) };
        assert_eq!(since(without_numbers), Some(at("08:58")));
        assert_eq!(since(failed(account(Platform::Gamma, "USD", None))), None, "there are no rows");
    }

    #[test]
    fn what_was_never_read_is_missing_in_all_currencies_that_it_may_have() {
        let unknown = AccountState { currency: None, ..account(Platform::Zeta, "USD", None) };
        let accounts = || vec![account(Platform::Alpha, "USD", Some("09:00")), unknown.clone()];
        let (missing, age, sums) = told(accounts(), "USD");
        assert_eq!(
            (missing.as_deref(), age.as_deref()),
            (Some("without Reddit"), Some("Updated just now, without Reddit"))
        );
        assert_eq!(sums, ["USD at least 10"]);
        let overview = overview(accounts());
        assert_eq!(
            (overview.counts().words(0), overview.counts().words(1_046)),
            ("–".to_owned(), "at least 1,046".to_owned())
        );
        assert_eq!(overview.missing_campaigns().as_deref(), Some("without Reddit"));
        let (_, age, sums) = told(vec![account(Platform::Alpha, "USD", None)], "USD");
        assert_eq!((age.as_deref(), sums.len()), (Some("No data yet"), 0));
    }

    #[test]
    fn what_is_read_for_the_first_time_is_no_zero() {
        let first = || AccountState { is_first: true, is_waiting: true, ..account(Platform::Gamma, "USD", None) };
        let (missing, age, sums) = told(vec![account(Platform::Alpha, "USD", Some("09:00")), first()], "USD");
        assert_eq!(missing.as_deref(), Some("reading TikTok for the first time"));
        assert_eq!(age.as_deref(), Some("Updated just now, reading TikTok for the first time"));
        assert_eq!(sums, ["USD at least 10"]);
        assert_eq!(overview(vec![first()]).age().as_deref(), Some("Reading for the first time"));
    }

    #[test]
    fn old_rows_are_told_once_for_platforms_of_the_same_time() {
        let all = [Platform::Alpha, Platform::Beta, Platform::Gamma].map(|one| account(one, "USD", Some("06:10")));
        let words = overview(all.to_vec()).missing(None).unwrap();
        assert!(words.starts_with("Google Ads, Meta and TikTok as of "), "{words}");
        let some =
            vec![account(Platform::Beta, "USD", Some("08:59")), failed(account(Platform::Beta, "USD", Some("08:58")))];
        let words = overview(some).missing(None).unwrap();
        assert!(words.starts_with("1 of 2 accounts of Meta as of "), "{words}");
        assert_eq!(overview(vec![account(Platform::Beta, "USD", Some("08:55"))]).missing(None), None);
    }
}
