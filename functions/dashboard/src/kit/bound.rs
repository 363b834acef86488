//! Ratios of two totals. One of whole sums is exact. Where one of them is a lower bound, so is the ratio a bound: what is
//! spent for at least 4 conversions is spent at most for each. Where both are, nothing follows.

use crate::kit::total::Total;
use rust_decimal::Decimal;

/// A ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    numerator: Total,
    denominator: Total,
}

/// What is known of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exactly,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What stands before the number.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Bound::Exactly => "",
            Bound::AtLeast => "at least ",
            Bound::AtMost => "at most ",
        }
    }
}

impl Ratio {
    pub(crate) fn new(numerator: Total, denominator: Total) -> Ratio {
        Ratio { numerator, denominator }
    }

    /// The ratio of whole sums.
    pub(crate) fn exact(self) -> Option<Decimal> {
        self.numerator.exact()?.checked_div(self.denominator.exact()?)
    }

    /// The ratio, or its bound, as a table sorts by it.
    pub(crate) fn known(self) -> Option<Decimal> {
        self.bound()?;
        self.numerator.known()?.checked_div(self.denominator.known()?)
    }

    /// The ratio with so many decimals. One of whole sums is rounded to the nearest, and a bound to the side on which it
    /// stays one, whatever digits it has.
    pub(crate) fn rounded(self, decimals: u32) -> Option<(Bound, Decimal)> {
        let bound = self.bound()?;
        let (numerator, denominator) = (self.numerator.known()?, self.denominator.known()?);
        let rounded = match bound {
            Bound::Exactly => {
                let mut nearest = numerator.checked_div(denominator)?.round_dp(decimals);
                nearest.rescale(decimals);
                nearest
            }
            Bound::AtLeast => divided(numerator, denominator, decimals, false)?,
            Bound::AtMost => divided(numerator, denominator, decimals, true)?,
        };
        // "At least nothing" says nothing.
        (bound != Bound::AtLeast || !rounded.is_zero()).then_some((bound, rounded))
    }

    /// Whether it is not known because a part of both sums is missing.
    pub(crate) fn lacks_both(self) -> bool {
        self.numerator.is_lower_bound() && self.denominator.is_lower_bound()
    }

    /// What is known of it. A correction below zero has no bound.
    fn bound(self) -> Option<Bound> {
        let (numerator, denominator) = (self.numerator.known()?, self.denominator.known()?);
        match (self.numerator.exact(), self.denominator.exact()) {
            (Some(_), Some(whole)) => (!whole.is_zero()).then_some(Bound::Exactly),
            (Some(_), None) if denominator > Decimal::ZERO && numerator.is_zero() => Some(Bound::Exactly),
            (Some(_), None) if denominator > Decimal::ZERO && numerator > Decimal::ZERO => Some(Bound::AtMost),
            (None, Some(whole)) if whole > Decimal::ZERO && numerator > Decimal::ZERO => Some(Bound::AtLeast),
            (Some(_), None) | (None, Some(_) | None) => None,
        }
    }
}

/// A quotient with so many decimals, rounded up or down by its exact value: it is made of whole numbers, of which no digit
/// is lost. `None` for one that no decimal holds.
fn divided(numerator: Decimal, denominator: Decimal, decimals: u32, is_up: bool) -> Option<Decimal> {
    let power = |exponent: u32| 10_i128.checked_pow(exponent);
    let (over, under) = (denominator.scale().checked_add(decimals)?, numerator.scale());
    let (more, less) = (over.saturating_sub(under), under.saturating_sub(over));
    let dividend = numerator.mantissa().checked_mul(power(more)?)?;
    let divisor = denominator.mantissa().checked_mul(power(less)?)?;
    let below = dividend.checked_div_euclid(divisor)?;
    let is_between = dividend.checked_rem_euclid(divisor)? != 0;
    let quotient = if is_up && is_between { below.checked_add(1)? } else { below };
    Decimal::try_from_i128_with_scale(quotient, decimals).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    /// `5` is whole, and `5+` a lower bound.
    fn total(text: &str) -> Total {
        match text.strip_suffix('+') {
            Some(known) => Total::of(Some(decimal(known))).lower_bound(),
            None => Total::of(Some(decimal(text))),
        }
    }

    fn shown(numerator: &str, denominator: &str) -> String {
        let rounded = Ratio::new(total(numerator), total(denominator)).rounded(2);
        rounded.map_or_else(|| "–".to_owned(), |(bound, ratio)| format!("{}{ratio}", bound.words()))
    }

    #[test]
    fn a_bound_of_one_sum_bounds_the_ratio_on_the_side_that_follows() {
        for (numerator, denominator, text) in [
            ("10", "3", "3.33"),
            ("10", "3+", "at most 3.34"),
            ("10+", "3", "at least 3.33"),
            ("10+", "3+", "–"),
            ("20", "3", "6.67"),
            ("20", "3+", "at most 6.67"),
            ("20+", "3", "at least 6.66"),
            ("6", "2+", "at most 3.00"),
            ("6+", "2", "at least 3.00"),
            ("0", "3+", "0.00"),
        ] {
            assert_eq!(shown(numerator, denominator), text, "{numerator} / {denominator}");
        }
    }

    #[test]
    fn what_follows_from_nothing_is_not_known() {
        for (numerator, denominator) in [
            ("1", "0"),
            ("1", "0+"),
            ("0+", "3"),
            ("-1", "3+"),
            ("-1+", "3"),
            ("1", "-3+"),
            ("1+", "-3"),
            ("0.01+", "9"),
        ] {
            assert_eq!(shown(numerator, denominator), "–", "{numerator} / {denominator}");
        }
        let unknown = |numerator, denominator| Ratio::new(numerator, denominator);
        assert_eq!(unknown(Total::UNKNOWN, total("3")).rounded(2), None);
        assert_eq!(
            (unknown(total("3"), Total::UNKNOWN).rounded(2), unknown(total("3"), Total::EMPTY).known()),
            (None, None)
        );
        assert!(!unknown(Total::UNKNOWN, total("3+")).lacks_both(), "one of them is not known at all");
        assert!(Ratio::new(total("1+"), total("3+")).lacks_both());
    }

    #[test]
    fn a_bound_is_rounded_by_its_exact_value() {
        // A quotient of 28 digits would be 0.01 here, and so on the wrong side.
        let just_below = ("0.0099999999999999999999999999", "1");
        let shown = |(numerator, denominator): (&str, &str), is_up| {
            divided(decimal(numerator), decimal(denominator), 2, is_up).map(|quotient| quotient.to_string())
        };
        assert_eq!(
            (shown(just_below, false).as_deref(), shown(just_below, true).as_deref()),
            (Some("0.00"), Some("0.01"))
        );
        let just_above = ("1", "99.999999999999999999999999");
        assert_eq!(
            (shown(just_above, false).as_deref(), shown(just_above, true).as_deref()),
            (Some("0.01"), Some("0.02"))
        );
        let most = Decimal::MAX.to_string();
        assert_eq!(shown((most.as_str(), "0.0000000000000000000000000001"), true), None, "no decimal holds it");
    }
}
