//! Responses of the sign-in of assistants: JSON in the form of OAuth, for the programs of every agents' host, also those that
//! run as a page of another origin.

use super::error_response::status_of;
use super::flat::message;
use super::response::json_response;
use crate::error::{Error, Kind};
use http::header::{self, HeaderValue};
use http::{Method, Response, StatusCode};
use lambda_http::Body;
use serde_json::{Value, json};
use std::fmt;

/// What a host may keep of metadata. A change of the public address is known to it soon.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// The headers that a page of another origin sends besides those that it always may.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static("Content-Type, MCP-Protocol-Version");

/// A response of the sign-in of assistants. No cache keeps it, and `Debug` does not print the body, which may have tokens.
pub struct OAuthReply {
    pub status: StatusCode,
    pub body: Value,
}

impl OAuthReply {
    /// A refusal, with its name in the standards (RFC 6749, 5.2; RFC 7591, 3.2.2).
    pub fn refusal(name: &str, description: &str) -> OAuthReply {
        OAuthReply {
            status: StatusCode::BAD_REQUEST,
            body: json!({ "error": name, "error_description": described(description) }),
        }
    }

    pub(super) fn response(&self) -> Response<Body> {
        json_response(self.status, &self.body)
    }
}

impl fmt::Debug for OAuthReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthReply").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The response with a metadata document.
pub(super) fn metadata_response(document: &Value) -> Response<Body> {
    let mut response = json_response(StatusCode::OK, document);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    response
}

/// The response of an error that no handler has named.
pub(super) fn oauth_error_response(error: &Error) -> Response<Body> {
    let name = match error.kind {
        Kind::Internal if error.retryable => "temporarily_unavailable",
        Kind::Internal | Kind::PlatformFailed | Kind::PlatformTimeout => "server_error",
        _ => "invalid_request",
    };
    let body = json!({ "error": name, "error_description": described(&message(error)) });
    json_response(status_of(error.kind), &body)
}

/// A description without the characters that RFC 6749 excludes: quotation marks, backslashes, and all but ASCII.
fn described(text: &str) -> String {
    let plain = |c: char| match c {
        '"' | '\\' => '\'',
        ' '..='~' => c,
        _ => '?',
    };
    text.chars().map(plain).collect()
}

/// Lets pages of every origin read the response, without cookies; the answer to the question of a browser also says which
/// headers they may send.
pub fn open_to_every_origin(mut response: Response<Body>, method: &Method) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if *method == Method::OPTIONS {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_form_of_oauth() {
        let body = |error: &Error| -> Value { serde_json::from_slice(oauth_error_response(error).body()).unwrap() };
        let invalid = Error::field("grant_type", "must be \"authorization_code\" or \"refresh_token\"");
        assert_eq!(oauth_error_response(&invalid).status(), 400);
        assert_eq!(
            body(&invalid),
            json!({"error": "invalid_request",
                "error_description": "grant_type must be 'authorization_code' or 'refresh_token'."})
        );
        assert_eq!(body(&Error::new(Kind::Internal, "x").retryable())["error"], "temporarily_unavailable");
        assert_eq!(body(&Error::new(Kind::Internal, "x"))["error"], "server_error");
        let refusal = OAuthReply::refusal("invalid_grant", "a “quoted”\n\\ text");
        assert_eq!(refusal.body["error_description"], "a ?quoted??' text");
    }
}
