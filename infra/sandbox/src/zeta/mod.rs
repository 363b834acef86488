//! `zeta_ads`: the Reddit Ads API v3, with Reddit's OAuth.
//!
//! Sources: the Reddit Ads API v3 reference and the Reddit OAuth2 guide. Where they leave the wording
//! or the code of an error open, the sandbox takes the strict reading.

mod accounts;
mod ad_platform;
mod ads;
mod api;
mod campaign;
mod consent;
mod currency;
mod error;
mod oauth;
mod query;
mod rate_limit;
mod report_request;
mod reports;
mod route;
mod schema;
mod state;
#[cfg(test)]
mod tests;
mod time;
mod user_agent;
mod write;

use crate::ads::{LATE_STATUS, MANY_ADS, UNKNOWN_WORD};
use crate::faults::{Operation, RequestKind};
use crate::http::{Request, Response};
use crate::quirks::Quirk;
use crate::service::{RequestContext, Service};
use error::{ApiError, oauth_error};
use rate_limit::Remaining;
pub(crate) use state::{CLIENT, NAME, Zeta};

const QUIRKS: &[Quirk] = &[
    Quirk { name: api::LABEL_QUIRK, description: "Ignores invoice_label, as on accounts paid by credit card." },
    Quirk { name: reports::MISSING_QUIRK, description: "A campaign without delivery has no row in a report." },
    Quirk {
        name: reports::NULL_QUIRK,
        description: "The spend of a campaign without delivery is null; with missing_rows, even campaign ids have no row.",
    },
    Quirk { name: rate_limit::QUIRK, description: "Throttles reports from the 61st within a clock minute." },
    UNKNOWN_WORD,
    LATE_STATUS,
    MANY_ADS,
];

const AUTHORIZE: &str = "/api/v1/authorize";
const TOKEN: &str = "/api/v1/access_token";
const REVOKE: &str = "/api/v1/revoke_token";

impl Service for Zeta {
    fn title(&self) -> &'static str {
        state::TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        match request.path.as_str() {
            AUTHORIZE => RequestKind::Page,
            REVOKE => RequestKind::Operation(Operation::Revoke),
            TOKEN => RequestKind::of_token_request(request),
            _ => route::operation(request).map_or(RequestKind::Other, RequestKind::Operation),
        }
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        match request.path.as_str() {
            AUTHORIZE => consent::handle(self, request, context),
            TOKEN => oauth::token(self, request, context),
            REVOKE => oauth::revoke(self, request),
            _ => api::handle(self, request, context),
        }
    }

    fn internal_error(&self, request: &Request) -> Response {
        if is_oauth(request) {
            return oauth_error(500, "Internal Server Error");
        }
        let error = ApiError::new(500, "Internal Server Error");
        rate_limit::add_headers(error.response(), request, Remaining::AllButOne)
    }

    /// The API has rate-limit headers, the OAuth endpoints have none.
    fn rate_limited(&self, request: &Request) -> Response {
        if is_oauth(request) {
            return oauth_error(429, "Too Many Requests");
        }
        rate_limit::add_headers(ApiError::new(429, "Too Many Requests").response(), request, Remaining::None(30))
    }
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), AUTHORIZE | TOKEN | REVOKE)
}
