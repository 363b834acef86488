//! The trait of the ad platforms, and the types in its signatures.

use crate::account::AccountSummary;
use crate::ads::{Ads, Holds};
use crate::delivery::Delivery;
pub(crate) use crate::delivery::SpendError;
use crate::http::Request;
use crate::oauth::Grants;
use crate::quirks::Quirk;
use crate::service::Service;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

/// An ad platform: a service with grants, ad accounts and campaigns.
pub(crate) trait AdPlatform: Service {
    /// The platform's quirks.
    fn quirks(&self) -> &'static [Quirk];

    /// The grants of the platform's users.
    fn grants(&mut self) -> &mut Grants;

    /// Revokes the grant that a request uses, as if its user had revoked it.
    fn revoke_grant_in_use(&mut self, request: &Request);

    /// Opens an ad account; `None` for a currency that the platform does not support.
    fn open_account(&mut self, currency: &str) -> Option<AccountSummary>;

    /// The ad accounts, in the order of the consent page.
    fn accounts(&self) -> Vec<AccountSummary>;

    /// Adds `amount`, a decimal in the account's currency, to the spend of a campaign.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError>;

    /// Sets what a campaign did on a day of its account's reports, in place of what it had.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError>;

    /// The ads of the campaigns, and what holds campaigns and accounts back.
    fn ads(&mut self) -> &mut Ads;

    /// The holds that the platform has a word for.
    fn holds(&self) -> Holds;

    /// Every campaign, removed ones too, for people and for tests that compare them with the service's. Each has at
    /// least `platform`, `account`, `id`, `name`, `status` and `budget_period` in the platform's words, `budget` as a
    /// decimal of `currency`, and `created` in ISO 8601.
    fn campaigns(&self, now: Timestamp) -> Vec<Value>;
}

/// Total spend of a campaign.
pub(crate) struct TotalSpend {
    pub(crate) campaign: String,
    pub(crate) currency: String,
    /// A decimal with the platform's number of places.
    pub(crate) total: String,
}
