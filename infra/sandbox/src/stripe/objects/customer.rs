//! Customers.
//!
//! API reference: Customers.

use crate::stripe::ids::random_id;
use crate::stripe::params::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A customer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Customer {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) email: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) metadata: Metadata,
    pub(crate) deleted: bool,
}

impl Customer {
    /// A customer with an email address or nothing.
    pub(crate) fn new(email: Option<String>, now: i64) -> Self {
        let id = random_id("cus_", 14);
        Self { id, created: now, email, name: None, description: None, metadata: Metadata::new(), deleted: false }
    }

    /// `customer` object. Of a deleted one only the id is left.
    pub(crate) fn object(&self) -> Value {
        if self.deleted {
            return json!({ "id": self.id, "object": "customer", "deleted": true });
        }
        json!({
            "id": self.id, "object": "customer", "address": null, "balance": 0, "created": self.created,
            "currency": null, "customer_account": null, "default_source": null, "delinquent": false,
            "description": self.description, "discount": null, "email": self.email, "invoice_prefix": null,
            "invoice_settings": {
                "custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null,
            },
            "livemode": false, "metadata": self.metadata, "name": self.name, "next_invoice_sequence": 1,
            "phone": null, "preferred_locales": [], "shipping": null, "tax_exempt": "none", "test_clock": null,
        })
    }
}
