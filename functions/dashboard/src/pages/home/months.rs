//! Monthly budgets that end over, or behind: how many, and the worst by name. It needs nothing that the page has not read:
//! what is spent is of the last look of maintenance, or of the days of the list where those say more. A month behind is told
//! only where all of that is known.

use crate::client::changes::GoingOn;
use crate::client::readings::{CampaignRow, Overview, RecentNumbers};
use crate::kit::addresses::{self, TO_HOME};
use crate::kit::month_end::{MonthEnd, Verdict};
use crate::kit::total::Total;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use shared::domain::monthly::{Month, day_in};
use std::cmp::Reverse;

/// Campaigns that the page names; the page of months has all.
const MOST: usize = 3;

/// The part of the page.
pub(super) struct Months {
    /// `November: 2 campaigns over, 1 not running, 2 behind`
    pub(super) title: String,
    /// `2 campaigns over, 2 behind`
    pub(super) counts: String,
    /// The worst.
    pub(super) rows: Vec<MonthRow>,
    pub(super) more: usize,
}

/// A campaign whose month ends over its budget, or behind, or that does not run.
pub(super) struct MonthRow {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) platform: &'static str,
    pub(super) account: String,
    /// `Over: ends at about 2,900.00 of 1,000.00 USD`
    pub(super) verdict: String,
    pub(super) tone: &'static str,
    /// The list with the form of its budget, which leads back to this page.
    pub(super) edit: String,
    /// `Paused until 1 Dec`
    pub(super) until: Option<String>,
    /// Where its page says why it does not run, of an active one.
    pub(super) why: Option<String>,
}

/// The months; `None` if none ends over or behind, and until all ad accounts have been read once. `goes_on` has the campaigns that
/// their monthly budget activates again.
pub(super) fn months(overview: &Overview, goes_on: &GoingOn) -> Option<Months> {
    if overview.accounts.iter().any(|account| account.is_waiting && account.lack(overview.now).is_some()) {
        return None;
    }
    let month = Month::of(day_in(&TimeZone::UTC, overview.now));
    let known = overview.rows.iter().filter_map(|row| Some((row, end(row, overview, goes_on, month)?)));
    let is_told = |end: &MonthEnd| matches!(end.verdict(), Verdict::Over | Verdict::NotRunning | Verdict::Behind);
    let mut told: Vec<(&CampaignRow, MonthEnd)> = known.filter(|(_, end)| is_told(end)).collect();
    told.sort_by_cached_key(|(row, end)| (end.verdict(), Reverse(end.gravity()), row.campaign.name.to_lowercase()));
    let of = |verdict: Verdict| told.iter().filter(|(_, end)| end.verdict() == verdict).count();
    let counts = [Verdict::Over, Verdict::NotRunning, Verdict::Behind];
    let counts = counts.map(|verdict| (of(verdict), verdict.word().to_lowercase()));
    let mut parts: Vec<String> = Vec::new();
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let noun = match (parts.is_empty(), count) {
            (true, 1) => "campaign ",
            (true, _) => "campaigns ",
            (false, _) => "",
        };
        parts.push(format!("{count} {noun}{word}"));
    }
    let name = month.first().strftime("%B");
    (!parts.is_empty()).then(|| Months {
        title: format!("{name}: {}", parts.join(", ")),
        counts: parts.join(", "),
        rows: told.iter().take(MOST).map(|(row, end)| MonthRow::of(row, end)).collect(),
        more: told.len().saturating_sub(MOST),
    })
}

impl MonthRow {
    fn of(CampaignRow { campaign, account, .. }: &CampaignRow, end: &MonthEnd) -> MonthRow {
        let (id, words) = (campaign.id.to_string(), end.words(campaign, None));
        MonthRow {
            name: campaign.name.clone(),
            path: addresses::campaign(&id),
            platform: campaign.id.platform().display_name(),
            account: account.clone(),
            verdict: words.verdict,
            tone: words.tone,
            edit: addresses::edit_budget(&id, &campaign.name, None, (TO_HOME, end.advised_amount())),
            until: words.until,
            why: words.is_blocked.then(|| addresses::delivery_of(&id)),
        }
    }
}

/// How this month of a campaign ends. On an ad account where it is another month already, nothing is known of it.
fn end(row: &CampaignRow, overview: &Overview, goes_on: &GoingOn, this: Month) -> Option<MonthEnd> {
    let month = row.campaign.monthly?;
    let account = row.account_in(&overview.accounts)?;
    let clock = account.month.filter(|clock| clock.month == this && month.month == this)?;
    let spent = spent(month.spent, &row.numbers, clock.full_days);
    let spent = if account.lack(overview.now).is_some() { spent.lower_bound() } else { spent };
    let totals = [spent, row.numbers.spend.week];
    let running = row.running(goes_on.get(&row.campaign.id).copied(), overview.now);
    MonthEnd::of(&row.campaign, totals, running, clock)
}

