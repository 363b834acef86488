//! The errors of an invalid API key, one for each case, and of a person who only looks.

use super::api_key::KEY_LENGTH;
use super::{AccessToken, ApiKey, Mode, PresentedKey};
use crate::domain::{ApiKeys, Reason, Statement};
use crate::error::{Error, Kind};
use jiff::Timestamp;

/// The error for a request without a key. `place` says where it belongs: `in the X-API-Key header`.
pub fn missing_key(place: &str, has_authorization: bool) -> Error {
    let message = if has_authorization {
        format!("The API key is missing: Authorization has no bearer token. Send the key {place}.")
    } else {
        format!("The API key is missing. Send it {place}.")
    };
    unauthorized(Reason::KeyMissing, message)
}

/// The error for two different keys.
pub fn two_keys(place: &str) -> Error {
    unauthorized(Reason::KeyMalformed, format!("Two different API keys were sent. Send one, {place}."))
}

/// The error for a text that is no key. The text is not repeated.
pub fn malformed_key(text: &str, place: &str) -> Error {
    let [live, test] = [Mode::Live, Mode::Test].map(Mode::prefix);
    let length = text.chars().count();
    let message = if AccessToken::has_form(text) {
        "This is the access token of an assistant, which works at /v1/mcp only. Send an API key here.".to_owned()
    } else if text.is_empty() || text.contains(',') {
        format!("The API key is empty, or was sent more than once. Send it once, {place}.")
    } else if text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")) {
        "The X-API-Key header holds the API key alone. Send it without Bearer.".to_owned()
    } else if !ApiKey::has_prefix(text) {
        format!("This is no API key of this service: one begins with {live} or {test}. Send a key {place}.")
    } else if length < KEY_LENGTH {
        format!("The API key is cut off: it has {length} characters, and a whole one has {KEY_LENGTH}. Copy it again.")
    } else if length > KEY_LENGTH {
        format!("The API key is too long: it has {length} characters, and a key has {KEY_LENGTH}. Copy it alone.")
    } else {
        "The API key has a wrong character: its checksum does not fit. Copy it again.".to_owned()
    };
    unauthorized(Reason::KeyMalformed, message)
}

/// The error for a well-formed key of a customer that does not exist.
pub fn unknown_key() -> Error {
    let message = "This API key is not known here. It may be one of another installation, or of a deleted account; use a \
                   key of this one.";
    unauthorized(Reason::KeyUnknown, message)
}

/// The error for a key that is none of the customer's valid ones. Only the holder, who has the whole secret, learns
/// that a key is stopped or expired.
pub fn invalid_key(keys: &ApiKeys, key: &PresentedKey, now: Timestamp) -> Error {
    if let Some(stopped_at) = keys.stopped_at(&key.hash, now) {
        return Error::stopped(stopped_at);
    }
    match keys.expired_at(&key.hash, now) {
        Some(end) => {
            let message = format!(
                "This API key expired at {end:.0}. Use another one, or create one on the dashboard's page \"API keys\"."
            );
            unauthorized(Reason::KeyExpired, message)
        }
        None if key.is_of_assistant => ended_sign_in(),
        None => {
            let message = "This API key is not valid any more: it was rotated or deleted. Use the key that replaced it, or \
                           create one on the dashboard's page \"API keys\".";
            unauthorized(Reason::KeyRevoked, message)
        }
    }
}

/// The error for an assistant's token that has ended, or that this service has not made. It says neither which, nor why:
/// its sender has proved nothing.
pub fn ended_sign_in() -> Error {
    let message = "This sign-in has ended. Connect the assistant again; its person signs in and says what it may do.";
    unauthorized(Reason::KeyRevoked, message)
}

/// The error for a tool that changes something, of an assistant whose person lets it only look. It is for the host, which
/// can ask the person for more.
pub fn assistant_only_looks() -> Error {
    let message = "This assistant only looks: its person has not allowed it to change campaigns. Nothing was sent. The person \
                   can allow it by connecting the assistant again.";
    Error::new(Kind::Forbidden, message).because(Reason::ScopeMissing)
}

/// The error for a person who asks for a change and only looks (D176).
pub fn only_looks() -> Error {
    let message = "You look at this account, and change nothing in it. An owner of the account can change your role.";
    Error::new(Kind::Forbidden, message)
}

fn unauthorized(reason: Reason, message: impl Into<Statement>) -> Error {
    Error::new(Kind::Unauthorized, message).because(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ApiKeyInfo, CustomerId, KeyId};
    use uuid::Uuid;

    const PLACE: &str = "in the X-API-Key header";
    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn key() -> ApiKey {
        ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Test).unwrap()
    }

    #[test]
    fn each_kind_of_malformed_key_has_its_own_sentence() {
        let good = key().reveal().to_owned();
        let wrong = format!("{}{}", &good[..68], if good.ends_with('0') { '1' } else { '0' });
        for (text, part) in [
            ("", "empty"),
            (format!("{good},{good}").as_str(), "more than once"),
            (&format!("Bearer {good}"), "without Bearer"),
            ("sk_live_1", "begins with uac_live_ or uac_test_"),
            (&good[..40], "cut off: it has 40 characters"),
            (&format!("{good}0"), "too long: it has 70 characters"),
            (&wrong, "wrong character"),
            ("é", "begins with"),
        ] {
            let error = malformed_key(text, PLACE);
            assert!(error.message.contains(part), "{text}: {}", error.message);
            assert!(text.len() < 9 || !error.message.contains(text), "the text is not repeated");
            assert_eq!((error.kind, error.reason()), (Kind::Unauthorized, Reason::KeyMalformed), "{text}");
        }
        assert_eq!(missing_key(PLACE, false).reason(), Reason::KeyMissing);
        assert!(missing_key(PLACE, true).message.contains("has no bearer token"));
    }

    #[test]
    fn an_expired_a_stopped_and_a_rotated_key_have_different_errors() {
        let (known, other) = (key(), key());
        let info = ApiKeyInfo::unlimited(KeyId("1".into()), "Shop", known.hash(), known.display(), NOW);
        let keys = |info: ApiKeyInfo| ApiKeys::new(vec![info]);
        let expired = keys(ApiKeyInfo { expires_at: Some(NOW), ..info.clone() });
        let stopped = keys(ApiKeyInfo { stopped_at: Some(NOW), ..info });
        let [known, other] = [known, other].map(|key| PresentedKey::from(&key));
        assert_eq!(invalid_key(&expired, &known, NOW).reason(), Reason::KeyExpired);
        assert_eq!(invalid_key(&stopped, &known, NOW).reason(), Reason::KeyStopped);
        for keys in [expired, stopped] {
            assert_eq!(invalid_key(&keys, &other, NOW).reason(), Reason::KeyRevoked);
        }
    }
}
