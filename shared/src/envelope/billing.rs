//! Billing and the customer. They use the flat shape only.

use super::fields::Fields;
use super::wire::{iso_millis, iso_seconds};
use crate::domain::{BillingStatus, Customer, Plan, Usage};
use crate::error::Error;
use serde::Serialize;
use serde_json::{Value, json};

/// The body of `createCheckout`.
pub(super) fn checkout_body(checkout_url: &str, session_id: &str) -> Value {
    json!({ "checkout_url": checkout_url, "session_id": session_id })
}

/// Reads the body of `createCheckout`.
pub fn read_plan(body: &[u8]) -> Result<Plan, Error> {
    let mut fields = Fields::parse(body)?;
    let plan = fields.one_of("plan", &Plan::ALL.map(Plan::as_str), Plan::parse);
    let plan = fields.require("plan", plan);
    fields.finish()?;
    plan.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

#[derive(Serialize)]
pub(super) struct StatusBody<'a> {
    plan: &'static str,
    status: &'a str,
    current_period_start: String,
    current_period_end: String,
    usage: UsageBody,
}

#[derive(Serialize)]
struct UsageBody {
    requests_used: u64,
    requests_limit: u64,
}

/// The body of `getBillingStatus`.
pub(super) fn status_body(billing: &BillingStatus) -> StatusBody<'_> {
    let BillingStatus { plan, status, usage } = billing;
    let Usage { period_start, period_end, requests_used } = usage;
    StatusBody {
        plan: plan.as_str(),
        status: status.as_str(),
        current_period_start: iso_seconds(*period_start),
        current_period_end: iso_seconds(*period_end),
        usage: UsageBody { requests_used: *requests_used, requests_limit: plan.limits().requests_per_period },
    }
}

#[derive(Serialize)]
pub(super) struct CustomerBody<'a> {
    id: String,
    email: &'a str,
    plan: &'static str,
    created_at: String,
    connections_count: usize,
    payment_customer_id: Option<&'a str>,
}

/// The body of `getCustomer`.
pub(super) fn customer_body<'a>(
    customer: &'a Customer,
    connections_count: usize,
    payment_customer_id: Option<&'a str>,
) -> CustomerBody<'a> {
    let Customer { id, email, plan, created_at, disabled: _ } = customer;
    CustomerBody {
        id: id.to_string(),
        email,
        plan: plan.as_str(),
        created_at: iso_millis(*created_at),
        connections_count,
        payment_customer_id,
    }
}
