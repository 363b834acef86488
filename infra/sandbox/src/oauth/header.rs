//! The `Authorization` header.

use crate::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

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
