//! `delta_ads`: the LinkedIn Marketing API, versioned and over Rest.li, with LinkedIn's OAuth.
//!
//! Sources: Microsoft Learn, LinkedIn: "Marketing API" (campaign management, ads reporting, error
//! responses, versioning) and "Authorization Code Flow (3-legged OAuth)". Where the documentation
//! leaves the wording or the code of an error open, the sandbox takes the strict reading.

mod accounts;
mod ad_platform;
mod analytics;
mod api;
mod bidding;
mod campaign;
mod consent;
mod creatives;
mod currency;
mod entity;
mod error;
mod float_noise;
mod group;
mod oauth;
mod pages;
mod report_range;
mod restli;
mod route;
mod rules;
mod schema;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod version;

use crate::ads;
use crate::faults::{Operation, RequestKind};
use crate::http::{Request, Response};
use crate::quirks::Quirk;
use crate::service::{RequestContext, Service};
pub(crate) use state::{CLIENT, Delta, NAME};

const QUIRKS: &[Quirk] = &[
    Quirk {
        name: float_noise::QUIRK,
        description: "Reports costInLocalCurrency with float noise: -2E-18 for zero, 99.99999999999996 or more than 28 \
               digits (odd and even campaign ids differ).",
    },
    Quirk {
        name: oauth::CODE_QUIRK,
        description: "Rejects an expired or used authorization code with 401 invalid_redirect_uri, not 400 invalid_request.",
    },
    ads::UNKNOWN_WORD,
    ads::LATE_STATUS,
    ads::MANY_ADS,
];

const AUTHORIZE: &str = "/oauth/v2/authorization";
const TOKEN: &str = "/oauth/v2/accessToken";
const INTROSPECT: &str = "/oauth/v2/introspectToken";
const REVOKE: &str = "/oauth/v2/revoke";

impl Service for Delta {
    fn title(&self) -> &'static str {
        state::TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        match request.path.as_str() {
            AUTHORIZE => RequestKind::Page,
            REVOKE => RequestKind::Operation(Operation::Revoke),
            TOKEN => RequestKind::of_token_request(request),
            _ => {
                let operation = route::parse(request).and_then(|route| route.operation(request));
                operation.map_or(RequestKind::Other, RequestKind::Operation)
            }
        }
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        let outcome = match request.path.as_str() {
            AUTHORIZE => Ok(consent::handle(self, request, context)),
            TOKEN => oauth::token(self, request, context),
            INTROSPECT => oauth::introspect(self, request, context),
            REVOKE => oauth::revoke(self, request),
            _ => api::handle(self, request, context),
        };
        outcome.unwrap_or_else(|error| error)
    }

    fn internal_error(&self, request: &Request) -> Response {
        if is_oauth(request) {
            return oauth::oauth_error(500, "server_error", "Internal Server Error");
        }
        error::error_response(500, "INTERNAL_SERVER_ERROR", "Internal Server Error")
    }

    /// No `Retry-After`: the daily limit resets at midnight UTC.
    fn rate_limited(&self, request: &Request) -> Response {
        let why = "Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached.";
        if is_oauth(request) {
            return oauth::oauth_error(429, "rate_limit_exceeded", why);
        }
        error::service_error(429, 101, "TOO_MANY_REQUESTS", why)
    }
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), TOKEN | INTROSPECT | REVOKE)
}
