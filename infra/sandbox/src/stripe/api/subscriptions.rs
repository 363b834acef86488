//! Calls on subscriptions.

use super::call::{ApiCall, ApiResult};
use crate::stripe::error::StripeError;
use crate::stripe::objects::plan::Plan;
use crate::stripe::objects::subscription::{Status, Subscription};
use crate::stripe::params::merge;
use crate::stripe::state::Stripe;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Parameters of `GET /v1/subscriptions`.
pub(crate) const LIST_PARAMETERS: &[&str] =
    &["customer", "status", "price", "limit", "starting_after", "ending_before", "expand[#]"];

/// Parameters of `POST /v1/subscriptions/{id}`.
pub(crate) const UPDATE_PARAMETERS: &[&str] = &[
    "items[#][id]",
    "items[#][price]",
    "items[#][quantity]",
    "cancel_at_period_end",
    "proration_behavior",
    "metadata[*]",
    "expand[#]",
];

/// Values of the list's filter `status`.
const STATUSES: &[&str] = &[
    "active",
    "past_due",
    "canceled",
    "incomplete",
    "incomplete_expired",
    "paused",
    "trialing",
    "unpaid",
    "all",
    "ended",
];

/// `GET /v1/subscriptions/{id}`.
pub(crate) fn get(stripe: &Stripe, call: &ApiCall, id: &str) -> ApiResult {
    let expand = !call.expanded(&["customer"])?.is_empty();
    Ok(object(stripe, stripe.find_subscription(id)?, expand))
}

/// `GET /v1/subscriptions`, newest first.
pub(crate) fn list(stripe: &Stripe, call: &ApiCall) -> ApiResult {
    let params = &call.params;
    let expand = !call.expanded(&["data.customer"])?.is_empty();
    let customer = params.text("customer")?;
    if let Some(id) = customer {
        stripe.find_customer(id, "customer")?;
    }
    let status = params.choice("status", STATUSES)?;
    let price = params.text("price")?;
    let matches = |one: &&Subscription| {
        customer.is_none_or(|id| one.customer == id)
            && price.is_none_or(|id| one.plan.price_id() == id)
            && has_status(one, status)
    };
    let mut rows: Vec<&Subscription> = stripe.subscriptions.values().filter(matches).collect();
    rows.sort_by_key(|one| Reverse(stripe.order.iter().position(|id| *id == one.id)));
    let (rows, has_more) = page(stripe, call, &rows)?;
    let data: Vec<Value> = rows.iter().map(|one| object(stripe, one, expand)).collect();
    Ok(json!({ "object": "list", "data": data, "has_more": has_more, "url": "/v1/subscriptions" }))
}

fn has_status(subscription: &Subscription, wanted: Option<&str>) -> bool {
    match wanted {
        None => subscription.status != Status::Canceled,
        Some("all") => true,
        Some("ended") => subscription.status == Status::Canceled,
        Some(status) => subscription.status.as_str() == status,
    }
}

fn object(stripe: &Stripe, subscription: &Subscription, expand_customer: bool) -> Value {
    let mut object = subscription.object();
    if expand_customer && let Some(customer) = stripe.customers.get(&subscription.customer) {
        object["customer"] = customer.object();
    }
    object
}

/// The rows after or before a cursor, and whether more follow in that direction.
fn page<'r>(
    stripe: &Stripe,
    call: &ApiCall,
    rows: &'r [&'r Subscription],
) -> Result<(&'r [&'r Subscription], bool), StripeError> {
    let limit = call.params.number("limit")?.unwrap_or(10);
    if !(1..=100).contains(&limit) {
        return Err(StripeError::invalid("This value must be from 1 to 100.").about("limit"));
    }
    let limit = usize::try_from(limit).unwrap_or(1);
    let limit = call.page_size.map_or(limit, |maximum| limit.min(maximum));
    let position = |name: &str| -> Result<Option<usize>, StripeError> {
        let Some(id) = call.params.text(name)? else { return Ok(None) };
        stripe.subscriptions.get(id).ok_or_else(|| StripeError::no_such("subscription", id, name))?;
        Ok(rows.iter().position(|one| one.id == id))
    };
    if let Some(before) = position("ending_before")? {
        let start = before.saturating_sub(limit);
        return Ok((rows.get(start..before).unwrap_or_default(), start > 0));
    }
    let start = position("starting_after")?.map_or(0, |at| at + 1);
    let end = rows.len().min(start.saturating_add(limit));
    Ok((rows.get(start..end).unwrap_or_default(), end < rows.len()))
}

/// `POST /v1/subscriptions/{id}`: changes the price, the quantity or the end.
pub(crate) fn update(stripe: &mut Stripe, call: &ApiCall, id: &str) -> ApiResult {
    let params = &call.params;
    let subscription = stripe.find_subscription(id)?;
    if subscription.status == Status::Canceled {
        return Err(StripeError::not_found("subscription", id));
    }
    let plan = changed_plan(call, subscription)?;
    let quantity = params.number("items[0][quantity]")?.map(|quantity| u64::try_from(quantity).unwrap_or(0));
    if quantity == Some(0) {
        return Err(StripeError::invalid("This value must be greater than or equal to 1.").about("items[0][quantity]"));
    }
    params.choice("proration_behavior", &["always_invoice", "create_prorations", "none"])?;
    let cancel_at_period_end = params.boolean("cancel_at_period_end")?;
    let metadata = params.metadata("metadata")?;
    call.expanded(&[])?;
    stripe.change(id, &call.trigger, |subscription| {
        subscription.plan = plan.unwrap_or(subscription.plan);
        subscription.quantity = quantity.unwrap_or(subscription.quantity);
        if let Some(cancel) = cancel_at_period_end {
            subscription.set_cancel_at_period_end(cancel, call.trigger.now);
        }
        merge(&mut subscription.metadata, metadata);
    });
    Ok(stripe.find_subscription(id)?.object())
}

fn changed_plan(call: &ApiCall, subscription: &Subscription) -> Result<Option<Plan>, StripeError> {
    let item = call.params.text("items[0][id]")?;
    if let Some(unknown) = item.filter(|item| *item != subscription.item) {
        return Err(StripeError::no_such("subscription item", unknown, "items[0][id]"));
    }
    let Some(price) = call.params.text("items[0][price]")? else { return Ok(None) };
    if item.is_none() {
        let why = "The sandbox imitates one item; say which one changes with items[0][id]";
        return Err(StripeError::invalid(why).about("items[0][id]"));
    }
    let plan = Plan::from_price(price);
    plan.map(Some).ok_or_else(|| StripeError::no_such("price", price, "items[0][price]"))
}

/// `DELETE /v1/subscriptions/{id}`.
pub(crate) fn cancel(stripe: &mut Stripe, call: &ApiCall, id: &str) -> ApiResult {
    if stripe.find_subscription(id)?.status == Status::Canceled {
        return Err(StripeError::not_found("subscription", id));
    }
    call.expanded(&[])?;
    stripe.cancel(id, "cancellation_requested", &call.trigger);
    Ok(stripe.find_subscription(id)?.object())
}
