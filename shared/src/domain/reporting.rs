//! The reporting currency of a customer, and the customer's own rates to it (D201). A total in it is for people: nothing is
//! decided by it, and it is never stored.

use super::Currency;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// Most rates of a customer: the account is one record, and every request reads it.
pub const MAX_RATES: usize = 40;
/// Most digits of a rate after the point.
const MAX_DECIMALS: u32 = 10;
/// A rate is below it.
const BOUND: i64 = 1_000_000_000;

/// What one unit of a currency is in the reporting currency: a decimal above 0 with at most ten digits after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate(Decimal);

/// Why a text is no [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateError {
    /// It is no plain decimal number.
    NoDecimal,
    /// It has more than ten digits after the point.
    TooFine,
    Zero,
    TooLarge,
}

impl Rate {
    /// Reads digits with at most one dot: `0.92`.
    pub fn parse(text: &str) -> Result<Rate, RateError> {
        let is_plain = text.starts_with(|first: char| first.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !is_plain || text.matches('.').count() > 1 {
            return Err(RateError::NoDecimal);
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        if fraction.len() > MAX_DECIMALS as usize {
            return Err(RateError::TooFine);
        }
        // A decimal cannot hold every number of this length.
        if whole.len() > MAX_DECIMALS as usize {
            return Err(RateError::TooLarge);
        }
        let rate = Decimal::from_str_exact(&format!("0{whole}.{fraction}0")).map_err(|_| RateError::NoDecimal)?;
        if rate >= Decimal::from(BOUND) {
            return Err(RateError::TooLarge);
        }
        if rate.is_zero() { Err(RateError::Zero) } else { Ok(Rate(rate.normalize())) }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> String {
        rate.to_string()
    }
}

impl TryFrom<String> for Rate {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Rate, &'static str> {
        Rate::parse(&text).map_err(|_| "no rate")
    }
}

/// The rate of a currency, and the day in UTC on which the customer set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedRate {
    pub currency: Currency,
    pub rate: Rate,
    pub set_on: Date,
}

/// A reporting currency with the rates to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reporting {
    pub currency: Currency,
    pub rates: Vec<DatedRate>,
}

impl Reporting {
    /// A currency without rates: those to another one are none to this one.
    pub fn new(currency: Currency) -> Reporting {
        Reporting { currency, rates: Vec::new() }
    }

    /// The same with exactly these rates, by currency. One that stays keeps its day; any other has that of `today`.
    #[must_use]
    pub fn with_rates(&self, rates: &[(Currency, Rate)], today: Date) -> Reporting {
        let mut dated: Vec<DatedRate> = Vec::new();
        for (currency, rate) in rates.iter().copied().filter(|(currency, _)| *currency != self.currency) {
            let known = self.rate(currency).filter(|known| known.rate == rate);
            dated.retain(|other| other.currency != currency);
            dated.push(known.unwrap_or(DatedRate { currency, rate, set_on: today }));
        }
        dated.sort_by_key(|rate| rate.currency.code());
        Reporting { currency: self.currency, rates: dated }
    }

    /// The rate of another currency.
    pub fn rate(&self, currency: Currency) -> Option<DatedRate> {
        self.rates.iter().find(|rate| rate.currency == currency).copied()
    }

    /// Whether amounts of a currency can be added.
    pub fn counts(&self, currency: Currency) -> bool {
        currency == self.currency || self.rate(currency).is_some()
    }

    /// The sum of amounts in the reporting currency, without those of a currency that has no rate. It is exact, and rounded
    /// once, to the minor unit, half to even. `None` for a sum that no number holds.
    pub fn together(&self, amounts: impl Iterator<Item = (Currency, Decimal)>) -> Option<Decimal> {
        let mut sum = Exact { digits: 0, scale: 0 };
        for (currency, amount) in amounts {
            let rate = match self.rate(currency) {
                _ if currency == self.currency => Decimal::ONE,
                Some(DatedRate { rate, .. }) => rate.0,
                None => continue,
            };
            sum = sum.plus(Exact::product(amount.normalize(), rate)?)?;
        }
        sum.rounded(self.currency.decimals())
    }
}

/// A number in whole digits: a decimal would round what it cannot hold.
#[derive(Clone, Copy)]
struct Exact {
    digits: i128,
    scale: u32,
}

impl Exact {
    fn product(amount: Decimal, rate: Decimal) -> Option<Exact> {
        let digits = amount.mantissa().checked_mul(rate.mantissa())?;
        Some(Exact { digits, scale: amount.scale().checked_add(rate.scale())? })
    }

    fn plus(self, other: Exact) -> Option<Exact> {
        let scale = self.scale.max(other.scale);
        let digits = self.at(scale)?.checked_add(other.at(scale)?)?;
        Some(Exact { digits, scale })
    }

