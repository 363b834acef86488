//! Invoices, which appear in events only.
//!
//! API reference: Invoices. Since 2025-03-31.basil the subscription is under `parent`.

use super::subscription::Subscription;
use crate::stripe::ids::random_id;
use serde_json::{Value, json};

/// `invoice` object for the subscription's current period.
pub(crate) fn object(subscription: &Subscription, id: &str, reason: &str, paid: bool, now: i64) -> Value {
    let cents = subscription.cents();
    let (paid_cents, remaining) = if paid { (cents, 0) } else { (0, cents) };
    let (start, end) = subscription.period();
    json!({
        "id": id, "object": "invoice", "amount_due": cents, "amount_overpaid": 0, "amount_paid": paid_cents,
        "amount_remaining": remaining, "amount_shipping": 0, "attempt_count": 1, "attempted": true,
        "auto_advance": !paid,
        "automatic_tax": {
            "disabled_reason": null, "enabled": false, "liability": null, "provider": null, "status": null,
        },
        "billing_reason": reason, "collection_method": "charge_automatically", "created": now, "currency": "usd",
        "customer": subscription.customer, "default_tax_rates": [], "discounts": [], "ending_balance": 0,
        "hosted_invoice_url": null, "issuer": { "type": "self" }, "lines": lines(subscription, id),
        "livemode": false, "metadata": {}, "next_payment_attempt": null, "number": null,
        "parent": {
            "quote_details": null,
            "subscription_details": { "metadata": subscription.metadata, "subscription": subscription.id },
            "type": "subscription_details",
        },
        "payment_settings": {
            "default_mandate": null, "payment_method_options": null, "payment_method_types": null,
        },
        "period_end": if reason == "subscription_create" { start } else { end },
        "period_start": start, "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0,
        "starting_balance": 0, "status": if paid { "paid" } else { "open" },
        "status_transitions": {
            "finalized_at": now, "marked_uncollectible_at": null, "paid_at": paid.then_some(now), "voided_at": null,
        },
        "subtotal": cents, "total": cents,
    })
}

fn lines(subscription: &Subscription, invoice: &str) -> Value {
    let plan = subscription.plan;
    let (start, end) = subscription.period();
    let line = json!({
        "id": random_id("il_", 24), "object": "line_item", "amount": subscription.cents(), "currency": "usd",
        "description": format!("{} x {}", subscription.quantity, plan.name()), "discountable": true, "discounts": [],
        "invoice": invoice, "livemode": false, "metadata": subscription.metadata,
        "parent": {
            "invoice_item_details": null,
            "subscription_item_details": {
                "invoice_item": null, "proration": false, "proration_details": null, "subscription": subscription.id,
                "subscription_item": subscription.item,
            },
            "type": "subscription_item_details",
        },
        "period": { "end": end, "start": start },
        "pricing": {
            "price_details": { "price": plan.price_id(), "product": plan.price_object()["product"] },
            "type": "price_details", "unit_amount_decimal": plan.cents().to_string(),
        },
        "quantity": subscription.quantity, "subtotal": subscription.cents(), "taxes": [],
    });
    json!({ "object": "list", "data": [line], "has_more": false, "url": format!("/v1/invoices/{invoice}/lines") })
}

/// The same invoice after its second, successful payment.
pub(crate) fn mark_paid(mut invoice: Value, now: i64) -> Value {
    invoice["amount_paid"] = invoice["amount_due"].clone();
    invoice["amount_remaining"] = json!(0);
    invoice["attempt_count"] = json!(2);
    invoice["auto_advance"] = json!(false);
    invoice["status"] = json!("paid");
    invoice["status_transitions"]["paid_at"] = json!(now);
    invoice
}
