//! Fields that are read as absent where they are odd, and numbers that may be text.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::value::RawValue;

/// An id: a number, or text that is one.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    number_or_none(deserializer)?.ok_or_else(|| Error::custom("not an id"))
}

/// A whole number, or text that is one; `None` for anything else.
pub(super) fn number_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(raw.get().trim_matches('"').parse().ok())
}

/// A value; `None` where it is null or of another type.
pub(super) fn object_or_none<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_default())
}
