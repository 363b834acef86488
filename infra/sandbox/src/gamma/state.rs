//! The state of the platform: accounts, campaigns and OAuth grants.

use super::account::Account;
use super::fixtures;
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};

/// The platform's name in paths and control requests.
pub(crate) const NAME: &str = "gamma_ads";

/// The registered app.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "7300000000000000017", secret: "sandbox-secret-gamma" };

/// The platform's name on pages.
pub(crate) const TITLE: &str = "TikTok for Business";

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Gamma {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    /// Number of the newest campaign. It is the campaign's id unless the quirk `id_skew` is on.
    pub(super) last_campaign: u64,
    /// Reads under the quirk `passing_troubles`.
    #[serde(skip)]
    pub(super) reads: u64,
    /// Creates under the quirk `troubled_creates`.
    pub(super) creates: u64,
}

impl Default for Gamma {
    fn default() -> Self {
        let accounts = fixtures::initial_accounts();
        let grants = Grants::default();
        Self { accounts, grants, ads: Ads::default(), last_campaign: 1_800_000_000_000_000, reads: 0, creates: 0 }
    }
}
