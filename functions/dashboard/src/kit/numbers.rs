//! What campaigns did: spend, impressions, clicks and conversions, and the ratios of them.

use crate::kit::money;
use crate::kit::ratio::{shown_cost, shown_rate};
use crate::kit::text::grouped_digits;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::InsightsRow;

/// The titles of the numbers, in the order of every table.
pub(crate) const TITLES: [&str; 9] =
    ["Spend", "Impressions", "Clicks", "CTR", "CPC", "Conversions", "Cost per conversion", "Conversion value", "ROAS"];
/// The titles from which on the numbers come from conversions, which a platform may still add.
pub(crate) const CONVERSIONS: usize = 5;

/// The numbers of a campaign on a day, or of several campaigns or days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) spend: Total,
    pub(crate) impressions: Total,
    pub(crate) clicks: Total,
    pub(crate) conversions: Total,
    pub(crate) conversion_value: Total,
    /// The platform may still add conversions.
    pub(crate) is_open: bool,
}

impl Numbers {
    /// The numbers of a campaign that did nothing. Conversions may still come from an earlier day, so they are not 0.
    pub(crate) const IDLE: Numbers = Numbers {
        spend: Total::ZERO,
        impressions: Total::ZERO,
        clicks: Total::ZERO,
        conversions: Total::EMPTY,
        conversion_value: Total::EMPTY,
        is_open: false,
    };
    /// The numbers of which nothing is known.
    pub(crate) const UNKNOWN: Numbers = Numbers {
        spend: Total::UNKNOWN,
        impressions: Total::UNKNOWN,
        clicks: Total::UNKNOWN,
        conversions: Total::UNKNOWN,
        conversion_value: Total::UNKNOWN,
        is_open: false,
    };

    /// The numbers of a row of the API.
    pub(crate) fn of(row: &InsightsRow, is_final: bool) -> Numbers {
        let InsightsRow {
            campaign: _,
            date: _,
            spend,
            impressions,
            clicks,
            conversions,
            conversion_value,
            unreadable: _,
        } = row;
        Numbers {
            spend: Total::of(*spend),
            impressions: Total::of(impressions.map(Decimal::from)),
            clicks: Total::of(clicks.map(Decimal::from)),
            conversions: Total::of(*conversions),
            conversion_value: Total::of(*conversion_value),
            is_open: !is_final,
        }
    }

