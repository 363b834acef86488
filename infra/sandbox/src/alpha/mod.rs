//! `alpha_ads`: the Google Ads API v26 over REST, with Google's OAuth 2.0.
//!
//! Sources: Google Ads API reference v26 and "Google Ads API: REST interface"; Google Identity: "Using OAuth 2.0 for
//! Web Server Applications". Where the documentation leaves the wording or the code open, the sandbox takes the strict
//! reading.

mod account;
mod ad_fields;
mod ad_platform;
mod api;
mod auth;
mod bidding;
mod budget;
mod campaign;
mod classify;
mod consent;
mod currency;
mod date_range;
mod dates;
mod enums;
mod error;
mod failure;
mod field_catalog;
mod field_mask;
mod field_value;
mod filter;
mod fixtures;
mod gaql;
mod input;
mod mutate;
mod oauth;
mod operation;
mod page_token;
mod primary;
mod proto;
mod quirks;
mod request_names;
mod resource_name;
mod resource_schema;
mod route;
mod rows;
mod schema;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod transaction;

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::service::{RequestContext, Service};
use error::AdsError;
use failure::{Failure, Status};
use route::{AUTHORIZE, REVOKE, TOKEN, error_version};
use serde_json::json;
use state::TITLE;
pub(crate) use state::{Alpha, CLIENT, NAME};

impl Service for Alpha {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        classify::request_kind(request)
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        fixtures::add_quirk_accounts(&mut self.accounts, &mut self.ads, context);
        match request.path.as_str() {
            AUTHORIZE => consent::handle(self, request, context),
            TOKEN => oauth::token(self, request, context),
            REVOKE => oauth::revoke(self, request),
            _ => api::handle(self, request, context),
        }
    }

    fn internal_error(&self, request: &Request) -> Response {
        if is_oauth(request) {
            return oauth::error(500, "internal_failure", "Internal error.");
        }
        let error = AdsError::new(("internalError", "INTERNAL_ERROR"), "An internal error has occurred.");
        Failure::one(Status::Internal, error).response(&error_version(request), &api::request_id())
    }

    fn rate_limited(&self, request: &Request) -> Response {
        if is_oauth(request) {
            return oauth::error(429, "rate_limit_exceeded", "Rate limit exceeded.");
        }
        let code = ("quotaError", "RESOURCE_TEMPORARILY_EXHAUSTED");
        let details = json!({ "quotaErrorDetails": {
            "rateScope": "ACCOUNT",
            "rateName": "Requests per account",
            "retryDelay": "30s",
        } });
        let error = AdsError::new(code, "Too many requests. Retry in 30 seconds.").with_details(details);
        Failure::one(Status::ResourceExhausted, error).response(&error_version(request), &api::request_id())
    }
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), TOKEN | REVOKE)
}
