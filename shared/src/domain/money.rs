//! Exact money: decimals and integers in typed units. Nothing rounds; an amount that does not fit is an error.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A currency of ISO 4217 with minor units; gold (XAU) and the test code (XTS) have none.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// Parses the three-letter code, upper case only. `None` for an unknown code or one without minor units.
    pub fn from_code(code: &str) -> Option<Currency> {
        let currency = iso_currency::Currency::from_code(code)?;
        (currency.code() == code && currency.exponent().is_some()).then_some(Currency(currency))
    }

    /// Every currency, by its code. Its crate has no list, so each code of three letters is tried.
    pub fn all() -> impl Iterator<Item = Currency> {
        let letters = || 'A'..='Z';
        let pairs = letters().flat_map(move |first| letters().map(move |second| [first, second]));
        let codes = pairs.flat_map(move |[first, second]| letters().map(move |third| [first, second, third]));
        codes.filter_map(|code| Currency::from_code(&String::from_iter(code)))
    }

    /// The three-letter code: `USD`.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// What people call it: `Euro`.
    pub fn name(self) -> String {
        self.0.name().to_owned()
    }

    /// Number of decimals: 2 for USD, 0 for JPY, 3 for KWD.
    pub fn decimals(self) -> u32 {
        self.0.exponent().map_or(0, u32::from)
    }

    /// The digits of an amount for people, with at least the decimals of the currency: `50.00`.
    pub fn padded(self, amount: Decimal) -> String {
        let mut amount = amount.normalize();
        if amount.scale() < self.decimals() {
            amount.rescale(self.decimals());
        }
        amount.to_string()
    }

    /// Rejects an amount with more decimals than the currency has.
    pub fn check(self, amount: Decimal) -> Result<(), MoneyError> {
        if amount.normalize().scale() > self.decimals() {
            return Err(MoneyError::TooFine(self));
        }
        Ok(())
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> String {
        currency.code().to_owned()
    }
}

impl TryFrom<String> for Currency {
    type Error = &'static str;

    fn try_from(code: String) -> Result<Currency, &'static str> {
        Currency::from_code(&code).ok_or("no currency has this code")
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Millionths of a currency's major unit, the unit of several platforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub i64);

impl Micros {
    /// Converts exactly or fails.
    pub fn from_amount(amount: Decimal) -> Result<Micros, MoneyError> {
        let scaled = amount.normalize().checked_mul(Decimal::from(1_000_000)).ok_or(MoneyError::TooLarge)?;
        if !scaled.fract().is_zero() {
            return Err(MoneyError::FinerThanMicros);
        }
        i64::try_from(scaled).map(Micros).map_err(|_| MoneyError::TooLarge)
    }

    /// The largest whole amount, in major units.
    pub fn largest() -> Decimal {
        Micros(i64::MAX).to_amount().trunc()
    }

    /// The amount in major units. Always exact: an `i64` fits a decimal with six places.
    pub fn to_amount(self) -> Decimal {
        Decimal::new(self.0, 6).normalize()
    }
}

/// Reason why an amount is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoneyError {
    /// More decimals than the currency has.
    TooFine(Currency),
    /// Finer than a millionth.
    FinerThanMicros,
    /// Larger than the platform's integer holds.
    TooLarge,
    /// More digits than a decimal holds (28).
    NotExact,
}

impl fmt::Display for MoneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoneyError::TooFine(currency) => {
                write!(f, "has more decimals than {} has ({})", currency.code(), currency.decimals())
            }
            MoneyError::FinerThanMicros => f.write_str("is finer than a millionth"),
            MoneyError::TooLarge => write!(f, "is too large: the maximum is {}", Micros::largest()),
            MoneyError::NotExact => f.write_str("has more than 28 digits"),
        }
    }
}

/// Parses the text of a valid JSON number exactly, exponents included (`1e2` is 100). A number with too many digits is
/// an error.
pub fn decimal_from_number(text: &str) -> Result<Decimal, MoneyError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, 0),
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| MoneyError::TooLarge)?),
    };
    let mantissa = Decimal::from_str_exact(mantissa).map_err(|_| MoneyError::NotExact)?.normalize();
    if mantissa.is_zero() {
        return Ok(Decimal::ZERO);
    }
    let power = exponent.unsigned_abs();
    if power > Decimal::MAX_SCALE {
        return Err(if exponent > 0 { MoneyError::TooLarge } else { MoneyError::NotExact });
    }
    if exponent >= 0 {
        let factor = Decimal::try_from_i128_with_scale(10_i128.pow(power), 0).map_err(|_| MoneyError::TooLarge)?;
        return mantissa.checked_mul(factor).map(|amount| amount.normalize()).ok_or(MoneyError::TooLarge);
    }
    let mut shifted = mantissa;
    shifted.set_scale(mantissa.scale() + power).map_err(|_| MoneyError::NotExact)?;
    Ok(shifted.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_number_is_parsed_to_the_last_digit() {
        for (text, expected) in
            [("12.50", "12.5"), ("1e2", "100"), ("1.5E+3", "1500"), ("125e-2", "1.25"), ("0e999", "0")]
        {
            assert_eq!(decimal_from_number(text).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_number_with_too_many_digits_is_rejected_not_rounded() {
        for text in
            ["1e400", "1e-400", "1e99999999999", "0.00000000000000000000000000001", "99999999999999999999999999999999"]
        {
            assert!(decimal_from_number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn micros_survive_a_round_trip() {
        let amount = Decimal::from_str_exact("1234.567").unwrap();
        assert_eq!(Micros::from_amount(amount), Ok(Micros(1_234_567_000)));
        assert_eq!(Micros(1_234_567_000).to_amount(), amount);
        assert_eq!(Micros::from_amount(Decimal::new(1, 7)), Err(MoneyError::FinerThanMicros));
        assert_eq!(Micros::from_amount(Decimal::from(9_300_000_000_000_i64)), Err(MoneyError::TooLarge));
    }

    #[test]
    fn a_currency_rejects_more_decimals_than_it_has() {
        let yen = Currency::from_code("JPY").unwrap();
        assert!(yen.check(Decimal::new(500, 1)).is_ok(), "50.0 is fifty yen");
        assert_eq!(yen.check(Decimal::new(505, 1)), Err(MoneyError::TooFine(yen)));
        assert_eq!(Currency::from_code("KWD").unwrap().decimals(), 3);
        assert!(Currency::from_code("XAU").is_none(), "gold has no minor unit");
        assert!(Currency::from_code("usd").is_none());
        let all: Vec<&str> = Currency::all().map(Currency::code).collect();
        assert!(all.is_sorted() && all.len() > 150 && all.contains(&"KWD") && !all.contains(&"XAU"), "{all:?}");
    }
}
