//! Single values: ids, amounts, times and statuses.

use crate::error::Error;
use crate::platforms::rows::decimal;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use std::fmt;

// `operation_status` of an active, a paused and a deleted campaign. A deletion is permanent.
pub(in crate::platforms::gamma) const ENABLE: &str = "ENABLE";
pub(in crate::platforms::gamma) const DISABLE: &str = "DISABLE";
pub(in crate::platforms::gamma) const DELETE: &str = "DELETE";

/// Reads a time, which is in UTC (TikTok API for Business: Create an Upgraded Smart+ Campaign, Response); `None` where
/// it has another format.
pub(in crate::platforms::gamma) fn instant(text: &str) -> Option<Timestamp> {
    let time = DateTime::strptime("%Y-%m-%d %H:%M:%S", text).ok()?;
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

    /// The id of a campaign that a caller names. Any other text names no campaign.
    pub(in crate::platforms::gamma) fn of_campaign(remote_id: &str) -> Result<Id, Error> {
        Id::parse(remote_id).ok_or_else(|| Error::not_found("campaign"))
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
    /// Reads a JSON number, or a string that is one; `None` for anything else, and for an amount below zero.
    pub(in crate::platforms::gamma) fn read(raw: &RawValue) -> Option<Decimal> {
        decimal(raw.get()).filter(|amount| !amount.is_sign_negative())
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = RawValue::from_string(self.0.normalize().to_string()).map_err(ser::Error::custom)?;
        digits.serialize(serializer)
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
        let read = |json: &str| Amount::read(&RawValue::from_string(json.to_owned()).unwrap());
        for (json, expected) in [("50", "50"), ("50.0", "50"), ("0.1", "0.1"), ("1e2", "100"), ("\"12.34\"", "12.34")] {
            assert_eq!(read(json).unwrap().to_string(), expected, "{json}");
        }
        for json in ["\"-\"", "\"\"", "\"1_000\"", "true", "[1]", "1e400", "0.12345678901234567890123456789012345"] {
            assert_eq!(read(json), None, "{json}");
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
