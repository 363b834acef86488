//! The state of the platform: ad accounts with their campaigns, grants, and the count of reports.

use super::accounts::{Account, initial_accounts};
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};

/// The platform's name in the API.
pub(crate) const NAME: &str = "zeta_ads";

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Reddit Ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "Zt4sAnDb0xCl1entId00aQ", secret: "sandbox-secret-zeta" };

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Zeta {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    /// The id of the newest campaign. Ids increase.
    pub(super) last_campaign_id: i64,
    pub(super) reports: ReportCounter,
}

impl Default for Zeta {
    fn default() -> Self {
        Self {
            accounts: initial_accounts(),
            grants: Grants::default(),
            ads: Ads::default(),
            last_campaign_id: 1_990_000_000_000_000_000,
            reports: ReportCounter::default(),
        }
    }
}

/// The number of reports in the latest minute with a report.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
