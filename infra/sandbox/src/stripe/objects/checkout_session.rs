//! Checkout sessions.
//!
//! API reference: Checkout Sessions. The sandbox imitates one line item with a monthly price, on the hosted page.

use super::plan::{Plan, dollars};
use crate::stripe::ids::with_null;
use crate::stripe::params::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Status of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Open,
    Complete,
    Expired,
}

/// A purchase on the hosted page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CheckoutSession {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) status: Status,
    pub(crate) plan: Plan,
    pub(crate) quantity: u64,
    pub(crate) success_url: String,
    pub(crate) cancel_url: Option<String>,
    pub(crate) client_reference_id: Option<String>,
    pub(crate) customer: Option<String>,
    pub(crate) customer_email: Option<String>,
    pub(crate) metadata: Metadata,
    pub(crate) subscription_metadata: Metadata,
    pub(crate) allow_promotion_codes: Option<bool>,
    pub(crate) locale: Option<String>,
    pub(crate) subscription: Option<String>,
    pub(crate) invoice: Option<String>,
    /// Address of the hosted page.
    pub(crate) url: String,
}

/// Fields that are always null.
const NULL: &[&str] = &[
    "after_expiration",
    "billing_address_collection",
    "client_secret",
    "consent",
    "consent_collection",
    "currency_conversion",
    "customer_account",
    "customer_creation",
    "invoice_creation",
    "payment_intent",
    "payment_link",
    "recovered_from",
    "saved_payment_method_options",
    "setup_intent",
    "shipping_address_collection",
    "shipping_cost",
    "submit_type",
    "wallet_options",
];

impl CheckoutSession {
    /// Price of a month in cents.
    pub(crate) fn cents(&self) -> u64 {
        self.plan.cents().saturating_mul(self.quantity)
    }

    /// Price of a month: `$29.00`.
    pub(crate) fn dollars(&self) -> String {
        dollars(self.cents())
    }

    /// `checkout.session` object.
    pub(crate) fn object(&self) -> Value {
        let paid = self.status == Status::Complete;
        let open = self.status == Status::Open;
        let details = json!({
            "address": null, "business_name": null, "email": self.customer_email, "individual_name": null,
            "name": null, "phone": null, "tax_exempt": "none", "tax_ids": [],
        });
        let object = json!({
            "id": self.id, "object": "checkout.session", "allow_promotion_codes": self.allow_promotion_codes,
            "amount_subtotal": self.cents(), "amount_total": self.cents(),
            "automatic_tax": { "enabled": false, "liability": null, "provider": null, "status": null },
            "cancel_url": self.cancel_url, "client_reference_id": self.client_reference_id, "created": self.created,
            "currency": "usd", "custom_fields": [],
            "custom_text": {
                "after_submit": null, "shipping_address": null, "submit": null, "terms_of_service_acceptance": null,
            },
            "customer": self.customer, "customer_details": if paid { details } else { Value::Null },
            "customer_email": self.customer_email, "discounts": [], "expires_at": self.expires_at,
            "invoice": self.invoice, "livemode": false, "locale": self.locale, "metadata": self.metadata,
            "mode": "subscription", "payment_method_collection": "always", "payment_method_options": {},
            "payment_method_types": ["card"], "payment_status": if paid { "paid" } else { "unpaid" },
            "phone_number_collection": { "enabled": false }, "shipping_options": [], "status": self.status,
            "subscription": self.subscription, "success_url": self.success_url,
            "total_details": { "amount_discount": 0, "amount_shipping": 0, "amount_tax": 0 },
            "ui_mode": "hosted_page", "url": open.then_some(&self.url),
        });
        with_null(object, NULL)
    }
}
