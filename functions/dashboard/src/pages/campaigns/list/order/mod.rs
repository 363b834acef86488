//! The order of the list. What is unknown comes last either way, and equal rows are in the order of their names.

use crate::overview::Row;
use jiff::Timestamp;
use rust_decimal::Decimal;
use std::cmp::{Ordering, Reverse};
use std::fmt;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages::campaigns) struct Order {
    pub(super) column: Column,
    pub(super) is_descending: bool,
}

impl Column {
    /// The columns: the value in the address, and the heading.
    pub(super) const ALL: [(Column, &'static str, &'static str); 7] = [
        (Column::Name, "name", "Campaign"),
        (Column::Status, "status", "Status"),
        (Column::Budget, "budget", "Budget"),
        (Column::Today, "today", "Today"),
        (Column::Week, "week", "7 days"),
        (Column::Clicks, "clicks", "Clicks"),
        (Column::ClickCost, "cpc", "CPC"),
    ];

    /// Whether it has words, which are read from the left.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Column::Name | Column::Status)
    }
}

impl Default for Order {
    /// What costs most comes first.
    fn default() -> Order {
        Order { column: Column::Week, is_descending: true }
    }
}

impl fmt::Display for Order {
    /// The value in the address: `name`, or `-week` for the largest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Column::ALL.iter().find(|(column, _, _)| *column == self.column).map_or("", |(_, name, _)| name);
        write!(f, "{}{name}", if self.is_descending { "-" } else { "" })
    }
}

impl Order {
    /// Reads the value in an address.
    pub(in crate::pages::campaigns) fn parse(text: &str) -> Option<Order> {
        let is_descending = text.starts_with('-');
        let name = text.strip_prefix('-').unwrap_or(text);
        let (column, _, _) = Column::ALL.into_iter().find(|(_, known, _)| *known == name)?;
        Some(Order { column, is_descending })
    }

    /// The order after a click on a heading: the other direction, or first the names from A and the largest numbers.
    pub(super) fn clicked(self, column: Column) -> Order {
        let is_descending = if self.column == column { !self.is_descending } else { !column.is_text() };
        Order { column, is_descending }
    }

    /// Sorts rows.
    pub(super) fn sort(self, rows: &mut [Row], now: Timestamp) {
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

    fn sort_by<K: Ord>(self, rows: &mut [Row], key: impl Fn(&Row) -> Option<K>) {
        rows.sort_by_cached_key(|row| (folded(row), row.campaign.id.clone()));
        rows.sort_by(|a, b| match (key(a), key(b)) {
            (Some(a), Some(b)) if self.is_descending => Reverse(a).cmp(&Reverse(b)),
            (Some(a), Some(b)) => a.cmp(&b),
            (None, None) => Ordering::Equal,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        });
    }
}

fn folded(row: &Row) -> String {
    row.campaign.name.to_lowercase()
}

#[cfg(test)]
mod tests;
