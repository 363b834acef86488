//! Currencies, and micros: 10^-6 of an account's currency, whatever its decimals.
//!
//! Reddit Ads API v3 reference: ad account, campaign. Its list of currencies is not imitated to
//! the last one; none of three decimals is known to be among them.

/// Currencies that an ad account may have, but for those without decimals.
const TWO_DECIMALS: &[&str] =
    &["USD", "GBP", "CAD", "EUR", "AUD", "NZD", "SEK", "CHF", "HKD", "SGD", "NOK", "DKK", "PLN", "BRL", "MXN", "INR"];
const WITHOUT_DECIMALS: &[&str] = &["JPY", "KRW"];

const MICROS: i64 = 1_000_000;

/// How many decimals people write; `None` for a currency that the platform does not list.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    let lists = [(WITHOUT_DECIMALS, 0), (TWO_DECIMALS, 2)];
    lists.into_iter().find(|(codes, _)| codes.contains(&code)).map(|(_, decimals)| decimals)
}

/// A decimal text such as `12.34` in micros; `None` when it is none, is negative, has more than
/// six decimals or does not fit.
pub(crate) fn micros(amount: &str) -> Option<i64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(MICROS)?.checked_add(fraction)
}

/// Micros as a decimal text with a currency's decimals, more when they are needed.
pub(crate) fn decimal(micros: i64, code: &str) -> String {
    let fraction = format!("{:06}", (micros % MICROS).abs());
    let needed = fraction.trim_end_matches('0').len().max(decimals(code).unwrap_or(2));
    let whole = micros / MICROS;
    if needed == 0 {
        return whole.to_string();
    }
    format!("{whole}.{}", fraction.get(..needed).unwrap_or(&fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_currency_that_is_known_here_has_three_decimals() {
        assert_eq!(["USD", "JPY", "KRW"].map(decimals), [Some(2), Some(0), Some(0)]);
        assert_eq!(["KWD", "BHD", "TND", "UNK", "usd"].map(decimals), [None; 5]);
    }

    #[test]
    fn amounts_are_exact_to_the_last_micro() {
        assert_eq!(micros("12.34"), Some(12_340_000));
        assert_eq!(micros("9223372036854.775807"), Some(i64::MAX));
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "0.0000001", "9223372036854.775808", "1,5"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
        assert_eq!(decimal(12_340_000, "USD"), "12.34");
        assert_eq!(decimal(5_000_000, "JPY"), "5");
        assert_eq!(decimal(1, "JPY"), "0.000001");
    }
}
