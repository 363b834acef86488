//! `alpha_ads`: the Google Ads API v26 over REST, with Google's OAuth.
//!
//! Google Ads API reference v26 and the pages of "Google Ads API: REST interface"; Google
//! Identity: "Using OAuth 2.0 for Web Server Applications". Where the documentation leaves the
//! exact wording or code open, the choice is the strict one.

mod accounts;
mod api;
mod bidding;
mod budget;
mod campaign;
mod catalogue;
mod consent;
mod currency;
mod dates;
mod draft;
mod error;
mod filter;
mod gaql;
mod given;
mod mutate;
mod names;
mod oauth;
mod proto;
mod quirks;
mod rows;
mod schema;
mod search;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::accounts::Account;
use self::api::{Method, request_id};
use self::draft::Ids;
use self::error::{AdsError, Failure, Status};
use self::names::Resource;
use crate::account::AccountSummary;
use crate::faults::{Call, Operation};
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "alpha_ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient =
    OAuthClient { id: "sandbox-client.apps.googleusercontent.example", secret: "sandbox-secret-alpha" };

const TITLE: &str = "Google Ads";

const AUTHORIZE: &str = "/o/oauth2/v2/auth";
const TOKEN: &str = "/token";
const REVOKE: &str = "/revoke";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
pub(crate) struct Alpha {
    /// In the order of the consent page.
    accounts: Vec<Account>,
    grants: Grants,
    ids: Ids,
}

impl Default for Alpha {
    fn default() -> Self {
        Self { accounts: accounts::first_day(), grants: Grants::default(), ids: Ids::default() }
    }
}

impl Platform for Alpha {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn call(&self, request: &Request) -> Call {
        match request.path.as_str() {
            AUTHORIZE => Call::Consent,
            REVOKE => Call::Known(Operation::Revoke),
            TOKEN => Call::exchange(request),
            _ => operation(request).map_or(Call::Other, Call::Known),
        }
    }

    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        quirks::open_accounts(&mut self.accounts, moment);
        match request.path.as_str() {
            AUTHORIZE => consent::answer(self, request, moment),
            TOKEN => oauth::token(self, request, moment),
            REVOKE => oauth::revoke(self, request),
            _ => api::answer(self, request, moment),
        }
    }

    fn broken(&self, request: &Request) -> Reply {
        if is_oauth(request) {
            return oauth::error(500, "internal_failure", "Internal error.");
        }
        let error = AdsError::new(("internalError", "INTERNAL_ERROR"), "An internal error has occurred.");
        Failure::one(Status::Internal, error).reply(&api::version(request), &request_id())
    }

    fn throttled(&self, request: &Request) -> Reply {
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
        Failure::one(Status::ResourceExhausted, error).reply(&api::version(request), &request_id())
    }

    fn revoke_used(&mut self, request: &Request) {
        if request.path == REVOKE {
            self.grants.revoke(&oauth::token_to_revoke(request).unwrap_or_default());
        } else {
            self.grants.revoke_used(request, TOKEN, &[]);
        }
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::decimals(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(1_002_003_999);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency, "Etc/GMT"));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    fn spend(&mut self, campaign: &str, amount: &str, _: Timestamp) -> Result<Spent, SpendError> {
        let id: i64 = campaign.parse().map_err(|_| SpendError::Unknown)?;
        let holds = |account: &&mut Account| account.campaigns.contains_key(&id);
        let account = self.accounts.iter_mut().find(holds).ok_or(SpendError::Unknown)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::Unknown)?;
        let sum = currency::micros(amount)
            .and_then(|more| campaign.cost_micros.checked_add(more))
            .ok_or(SpendError::Amount)?;
        campaign.cost_micros = sum;
        Ok(Spent {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            sum: currency::decimal(sum, &account.currency),
        })
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let held = self.accounts.iter().flat_map(|account| {
            account.campaigns.values().map(move |campaign| campaign_card(account, campaign.id, now))
        });
        held.collect()
    }
}

fn campaign_card(account: &Account, id: i64, now: Timestamp) -> Value {
    let Some(campaign) = account.campaigns.get(&id) else { return Value::Null };
    let now = dates::local(now, &account.time_zone);
    let field = |name: &str| campaign.cell(name, account, now).map(|cell| cell.json());
    let budget = account.budgets.get(&campaign.budget).map(|budget| budget.amount);
    json!({
        "platform": WORD,
        "account": account.id.to_string(),
        "id": field("id"),
        "name": field("name"),
        "status": field("status"),
        "created": campaign.created,
        "primary_status": field("primary_status"),
        "channel": field("advertising_channel_type"),
        "bidding": field("bidding_strategy_type"),
        "start": field("start_date_time"),
        "end": field("end_date_time"),
        "currency": account.currency,
        "budget_period": budget.map(budget::Amount::period),
        "budget": budget.map(|amount| currency::decimal(amount.micros(), &account.currency)),
        "spent": currency::decimal(campaign.cost_micros, &account.currency),
    })
}

fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), TOKEN | REVOKE)
}

/// What a call of the API is about; nothing for one that cannot be read.
fn operation(request: &Request) -> Option<Operation> {
    let (_, method) = api::address(request)?;
    match method {
        Method::ListAccessible => Some(Operation::Accounts),
        Method::Search(_) | Method::Stream(_) => search_operation(&request.body),
        Method::Mutate(_, service) => {
            let parsed = mutate::parse(service, &request.body).ok()?;
            let operations = mutate::operations(service, &parsed);
            let carries = |resource: Option<Resource>, action: &str| {
                operations
                    .iter()
                    .flatten()
                    .any(|one| resource.is_none_or(|wanted| wanted == one.resource) && one.given.get(action).is_some())
            };
            if carries(Some(Resource::Campaign), "create") {
                Some(Operation::Create)
            } else if carries(Some(Resource::Campaign), "remove") {
                Some(Operation::Delete)
            } else {
                carries(None, "update").then_some(Operation::Update)
            }
        }
    }
}

fn search_operation(body: &str) -> Option<Operation> {
    let parsed: Value = serde_json::from_str(body).ok()?;
    let query = gaql::parse(parsed.get("query")?.as_str()?).ok()?;
    match query.from.as_str() {
        "campaign" if gaql::single_campaign(&query) => Some(Operation::Get),
        "campaign" => Some(Operation::List),
        "customer" | "customer_client" | "currency_constant" => Some(Operation::Accounts),
        _ => None,
    }
}
