//! The redirect to the caller's own page at the end of an authorization (D20 in docs/decisions.md).

use super::flat;
use crate::domain::{ConnectionId, RedirectUri};
use crate::error::Kind;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// Sends the user's browser to a registered address, with how it went.
#[derive(Debug)]
pub struct SendBack {
    /// Where.
    pub to: RedirectUri,
    /// How it went.
    pub ending: Ending,
}

/// How an authorization ended.
#[derive(Debug)]
pub enum Ending {
    /// This connection can be used now.
    Connected(ConnectionId),
    /// The user said no.
    Denied,
    /// It failed, and nothing was connected.
    Failed(Kind),
}

impl SendBack {
    /// Neither code nor state go along, not even in a `Referer`.
    pub(super) fn response(&self) -> Response<Body> {
        let mut response = Response::new(Body::Empty);
        let headers = response.headers_mut();
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // The address is ASCII without control characters, so this holds always; a 302 to nowhere helps nobody.
        let Ok(location) = HeaderValue::from_str(&self.location()) else {
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            return response;
        };
        headers.insert(header::LOCATION, location);
        *response.status_mut() = StatusCode::FOUND;
        response
    }

    fn location(&self) -> String {
        match &self.ending {
            Ending::Connected(id) => self.to.with_parameters(&[("status", "connected"), ("connection_id", &id.0)]),
            Ending::Denied => self.to.with_parameters(&[("status", "denied"), ("error", "access_denied")]),
            Ending::Failed(kind) => self.to.with_parameters(&[("status", "failed"), ("error", flat::code(*kind))]),
        }
    }
}
