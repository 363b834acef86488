//! Invoices, which are seen in events only.
//!
//! API reference: Invoices. Since 2025-03-31.basil the subscription is under `parent`.

use serde_json::{Value, json};

use super::ids;
use super::subscription::Subscription;

/// `invoice` object for the subscription's current period.
pub(super) fn object(of: &Subscription, id: &str, reason: &str, paid: bool, now: i64) -> Value {
    let cents = of.cents();
    let (due, left) = if paid { (cents, 0) } else { (0, cents) };
    let (start, end) = of.period();
    json!({
        "id": id, "object": "invoice", "amount_due": cents, "amount_overpaid": 0, "amount_paid": due,
        "amount_remaining": left, "amount_shipping": 0, "attempt_count": 1, "attempted": true,
        "auto_advance": !paid,
        "automatic_tax": {
            "disabled_reason": null, "enabled": false, "liability": null, "provider": null, "status": null,
        },
        "billing_reason": reason, "collection_method": "charge_automatically", "created": now, "currency": "usd",
        "customer": of.customer, "default_tax_rates": [], "discounts": [], "ending_balance": 0,
        "hosted_invoice_url": null, "issuer": { "type": "self" }, "lines": lines(of, id), "livemode": false,
        "metadata": {}, "next_payment_attempt": null, "number": null,
        "parent": {
            "quote_details": null,
            "subscription_details": { "metadata": of.metadata, "subscription": of.id },
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

fn lines(of: &Subscription, invoice: &str) -> Value {
    let (start, end) = of.period();
    let line = json!({
        "id": ids::fresh("il_", 24), "object": "line_item", "amount": of.cents(), "currency": "usd",
        "description": format!("{} x {}", of.quantity, of.plan.name()), "discountable": true, "discounts": [],
        "invoice": invoice, "livemode": false, "metadata": of.metadata,
        "parent": {
            "invoice_item_details": null,
            "subscription_item_details": {
                "invoice_item": null, "proration": false, "proration_details": null, "subscription": of.id,
                "subscription_item": of.item,
            },
            "type": "subscription_item_details",
        },
        "period": { "end": end, "start": start },
        "pricing": {
            "price_details": { "price": of.plan.price(), "product": of.plan.price_object()["product"] },
            "type": "price_details", "unit_amount_decimal": of.plan.cents().to_string(),
        },
        "quantity": of.quantity, "subtotal": of.cents(), "taxes": [],
    });
    json!({ "object": "list", "data": [line], "has_more": false, "url": format!("/v1/invoices/{invoice}/lines") })
}

/// The same invoice, paid after all.
pub(super) fn settled(mut invoice: Value, now: i64) -> Value {
    invoice["amount_paid"] = invoice["amount_due"].clone();
    invoice["amount_remaining"] = json!(0);
    invoice["attempt_count"] = json!(2);
    invoice["auto_advance"] = json!(false);
    invoice["status"] = json!("paid");
    invoice["status_transitions"]["paid_at"] = json!(now);
    invoice
}
