//! Verification of ID tokens: Core 1.0, section 3.1.3.7. Pure: keys, time and expectations are arguments.

use super::Identity;
use super::error::TokenError;
use super::key_set::{Algorithm, PublicKey};
use crate::domain::{PersonId, is_invisible};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde::de::IgnoredAny;
use subtle::ConstantTimeEq;

/// Longest token, in bytes.
const MAX_LENGTH: usize = 16 * 1024;
/// The difference of the issuer's clock and ours that is tolerated.
const MAX_SKEW: SignedDuration = SignedDuration::from_secs(60);
/// Longest `sub`, in bytes (Core 1.0, section 2).
const MAX_SUBJECT: usize = 255;

/// The values that a token must have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    /// The longest time since the person authenticated, if the request had a limit.
    pub(super) max_age: Option<SignedDuration>,
    pub(super) now: Timestamp,
}

/// A token before its verification. Its header selects a key; nothing else of it may be used.
pub(super) struct Unverified<'a> {
    pub(super) kid: Option<String>,
    pub(super) algorithm: Algorithm,
    signed: &'a str,
    claims: &'a str,
    signature: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that a reader must understand. None are known here, so such a token is refused (RFC 7515, 4.1.11).
    crit: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    iat: i64,
    nonce: Option<String>,
    auth_time: Option<i64>,
    email: Option<String>,
    email_verified: Option<EmailVerified>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// Cognito sends a boolean as text in some tokens.
#[derive(Deserialize)]
#[serde(untagged)]
enum EmailVerified {
    Boolean(bool),
    Text(String),
}

impl<'a> Unverified<'a> {
    /// Splits a compact JWS (RFC 7515, section 7.1) and reads its header.
    pub(super) fn parse(token: &'a str) -> Result<Unverified<'a>, TokenError> {
        if token.len() > MAX_LENGTH {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| TokenError::Malformed)?;
        let algorithm = Algorithm::parse(&header.alg).ok_or(TokenError::Algorithm)?;
        if header.crit.is_some() {
            return Err(TokenError::Malformed);
        }
        Ok(Unverified { kid: header.kid, algorithm, signed, claims, signature: decode(signature)? })
    }

    /// Verifies the signature, then the claims.
    pub(super) fn verify(&self, key: &PublicKey, expected: &Expected<'_>) -> Result<Identity, TokenError> {
        if !key.verifies(self.signed.as_bytes(), &self.signature) {
            return Err(TokenError::Signature);
        }
        let claims: Claims = serde_json::from_slice(&decode(self.claims)?).map_err(|_| TokenError::Malformed)?;
        claims.check(expected)?;
        claims.into_identity()
    }
}

impl Claims {
    fn check(&self, expected: &Expected<'_>) -> Result<(), TokenError> {
        let at = |second: i64| Timestamp::from_second(second).map_err(|_| TokenError::Malformed);
        if self.iss != expected.issuer {
            return Err(TokenError::Issuer);
        }
        if !self.is_for(expected.client_id) {
            return Err(TokenError::Audience);
        }
        // Only our own time is moved: the token's may lie at the end of all time.
        if at(self.exp)? <= expected.now - MAX_SKEW {
            return Err(TokenError::Expired);
        }
        if at(self.iat)? > expected.now + MAX_SKEW {
            return Err(TokenError::IssuedInFuture);
        }
        let nonce = self.nonce.as_deref().unwrap_or_default();
        if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
            return Err(TokenError::Nonce);
        }
        let Some(max_age) = expected.max_age else { return Ok(()) };
        let authenticated_at = self.auth_time.map(at).transpose()?.ok_or(TokenError::AuthenticationTooOld)?;
        let is_recent = authenticated_at >= expected.now - max_age - MAX_SKEW;
        if is_recent { Ok(()) } else { Err(TokenError::AuthenticationTooOld) }
    }

    /// Whether the token is for a client: among several audiences, `azp` must name it.
    fn is_for(&self, client_id: &str) -> bool {
        let (is_named, needs_azp) = match &self.aud {
            Audience::One(one) => (one == client_id, false),
            Audience::Several(all) => (all.iter().any(|one| one == client_id), all.len() > 1),
        };
        is_named && self.azp.as_deref().map_or(!needs_azp, |azp| azp == client_id)
    }

    fn into_identity(self) -> Result<Identity, TokenError> {
        if self.sub.is_empty() || self.sub.len() > MAX_SUBJECT {
            return Err(TokenError::Malformed);
        }
        // Without the claim nobody says that the address is the person's (Core 1.0, section 5.1).
        let is_verified = match self.email_verified {
            Some(EmailVerified::Boolean(is_verified)) => is_verified,
            Some(EmailVerified::Text(text)) => text == "true",
            None => false,
        };
        let is_readable = |email: &String| !email.contains(is_invisible);
        Ok(Identity {
            person: PersonId::of(&self.iss, &self.sub),
            email: self.email.filter(|email| is_verified && is_readable(email)),
            authenticated_at: self.auth_time.and_then(|second| Timestamp::from_second(second).ok()),
        })
    }
}

/// Base64url without padding (RFC 7515, section 2).
fn decode(part: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)
}
