//! Money as text. It is never a float: the digits go to the API and to the page as they are.

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
        let text = text.trim();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        // JSON has no number such as `007`, `.5` or `5.`.
        let number = is_plain.then(|| RawValue::from_string(text.to_owned()).ok()).flatten();
        number.map_or_else(|| Amount::Text(text.to_owned()), Amount::Number)
    }
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
    fn any_other_text_is_sent_as_text() {
        for text in ["", "12,50", "1e3", "-5", "+5", "007", ".5", "5.", "1.2.3", "5 USD", "٣", "[1]", "null"] {
            assert_eq!(sent(text), format!("\"{text}\""));
        }
    }
}
