//! Ad accounts, and what the user who consents may do in each.
//!
//! Pinterest API v5 reference: `AdAccount`, `BusinessAccessRole`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::campaign::Campaign;
use crate::account::AccountSummary;

/// Roles in which campaigns can be made and changed.
const WRITERS: &[&str] = &["OWNER", "ADMIN", "CAMPAIGN_MANAGER"];

/// The account in euros, which holds the campaigns of a longer past.
pub(crate) const EUROS: i64 = 549_755_813_003;

/// The time zone of accounts that are opened later.
pub(crate) const UTC: &str = "Etc/UTC";

/// 14 November 2023, when the first accounts were opened.
pub(crate) const OPENED: i64 = 1_700_000_000;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// User name of the business that owns it.
    owner: String,
    owner_id: String,
    country: String,
    pub(crate) currency: String,
    /// An IANA name.
    #[serde(default = "older_time_zone")]
    time_zone: String,
    /// The roles of the user who consents.
    permissions: Vec<String>,
    created: i64,
    #[serde(default)]
    pub(crate) campaigns: BTreeMap<i64, Campaign>,
}

impl Account {
    /// An account that the user owns.
    pub(crate) fn own(id: i64, name: &str, country: &str, currency: &str, time_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            owner: "harbourcoffee".to_owned(),
            owner_id: "383791336903426391".to_owned(),
            country: country.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            permissions: vec!["OWNER".to_owned()],
            created: OPENED,
            campaigns: BTreeMap::new(),
        }
    }

    /// Whether the user may make and change campaigns in it.
    pub(crate) fn may_write(&self) -> bool {
        self.permissions.iter().any(|role| WRITERS.contains(&role.as_str()))
    }

    /// Whether another business owns it.
    pub(crate) fn is_shared(&self) -> bool {
        !self.permissions.iter().any(|role| role == "OWNER")
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "id": self.id.to_string(),
            "name": self.name,
            "owner": { "username": self.owner, "id": self.owner_id },
            "country": self.country,
            "currency": self.currency,
            "time_zone": self.time_zone,
            "permissions": self.permissions,
            "created_time": self.created,
            "updated_time": self.created,
        })
    }

    pub(crate) fn card(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.to_string(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            // Reports are in days of UTC all the same.
            time_zone: self.time_zone.clone(),
            marks: if self.may_write() { Vec::new() } else { vec!["analyst"] },
        }
    }
}

/// The time zone of accounts in files that do not name one.
fn older_time_zone() -> String {
    UTC.to_owned()
}

/// The accounts that are there on the first day, in the order of the consent page. In the last
/// one, of another business, the user is no more than an analyst.
pub(crate) fn first_day() -> Vec<Account> {
    let shared = Account::own(549_755_813_004, "Northpier Tea", "GB", "GBP", "Europe/London");
    vec![
        Account::own(549_755_813_001, "Harbour Coffee", "US", "USD", "America/Los_Angeles"),
        Account::own(549_755_813_002, "Harbour Coffee Japan", "JP", "JPY", "Asia/Tokyo"),
        Account::own(EUROS, "Harbour Coffee Germany", "DE", "EUR", "Europe/Berlin"),
        Account {
            owner: "northpiertea".to_owned(),
            owner_id: "383791336903426452".to_owned(),
            permissions: vec!["ANALYST".to_owned()],
            ..shared
        },
    ]
}
