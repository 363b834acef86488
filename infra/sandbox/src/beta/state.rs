//! The state of the platform: accounts, campaigns and OAuth grants.

use super::account::Account;
use super::campaign::{Budget, Campaign};
use super::{currency, fixtures, times};
use crate::account::AccountSummary;
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{SpendError, TotalSpend};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The platform's name in paths and control requests.
pub(crate) const NAME: &str = "beta_ads";

/// The registered app.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "402600000000001", secret: "sandbox-secret-beta" };

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Meta Ads";

/// Everything that the platform stores.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Beta {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    /// The newest campaign id. Ids increase with time.
    pub(super) last_campaign: u64,
}

impl Default for Beta {
    fn default() -> Self {
        let (accounts, grants) = (fixtures::initial_accounts(), Grants::default());
        Self { accounts, grants, last_campaign: 120_210_000_000_000_000 }
    }
}

impl Beta {
    /// The index of the account that holds a campaign.
    pub(super) fn account_of(&self, campaign: u64) -> Option<usize> {
        self.accounts.iter().position(|account| account.campaigns.contains_key(&campaign))
    }

    pub(super) fn account_summaries(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds an ad account. Returns `None` for an unknown currency.
    pub(super) fn add_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::offset(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or_default();
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency, "Etc/GMT"));
        self.accounts.last().map(Account::summary)
    }

    /// Adds to the spend of a campaign on the current day of its account.
    pub(super) fn add_spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let id: u64 = campaign.parse().map_err(|_| SpendError::UnknownCampaign)?;
        let account = self.accounts.iter_mut().find(|account| account.campaigns.contains_key(&id));
        let account = account.ok_or(SpendError::UnknownCampaign)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::UnknownCampaign)?;
        let day = campaign.spent.entry(times::date(now, &account.time_zone)).or_default();
        let sum = currency::parse(amount, &account.currency).and_then(|amount| day.checked_add(amount));
        *day = sum.ok_or_else(|| SpendError::InvalidForCurrency(account.currency.clone()))?;
        Ok(TotalSpend {
            campaign: id.to_string(),
            currency: account.currency.clone(),
            total: currency::format(campaign.spend_between(None, None), &account.currency),
        })
    }

    /// Every campaign as the control API shows it.
    pub(super) fn campaign_summaries(&self) -> Vec<Value> {
        let summaries = |account: &Account| -> Vec<Value> {
            account.campaigns.values().map(|campaign| summary(account, campaign)).collect()
        };
        self.accounts.iter().flat_map(summaries).collect()
    }
}

fn summary(account: &Account, campaign: &Campaign) -> Value {
    let field = |name: &str| account.campaign_field(campaign, name);
    let budget = campaign.budget.map(Budget::amount);
    json!({
        "platform": NAME,
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
        "budget": budget.map(|amount| currency::format(amount, &account.currency)),
        "spent": currency::format(campaign.spend_between(None, None), &account.currency),
    })
}
