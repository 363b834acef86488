//! The platform as the control addresses and the index page use it.

use super::accounts::{self, Account};
use super::campaign::{Campaign, parse_id, utc_date};
use super::currency::CURRENCIES;
use super::state::{Epsilon, NAME};
use super::{QUIRKS, REVOKE, TOKEN, ads};
use crate::account::AccountSummary;
use crate::ads::{Ads, Hold, Holds};
use crate::delivery::{self, Delivery};
use crate::http::Request;
use crate::money;
use crate::oauth::Grants;
use crate::platform::{AdPlatform, SpendError, TotalSpend};
use crate::quirks::Quirk;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

impl Epsilon {
    /// A campaign, and the currency of its account.
    fn campaign(&mut self, id: &str) -> Result<(&mut Campaign, &str), SpendError> {
        let id = parse_id(id).ok_or(SpendError::UnknownCampaign)?;
        let found = self.accounts.iter_mut().find_map(|account| {
            let campaign = account.campaigns.get_mut(&id)?;
            Some((campaign, account.currency.as_str()))
        });
        found.ok_or(SpendError::UnknownCampaign)
    }
}

impl AdPlatform for Epsilon {
    fn quirks(&self) -> &'static [Quirk] {
        QUIRKS
    }

    fn grants(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        self.grants.revoke_grant_in_use(request, TOKEN, &[REVOKE]);
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        money::decimals(CURRENCIES, currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or(549_755_813_000);
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::owned(last + 1, &name, "US", currency, accounts::UTC));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the cost of a campaign. The cost counts for the current day in UTC.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (campaign, currency) = self.campaign(campaign)?;
        let micros = money::micros(amount).ok_or(SpendError::InvalidAmount)?;
        let total = delivery::add_spend(&mut campaign.days, utc_date(now), micros)?;
        let total = money::format(CURRENCIES, total, currency);
        Ok(TotalSpend { campaign: campaign.id.to_string(), currency: currency.to_owned(), total })
    }

    /// Sets the delivery of a campaign on a day in UTC.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (campaign, _) = self.campaign(campaign)?;
        delivery.check_whole_conversions()?;
        delivery::set(&mut campaign.days, day..=day, day, delivery)
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended], of_campaigns: &[] }
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let now = now.as_second();
        let summaries = self.accounts.iter().flat_map(|account| {
            let is_disabled = ads::is_disabled(account, &self.ads);
            account.campaigns.values().map(move |campaign| {
                let word = campaign.summary_status(is_disabled, now);
                campaign.summary(NAME, account.id, &account.currency, word)
            })
        });
        summaries.collect()
    }
}
