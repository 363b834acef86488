//! Meta's units of money, which are not those of ISO 4217: hundredths of most currencies, whole units of some.

use super::CAPABILITIES;
use crate::domain::{AmountRule, Rule};
use crate::platforms::capabilities::DecimalLimit;
use crate::platforms::prelude::*;
use crate::platforms::rows::text_of;
use serde::{Deserialize, Serialize};

/// Marketing API: Currency Codes. Those without decimals have the offset 1. All others have 100, however many decimals
/// they have.
pub(super) const DECIMALS: DecimalLimit = DecimalLimit {
    maximum: 2,
    none_in: &["CLP", "COP", "CRC", "HUF", "ISK", "IDR", "JPY", "KRW", "PYG", "TWD", "VND"],
};

/// An amount in Meta's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Units(pub(super) u64);

impl Units {
    /// A budget in Meta's units, or the error of `budget_amount`.
    pub(super) fn of(amount: Decimal, period: Option<BudgetPeriod>, currency: Currency) -> Result<Units, Rule> {
        if let Some(error) = CAPABILITIES.amount_error(amount, period, currency) {
            return Err(error.rule);
        }
        let places = DECIMALS.in_currency(currency);
        let too_large = || AmountRule::Largest { amount: Units(i64::MAX.unsigned_abs()).to_amount(currency) };
        let counted = amount.checked_mul(Decimal::from(10_u64.pow(places))).ok_or_else(too_large)?;
        // Whole: finer amounts were refused. A larger number is no amount of money, and most software reads signed integers.
        i64::try_from(counted)
            .ok()
            .and_then(|units| u64::try_from(units).ok())
            .map(Units)
            .ok_or_else(|| too_large().into())
    }

    /// The amount in major units, exactly.
    pub(super) fn to_amount(self, currency: Currency) -> Decimal {
        let exact = Decimal::try_from_i128_with_scale(i128::from(self.0), DECIMALS.in_currency(currency));
        exact.unwrap_or_default().normalize()
    }
}

/// The budget of a row: a string, or an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Option<Box<RawValue>>")]
pub(super) enum Budget {
    /// Absent or null: the row says nothing about such a budget.
    #[default]
    Absent,
    /// `0`: the campaign has no such budget of its own.
    Zero,
    /// Above zero.
    Set(Units),
    /// Not a count of units: there may be a budget, and its amount is not known.
    Unreadable,
}

impl From<Option<Box<RawValue>>> for Budget {
    fn from(value: Option<Box<RawValue>>) -> Budget {
        let Some(value) = value else { return Budget::Absent };
        let digits = text_of(&value).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(0) => Budget::Zero,
            Some(units) => Budget::Set(Units(units)),
            None => Budget::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    fn units(amount: &str, code: &str) -> Result<u64, String> {
        let amount = Decimal::from_str_exact(amount).unwrap();
        let units = Units::of(amount, Some(BudgetPeriod::Daily), currency(code));
        units.map(|units| units.0).map_err(|rule| rule.to_string())
    }

    #[test]
    fn currencies_of_offset_one_are_counted_in_whole_units() {
        for code in DECIMALS.none_in {
            assert_eq!(units("100", code), Ok(100), "{code}");
            assert_eq!(Units(100).to_amount(currency(code)), Decimal::ONE_HUNDRED, "{code}");
        }
        for code in ["USD", "EUR", "BHD", "JOD", "KWD", "OMR", "TND"] {
            assert_eq!(units("100", code), Ok(10_000), "{code}");
            assert_eq!(Units(10_050).to_amount(currency(code)).to_string(), "100.5", "{code}");
        }
    }

    #[test]
    fn an_amount_finer_than_metas_unit_is_refused_in_any_currency() {
        let refused = units("1.005", "KWD").unwrap_err();
        assert_eq!(refused, "must have at most 2 decimals in KWD on Meta");
        assert_eq!(units("1.05", "KWD"), Ok(105));
        let refused = units("10.50", "COP").unwrap_err();
        assert_eq!(refused, "must have at most 0 decimals in COP on Meta");
        assert_eq!(units("10.00", "COP"), Ok(10));
        assert!(units("1.001", "EUR").unwrap_err().contains("EUR"), "finer than the currency itself");
    }

    #[test]
    fn a_daily_budget_is_at_least_one_and_at_most_an_i64() {
        assert!(units("0.99", "USD").unwrap_err().contains("at least 1 USD"));
        assert_eq!(units("1", "JPY"), Ok(1));
        assert_eq!(units("1.00", "BHD"), Ok(100));
        assert!(units("92233720368547758.08", "USD").unwrap_err().contains("too large"));
        assert!(units("9999999999999999999999999999", "USD").unwrap_err().contains("too large"));
        assert_eq!(Units(u64::MAX).to_amount(currency("USD")).to_string(), "184467440737095516.15");
    }
}
