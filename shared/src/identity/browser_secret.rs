//! The secret that binds a sign-in to the browser that began it.
//!
//! The browser keeps it in a cookie for the time of the sign-in. The PKCE verifier and the nonce derive from it and the
//! state, so the table stores neither, and a callback in another browser fails. Two tabs share the secret.

use crate::domain::sha256_hex;
use crate::vault::{VaultError, random_token};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};

/// Length of the text: 256 bits in base64url.
const LENGTH: usize = 43;

/// The secret. `Debug` does not print it.
#[derive(Debug)]
pub struct BrowserSecret(SecretString);

impl BrowserSecret {
    /// Generates a secret.
    pub fn generate() -> Result<BrowserSecret, VaultError> {
        random_token().map(BrowserSecret)
    }

    /// Parses the value of a cookie.
    pub fn parse(text: &str) -> Option<BrowserSecret> {
        let is_secret =
            text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        is_secret.then(|| BrowserSecret(text.into()))
    }

    /// The value of the cookie.
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    /// The stored form.
    pub fn hash(&self) -> String {
        sha256_hex(self.reveal())
    }

    /// The PKCE verifier of a sign-in (RFC 7636, section 4.1).
    pub fn verifier(&self, state: &SecretString) -> SecretString {
        self.derive("verifier", state)
    }

    /// The nonce of a sign-in.
    pub fn nonce(&self, state: &SecretString) -> SecretString {
        self.derive("nonce", state)
    }

    fn derive(&self, purpose: &str, state: &SecretString) -> SecretString {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.reveal().as_bytes());
        let tag = hmac::sign(&key, format!("{purpose}.{}", state.expose_secret()).as_bytes());
        URL_SAFE_NO_PAD.encode(tag).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_in_has_its_own_verifier_and_nonce() {
        let secret = BrowserSecret::generate().unwrap();
        let again = BrowserSecret::parse(secret.reveal()).unwrap();
        let (one, two) = ("one".into(), "two".into());
        let shown = |text: SecretString| text.expose_secret().to_owned();
        assert_eq!(shown(secret.verifier(&one)), shown(again.verifier(&one)));
        let all = [secret.verifier(&one), secret.verifier(&two), secret.nonce(&one), secret.nonce(&two)].map(shown);
        for (index, text) in all.iter().enumerate() {
            assert!(text.len() == LENGTH && !all[..index].contains(text), "{all:?}");
        }
        assert!(!format!("{secret:?}").contains(secret.reveal()));
    }

    #[test]
    fn other_texts_are_no_secret() {
        for text in ["", "short", &"a".repeat(LENGTH + 1), &"é".repeat(LENGTH), &format!("{};", "a".repeat(42))] {
            assert!(BrowserSecret::parse(text).is_none(), "{text}");
        }
    }
}
