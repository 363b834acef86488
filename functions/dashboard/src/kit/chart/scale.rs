//! The scale of a chart: from 0 to a round number, with its half.

use super::{BOTTOM, MIDDLE, TOP};
use crate::kit::text::grouped;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// The upper ends of scales, in tens, hundreds and so on. Half of each is a short number, too.
const STEPS: [i64; 6] = [1, 2, 4, 6, 8, 10];
/// More digits than a decimal has.
const MOST_DIGITS: usize = 30;

/// The numbers beside a chart.
#[derive(Debug, Default)]
pub(crate) struct Scale {
    /// The value at the upper end.
    pub(super) top: u64,
    /// The texts of the upper end, of its half, and of 0.
    texts: [String; 3],
}

impl Scale {
    /// A scale that ends at `top`. `text` says what a part of it stands for: all, half, or nothing.
    pub(super) fn new(top: u64, text: impl Fn(Decimal) -> String) -> Scale {
        Scale { top, texts: [Decimal::ONE, Decimal::new(5, 1), Decimal::ZERO].map(text) }
    }

    /// The scale of values that are counted, with what stands after each number.
    pub(crate) fn of_counts(max: u64, unit: &str) -> Scale {
        let top = round_top(Decimal::from(max), Decimal::TWO).to_u64().unwrap_or(max);
        Scale { top, texts: [top, top / 2, 0].map(|count| format!("{}{unit}", grouped(count))) }
    }

    /// The texts, each with its height.
    pub(super) fn marks(&self) -> impl Iterator<Item = (u64, &str)> {
        [TOP, MIDDLE, BOTTOM].into_iter().zip(self.texts.iter().map(String::as_str))
    }
}

/// The first round number that is not below a value, nor below the least one.
pub(super) fn round_top(value: Decimal, least: Decimal) -> Decimal {
    let value = value.max(least);
    let mut unit = Decimal::ONE;
    for _ in 0..MOST_DIGITS {
        match unit.checked_mul(Decimal::TEN) {
            Some(next) if next < value => unit = next,
            _ => break,
        }
    }
    for _ in 0..MOST_DIGITS {
        if unit < value {
            break;
        }
        unit /= Decimal::TEN;
    }
    let mut tops = STEPS.into_iter().filter_map(|step| unit.checked_mul(Decimal::from(step)));
    tops.find(|top| *top >= value).unwrap_or(value).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_round_number_that_is_not_below_the_largest_value() {
        let decimal = |text: &str| Decimal::from_str_exact(text).unwrap();
        for (value, top) in [
            ("0", "0.02"),
            ("0.03", "0.04"),
            ("1", "1"),
            ("55.5", "60"),
            ("1234.5", "2000"),
            ("7040", "8000"),
            ("8000.01", "10000"),
            ("10000", "10000"),
            ("9007199254740993", "10000000000000000"),
        ] {
            assert_eq!(round_top(decimal(value), decimal("0.02")), decimal(top), "{value}");
        }
        assert_eq!(round_top(Decimal::MAX, Decimal::TWO), Decimal::MAX, "no decimal is larger");
    }

    #[test]
    fn a_scale_of_counts_has_whole_numbers() {
        let texts = |max| Scale::of_counts(max, " ms").texts;
        assert_eq!(texts(0), ["2 ms", "1 ms", "0 ms"]);
        assert_eq!(texts(1_000), ["1,000 ms", "500 ms", "0 ms"]);
        assert_eq!(Scale::of_counts(u64::MAX, "").top, u64::MAX, "no number is larger");
    }
}
