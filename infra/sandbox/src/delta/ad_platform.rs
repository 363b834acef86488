//! The platform as the control addresses and the index page use it.

use super::accounts::Account;
use super::entity::Entity;
use super::state::{Delta, NAME};
use super::{INTROSPECT, QUIRKS, REVOKE, TOKEN, campaign, currency};
use crate::account::AccountSummary;
use crate::ads::{Ads, Hold, Holds};
use crate::delivery::{self, Delivery};
use crate::http::Request;
use crate::oauth::Grants;
use crate::platform::{AdPlatform, SpendError, TotalSpend};
use crate::quirks::Quirk;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

impl Delta {
    /// A campaign, and the currency of its account.
    fn campaign(&mut self, id: &str) -> Result<(&str, &mut Entity), SpendError> {
        let id: i64 = id.parse().map_err(|_| SpendError::UnknownCampaign)?;
        let found = self.accounts.iter_mut().find_map(|account| {
            let campaign = account.campaigns.get_mut(&id)?;
            Some((account.currency.as_str(), campaign))
        });
        found.ok_or(SpendError::UnknownCampaign)
    }
}

impl AdPlatform for Delta {
    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn grants(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        self.grants.revoke_grant_in_use(request, TOKEN, &[INTROSPECT, REVOKE]);
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        if !currency::is_known(currency) {
            return None;
        }
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(512_300_000);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the cost of a campaign. The cost counts for the current day in UTC.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (currency, campaign) = self.campaign(campaign)?;
        let micros = currency::micros(amount).ok_or(SpendError::InvalidAmount)?;
        let today = now.to_zoned(TimeZone::UTC).date();
        let total = delivery::add_spend(&mut campaign.delivered, today, micros)?;
        let campaign = campaign.id.to_string();
        let currency = currency.to_owned();
        Ok(TotalSpend { campaign, currency, total: currency::decimal(total) })
    }

    /// Sets what a campaign did on a day in UTC.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (_, campaign) = self.campaign(campaign)?;
        delivery.check_whole_conversions()?;
        delivery::set(&mut campaign.delivered, day..=day, day, delivery)
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended, Hold::Billing], of_campaigns: &[Hold::BudgetSpent, Hold::Audience] }
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let now = now.as_millisecond();
        let summaries = self.accounts.iter().flat_map(|account| {
            let campaigns = account.campaigns.values();
            campaigns.map(move |campaign| campaign::summary(NAME, account, campaign, &self.ads, now))
        });
        summaries.collect()
    }
}
