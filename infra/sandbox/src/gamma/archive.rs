//! An advertiser with campaigns of former years and of years to come.
//!
//! TikTok API for Business v1.3: "Get campaigns". Lists still hold objectives that no create takes (recorded live).

use super::accounts::Account;
use super::campaign::{Campaign, DAY, Kind};
use crate::money::MICROS;

/// The advertiser's id.
pub(crate) const ID: &str = "7301002003004004001";

/// Objectives of old, and one that no document has.
const OBJECTIVES: &[&str] = &["APP_INSTALL", "CONVERSIONS", "CATALOG_SALES", "UNHEARD_OF"];

/// The advertiser with its campaigns.
pub(crate) fn account() -> Account {
    let account = Account::new(ID.to_owned(), "Harbour Coffee Archive", "USD", "America/New_York", "Etc/GMT+5");
    let campaigns = (1_700_000_000_000_001..).zip(OBJECTIVES).map(|(id, objective)| (id, campaign(id, objective)));
    Account { campaigns: campaigns.collect(), ..account }
}

fn campaign(id: u64, objective: &str) -> Campaign {
    let created = "2021-05-04 08:00:00";
    Campaign {
        id,
        kind: Kind::Manual,
        name: format!("Archive {objective}"),
        objective: objective.to_owned(),
        budget_mode: DAY.to_owned(),
        budget: 50 * MICROS,
        budget_optimize_on: false,
        enabled: false,
        deleted: false,
        campaign_type: "REGULAR_CAMPAIGN".to_owned(),
        app_promotion_type: None,
        sales_destination: None,
        virtual_objective_type: None,
        special_industries: Vec::new(),
        created: created.to_owned(),
        modified: created.to_owned(),
        spent: 0,
    }
}
