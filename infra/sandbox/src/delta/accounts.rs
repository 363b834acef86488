//! Ad accounts with their campaign groups and campaigns.
//!
//! Marketing API: "Create and Manage Ad Accounts", "Create and Manage Ad Account Users".

use super::entity::{Entity, audit_stamps};
use super::schema::{ACCOUNT_URN, ORGANIZATION_URN};
use crate::account::AccountSummary;
use crate::ads::{Ads, Hold};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// 2 March 2020, in Unix milliseconds: the initial accounts predate every campaign.
const OPENED_AT_MS: i64 = 1_583_107_200_000;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) currency: String,
    /// `ACTIVE` or `CANCELED`.
    pub(crate) status: String,
    /// URN of the organization that its campaigns promote; `None` without a company page.
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

    /// What keeps the account from serving, or `RUNNABLE`.
    pub(crate) fn serving_status(&self, ads: &Ads) -> &'static str {
        match ads.account_hold(&self.id.to_string()) {
            _ if !self.is_active() => "STOPPED",
            Some(Hold::Billing) => "BILLING_HOLD",
            Some(_) => "RESTRICTED_HOLD",
            None => "RUNNABLE",
        }
    }

    pub(crate) fn json(&self, ads: &Ads) -> Value {
        let mut body = json!({
            "id": self.id,
            "name": self.name,
            "currency": self.currency,
            "type": "BUSINESS",
            "status": self.status,
            "servingStatuses": [self.serving_status(ads)],
            "test": false,
            "notifiedOnCampaignOptimization": false,
            "notifiedOnEndOfCampaign": false,
            "version": { "versionTag": "1" },
            "changeAuditStamps": audit_stamps(OPENED_AT_MS, OPENED_AT_MS),
        });
        if let (Some(fields), Some(reference)) = (body.as_object_mut(), &self.reference) {
            fields.insert("reference".to_owned(), json!(reference));
        }
        body
    }

    /// The authenticated member as a user of this account.
    pub(crate) fn user_json(&self) -> Value {
        json!({
            "account": self.urn(),
            "user": "urn:li:person:SandboxUser",
            "role": "CAMPAIGN_MANAGER",
            "version": { "versionTag": "1" },
            "changeAuditStamps": audit_stamps(OPENED_AT_MS, OPENED_AT_MS),
        })
    }

    fn labels(&self) -> Vec<&'static str> {
        let labels = [(!self.is_active(), "canceled"), (self.reference.is_none(), "page-less")];
        labels.into_iter().filter(|(applies, _)| *applies).map(|(_, label)| label).collect()
    }

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.to_string(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: "UTC".to_owned(),
            marks: self.labels(),
        }
    }
}

/// The accounts of a new sandbox, in the order of the consent page. The platform has no currency with three
/// decimals. The last account has no company page, so its campaigns have nothing to promote.
pub(crate) fn initial_accounts() -> Vec<Account> {
    let archive = Account::new(512_300_004, "Harbour Coffee Archive", "USD");
    vec![
        Account::new(512_300_001, "Harbour Coffee", "USD"),
        Account::new(512_300_002, "Harbour Coffee Japan", "JPY"),
        Account::new(512_300_003, "Harbour Coffee Germany", "EUR"),
        Account { status: "CANCELED".to_owned(), ..archive },
        Account { reference: None, ..Account::new(512_300_005, "Harbour Coffee Pop-up", "USD") },
    ]
}
