//! The platform as the control addresses and the index page use it.

use super::account::Account;
use super::budget::Amount;
use super::campaign::Campaign;
use super::route::{REVOKE, TOKEN};
use super::state::{Alpha, NAME};
use super::{currency, dates, oauth, primary, quirks};
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

impl Alpha {
    /// A campaign, and the time zone and currency of its account.
    fn campaign(&mut self, id: &str) -> Result<(&mut Campaign, &str, &str), SpendError> {
        let id: i64 = id.parse().map_err(|_| SpendError::UnknownCampaign)?;
        let holds = |account: &&mut Account| account.campaigns.contains_key(&id);
        let account = self.accounts.iter_mut().find(holds).ok_or(SpendError::UnknownCampaign)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::UnknownCampaign)?;
        Ok((campaign, &account.time_zone, &account.currency))
    }
}

impl AdPlatform for Alpha {
    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn grants(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        if request.path == REVOKE {
            self.grants.revoke(&oauth::token_to_revoke(request).unwrap_or_default());
        } else {
            self.grants.revoke_grant_in_use(request, TOKEN, &[]);
        }
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::decimals(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(1_002_003_999);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency, "Etc/GMT"));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the cost of a campaign on the current day of its account.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (campaign, time_zone, currency) = self.campaign(campaign)?;
        let amount = currency::micros(amount).ok_or(SpendError::InvalidAmount)?;
        let total = delivery::add_spend(&mut campaign.delivered, dates::local(now, time_zone).date(), amount)?;
        let total = currency::format(total, currency);
        Ok(TotalSpend { campaign: campaign.id.to_string(), currency: currency.to_owned(), total })
    }

    /// Sets the delivery of a day. A later one replaces it, as Google restates days.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (campaign, _, _) = self.campaign(campaign)?;
        campaign.delivered.insert(day, delivery.clone());
        Ok(())
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended], of_campaigns: &[Hold::BudgetSpent, Hold::Audience] }
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let summaries = |account: &Account| -> Vec<Value> {
            account.campaigns.values().map(|campaign| summary(&self.ads, account, campaign, now)).collect()
        };
        self.accounts.iter().flat_map(summaries).collect()
    }
}

fn summary(ads: &Ads, account: &Account, campaign: &Campaign, now: Timestamp) -> Value {
    let now = dates::local(now, &account.time_zone);
    let states = ads.stored(&campaign.id.to_string());
    let primary = primary::of_campaign(campaign, states, ads.campaign_hold(&campaign.id.to_string()), now);
    let field = |name: &str| campaign.field(name, account.id, now).map(|value| value.json());
    let budget = account.budgets.get(&campaign.budget).map(|budget| budget.amount);
    json!({
        "platform": NAME,
        "account": account.id.to_string(),
        "id": field("id"),
        "name": field("name"),
        "status": field("status"),
        "created": campaign.created,
        "primary_status": primary.status,
        "channel": field("advertising_channel_type"),
        "bidding": field("bidding_strategy_type"),
        "eu_political": field("contains_eu_political_advertising"),
        "start": field("start_date_time"),
        "end": field("end_date_time"),
        "start_at": dates::instant(campaign.starts(), &account.time_zone),
        "end_at": dates::instant(campaign.ends(), &account.time_zone),
        "currency": account.currency,
        "budget_period": budget.map(Amount::period),
        "budget": budget.map(|amount| currency::format(amount.micros(), &account.currency)),
        "spent": currency::format(campaign.cost_micros(), &account.currency),
    })
}
