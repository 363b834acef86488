//! Generates the secrets of a data folder.

use crate::error::StartError;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;

/// A token key ring with one random key.
pub(super) fn key_ring() -> Result<String, StartError> {
    Ok(json!({ "active": "k1", "keys": { "k1": STANDARD.encode(random()?) } }).to_string())
}

/// A signing secret in the payment provider's form.
pub(super) fn webhook_secret() -> Result<String, StartError> {
    Ok(format!("whsec_{}", URL_SAFE_NO_PAD.encode(random()?)))
}

/// A token for the ports of a data folder.
pub(crate) fn token() -> Result<String, StartError> {
    Ok(URL_SAFE_NO_PAD.encode(random()?))
}

fn random() -> Result<[u8; 32], StartError> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| StartError::no_randomness())?;
    Ok(bytes)
}
