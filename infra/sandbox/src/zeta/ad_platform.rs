//! The platform as the control addresses and the index page use it.

use super::accounts::Account;
use super::campaign::{Campaign, parse_id};
use super::currency::CURRENCIES;
use super::state::{NAME, Zeta};
use super::time::start_of_hour;
use super::{QUIRKS, REVOKE, TOKEN, reports};
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
use jiff::tz::TimeZone;
use serde_json::Value;

/// Seconds of a day, and its hour that has the delivery of the whole day: noon in UTC, which is on the same date in
/// most time zones.
const DAY: i64 = 86_400;
const NOON: i64 = 43_200;

impl Zeta {
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

impl AdPlatform for Zeta {
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
        let number = self.accounts.len() + 1;
        let name = format!("Account {number} in {currency}");
        self.accounts.push(Account::owned(&format!("a2_h8rbr{number:04}"), &name, currency, Some("Etc/UTC")));
        self.accounts.last().map(Account::summary)
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        self.accounts.iter().map(Account::summary).collect()
    }

    /// Adds to the cost of a campaign. The cost counts for the current hour.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError> {
        let (campaign, currency) = self.campaign(campaign)?;
        let micros = money::micros(amount).ok_or(SpendError::InvalidAmount)?;
        let total = delivery::add_spend(&mut campaign.hours, start_of_hour(now.as_second()), micros)?;
        let total = money::format(CURRENCIES, total, currency);
        Ok(TotalSpend { campaign: campaign.id.to_string(), currency: currency.to_owned(), total })
    }

    /// Sets the delivery of a campaign on a day in UTC. Reports have whole conversions, and their value in hundredths.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError> {
        let (campaign, currency) = self.campaign(campaign)?;
        delivery.check_whole_conversions()?;
        if delivery.conversion_value % reports::HUNDREDTH != 0 {
            return Err(SpendError::InvalidForCurrency(currency.to_owned()));
        }
        let start = day.to_zoned(TimeZone::UTC).map_err(|_| SpendError::InvalidAmount)?.timestamp().as_second();
        delivery::set(&mut campaign.hours, start..start + DAY, start + NOON, delivery)
    }

    fn ads(&mut self) -> &mut Ads {
        &mut self.ads
    }

    fn holds(&self) -> Holds {
        Holds { of_accounts: &[Hold::Suspended], of_campaigns: &[Hold::Billing] }
    }

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let now = now.as_second();
        let summaries = self.accounts.iter().flat_map(|account| {
            account.campaigns.values().map(move |campaign| {
                let word = campaign.effective_status(&self.ads, now);
                campaign.summary(NAME, &account.id, &account.currency, word)
            })
        });
        summaries.collect()
    }
}
