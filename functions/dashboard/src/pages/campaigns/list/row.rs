//! A row of the list, its headings, and the line above it, for people.

use super::edit::BudgetForm;
use crate::client::changes::GoingOn;
use crate::client::readings::{CampaignRow, Overview};
use crate::kit::addresses;
use crate::kit::campaign::{Switch, campaign_count};
use crate::kit::changes::{Added, OnItsWay};
use crate::kit::money;
use crate::kit::month::{self, MonthShare};
use crate::kit::pace::Pace;
use crate::kit::text::{as_of, grouped_digits};
use crate::kit::total::Total;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::Currency;
use std::fmt::Write;

/// What stands for a number that is not known.
const UNKNOWN: &str = "–";
/// The height of the sparkline. A day is one wide; the stylesheet draws it wider.
const HEIGHT: u64 = 30;

/// A campaign in the list.
pub(super) struct ListRow {
    pub(super) id: String,
    pub(super) name: String,
    /// Its page.
    pub(super) path: String,
    pub(super) platform: &'static str,
    /// The name of the ad account and its currency.
    pub(super) account: String,
    pub(super) tone: &'static str,
    pub(super) status: String,
    /// Why it is not shown although it is active.
    pub(super) not_running: Option<String>,
    /// The amount of the budget, and what it is for.
    pub(super) budget: (String, &'static str),
    /// The same for the sum of what is ticked.
    pub(super) sum: Option<Added>,
    /// Whether its budget can be changed in the row.
    pub(super) has_budget: bool,
    /// When it was read, if that is not now: `as of 02:58 UTC`.
    pub(super) as_of: Option<String>,
    /// What was asked for and is not confirmed.
    pub(super) on_its_way: OnItsWay,
    /// Whether its change was refused.
    pub(super) is_wrong: bool,
    /// Whether it is ticked from the start.
    pub(super) is_ticked: bool,
    /// The form that changes it, in the row that the person has opened.
    pub(super) edit: Option<BudgetForm>,
    /// How much of a monthly budget is spent.
    pub(super) month: Option<MonthShare>,
    pub(super) today: String,
    pub(super) pace: Option<Pace>,
    pub(super) week: String,
    pub(super) clicks: String,
    pub(super) click_cost: String,
    /// The line of the days; empty without any spend.
    pub(super) spark: String,
    /// The same in words.
    pub(super) spark_text: String,
    pub(super) switch: Option<Switch>,
}

impl ListRow {
    /// The row of a campaign. `list` is the query string to which its page leads back. `goes_on` has the campaigns that
    /// their monthly budget activates again.
    pub(super) fn new(row: &CampaignRow, list: &str, goes_on: &GoingOn, now: Timestamp) -> ListRow {
        let CampaignRow { campaign, account, numbers, on_its_way, .. } = row;
        let (status, tone) = campaign.badge(goes_on.get(&campaign.id).copied(), now);
        let switch = campaign.switch();
        let (id, currency) = (campaign.id.to_string(), campaign.currency.code());
        let amount = |total: Total| total.text(|amount| money::amount_text(amount, currency));
        ListRow {
            path: addresses::campaign_of_list(&id, list),
            platform: campaign.id.platform().display_name(),
            account: format!("{account} · {currency}"),
            tone,
            status,
            not_running: row.not_running_line(now),
            budget: match campaign.budget_amount {
                Some(budget) => (money::amount_text(budget, currency), money::span_of(campaign.budget_period)),
                None => (UNKNOWN.to_owned(), ""),
            },
            sum: campaign.budget_amount.map(|budget| Added::budget(budget, campaign.currency, campaign.budget_period)),
            today: amount(numbers.spend.today),
            month: campaign.monthly.and_then(|month| month::share(month.spent, month.amount)),
            pace: row.pace(),
            week: amount(numbers.spend.week),
            clicks: numbers.clicks.text(|clicks| grouped_digits(&clicks.normalize().to_string())),
            click_cost: row.click_cost().map_or_else(|| UNKNOWN.to_owned(), |cost| grouped_digits(&cost.to_string())),
            spark: sparkline(&numbers.days),
            spark_text: spark_text(&numbers.days, campaign.currency),
            has_budget: switch.is_some() && campaign.budget_amount.is_some(),
            as_of: row.as_of.map(|at| as_of(at, now)),
            on_its_way: on_its_way.clone(),
            is_wrong: false,
            is_ticked: false,
            edit: None,
            switch,
            id,
            name: campaign.name.clone(),
        }
    }
}

/// The path of the days' spend, the largest at the top. A day that is not known interrupts it.
fn sparkline(days: &[Option<Decimal>]) -> String {
    let max = days.iter().flatten().max().copied().unwrap_or_default();
    let mut path = String::new();
    if max <= Decimal::ZERO {
        return path;
    }
    let mut is_gap = true;
    for (at, spend) in days.iter().enumerate() {
        let share = spend.and_then(|spend| spend.checked_mul(Decimal::from(HEIGHT))?.checked_div(max));
        let Some(height) = share.and_then(|share| u64::try_from(share.round()).ok()) else {
            is_gap = true;
            continue;
        };
        // Points that follow one another are a line. Writing to a string does not fail.
        let command = if is_gap { 'M' } else { ' ' };
        let _ = write!(path, "{command}{at} {}", HEIGHT.saturating_sub(height));
        is_gap = false;
    }
    path
}

/// `14 days: from 12.00 to 35.00 USD a day`; empty if no day is known.
fn spark_text(days: &[Option<Decimal>], currency: Currency) -> String {
    let known = days.iter().flatten().copied();
    let Some((least, most)) = known.clone().min().zip(known.max()) else { return String::new() };
    let (least, most) = (money::amount_text(least, currency.code()), money::in_currency(most, currency));
    format!("{} days: from {least} to {most} a day", days.len())
}

/// The number of campaigns, and the spend in each currency.
pub(super) fn total_words(overview: &Overview) -> Vec<String> {
    if overview.rows.is_empty() {
        return Vec::new();
    }
    let counts = overview.counts();
    let number = |number: usize| counts.words(number);
    let others = if counts.other > 0 { format!(", {} others", number(counts.other)) } else { String::new() };
    let counted = format!("{} active, {} paused{others}", number(counts.active), number(counts.paused));
    let missing = |missing: Option<String>| missing.map(|words| format!(", {words}")).unwrap_or_default();
    let counted = format!("{counted}{}", missing(overview.missing_campaigns()));
    let spent = overview.totals().into_iter().map(|(currency, spend)| {
        let code = currency.code();
        let text = |total: Total| total.text(|amount| money::amount_text(amount, code));
        let missing = missing(overview.missing(Some(currency)));
        format!("{code} {} today, {} in the last 7 days{missing}", text(spend.today), text(spend.week))
    });
    [counted].into_iter().chain(spent).collect()
}

/// The currencies beside the first one. Their sums are folded, because amounts of two currencies are never added.
pub(super) struct OtherCurrencies {
    /// `2 other currencies, 12 campaigns`
    pub(super) summary: String,
    /// The spend in each, with the list of its campaigns.
    pub(super) rows: Vec<(String, String)>,
}

impl OtherCurrencies {
    /// The others of these currencies, with their words; `None` for one currency alone.
    pub(super) fn of(
        overview: &Overview,
        currencies: &[Currency],
        words: Vec<String>,
        filter: &Filter,
    ) -> Option<OtherCurrencies> {
        let (first, others) = currencies.split_first().filter(|(_, others)| !others.is_empty())?;
        let count = overview.rows.iter().filter(|row| row.campaign.currency != *first).count();
        let currencies = match others.len() {
            1 => "1 other currency".to_owned(),
            number => format!("{number} other currencies"),
        };
        let path = |currency: &Currency| {
            Filter { currency: Some(currency.code().to_owned()), page: 1, ..filter.clone() }.path()
        };
        Some(OtherCurrencies {
            summary: format!("{currencies}, {}", campaign_count(count)),
            rows: words.into_iter().zip(others.iter().map(path)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(spend: &[Option<i64>]) -> Vec<Option<Decimal>> {
        spend.iter().map(|spend| spend.map(Decimal::from)).collect()
    }

    #[test]
    fn sparkline_scales_to_the_largest_day() {
        assert_eq!(sparkline(&days(&[Some(0), Some(5), Some(10)])), "M0 30 1 15 2 0");
        assert_eq!(sparkline(&days(&[Some(1), None, Some(1), Some(1)])), "M0 0M2 0 3 0", "a gap");
        assert_eq!(sparkline(&days(&[Some(0), Some(0)])), "", "nothing was spent");
        assert_eq!(sparkline(&[]), "");
    }

    #[test]
    fn a_sparkline_has_words() {
        let text = |spend: &[Option<i64>]| spark_text(&days(spend), Currency::from_code("USD").unwrap());
        assert_eq!(text(&[Some(35), None, Some(12)]), "3 days: from 12.00 to 35.00 USD a day");
        assert_eq!(text(&[None]), "");
    }
}
