//! Consents, their grants, and the errors of codes and tokens.

use serde::{Deserialize, Serialize};

/// A person's consent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Consent {
    /// Id of the OAuth client.
    pub(crate) client: String,
    pub(crate) redirect_uri: String,
    pub(crate) scopes: Vec<String>,
    /// Scopes that the person has not ticked, where the platform returns them.
    #[serde(default)]
    pub(crate) declined: Vec<String>,
    /// Ids of the chosen ad accounts.
    pub(crate) accounts: Vec<String>,
    /// PKCE challenge, when the client sent one.
    pub(crate) challenge: Option<String>,
    /// True if the grant gets a refresh token.
    pub(crate) refreshable: bool,
}

/// A consent whose code was exchanged. Every token belongs to a grant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) consent: Consent,
    pub(crate) revoked: bool,
    /// Ad accounts of the consent that the person has lost access to.
    pub(super) lost: Vec<String>,
}

/// The client's side of a code exchange.
pub(crate) struct CodeExchange<'a> {
    pub(crate) code: &'a str,
    pub(crate) client: &'a str,
    pub(crate) redirect_uri: &'a str,
    /// PKCE verifier.
    pub(crate) verifier: Option<&'a str>,
}

/// Reason why a code is rejected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CodeError {
    /// The code is unknown, another client's, expired or used. Clients cannot tell these apart.
    Invalid,
    /// The redirect URI differs from the authorization request's.
    RedirectUri,
    /// The authorization request had a challenge, and the exchange has no verifier.
    VerifierMissing,
    /// The verifier does not match the challenge.
    VerifierMismatch,
    /// The exchange has a verifier, and the authorization request had no challenge: a sign of code injection (RFC 9700
    /// section 4.8.2).
    VerifierUnexpected,
}

/// Reason why a token is rejected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TokenError {
    Unknown,
    Expired,
    Revoked,
}
