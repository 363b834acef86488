//! The numbers of all ad accounts at a glance.

use super::trouble;
use crate::client::readings::{CampaignRow, Overview, RecentSpend, SpendRow};
use crate::kit::addresses;
use crate::kit::money;
use crate::kit::ratio::percent;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::RoundingStrategy;
use shared::domain::{CampaignId, Currency};
use std::collections::BTreeSet;

/// Campaigns that the page shows; the list of campaigns shows all.
const TOP: usize = 5;

/// The numbers of the page.
pub(super) struct HomeNumbers {
    /// The currency in which most campaigns spend is the first. The page folds the others.
    pub(super) spend: Vec<Spend>,
    /// `at least 46 active`
    pub(super) active: String,
    /// `20 paused, 3 others`
    pub(super) paused: String,
    pub(super) others: Option<String>,
    /// What these numbers lack.
    pub(super) missing_campaigns: Option<String>,
    /// `1 platform not responding`, and whether something ails the connections.
    pub(super) connections: (String, bool),
    /// The currency of the top campaigns, if the account has several.
    pub(super) top_currency: Option<&'static str>,
    pub(super) top: Vec<SpendRow>,
    /// Active campaigns that are not shown, those that need a person first, and how many there are.
    pub(super) not_running: Vec<NotRunningRow>,
    pub(super) not_running_count: usize,
}

/// An active campaign that is not shown.
pub(super) struct NotRunningRow {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) platform: &'static str,
    pub(super) account: String,
    /// `Not running: 2 ads rejected`
    pub(super) line: String,
    /// Whether that passes without a change.
    passes: bool,
}

impl NotRunningRow {
    /// `None` for a campaign that may be shown, that only waits for its start, or that this service pauses.
    fn of(row: &CampaignRow, pausing: &BTreeSet<CampaignId>, now: Timestamp) -> Option<NotRunningRow> {
        let campaign = &row.campaign;
        let not_running = campaign.not_running.as_ref().filter(|_| row.does_not_run(now))?;
        let is_month_spent = campaign.monthly.is_some_and(|month| !month.is_halted && month.remaining.is_zero());
        if not_running.only_begins() || is_month_spent || pausing.contains(&campaign.id) {
            return None;
        }
        Some(NotRunningRow {
            passes: not_running.passes,
            name: campaign.name.clone(),
            path: addresses::campaign(&campaign.id.to_string()),
            platform: campaign.id.platform().display_name(),
            account: row.account.clone(),
            line: row.not_running_line(now)?,
        })
    }
}

/// The spend in a currency.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spend {
    pub(super) currency: &'static str,
    pub(super) today: String,
    pub(super) week: String,
    /// `12% more than the week before`
    pub(super) difference: String,
    /// What the sums lack: `TikTok as of 02:58 UTC`.
    pub(super) missing: Option<String>,
}

impl HomeNumbers {
    /// The campaigns that are being paused are not told as trouble.
    pub(super) fn new(
        overview: &Overview,
        broken: usize,
        pausing: &BTreeSet<CampaignId>,
        now: Timestamp,
    ) -> HomeNumbers {
        let totals = overview.totals();
        let counts = overview.counts();
        let first = totals.first().map(|(currency, _)| *currency);
        let mut stopped: Vec<NotRunningRow> =
            overview.rows.iter().filter_map(|row| NotRunningRow::of(row, pausing, now)).collect();
        stopped.sort_by_key(|row| row.passes);
        let top = first.map(|currency| overview.top(currency, TOP)).unwrap_or_default();
        HomeNumbers {
            top: top.into_iter().map(|row| SpendRow::of(row, now)).collect(),
            top_currency: if totals.len() > 1 { first.map(Currency::code) } else { None },
            spend: spends(overview, totals),
            active: format!("{} active", counts.words(counts.active)),
            paused: format!("{} paused", counts.words(counts.paused)),
            others: (counts.other > 0).then(|| format!("{} others", counts.words(counts.other))),
            missing_campaigns: overview.missing_campaigns(),
            connections: trouble::summary(&overview.accounts, broken, now),
            not_running_count: stopped.len(),
            not_running: stopped.into_iter().take(TOP).collect(),
        }
    }

    /// `2 more currencies`; `None` with one.
    pub(super) fn more_currencies(&self) -> Option<String> {
        match self.spend.len() {
            0 | 1 => None,
            2 => Some("1 more currency".to_owned()),
            count => Some(format!("{} more currencies", count - 1)),
        }
    }
}

/// The spend in each currency. Before anything is known there is one without amounts.
fn spends(overview: &Overview, totals: Vec<(Currency, RecentSpend)>) -> Vec<Spend> {
    if let (true, missing @ Some(_)) = (totals.is_empty(), overview.missing(None)) {
        let unknown = Total::UNKNOWN.text(|_| String::new());
        return vec![Spend { currency: "", today: unknown.clone(), week: unknown, difference: String::new(), missing }];
    }
    let of = |(currency, spent)| Spend { missing: overview.missing(Some(currency)), ..spend(currency, spent) };
    totals.into_iter().map(of).collect()
}

fn spend(currency: Currency, RecentSpend { today, week, week_before }: RecentSpend) -> Spend {
    let (today, week, difference) = (sum(today, currency), sum(week, currency), difference(week, week_before));
    Spend { currency: currency.code(), today, week, difference, missing: None }
}

/// `at least 1,234.50 USD`
fn sum(sum: Total, currency: Currency) -> String {
    let code = currency.code();
    format!("{} {code}", sum.text(|amount| money::amount_text(amount, code)))
}

