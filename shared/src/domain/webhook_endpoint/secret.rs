//! The secrets that sign what an endpoint receives, by the specification of Standard Webhooks
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

const PREFIX: &str = "whsec_";
/// Length of the key, in bytes. The specification asks for 24 to 64.
const KEY_BYTES: usize = 32;

/// How long the previous secret of an endpoint still signs after a rotation.
pub const SECRET_OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// A secret: `whsec_` and 32 bytes in Base64. It neither prints nor serializes.
#[derive(Clone, Debug)]
pub struct WebhookSecret(SecretString);

impl WebhookSecret {
    /// The secret of a key.
    pub fn from_key(key: [u8; KEY_BYTES]) -> WebhookSecret {
        WebhookSecret(format!("{PREFIX}{}", STANDARD.encode(key)).into())
    }

    /// Parses a secret; `None` for any other text.
    pub fn parse(text: SecretString) -> Option<WebhookSecret> {
        let secret = WebhookSecret(text);
        secret.key().map(|_| secret)
    }

    /// The secret as text. It is shown once, at creation and at rotation.
    pub fn reveal(&self) -> &SecretString {
        &self.0
    }

    /// The key of HMAC-SHA256; `None` only for a text that is no secret.
    pub fn key(&self) -> Option<[u8; KEY_BYTES]> {
        let encoded = self.0.expose_secret().strip_prefix(PREFIX)?;
        STANDARD.decode(encoded).ok()?.try_into().ok()
    }
}

/// An encrypted secret, as the table has it.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret(pub String);

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSecret")
    }
}

/// The secrets of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSecrets {
    pub current: SealedSecret,
    /// That before the last rotation.
    pub previous: Option<PreviousSecret>,
}

/// The secret before a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousSecret {
    pub secret: SealedSecret,
    /// It signs until then.
    pub until: Timestamp,
}

impl EndpointSecrets {
    /// The secrets that sign at a time, newest first.
    pub fn signing(&self, now: Timestamp) -> impl Iterator<Item = &SealedSecret> {
        let previous = self.previous.as_ref().filter(|previous| now < previous.until);
        [Some(&self.current), previous.map(|previous| &previous.secret)].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_its_prefix_and_its_key_in_base64() {
        let secret = WebhookSecret::from_key([0xfb; 32]);
        assert_eq!(secret.reveal().expose_secret(), "whsec_+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=");
        assert_eq!(secret.key(), Some([0xfb; 32]));
        let again = WebhookSecret::parse(secret.reveal().clone()).unwrap();
        assert_eq!(again.key(), secret.key());
        for other in ["", "whsec_", "whsec_AAAA", "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s="] {
            assert!(WebhookSecret::parse(other.into()).is_none(), "{other}");
        }
    }

    #[test]
    fn debug_prints_no_secret_even_an_encrypted_one() {
        let secret = WebhookSecret::from_key([0xfb; 32]);
        assert!(!format!("{secret:?}").contains("+/v7"));
        let previous = PreviousSecret { secret: SealedSecret("canary".to_owned()), until: Timestamp::UNIX_EPOCH };
        let secrets = EndpointSecrets { current: SealedSecret("canary".to_owned()), previous: Some(previous) };
        assert!(!format!("{secrets:?}").contains("canary"));
    }

    #[test]
    fn the_previous_secret_signs_until_its_end() {
        let [current, previous] = ["new", "old"].map(|text| SealedSecret(text.to_owned()));
        let rotated_at = Timestamp::UNIX_EPOCH;
        let until = rotated_at + SECRET_OVERLAP;
        let secret = previous.clone();
        let secrets = EndpointSecrets { current: current.clone(), previous: Some(PreviousSecret { secret, until }) };
        let at = |now: Timestamp| secrets.signing(now).collect::<Vec<_>>();
        assert_eq!(at(rotated_at), [&current, &previous]);
        assert_eq!(at(until - SignedDuration::from_millis(1)), [&current, &previous]);
        assert_eq!(at(until), [&current]);
        let never = EndpointSecrets { current: current.clone(), previous: None };
        assert_eq!(never.signing(rotated_at).collect::<Vec<_>>(), [&current]);
    }
}
