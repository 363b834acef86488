//! The second number of an error. It says why a token is no longer valid.

use crate::platforms::rows::Whole;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A subcode that is present: a number, or a string with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::platforms::beta) enum Subcode {
    /// A readable one.
    Number(i64),
    /// Another form. It is not the same as absent: a token error without a subcode does not end the grant.
    Unreadable,
}

impl<'de> Deserialize<'de> for Subcode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Subcode, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        let number: Option<Whole> = serde_json::from_str(value.get()).ok();
        Ok(number.map_or(Subcode::Unreadable, |number| Subcode::Number(number.0)))
    }
}