    /// Adds numbers of other campaigns or days.
    pub(crate) fn add(&mut self, other: &Numbers) {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open } = other;
        self.spend.add(*spend);
        self.impressions.add(*impressions);
        self.clicks.add(*clicks);
        self.conversions.add(*conversions);
        self.conversion_value.add(*conversion_value);
        self.is_open |= is_open;
    }

    /// The same numbers as lower bounds, because a part is missing. They have no ratios.
    #[must_use]
    pub(crate) fn lower_bound(&self) -> Numbers {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open } = self;
        Numbers {
            spend: spend.lower_bound(),
            impressions: impressions.lower_bound(),
            clicks: clicks.lower_bound(),
            conversions: conversions.lower_bound(),
            conversion_value: conversion_value.lower_bound(),
            is_open: *is_open,
        }
    }

    /// Clicks for a hundred impressions (CTR).
    pub(crate) fn click_rate(&self) -> Option<Decimal> {
        self.clicks.exact()?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(self.impressions.exact()?)
    }

    /// Amount spent for a click (CPC).
    pub(crate) fn click_cost(&self) -> Option<Decimal> {
        self.spend.exact()?.checked_div(self.clicks.exact()?)
    }

    /// Amount spent for a conversion.
    pub(crate) fn conversion_cost(&self) -> Option<Decimal> {
        self.spend.exact()?.checked_div(self.conversions.exact()?)
    }

    /// Conversion value for each unit of money spent (ROAS).
    pub(crate) fn return_on_spend(&self) -> Option<Decimal> {
        self.conversion_value.exact()?.checked_div(self.spend.exact()?)
    }

    /// The numbers for people, in the order of [`TITLES`].
    pub(crate) fn cells(&self, currency: &str) -> [String; 9] {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = self;
        let money = |amount| money::amount_text(amount, currency);
        let count = |count: Decimal| grouped_digits(&count.normalize().to_string());
        let otherwise = || "–".to_owned();
        let cost = |cost| grouped_digits(&shown_cost(cost, currency).to_string());
        [
            spend.text(money),
            impressions.text(count),
            clicks.text(count),
            self.click_rate().map_or_else(otherwise, |rate| format!("{}%", shown_rate(rate))),
            self.click_cost().map_or_else(otherwise, cost),
            conversions.text(count),
            self.conversion_cost().map_or_else(otherwise, cost),
            conversion_value.text(money),
            self.return_on_spend().map_or_else(otherwise, |ratio| grouped_digits(&shown_rate(ratio).to_string())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::ratio;

    /// Spend in hundredths, impressions and clicks of rows.
    fn numbers(rows: &[(Option<i64>, Option<i64>, Option<i64>)]) -> Numbers {
        let mut numbers = Numbers::default();
        for (spend, impressions, clicks) in rows {
            let of = |count: &Option<i64>| Total::of(count.map(Decimal::from));
            let spend = Total::of(spend.map(|spend| Decimal::new(spend, 2)));
            let row = Numbers { spend, impressions: of(impressions), clicks: of(clicks), ..Numbers::UNKNOWN };
            numbers.add(&row);
        }
        numbers
    }

    #[test]
    fn a_row_that_lacks_a_number_takes_the_ratios_away() {
        let whole = numbers(&[(Some(500), Some(100), Some(4))]);
        assert_eq!((whole.click_rate(), whole.click_cost()), (Some(Decimal::from(4)), Some(Decimal::new(125, 2))));
        let partial = numbers(&[(Some(500), Some(100), Some(4)), (None, Some(100), None)]);
        assert_eq!((partial.click_rate(), partial.click_cost()), (None, None));
        assert_eq!(partial.cells("USD"), ["at least 5.00", "200", "at least 4", "–", "–", "–", "–", "–", "–"]);
        assert_eq!(
            whole.lower_bound().cells("USD"),
            ["at least 5.00", "at least 100", "at least 4", "–", "–", "–", "–", "–", "–"]
        );
    }

    #[test]
    fn conversions_have_their_cost_and_their_return() {
        let of = |amount: i64| Total::of(Some(Decimal::from(amount)));
        let sold =
            Numbers { conversions: of(3), conversion_value: of(25), ..numbers(&[(Some(1_000), Some(9), Some(4))]) };
        let [.., conversions, cost, value, roas] = sold.cells("USD");
        assert_eq!([conversions, cost, value, roas], ["3", "3.33", "25.00", "2.50"]);
        let without_value = Numbers { conversion_value: Total::UNKNOWN, ..sold.clone() };
        assert_eq!((without_value.return_on_spend(), without_value.conversion_cost().is_some()), (None, true));
        let none = Numbers { conversions: of(0), spend: of(0), ..sold.clone() };
        assert_eq!((none.conversion_cost(), none.return_on_spend()), (None, None), "no division by zero");
        let partial = sold.lower_bound();
        assert_eq!((partial.conversion_cost(), partial.return_on_spend()), (None, None));
    }

    #[test]
    fn ratios_are_made_of_sums_and_rounded_once() {
        let two = numbers(&[(Some(100), Some(100), Some(1)), (Some(100), Some(900), Some(2))]);
        assert_eq!(two.click_rate().map(ratio::shown_rate).map(|rate| rate.to_string()).as_deref(), Some("0.30"));
        assert_eq!(two.click_cost().map(|cost| shown_cost(cost, "USD").to_string()).as_deref(), Some("0.67"));
        let none = numbers(&[(Some(100), Some(0), Some(0))]);
        assert_eq!((none.click_rate(), none.click_cost()), (None, None), "no division by zero");
    }
}
