//! The state of the platform: ad accounts with their campaigns, and grants.

use super::accounts::{Account, initial_accounts};
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};

/// The platform's name in the API.
pub(crate) const NAME: &str = "epsilon_ads";

/// The platform's name on pages.
pub(crate) const TITLE: &str = "Pinterest Ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "1491555", secret: "sandbox-secret-epsilon" };

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Epsilon {
    /// Ordered by id, which is the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    /// The id of the newest campaign. Ids increase.
    pub(super) last_campaign_id: i64,
}

impl Default for Epsilon {
    fn default() -> Self {
        Self {
            accounts: initial_accounts(),
            grants: Grants::default(),
            ads: Ads::default(),
            last_campaign_id: 626_735_565_000,
        }
    }
}
