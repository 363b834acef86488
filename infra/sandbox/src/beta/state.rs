//! The state of the platform: accounts, campaigns and OAuth grants.

use super::account::Account;
use super::fixtures;
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};

/// The platform's name in paths and control requests.
pub(crate) const NAME: &str = "beta_ads";

/// The registered app.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "402600000000001", secret: "sandbox-secret-beta" };

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Meta Ads";

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Beta {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    /// The newest campaign id. Ids increase with time.
    pub(super) last_campaign: u64,
}

impl Default for Beta {
    fn default() -> Self {
        let accounts = fixtures::initial_accounts();
        let grants = Grants::default();
        Self { accounts, grants, ads: Ads::default(), last_campaign: 120_210_000_000_000_000 }
    }
}

impl Beta {
    /// The index of the account that holds a campaign.
    pub(super) fn account_of(&self, campaign: u64) -> Option<usize> {
        self.accounts.iter().position(|account| account.campaigns.contains_key(&campaign))
    }
}
