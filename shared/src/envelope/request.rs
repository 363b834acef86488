//! Requests to create and update campaigns, independent of the shape.

use crate::domain::{AdAccount, CampaignChanges, CampaignDraft, Currency, Platform};
use crate::error::Error;

/// Largest number of targets in a create request.
pub const MAX_TARGETS: usize = 10;
/// Longest campaign name in characters.
pub const MAX_NAME_CHARS: usize = 255;

/// A create request. It is valid in itself, but not checked against an ad account yet.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRequest {
    pub draft: CampaignDraft,
    /// Expected currency; must be the ad account's.
    pub currency: Option<Currency>,
    pub targets: Targets,
}

/// The ad accounts of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// One ad account. The response is the campaign.
    One(Target),
    /// Several ad accounts (`targets`). The response has a result for each.
    Many(Vec<Target>),
}

impl Targets {
    /// The targets as a list.
    pub fn as_slice(&self) -> &[Target] {
        match self {
            Targets::One(target) => std::slice::from_ref(target),
            Targets::Many(several) => several,
        }
    }
}

/// An ad account of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub platform: Platform,
    /// Selects one of the customer's connections on the platform.
    pub choice: AccountChoice,
}

/// Selects the ad account that pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    /// By ad account id (`organization_id`).
    Account(String),
    /// By connection id (`connection_id`).
    Connection(String),
    /// Not given. Valid only if exactly one connection is active.
    OnlyConnection,
}

/// An update request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    pub changes: CampaignChanges,
    /// Ad account that the caller expects the campaign in.
    pub organization_id: Option<String>,
}

impl CreateRequest {
    /// The campaign for an ad account, whose currency and decimals it must fit.
    pub fn draft_for(&self, account: &AdAccount) -> Result<CampaignDraft, Error> {
        let currency = account.currency;
        if self.currency.is_some_and(|requested| requested != currency) {
            let message = format!("must be the ad account's currency, {}; nothing is converted", currency.code());
            return Err(Error::field("currency", message));
        }
        currency.check(self.draft.budget_amount).map_err(|reason| Error::amount("budget_amount", reason))?;
        Ok(self.draft.clone())
    }
}
