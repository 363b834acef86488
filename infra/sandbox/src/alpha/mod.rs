//! `alpha_ads`: the Google Ads API v26 over REST, with Google's OAuth 2.0.
//!
//! Sources: Google Ads API reference v26 and "Google Ads API: REST interface"; Google Identity: "Using OAuth 2.0 for Web
//! Server Applications". Where the documentation leaves the wording or the code open, the sandbox takes the strict
//! reading.

mod account;
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

use crate::account::AccountSummary;
use crate::delivery::Delivery;
use crate::faults::RequestKind;
use crate::http::{Reply, Request};
use crate::oauth::Grants;
use crate::platform::{Platform, RequestContext, SpendError, TotalSpend};
use crate::quirks::Quirk;
use error::AdsError;
use failure::{Failure, Status};
use jiff::Timestamp;
use jiff::civil::Date;
use route::{AUTHORIZE, REVOKE, TOKEN, error_version};
use serde_json::{Value, json};
use state::TITLE;
pub(crate) use state::{Alpha, CLIENT, NAME};

impl Platform for Alpha {
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
        match request.path.as_str() {
            AUTHORIZE => consent::answer(self, request, context),
            TOKEN => oauth::token(self, request, context),
            REVOKE => oauth::revoke(self, request),
            _ => api::answer(self, request, context),
        }
    }

    fn internal_error(&self, request: &Request) -> Reply {
        if is_oauth(request) {
            return oauth::error(500, "internal_failure", "Internal error.");
        }
        let error = AdsError::new(("internalError", "INTERNAL_ERROR"), "An internal error has occurred.");
        Failure::one(Status::Internal, error).reply(&error_version(request), &api::request_id())
    }

    fn rate_limited(&self, request: &Request) -> Reply {
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
        Failure::one(Status::ResourceExhausted, error).reply(&error_version(request), &api::request_id())
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        if request.path == REVOKE {
            self.grants.revoke(&oauth::token_to_revoke(request).unwrap_or_default());
        } else {
            self.grants.revoke_grant_in_use(request, TOKEN, &[]);
        }
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

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        self.campaign_summaries(now)
    }
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), TOKEN | REVOKE)
}
