//! `delta_ads`: the LinkedIn Marketing API, versioned and over Rest.li, with LinkedIn's OAuth.
//!
//! Microsoft Learn, LinkedIn: "Marketing API" (campaign management, ads reporting, error
//! responses, versioning) and "Authorization Code Flow (3-legged OAuth)". Where the documentation
//! leaves the exact wording or code open, the choice is the strict one.

mod accounts;
mod address;
mod analytics;
mod api;
mod bidding;
mod campaign;
mod consent;
mod currency;
mod entity;
mod error;
mod group;
mod listing;
mod noise;
mod oauth;
mod restli;
mod rules;
mod schema;
mod version;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::accounts::Account;
use self::oauth::Life;
use crate::account::AccountSummary;
use crate::faults::{Call, Operation};
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "delta_ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "78sandboxdelta", secret: "sandbox-secret-delta" };

const TITLE: &str = "LinkedIn Ads";

const QUIRKS: &[Quirk] = &[
    Quirk {
        name: noise::QUIRK,
        what: "Reports costInLocalCurrency with float noise: -2E-18 for nothing, 99.99999999999996 or more than 28 \
               digits (by odd and even campaign ids).",
    },
    Quirk {
        name: oauth::CODE_QUIRK,
        what: "Refuses an expired or used authorization code with 401 invalid_redirect_uri, not 400 invalid_request.",
    },
];

const AUTHORIZE: &str = "/oauth/v2/authorization";
const TOKEN: &str = "/oauth/v2/accessToken";
const INTROSPECT: &str = "/oauth/v2/introspectToken";
const REVOKE: &str = "/oauth/v2/revoke";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Delta {
    /// In the order of the consent page.
    accounts: Vec<Account>,
    grants: Grants,
    /// When tokens were made and end.
    lives: BTreeMap<String, Life>,
    /// The newest campaign or group has the largest id.
    last_id: i64,
}

impl Default for Delta {
    fn default() -> Self {
        Self {
            accounts: accounts::first_day(),
            grants: Grants::default(),
            lives: BTreeMap::new(),
            last_id: 365_000_000,
        }
    }
}

impl Platform for Delta {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn call(&self, request: &Request) -> Call {
        match request.path.as_str() {
            AUTHORIZE => Call::Consent,
            REVOKE => Call::Known(Operation::Revoke),
            TOKEN => Call::exchange(request),
            _ => {
                let operation = address::call(request).and_then(|call| call.operation(request));
                operation.map_or(Call::Other, Call::Known)
            }
        }
    }

    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        let outcome = match request.path.as_str() {
            AUTHORIZE => Ok(consent::answer(self, request, moment)),
            TOKEN => oauth::token(self, request, moment),
            INTROSPECT => oauth::introspect(self, request, moment),
            REVOKE => oauth::revoke(self, request),
            _ => api::answer(self, request, moment),
        };
        outcome.unwrap_or_else(|refused| refused)
    }

    fn broken(&self, request: &Request) -> Reply {
        if is_oauth(request) {
            return oauth::refusal(500, "server_error", "Internal Server Error");
        }
        error::refused(500, "INTERNAL_SERVER_ERROR", "Internal Server Error")
    }

    /// There is no Retry-After: the limit of a day ends at midnight UTC.
    fn throttled(&self, request: &Request) -> Reply {
        let why = "Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached.";
        if is_oauth(request) {
            return oauth::refusal(429, "rate_limit_exceeded", why);
        }
        error::numbered(429, 101, "TOO_MANY_REQUESTS", why)
    }

    fn revoke_used(&mut self, request: &Request) {
        self.grants.revoke_used(request, TOKEN, &[INTROSPECT, REVOKE]);
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        if !currency::is_known(currency) {
            return None;
        }
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(512_300_000);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    /// What is spent now belongs to today.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<Spent, SpendError> {
        let id: i64 = campaign.parse().map_err(|_| SpendError::Unknown)?;
        let holds = |account: &&mut Account| account.campaigns.contains_key(&id);
        let account = self.accounts.iter_mut().find(holds).ok_or(SpendError::Unknown)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::Unknown)?;
        let more = currency::micros(amount).ok_or(SpendError::Amount)?;
        campaign.cost().checked_add(more).ok_or(SpendError::Amount)?;
        let today = now.to_zoned(TimeZone::UTC).date().to_string();
        *campaign.costs.entry(today).or_default() += more;
        Ok(Spent {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            sum: currency::decimal(campaign.cost()),
        })
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let now = now.as_millisecond();
        let held = self
            .accounts
            .iter()
            .flat_map(|account| account.campaigns.values().map(move |campaign| campaign::card(account, campaign, now)));
        held.collect()
    }
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), TOKEN | INTROSPECT | REVOKE)
}
