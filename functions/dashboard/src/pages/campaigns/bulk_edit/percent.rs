//! A percentage by which budgets change, as a person types it. The arithmetic is that of the API.

use crate::kit::money::in_currency;
use rust_decimal::Decimal;
use shared::domain::{self, Currency, PercentError, PercentOfError};

/// A percentage that is not 0: `+10`, `-12.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Percent(domain::Percent);

impl Percent {
    /// Reads what a person typed, with or without a sign and `%`.
    pub(super) fn parse(text: &str) -> Result<Percent, &'static str> {
        let text = text.trim().trim_end_matches('%').trim_end().replacen('\u{2212}', "-", 1);
        domain::Percent::parse(&text).map(Percent).map_err(|error| match error {
            PercentError::NoDecimal => "Write a percentage with a dot, such as +10 or -12.5.",
            PercentError::Zero => "Write a percentage other than 0, such as +10 or -12.5.",
            PercentError::TooLow => {
                "A budget can be lowered by less than 100 percent. Pause the campaigns to stop their spend."
            }
            PercentError::TooHigh => "A budget can be raised by at most 1,000 percent at once.",
        })
    }

    /// The new amount, or why its currency cannot hold it.
    pub(super) fn of(self, amount: Decimal, currency: Currency) -> Result<Decimal, String> {
        self.0.of(amount, currency).map_err(|error| match error {
            PercentOfError::TooManyDigits => "The new amount has too many digits.".to_owned(),
            PercentOfError::TooFine(new, _) => {
                let decimals = match currency.decimals() {
                    0 => "no decimals".to_owned(),
                    1 => "1 decimal".to_owned(),
                    number => format!("{number} decimals"),
                };
                format!("It would be {}, and {} has {decimals}.", in_currency(new, currency), currency.code())
            }
        })
    }

    /// The percentage as a person types it: `+10`.
    pub(super) fn words(self) -> String {
        format!("{}{}", if self.0.is_lower() { "" } else { "+" }, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(percent: &str, amount: &str, currency: &str) -> Result<String, String> {
        let amount = Decimal::from_str_exact(amount).unwrap();
        let currency = Currency::from_code(currency).unwrap();
        Percent::parse(percent).unwrap().of(amount, currency).map(|new| new.to_string())
    }

    #[test]
    fn a_percentage_is_typed_with_or_without_sign() {
        for (text, words) in
            [("+10", "+10"), (" 10 % ", "+10"), ("-12.5", "-12.5"), ("\u{2212}20%", "-20"), ("0.50", "+0.5")]
        {
            assert_eq!(Percent::parse(text).map(Percent::words).as_deref(), Ok(words), "{text}");
        }
        for text in ["", "+", "ten", "1,5", "1e1", "--5", ".5", "1.234", "0", "-0", "-100", "-250", "1000.5", "1.2.3"] {
            assert!(Percent::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_currency_cannot_hold_is_told_in_words() {
        assert_eq!(new("+10", "10.05", "USD").unwrap_err(), "It would be 11.055 USD, and USD has 2 decimals.");
        assert_eq!(new("-20", "1501", "JPY").unwrap_err(), "It would be 1,200.8 JPY, and JPY has no decimals.");
        assert!(new("+10", "79228162514264337593543950335", "USD").unwrap_err().contains("too many digits"));
    }
}
