//! The reasons why a sign-in fails. None contains a token, a code or a secret.

use crate::error::{Error, Kind};
use std::fmt;

/// The reason why a sign-in fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInError {
    /// The issuer did not answer, or its response cannot be used.
    Unavailable(&'static str),
    /// The token endpoint refused the code, with this error code of RFC 6749, section 5.2.
    Refused(String),
    /// The ID token cannot be accepted.
    InvalidToken(TokenError),
}

/// The check that an ID token fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
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

impl TokenError {
    fn as_str(self) -> &'static str {
        match self {
            TokenError::Malformed => "the ID token is malformed",
            TokenError::Algorithm => "the ID token's algorithm is not allowed",
            TokenError::UnknownKey => "the issuer publishes no key with the ID token's kid",
            TokenError::Signature => "the ID token's signature is wrong",
            TokenError::Issuer => "the ID token is from another issuer",
            TokenError::Audience => "the ID token is for another client",
            TokenError::Expired => "the ID token has expired",
            TokenError::IssuedInFuture => "the ID token was issued in the future",
            TokenError::Nonce => "the ID token belongs to another sign-in",
            TokenError::AuthenticationTooOld => "the ID token's auth_time is missing or too old",
        }
    }
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignInError::Unavailable(reason) => f.write_str(reason),
            SignInError::Refused(code) => write!(f, "the token endpoint refused the code: {code}"),
            SignInError::InvalidToken(error) => f.write_str(error.as_str()),
        }
    }
}

impl std::error::Error for SignInError {}

impl From<TokenError> for SignInError {
    fn from(error: TokenError) -> SignInError {
        SignInError::InvalidToken(error)
    }
}

impl From<SignInError> for Error {
    fn from(error: SignInError) -> Error {
        let message = match error {
            SignInError::Unavailable(_) => "The sign-in service does not answer. Try again in a minute.",
            SignInError::Refused(_) => "The sign-in service did not complete this sign-in. Sign in again.",
            SignInError::InvalidToken(TokenError::AuthenticationTooOld) => {
                "The sign-in service did not ask for your sign-in again. Sign out there, then sign in again."
            }
            SignInError::InvalidToken(_) => {
                "The response of the sign-in service could not be verified, so you are not signed in. Sign in again; if \
                 this page returns, tell the operator of this service."
            }
        };
        Error::new(Kind::PlatformFailed, message).caused_by(error)
    }
}
