//! Subscriptions as objects, and the calls that read them.
//!
//! API reference: Subscriptions. Since 2025-03-31.basil the period is on the item only.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Stripe;
use super::api::{Answer, Asked};
use super::customer;
use super::error::StripeError;
use super::ids::with_null;
use super::params::{Metadata, merge};
use super::prices::Plan;

/// How a subscription stands; Stripe has five more, which nothing here leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Active,
    PastDue,
    Canceled,
}

impl Status {
    /// As the API says it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Canceled => "canceled",
        }
    }
}

/// Fields that nothing here fills.
const NULL: &[&str] = &[
    "application",
    "application_fee_percent",
    "billing_cycle_anchor_config",
    "billing_thresholds",
    "customer_account",
    "days_until_due",
    "default_payment_method",
    "default_source",
    "description",
    "next_pending_invoice_item_invoice",
    "on_behalf_of",
    "pause_collection",
    "pending_invoice_item_interval",
    "pending_setup_intent",
    "pending_update",
    "schedule",
    "test_clock",
    "transfer_data",
    "trial_end",
    "trial_settings",
    "trial_start",
];

/// What a list can be asked for.
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

/// A plan that a customer pays for month by month.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Subscription {
    pub(super) id: String,
    pub(super) item: String,
    pub(super) customer: String,
    pub(super) created: i64,
    /// The periods that are over.
    pub(super) periods: i32,
    pub(super) plan: Plan,
    pub(super) quantity: u64,
    pub(super) status: Status,
    pub(super) cancel_at_period_end: bool,
    pub(super) canceled_at: Option<i64>,
    pub(super) ended_at: Option<i64>,
    /// Why it was canceled.
    pub(super) reason: Option<String>,
    pub(super) metadata: Metadata,
    pub(super) latest_invoice: String,
    /// The invoice that could not be paid.
    pub(super) unpaid: Option<Value>,
}

impl Subscription {
    /// Where the current period begins and ends.
    pub(super) fn period(&self) -> (i64, i64) {
        (self.after(self.periods), self.after(self.periods.saturating_add(1)))
    }

    /// So many months after the first day: the 31st becomes the last of a shorter month, and the
    /// 31st again in the next.
    fn after(&self, months: i32) -> i64 {
        let anchor = Timestamp::from_second(self.created).unwrap_or_default().to_zoned(TimeZone::UTC);
        let span = Span::new().try_months(months).unwrap_or_default();
        anchor.checked_add(span).map_or(self.created, |moment| moment.timestamp().as_second())
    }

    /// Cents a month.
    pub(super) fn cents(&self) -> u64 {
        self.plan.cents().saturating_mul(self.quantity)
    }

    /// `subscription` object.
    pub(super) fn object(&self) -> Value {
        let (_, end) = self.period();
        with_null(
            json!({
                "id": self.id, "object": "subscription",
                "automatic_tax": { "disabled_reason": null, "enabled": false, "liability": null },
                "billing_cycle_anchor": self.created,
                "billing_mode": { "flexible": { "proration_discounts": "included" }, "type": "flexible" },
                "billing_schedules": [],
                "cancel_at": self.cancel_at_period_end.then_some(end),
                "cancel_at_period_end": self.cancel_at_period_end, "canceled_at": self.canceled_at,
                "cancellation_details": { "comment": null, "feedback": null, "reason": self.reason },
                "collection_method": "charge_automatically", "created": self.created, "currency": "usd",
                "customer": self.customer, "default_tax_rates": [],
                "discounts": [], "ended_at": self.ended_at,
                "invoice_settings": { "account_tax_ids": null, "issuer": { "type": "self" } },
                "items": {
                    "object": "list", "data": [self.item()], "has_more": false,
                    "url": format!("/v1/subscription_items?subscription={}", self.id),
                },
                "latest_invoice": self.latest_invoice, "livemode": false, "metadata": self.metadata,
                "payment_settings": {
                    "payment_method_options": null, "payment_method_types": null, "save_default_payment_method": "off",
                }, "start_date": self.created, "status": self.status,
            }),
            NULL,
        )
    }

    fn item(&self) -> Value {
        let (start, end) = self.period();
        json!({
            "id": self.item, "object": "subscription_item", "billing_thresholds": null, "created": self.created,
            "current_period_end": end, "current_period_start": start, "discounts": [], "metadata": {},
            "plan": self.plan.plan_object(), "price": self.plan.price_object(), "quantity": self.quantity,
            "subscription": self.id, "tax_rates": [],
        })
    }

    fn shown(&self, stripe: &Stripe, expand_customer: bool) -> Value {
        let mut object = self.object();
        if expand_customer && let Some(customer) = stripe.customers.get(&self.customer) {
            object["customer"] = customer.object();
        }
        object
    }
}

/// `GET /v1/subscriptions/{id}`.
pub(super) fn get(stripe: &Stripe, asked: &Asked, id: &str) -> Answer {
    let expand = !asked.expanded(&["customer"])?.is_empty();
    Ok(named(stripe, id)?.shown(stripe, expand))
}

fn named<'s>(stripe: &'s Stripe, id: &str) -> Result<&'s Subscription, StripeError> {
    stripe.subscriptions.get(id).ok_or_else(|| StripeError::not_found("subscription", id))
}

pub(super) const LISTED: &[&str] =
    &["customer", "status", "price", "limit", "starting_after", "ending_before", "expand[#]"];

