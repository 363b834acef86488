//! `beta_ads`: Meta's Graph and Marketing API v26.0, with its login dialog.
//!
//! Graph API v26.0 and Marketing API reference pages; Facebook Login: Manually Build a Login Flow.
//! Where the documentation leaves the exact wording or code open, the choice is the strict one.

mod accounts;
mod address;
mod api;
mod auth;
mod campaign;
mod consent;
mod currency;
mod draft;
mod error;
mod fields;
mod filter;
mod insights;
mod oauth;
mod paging;
mod params;
mod quirks;
mod times;
mod usage;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::accounts::Account;
use self::address::{Address, address};
use self::campaign::{Budget, Campaign};
use self::error::GraphError;
use self::params::Params;
use crate::account::AccountSummary;
use crate::faults::{Call, Operation};
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "beta_ads";

/// The registered app.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "402600000000001", secret: "sandbox-secret-beta" };

const TITLE: &str = "Meta Ads";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Beta {
    /// In the order of the consent page.
    accounts: Vec<Account>,
    grants: Grants,
    /// Ids of campaigns grow with time.
    last_campaign: u64,
}

impl Default for Beta {
    fn default() -> Self {
        Self { accounts: accounts::first_day(), grants: Grants::default(), last_campaign: 120_210_000_000_000_000 }
    }
}

impl Beta {
    /// The place of the account that holds a campaign.
    fn holder(&self, campaign: u64) -> Option<usize> {
        self.accounts.iter().position(|account| account.campaigns.contains_key(&campaign))
    }
}

impl Platform for Beta {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn call(&self, request: &Request) -> Call {
        match address(&request.path) {
            Ok(Address::Dialog) => Call::Consent,
            Ok(address) => operation(request, address).map_or(Call::Other, Call::Known),
            Err(_) => Call::Other,
        }
    }

    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        quirks::open_accounts(&mut self.accounts, moment);
        match address(&request.path) {
            Ok(Address::Dialog) => consent::answer(self, request, moment),
            _ => api::answer(self, request, moment),
        }
    }

    fn broken(&self, _: &Request) -> Reply {
        GraphError::broken().reply()
    }

    fn throttled(&self, request: &Request) -> Reply {
        usage::throttled(self, request)
    }

    fn revoke_used(&mut self, request: &Request) {
        let params = Params::read(request).unwrap_or_default();
        if let Some(code) = params.text("code") {
            self.grants.revoke_code(code);
        }
        let exchanged = params.text("fb_exchange_token").map(str::to_owned);
        let token = exchanged.or_else(|| auth::token(request, &params));
        self.grants.revoke(&token.unwrap_or_default());
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::offset(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or_default();
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency, "Etc/GMT"));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<Spent, SpendError> {
        let id: u64 = campaign.parse().map_err(|_| SpendError::Unknown)?;
        let account = self.accounts.iter_mut().find(|account| account.campaigns.contains_key(&id));
        let account = account.ok_or(SpendError::Unknown)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::Unknown)?;
        let today = times::day(now, &account.time_zone);
        let day = campaign.spent.entry(today).or_default();
        let more = currency::counted(amount, &account.currency);
        let sum = more.and_then(|more| day.checked_add(more));
        *day = sum.ok_or_else(|| SpendError::Uncounted(account.currency.clone()))?;
        Ok(Spent {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            sum: currency::decimal(campaign.spent_in(None, None), &account.currency),
        })
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
        let cards = |account: &Account| account.campaigns.values().map(|one| card(account, one)).collect::<Vec<_>>();
        self.accounts.iter().flat_map(cards).collect()
    }
}

fn card(account: &Account, campaign: &Campaign) -> Value {
    let field = |name: &str| campaign.field(name, account);
    let budget = campaign.budget.map(Budget::amount);
    json!({
        "platform": WORD,
        "account": account.act(),
        "id": field("id"),
        "name": field("name"),
        "status": field("status"),
        "created": campaign.created,
        "objective": field("objective"),
        "start": field("start_time"),
        "end": field("stop_time"),
        "currency": account.currency,
        "budget_period": campaign.budget.map(Budget::parameter),
        "budget": budget.map(|amount| currency::decimal(amount, &account.currency)),
        "spent": currency::decimal(campaign.spent_in(None, None), &account.currency),
    })
}

/// What a call is about. Reports of cost are about no operation.
fn operation(request: &Request, address: Address<'_>) -> Option<Operation> {
    let params = || Params::read(request).unwrap_or_default();
    Some(match (request.method.as_str(), address) {
        ("GET" | "POST", Address::Token) => {
            let params = params();
            // The first exchange of a token still belongs to the consent.
            if oauth::is_long(params.text("fb_exchange_token").unwrap_or_default()) {
                Operation::Refresh
            } else {
                Operation::Token
            }
        }
        ("DELETE", Address::MyPermissions) => Operation::Revoke,
        ("GET", Address::MyAccounts | Address::Account(_)) => Operation::Accounts,
        ("GET", Address::Campaigns(_)) => Operation::List,
        ("POST", Address::Campaigns(_)) => Operation::Create,
        ("GET", Address::Node(_)) => Operation::Get,
        ("DELETE", Address::Node(_)) => Operation::Delete,
        ("POST", Address::Node(_)) if params().text("status") == Some("DELETED") => Operation::Delete,
        ("POST", Address::Node(_)) => Operation::Update,
        _ => return None,
    })
}
