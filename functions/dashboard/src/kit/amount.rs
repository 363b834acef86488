//! Money as text. It is never a float: the digits go to the API and to the page as they are.

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::RawValue;

/// The amount of a form for the API.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Amount {
    /// A plain decimal, with exactly the digits of the form.
    Number(Box<RawValue>),
    /// Any other text. The API says what is wrong with it.
    Text(String),
}

impl Amount {
    /// Reads what a person typed.
    pub(crate) fn parse(text: &str) -> Amount {
        let text = plain(text);
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        // JSON has no number such as `007`, `.5` or `5.`.
        let number = is_plain.then(|| RawValue::from_string(text.clone()).ok()).flatten();
        number.map_or(Amount::Text(text), Amount::Number)
    }
}

/// The amount that a person typed; `None` for what is no number.
pub(crate) fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(&plain(text)).ok()
}

/// What a person typed, with a dot before the decimals where a comma can be nothing else. A comma before three digits may
/// separate thousands, so it stays.
pub(crate) fn plain(text: &str) -> String {
    let text = text.trim();
    with_dot(text).unwrap_or_else(|| text.to_owned())
}

/// A number with a comma before one or two digits, with a dot instead: `25,50`.
pub(crate) fn with_dot(typed: &str) -> Option<String> {
    let (whole, cents) = typed.split_once(',')?;
    (is_digits(whole) && is_digits(cents) && cents.len() <= 2).then(|| format!("{whole}.{cents}"))
}

/// Whether a text has digits, and nothing else.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str) -> String {
        serde_json::to_string(&Amount::parse(text)).unwrap()
    }

    #[test]
    fn a_plain_decimal_is_sent_with_its_digits() {
        for text in ["0", "25.50", "0.1", "12345678901234567890.12", "100.000000000000000000001"] {
            assert_eq!(sent(text), text);
        }
        assert_eq!(sent(" 25.50 "), "25.50");
    }

    #[test]
    fn a_comma_before_one_or_two_digits_is_a_decimal_sign() {
        assert_eq!((sent("25,50"), sent(" 0,5 ")), ("25.50".to_owned(), "0.5".to_owned()));
        assert_eq!((decimal("25,50"), decimal("1234,5")), (decimal("25.5"), decimal("1234.50")));
        for text in ["1,234", "1,234.50", "1.234,50", "1,2,3", "25,", ",5", "25,5x", "-25,50"] {
            assert_eq!((sent(text), decimal(text)), (format!("\"{text}\""), None));
        }
    }

    #[test]
    fn any_other_text_is_sent_as_text() {
        for text in ["", "1e3", "-5", "+5", "007", ".5", "5.", "1.2.3", "5 USD", "٣", "[1]", "null"] {
            assert_eq!(sent(text), format!("\"{text}\""));
        }
    }
}
