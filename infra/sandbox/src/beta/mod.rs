//! `beta_ads`: Meta's Graph API and Marketing API v26.0, with the login dialog.
//!
//! Sources: the reference pages of both APIs v26.0; Facebook Login: Manually Build a Login Flow. Where the
//! documentation leaves the wording or the code open, the sandbox takes the strict reading.

mod account;
mod ad_edge;
mod ad_filter;
mod ad_platform;
mod api;
mod api_call;
mod auth;
mod campaign;
mod campaign_params;
mod campaigns;
mod classify;
mod consent;
mod create;
mod currency;
mod error;
mod fields;
mod filter;
mod fixtures;
mod held;
mod insights;
mod insights_range;
mod oauth;
mod paging;
mod params;
mod quirks;
mod route;
mod state;
#[cfg(test)]
mod tests;
mod throttle;
mod times;
mod update;

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::service::{RequestContext, Service};
use error::GraphError;
use route::Route;
use state::TITLE;
pub(crate) use state::{Beta, CLIENT, NAME};

impl Service for Beta {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        classify::request_kind(request)
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        fixtures::add_quirk_accounts(&mut self.accounts, context);
        match Route::parse(&request.path) {
            Ok(Route::Dialog) => consent::handle(self, request, context),
            _ => api::handle(self, request, context),
        }
    }

    fn internal_error(&self, _: &Request) -> Response {
        GraphError::internal().response()
    }

    fn rate_limited(&self, request: &Request) -> Response {
        throttle::response(self, request)
    }
}