    /// Its digits at a finer scale.
    fn at(self, scale: u32) -> Option<i128> {
        self.digits.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    fn rounded(self, decimals: u32) -> Option<Decimal> {
        if self.scale <= decimals {
            return Decimal::try_from_i128_with_scale(self.at(decimals)?, decimals).ok();
        }
        let unit = 10_i128.checked_pow(self.scale - decimals)?;
        let (below, rest) = (self.digits.div_euclid(unit), self.digits.rem_euclid(unit));
        let is_up = match rest.cmp(&(unit - rest)) {
            Ordering::Less => false,
            Ordering::Equal => below.rem_euclid(2) == 1,
            Ordering::Greater => true,
        };
        Decimal::try_from_i128_with_scale(below.checked_add(i128::from(is_up))?, decimals).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn reporting(to: &str, rates: &[(&str, &str)]) -> Reporting {
        let rates: Vec<_> = rates.iter().map(|(code, rate)| (currency(code), Rate::parse(rate).unwrap())).collect();
        Reporting::new(currency(to)).with_rates(&rates, day("2026-11-30"))
    }

    fn together(reporting: &Reporting, amounts: &[(&str, &str)]) -> Option<String> {
        let amounts = amounts.iter().map(|(code, amount)| (currency(code), decimal(amount)));
        reporting.together(amounts).map(|sum| sum.to_string())
    }

    #[test]
    fn a_rate_is_a_bounded_decimal_above_zero() {
        for (text, kept) in
            [("0.92", "0.92"), ("1", "1"), ("5.", "5"), ("007.500", "7.5"), ("0.0000000001", "0.0000000001")]
        {
            assert_eq!(Rate::parse(text).unwrap().to_string(), kept, "{text}");
        }
        let largest = "999999999.9999999999";
        assert_eq!(Rate::parse(largest).unwrap().to_string(), largest);
        for (error, texts) in [
            (RateError::NoDecimal, &["", "0,92", ".5", "-1", "+1", "1e3", "1.2.3", "one", "٣"][..]),
            (RateError::TooFine, &["0.00000000001"]),
            (RateError::Zero, &["0", "0.00"]),
            (RateError::TooLarge, &["1000000000", "99999999999999999999999999999999999"]),
        ] {
            assert!(texts.iter().all(|text| Rate::parse(text) == Err(error)), "{error:?}");
        }
    }

    #[test]
    fn a_total_is_rounded_once_at_the_end_half_to_even() {
        let euros = reporting("EUR", &[("USD", "0.5"), ("JPY", "0.001")]);
        for (dollars, total) in
            [("0.01", "0.00"), ("0.03", "0.02"), ("0.05", "0.02"), ("-0.01", "0.00"), ("-0.03", "-0.02")]
        {
            assert_eq!(together(&euros, &[("USD", dollars)]).as_deref(), Some(total), "{dollars}");
        }
        // Each alone would be rounded to nothing.
        assert_eq!(together(&euros, &[("USD", "0.01"), ("JPY", "5")]).as_deref(), Some("0.01"));
        assert_eq!(together(&euros, &[("EUR", "3"), ("USD", "0.051")]).as_deref(), Some("3.03"));
        let yen = reporting("JPY", &[("USD", "155.3"), ("KWD", "500")]);
        assert_eq!(together(&yen, &[("USD", "10.05"), ("KWD", "0.001")]).as_deref(), Some("1561"));
        assert_eq!(together(&yen, &[]).as_deref(), Some("0"));
    }

    #[test]
    fn a_total_is_without_a_currency_that_has_no_rate() {
        let euros = reporting("EUR", &[("USD", "0.92")]);
        assert_eq!(together(&euros, &[("USD", "100"), ("JPY", "5000"), ("EUR", "8")]).as_deref(), Some("100.00"));
        assert_eq!(["EUR", "USD", "JPY"].map(|code| euros.counts(currency(code))), [true, true, false]);
    }

    #[test]
    fn a_total_that_no_number_holds_is_none() {
        let euros = reporting("EUR", &[("USD", "999999999.9999999999")]);
        let most = Decimal::MAX.to_string();
        assert_eq!(together(&euros, &[("USD", most.as_str())]), None);
        assert_eq!(together(&euros, &[("EUR", most.as_str()), ("EUR", most.as_str())]), None);
        assert_eq!(together(&euros, &[("USD", "1000000000000")]).as_deref(), Some("999999999999999999900.00"));
    }

    #[test]
    fn a_rate_that_stays_keeps_its_day_and_another_currency_has_none() {
        let euros = reporting("EUR", &[("USD", "0.92"), ("JPY", "0.006"), ("EUR", "2")]);
        assert_eq!(euros.rates.iter().map(|rate| rate.currency.code()).collect::<Vec<_>>(), ["JPY", "USD"]);
        let rates = ["0.920", "0.93"].map(|text| Rate::parse(text).unwrap());
        let later = day("2026-12-02");
        let set_on = |rate| euros.with_rates(&[(currency("USD"), rate)], later).rates[0].set_on;
        assert_eq!(rates.map(set_on), [day("2026-11-30"), later]);
        assert!(euros.with_rates(&[], later).rates.is_empty());
        assert!(Reporting::new(currency("USD")).rates.is_empty());
    }
}
