//! `oidc`: an issuer of OpenID Connect, for people who sign in to the dashboard.
//!
//! [OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html) with the code flow,
//! [Discovery 1.0](https://openid.net/specs/openid-connect-discovery-1_0.html), PKCE
//! ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)), keys ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)) and
//! signatures ([RFC 7515](https://www.rfc-editor.org/rfc/rfc7515)). The issuer requires PKCE, and keeps no session of
//! its own: it asks for the e-mail address each time, so `max_age` and `prompt=login` always hold.

mod authorize;
mod control;
mod discovery;
mod id_token;
mod keys;
mod state;
mod token;

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::oauth::OAuthClient;
use crate::service::{RequestContext, Service};
pub(crate) use control::{METHODS, handle as control};
use ring::digest;
use serde_json::json;
pub(crate) use state::{NAME, Oidc};

/// The only client that the issuer knows.
pub const CLIENT: OAuthClient = OAuthClient { id: "sandbox-dashboard", secret: "sandbox-dashboard-secret" };

/// The address with which the page is filled in.
pub const DEFAULT_EMAIL: &str = "demo@example.com";

/// The path of the client's registered redirect URI, on this machine or behind https.
const REDIRECT_PATH: &str = "/dashboard/callback";

/// The subject (`sub`) of a person: the same for every spelling of an address in upper or lower case.
#[must_use]
pub fn subject(email: &str) -> String {
    let hash = digest::digest(&digest::SHA256, email.to_lowercase().as_bytes());
    hex::encode(hash.as_ref()).chars().take(32).collect()
}

/// The issuer's identifier: the address of the sandbox that the request names, and the issuer's path.
fn issuer(request: &Request) -> String {
    format!("http://{}/{NAME}", request.header("host").unwrap_or("127.0.0.1"))
}

/// An error of the token endpoint (RFC 6749, section 5.2).
fn error(status: u16, error: &str, description: &str) -> Response {
    Response::json(status, &json!({ "error": error, "error_description": description }))
        .with("cache-control", "no-store")
}

impl Service for Oidc {
    fn title(&self) -> &'static str {
        "OpenID Connect"
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        match request.path.as_str() {
            "/authorize" => RequestKind::Page,
            "/token" => RequestKind::of_token_request(request),
            _ => RequestKind::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/openid-configuration") => discovery::handle(request),
            ("GET", "/jwks") => self.keys.response(),
            (_, "/authorize") => authorize::handle(self, request, context.now),
            ("POST", "/token") => token::handle(self, request, context.now),
            _ => error(404, "invalid_request", "there is nothing at this address, or it takes another method"),
        }
    }

    fn internal_error(&self, _: &Request) -> Response {
        error(500, "server_error", "the issuer failed")
    }

    fn rate_limited(&self, _: &Request) -> Response {
        error(429, "temporarily_unavailable", "too many requests").with("retry-after", "1")
    }
}
