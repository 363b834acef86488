//! Reading rows of lists so that one odd field does not cost the page.

use crate::domain::money::decimal_from_number;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A whole number of a platform, written as a JSON number or as text: an amount in micros, a time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(pub i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        whole(raw.get()).map(Whole).ok_or_else(|| D::Error::custom("not a whole number"))
    }
}

fn whole(json: &str) -> Option<i64> {
    let text = json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(json);
    // The decimal parser takes more than JSON does.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || b"-+.eE".contains(&byte)) {
        return None;
    }
    let number = decimal_from_number(text).ok().filter(|number| number.fract().is_zero())?;
    i64::try_from(number).ok()
}

/// Reads an optional field of a row: a value of another type counts as absent, because it must not cost the whole page.
/// Not for a field that decides whose row it is, or which campaign came of a create.
pub fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let raw = Option::<Box<RawValue>>::deserialize(deserializer)?;
    Ok(raw.and_then(|raw| serde_json::from_str(raw.get()).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_read_from_a_number_or_a_text() {
        let read = |json: &str| serde_json::from_str::<Whole>(json).ok().map(|whole| whole.0);
        for (json, expected) in [("7", 7), ("\"7\"", 7), ("-1", -1), ("5e6", 5_000_000), ("\"7.0\"", 7)] {
            assert_eq!(read(json), Some(expected), "{json}");
        }
        for json in ["1.5", "\"\"", "\"x\"", "\"1_0\"", "true", "null", "[]", "1e30", "\"9223372036854775808\""] {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn an_optional_field_of_another_type_counts_as_absent() {
        #[derive(Deserialize)]
        struct Row {
            #[serde(default, deserialize_with = "lenient")]
            name: Option<String>,
        }
        let read = |json: &str| serde_json::from_str::<Row>(json).unwrap().name;
        assert_eq!(read(r#"{"name":"a"}"#).as_deref(), Some("a"));
        for json in ["{}", r#"{"name":null}"#, r#"{"name":7}"#, r#"{"name":{"a":[]}}"#] {
            assert_eq!(read(json), None, "{json}");
        }
    }
}
