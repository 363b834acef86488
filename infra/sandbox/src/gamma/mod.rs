//! `gamma_ads`: the TikTok API for Business v1.3 and its OAuth flow.
//!
//! Sources: the documentation pages that each file names, and the request models of the official SDK. Where they leave
//! the wording, the code or the behaviour open, the sandbox takes the strict reading.

mod account;
mod ad_list;
mod ad_platform;
mod advertisers;
mod api;
mod auth;
mod campaign;
mod campaign_name;
mod consent;
mod create;
mod currency;
mod envelope;
mod error;
mod fixtures;
mod held;
mod list;
mod oauth;
mod params;
mod quirks;
mod report;
mod report_filter;
mod request_id;
mod review;
mod route;
mod state;
#[cfg(test)]
mod tests;
mod update;

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::service::{RequestContext, Service};
use error::{ApiError, SYSTEM, TOO_FREQUENT};
use route::Route;
use state::TITLE;
pub(crate) use state::{CLIENT, Gamma, NAME};

impl Service for Gamma {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        Route::parse(request).map_or(RequestKind::Other, |route| route.request_kind(request))
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        fixtures::add_quirk_accounts(&mut self.accounts, &mut self.ads, context);
        match Route::parse(request) {
            None => envelope::path_not_found(),
            Some(Route::Consent) => consent::handle(self, request, context),
            Some(route) => {
                api::handle(self, route, request, context).map_or_else(|error| error.response(), |data| data.response())
            }
        }
    }

    /// Internal errors have HTTP status 200, like all others.
    fn internal_error(&self, _: &Request) -> Response {
        ApiError::new(SYSTEM, "System error.").response()
    }

    /// The code is the only signal: no header says when to retry.
    fn rate_limited(&self, _: &Request) -> Response {
        ApiError::new(TOO_FREQUENT, "Requests made too frequently. Please retry later.").response()
    }
}
