//! The state of the issuer.

use super::id_token::Fault;
use super::keys::SigningKeys;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// First part of the issuer's paths.
pub(crate) const NAME: &str = "oidc";

/// Lifetime of a code: RFC 6749, section 4.1.2, allows ten minutes at most.
const CODE_LIFETIME: SignedDuration = SignedDuration::from_secs(60);

/// The issuer's keys and open codes.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Oidc {
    pub(super) keys: SigningKeys,
    codes: BTreeMap<String, Authentication>,
    /// The mistake that every ID token has until a reset.
    #[serde(skip)]
    pub(super) fault: Option<Fault>,
}

/// A sign-in between the page and the token endpoint.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Authentication {
    pub(super) email: String,
    pub(super) redirect_uri: String,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: String,
    pub(super) at: Timestamp,
}

impl Oidc {
    /// Clears the settings for tests; keys and codes stay.
    pub(crate) fn reset(&mut self) {
        self.fault = None;
    }

    pub(super) fn issue(&mut self, code: String, authentication: Authentication) {
        let oldest = authentication.at - CODE_LIFETIME;
        self.codes.retain(|_, other| other.at >= oldest);
        self.codes.insert(code, authentication);
    }

    /// Takes a code: it works once, and for a minute.
    pub(super) fn redeem(&mut self, code: &str, now: Timestamp) -> Option<Authentication> {
        self.codes.remove(code).filter(|authentication| now <= authentication.at + CODE_LIFETIME)
    }
}
