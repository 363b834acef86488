//! The order of a table, as it stands in the address of its page.

use std::cmp::Reverse;
use std::fmt;

/// A column by which a table can be sorted.
pub(crate) trait Column: Copy + PartialEq + 'static {
    /// The columns: the value in the address, and the heading.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// Whether it has words, which are read from the left.
    fn is_text(self) -> bool;
}

/// A column and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order<C> {
    pub(crate) column: C,
    pub(crate) is_descending: bool,
}

/// A heading that sorts.
pub(crate) struct Heading {
    pub(crate) text: &'static str,
    /// The table in the order after a click.
    pub(crate) path: String,
    /// `aria-sort`, if the table is sorted by it.
    pub(crate) sorted: Option<&'static str>,
    /// What comes first in this direction, for people.
    pub(crate) first: &'static str,
}

impl<C: Column> fmt::Display for Order<C> {
    /// The value in the address: `name`, or `-week` for the largest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = C::ALL.iter().find(|(column, _, _)| *column == self.column).map_or("", |(_, name, _)| name);
        write!(f, "{}{name}", if self.is_descending { "-" } else { "" })
    }
}

impl<C: Column> Order<C> {
    /// Reads the value in an address.
    pub(crate) fn parse(text: &str) -> Option<Order<C>> {
        let is_descending = text.starts_with('-');
        let name = text.strip_prefix('-').unwrap_or(text);
        let (column, _, _) = C::ALL.iter().find(|(_, known, _)| *known == name)?;
        Some(Order { column: *column, is_descending })
    }

    /// The order after a click on a heading: the other direction, or first the names from A and the largest numbers.
    pub(crate) fn clicked(self, column: C) -> Order<C> {
        let is_descending = if self.column == column { !self.is_descending } else { !column.is_text() };
        Order { column, is_descending }
    }

    /// What comes first, for people.
    pub(crate) fn first(self) -> &'static str {
        match (self.column.is_text(), self.is_descending) {
            (true, false) => "A to Z",
            (true, true) => "Z to A",
            (false, false) => "lowest first",
            (false, true) => "highest first",
        }
    }

    /// The headings of a table in this order. `path` is the address of the table in another one.
    pub(crate) fn headings(self, path: impl Fn(Order<C>) -> String) -> Vec<Heading> {
        let direction = if self.is_descending { "descending" } else { "ascending" };
        let heading = |(column, _, text): &(C, &'static str, &'static str)| Heading {
            text,
            path: path(self.clicked(*column)),
            sorted: (self.column == *column).then_some(direction),
            first: Order { column: *column, ..self }.first(),
        };
        C::ALL.iter().map(heading).collect()
    }

    /// Sorts rows. What is unknown comes last either way, and equal rows stay as they are.
    pub(crate) fn sort_by<T, K: Ord>(self, rows: &mut [T], key: impl Fn(&T) -> Option<K>) {
        let known = |row: &T| {
            let key = key(row);
            (key.is_none(), key)
        };
        if self.is_descending {
            rows.sort_by_cached_key(|row| {
                let (is_unknown, key) = known(row);
                (is_unknown, Reverse(key))
            });
        } else {
            rows.sort_by_cached_key(known);
        }
    }
}
