//! One spelling for all JSON texts of the same content.

use super::fields::Entries;
use crate::domain::money::decimal_from_number;
use serde_json::value::RawValue;

/// Bodies of the API nest three values. A deeper value keeps its spelling, which bounds the work for a hostile body.
const MAX_DEPTH: usize = 8;

/// The canonical text of a JSON text: without white space, members in the order of their names, and one spelling for
/// each number and string. `None` for a text that is not JSON or repeats a member.
pub fn canonical_json(text: &str) -> Option<String> {
    canonical_value(serde_json::from_str(text).ok()?, MAX_DEPTH)
}

fn canonical_value(value: &RawValue, depth: usize) -> Option<String> {
    let text = value.get();
    let depth = depth.checked_sub(1);
    match (text.as_bytes().first()?, depth) {
        (b'{', Some(depth)) => canonical_object(text, depth),
        (b'[', Some(depth)) => {
            let values: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            let values: Option<Vec<String>> = values.into_iter().map(|value| canonical_value(value, depth)).collect();
            Some(format!("[{}]", values?.join(",")))
        }
        (b'"', _) => canonical_string(&serde_json::from_str::<String>(text).ok()?),
        // A number beyond our decimals keeps its digits: it is never rounded to another one.
        (b'-' | b'0'..=b'9', _) => {
            Some(decimal_from_number(text).map_or_else(|_| text.to_owned(), |number| number.to_string()))
        }
        _ => Some(text.to_owned()),
    }
}

fn canonical_object(text: &str, depth: usize) -> Option<String> {
    let Entries(mut members) = serde_json::from_str(text).ok()?;
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    if members.windows(2).any(|pair| matches!(pair, [(one, _), (other, _)] if one == other)) {
        return None;
    }
    let member = |(name, value): (String, &RawValue)| {
        Some(format!("{}:{}", canonical_string(&name)?, canonical_value(value, depth)?))
    };
    let members: Option<Vec<String>> = members.into_iter().map(member).collect();
    Some(format!("{{{}}}", members?.join(",")))
}

fn canonical_string(text: &str) -> Option<String> {
    serde_json::to_string(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_has_one_spelling() {
        for (text, expected) in [
            (r#" { "b" : [ 1 , true ] , "a" : null } "#, r#"{"a":null,"b":[1,true]}"#),
            (r#"{"a":{"d":1,"c":2}}"#, r#"{"a":{"c":2,"d":1}}"#),
            (r#"[50, 50.0, 5e1, 50.00, 0.5E2]"#, "[50,50,50,50,50]"),
            ("[0, -0, 0.0, 0e5]", "[0,0,0,0]"),
            (r#"["\u0041\/\n", "A/\u000a"]"#, r#"["A/\n","A/\n"]"#),
            (r#"{"\u0062":1,"a":2}"#, r#"{"a":2,"b":1}"#),
        ] {
            assert_eq!(canonical_json(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn different_content_has_different_spellings() {
        for (one, other) in [
            ("1", r#""1""#),
            ("1", "-1"),
            ("0.1", "0.10000000000000000000000000001"),
            ("100000000000000000000000000000000", "100000000000000000000000000000001"),
            ("[1,2]", "[2,1]"),
            ("[[1]]", "[1]"),
            (r#"{"a":1}"#, r#"{"A":1}"#),
            (r#"{"a":"b"}"#, r#"{"a":"b "}"#),
            (r#"{"a":null}"#, "{}"),
        ] {
            assert_ne!(canonical_json(one), canonical_json(other), "{one}");
        }
    }

    #[test]
    fn a_text_that_is_ambiguous_or_no_json_has_no_spelling() {
        for text in ["", "{", "01", "{} {}", r#"{"a":1,"a":1}"#, r#"{"a":1,"\u0061":2}"#, r#""\ud800""#] {
            assert_eq!(canonical_json(text), None, "{text}");
        }
    }

    #[test]
    fn a_deep_value_keeps_its_spelling() {
        let deep = format!("{}[ 1 ]{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(canonical_json(&deep), Some(deep));
    }
}