/// `GET /v1/subscriptions`, the newest first.
pub(super) fn list(stripe: &Stripe, asked: &Asked) -> Answer {
    let params = &asked.params;
    let expand = !asked.expanded(&["data.customer"])?.is_empty();
    let customer = params.text("customer")?;
    if let Some(id) = customer {
        customer::named(stripe, id, "customer")?;
    }
    let status = params.choice("status", STATUSES)?;
    let price = params.text("price")?;
    let wanted = |one: &&Subscription| {
        customer.is_none_or(|id| one.customer == id)
            && price.is_none_or(|id| one.plan.price() == id)
            && match status {
                None => one.status != Status::Canceled,
                Some("all") => true,
                Some("ended") => one.status == Status::Canceled,
                Some(status) => one.status.word() == status,
            }
    };
    let mut rows: Vec<&Subscription> = stripe.subscriptions.values().filter(wanted).collect();
    rows.sort_by_key(|one| std::cmp::Reverse(stripe.order.iter().position(|id| *id == one.id)));
    let (rows, has_more) = page(stripe, asked, &rows)?;
    let data: Vec<Value> = rows.iter().map(|one| one.shown(stripe, expand)).collect();
    Ok(json!({ "object": "list", "data": data, "has_more": has_more, "url": "/v1/subscriptions" }))
}

/// The rows after or before a cursor, and whether there are more that way.
fn page<'r>(
    stripe: &Stripe,
    asked: &Asked,
    rows: &'r [&'r Subscription],
) -> Result<(&'r [&'r Subscription], bool), StripeError> {
    let limit = asked.params.number("limit")?.unwrap_or(10);
    if !(1..=100).contains(&limit) {
        return Err(StripeError::invalid("This value must be from 1 to 100.").about("limit"));
    }
    let limit = usize::try_from(limit).unwrap_or(1);
    let limit = asked.page_size.map_or(limit, |most| limit.min(most));
    let place = |name: &str| -> Result<Option<usize>, StripeError> {
        let Some(id) = asked.params.text(name)? else { return Ok(None) };
        stripe.subscriptions.get(id).ok_or_else(|| StripeError::no_such("subscription", id, name))?;
        Ok(rows.iter().position(|one| one.id == id))
    };
    if let Some(before) = place("ending_before")? {
        let start = before.saturating_sub(limit);
        return Ok((rows.get(start..before).unwrap_or_default(), start > 0));
    }
    let start = place("starting_after")?.map_or(0, |at| at + 1);
    let end = rows.len().min(start.saturating_add(limit));
    Ok((rows.get(start..end).unwrap_or_default(), end < rows.len()))
}

pub(super) const UPDATED: &[&str] = &[
    "items[#][id]",
    "items[#][price]",
    "items[#][quantity]",
    "cancel_at_period_end",
    "proration_behavior",
    "metadata[*]",
    "expand[#]",
];

/// `POST /v1/subscriptions/{id}`: another price, or an end.
pub(super) fn update(stripe: &mut Stripe, asked: &Asked, id: &str) -> Answer {
    let params = &asked.params;
    let subscription = named(stripe, id)?;
    if subscription.status == Status::Canceled {
        return Err(StripeError::not_found("subscription", id));
    }
    let item = params.text("items[0][id]")?;
    if let Some(odd) = item.filter(|item| *item != subscription.item) {
        return Err(StripeError::no_such("subscription item", odd, "items[0][id]"));
    }
    let price = params.text("items[0][price]")?;
    if price.is_some() && item.is_none() {
        let why = "The sandbox imitates one item; say which one changes with items[0][id]";
        return Err(StripeError::invalid(why).about("items[0][id]"));
    }
    let unknown = |price| StripeError::no_such("price", price, "items[0][price]");
    let plan = price.map(|price| Plan::priced(price).ok_or_else(|| unknown(price))).transpose()?;
    let quantity = params.number("items[0][quantity]")?.map(|more| u64::try_from(more).unwrap_or(0));
    if quantity == Some(0) {
        return Err(StripeError::invalid("This value must be greater than or equal to 1.").about("items[0][quantity]"));
    }
    params.choice("proration_behavior", &["always_invoice", "create_prorations", "none"])?;
    let ends = params.boolean("cancel_at_period_end")?;
    let metadata = params.metadata("metadata")?;
    asked.expanded(&[])?;
    stripe.change(id, &asked.occasion, |subscription| {
        subscription.plan = plan.unwrap_or(subscription.plan);
        subscription.quantity = quantity.unwrap_or(subscription.quantity);
        if let Some(ends) = ends {
            subscription.end_with_period(ends, asked.occasion.now);
        }
        merge(&mut subscription.metadata, metadata);
    });
    Ok(named(stripe, id)?.object())
}

/// `DELETE /v1/subscriptions/{id}`.
pub(super) fn cancel(stripe: &mut Stripe, asked: &Asked, id: &str) -> Answer {
    if named(stripe, id)?.status == Status::Canceled {
        return Err(StripeError::not_found("subscription", id));
    }
    asked.expanded(&[])?;
    stripe.end(id, "cancellation_requested", &asked.occasion);
    Ok(named(stripe, id)?.object())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_31st_is_the_last_of_a_short_month_and_the_31st_again_after_it() {
        let day = |text: &str| text.parse::<Timestamp>().unwrap().as_second();
        let mut subscription = Subscription {
            id: "sub_1".to_owned(),
            item: "si_1".to_owned(),
            customer: "cus_1".to_owned(),
            created: day("2026-01-31T12:00:00Z"),
            periods: 0,
            plan: Plan::Pro,
            quantity: 1,
            status: Status::Active,
            cancel_at_period_end: false,
            canceled_at: None,
            ended_at: None,
            reason: None,
            metadata: Metadata::new(),
            latest_invoice: "in_1".to_owned(),
            unpaid: None,
        };
        assert_eq!(subscription.period().1, day("2026-02-28T12:00:00Z"));
        subscription.periods = 1;
        assert_eq!(subscription.period(), (day("2026-02-28T12:00:00Z"), day("2026-03-31T12:00:00Z")));
    }
}
