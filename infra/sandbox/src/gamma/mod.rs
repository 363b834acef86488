//! `gamma_ads`: the TikTok API for Business v1.3, with its own kind of OAuth.
//!
//! TikTok API for Business v1.3: the pages that each file names, and the request models of the
//! official SDK. Where they leave the exact wording, code or behaviour open, the choice is the
//! strict one.

mod access;
mod accounts;
mod answer;
mod archive;
mod campaign;
mod change;
mod consent;
mod create;
mod currency;
mod given;
mod list;
mod name;
mod oauth;
mod quirks;
mod report;
mod route;
mod serve;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::accounts::Account;
use self::answer::{Refusal, SYSTEM, TOO_FREQUENT};
use self::campaign::Campaign;
use self::route::Route;
use crate::account::AccountSummary;
use crate::faults::Call;
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "gamma_ads";

/// The registered app.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "7300000000000000017", secret: "sandbox-secret-gamma" };

const TITLE: &str = "TikTok for Business";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
pub(crate) struct Gamma {
    /// In the order of the consent page.
    accounts: Vec<Account>,
    grants: Grants,
    /// The number of the newest campaign, which is its id unless ids are skewed.
    last_campaign: u64,
    /// Reads so far, as far as a quirk counts them.
    #[serde(skip)]
    reads: u64,
    /// Creates so far, as far as a quirk counts them.
    #[serde(default)]
    creates: u64,
}

impl Default for Gamma {
    fn default() -> Self {
        let (accounts, grants) = (accounts::first_day(), Grants::default());
        Self { accounts, grants, last_campaign: 1_800_000_000_000_000, reads: 0, creates: 0 }
    }
}

impl Platform for Gamma {
    fn title(&self) -> &'static str {
        TITLE
    }

    fn call(&self, request: &Request) -> Call {
        Route::of(request).map_or(Call::Other, |route| route.call(request))
    }

    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        quirks::open_accounts(&mut self.accounts, moment);
        match Route::of(request) {
            None => answer::no_such_path(),
            Some(Route::Consent) => consent::answer(self, request, moment),
            Some(route) => {
                self.serve(route, request, moment).map_or_else(|refused| refused.reply(), |done| done.reply())
            }
        }
    }

    /// Errors inside come with HTTP 200 as all others do.
    fn broken(&self, _: &Request) -> Reply {
        Refusal::new(SYSTEM, "System error.").reply()
    }

    /// The code is the only signal: no header says when to come back.
    fn throttled(&self, _: &Request) -> Reply {
        Refusal::new(TOO_FREQUENT, "Requests made too frequently. Please retry later.").reply()
    }

    fn revoke_used(&mut self, request: &Request) {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let sent = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
        self.grants.revoke_code(sent("auth_code"));
        self.grants.revoke(sent("access_token"));
        self.grants.revoke(request.header(access::HEADER).unwrap_or_default());
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::decimals(currency)?;
        let id = accounts::id_after(self.accounts.len());
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(id, &name, currency, "Etc/GMT", "Etc/GMT"));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    fn spend(&mut self, campaign: &str, amount: &str, _: Timestamp) -> Result<Spent, SpendError> {
        let id: u64 = campaign.parse().map_err(|_| SpendError::Unknown)?;
        let mut found = self.accounts.iter_mut().filter_map(|account| {
            let campaign = account.campaigns.get_mut(&id)?;
            Some((&account.currency, campaign))
        });
        let (currency, campaign) = found.next().ok_or(SpendError::Unknown)?;
        let sum =
            currency::micros(amount).and_then(|more| campaign.spent.checked_add(more)).ok_or(SpendError::Amount)?;
        campaign.spent = sum;
        let spent = currency::sum(sum, currency);
        Ok(Spent { campaign: id.to_string(), currency: currency.clone(), sum: spent })
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
        let held = self
            .accounts
            .iter()
            .flat_map(|account| account.campaigns.values().map(move |campaign| campaign_card(account, campaign)));
        held.collect()
    }
}

fn campaign_card(account: &Account, campaign: &Campaign) -> Value {
    json!({
        "platform": WORD,
        "account": account.id,
        "id": campaign.id.to_string(),
        "name": campaign.name,
        "status": if campaign.deleted { "DELETE" } else { campaign.operation_status() },
        "created": format!("{}Z", campaign.created.replace(' ', "T")),
        "primary_status": campaign.primary_status(),
        "objective": campaign.objective,
        "currency": account.currency,
        "budget_period": campaign.budget_mode,
        "budget": currency::sum(campaign.budget, &account.currency),
        "spent": currency::sum(campaign.spent, &account.currency),
    })
}