/// How the spend of a week differs from that of the week before, in whole percent. Nothing for sums that are not whole.
fn difference(week: Total, before: Total) -> String {
    let Some((week, before)) = week.exact().zip(before.exact()) else { return String::new() };
    let percent = percent(week, before);
    match percent.map(|percent| percent.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)) {
        None if week.is_zero() => String::new(),
        None => "no spend the week before".to_owned(),
        Some(percent) if percent.is_zero() => "same as the week before".to_owned(),
        Some(percent) if percent.is_sign_negative() => format!("{}% less than the week before", percent.abs()),
        Some(percent) => format!("{percent}% more than the week before"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::client::readings::AccountState;
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::delivery::NotRunning;
    use crate::kit::month::tests::ledger;
    use rust_decimal::Decimal;
    use shared::domain::monthly::Month;
    use shared::domain::{CampaignStatus, DeliveryReason, MonthSpend, Platform};

    /// The spend of seven days in each currency, as the page shows it: `1,234.50 USD`.
    pub(crate) fn weeks(overview: &Overview, now: Timestamp) -> Vec<String> {
        let numbers = HomeNumbers::new(overview, 0, &BTreeSet::new(), now);
        numbers.spend.into_iter().filter(|spend| !spend.currency.is_empty()).map(|spend| spend.week).collect()
    }

    fn of(known: i64, is_partial: bool) -> Total {
        let whole = Total::of(Some(Decimal::new(known, 2)));
        if is_partial { whole.lower_bound() } else { whole }
    }

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    #[test]
    fn a_campaign_that_this_service_pauses_is_no_trouble() {
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let not_running = NotRunning { passes: false, reasons: vec![(DeliveryReason::BudgetSpent, None)] };
        let stopped =
            CampaignSummary { not_running: Some(not_running), ..campaign("alpha_1_2", CampaignStatus::Active) };
        let month = |remaining: i64, is_halted| MonthSpend {
            amount: Decimal::from(3_000),
            spent: Decimal::from(3_000 - remaining),
            remaining: Decimal::from(remaining),
            daily_now: Decimal::TEN,
            month: Month::parse("2026-11").unwrap(),
            is_halted,
            ledger: ledger(20, "0"),
            due_at: Timestamp::MIN,
        };
        let monthly = |month| CampaignSummary { monthly: Some(month), ..stopped.clone() };
        let (nothing, pausing) = (BTreeSet::new(), BTreeSet::from([stopped.id.clone()]));
        let row = |campaign: &CampaignSummary| CampaignRow::without_numbers(campaign.clone());
        let is_told = |campaign: &CampaignSummary, pausing| NotRunningRow::of(&row(campaign), pausing, now).is_some();
        assert!(is_told(&stopped, &nothing) && !is_told(&stopped, &pausing));
        assert!(!is_told(&monthly(month(0, false)), &nothing), "its month is spent");
        assert!(is_told(&monthly(month(0, true)), &nothing), "nothing moves a budget that is stopped");
        assert!(is_told(&monthly(month(600, false)), &nothing));
    }

    #[test]
    fn a_week_is_compared_with_the_one_before() {
        for (week, before, words) in [
            (of(11_200, false), of(10_000, false), "12% more than the week before"),
            (of(5_000, false), of(10_000, false), "50% less than the week before"),
            (of(10_001, false), of(10_000, false), "same as the week before"),
            (of(100, false), of(0, false), "no spend the week before"),
            (of(0, false), of(100, false), "100% less than the week before"),
            (of(0, false), of(0, false), ""),
            (of(100, true), of(100, false), ""),
            (of(100, false), of(100, true), ""),
        ] {
            assert_eq!(difference(week, before), words);
        }
    }

    #[test]
    fn a_sum_with_unknown_parts_is_a_lower_bound() {
        assert_eq!(sum(of(123_450, false), currency("USD")), "1,234.50 USD");
        assert_eq!(sum(of(123_450, true), currency("USD")), "at least 1,234.50 USD");
        assert_eq!(sum(of(0, true), currency("USD")), "– USD");
        assert_eq!(sum(of(0, false), currency("JPY")), "0 JPY");
    }

    #[test]
    fn before_anything_is_known_there_is_a_dash() {
        let account = |read_at: Option<Timestamp>| AccountState {
            platform: Some(Platform::Gamma),
            read_at,
            spend: read_at.map(|_| RecentSpend::default()),
            ..AccountState::default()
        };
        let of = |read_at| {
            let overview = Overview { accounts: vec![account(read_at)], ..Overview::default() };
            HomeNumbers::new(&overview, 0, &BTreeSet::new(), Timestamp::UNIX_EPOCH)
        };
        let unknown = of(None);
        assert_eq!((unknown.active.as_str(), unknown.spend[0].today.as_str()), ("– active", "–"));
        assert_eq!(unknown.spend[0].missing.as_deref(), Some("without TikTok"));
        let known = of(Some(Timestamp::UNIX_EPOCH));
        assert_eq!((known.active.as_str(), known.spend.len()), ("0 active", 0));
    }

    #[test]
    fn currencies_have_their_own_rows() {
        let spent = RecentSpend { today: of(100, false), week: of(700, false), week_before: of(350, false) };
        let shown = spend(currency("EUR"), spent);
        assert_eq!((shown.today.as_str(), shown.week.as_str()), ("1.00 EUR", "7.00 EUR"));
        assert_eq!(shown.difference, "100% more than the week before");
    }
}
