//! Calls on customers.

use super::call::{ApiCall, ApiResult};
use crate::stripe::error::StripeError;
use crate::stripe::objects::customer::Customer;
use crate::stripe::objects::subscription::{Status, Subscription};
use crate::stripe::params::merge;
use crate::stripe::state::Stripe;

/// Parameters of `POST /v1/customers`.
pub(crate) const CREATE_PARAMETERS: &[&str] = &["email", "name", "description", "metadata[*]", "expand[#]"];

/// `POST /v1/customers`.
pub(crate) fn create(stripe: &mut Stripe, call: &ApiCall) -> ApiResult {
    let text = |name: &str| call.params.text(name).map(|text| text.map(str::to_owned));
    let mut customer = Customer::new(call.email("email")?, call.trigger.now);
    customer.name = text("name")?;
    customer.description = text("description")?;
    merge(&mut customer.metadata, call.params.metadata("metadata")?);
    call.expanded(&[])?;
    let object = customer.object();
    stripe.customers.insert(customer.id.clone(), customer);
    Ok(object)
}

/// `DELETE /v1/customers/{id}`: cancels the customer's subscriptions at once.
pub(crate) fn delete(stripe: &mut Stripe, call: &ApiCall, id: &str) -> ApiResult {
    call.expanded(&[])?;
    let Some(customer) = stripe.customers.get_mut(id).filter(|customer| !customer.deleted) else {
        return Err(StripeError::not_found("customer", id));
    };
    customer.deleted = true;
    let object = customer.object();
    let is_theirs = |one: &&Subscription| one.customer == id && one.status != Status::Canceled;
    let ended: Vec<String> = stripe.subscriptions.values().filter(is_theirs).map(|one| one.id.clone()).collect();
    for subscription in ended {
        stripe.cancel(&subscription, "cancellation_requested", &call.trigger);
    }
    Ok(object)
}

/// `GET /v1/customers/{id}`.
pub(crate) fn get(stripe: &Stripe, call: &ApiCall, id: &str) -> ApiResult {
    call.expanded(&[])?;
    stripe.customers.get(id).map(Customer::object).ok_or_else(|| StripeError::not_found("customer", id))
}
