//! Removal of API keys and of the tokens of assistants from texts.

use super::api_key::{ApiKey, KEY_LENGTH};
use super::assistant_token::token_length;

/// Replaces everything in a text that has the form of a key or of a token. Callers put them into paths by mistake.
pub fn redact_keys(text: &str) -> String {
    let mut redacted = String::new();
    let mut rest = text;
    // All begin with it.
    while let Some((before, _)) = rest.split_once("ua") {
        redacted.push_str(before);
        let from = &rest[before.len()..];
        let (shown, length) = match (key_length(from), token_length(from)) {
            (Some(length), _) => ("(key)", length),
            (None, Some(length)) => ("(token)", length),
            (None, None) => ("ua", "ua".len()),
        };
        redacted.push_str(shown);
        rest = &from[length..];
    }
    redacted + rest
}

/// The length of the key at the start of a text, also with a wrong checksum.
fn key_length(text: &str) -> Option<usize> {
    let key = text.get(..KEY_LENGTH)?;
    let mut digits = key.bytes().skip("uac_live_".len());
    (ApiKey::has_prefix(key) && digits.all(|byte| byte.is_ascii_alphanumeric())).then_some(KEY_LENGTH)
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
            (format!("quality/ua{key}"), "quality/ua(key)"),
        ] {
            assert_eq!(redact_keys(&text), shown);
        }
    }

    #[test]
    fn a_token_of_an_assistant_is_redacted_to_its_end() {
        for kind in ["uao_live_", "uat_test_", "uar_live_"] {
            let token = format!("{kind}{}.v1.k1.AbC-_9.x", Uuid::from_u128(7).simple());
            for (text, shown) in [
                (format!("/v1/{token}/a"), "/v1/(token)/a"),
                (format!("x{token}?{token}"), "x(token)?(token)"),
                (format!("{token}é"), "(token)é"),
            ] {
                assert_eq!(redact_keys(&text), shown);
            }
            for none in [format!("{kind}x"), format!("{kind}{}.", Uuid::nil().simple()), kind.replace('_', "-")] {
                assert_eq!(redact_keys(&none), none);
            }
        }
    }
}
