//! Checkout sessions.
//!
//! API reference: Checkout Sessions. One line with one of the monthly prices, on the hosted page.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Stripe;
use super::api::{Answer, Asked};
use super::error::StripeError;
use super::ids::with_null;
use super::params::{Metadata, Params, merge};
use super::prices::Plan;
use super::{customer, ids};

/// Seconds that a session may be open: the default and the most, and the least.
const DAY: i64 = 86_400;
const HALF_AN_HOUR: i64 = 1_800;

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Open,
    Complete,
    Expired,
}

/// One purchase that somebody may make.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) expires_at: i64,
    pub(super) status: Status,
    pub(super) plan: Plan,
    pub(super) quantity: u64,
    pub(super) success_url: String,
    pub(super) cancel_url: Option<String>,
    client_reference_id: Option<String>,
    pub(super) customer: Option<String>,
    pub(super) customer_email: Option<String>,
    metadata: Metadata,
    pub(super) subscription_metadata: Metadata,
    allow_promotion_codes: Option<bool>,
    locale: Option<String>,
    pub(super) subscription: Option<String>,
    pub(super) invoice: Option<String>,
    /// The address of its page.
    url: String,
}

pub(super) const PARAMETERS: &[&str] = &[
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

/// Fields that nothing here fills.
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

/// What can be shown whole in place of its id.
const EXPANDS: &[&str] = &["customer", "subscription"];

impl Session {
    /// Cents to pay for a month.
    pub(super) fn cents(&self) -> u64 {
        self.plan.cents().saturating_mul(self.quantity)
    }

    /// `checkout.session` object.
    pub(super) fn object(&self) -> Value {
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

    fn shown(&self, stripe: &Stripe, asked: &Asked) -> Answer {
        let mut object = self.object();
        for name in asked.expanded(EXPANDS)? {
            let whole = match name {
                "customer" => self.customer.as_ref().and_then(|id| Some(stripe.customers.get(id)?.object())),
                _ => self.subscription.as_ref().and_then(|id| Some(stripe.subscriptions.get(id)?.object())),
            };
            object[name] = whole.unwrap_or_default();
        }
        Ok(object)
    }
}

/// `POST /v1/checkout/sessions`.
pub(super) fn create(stripe: &mut Stripe, asked: &Asked) -> Answer {
    let made = draft(stripe, asked)?;
    let object = made.shown(stripe, asked)?;
    stripe.sessions.insert(made.id.clone(), made);
    Ok(object)
}

fn draft(stripe: &Stripe, asked: &Asked) -> Result<Session, StripeError> {
    let (params, now) = (&asked.params, asked.occasion.now);
    if params.required("mode").and(params.choice("mode", &["payment", "setup", "subscription"]))?
        != Some("subscription")
    {
        return Err(StripeError::invalid("The sandbox imitates mode subscription only").about("mode"));
    }
    params.choice("ui_mode", &["hosted_page"])?;
    let (plan, quantity) = line(params)?;
    let text = |name: &str| params.text(name).map(|text| text.map(str::to_owned));
    let id = ids::fresh("cs_test_", 56);
    let mut made = Session {
        url: format!("{}/pay/{id}", asked.base),
        id,
        created: now,
        expires_at: expiry(params, now)?,
        status: Status::Open,
        plan,
        quantity,
        success_url: params.url("success_url")?.ok_or_else(|| StripeError::missing("success_url"))?.to_owned(),
        cancel_url: params.url("cancel_url")?.map(str::to_owned),
        client_reference_id: reference(params)?,
        customer: payer(stripe, params)?,
        customer_email: customer::email(asked, "customer_email")?,
        metadata: Metadata::new(),
        subscription_metadata: Metadata::new(),
        allow_promotion_codes: params.boolean("allow_promotion_codes")?,
        locale: text("locale")?,
        subscription: None,
        invoice: None,
    };
    merge(&mut made.metadata, params.metadata("metadata")?);
    merge(&mut made.subscription_metadata, params.metadata("subscription_data[metadata]")?);
    Ok(made)
}

/// The one line: a known price, and how often.
fn line(params: &Params) -> Result<(Plan, u64), StripeError> {
    if !params.has("line_items") {
        return Err(StripeError::missing("line_items"));
    }
    let price = params.required("line_items[0][price]")?;
    let plan = Plan::priced(price);
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

fn expiry(params: &Params, now: i64) -> Result<i64, StripeError> {
    let expires_at = params.number("expires_at")?.unwrap_or(now + DAY);
    let bound = |least: &str| format!("The `expires_at` timestamp must be {least} from Checkout Session creation.");
    match expires_at.saturating_sub(now) {
        soon if soon < HALF_AN_HOUR => Err(StripeError::invalid(bound("at least 30 minutes")).about("expires_at")),
        late if late > DAY => Err(StripeError::invalid(bound("less than 24 hours")).about("expires_at")),
        _ => Ok(expires_at),
    }
}

fn reference(params: &Params) -> Result<Option<String>, StripeError> {
    match params.text("client_reference_id")? {
        Some(long) if long.chars().count() > 200 => {
            let why = "client_reference_id can have up to 200 characters";
            Err(StripeError::invalid(why).about("client_reference_id"))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

fn payer(stripe: &Stripe, params: &Params) -> Result<Option<String>, StripeError> {
    let Some(id) = params.text("customer")? else { return Ok(None) };
    if params.has("customer_email") {
        let why = "You may only specify one of these parameters: customer, customer_email.";
        return Err(StripeError::invalid(why).about("customer_email"));
    }
    customer::named(stripe, id, "customer").map(|customer| Some(customer.id.clone()))
}

/// `GET /v1/checkout/sessions/{id}`.
pub(super) fn get(stripe: &Stripe, asked: &Asked, id: &str) -> Answer {
    let session = stripe.sessions.get(id).ok_or_else(|| StripeError::not_found("checkout.session", id))?;
    session.shown(stripe, asked)
}
