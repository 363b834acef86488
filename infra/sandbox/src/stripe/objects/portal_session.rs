//! Billing portal sessions.
//!
//! API reference: Customer Portal Session.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The portal's only configuration.
pub(crate) const CONFIGURATION: &str = "bpc_sandbox";

/// A session of the billing portal for one customer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PortalSession {
    pub(crate) customer: String,
    pub(crate) return_url: Option<String>,
}

impl PortalSession {
    /// `billing_portal.session` object.
    pub(crate) fn object(&self, id: &str, url: &str, locale: Option<&str>, now: i64) -> Value {
        json!({
            "id": id, "object": "billing_portal.session", "configuration": CONFIGURATION, "created": now,
            "customer": self.customer, "customer_account": null, "flow": null, "livemode": false, "locale": locale,
            "on_behalf_of": null, "return_url": self.return_url, "url": url,
        })
    }
}