/// What a campaign has spent this month. `counted` is of the last look of maintenance, which may be from the night, or still to
/// come for a new monthly budget. The days that are read are the last two weeks and today.
fn spent(counted: Decimal, RecentNumbers { spend, days, .. }: &RecentNumbers, full_days: usize) -> Total {
    let mut full = Total::ZERO;
    for day in &days[days.len().saturating_sub(full_days)..] {
        full.add(Total::of(*day));
    }
    let mut all = full;
    all.add(spend.today);
    if full_days <= days.len() && all.exact().is_some() {
        return all;
    }
    let most = all.known().map_or(counted, |known| known.max(counted));
    // The look has not seen days that the platform has reported.
    let is_before = full.known().is_some_and(|full| full > counted);
    if is_before || all.exact().is_none() { Total::of(Some(most)).lower_bound() } else { Total::of(Some(most)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{AccountState, RecentSpend};
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::delivery::NotRunning;
    use crate::kit::forecast::MonthClock;
    use crate::kit::month::Resumption;
    use crate::kit::month::tests::ledger;
    use jiff::Timestamp;
    use shared::domain::{CampaignId, CampaignStatus, DeliveryReason, MonthSpend};

    fn now() -> Timestamp {
        "2026-11-16T00:00:00Z".parse().unwrap()
    }

    /// A campaign with 3,000 a month, which has spent this in the month and in the last seven days.
    fn row(month: &str, spent: i64, week: Total) -> CampaignRow {
        let month = MonthSpend {
            amount: Decimal::from(3_000),
            spent: Decimal::from(spent),
            remaining: Decimal::from(3_000 - spent),
            daily_now: Decimal::TEN,
            month: Month::parse(month).unwrap(),
            is_halted: false,
            ledger: ledger(15, "0"),
            due_at: Timestamp::MIN,
        };
        let summary = CampaignSummary { monthly: Some(month), ..campaign("beta_1_1", CampaignStatus::Active) };
        let spend = RecentSpend { week, today: Total::ZERO, week_before: Total::ZERO };
        let numbers = RecentNumbers { spend, days: vec![Some(Decimal::ONE); 14], ..RecentNumbers::UNKNOWN };
        CampaignRow { numbers, ..CampaignRow::without_numbers(summary) }
    }

    fn account() -> AccountState {
        AccountState {
            month: MonthClock::at(now(), &TimeZone::UTC),
            spend: Some(RecentSpend { today: Total::ZERO, week: Total::ZERO, week_before: Total::ZERO }),
            read_at: Some(now()),
            numbers_at: Some(now()),
            ..AccountState::default()
        }
    }

    fn told(rows: Vec<CampaignRow>) -> Option<String> {
        told_of(account(), rows)
    }

    fn told_of(account: AccountState, rows: Vec<CampaignRow>) -> Option<String> {
        let overview = Overview { rows, accounts: vec![account], now: now(), ..Overview::default() };
        months(&overview, &GoingOn::new()).map(|months| months.title)
    }

    #[test]
    fn the_worst_months_are_named_with_a_way_to_their_budgets() {
        let week = Total::of(Some(Decimal::from(280)));
        let named = |name: &str, spent| {
            let row = row("2026-11", spent, week);
            CampaignRow { campaign: CampaignSummary { name: name.to_owned(), ..row.campaign }, ..row }
        };
        let rows = vec![named("C", 600), named("B", 500), named("A", 3_100), named("D", 700)];
        let accounts = vec![account()];
        let shown = months(&Overview { rows, accounts, now: now(), ..Overview::default() }, &GoingOn::new()).unwrap();
        let names: Vec<&str> = shown.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names, shown.more), (vec!["A", "B", "C"], 1));
        let [over, behind, _] = &shown.rows[..] else { panic!("three rows") };
        assert_eq!((over.verdict.as_str(), over.tone), ("Over: ends at about 3,100.00 of 3,000.00 USD", "over"));
        assert!(over.edit.contains("?edit=beta_1_1&q=A&back=home&need=3700#budget_amount"), "{}", over.edit);
        assert!(behind.verdict.starts_with("Behind: ") && !behind.edit.contains("need="), "{}", behind.edit);
    }

    #[test]
    fn what_does_not_run_says_why_and_what_is_paused_until_when() {
        let mut blocked = row("2026-11", 600, Total::of(Some(Decimal::from(280))));
        let reasons = vec![(DeliveryReason::AdsRejected, Some(2))];
        blocked.campaign.not_running = Some(NotRunning { passes: false, reasons });
        let mut paused = row("2026-11", 3_100, Total::of(Some(Decimal::from(280))));
        paused.campaign = CampaignSummary {
            id: CampaignId::parse("beta_1_2").unwrap(),
            status: CampaignStatus::Paused,
            is_month_spent: true,
            ..paused.campaign
        };
        paused.campaign.monthly = paused.campaign.monthly.map(|month| MonthSpend { due_at: Timestamp::MAX, ..month });
        let at = "2026-12-01T00:00:00Z".parse().unwrap();
        let goes_on = GoingOn::from([(paused.campaign.id.clone(), Resumption { at })]);
        let overview =
            Overview { rows: vec![blocked, paused], accounts: vec![account()], now: now(), ..Overview::default() };
        let shown = months(&overview, &goes_on).unwrap();
        assert_eq!(shown.title, "November: 1 campaign over, 1 not running");
        let [paused, blocked] = &shown.rows[..] else { panic!("two rows") };
        assert_eq!(paused.verdict, "Spent 3,100.00 of 3,000.00 USD");
        assert_eq!((paused.until.as_deref(), &paused.why), (Some("Paused until 1 Dec"), &None));
        assert_eq!(blocked.verdict, "Stands still at 600.00 of 3,000.00 USD: 2 ads rejected");
        assert_eq!(blocked.why.as_deref(), Some("/dashboard/campaigns/one?id=beta_1_1#delivery"));
        let canceled = months(&overview, &GoingOn::new()).unwrap();
        assert_eq!(canceled.rows[0].until, None, "a person has canceled its restart");
    }

    #[test]
    fn months_that_end_over_or_behind_are_counted() {
        let week = |amount: i64| Total::of(Some(Decimal::from(amount)));
        let (over, behind) = (|| row("2026-11", 3_100, week(700)), || row("2026-11", 600, week(280)));
        let fine = || row("2026-11", 1_500, week(700));
        let all = vec![over(), over(), behind(), fine()];
        assert_eq!(told(all).as_deref(), Some("November: 2 campaigns over, 1 behind"));
        assert_eq!(told(vec![behind(), fine()]).as_deref(), Some("November: 1 campaign behind"));
        assert_eq!(told(vec![over()]).as_deref(), Some("November: 1 campaign over"));
        let unknown = row("2026-11", 600, Total::UNKNOWN);
        let before = row("2026-10", 3_100, week(700));
        assert_eq!(told(vec![fine(), unknown, before]), None);
    }

    #[test]
    fn a_month_is_not_called_behind_before_its_numbers_are_there() {
        let week = Total::of(Some(Decimal::from(280)));
        let behind = || row("2026-11", 600, week);
        let silent = AccountState { is_waiting: true, spend: None, ..account() };
        assert_eq!(told_of(silent, vec![behind()]), None, "it is being read");
        let old = AccountState { problem: Some("No.".to_owned()), ..account() };
        assert_eq!(told_of(old.clone(), vec![behind()]), None, "its last answer is old");
        assert_eq!(told_of(old, vec![row("2026-11", 3_100, week)]).as_deref(), Some("November: 1 campaign over"));
        // A budget that maintenance has not looked at: the days say more than it has counted.
        let new = |today: i64| {
            let row = row("2026-11", 0, week);
            let spend = RecentSpend { today: Total::of(Some(Decimal::from(today))), ..row.numbers.spend };
            CampaignRow { numbers: RecentNumbers { spend, ..row.numbers }, ..row }
        };
        assert_eq!(told(vec![new(0)]), None);
        assert_eq!(told(vec![new(3_100)]).as_deref(), Some("November: 1 campaign over"));
    }

    #[test]
    fn the_days_of_a_young_month_are_all_that_it_has_spent() {
        let one = Some(Decimal::ONE);
        let of = |counted: i64, days, full_days| {
            let spend = RecentSpend { today: Total::of(one), ..RecentSpend::UNKNOWN };
            spent(counted.into(), &RecentNumbers { spend, days, ..RecentNumbers::UNKNOWN }, full_days)
        };
        let whole = |amount: i64| Total::of(Some(Decimal::from(amount)));
        assert_eq!(of(0, vec![one; 14], 3), whole(4), "of this month alone");
        assert_eq!(of(20, vec![one; 14], 20), whole(20), "the look has seen all days");
        assert_eq!(of(9, vec![one; 14], 20), whole(15).lower_bound());
        assert_eq!(of(9, vec![None; 14], 3), whole(9).lower_bound());
    }
}
