//! `zeta_ads`: the Reddit Ads API v3, with Reddit's OAuth.
//!
//! Reddit Ads API v3 reference and Reddit OAuth2 guide. Where they leave the exact wording or
//! code open, the choice is the strict one.

mod accounts;
mod agent;
mod api;
mod campaign;
mod consent;
mod error;
mod limit;
mod money;
mod oauth;
mod query;
mod reports;
mod schema;
mod write;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::accounts::Account;
use self::api::Method;
use self::error::{Refusal, plain};
use self::limit::Left;
use crate::account::AccountSummary;
use crate::faults::{Call, Operation};
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "zeta_ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "Zt4sAnDb0xCl1entId00aQ", secret: "sandbox-secret-zeta" };

const TITLE: &str = "Reddit Ads";

const QUIRKS: &[Quirk] = &[
    Quirk { name: api::LABEL_QUIRK, what: "Ignores invoice_label, as on accounts that a credit card pays for." },
    Quirk { name: reports::MISSING_QUIRK, what: "A campaign without delivery has no row in a report." },
    Quirk {
        name: reports::NULL_QUIRK,
        what: "The spend of a campaign without delivery is null; with missing_rows, even campaign ids have no row.",
    },
    Quirk { name: limit::QUIRK, what: "Throttles reports, from the 61st within a minute of the clock." },
];

const AUTHORIZE: &str = "/api/v1/authorize";
const TOKEN: &str = "/api/v1/access_token";
const REVOKE: &str = "/api/v1/revoke_token";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Zeta {
    /// In the order of the consent page.
    accounts: Vec<Account>,
    grants: Grants,
    /// The last id that was given to a campaign; they grow.
    last_campaign: i64,
    reports: limit::Reports,
}

impl Default for Zeta {
    fn default() -> Self {
        Self {
            accounts: accounts::first_day(),
            grants: Grants::default(),
            last_campaign: 1_990_000_000_000_000_000,
            reports: limit::Reports::default(),
        }
    }
}

impl Platform for Zeta {
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
        QUIRKS
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        match request.path.as_str() {
            AUTHORIZE => consent::answer(self, request, moment),
            TOKEN => oauth::token(self, request, moment),
            REVOKE => oauth::revoke(self, request),
            _ => api::answer(self, request, moment),
        }
    }

    fn broken(&self, request: &Request) -> Reply {
        if is_oauth(request) {
            return plain(500, "Internal Server Error");
        }
        limit::tell(Refusal::new(500, "Internal Server Error").reply(), request, Left::Most)
    }

    /// The API says in a header when to come back, the token addresses do not.
    fn throttled(&self, request: &Request) -> Reply {
        if is_oauth(request) {
            return plain(429, "Too Many Requests");
        }
        limit::tell(Refusal::new(429, "Too Many Requests").reply(), request, Left::Nothing(30))
    }

    fn revoke_used(&mut self, request: &Request) {
        self.grants.revoke_used(request, TOKEN, &[REVOKE]);
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        money::decimals(currency)?;
        let number = self.accounts.len() + 1;
        let name = format!("Account {number} in {currency}");
        self.accounts.push(Account::own(&format!("a2_h8rbr{number:04}"), &name, currency, Some("Etc/UTC")));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    /// What is spent now belongs to this hour.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<Spent, SpendError> {
        let id = number(campaign).ok_or(SpendError::Unknown)?;
        let holds = |account: &&mut Account| account.campaigns.contains_key(&id);
        let account = self.accounts.iter_mut().find(holds).ok_or(SpendError::Unknown)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::Unknown)?;
        let more = money::micros(amount).ok_or(SpendError::Amount)?;
        let total =
            campaign.spent.values().try_fold(more, |sum, hour| sum.checked_add(*hour)).ok_or(SpendError::Amount)?;
        *campaign.spent.entry(reports::hour(now.as_second())).or_default() += more;
        Ok(Spent {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            sum: money::decimal(total, &account.currency),
        })
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let cards = self.accounts.iter().flat_map(|account| {
            let card =
                |campaign: &campaign::Campaign| campaign.card(WORD, &account.id, &account.currency, now.as_second());
            account.campaigns.values().map(card)
        });
        cards.collect()
    }
}

/// Whether a request goes to the addresses that give and end tokens.
fn is_oauth(request: &Request) -> bool {
    matches!(request.path.as_str(), AUTHORIZE | TOKEN | REVOKE)
}

/// The number that a campaign's id is, as a text of digits only.
fn number(id: &str) -> Option<i64> {
    let digits = !id.is_empty() && !id.starts_with('0') && id.bytes().all(|byte| byte.is_ascii_digit());
    if digits { id.parse().ok() } else { None }
}

/// What a call of the API is about; nothing for one that is none, and for the report and pixels,
/// so that a fault on the list or the accounts meets those.
fn operation(request: &Request) -> Option<Operation> {
    Some(match api::address(request).ok()? {
        Method::Businesses | Method::Accounts(_) | Method::Account(_) => Operation::Accounts,
        Method::List(_) => Operation::List,
        Method::Create(_) => Operation::Create,
        Method::Get(_) => Operation::Get,
        Method::Update(_) => {
            let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
            let status = body["data"]["configured_status"].as_str();
            if matches!(status, Some("ARCHIVED" | "DELETED")) { Operation::Delete } else { Operation::Update }
        }
        Method::Pixels(_) | Method::Report(_) => return None,
    })
}
