//! OAuth parts that all platforms share: codes, grants, tokens, PKCE, redirect URIs and the consent page. The endpoints
//! and their errors are each platform's own.

mod authorization;
mod client;
mod consent;
mod grant;
mod grants;
mod pkce;
mod random;
mod redirect_uri;
mod revocation;

pub(crate) use authorization::AuthorizationRequest;
pub use client::OAuthClient;
pub(crate) use client::{basic, bearer};
pub(crate) use consent::{Decision, PageError, describe_scopes, describe_scopes_sorted};
pub(crate) use grant::{CodeError, CodeExchange, Consent, TokenError};
pub(crate) use grants::Grants;
pub(crate) use pkce::{is_challenge, verifies};
pub(crate) use random::random_token;
pub(crate) use redirect_uri::{is_redirect_uri, with_parameters};
