//! The state of the platform: ad accounts and what they hold, grants, and token lifetimes.

use super::accounts::{Account, initial_accounts};
use crate::ads::Ads;
use crate::oauth::{Grants, OAuthClient};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The platform's name in the API.
pub(crate) const NAME: &str = "delta_ads";

/// The platform's name on pages.
pub(crate) const TITLE: &str = "LinkedIn Ads";

/// The registered OAuth client.
pub(crate) const CLIENT: OAuthClient = OAuthClient { id: "78sandboxdelta", secret: "sandbox-secret-delta" };

/// Everything that the platform stores.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Delta {
    /// In the order of the consent page.
    pub(super) accounts: Vec<Account>,
    pub(super) grants: Grants,
    #[serde(default)]
    pub(super) ads: Ads,
    /// Lifetimes of access and refresh tokens, by token.
    pub(super) token_lifetimes: BTreeMap<String, TokenLifetime>,
    /// The id of the newest campaign or group. Both draw from one sequence.
    pub(super) last_id: i64,
}

/// The creation and expiry of a token, in Unix seconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct TokenLifetime {
    pub(super) created: i64,
    pub(super) expires: i64,
}

impl Default for Delta {
    fn default() -> Self {
        Self {
            accounts: initial_accounts(),
            grants: Grants::default(),
            ads: Ads::default(),
            token_lifetimes: BTreeMap::new(),
            last_id: 365_000_000,
        }
    }
}
