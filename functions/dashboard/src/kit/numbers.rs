//! What campaigns did: spend, impressions, clicks and conversions, and the ratios of them.

use crate::kit::bound::Ratio;
use crate::kit::money;
use crate::kit::ratio::{RATE_DECIMALS, cost_decimals};
use crate::kit::text::grouped_digits;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::InsightsRow;

/// The titles of the numbers, in the order of every table.
pub(crate) const TITLES: [&str; 9] =
    ["Spend", "Impressions", "Clicks", "CTR", "CPC", "Conversions", "Cost per conversion", "Conversion value", "ROAS"];
/// The titles from which on the numbers come from conversions, which a platform may still add.
pub(crate) const CONVERSIONS: usize = 5;

/// Why CTR, CPC, cost per conversion and ROAS have not even a bound.
const WHY: [&str; 4] = [
    "not known: parts of clicks and impressions are missing",
    "not known: parts of spend and clicks are missing",
    "not known: parts of spend and conversions are missing",
    "not known: parts of conversion value and spend are missing",
];

/// A number for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberCell {
    /// `1,234.50`, `at least 4`, `at most 3.20`, or a dash.
    pub(crate) text: String,
    /// Why it is a dash, where the numbers beside it do not say it; else empty.
    pub(crate) why: &'static str,
}

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

    /// The same numbers as lower bounds, because a part is missing.
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
    pub(crate) fn click_rate(&self) -> Ratio {
        Ratio::new(self.clicks.times(Decimal::ONE_HUNDRED), self.impressions)
    }

    /// Amount spent for a click (CPC).
    pub(crate) fn click_cost(&self) -> Ratio {
        Ratio::new(self.spend, self.clicks)
    }

    /// Amount spent for a conversion.
    pub(crate) fn conversion_cost(&self) -> Ratio {
        Ratio::new(self.spend, self.conversions)
    }

    /// Conversion value for each unit of money spent (ROAS).
    pub(crate) fn return_on_spend(&self) -> Ratio {
        Ratio::new(self.conversion_value, self.spend)
    }

    /// The sums that are lower bounds, by their titles.
    pub(crate) fn lower_bounds(&self) -> Vec<&'static str> {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = self;
        let sums = [
            (TITLES[0], spend),
            (TITLES[1], impressions),
            (TITLES[2], clicks),
            (TITLES[5], conversions),
            (TITLES[7], conversion_value),
        ];
        sums.into_iter().filter(|(_, sum)| sum.is_lower_bound()).map(|(title, _)| title).collect()
    }

    /// The numbers for people, in the order of [`TITLES`].
    pub(crate) fn cells(&self, currency: &str) -> [NumberCell; 9] {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = self;
        let money = |sum: &Total| plain(sum.text(|amount| money::amount_text(amount, currency)));
        let count = |sum: &Total| plain(sum.text(|count| grouped_digits(&count.normalize().to_string())));
        let cost = |ratio, why| ratio_cell(ratio, cost_decimals(currency), "", why);
        let [click_rate, click_cost, conversion_cost, return_on_spend] = WHY;
        [
            money(spend),
            count(impressions),
            count(clicks),
            ratio_cell(self.click_rate(), RATE_DECIMALS, "%", click_rate),
            cost(self.click_cost(), click_cost),
            count(conversions),
            cost(self.conversion_cost(), conversion_cost),
            money(conversion_value),
            ratio_cell(self.return_on_spend(), RATE_DECIMALS, "", return_on_spend),
        ]
    }
}

fn plain(text: String) -> NumberCell {
    NumberCell { text, why: "" }
}

/// A ratio: `at most 3.20`; a dash for one that is not known, with the reason if both of its sums are lower bounds.
fn ratio_cell(ratio: Ratio, decimals: u32, unit: &str, why: &'static str) -> NumberCell {
    match ratio.rounded(decimals) {
        Some((bound, number)) => plain(format!("{}{}{unit}", bound.words(), grouped_digits(&number.to_string()))),
        None => NumberCell { text: "–".to_owned(), why: if ratio.lacks_both() { why } else { "" } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn texts(numbers: &Numbers) -> [String; 9] {
        numbers.cells("USD").map(|cell| cell.text)
    }

    #[test]
    fn a_row_that_lacks_a_number_leaves_bounds_of_the_ratios() {
        let whole = numbers(&[(Some(500), Some(100), Some(4))]);
        let exact = (whole.click_rate().exact(), whole.click_cost().exact());
        assert_eq!(exact, (Some(Decimal::from(4)), Some(Decimal::new(125, 2))));
        let partial = numbers(&[(Some(500), Some(100), Some(4)), (None, Some(100), None)]);
        assert_eq!((partial.click_rate().exact(), partial.click_cost().exact()), (None, None));
        let shown = ["at least 5.00", "200", "at least 4", "at least 2.00%", "–", "–", "–", "–", "–"];
        assert_eq!(texts(&partial), shown);
        assert_eq!(partial.lower_bounds(), ["Spend", "Clicks"]);
        let [_, _, _, rate, cost, _, conversion_cost, ..] = whole.lower_bound().cells("USD");
        assert_eq!((rate.text.as_str(), rate.why), ("–", "not known: parts of clicks and impressions are missing"));
        assert_eq!((cost.text.as_str(), cost.why), ("–", "not known: parts of spend and clicks are missing"));
        assert_eq!((conversion_cost.text.as_str(), conversion_cost.why), ("–", ""), "it is not reported");
    }

    #[test]
    fn conversions_have_their_cost_and_their_return() {
        let of = |amount: i64| Total::of(Some(Decimal::from(amount)));
        let sold =
            Numbers { conversions: of(3), conversion_value: of(25), ..numbers(&[(Some(1_000), Some(9), Some(4))]) };
        let of_conversions = |numbers: &Numbers| {
            let [_, _, _, _, _, conversions, cost, value, roas] = texts(numbers);
            [conversions, cost, value, roas]
        };
        assert_eq!(of_conversions(&sold), ["3", "3.33", "25.00", "2.50"]);
        let more = Numbers { conversions: of(3).lower_bound(), conversion_value: of(25).lower_bound(), ..sold.clone() };
        assert_eq!(of_conversions(&more), ["at least 3", "at most 3.34", "at least 25.00", "at least 2.50"]);
        assert_eq!(more.lower_bounds(), ["Conversions", "Conversion value"]);
        let without_value = Numbers { conversion_value: Total::UNKNOWN, ..sold.clone() };
        assert_eq!(of_conversions(&without_value), ["3", "3.33", "–", "–"]);
        let none = Numbers { conversions: of(0), spend: of(0), ..sold.clone() };
        assert_eq!(of_conversions(&none), ["0", "–", "25.00", "–"], "no division by zero");
        assert_eq!(of_conversions(&sold.lower_bound()), ["at least 3", "–", "at least 25.00", "–"]);
    }

    #[test]
    fn ratios_are_made_of_sums_and_rounded_once() {
        let two = numbers(&[(Some(100), Some(100), Some(1)), (Some(100), Some(900), Some(2))]);
        let [_, _, _, rate, cost, ..] = texts(&two);
        assert_eq!((rate.as_str(), cost.as_str()), ("0.30%", "0.67"));
        let none = numbers(&[(Some(100), Some(0), Some(0))]);
        assert_eq!((none.click_rate().exact(), none.click_cost().exact()), (None, None), "no division by zero");
    }
}
