//! The state of the platform: accounts, campaigns and OAuth grants.

use super::account::Account;
use super::fixtures;
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};

/// The platform's name in paths and control requests.
pub(crate) const NAME: &str = "alpha_ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient =
    OAuthClient { id: "sandbox-client.apps.googleusercontent.example", secret: "sandbox-secret-alpha" };

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Google Ads";

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Alpha {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    pub(super) ids: LastIds,
}

/// The newest id of each resource. They exceed 32 bits, like real ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastIds {
    pub(super) campaign: i64,
    pub(super) budget: i64,
}

impl Default for LastIds {
    fn default() -> Self {
        Self { campaign: 21_000_000_000, budget: 15_000_000_000 }
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self {
            accounts: fixtures::initial_accounts(),
            grants: Grants::default(),
            ads: Ads::default(),
            ids: LastIds::default(),
        }
    }
}
