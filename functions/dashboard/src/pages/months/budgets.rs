//! The table of all campaigns with a monthly budget, in words: which ends over, and which behind.

use super::rows::{Budget, MonthRow};
use super::view::View;
use crate::kit::addresses;
use crate::kit::link::Link;
use crate::kit::money;
use crate::kit::month::{self, MonthShare};
use crate::kit::month_end::{Running, Verdict};
use crate::kit::text::grouped;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::Currency;
use std::ops::Range;

/// Rows at a time.
const PAGE: usize = 25;
const DASH: &str = "–";

/// The table for people.
pub(super) struct BudgetTable {
    /// `5 campaigns: 1 over, 2 behind, 2 on track. Spent of their budgets: 4,100.00 of 9,000.00 USD.`
    pub(super) counts: String,
    pub(super) rows: Vec<BudgetRow>,
    /// The addresses of the rows before these and after.
    pub(super) others: Vec<Link>,
}

/// A campaign for people.
pub(super) struct BudgetRow {
    pub(super) name: String,
    /// The id of the row, to which a form of its budget comes back.
    pub(super) anchor: String,
    pub(super) path: String,
    /// Where its page says why it does not run, of an active one.
    pub(super) why: Option<String>,
    /// Where its budget is changed.
    pub(super) edit: String,
    /// The amount that the month needs, and where it stands in the form.
    pub(super) needed: Option<(String, String)>,
    /// What stops it or slows it, where it spends more than its budget.
    pub(super) stops: Option<Stops>,
    pub(super) platform: &'static str,
    pub(super) detail: String,
    pub(super) badge: Option<String>,
    /// The verdict, the class of its text, and what a person can do.
    pub(super) verdict: String,
    pub(super) tone: &'static str,
    pub(super) advice: String,
    /// `750.00 of 3,000.00 USD`
    pub(super) spent: String,
    pub(super) share: Option<MonthShare>,
    pub(super) expected: String,
    pub(super) forecast: String,
}

/// The ways to stop or to slow a campaign that is over its budget and runs.
pub(super) struct Stops {
    pub(super) id: String,
    /// The next month, and the value of the button that pauses until then: `1 Dec`.
    pub(super) until: Option<(String, String)>,
    /// Its page with a daily budget in the form.
    pub(super) lower: String,
}

/// The table; `None` without a campaign that has a monthly budget.
pub(super) fn table(campaigns: &[MonthRow], view: &View) -> Option<BudgetTable> {
    if campaigns.is_empty() {
        return None;
    }
    let last = campaigns.len().div_ceil(PAGE);
    let page = view.page.min(last);
    let of = |page: usize| -> Range<usize> { (page - 1) * PAGE..campaigns.len().min(page * PAGE) };
    let link = |page: usize, text: String| Link {
        text,
        path: format!("{}#budgets", view.at_page(page).path()),
        is_current: false,
    };
    let before = (page > 1).then(|| link(page - 1, format!("The {} before, which are worse", of(page - 1).len())));
    let after = (page < last).then(|| {
        let left = number(campaigns.len() - of(page).end);
        link(page + 1, format!("The next {} of {left} more", of(page + 1).len()))
    });
    Some(BudgetTable {
        counts: format!("{} {}", counts(campaigns), sums(campaigns)),
        rows: campaigns[of(page)].iter().filter_map(|row| Some(budget_row(row, row.budget.as_ref()?, view))).collect(),
        others: before.into_iter().chain(after).collect(),
    })
}

fn counts(campaigns: &[MonthRow]) -> String {
    let count = |verdict: Verdict| campaigns.iter().filter(|row| row.verdict() == Some(verdict)).count();
    let told = Verdict::ALL.into_iter().map(|verdict| (count(verdict), verdict.word().to_lowercase()));
    let parts: Vec<String> =
        told.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{} {word}", number(count))).collect();
    let word = if campaigns.len() == 1 { "campaign" } else { "campaigns" };
    format!("{} {word}: {}.", number(campaigns.len()), parts.join(", "))
}

/// What all rows come to: `Spent of their budgets: 4,100.00 of 9,000.00 USD, 20,000 of 90,000 JPY.`
fn sums(campaigns: &[MonthRow]) -> String {
    let mut sums: Vec<(Currency, Total, Total)> = Vec::new();
    for row in campaigns {
        let amount = Total::of(row.budget.as_ref().map(|budget| budget.end.amount));
        match sums.iter_mut().find(|(currency, ..)| *currency == row.currency) {
            Some((_, spent, of)) => {
                spent.add(row.spent);
                of.add(amount);
            }
            None => sums.push((row.currency, row.spent, amount)),
        }
    }
    let text = |(currency, spent, of): &(Currency, Total, Total)| {
        let spent = spent.text(|amount| bare(amount, *currency));
        format!("{spent} of {}", of.text(|amount| money::in_currency(amount, *currency)))
    };
    let of = if campaigns.len() == 1 { "its budget" } else { "their budgets" };
    format!("Spent of {of}: {}.", sums.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn budget_row(row: &MonthRow, budget: &Budget, view: &View) -> BudgetRow {
    let MonthRow { platform, account: (account, _), currency, other_month: _, spent, forecast, budget: _ } = row;
    let Budget { name, id, badge, words, expected, end, running, next_month: _, daily: _ } = budget;
    let full = |amount: Decimal| money::in_currency(amount, *currency);
    let verdict = end.verdict();
    let edit = addresses::edit_budget(id, name, view.user.as_ref(), (addresses::TO_MONTHS, end.proposed_amount()));
    let filled = |amount| (bare(amount, *currency), addresses::with_amount_filled(&edit));
    BudgetRow {
        anchor: addresses::campaign_row(id),
        path: addresses::campaign(id),
        why: words.is_blocked.then(|| addresses::delivery_of(id)),
        needed: end.advised_amount().map(filled),
        stops: (verdict == Verdict::Over && *running == Running::Yes).then(|| Stops::of(budget)),
        edit,
        name: name.clone(),
        platform,
        detail: account.clone(),
        // The verdict says it already.
        badge: badge.clone().filter(|_| !matches!(verdict, Verdict::GoesOn | Verdict::Stands)),
        verdict: words.verdict.clone(),
        tone: words.tone,
        advice: words.advice.clone(),
        spent: format!("{} of {}", spent.text(|amount| bare(amount, *currency)), full(end.amount)),
        share: spent.known().and_then(|spent| month::share(spent, end.amount)),
        expected: expected.map_or_else(|| DASH.to_owned(), full),
        forecast: forecast.map_or_else(|| DASH.to_owned(), |forecast| forecast.text(full)),
    }
}

impl Stops {
    fn of(Budget { id, next_month, daily, .. }: &Budget) -> Stops {
        Stops {
            until: next_month.map(|(first, at)| (first.strftime("%-d %b").to_string(), format!("{id} {at}"))),
            lower: addresses::campaign_with_daily_budget(id, *daily),
            id: id.clone(),
        }
    }
}

fn bare(amount: Decimal, currency: Currency) -> String {
    money::amount_text(amount, currency.code())
}

fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}
