//! The platform as the control addresses and the index page use it.

use super::account::Account;
use super::campaign::Campaign;
use super::held::Held;
use super::state::{Gamma, NAME};
use super::{auth, currency, fixtures, quirks};
use crate::account::AccountSummary;
use crate::ads::{Ads, Hold, Holds};
use crate::delivery::{self, Delivery};
use crate::http::Request;
use crate::oauth::Grants;
use crate::platform::{AdPlatform, SpendError, TotalSpend};
use crate::quirks::Quirk;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Value, json};

impl Gamma {
    /// The account of a campaign, and the campaign's id.
    fn account_of(&mut self, campaign: &str) -> Result<(&mut Account, u64), SpendError> {
        let id: u64 = campaign.parse().map_err(|_| SpendError::UnknownCampaign)?;
        let account = self.accounts.iter_mut().find(|account| account.campaigns.contains_key(&id));
        account.map(|account| (account, id)).ok_or(SpendError::UnknownCampaign)
    }
}

impl AdPlatform for Gamma {
    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn grants(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let sent = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
        self.grants.revoke_code(sent("auth_code"));
        self.grants.revoke(sent("access_token"));
        self.grants.revoke(request.header(auth::HEADER).unwrap_or_default());
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::decimals(currency)?;
        let id = fixtures::next_id(self.accounts.len());
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(id, &name, currency, "Etc/GMT", "Etc/GMT"));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the spend of a campaign, on the current day in the account's time zone.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (account, id) = self.account_of(campaign)?;
        let day = account.day(now);
        let currency = account.currency.clone();
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::UnknownCampaign)?;
        let amount = currency::micros(amount).ok_or(SpendError::InvalidAmount)?;
        let total = delivery::add_spend(&mut campaign.delivered, day, amount)?;
        let total = currency::format(total, &currency);
        Ok(TotalSpend { campaign: id.to_string(), currency, total })
    }

    /// Sets what a campaign did on a day of the account's time zone.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (account, id) = self.account_of(campaign)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::UnknownCampaign)?;
        delivery.check_whole_conversions()?;
        delivery::set(&mut campaign.delivered, day..=day, day, delivery)
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended, Hold::Billing], of_campaigns: &[Hold::BudgetSpent] }
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
        let summaries = |account: &Account| -> Vec<Value> {
            account.campaigns.values().map(|campaign| summary(&self.ads, account, campaign)).collect()
        };
        self.accounts.iter().flat_map(summaries).collect()
    }
}

fn summary(ads: &Ads, account: &Account, campaign: &Campaign) -> Value {
    json!({
        "platform": NAME,
        "account": account.id,
        "id": campaign.id.to_string(),
        "name": campaign.name,
        "status": if campaign.deleted { "DELETE" } else { campaign.operation_status() },
        "created": format!("{}Z", campaign.created.replace(' ', "T")),
        "primary_status": campaign.primary_status(Held::of(ads, &account.id, campaign)),
        "objective": campaign.objective,
        "currency": account.currency,
        "budget_period": campaign.budget_mode,
        "budget": currency::format(campaign.budget, &account.currency),
        "spent": currency::format(campaign.spent(), &account.currency),
    })
}
