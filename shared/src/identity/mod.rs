//! Sign-in of people by an issuer of OpenID Connect: the code flow with PKCE, and the verification of ID tokens.
//!
//! [OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html), sections 2 and 3.1;
//! [Discovery 1.0](https://openid.net/specs/openid-connect-discovery-1_0.html). The service trusts the issuer's TLS for
//! its metadata and keys, and an ID token only for its signature.

mod browser_secret;
mod documents;
mod error;
mod flow;
mod id_token;
mod issuer;
mod key_set;
mod sign_in_limits;

pub use browser_secret::BrowserSecret;
pub use error::{SignInError, TokenError};
pub use flow::SignInRequest;
pub use issuer::{ClientSecret, Issuer, IssuerConfig};

use crate::domain::PersonId;
use jiff::Timestamp;

/// A person whom the issuer has authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Derived from `iss` and `sub`, which the issuer never assigns again. The e-mail address may change hands.
    pub person: PersonId,
    /// Email address, unless the issuer says that it is not verified.
    pub email: Option<String>,
    /// The time at which the person proved to the issuer who they are.
    pub authenticated_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests;
