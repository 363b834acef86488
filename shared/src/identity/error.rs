//! The reasons why a sign-in fails. None contains a token, a code or a secret.

use crate::error::{Error, Kind};
use std::fmt;

/// The reason why a sign-in fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInError {
    /// The issuer did not answer, or its answer cannot be used.
    Unavailable(&'static str),
    /// The token endpoint refused the code, with this error code of RFC 6749, section 5.2.
    Refused(String),
    /// The ID token cannot be accepted.
    InvalidToken(TokenFault),
}

/// The check that an ID token fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFault {
    /// It is no JWS with a JSON header and JSON claims.
    Malformed,
    /// Its algorithm is neither ES256 nor RS256.
    Algorithm,
    /// The issuer publishes no such key.
    UnknownKey,
    /// The signature is not the issuer's.
    Signature,
    /// `iss` is not the configured issuer.
    Issuer,
    /// `aud` or `azp` names another client.
    Audience,
    /// `exp` has passed.
    Expired,
    /// `iat` is in the future.
    IssuedInFuture,
    /// `nonce` is not that of the request.
    Nonce,
    /// The person authenticated longer ago than the request allows, or the token does not say when.
    AuthenticationTooOld,
}

impl TokenFault {
    fn as_str(self) -> &'static str {
        match self {
            TokenFault::Malformed => "the ID token is malformed",
            TokenFault::Algorithm => "the ID token's algorithm is not allowed",
            TokenFault::UnknownKey => "the issuer publishes no key with the ID token's kid",
            TokenFault::Signature => "the ID token's signature is wrong",
            TokenFault::Issuer => "the ID token is from another issuer",
            TokenFault::Audience => "the ID token is for another client",
            TokenFault::Expired => "the ID token has expired",
            TokenFault::IssuedInFuture => "the ID token was issued in the future",
            TokenFault::Nonce => "the ID token belongs to another sign-in",
            TokenFault::AuthenticationTooOld => "the ID token's auth_time is missing or too old",
        }
    }
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignInError::Unavailable(reason) => f.write_str(reason),
            SignInError::Refused(code) => write!(f, "the token endpoint refused the code: {code}"),
            SignInError::InvalidToken(fault) => f.write_str(fault.as_str()),
        }
    }
}

impl std::error::Error for SignInError {}

impl From<TokenFault> for SignInError {
    fn from(fault: TokenFault) -> SignInError {
        SignInError::InvalidToken(fault)
    }
}

impl From<SignInError> for Error {
    fn from(error: SignInError) -> Error {
        let message = match error {
            SignInError::Unavailable(_) => "The sign-in service does not answer. Try again in a minute.",
            SignInError::Refused(_) => "The sign-in service did not complete this sign-in. Sign in again.",
            SignInError::InvalidToken(TokenFault::AuthenticationTooOld) => {
                "The sign-in service did not ask for your sign-in again. Sign out there, then sign in again."
            }
            SignInError::InvalidToken(_) => {
                "The answer of the sign-in service could not be verified, so you are not signed in. Sign in again; if \
                 this page returns, tell the operator of this service."
            }
        };
        Error::new(Kind::PlatformFailed, message).caused_by(error)
    }
}
