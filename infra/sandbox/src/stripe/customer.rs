//! Customers.
//!
//! API reference: Customers.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Stripe;
use super::api::{Answer, Asked};
use super::error::StripeError;
use super::ids;
use super::params::{Metadata, merge};

/// Who pays.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Customer {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) email: Option<String>,
    name: Option<String>,
    description: Option<String>,
    metadata: Metadata,
}

pub(super) const PARAMETERS: &[&str] = &["email", "name", "description", "metadata[*]", "expand[#]"];

impl Customer {
    /// One that nothing is known of but perhaps the address.
    pub(super) fn new(email: Option<String>, now: i64) -> Self {
        let id = ids::fresh("cus_", 14);
        Self { id, created: now, email, name: None, description: None, metadata: Metadata::new() }
    }

    /// `customer` object.
    pub(super) fn object(&self) -> Value {
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

/// `POST /v1/customers`.
pub(super) fn create(stripe: &mut Stripe, asked: &Asked) -> Answer {
    let text = |name: &str| asked.params.text(name).map(|text| text.map(str::to_owned));
    let mut made = Customer::new(email(asked, "email")?, asked.occasion.now);
    made.name = text("name")?;
    made.description = text("description")?;
    merge(&mut made.metadata, asked.params.metadata("metadata")?);
    asked.expanded(&[])?;
    let object = made.object();
    stripe.customers.insert(made.id.clone(), made);
    Ok(object)
}

/// An address of a mailbox in a parameter.
pub(super) fn email(asked: &Asked, name: &str) -> Result<Option<String>, StripeError> {
    match asked.params.text(name)? {
        Some(odd) if !odd.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty()) => {
            Err(StripeError::email(name, odd))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

/// `GET /v1/customers/{id}`.
pub(super) fn get(stripe: &Stripe, asked: &Asked, id: &str) -> Answer {
    asked.expanded(&[])?;
    stripe.customers.get(id).map(Customer::object).ok_or_else(|| StripeError::not_found("customer", id))
}

/// The customer that a parameter names.
pub(super) fn named<'s>(stripe: &'s Stripe, id: &str, param: &str) -> Result<&'s Customer, StripeError> {
    stripe.customers.get(id).ok_or_else(|| StripeError::no_such("customer", id, param))
}
