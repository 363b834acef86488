//! Ad accounts and what is in them.
//!
//! Marketing API: "Create and Manage Ad Accounts", "Create and Manage Ad Account Users".

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::entity::{Entity, stamps};
use super::schema::{ACCOUNT_URN, ORGANIZATION_URN};
use crate::account::AccountSummary;

/// 2 March 2020: the accounts of the first day were made long before.
const OPENED: i64 = 1_583_107_200_000;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) currency: String,
    /// `ACTIVE` or `CANCELED`.
    pub(crate) status: String,
    /// The organization that its campaigns promote: a URN, none without a company page.
    #[serde(default = "older_reference")]
    pub(crate) reference: Option<String>,
    pub(crate) groups: BTreeMap<i64, Entity>,
    pub(crate) campaigns: BTreeMap<i64, Entity>,
}

impl Account {
    pub(crate) fn new(id: i64, name: &str, currency: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            currency: currency.to_owned(),
            status: "ACTIVE".to_owned(),
            reference: Some(format!("{ORGANIZATION_URN}{}", 2_414_183 + id % 1_000)),
            groups: BTreeMap::new(),
            campaigns: BTreeMap::new(),
        }
    }

    pub(crate) fn is_active(&self) -> bool {
        self.status == "ACTIVE"
    }

    pub(crate) fn urn(&self) -> String {
        format!("{ACCOUNT_URN}{}", self.id)
    }

    pub(crate) fn json(&self) -> Value {
        let serving = if self.is_active() { "RUNNABLE" } else { "STOPPED" };
        let mut shown = json!({
            "id": self.id,
            "name": self.name,
            "currency": self.currency,
            "type": "BUSINESS",
            "status": self.status,
            "servingStatuses": [serving],
            "test": false,
            "notifiedOnCampaignOptimization": false,
            "notifiedOnEndOfCampaign": false,
            "version": { "versionTag": "1" },
            "changeAuditStamps": stamps(OPENED, OPENED),
        });
        if let (Some(fields), Some(reference)) = (shown.as_object_mut(), &self.reference) {
            fields.insert("reference".to_owned(), json!(reference));
        }
        shown
    }

    /// The person who consents, as a user of this account.
    pub(crate) fn user(&self) -> Value {
        json!({
            "account": self.urn(),
            "user": "urn:li:person:SandboxUser",
            "role": "CAMPAIGN_MANAGER",
            "version": { "versionTag": "1" },
            "changeAuditStamps": stamps(OPENED, OPENED),
        })
    }

    fn marks(&self) -> Vec<&'static str> {
        let marks = [(!self.is_active(), "canceled"), (self.reference.is_none(), "page-less")];
        marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect()
    }

    pub(crate) fn card(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.to_string(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: "UTC".to_owned(),
            marks: self.marks(),
        }
    }
}

/// The organization of accounts in files that do not name one.
fn older_reference() -> Option<String> {
    Some(format!("{ORGANIZATION_URN}2414183"))
}

/// The accounts that are there on the first day, in the order of the consent page. The platform
/// has no currency with three decimals. The last account has no company page: its campaigns have
/// nothing to promote.
pub(crate) fn first_day() -> Vec<Account> {
    let closed = Account::new(512_300_004, "Harbour Coffee Archive", "USD");
    vec![
        Account::new(512_300_001, "Harbour Coffee", "USD"),
        Account::new(512_300_002, "Harbour Coffee Japan", "JPY"),
        Account::new(512_300_003, "Harbour Coffee Germany", "EUR"),
        Account { status: "CANCELED".to_owned(), ..closed },
        Account { reference: None, ..Account::new(512_300_005, "Harbour Coffee Pop-up", "USD") },
    ]
}
