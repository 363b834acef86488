//! The issuer's public keys: a JSON Web Key Set (RFC 7517).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::Value;

/// The algorithms that an ID token may have. A key has exactly one, so a token cannot choose another for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 bits at least.
    Rs256,
}

impl Algorithm {
    /// Parses the name of RFC 7518, section 3.1. Every other name, `none` and `HS256` included, is not allowed.
    pub(super) fn parse(name: &str) -> Option<Algorithm> {
        match name {
            "ES256" => Some(Algorithm::Es256),
            "RS256" => Some(Algorithm::Rs256),
            _ => None,
        }
    }
}

/// The keys that can verify ID tokens.
#[derive(Clone, Debug)]
pub(super) struct KeySet(Vec<PublicKey>);

/// A key and its name.
#[derive(Clone, Debug)]
pub(super) struct PublicKey {
    kid: Option<String>,
    material: Material,
}

#[derive(Clone, Debug)]
enum Material {
    /// The uncompressed point.
    Ec(Vec<u8>),
    /// Modulus and exponent.
    Rsa { n: Vec<u8>, e: Vec<u8> },
}

/// A key as published.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    n: Option<String>,
    e: Option<String>,
}

impl KeySet {
    /// Parses a key set. Keys of other kinds are left out (RFC 7517, section 5); `None` without a list of keys.
    pub(super) fn parse(document: &Value) -> Option<KeySet> {
        let keys = document.get("keys")?.as_array()?;
        Some(KeySet(keys.iter().filter_map(PublicKey::parse).collect()))
    }

    /// The key of a token. Without a `kid` the choice must be unambiguous (Core 1.0, section 10.1).
    pub(super) fn find(&self, kid: Option<&str>, algorithm: Algorithm) -> Option<&PublicKey> {
        let mut matching = self.0.iter().filter(|key| key.algorithm() == algorithm);
        match kid {
            Some(kid) => matching.find(|key| key.kid.as_deref() == Some(kid)),
            None => {
                let only = matching.next();
                if matching.next().is_none() { only } else { None }
            }
        }
    }
}

impl PublicKey {
    fn parse(jwk: &Value) -> Option<PublicKey> {
        let jwk = Jwk::deserialize(jwk).ok()?;
        let decode = |part: &Option<String>| URL_SAFE_NO_PAD.decode(part.as_deref()?).ok();
        let material = match (jwk.kty.as_str(), jwk.crv.as_deref()) {
            ("EC", Some("P-256")) => {
                let (x, y) = (decode(&jwk.x)?, decode(&jwk.y)?);
                let is_point = x.len() == 32 && y.len() == 32;
                is_point.then(|| Material::Ec([vec![4], x, y].concat()))?
            }
            ("RSA", _) => Material::Rsa { n: decode(&jwk.n)?, e: decode(&jwk.e)? },
            _ => return None,
        };
        let key = PublicKey { kid: jwk.kid, material };
        let has_algorithm = jwk.alg.is_none_or(|alg| Algorithm::parse(&alg) == Some(key.algorithm()));
        let is_for_signatures = jwk.usage.is_none_or(|usage| usage == "sig");
        (has_algorithm && is_for_signatures).then_some(key)
    }

    fn algorithm(&self) -> Algorithm {
        match self.material {
            Material::Ec(_) => Algorithm::Es256,
            Material::Rsa { .. } => Algorithm::Rs256,
        }
    }

    /// Whether a signature of this key belongs to a text.
    pub(super) fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        let verified = match &self.material {
            Material::Ec(point) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(text, signature),
            Material::Rsa { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, text, signature)
            }
        };
        verified.is_ok()
    }
}
