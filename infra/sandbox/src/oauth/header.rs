//! The `Authorization` header, in the two ways that platforms take it.

use crate::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The token of a bearer header, whatever the case of the word: RFC 9110 has it so.
pub(crate) fn bearer(request: &Request) -> Option<&str> {
    let token = credentials(request, "bearer")?;
    (!token.is_empty()).then_some(token)
}

/// The client's id and secret in a Basic header, which token addresses take in place of a form's.
pub(crate) fn basic(request: &Request) -> Option<(String, String)> {
    let decoded = STANDARD.decode(credentials(request, "basic")?).ok()?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (id, secret) = decoded.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}

fn credentials<'r>(request: &'r Request, scheme: &str) -> Option<&'r str> {
    let (named, credentials) = request.header("authorization")?.split_once(' ')?;
    named.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}
