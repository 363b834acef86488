//! Calls on checkout sessions.

use super::call::{ApiCall, ApiResult};
use crate::stripe::error::StripeError;
use crate::stripe::ids;
use crate::stripe::objects::checkout_session::{CheckoutSession, Status};
use crate::stripe::objects::plan::Plan;
use crate::stripe::params::{Metadata, Params, merge};
use crate::stripe::state::Stripe;

/// Seconds until a session expires: the default and the maximum.
const MAX_LIFETIME: i64 = 86_400;
const MIN_LIFETIME: i64 = 1_800;

/// Parameters of `POST /v1/checkout/sessions`.
pub(crate) const CREATE_PARAMETERS: &[&str] = &[
    "mode",
    "ui_mode",
    "line_items[#][price]",
    "line_items[#][quantity]",
    "success_url",
    "cancel_url",
    "client_reference_id",
    "customer",
    "customer_email",
    "metadata[*]",
    "subscription_data[metadata][*]",
    "expires_at",
    "allow_promotion_codes",
    "locale",
    "expand[#]",
];

/// Fields that `expand` can replace by their object.
const EXPANDABLE: &[&str] = &["customer", "subscription"];

/// `POST /v1/checkout/sessions`.
pub(crate) fn create(stripe: &mut Stripe, call: &ApiCall) -> ApiResult {
    let session = parse(stripe, call)?;
    let object = expanded_object(stripe, call, &session)?;
    stripe.sessions.insert(session.id.clone(), session);
    Ok(object)
}

/// `GET /v1/checkout/sessions/{id}`.
pub(crate) fn get(stripe: &Stripe, call: &ApiCall, id: &str) -> ApiResult {
    let session = stripe.sessions.get(id).ok_or_else(|| StripeError::not_found("checkout.session", id))?;
    expanded_object(stripe, call, session)
}

fn expanded_object(stripe: &Stripe, call: &ApiCall, session: &CheckoutSession) -> ApiResult {
    let mut object = session.object();
    for name in call.expanded(EXPANDABLE)? {
        let whole = match name {
            "customer" => session.customer.as_ref().and_then(|id| Some(stripe.customers.get(id)?.object())),
            _ => session.subscription.as_ref().and_then(|id| Some(stripe.subscriptions.get(id)?.object())),
        };
        object[name] = whole.unwrap_or_default();
    }
    Ok(object)
}

fn parse(stripe: &Stripe, call: &ApiCall) -> Result<CheckoutSession, StripeError> {
    let params = &call.params;
    let now = call.trigger.now;
    check_mode(params)?;
    let (plan, quantity) = line_item(params)?;
    let id = ids::random_id("cs_test_", 56);
    let mut session = CheckoutSession {
        url: format!("{}/pay/{id}", call.base_url),
        id,
        created: now,
        expires_at: expires_at(params, now)?,
        status: Status::Open,
        plan,
        quantity,
        success_url: params.url("success_url")?.ok_or_else(|| StripeError::missing("success_url"))?.to_owned(),
        cancel_url: params.url("cancel_url")?.map(str::to_owned),
        client_reference_id: client_reference_id(params)?,
        customer: customer(stripe, params)?,
        customer_email: call.email("customer_email")?,
        metadata: Metadata::new(),
        subscription_metadata: Metadata::new(),
        allow_promotion_codes: params.boolean("allow_promotion_codes")?,
        locale: params.text("locale")?.map(str::to_owned),
        subscription: None,
        invoice: None,
    };
    merge(&mut session.metadata, params.metadata("metadata")?);
    merge(&mut session.subscription_metadata, params.metadata("subscription_data[metadata]")?);
    Ok(session)
}

fn check_mode(params: &Params) -> Result<(), StripeError> {
    params.required("mode")?;
    if params.choice("mode", &["payment", "setup", "subscription"])? != Some("subscription") {
        return Err(StripeError::invalid("The sandbox imitates mode subscription only").about("mode"));
    }
    params.choice("ui_mode", &["hosted_page"])?;
    Ok(())
}

/// The plan and the quantity of the only line item.
fn line_item(params: &Params) -> Result<(Plan, u64), StripeError> {
    if !params.has("line_items") {
        return Err(StripeError::missing("line_items"));
    }
    let price = params.required("line_items[0][price]")?;
    let plan = Plan::from_price(price);
    let plan = plan.ok_or_else(|| StripeError::no_such("price", price, "line_items[0][price]"))?;
    let quantity = params.number("line_items[0][quantity]")?;
    let quantity = quantity.ok_or_else(|| StripeError::missing("line_items[0][quantity]"))?;
    let quantity = u64::try_from(quantity).ok().filter(|quantity| (1..=999_999).contains(quantity));
    let quantity = quantity
        .ok_or_else(|| StripeError::invalid("This value must be from 1 to 999999.").about("line_items[0][quantity]"))?;
    if params.list("line_items").count() > 2 {
        return Err(StripeError::invalid("The sandbox imitates one line item").about("line_items[1]"));
    }
    Ok((plan, quantity))
}

fn expires_at(params: &Params, now: i64) -> Result<i64, StripeError> {
    let expires_at = params.number("expires_at")?.unwrap_or(now + MAX_LIFETIME);
    let bound = |bound: &str| format!("The `expires_at` timestamp must be {bound} from Checkout Session creation.");
    match expires_at.saturating_sub(now) {
        ..MIN_LIFETIME => Err(StripeError::invalid(bound("at least 30 minutes")).about("expires_at")),
        lifetime if lifetime > MAX_LIFETIME => {
            Err(StripeError::invalid(bound("less than 24 hours")).about("expires_at"))
        }
        _ => Ok(expires_at),
    }
}

fn client_reference_id(params: &Params) -> Result<Option<String>, StripeError> {
    match params.text("client_reference_id")? {
        Some(text) if text.chars().count() > 200 => {
            let why = "client_reference_id can have up to 200 characters";
            Err(StripeError::invalid(why).about("client_reference_id"))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

fn customer(stripe: &Stripe, params: &Params) -> Result<Option<String>, StripeError> {
    let Some(id) = params.text("customer")? else { return Ok(None) };
    if params.has("customer_email") {
        let why = "You may only specify one of these parameters: customer, customer_email.";
        return Err(StripeError::invalid(why).about("customer_email"));
    }
    stripe.find_buyer(id, "customer").map(|customer| Some(customer.id.clone()))
}
