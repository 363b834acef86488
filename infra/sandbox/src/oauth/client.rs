//! OAuth clients, and the `Authorization` header.

use crate::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The only OAuth client that a platform knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OAuthClient {
    pub id: &'static str,
    pub secret: &'static str,
}

impl OAuthClient {
    /// True if the credentials are this client's.
    pub(crate) fn authenticates(&self, id: &str, secret: &str) -> bool {
        id == self.id && secret == self.secret
    }
}

/// The bearer token. The scheme is case-insensitive (RFC 9110).
pub(crate) fn bearer(request: &Request) -> Option<&str> {
    let token = credentials(request, "bearer")?;
    (!token.is_empty()).then_some(token)
}

/// The client id and secret of Basic authentication.
pub(crate) fn basic(request: &Request) -> Option<(String, String)> {
    let decoded = STANDARD.decode(credentials(request, "basic")?).ok()?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (id, secret) = decoded.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}

fn credentials<'r>(request: &'r Request, scheme: &str) -> Option<&'r str> {
    let (given, credentials) = request.header("authorization")?.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}
