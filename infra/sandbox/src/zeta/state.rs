//! The state of the platform: ad accounts with their campaigns, grants, and the count of reports.

use super::accounts::{Account, CURRENCIES, initial_accounts};
use super::campaign::{Campaign, parse_id};
use super::reports;
use super::time::start_of_hour;
use super::{QUIRKS, REVOKE, TOKEN};
use crate::account::AccountSummary;
use crate::delivery::{self, Delivery};
use crate::http::Request;
use crate::money;
use crate::oauth::{Grants, OAuthClient};
use crate::platform::{AdPlatform, SpendError, TotalSpend};
use crate::quirks::Quirk;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The platform's name in the API.
pub(crate) const NAME: &str = "zeta_ads";

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Reddit Ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "Zt4sAnDb0xCl1entId00aQ", secret: "sandbox-secret-zeta" };

/// Seconds of a day, and its hour that has the delivery of the whole day: noon in UTC, which is on the same date in most
/// time zones.
const DAY: i64 = 86_400;
const NOON: i64 = 43_200;

/// Everything that the platform stores.
#[derive(Serialize, Deserialize)]
pub(crate) struct Zeta {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    /// The id of the newest campaign. Ids increase.
    pub(super) last_campaign_id: i64,
    pub(super) reports: ReportCounter,
}

impl Default for Zeta {
    fn default() -> Self {
        Self {
            accounts: initial_accounts(),
            grants: Grants::default(),
            last_campaign_id: 1_990_000_000_000_000_000,
            reports: ReportCounter::default(),
        }
    }
}

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

    fn campaigns(&self, now: Timestamp) -> Vec<Value> {
        let now = now.as_second();
        let summaries = self.accounts.iter().flat_map(|account| {
            let campaigns = account.campaigns.values();
            campaigns.map(move |campaign| campaign.summary(NAME, &account.id, &account.currency, now))
        });
        summaries.collect()
    }
}

/// The number of reports in the latest minute with a report.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ReportCounter {
    minute: i64,
    count: u32,
}

impl ReportCounter {
    /// Counts a report and returns the count of its minute.
    pub(super) fn count(&mut self, now: i64) -> u32 {
        let minute = now.div_euclid(60);
        if minute != self.minute {
            *self = Self { minute, count: 0 };
        }
        self.count = self.count.saturating_add(1);
        self.count
    }
}
