//! Creation of billing portal sessions.

use super::call::{ApiCall, ApiResult};
use crate::stripe::error::StripeError;
use crate::stripe::ids;
use crate::stripe::objects::portal_session::{CONFIGURATION, PortalSession};
use crate::stripe::state::Stripe;

/// Parameters of `POST /v1/billing_portal/sessions`.
pub(crate) const CREATE_PARAMETERS: &[&str] = &["customer", "return_url", "configuration", "locale", "expand[#]"];

/// `POST /v1/billing_portal/sessions`.
pub(crate) fn create(stripe: &mut Stripe, call: &ApiCall) -> ApiResult {
    let customer = stripe.find_buyer(call.params.required("customer")?, "customer")?.id.clone();
    let return_url = call.params.url("return_url")?.map(str::to_owned);
    let locale = call.params.text("locale")?;
    if let Some(unknown) = call.params.text("configuration")?.filter(|id| *id != CONFIGURATION) {
        return Err(StripeError::no_such("configuration", unknown, "configuration"));
    }
    call.expanded(&[])?;
    let id = ids::random_id("bps_", 24);
    let session = PortalSession { customer, return_url };
    let object = session.object(&id, &format!("{}/portal/{id}", call.base_url), locale, call.trigger.now);
    stripe.portals.insert(id, session);
    Ok(object)
}
