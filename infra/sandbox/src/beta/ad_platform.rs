//! The platform as the control addresses and the index page use it.

use super::account::Account;
use super::campaign::{Budget, Campaign};
use super::params::Params;
use super::state::{Beta, NAME};
use super::{auth, currency, quirks, times};
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

impl Beta {
    /// A campaign, and the time zone and currency of its account.
    fn campaign(&mut self, id: &str) -> Result<(&mut Campaign, &str, &str), SpendError> {
        let id: u64 = id.parse().map_err(|_| SpendError::UnknownCampaign)?;
        let account = self.accounts.iter_mut().find(|account| account.campaigns.contains_key(&id));
        let account = account.ok_or(SpendError::UnknownCampaign)?;
        let campaign = account.campaigns.get_mut(&id).ok_or(SpendError::UnknownCampaign)?;
        Ok((campaign, &account.time_zone, &account.currency))
    }
}

impl AdPlatform for Beta {
    fn quirks(&self) -> &'static [Quirk] {
        quirks::QUIRKS
    }

    fn grants(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn revoke_grant_in_use(&mut self, request: &Request) {
        let params = Params::read(request).unwrap_or_default();
        if let Some(code) = params.string("code") {
            self.grants.revoke_code(code);
        }
        let exchanged = params.string("fb_exchange_token").map(str::to_owned);
        let token = exchanged.or_else(|| auth::token(request, &params));
        self.grants.revoke(&token.unwrap_or_default());
    }

    fn open_account(&mut self, currency: &str) -> Option<AccountSummary> {
        currency::offset(currency)?;
        let last = self.accounts.iter().map(|account| account.id).max().unwrap_or_default();
        let name = format!("Account {} in {currency}", self.accounts.len() + 1);
        self.accounts.push(Account::new(last + 1, &name, currency, "Etc/GMT"));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the spend of a campaign on the current day of its account.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (campaign, time_zone, currency) = self.campaign(campaign)?;
        let invalid = || SpendError::InvalidForCurrency(currency.to_owned());
        let units =
            currency::parse(amount, currency).and_then(|units| i64::try_from(units).ok()).ok_or_else(invalid)?;
        let amount = units.checked_mul(currency::unit(currency)).ok_or_else(invalid)?;
        let total = delivery::add_spend(&mut campaign.delivered, times::date(now, time_zone), amount);
        let total = total.map_err(|_| invalid())?;
        let total = currency::format(currency::units(total, currency), currency);
        Ok(TotalSpend { campaign: campaign.id.to_string(), currency: currency.to_owned(), total })
    }

    /// Sets the delivery of a day. The spend must be a whole number of Meta's units. A later delivery replaces it, as
    /// Meta restates days.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (campaign, _, currency) = self.campaign(campaign)?;
        if delivery.spend % currency::unit(currency) != 0 {
            return Err(SpendError::InvalidForCurrency(currency.to_owned()));
        }
        campaign.delivered.insert(day, delivery.clone());
        Ok(())
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended, Hold::Billing], of_campaigns: &[Hold::Billing, Hold::Audience] }
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
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
        "special_ad_categories": field("special_ad_categories"),
        "special_ad_category_country": campaign.special_ad_category_country,
        "start": field("start_time"),
        "end": field("stop_time"),
        "currency": account.currency,
        "budget_period": campaign.budget.map(Budget::parameter),
        "budget": budget.map(|amount| currency::format(amount, &account.currency)),
        "spent": currency::format(currency::units(campaign.spend(), &account.currency), &account.currency),
    })
}
