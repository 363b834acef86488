//! The order of the list. What is unknown comes last either way, and equal rows are in the order of their names.

use crate::client::overview::Row;
use crate::kit::order;
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A column by which the list can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages::campaigns) enum Column {
    Name,
    Status,
    Budget,
    Today,
    Week,
    Clicks,
    ClickCost,
}

/// A column and a direction.
pub(in crate::pages::campaigns) type Order = order::Order<Column>;

impl order::Column for Column {
    const ALL: &'static [(Column, &'static str, &'static str)] = &[
        (Column::Name, "name", "Campaign"),
        (Column::Status, "status", "Status"),
        (Column::Budget, "budget", "Budget"),
        (Column::Today, "today", "Today"),
        (Column::Week, "week", "7 days"),
        (Column::Clicks, "clicks", "Clicks"),
        (Column::ClickCost, "cpc", "CPC"),
    ];

    fn is_text(self) -> bool {
        matches!(self, Column::Name | Column::Status)
    }
}

impl Default for Order {
    /// What costs most comes first.
    fn default() -> Order {
        Order { column: Column::Week, is_descending: true }
    }
}

impl Order {
    /// Sorts rows.
    pub(super) fn sort(self, rows: &mut [Row], now: Timestamp) {
        rows.sort_by_cached_key(|row| (folded(row), row.campaign.id.clone()));
        match self.column {
            Column::Name => self.sort_by(rows, |row| Some(folded(row))),
            Column::Status => self.sort_by(rows, |row| Some(row.campaign.status_word(now))),
            Column::Clicks => self.sort_by(rows, |row| row.numbers.clicks),
            Column::Budget => self.sort_by_amount(rows, Row::budget),
            Column::Today => self.sort_by_amount(rows, |row| row.numbers.today),
            Column::Week => self.sort_by_amount(rows, |row| row.numbers.week),
            Column::ClickCost => self.sort_by_amount(rows, Row::click_cost),
        }
    }

    /// Sorts by an amount. Amounts of different currencies cannot be compared, so each currency is a group.
    fn sort_by_amount(self, rows: &mut [Row], amount: impl Fn(&Row) -> Option<Decimal>) {
        self.sort_by(rows, amount);
        rows.sort_by(|a, b| a.campaign.currency.cmp(&b.campaign.currency));
    }
}

fn folded(row: &Row) -> String {
    row.campaign.name.to_lowercase()
}

#[cfg(test)]
mod tests;
