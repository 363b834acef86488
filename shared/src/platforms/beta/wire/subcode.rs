//! The second number of an error, which says how a token ended.

use crate::platforms::rows::Whole;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A subcode that is there: a number, or text with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::platforms::beta) enum Subcode {
    /// One that can be read.
    Number(i64),
    /// Another form. It is not absent: an error of a token without a subcode leaves the grant alive.
    Unreadable,
}

impl<'de> Deserialize<'de> for Subcode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Subcode, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        let number: Option<Whole> = serde_json::from_str(value.get()).ok();
        Ok(number.map_or(Subcode::Unreadable, |number| Subcode::Number(number.0)))
    }
}
