//! Campaigns whose objectives cannot be chosen any more, or are not listed yet.
//!
//! Pinterest API v5 changelog and enum of objectives, 5.28.0. Clients read such campaigns for as
//! long as they are kept.

use std::collections::BTreeMap;

use super::accounts::{Account, EUROS, OPENED};
use super::campaign::{Campaign, Status};

/// The quirk under which there are such campaigns.
pub(crate) const QUIRK: &str = "legacy_campaigns";

/// Older than every id that is given to a new campaign.
const FIRST: i64 = 626_735_564_001;

const OBJECTIVES: &[&str] = &["WEB_CONVERSION", "CATALOG_SALES", "VIDEO_VIEW", "UNLISTED_OBJECTIVE"];

/// Puts them into the account in euros, where they stay as campaigns like others.
pub(crate) fn seed(accounts: &mut [Account]) {
    let Some(account) = accounts.iter_mut().find(|account| account.id == EUROS) else { return };
    for (id, objective) in (FIRST..).zip(OBJECTIVES) {
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
        start: Some(OPENED),
        end: None,
        created: OPENED,
        updated: OPENED,
        spent: BTreeMap::new(),
    }
}
