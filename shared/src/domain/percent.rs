//! A percentage by which budgets change. The arithmetic is exact: an amount that its currency cannot hold is an error.

use super::Currency;
use rust_decimal::Decimal;
use std::fmt;

/// Most percent by which a budget is raised at once.
const MOST: i64 = 1_000;
/// Most decimals of a percentage.
const MAX_DECIMALS: u32 = 2;

/// A percentage above -100 and up to 1,000 with at most two decimals, other than 0: `10`, `-12.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent(Decimal);

/// Why a number is no [`Percent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PercentError {
    /// It is no decimal number, or has more than two decimals.
    NoDecimal,
    Zero,
    /// It lowers a budget by all of it, or by more.
    TooLow,
    /// It raises a budget by more than 1,000 percent.
    TooHigh,
}

/// Why an amount cannot change by a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PercentOfError {
    /// The new amount has more digits than a decimal.
    TooManyDigits,
    /// The new amount has more decimals than its currency.
    TooFine(Decimal, Currency),
}

impl Percent {
    /// Checks a number.
    pub fn new(number: Decimal) -> Result<Percent, PercentError> {
        let number = number.normalize();
        if number.scale() > MAX_DECIMALS {
            return Err(PercentError::NoDecimal);
        }
        if number.is_zero() {
            return Err(PercentError::Zero);
        }
        if number <= Decimal::from(-100) {
            return Err(PercentError::TooLow);
        }
        if number > Decimal::from(MOST) { Err(PercentError::TooHigh) } else { Ok(Percent(number)) }
    }

    /// Reads digits with at most one dot, and with or without a sign: `10`, `+10`, `-12.5`.
    pub fn parse(text: &str) -> Result<Percent, PercentError> {
        let (is_lower, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = is_plain.then(|| Decimal::from_str_exact(digits).ok()).flatten();
        let number = number.ok_or(PercentError::NoDecimal)?;
        Percent::new(if is_lower { -number } else { number })
    }

    /// An amount after the change.
    pub fn of(self, amount: Decimal, currency: Currency) -> Result<Decimal, PercentOfError> {
        let new = self.exact(amount).ok_or(PercentOfError::TooManyDigits)?;
        currency.check(new).map(|()| new).map_err(|_| PercentOfError::TooFine(new, currency))
    }

    /// Whether it lowers an amount.
    pub fn is_lower(self) -> bool {
        self.0.is_sign_negative()
    }

    /// The product in whole numbers: a decimal would round what it cannot hold.
    fn exact(self, amount: Decimal) -> Option<Decimal> {
        let amount = amount.normalize();
        let factor = Decimal::ONE_HUNDRED.checked_add(self.0)?.normalize();
        let digits = amount.mantissa().checked_mul(factor.mantissa())?;
        let new = Decimal::try_from_i128_with_scale(digits, amount.scale() + factor.scale() + 2).ok()?;
        Some(new.normalize())
    }
}

/// `10`, `-12.5`
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a field with such a number has to be.
impl fmt::Display for PercentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PercentError::NoDecimal => "must be a number with at most two decimals, such as \"10\" or \"-12.5\"",
            PercentError::Zero => "must not be 0",
            PercentError::TooLow => "must be above -100; pause the campaigns to stop their spend",
            PercentError::TooHigh => "must be at most 1000",
        })
    }
}

/// What the amount would be: `would be 11.055 USD, and USD has 2 decimals`.
impl fmt::Display for PercentOfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, currency) = match self {
            PercentOfError::TooManyDigits => return f.write_str("would have too many digits"),
            PercentOfError::TooFine(amount, currency) => (amount, currency),
        };
        let (code, decimals) = (currency.code(), currency.decimals());
        match decimals {
            0 => write!(f, "would be {amount} {code}, and {code} has no decimals"),
            1 => write!(f, "would be {amount} {code}, and {code} has 1 decimal"),
            _ => write!(f, "would be {amount} {code}, and {code} has {decimals} decimals"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(percent: &str, amount: &str, currency: &str) -> Result<String, String> {
        let (amount, currency) = (Decimal::from_str_exact(amount).unwrap(), Currency::from_code(currency).unwrap());
        let new = Percent::parse(percent).unwrap().of(amount, currency);
        new.map(|new| new.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_percentage_has_at_most_two_decimals_and_is_never_zero() {
        for (text, shown) in [("10", "10"), ("+10", "10"), ("-12.5", "-12.5"), ("0.50", "0.5"), ("1000.00", "1000")] {
            assert_eq!(Percent::parse(text).map(|percent| percent.to_string()).as_deref(), Ok(shown), "{text}");
        }
        for text in ["", "+", "ten", "1,5", "1e1", "--5", ".5", "1.234", "1.2.3", " 1", "10%"] {
            assert_eq!(Percent::parse(text), Err(PercentError::NoDecimal), "{text}");
        }
        let errors = [("0", PercentError::Zero), ("-0.00", PercentError::Zero), ("-100", PercentError::TooLow)];
        for (text, error) in errors.into_iter().chain([("1000.01", PercentError::TooHigh)]) {
            assert_eq!(Percent::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn amounts_change_exactly() {
        assert_eq!(new("10", "50", "USD").as_deref(), Ok("55"));
        assert_eq!(new("-20", "12.50", "USD").as_deref(), Ok("10"));
        assert_eq!(new("12.5", "8", "USD").as_deref(), Ok("9"));
        assert_eq!(new("10", "1500", "JPY").as_deref(), Ok("1650"));
        assert_eq!(new("10", "12345678901234567890.5", "KWD").as_deref(), Ok("13580246791358024679.55"));
    }

    #[test]
    fn what_a_currency_cannot_hold_is_an_error_and_never_rounded() {
        let refused = |percent, amount, currency| new(percent, amount, currency).unwrap_err();
        assert_eq!(refused("10", "10.05", "USD"), "would be 11.055 USD, and USD has 2 decimals");
        assert_eq!(refused("-20", "1501", "JPY"), "would be 1200.8 JPY, and JPY has no decimals");
        assert_eq!(refused("-0.01", "0.01", "USD"), "would be 0.009999 USD, and USD has 2 decimals");
        assert!(refused("33.33", "123456789012345678", "JPY").contains("164604936790160492.4774 JPY"));
        assert_eq!(refused("10", "79228162514264337593543950335", "USD"), "would have too many digits");
    }
}
