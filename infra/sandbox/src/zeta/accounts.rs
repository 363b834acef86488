//! Businesses, ad accounts with their campaigns, and pixels.
//!
//! Reddit Ads API v3 reference: "List My Businesses", "List Ad Accounts by Business", "Get Ad Account", "List
//! Pixels by Ad Account".

use super::campaign::Campaign;
use super::time::to_iso8601;
use crate::account::AccountSummary;
use crate::ads::Ads;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The businesses of the user: id and name.
pub(crate) const BUSINESSES: &[(&str, &str)] = &[
    ("6d1d3a1e-5b5c-4b58-9d53-0c3c5f1f7a01", "Harbour Coffee"),
    ("6d1d3a1e-5b5c-4b58-9d53-0c3c5f1f7a02", "Northpier Tea"),
];

/// 14 November 2023, in Unix seconds: the creation of the initial accounts.
const OPENED_AT: i64 = 1_700_000_000;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: String,
    name: String,
    pub(crate) business: String,
    pub(crate) currency: String,
    /// An IANA time zone name; not every account has one.
    time_zone: Option<String>,
    /// The conversion pixel, if it was set up. An account has at most one.
    pub(crate) pixel: Option<String>,
    pub(crate) campaigns: BTreeMap<i64, Campaign>,
}

impl Account {
    /// An account of the first business, with a pixel.
    pub(crate) fn owned(id: &str, name: &str, currency: &str, time_zone: Option<&str>) -> Self {
        let business = BUSINESSES.first().map_or("", |(id, _)| id);
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            business: business.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.map(str::to_owned),
            pixel: Some(id.replace("a2_", "a2_px")),
            campaigns: BTreeMap::new(),
        }
    }

    pub(crate) fn json(&self, ads: &Ads) -> Value {
        let is_suspended = ads.account_hold(&self.id).is_some();
        json!({
            "id": self.id,
            "name": self.name,
            "currency": self.currency,
            "time_zone_id": self.time_zone,
            "type": "SELF_SERVE",
            "business_id": self.business,
            "admin_approval": if is_suspended { "SUSPENDED" } else { "VALID" },
            "suspension_reason": is_suspended.then_some("ADVERTISING_POLICY"),
            "created_at": to_iso8601(OPENED_AT),
            "modified_at": to_iso8601(OPENED_AT),
        })
    }

    pub(crate) fn pixels(&self) -> Vec<Value> {
        let pixel = |id: &String| json!({ "id": id, "name": format!("{} pixel", self.name) });
        self.pixel.iter().map(pixel).collect()
    }

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: self.time_zone.clone().unwrap_or_else(|| "not set".to_owned()),
            marks: if self.pixel.is_some() { Vec::new() } else { vec!["pixel-less"] },
        }
    }
}

/// The accounts of a new sandbox, in the order of the consent page. The last one, of another business, never
/// set up a pixel.
pub(crate) fn initial_accounts() -> Vec<Account> {
    let other = BUSINESSES.last().map_or("", |(id, _)| id);
    let tea = Account::owned("a2_h8rbr0004", "Northpier Tea", "GBP", Some("Europe/London"));
    vec![
        Account::owned("a2_h8rbr0001", "Harbour Coffee", "USD", Some("America/New_York")),
        Account::owned("a2_h8rbr0002", "Harbour Coffee Japan", "JPY", Some("Asia/Tokyo")),
        Account::owned("a2_h8rbr0003", "Harbour Coffee Germany", "EUR", None),
        Account { business: other.to_owned(), pixel: None, ..tea },
    ]
}
