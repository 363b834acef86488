//! Encrypts tokens and the secrets of webhook endpoints for the store: AES-256-GCM with a key ring, each value bound to its record and field.
//!
//! Format: `v1.{key id}.{nonce}.{ciphertext and tag}`, the last two in base64url. Nonces are random, which is safe for
//! 2^32 values per key (NIST SP 800-38D 8.3).

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::collections::HashMap;

/// The key ring as stored in Secrets Manager: `{"active": "k1", "keys": {"k1": "<32 bytes in base64>"}}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRing {
    active: String,
    keys: HashMap<String, SecretString>,
}

/// Encrypts (seals) and decrypts (opens) values.
pub struct Vault {
    active: String,
    keys: HashMap<String, LessSafeKey>,
    random: SystemRandom,
}

/// The place of a sealed value. It can be opened only with the same binding.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    pub customer: &'a str,
    /// The record: a grant, a pending authorization, or a webhook endpoint.
    pub record: &'a str,
    pub field: &'a str,
}

/// The outcome of resealing the values of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reseal {
    /// All are already sealed with the active key.
    Current,
    /// All were resealed.
    Renewed,
    /// The record was changed or deleted concurrently; nothing was written.
    Superseded,
}

/// The reason why a key ring or a value is rejected. Contains nothing of the value.
#[derive(Debug, PartialEq, Eq)]
pub enum VaultError {
    /// The key ring has no active key, or a key is not 32 bytes of base64.
    BadKeyRing,
    /// The key of the value is not in the key ring.
    UnknownKey,
    /// The key of the value is not in the key ring in use, and reading a newer one failed.
    NewerRingUnavailable,
    /// The value was altered, has another binding, or is not a sealed value.
    InvalidValue,
    /// The system supplied no random bytes.
    NoRandomness,
}

impl std::fmt::Display for VaultError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            VaultError::BadKeyRing => {
                "the token key ring must have an active key, and every key must be 32 bytes in base64"
            }
            VaultError::UnknownKey => "the key of a sealed value is not in the key ring",
            VaultError::NewerRingUnavailable => {
                "the key of a sealed value is in a newer key ring, which could not be read"
            }
            VaultError::InvalidValue => "a sealed value cannot be opened",
            VaultError::NoRandomness => "the system supplied no random bytes",
        })
    }
}

impl std::error::Error for VaultError {}

impl Vault {
    /// Validates and decodes the keys.
    pub fn new(ring: &KeyRing) -> Result<Vault, VaultError> {
        let mut keys = HashMap::new();
        for (id, encoded) in &ring.keys {
            let bytes = STANDARD.decode(encoded.expose_secret()).map_err(|_| VaultError::BadKeyRing)?;
            let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| VaultError::BadKeyRing)?;
            keys.insert(id.clone(), LessSafeKey::new(key));
        }
        // A dot would end the key id within a sealed value.
        if !keys.contains_key(&ring.active) || keys.keys().any(|id| id.contains('.')) {
            return Err(VaultError::BadKeyRing);
        }
        Ok(Vault { active: ring.active.clone(), keys, random: SystemRandom::new() })
    }

    /// Seals a secret for one field of one record, with the active key.
    pub fn seal(&self, binding: Binding<'_>, secret: &SecretString) -> Result<String, VaultError> {
        let key = self.keys.get(&self.active).ok_or(VaultError::BadKeyRing)?;
        let mut nonce = [0; NONCE_LEN];
        self.random.fill(&mut nonce).map_err(|_| VaultError::NoRandomness)?;
        let mut sealed = secret.expose_secret().as_bytes().to_vec();
        let aad = associated_data(binding, &self.active);
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .map_err(|_| VaultError::NoRandomness)?;
        let (nonce, sealed) = (URL_SAFE_NO_PAD.encode(nonce), URL_SAFE_NO_PAD.encode(sealed));
        Ok(format!("v1.{}.{nonce}.{sealed}", self.active))
    }

    /// Whether a value is sealed with the active key.
    pub fn is_current(&self, sealed: &str) -> bool {
        sealed.split('.').nth(1) == Some(self.active.as_str())
    }

    /// Opens a value that was sealed with the same binding and any key of the key ring.
    pub fn open(&self, binding: Binding<'_>, sealed: &str) -> Result<SecretString, VaultError> {
        let mut parts = sealed.split('.');
        let (Some("v1"), Some(id), Some(nonce), Some(body), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(VaultError::InvalidValue);
        };
        let key = self.keys.get(id).ok_or(VaultError::UnknownKey)?;
        let nonce = URL_SAFE_NO_PAD.decode(nonce).map_err(|_| VaultError::InvalidValue)?;
        let nonce = Nonce::try_assume_unique_for_key(&nonce).map_err(|_| VaultError::InvalidValue)?;
        let mut body = URL_SAFE_NO_PAD.decode(body).map_err(|_| VaultError::InvalidValue)?;
        let plain =
            key.open_in_place(nonce, associated_data(binding, id), &mut body).map_err(|_| VaultError::InvalidValue)?;
        let text = std::str::from_utf8(plain).map_err(|_| VaultError::InvalidValue)?;
        Ok(SecretString::from(text))
    }
}

/// 256 random bits in base64url, 43 characters: an OAuth state or a PKCE verifier (RFC 7636 4.1).
pub fn random_token() -> Result<SecretString, VaultError> {
    Ok(URL_SAFE_NO_PAD.encode(random_key()?).into())
}

/// 256 random bits.
pub fn random_key() -> Result<[u8; 32], VaultError> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| VaultError::NoRandomness)?;
    Ok(bytes)
}

// Each part is prefixed with its length, so that different bindings never produce the same data.
fn associated_data(binding: Binding<'_>, key_id: &str) -> Aad<String> {
    let parts = [binding.customer, binding.record, binding.field, key_id];
    Aad::from(parts.iter().map(|part| format!("{}:{part}|", part.len())).collect())
}

#[cfg(test)]
mod tests;
