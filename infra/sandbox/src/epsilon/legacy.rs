//! Campaigns with objectives that are no longer available, or not documented yet.
//!
//! Pinterest API v5 changelog and enum of objectives, 5.28.0. Clients read such campaigns as long as the
//! platform keeps them.

use super::accounts::{Account, EUR_ACCOUNT, OPENED_AT};
use super::campaign::{Campaign, Status};
use crate::delivery::DeliveredDays;

/// The quirk that adds these campaigns.
pub(crate) const QUIRK: &str = "legacy_campaigns";

/// Smaller than the id of every new campaign.
const FIRST_ID: i64 = 626_735_564_001;

const OBJECTIVES: &[&str] = &["WEB_CONVERSION", "CATALOG_SALES", "VIDEO_VIEW", "UNLISTED_OBJECTIVE"];

/// Adds the campaigns to the account in euros. They stay there and behave like other campaigns.
pub(crate) fn seed(accounts: &mut [Account]) {
    let Some(account) = accounts.iter_mut().find(|account| account.id == EUR_ACCOUNT) else { return };
    for (id, objective) in (FIRST_ID..).zip(OBJECTIVES) {
        account.campaigns.entry(id).or_insert_with(|| campaign(id, objective));
    }
}

fn campaign(id: i64, objective: &str) -> Campaign {
    Campaign {
        id,
        name: format!("Campaign of {objective}"),
        objective: objective.to_owned(),
        status: Status::Paused,
        optimized: true,
        flexible: false,
        daily: Some(25_000_000),
        lifetime: None,
        start: Some(OPENED_AT),
        end: None,
        created: OPENED_AT,
        updated: OPENED_AT,
        days: DeliveredDays::new(),
    }
}
