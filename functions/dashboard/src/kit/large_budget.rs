//! Budgets that are much larger than those of a team's other campaigns: a page asks the person about one, and says what it
//! comes to in a day and in a month (D200).

use crate::kit::campaign::CampaignSummary;
use crate::kit::money::{amount_text, in_currency};
use crate::kit::text::grouped_digits;
use rust_decimal::{Decimal, RoundingStrategy};
use shared::domain::{BudgetPeriod, CampaignId, Currency};
use std::collections::{BTreeMap, BTreeSet};

/// The field with an amount that a page has asked about. The same amount sent again is the answer.
pub(crate) const ASKED_FIELD: &str = "asked_budget_amount";
/// How many times another budget one may be without a question: a typing error is a factor of 10 or more.
const LEAP: Decimal = Decimal::TEN;

/// The campaigns of a team as they are kept.
#[derive(Default)]
pub(crate) struct KnownBudgets {
    pub(crate) campaigns: Vec<CampaignSummary>,
    /// Those that have spent in the last two weeks.
    pub(crate) spending: BTreeSet<CampaignId>,
}

/// A budget whose amount or period may not be known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SomeBudget {
    pub(crate) amount: Option<Decimal>,
    pub(crate) period: Option<BudgetPeriod>,
    pub(crate) currency: Currency,
}

/// What a budget is for: a month is 30.4 days of it. A whole run has no number of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    Day,
    Run,
}

impl From<&CampaignSummary> for SomeBudget {
    fn from(campaign: &CampaignSummary) -> SomeBudget {
        let CampaignSummary { budget_amount, budget_period, currency, .. } = campaign;
        SomeBudget { amount: *budget_amount, period: *budget_period, currency: *currency }
    }
}

impl KnownBudgets {
    /// A campaign, by its id.
    pub(crate) fn campaign(&self, id: &str) -> Option<&CampaignSummary> {
        self.campaigns.iter().find(|campaign| campaign.id.to_string() == id)
    }

    /// Whether a campaign has spent in the last two weeks.
    pub(crate) fn spends(&self, id: &str) -> bool {
        CampaignId::parse(id).is_some_and(|id| self.spending.contains(&id))
    }

    /// How many times the largest of the other campaigns in its currency a budget is, in words; `None` for one that is
    /// below ten times, or that nothing can be compared with. `id` is its own campaign, if there is one yet.
    pub(crate) fn leap(&self, id: Option<&str>, budget: SomeBudget) -> Option<String> {
        let (span, amount) = budget.for_span()?;
        let others = self.campaigns.iter().filter(|one| Some(one.id.to_string().as_str()) != id);
        let others = others.map(SomeBudget::from).filter(|other| other.currency == budget.currency);
        let others = others.filter_map(SomeBudget::for_span).filter(|(known, _)| *known == span);
        let largest = others.map(|(_, amount)| amount).max()?;
        let times = times(amount, largest)?;
        let (of, currency) = (span.words(), budget.currency.code());
        let largest = amount_text(rounded(largest, budget.currency), currency);
        Some(format!("{times} times the largest {of} of your other campaigns in {currency}, {largest}"))
    }
}

impl SomeBudget {
    /// What it comes to, for people: `50.00 USD a day, 1,520.00 USD a month (30.4 days)`; `None` for one that is not known.
    pub(crate) fn sums(self) -> Option<String> {
        let (amount, currency) = (self.amount?, self.currency);
        let (typed, words) = (in_currency(amount, currency), |amount| in_currency(rounded(amount, currency), currency));
        Some(match self.period? {
            BudgetPeriod::Daily => match amount.checked_mul(month_days()) {
                Some(month) => format!("{typed} a day, {} a month (30.4 days)", words(month)),
                // More than a decimal holds.
                None => format!("{typed} a day"),
            },
            BudgetPeriod::Monthly => format!("{typed} a month, {} a day", words(a_day(amount, self.period)?)),
            BudgetPeriod::Total | BudgetPeriod::Lifetime => format!("{typed} in all"),
        })
    }

    /// The amount of a day, or of the whole run.
    fn for_span(self) -> Option<(Span, Decimal)> {
        let amount = self.amount?;
        Some(match self.period? {
            BudgetPeriod::Daily | BudgetPeriod::Monthly => (Span::Day, a_day(amount, self.period)?),
            BudgetPeriod::Total | BudgetPeriod::Lifetime => (Span::Run, amount),
        })
    }
}

impl Span {
    fn words(self) -> &'static str {
        match self {
            Span::Day => "daily budget",
            Span::Run => "budget of a whole run",
        }
    }
}

/// What budgets come to together: a line for each currency and period, and how many are not known.
pub(crate) fn sums(budgets: impl Iterator<Item = SomeBudget>) -> Vec<String> {
    let mut sums: BTreeMap<(&str, &str), SomeBudget> = BTreeMap::new();
    let (known, unknown): (Vec<SomeBudget>, Vec<SomeBudget>) =
        budgets.partition(|budget| budget.amount.is_some() && budget.period.is_some());
    for budget in known {
        let span = budget.period.map_or("", BudgetPeriod::span);
        let none = SomeBudget { amount: Some(Decimal::ZERO), ..budget };
        let sum = sums.entry((budget.currency.code(), span)).or_insert(none);
        sum.amount = sum.amount.zip(budget.amount).and_then(|(sum, amount)| sum.checked_add(amount));
    }
    let unknown = match unknown.len() {
        0 => None,
        1 => Some("1 more budget, which is not known here".to_owned()),
        count => Some(format!("{count} more budgets, which are not known here")),
    };
    sums.into_values().filter_map(SomeBudget::sums).chain(unknown).collect()
}

