//! Ad accounts with their campaigns, and the roles of the user in each.
//!
//! Pinterest API v5 reference: `AdAccount`, `BusinessAccessRole`, `Currency`.

use super::campaign::Campaign;
use crate::account::AccountSummary;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Roles that may create and update campaigns.
const WRITER_ROLES: &[&str] = &["OWNER", "ADMIN", "CAMPAIGN_MANAGER"];

/// The account in euros. The quirk `legacy_campaigns` adds older campaigns to it.
pub(crate) const EUR_ACCOUNT: i64 = 549_755_813_003;

/// The time zone of accounts that the control API opens.
pub(crate) const UTC: &str = "Etc/UTC";

/// 14 November 2023, in Unix seconds: the creation of the initial accounts.
pub(crate) const OPENED_AT: i64 = 1_700_000_000;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// The user name of the owning business.
    owner: String,
    owner_id: String,
    country: String,
    pub(crate) currency: String,
    /// An IANA time zone name.
    time_zone: String,
    /// The roles of the authenticated user.
    permissions: Vec<String>,
    created: i64,
    pub(crate) campaigns: BTreeMap<i64, Campaign>,
}

impl Account {
    /// An account that the user owns.
    pub(crate) fn owned(id: i64, name: &str, country: &str, currency: &str, time_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            owner: "harbourcoffee".to_owned(),
            owner_id: "383791336903426391".to_owned(),
            country: country.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            permissions: vec!["OWNER".to_owned()],
            created: OPENED_AT,
            campaigns: BTreeMap::new(),
        }
    }

    /// Whether the user may create and update campaigns in it.
    pub(crate) fn may_write(&self) -> bool {
        self.permissions.iter().any(|role| WRITER_ROLES.contains(&role.as_str()))
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

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.to_string(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            // Reports still count days in UTC.
            time_zone: self.time_zone.clone(),
            marks: if self.may_write() { Vec::new() } else { vec!["analyst"] },
        }
    }
}

/// The accounts of a new sandbox, in the order of the consent page. In the last one, of another business, the
/// user is only an analyst.
pub(crate) fn initial_accounts() -> Vec<Account> {
    let shared = Account::owned(549_755_813_004, "Northpier Tea", "GB", "GBP", "Europe/London");
    vec![
        Account::owned(549_755_813_001, "Harbour Coffee", "US", "USD", "America/Los_Angeles"),
        Account::owned(549_755_813_002, "Harbour Coffee Japan", "JP", "JPY", "Asia/Tokyo"),
        Account::owned(EUR_ACCOUNT, "Harbour Coffee Germany", "DE", "EUR", "Europe/Berlin"),
        Account {
            owner: "northpiertea".to_owned(),
            owner_id: "383791336903426452".to_owned(),
            permissions: vec!["ANALYST".to_owned()],
            ..shared
        },
    ]
}
