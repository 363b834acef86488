//! `gamma_ads`: the TikTok API for Business v1.3 and its OAuth flow.
//!
//! Sources: the documentation pages that each file names, and the request models of the official SDK. Where they leave
//! the wording, the code or the behaviour open, the sandbox takes the strict reading.

mod account;
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
mod list;
mod oauth;
mod params;
mod quirks;
mod report;
mod report_filter;
mod request_id;
mod route;
mod state;
#[cfg(test)]
mod tests;
mod update;

use crate::account::AccountSummary;
use crate::delivery::Delivery;
use crate::faults::RequestKind;
use crate::http::{Reply, Request};
use crate::oauth::Grants;
use crate::platform::{Platform, RequestContext, SpendError, TotalSpend};
use crate::quirks::Quirk;
use error::{ApiError, SYSTEM, TOO_FREQUENT};
use jiff::Timestamp;
use jiff::civil::Date;
use route::Route;
use serde_json::Value;
use state::TITLE;
pub(crate) use state::{CLIENT, Gamma, NAME};

impl Platform for Gamma {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        Route::parse(request).map_or(RequestKind::Other, |route| route.request_kind(request))
    }

    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn answer(&mut self, request: &Request, context: &RequestContext<'_>) -> Reply {
        fixtures::add_quirk_accounts(&mut self.accounts, context);
        match Route::parse(request) {
            None => envelope::path_not_found(),
            Some(Route::Consent) => consent::answer(self, request, context),
            Some(route) => {
                api::handle(self, route, request, context).map_or_else(|error| error.reply(), |data| data.reply())
            }
        }
    }

    /// Internal errors have HTTP status 200, like all others.
    fn internal_error(&self, _: &Request) -> Reply {
        ApiError::new(SYSTEM, "System error.").reply()
    }

    /// The code is the only signal: no header says when to retry.
    fn rate_limited(&self, _: &Request) -> Reply {
        ApiError::new(TOO_FREQUENT, "Requests made too frequently. Please retry later.").reply()
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let sent = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
        self.grants.revoke_code(sent("auth_code"));
        self.grants.revoke(sent("access_token"));
        self.grants.revoke(request.header(auth::HEADER).unwrap_or_default());
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        self.add_account(currency)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.account_summaries()
    }

    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        self.add_spend(campaign, amount, now)
    }

    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        self.set_delivery(campaign, day, delivery)
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
        self.campaign_summaries()
    }
}
