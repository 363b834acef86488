//! The issuer's signing keys: ECDSA on P-256 with SHA-256, `ES256` in RFC 7518.

use crate::http::Response;
use crate::oauth::random_token;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING as ES256, EcdsaKeyPair, KeyPair as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The key that signs, and the one before it, which still verifies what it has signed.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct SigningKeys(Vec<SigningKey>);

/// A key pair and its name.
#[derive(Clone, Serialize, Deserialize)]
struct SigningKey {
    kid: String,
    /// PKCS #8 in base64url.
    pkcs8: String,
}

/// A failure of the system, such as no random bytes.
pub(super) struct KeyError;

impl SigningKeys {
    /// Makes a new key, which signs from now on.
    pub(super) fn roll_over(&mut self) -> Result<&str, KeyError> {
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ES256, &SystemRandom::new()).map_err(|_| KeyError)?;
        let kid: String = random_token().chars().take(16).collect();
        self.0.insert(0, SigningKey { kid, pkcs8: URL_SAFE_NO_PAD.encode(pkcs8.as_ref()) });
        self.0.truncate(2);
        self.0.first().map(|key| key.kid.as_str()).ok_or(KeyError)
    }

    /// The key set: RFC 7517, section 5.
    pub(super) fn response(&mut self) -> Response {
        match self.public() {
            Ok(keys) => Response::json(200, &json!({ "keys": keys })),
            Err(KeyError) => Response::new(500, "text/plain", "the issuer could not make a key"),
        }
    }

    /// Signs a text; returns the name of the key and the signature in base64url.
    pub(super) fn sign(&mut self, text: impl FnOnce(&str) -> String) -> Result<String, KeyError> {
        self.ensure_key()?;
        let key = self.0.first().ok_or(KeyError)?;
        let text = text(&key.kid);
        let signature = key.pair()?.sign(&SystemRandom::new(), text.as_bytes()).map_err(|_| KeyError)?;
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref())))
    }

    fn public(&mut self) -> Result<Vec<Value>, KeyError> {
        self.ensure_key()?;
        self.0.iter().map(SigningKey::public).collect()
    }

    fn ensure_key(&mut self) -> Result<(), KeyError> {
        if self.0.is_empty() { self.roll_over().map(|_| ()) } else { Ok(()) }
    }
}

impl SigningKey {
    fn pair(&self) -> Result<EcdsaKeyPair, KeyError> {
        let pkcs8 = URL_SAFE_NO_PAD.decode(&self.pkcs8).map_err(|_| KeyError)?;
        EcdsaKeyPair::from_pkcs8(&ES256, &pkcs8, &SystemRandom::new()).map_err(|_| KeyError)
    }

    /// The public key: RFC 7518, section 6.2. `ring` writes the point as 4, x and y.
    fn public(&self) -> Result<Value, KeyError> {
        let pair = self.pair()?;
        let point = pair.public_key().as_ref();
        let (x, y) = (point.get(1..33).ok_or(KeyError)?, point.get(33..65).ok_or(KeyError)?);
        let [x, y] = [x, y].map(|half| URL_SAFE_NO_PAD.encode(half));
        Ok(json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid, "x": x, "y": y }))
    }
}
