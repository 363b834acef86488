//! The charts of spend and clicks by day.

use super::scale::round_top;
use super::{Bars, Column, Frame, Scale};
use crate::kit::money;
use crate::kit::numbers::Numbers;
use crate::kit::range::{Range, label};
use crate::kit::text::grouped_digits;
use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// The upper end of the scale before the chart draws it: decimals become whole numbers without a float.
const FULL: u64 = 1_000_000;
const RUNNING_KEY: &[(&str, &str)] = &[("good", "full day"), ("open", "day in progress")];
const NO_KEY: &[(&str, &str)] = &[];

/// The number that a chart shows.
#[derive(Clone, Copy)]
enum Measure {
    Spend,
    Clicks,
}

impl Measure {
    fn of(self, numbers: &Numbers) -> Option<Decimal> {
        match self {
            Measure::Spend => numbers.spend.known(),
            Measure::Clicks => numbers.clicks.known(),
        }
    }

    /// The smallest scale: half of it can still be counted, or paid.
    fn least_top(self, currency: &str) -> Decimal {
        match self {
            Measure::Spend => Decimal::new(2, money::decimals(currency)),
            Measure::Clicks => Decimal::TWO,
        }
    }

    fn text(self, value: Decimal, currency: &str) -> String {
        match self {
            Measure::Spend => format!("{} {currency}", money::amount_text(value, currency)),
            Measure::Clicks => grouped_digits(&value.normalize().to_string()),
        }
    }
}

/// The days of a chart, in order, and whose they are.
#[derive(Clone, Copy)]
pub(crate) struct ChartDays<'a> {
    /// Prefix of ids on the page.
    pub(crate) id: &'a str,
    /// What the chart is of, for its description.
    pub(crate) subject: &'a str,
    pub(crate) currency: &'a str,
    pub(crate) range: Range,
    pub(crate) days: &'a [(Date, Option<Numbers>)],
}

/// The chart of spend by day.
pub(crate) fn spend_chart(chart: ChartDays<'_>) -> Bars {
    bars(chart, Measure::Spend)
}

/// The chart of clicks by day.
pub(crate) fn clicks_chart(chart: ChartDays<'_>) -> Bars {
    bars(chart, Measure::Clicks)
}

fn bars(chart: ChartDays<'_>, measure: Measure) -> Bars {
    let ChartDays { id, subject, currency, range, days } = chart;
    let value = |numbers: &Option<Numbers>| numbers.as_ref().and_then(|numbers| measure.of(numbers));
    let max = days.iter().filter_map(|(_, numbers)| value(numbers)).max().unwrap_or_default().max(Decimal::ZERO);
    let top = round_top(max, measure.least_top(currency));
    let labels: Vec<String> = days.iter().map(|(day, _)| label(*day)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let column = |(day, numbers): &(Date, Option<Numbers>)| {
        let value = value(numbers).map_or(0, |value| height(value, top));
        // The table below the chart has the numbers, so a bar has no text of its own.
        Column { title: String::new(), value, upper: if range.is_running(*day) { value } else { 0 } }
    };
    let (name, title) = match measure {
        Measure::Spend => ("spend", format!("Spend per day in {currency}")),
        Measure::Clicks => ("clicks", "Clicks per day".to_owned()),
    };
    let text = |value: Decimal| measure.text(value, currency);
    let frame = Frame {
        id: format!("{id}-{name}"),
        title,
        key: if range.is_running(range.to) { RUNNING_KEY } else { NO_KEY },
        description: format!("{subject}. Most in a day: {}. The scale is from 0 to {}.", text(max), text(top)),
        scale: Scale::new(FULL, |part| grouped_digits(&(top * part).normalize().to_string())),
        ..Frame::default()
    };
    Bars::new(frame.over(&labels), ("good", "open"), days.iter().map(column).collect())
}

/// A value as a part of [`FULL`], which stands for `max`. A value below zero has no bar; one that is too small to count
/// still has one.
fn height(value: Decimal, max: Decimal) -> u64 {
    if value <= Decimal::ZERO || max <= Decimal::ZERO {
        return 0;
    }
    let part = value.checked_div(max).and_then(|part| part.checked_mul(Decimal::from(FULL)));
    part.and_then(|part| part.trunc().to_u64()).unwrap_or_default().clamp(1, FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_parts_of_the_largest_value() {
        let decimal = |text: &str| Decimal::from_str_exact(text).unwrap();
        assert_eq!(height(decimal("0.1"), decimal("0.2")), FULL / 2);
        assert_eq!(height(decimal("0.000001"), decimal("79228162514264337593543950335")), 1, "it can be seen");
        assert_eq!(height(decimal("-5"), decimal("5")), 0, "a credit has no bar");
        assert_eq!(height(Decimal::ZERO, Decimal::ZERO), 0);
        assert_eq!(height(Decimal::MAX, Decimal::MAX), FULL);
    }
}
