//! A row of the list, for people.

use super::edit::BudgetForm;
use super::figures::{Columns, Figure};
use crate::client::changes::GoingOn;
use crate::client::readings::CampaignRow;
use crate::kit::addresses;
use crate::kit::campaign::Switch;
use crate::kit::changes::{Added, OnItsWay};
use crate::kit::money;
use crate::kit::month::{self, MonthShare};
use crate::kit::text::as_of;
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
    /// When it goes on if its month is spent.
    pub(super) restarts: Option<String>,
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
    /// Its numbers, in the columns that are shown.
    pub(super) figures: Vec<Figure>,
    /// The line of the days; empty without any spend.
    pub(super) spark: String,
    /// The same in words.
    pub(super) spark_text: String,
    pub(super) switch: Option<Switch>,
}

impl ListRow {
    /// The row of a campaign. `list` is the query string to which its page leads back. `goes_on` has the campaigns that
    /// their monthly budget activates again.
    pub(super) fn new(row: &CampaignRow, list: &str, columns: &Columns, goes_on: &GoingOn, now: Timestamp) -> ListRow {
        let CampaignRow { campaign, account, numbers, on_its_way, .. } = row;
        let resumption = goes_on.get(&campaign.id).copied();
        let (status, tone) = campaign.badge(resumption, now);
        let switch = campaign.switch();
        let (id, currency) = (campaign.id.to_string(), campaign.currency.code());
        ListRow {
            path: addresses::campaign_of_list(&id, list),
            platform: campaign.id.platform().display_name(),
            account: format!("{account} · {currency}"),
            tone,
            status,
            restarts: campaign.restart_line(resumption, now),
            not_running: row.not_running_line(now),
            budget: match campaign.budget_amount {
                Some(budget) => (money::amount_text(budget, currency), money::span_of(campaign.budget_period)),
                None => (UNKNOWN.to_owned(), ""),
            },
            sum: campaign.budget_amount.map(|budget| Added::budget(budget, campaign.currency, campaign.budget_period)),
            month: campaign.monthly.and_then(|month| month::share(month.spent, month.amount)),
            figures: columns.figures(numbers, row.pace(), campaign.currency),
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

/// `14 days: 12.00 to 35.00 USD a day`; empty if no day is known.
fn spark_text(days: &[Option<Decimal>], currency: Currency) -> String {
    let known = days.iter().flatten().copied();
    let Some((least, most)) = known.clone().min().zip(known.max()) else { return String::new() };
    let (least, most) = (money::amount_text(least, currency.code()), money::in_currency(most, currency));
    format!("{} days: {least} to {most} a day", days.len())
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
        assert_eq!(text(&[Some(35), None, Some(12)]), "3 days: 12.00 to 35.00 USD a day");
        assert_eq!(text(&[None]), "");
    }
}
