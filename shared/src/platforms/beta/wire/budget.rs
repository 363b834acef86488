//! Amounts of the Graph API: counts of Meta's units.

use crate::platforms::beta::money::Units;
use crate::platforms::rows::text_of;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The budget of a row: a string, or an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::platforms::beta) enum Budget {
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

impl<'de> Deserialize<'de> for Budget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Budget, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        if value.get() == "null" {
            return Ok(Budget::Absent);
        }
        let digits = text_of(&value).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        Ok(match digits.and_then(|digits| digits.parse().ok()) {
            Some(0) => Budget::Zero,
            Some(units) => Budget::Set(Units(units)),
            None => Budget::Unreadable,
        })
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}
