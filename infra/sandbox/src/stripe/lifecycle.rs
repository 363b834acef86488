//! State changes of sessions and subscriptions, with the events that they emit.

use super::events::Trigger;
use super::ids::random_id;
use super::objects::checkout_session::{self, CheckoutSession};
use super::objects::customer::Customer;
use super::objects::invoice;
use super::objects::subscription::{Status, Subscription};
use super::state::Stripe;
use serde_json::{Map, Value};

impl Stripe {
    /// Pays an open session and starts its subscription. False for a session that is not open.
    pub(super) fn complete(&mut self, id: &str, trigger: &Trigger) -> bool {
        let now = trigger.now;
        let Some(session) = self.sessions.get_mut(id).filter(|one| one.status == checkout_session::Status::Open) else {
            return false;
        };
        let email = session.customer_email.get_or_insert_with(|| "payer@example.com".to_owned()).clone();
        let customer = session.customer.get_or_insert_with(|| {
            let customer = Customer::new(Some(email), now);
            let id = customer.id.clone();
            self.customers.insert(id.clone(), customer);
            id
        });
        let started = Subscription {
            id: random_id("sub_", 24),
            item: random_id("si_", 14),
            customer: customer.clone(),
            created: now,
            periods: 0,
            plan: session.plan,
            quantity: session.quantity,
            status: Status::Active,
            cancel_at_period_end: false,
            canceled_at: None,
            ended_at: None,
            reason: None,
            metadata: session.subscription_metadata.clone(),
            latest_invoice: random_id("in_", 24),
            unpaid: None,
        };
        session.status = checkout_session::Status::Complete;
        session.subscription = Some(started.id.clone());
        session.invoice = Some(started.latest_invoice.clone());
        let done = session.object();
        let paid = invoice::object(&started, &started.latest_invoice, "subscription_create", true, now);
        self.outbox.emit("customer.subscription.created", started.object(), None, trigger);
        self.outbox.emit("checkout.session.completed", done, None, trigger);
        self.outbox.emit("invoice.paid", paid, None, trigger);
        self.order.push(started.id.clone());
        self.subscriptions.insert(started.id.clone(), started);
        true
    }

    /// Expires an open session. False for a session that is not open.
    pub(super) fn expire(&mut self, id: &str, trigger: &Trigger) -> bool {
        let Some(session) = self.sessions.get_mut(id).filter(|one| one.status == checkout_session::Status::Open) else {
            return false;
        };
        session.status = checkout_session::Status::Expired;
        let object = session.object();
        self.outbox.emit("checkout.session.expired", object, None, trigger);
        true
    }

    /// Expires the sessions that are due.
    pub(super) fn expire_due(&mut self, trigger: &Trigger) {
        let over =
            |one: &CheckoutSession| one.status == checkout_session::Status::Open && one.expires_at <= trigger.now;
        let due: Vec<String> = self.sessions.values().filter(|one| over(one)).map(|one| one.id.clone()).collect();
        for id in due {
            self.expire(&id, trigger);
        }
    }

    /// Changes a subscription. Emits an event with the previous values, or none when nothing changed.
    pub(super) fn change(&mut self, id: &str, trigger: &Trigger, how: impl FnOnce(&mut Subscription)) {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return };
        let before = subscription.object();
        how(subscription);
        let after = subscription.object();
        let previous = previous_values(&before, &after);
        if !previous.is_empty() {
            self.outbox.emit("customer.subscription.updated", after, Some(Value::Object(previous)), trigger);
        }
    }

    /// Starts the next period; `paid` is the outcome of its invoice.
    pub(super) fn renew(&mut self, id: &str, paid: bool, trigger: &Trigger) {
        let now = trigger.now;
        let mut bill = Value::Null;
        self.change(id, trigger, |subscription| {
            subscription.periods = subscription.periods.saturating_add(1);
            subscription.latest_invoice = random_id("in_", 24);
            subscription.status = if paid { Status::Active } else { Status::PastDue };
            bill = invoice::object(subscription, &subscription.latest_invoice, "subscription_cycle", paid, now);
            subscription.unpaid = (!paid).then(|| bill.clone());
        });
        let kind = if paid { "invoice.paid" } else { "invoice.payment_failed" };
        self.outbox.emit(kind, bill, None, trigger);
    }

    /// Pays the open invoice of a failed payment. False when there is none.
    pub(super) fn retry_payment(&mut self, id: &str, trigger: &Trigger) -> bool {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return false };
        let Some(open) = subscription.unpaid.take() else { return false };
        self.change(id, trigger, |subscription| subscription.status = Status::Active);
        self.outbox.emit("invoice.paid", invoice::mark_paid(open, trigger.now), None, trigger);
        true
    }

    /// Cancels a subscription immediately.
    pub(super) fn cancel(&mut self, id: &str, reason: &str, trigger: &Trigger) {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return };
        subscription.status = Status::Canceled;
        subscription.cancel_at_period_end = false;
        subscription.canceled_at.get_or_insert(trigger.now);
        subscription.ended_at = Some(trigger.now);
        subscription.reason = Some(reason.to_owned());
        subscription.unpaid = None;
        let object = subscription.object();
        self.outbox.emit("customer.subscription.deleted", object, None, trigger);
    }

    /// Ends the current period. A subscription that is set to cancel, or is past due, is canceled; any other renews
    /// with a paid invoice. False for an unknown or canceled subscription.
    pub(super) fn advance_period(&mut self, id: &str, trigger: &Trigger) -> bool {
        let Some(subscription) = self.subscriptions.get(id) else { return false };
        match subscription.status {
            Status::Canceled => return false,
            Status::PastDue => self.cancel(id, "payment_failed", trigger),
            Status::Active if subscription.cancel_at_period_end => self.cancel(id, "cancellation_requested", trigger),
            Status::Active => self.renew(id, true, trigger),
        }
        true
    }
}

/// Previous values of the changed fields.
fn previous_values(before: &Value, after: &Value) -> Map<String, Value> {
    let fields = before.as_object().into_iter().flatten();
    let changed = fields.filter(|(name, value)| after.get(name.as_str()) != Some(value));
    changed.map(|(name, value)| (name.clone(), value.clone())).collect()
}
