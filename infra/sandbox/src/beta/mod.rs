//! `beta_ads`: Meta's Graph API and Marketing API v26.0, with the login dialog.
//!
//! Sources: the reference pages of both APIs v26.0; Facebook Login: Manually Build a Login Flow. Where the documentation
//! leaves the wording or the code open, the sandbox takes the strict page_request.

mod account;
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

use crate::account::AccountSummary;
use crate::delivery::Delivery;
use crate::faults::RequestKind;
use crate::http::{Reply, Request};
use crate::oauth::Grants;
use crate::platform::{Platform, RequestContext, SpendError, TotalSpend};
use crate::quirks::Quirk;
use error::GraphError;
use jiff::Timestamp;
use jiff::civil::Date;
use params::Params;
use route::Route;
use serde_json::Value;
use state::TITLE;
pub(crate) use state::{Beta, CLIENT, NAME};

impl Platform for Beta {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        classify::request_kind(request)
    }

    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn answer(&mut self, request: &Request, context: &RequestContext<'_>) -> Reply {
        fixtures::add_quirk_accounts(&mut self.accounts, context);
        match Route::parse(&request.path) {
            Ok(Route::Dialog) => consent::answer(self, request, context),
            _ => api::answer(self, request, context),
        }
    }

    fn internal_error(&self, _: &Request) -> Reply {
        GraphError::internal().reply()
    }

    fn rate_limited(&self, request: &Request) -> Reply {
        throttle::reply(self, request)
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        let params = Params::read(request).unwrap_or_default();
        if let Some(code) = params.string("code") {
            self.grants.revoke_code(code);
        }
        let exchanged = params.string("fb_exchange_token").map(str::to_owned);
        let token = exchanged.or_else(|| auth::token(request, &params));
        self.grants.revoke(&token.unwrap_or_default());
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