/// How many times another amount one is, for people; `None` below ten times.
pub(crate) fn times(amount: Decimal, other: Decimal) -> Option<String> {
    // An amount of a day that comes from a month has no last digit: 19.99…9 is 20.
    let times = amount.checked_div(other)?.round_dp(9);
    let times = (times >= LEAP).then(|| times.floor())?;
    Some(grouped_digits(&times.normalize().to_string()))
}

/// What a budget is for a day; the amount itself if it is not one of months.
pub(crate) fn a_day(amount: Decimal, period: Option<BudgetPeriod>) -> Option<Decimal> {
    if period == Some(BudgetPeriod::Monthly) { amount.checked_div(month_days()) } else { Some(amount) }
}

/// The days of an average month: 30.4.
fn month_days() -> Decimal {
    Decimal::new(304, 1)
}

/// An amount that was calculated, with the decimals of its currency.
fn rounded(amount: Decimal, currency: Currency) -> Decimal {
    amount.round_dp_with_strategy(currency.decimals(), RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::CampaignStatus::Paused;

    fn budget(amount: i64, period: BudgetPeriod, currency: &str) -> SomeBudget {
        let currency = Currency::from_code(currency).unwrap();
        SomeBudget { amount: Some(amount.into()), period: Some(period), currency }
    }

    /// Campaigns in US dollars with these daily budgets: `alpha_1_0` and so on.
    pub(crate) fn known(daily: &[i64]) -> KnownBudgets {
        let one = |(at, amount): (usize, &i64)| CampaignSummary {
            budget_amount: Some((*amount).into()),
            ..campaign(&format!("alpha_1_{at}"), Paused)
        };
        KnownBudgets { campaigns: daily.iter().enumerate().map(one).collect(), spending: BTreeSet::new() }
    }

    #[test]
    fn a_budget_is_compared_with_the_largest_of_the_other_campaigns() {
        let known = known(&[20, 50]);
        let told = |id, amount| known.leap(id, budget(amount, BudgetPeriod::Daily, "USD"));
        assert_eq!(told(None, 499), None);
        let most = "20,000,000 times the largest daily budget of your other campaigns in USD, 50.00";
        assert_eq!(told(None, 1_000_000_000).as_deref(), Some(most));
        let other = "10 times the largest daily budget of your other campaigns in USD, 20.00";
        assert_eq!(told(Some("alpha_1_1"), 200).as_deref(), Some(other), "its own budget is no other");
    }

    #[test]
    fn without_another_campaign_in_the_currency_nothing_is_compared() {
        let euros = budget(1_000_000_000, BudgetPeriod::Daily, "EUR");
        assert_eq!((known(&[20]).leap(None, euros), known(&[]).leap(None, euros)), (None, None));
        assert_eq!(known(&[20]).leap(Some("alpha_1_0"), budget(9_999, BudgetPeriod::Daily, "USD")), None);
        let run = budget(9_999, BudgetPeriod::Lifetime, "USD");
        assert_eq!(known(&[20]).leap(None, run), None, "a whole run is no day");
        assert_eq!(known(&[0]).leap(None, budget(9, BudgetPeriod::Daily, "USD")), None, "nothing is a multiple of 0");
    }

    #[test]
    fn a_month_is_compared_by_its_days() {
        let told = |amount| known(&[50]).leap(None, budget(amount, BudgetPeriod::Monthly, "USD"));
        assert!(told(15_199).is_none() && told(15_200).unwrap().starts_with("10 times"));
        let of_months = |amount: i64| a_day(amount.into(), Some(BudgetPeriod::Monthly)).unwrap();
        assert_eq!(times(of_months(60_000), of_months(3_000)).as_deref(), Some("20"));
    }

    #[test]
    fn a_budget_is_said_for_a_day_and_for_a_month() {
        let said = |amount, period| budget(amount, period, "USD").sums().unwrap();
        let large = "1,000,000,000.00 USD a day, 30,400,000,000.00 USD a month (30.4 days)";
        assert_eq!(said(1_000_000_000, BudgetPeriod::Daily), large);
        assert_eq!(said(3_000, BudgetPeriod::Monthly), "3,000.00 USD a month, 98.68 USD a day");
        assert_eq!(said(500, BudgetPeriod::Lifetime), "500.00 USD in all");
        let yen = budget(5_001, BudgetPeriod::Daily, "JPY").sums().unwrap();
        assert_eq!(yen, "5,001 JPY a day, 152,030 JPY a month (30.4 days)");
        let cents =
            SomeBudget { amount: Decimal::from_str_exact("0.125").ok(), ..budget(0, BudgetPeriod::Daily, "USD") };
        assert!(cents.sums().unwrap().starts_with("0.125 USD a day, 3.80 USD"), "{:?}", cents.sums());
    }
}
