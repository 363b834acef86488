//! Removal of API keys from texts.

use super::api_key::KEY_LENGTH;

/// Replaces everything in a text that has the form of a key. Callers put keys into paths by mistake.
pub fn redact_keys(text: &str) -> String {
    let is_key = |text: &str| {
        let rest = text.strip_prefix("uac_live_").or_else(|| text.strip_prefix("uac_test_"));
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let mut redacted = String::new();
    let mut rest = text;
    while let Some((before, _)) = rest.split_once("uac_") {
        redacted.push_str(before);
        let from = &rest[before.len()..];
        let key = from.get(..KEY_LENGTH).filter(|text| is_key(text));
        redacted.push_str(if key.is_some() { "(key)" } else { "uac_" });
        rest = &from[key.map_or("uac_".len(), str::len)..];
    }
    redacted + rest
}

#[cfg(test)]
mod tests {
    use super::super::{ApiKey, Mode};
    use super::*;
    use crate::domain::CustomerId;
    use uuid::Uuid;

    #[test]
    fn a_key_is_redacted_at_any_position() {
        let key = ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Test).unwrap();
        let key = key.reveal();
        assert_eq!(key.len(), KEY_LENGTH);
        for (text, shown) in [
            (format!("/v1/{key}"), "/v1/(key)"),
            (format!("/v1/x-{key};/{key}{key}"), "/v1/x-(key);/(key)(key)"),
            ("/v1/uac_live_short/uac_".to_owned(), "/v1/uac_live_short/uac_"),
            (format!("é{key}é"), "é(key)é"),
            (format!("uac_{}é", "é".repeat(40)), &format!("uac_{}é", "é".repeat(40))),
        ] {
            assert_eq!(redact_keys(&text), shown);
        }
    }
}
