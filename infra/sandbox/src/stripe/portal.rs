//! Sessions of the billing portal.
//!
//! API reference: Customer Portal Session.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Stripe;
use super::api::{Answer, Asked};
use super::error::StripeError;
use super::{customer, ids};

/// The one configuration of the portal.
const CONFIGURATION: &str = "bpc_sandbox";

/// A customer's way into the portal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Portal {
    pub(super) customer: String,
    pub(super) return_url: Option<String>,
}

pub(super) const PARAMETERS: &[&str] = &["customer", "return_url", "configuration", "locale", "expand[#]"];

/// `POST /v1/billing_portal/sessions`.
pub(super) fn create(stripe: &mut Stripe, asked: &Asked) -> Answer {
    let customer = customer::named(stripe, asked.params.required("customer")?, "customer")?.id.clone();
    let return_url = asked.params.url("return_url")?.map(str::to_owned);
    let locale = asked.params.text("locale")?;
    if let Some(odd) = asked.params.text("configuration")?.filter(|id| *id != CONFIGURATION) {
        return Err(StripeError::no_such("configuration", odd, "configuration"));
    }
    asked.expanded(&[])?;
    let id = ids::fresh("bps_", 24);
    let object = json!({
        "id": id, "object": "billing_portal.session", "configuration": CONFIGURATION,
        "created": asked.occasion.now, "customer": customer, "customer_account": null, "flow": null,
        "livemode": false, "locale": locale, "on_behalf_of": null, "return_url": return_url,
        "url": format!("{}/portal/{id}", asked.base),
    });
    stripe.portals.insert(id, Portal { customer, return_url });
    Ok(object)
}
