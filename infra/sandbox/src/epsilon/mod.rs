//! `epsilon_ads`: the Pinterest API v5 for ads, with Pinterest's OAuth.
//!
//! Sources: the Pinterest API v5 reference and its guides on developers.pinterest.com. Where the
//! documentation leaves the wording or the code of an error open, the sandbox takes the strict reading.

mod accounts;
mod ad_platform;
mod ads;
mod analytics;
mod api;
mod campaign;
mod campaign_input;
mod consent;
mod currency;
mod error;
mod legacy;
mod oauth;
mod query;
mod route;
mod state;
#[cfg(test)]
mod tests;
mod write;

use crate::ads::{LATE_STATUS, MANY_ADS, UNKNOWN_WORD};
use crate::faults::{Operation, RequestKind};
use crate::http::{Request, Response};
use crate::quirks::Quirk;
use crate::service::{RequestContext, Service};
use error::ApiError;
pub(crate) use state::{CLIENT, Epsilon, NAME};

const QUIRKS: &[Quirk] = &[
    Quirk {
        name: legacy::QUIRK,
        description: "The account in euros holds paused campaigns with old objectives and with an undocumented one.",
    },
    Quirk {
        name: write::OLD_OBJECTIVES_QUIRK,
        description: "New campaigns may still use WEB_CONVERSION and CATALOG_SALES.",
    },
    UNKNOWN_WORD,
    LATE_STATUS,
    MANY_ADS,
];

const AUTHORIZE: &str = "/oauth/";
const TOKEN: &str = "/v5/oauth/token";
const REVOKE: &str = "/v5/oauth/token/revoke";

impl Service for Epsilon {
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
        if context.quirk(legacy::QUIRK) {
            legacy::seed(&mut self.accounts);
        }
        match request.path.as_str() {
            AUTHORIZE => consent::handle(self, request, context),
            TOKEN => oauth::token(self, request, context),
            REVOKE => oauth::revoke(request),
            _ => api::handle(self, request, context),
        }
    }

    fn internal_error(&self, _: &Request) -> Response {
        ApiError::new(500, 12, "Something went wrong on our end. Sorry about that.").response()
    }

    /// The platform sends the reset header only sometimes; here reads get it.
    fn rate_limited(&self, request: &Request) -> Response {
        let response = ApiError::new(429, 8, "You have exceeded your rate limit. Try again later.").response();
        if request.method == "GET" { response.with("x-ratelimit-reset", "30") } else { response }
    }
}
