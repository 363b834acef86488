//! A percentage by which budgets change. The arithmetic is exact: an amount that its currency cannot hold is refused.

use crate::kit::money::in_currency;
use rust_decimal::Decimal;
use shared::domain::Currency;

/// Most percent by which a budget is raised at once.
const MOST: i64 = 1_000;
/// Most decimals of a percentage.
const MAX_DECIMALS: u32 = 2;

/// A percentage that is not 0: `+10`, `-12.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Percent(Decimal);

impl Percent {
    /// Reads what a person typed, with or without a sign and `%`.
    pub(super) fn typed(text: &str) -> Result<Percent, &'static str> {
        let text = text.trim().trim_end_matches('%').trim_end();
        let (is_lower, digits) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = is_plain.then(|| Decimal::from_str_exact(digits).ok()).flatten().map(|number| number.normalize());
        let number = number.filter(|number| number.scale() <= MAX_DECIMALS);
        let Some(number) = number else { return Err("Write a percentage with a dot, such as +10 or -12.5.") };
        let percent = if is_lower { -number } else { number };
        if percent.is_zero() {
            return Err("Write a percentage other than 0, such as +10 or -12.5.");
        }
        if percent <= Decimal::from(-100) {
            return Err("A budget can be lowered by less than 100 percent. Pause the campaigns to stop their spend.");
        }
        if percent > Decimal::from(MOST) {
            return Err("A budget can be raised by at most 1,000 percent at once.");
        }
        Ok(Percent(percent))
    }

    /// The new amount, or why its currency cannot hold it.
    pub(super) fn of(self, amount: Decimal, currency: Currency) -> Result<Decimal, String> {
        let new = self.exact(amount).ok_or("The new amount has too many digits.")?;
        currency.check(new).map(|()| new).map_err(|_| {
            let decimals = match currency.decimals() {
                0 => "no decimals".to_owned(),
                1 => "1 decimal".to_owned(),
                number => format!("{number} decimals"),
            };
            format!("It would be {}, and {} has {decimals}.", in_currency(new, currency), currency.code())
        })
    }

    /// The percentage as a person types it: `+10`.
    pub(super) fn words(self) -> String {
        format!("{}{}", if self.0.is_sign_negative() { "" } else { "+" }, self.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn new(percent: &str, amount: &str, currency: &str) -> Result<String, String> {
        let amount = Decimal::from_str_exact(amount).unwrap();
        let currency = Currency::from_code(currency).unwrap();
        Percent::typed(percent).unwrap().of(amount, currency).map(|new| new.to_string())
    }

    #[test]
    fn a_percentage_is_typed_with_or_without_sign() {
        for (text, words) in
            [("+10", "+10"), (" 10 % ", "+10"), ("-12.5", "-12.5"), ("\u{2212}20%", "-20"), ("0.50", "+0.5")]
        {
            assert_eq!(Percent::typed(text).map(Percent::words).as_deref(), Ok(words), "{text}");
        }
        for text in ["", "+", "ten", "1,5", "1e1", "--5", ".5", "1.234", "0", "-0", "-100", "-250", "1000.5", "1.2.3"] {
            assert!(Percent::typed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn budgets_change_exactly() {
        assert_eq!(new("+10", "50", "USD").as_deref(), Ok("55"));
        assert_eq!(new("-20", "12.50", "USD").as_deref(), Ok("10"));
        assert_eq!(new("+12.5", "8", "USD").as_deref(), Ok("9"));
        assert_eq!(new("+10", "1500", "JPY").as_deref(), Ok("1650"));
        assert_eq!(
            new("+33.33", "123456789012345678", "JPY").unwrap_err(),
            "It would be 164,604,936,790,160,492.4774 JPY, and JPY has no decimals."
        );
        assert_eq!(new("+10", "12345678901234567890.5", "KWD").as_deref(), Ok("13580246791358024679.55"));
    }

    #[test]
    fn what_a_currency_cannot_hold_is_refused_and_never_rounded() {
        assert_eq!(new("+10", "10.05", "USD").unwrap_err(), "It would be 11.055 USD, and USD has 2 decimals.");
        assert_eq!(new("-20", "1501", "JPY").unwrap_err(), "It would be 1,200.8 JPY, and JPY has no decimals.");
        assert!(new("+10", "79228162514264337593543950335", "USD").unwrap_err().contains("too many digits"));
    }
}
