//! Single values: ids, amounts, times and operations.

use crate::domain::money::decimal_from_number;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use std::fmt;

/// The format of times, in UTC (TikTok API for Business: Create an Upgraded Smart+ Campaign, Response).
const DATE_TIME: &str = "%Y-%m-%d %H:%M:%S";

/// Reads a time; `None` where it has another format.
pub(in crate::platforms::gamma) fn instant(text: &str) -> Option<Timestamp> {
    let time = DateTime::strptime(DATE_TIME, text).ok()?;
    TimeZone::UTC.to_timestamp(time).ok()
}

/// An id: a string of digits in JSON. A JSON integer is read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::platforms::gamma) struct Id(u64);

impl Id {
    /// Reads a positive 64-bit integer in its shortest form.
    pub(in crate::platforms::gamma) fn parse(text: &str) -> Option<Id> {
        let number = text.parse::<u64>().ok().filter(|number| *number > 0)?;
        (number.to_string() == text).then_some(Id(number))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Id::parse(raw.get().trim_matches('"')).ok_or_else(|| de::Error::custom("not an id"))
    }
}

/// Money in major units: a JSON number, written and read digit by digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::platforms::gamma) struct Amount(pub(in crate::platforms::gamma) Decimal);

impl Amount {
    /// Reads the JSON of an amount: a number, or a string that is one. `None` for anything else.
    pub(in crate::platforms::gamma) fn read(raw: &RawValue) -> Option<Amount> {
        let text = raw.get();
        let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte));
        is_number.then(|| decimal_from_number(text).ok().map(Amount)).flatten()
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = RawValue::from_string(self.0.normalize().to_string()).map_err(ser::Error::custom)?;
        digits.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Amount::read(&raw).ok_or_else(|| de::Error::custom("not an amount"))
    }
}

/// A change of a campaign's status: `operation_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::platforms::gamma) enum Operation {
    /// Activates.
    Enable,
    /// Pauses.
    Disable,
    /// Deletes permanently.
    Delete,
}

impl Operation {
    /// The platform's name.
    pub(in crate::platforms::gamma) fn as_str(self) -> &'static str {
        match self {
            Operation::Enable => "ENABLE",
            Operation::Disable => "DISABLE",
            Operation::Delete => "DELETE",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_json_number_that_is_written_digit_by_digit() {
        for (amount, written) in
            [("20.10", "20.1"), ("5000", "5000"), ("0.1", "0.1"), ("12345678901234.99", "12345678901234.99")]
        {
            let amount = Amount(Decimal::from_str_exact(amount).unwrap());
            assert_eq!(serde_json::to_string(&amount).unwrap(), written);
        }
    }

    #[test]
    fn an_amount_is_read_exactly_or_not_at_all() {
        for (json, expected) in [("50", "50"), ("50.0", "50"), ("0.1", "0.1"), ("1e2", "100"), ("\"12.34\"", "12.34")] {
            assert_eq!(serde_json::from_str::<Amount>(json).unwrap().0.to_string(), expected, "{json}");
        }
        for json in ["\"-\"", "\"\"", "\"1_000\"", "true", "[1]", "1e400", "0.12345678901234567890123456789012345"] {
            assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn only_plain_digits_are_an_id() {
        assert_eq!(Id::parse("1801234567890123").map(|id| id.to_string()).as_deref(), Some("1801234567890123"));
        for text in ["", "0", "-1", "+1", "01", "1\"]", "camp_1", "٩", "18446744073709551616", "1.0"] {
            assert_eq!(Id::parse(text), None, "{text}");
        }
        assert_eq!(serde_json::from_str::<Id>("7").unwrap(), serde_json::from_str::<Id>("\"7\"").unwrap());
    }
}
