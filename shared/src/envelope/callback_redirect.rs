//! The redirect from the OAuth callback to the caller's own page (D20 in docs/decisions.md).

use super::flat;
use crate::domain::{ConnectionId, ExternalRef, RedirectUri};
use crate::error::Kind;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// Redirects the user's browser to a registered URI, with the outcome as query parameters.
#[derive(Debug)]
pub struct CallbackRedirect {
    /// Registered redirect URI.
    pub uri: RedirectUri,
    pub outcome: AuthorizationOutcome,
    /// The user of the authorization, as the caller named it.
    pub external_ref: Option<ExternalRef>,
}

/// The outcome of an authorization.
#[derive(Debug)]
pub enum AuthorizationOutcome {
    /// This connection is ACTIVE now.
    Connected(ConnectionId),
    /// The user denied consent.
    Denied,
    /// The authorization failed, and no account was connected.
    Failed(Kind),
}

impl CallbackRedirect {
    /// The redirect. It passes on neither code nor state, not even in a `Referer`.
    pub(super) fn response(&self) -> Response<Body> {
        let mut response = Response::new(Body::Empty);
        let headers = response.headers_mut();
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // A redirect URI is ASCII without control characters, so this cannot fail.
        let Ok(location) = HeaderValue::from_str(&self.location()) else {
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            return response;
        };
        headers.insert(header::LOCATION, location);
        *response.status_mut() = StatusCode::FOUND;
        response
    }

    fn location(&self) -> String {
        let parameters = match &self.outcome {
            AuthorizationOutcome::Connected(id) => [("status", "connected"), ("connection_id", id.0.as_str())],
            AuthorizationOutcome::Denied => [("status", "denied"), ("error", "access_denied")],
            AuthorizationOutcome::Failed(kind) => [("status", "failed"), ("error", flat::code(*kind))],
        };
        let user = self.external_ref.as_ref().map(|user| ("external_ref", user.as_str()));
        let parameters: Vec<_> = parameters.into_iter().chain(user).collect();
        self.uri.with_parameters(&parameters)
    }
}
