//! `epsilon_ads`: the Pinterest API v5 for ads, with Pinterest's OAuth.
//!
//! Pinterest API v5 reference and the guides beside it, on developers.pinterest.com. Where the
//! documentation leaves the exact wording or code open, the choice is the strict one.

mod accounts;
mod analytics;
mod api;
mod campaign;
mod consent;
mod error;
mod items;
mod legacy;
mod money;
mod oauth;
mod query;
mod write;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::accounts::Account;
use self::api::Method;
use self::error::Refusal;
use self::items::Kind;
use crate::account::AccountSummary;
use crate::faults::{Call, Operation};
use crate::http::{Reply, Request};
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{Platform, RequestContext, SpendError, Spent};
use crate::quirks::Quirk;

/// The wire word.
pub(crate) const WORD: &str = "epsilon_ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "1491555", secret: "sandbox-secret-epsilon" };

const TITLE: &str = "Pinterest Ads";

const QUIRKS: &[Quirk] = &[
    Quirk {
        name: legacy::QUIRK,
        what: "The account in euros holds paused campaigns of old objectives and of one that no page lists.",
    },
    Quirk { name: write::OLD_QUIRK, what: "New campaigns may still have WEB_CONVERSION and CATALOG_SALES." },
];

const AUTHORIZE: &str = "/oauth/";
const TOKEN: &str = "/v5/oauth/token";
const REVOKE: &str = "/v5/oauth/token/revoke";

/// All that the platform holds.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Epsilon {
    /// In the order of the consent page, which is that of their ids.
    accounts: Vec<Account>,
    grants: Grants,
    /// The last id that was given to a campaign; they grow.
    last_campaign: i64,
}

impl Default for Epsilon {
    fn default() -> Self {
        Self { accounts: accounts::first_day(), grants: Grants::default(), last_campaign: 626_735_565_000 }
    }
}

impl Platform for Epsilon {
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
        if moment.quirk(legacy::QUIRK) {
            legacy::seed(&mut self.accounts);
        }
        match request.path.as_str() {
            AUTHORIZE => consent::answer(self, request, moment),
            TOKEN => oauth::token(self, request, moment),
            REVOKE => oauth::revoke(request),
            _ => api::answer(self, request, moment),
        }
    }

    fn broken(&self, _: &Request) -> Reply {
        Refusal::new(500, 12, "Something went wrong on our end. Sorry about that.").reply()
    }

    /// The header that says when to come back comes sometimes: here with what reads.
    fn throttled(&self, request: &Request) -> Reply {
        let reply = Refusal::new(429, 8, "You have exceeded your rate limit. Try again later.").reply();
        if request.method == "GET" { reply.with("x-ratelimit-reset", "30") } else { reply }
    }

    fn revoke_used(&mut self, request: &Request) {
        self.grants.revoke_used(request, TOKEN, &[REVOKE]);
    }

    fn grants(&mut self) -> Option<&mut Grants> {
        Some(&mut self.grants)
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        money::decimals(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(549_755_813_000);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::own(last + 1, &name, "US", currency, accounts::UTC));
        self.accounts.last().map(Account::card)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::card).collect()
    }

    /// What is spent now belongs to today in UTC.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<Spent, SpendError> {
        let id = items::id(campaign).ok_or(SpendError::Unknown)?;
        let holds = |account: &&mut Account| account.campaigns.contains_key(&id);
        let account = self.accounts.iter_mut().find(holds).ok_or(SpendError::Unknown)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::Unknown)?;
        let more = money::micros(amount).ok_or(SpendError::Amount)?;
        let total =
            campaign.spent.values().try_fold(more, |sum, day| sum.checked_add(*day)).ok_or(SpendError::Amount)?;
        *campaign.spent.entry(analytics::today(now)).or_default() += more;
        Ok(Spent {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            sum: money::decimal(total, &account.currency),
        })
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let cards = self.accounts.iter().flat_map(|account| {
            let card =
                |campaign: &campaign::Campaign| campaign.card(WORD, account.id, &account.currency, now.as_second());
            account.campaigns.values().map(card)
        });
        cards.collect()
    }
}

/// What a call of the API is about; nothing for one that cannot be read, and for the report, so
/// that a fault on the list meets the list.
fn operation(request: &Request) -> Option<Operation> {
    Some(match api::address(request).ok()? {
        Method::Accounts | Method::Account(_) => Operation::Accounts,
        Method::List(_) => Operation::List,
        Method::Get(..) => Operation::Get,
        Method::Analytics(_) => return None,
        Method::Write(_, Kind::Create) => Operation::Create,
        Method::Write(_, Kind::Update) => {
            let items = items::parse(&request.body, Kind::Update).ok()?;
            let deletes = items.iter().any(|given| given.status.is_some_and(campaign::Status::is_final));
            if deletes { Operation::Delete } else { Operation::Update }
        }
    })
}
