//! Requests, answers and failures. No log shows their secrets.

use super::breaker::Protected;
use bytes::Bytes;
use http::header::InvalidHeaderValue;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::time::Duration;

/// A request to another host. `Debug` omits the query, the headers and the body: each may hold a code or a token.
#[derive(Clone)]
pub struct OutboundRequest {
    pub method: Method,
    /// Absolute URL.
    pub url: String,
    /// Headers. Secrets must be made with [`secret_header`].
    pub headers: HeaderMap,
    /// Body, possibly empty.
    pub body: Bytes,
}

/// A response with any status. `Debug` omits the headers and the body: each may hold a token.
#[derive(Clone)]
pub struct OutboundResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Whole body.
    pub body: Bytes,
}

impl OutboundResponse {
    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// The reason why there is no response. It decides whether a write may have taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request was not sent: it had no effect.
    NotSent,
    /// An open circuit breaker kept the request from being sent: it had no effect.
    BreakerOpen(OpenBreaker),
    /// No response arrived in time: the request may have taken effect.
    TimedOut,
    /// The connection broke, or the response was incomplete or too long: the request may have taken effect.
    Broken,
}

/// An open circuit breaker: what it protects, and for how long it stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBreaker {
    /// The ad account, or the whole platform.
    pub protected: Protected,
    /// The time until a call is admitted again.
    pub wait: Duration,
}

impl Failure {
    /// Whether the request certainly had no effect.
    pub fn is_unsent(self) -> bool {
        match self {
            Failure::NotSent | Failure::BreakerOpen(_) => true,
            Failure::TimedOut | Failure::Broken => false,
        }
    }
}

/// A header value that logs do not show: for tokens and client secrets.
pub fn secret_header(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(text)?;
    value.set_sensitive(true);
    Ok(value)
}

impl std::fmt::Debug for OutboundRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OutboundRequest { method, url, headers: _, body } = self;
        let address = url.split('?').next().unwrap_or_default();
        f.debug_struct("OutboundRequest")
            .field("method", method)
            .field("address", &address)
            .field("bytes", &body.len())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for OutboundResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OutboundResponse { status, headers: _, body } = self;
        f.debug_struct("OutboundResponse").field("status", status).field("bytes", &body.len()).finish_non_exhaustive()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Failure::NotSent => "the request could not be sent",
            Failure::BreakerOpen(_) => "the circuit breaker is open",
            Failure::TimedOut => "no response in time",
            Failure::Broken => "the response broke off",
        })
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_omits_headers_queries_and_bodies() {
        let headers = HeaderMap::from_iter([(http::header::AUTHORIZATION, "Bearer canary".parse().unwrap())]);
        let body = Bytes::from_static(b"canary");
        let url = "https://platform.example/token?code=canary".to_owned();
        let request = OutboundRequest { method: Method::POST, url, headers: headers.clone(), body: body.clone() };
        let response = OutboundResponse { status: StatusCode::OK, headers, body };
        let shown = format!("{request:?} {response:?}");
        assert!(shown.contains("platform.example/token") && !shown.contains("canary"), "{shown}");
    }
}
