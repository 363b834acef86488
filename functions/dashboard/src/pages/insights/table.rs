//! A page of the table.

use super::by_platform::Group;
use super::lines::Line;
use super::totals::changes;
use super::view::View;
use crate::kit::addresses;
use crate::kit::numbers::NumberCell;
use crate::kit::order::Heading;
use crate::kit::text::{as_of, grouped};
use jiff::Timestamp;

/// Rows on a page.
const ROWS: usize = 50;

/// A page of the table.
pub(super) struct Table {
    /// The title of the first column.
    pub(super) title: &'static str,
    pub(super) headings: Vec<Heading>,
    pub(super) rows: Vec<TableRow>,
    /// `1 to 50 of 120`; `None` if one page has all.
    pub(super) place: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

/// A row for people.
pub(super) struct TableRow {
    pub(super) name: String,
    /// The page of a campaign.
    pub(super) path: Option<String>,
    /// What the name alone does not say.
    pub(super) detail: String,
    /// When it was read, if its platform does not answer: `as of 02:58 UTC`.
    pub(super) as_of: Option<String>,
    pub(super) currency: &'static str,
    pub(super) spend: String,
    /// The difference of the spend.
    pub(super) change: String,
    /// Impressions, clicks, CTR, CPC.
    pub(super) cells: [NumberCell; 4],
    /// Conversions, their cost, their value, ROAS.
    pub(super) conversions: [NumberCell; 4],
    /// The platform may still add conversions.
    pub(super) is_open: bool,
    /// The number is a sum of several currencies, by the customer's rates.
    pub(super) is_together: bool,
    /// What opens the rows below it; `None` without any.
    pub(super) fold: Option<String>,
    /// The rows that are folded below it.
    pub(super) parts: Vec<TableRow>,
}

impl Table {
    /// Whether rows are folded below others, so that each row begins a group.
    pub(super) fn has_groups(&self) -> bool {
        self.rows.iter().any(|row| row.fold.is_some())
    }
}

/// The table of groups. There are few, so it has one page.
pub(super) fn table_of(groups: &[Group], view: &View, now: Timestamp) -> Table {
    let shown = |group: &Group| {
        let head = row(&group.head, now);
        let parts = group.parts.iter().map(|line| row(line, now)).collect();
        TableRow { is_together: group.is_together, fold: group.fold(), parts, ..head }
    };
    Table { rows: groups.iter().map(shown).collect(), ..table(&[], view, now) }
}

/// The page of the table that the view chooses; a page after the last one is the last.
pub(super) fn table(lines: &[Line], view: &View, now: Timestamp) -> Table {
    let pages = lines.len().div_ceil(ROWS).max(1);
    let page = view.page.min(pages);
    let first = (page - 1) * ROWS;
    let shown = &lines[first..lines.len().min(first + ROWS)];
    let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
    let place = || format!("{} to {} of {}", number(first + 1), number(first + shown.len()), number(lines.len()));
    Table {
        title: view.by.title(),
        headings: headings(view),
        rows: shown.iter().map(|line| row(line, now)).collect(),
        place: (pages > 1).then(place),
        previous: (page > 1).then(|| view.page_path(page - 1)),
        next: (page < pages).then(|| view.page_path(page + 1)),
    }
}

fn headings(view: &View) -> Vec<Heading> {
    let mut headings = view.order.headings(|order| view.in_order(order).path());
    if let Some(first) = headings.first_mut() {
        first.text = view.by.title();
    }
    headings
}

fn row(line: &Line, at: Timestamp) -> TableRow {
    let Line { platform, account, campaign, accounts, missing, currency, now, before, .. } = line;
    let [change, ..] = changes(now, before.as_ref());
    let [spend, impressions, clicks, rate, cost, conversions, conversion_cost, value, roas] =
        now.cells(currency.code());
    let detail = match (account, campaign) {
        (Some((account, _)), Some(_)) => format!("{platform}: {account}"),
        (Some((name, number)), None) if name != number => format!("{platform}: {number}"),
        (Some(_), None) => (*platform).to_owned(),
        (None, _) if *missing > 0 => format!("{accounts} of {} ad accounts", accounts + missing),
        (None, _) if *accounts == 1 => "1 ad account".to_owned(),
        (None, _) => format!("{accounts} ad accounts"),
    };
    TableRow {
        name: line.name().to_owned(),
        path: campaign.as_ref().map(|(_, id)| addresses::campaign(id)),
        detail,
        as_of: line.as_of.map(|read| as_of(read, at)),
        currency: currency.code(),
        spend: spend.text,
        change,
        cells: [impressions, clicks, rate, cost],
        conversions: [conversions, conversion_cost, value, roas],
        is_open: now.is_open,
        is_together: false,
        fold: None,
        parts: Vec::new(),
    }
}
