//! What happens to sessions and subscriptions, and the events that tell of it.

use serde_json::{Map, Value};

use super::Stripe;
use super::customer::Customer;
use super::events::Occasion;
use super::subscription::{Status, Subscription};
use super::{ids, invoice, session};

impl Subscription {
    /// Lets it end with its period, or run on after all.
    pub(super) fn end_with_period(&mut self, ends: bool, now: i64) {
        self.cancel_at_period_end = ends;
        self.canceled_at = ends.then_some(now);
        self.reason = ends.then(|| "cancellation_requested".to_owned());
    }
}

impl Stripe {
    /// Pays an open session: its subscription starts. False when it is not open.
    pub(super) fn complete(&mut self, id: &str, occasion: &Occasion) -> bool {
        let now = occasion.now;
        let Some(session) = self.sessions.get_mut(id).filter(|one| one.status == session::Status::Open) else {
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
            id: ids::fresh("sub_", 24),
            item: ids::fresh("si_", 14),
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
            latest_invoice: ids::fresh("in_", 24),
            unpaid: None,
        };
        session.status = session::Status::Complete;
        session.subscription = Some(started.id.clone());
        session.invoice = Some(started.latest_invoice.clone());
        let done = session.object();
        let paid = invoice::object(&started, &started.latest_invoice, "subscription_create", true, now);
        self.outbox.emit("customer.subscription.created", started.object(), None, occasion);
        self.outbox.emit("checkout.session.completed", done, None, occasion);
        self.outbox.emit("invoice.paid", paid, None, occasion);
        self.order.push(started.id.clone());
        self.subscriptions.insert(started.id.clone(), started);
        true
    }

    /// Ends an open session without a purchase. False when it is not open.
    pub(super) fn expire(&mut self, id: &str, occasion: &Occasion) -> bool {
        let Some(session) = self.sessions.get_mut(id).filter(|one| one.status == session::Status::Open) else {
            return false;
        };
        session.status = session::Status::Expired;
        let object = session.object();
        self.outbox.emit("checkout.session.expired", object, None, occasion);
        true
    }

    /// Ends the sessions whose time is over.
    pub(super) fn expire_due(&mut self, occasion: &Occasion) {
        let over = |one: &session::Session| one.status == session::Status::Open && one.expires_at <= occasion.now;
        let due: Vec<String> = self.sessions.values().filter(|one| over(one)).map(|one| one.id.clone()).collect();
        for id in due {
            self.expire(&id, occasion);
        }
    }

    /// Changes a subscription and tells what it was before; nothing is told when nothing changed.
    pub(super) fn change(&mut self, id: &str, occasion: &Occasion, how: impl FnOnce(&mut Subscription)) {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return };
        let before = subscription.object();
        how(subscription);
        let after = subscription.object();
        let previous = differences(&before, &after);
        if !previous.is_empty() {
            self.outbox.emit("customer.subscription.updated", after, Some(Value::Object(previous)), occasion);
        }
    }

    /// Begins the next period, its invoice paid or not.
    pub(super) fn renew(&mut self, id: &str, paid: bool, occasion: &Occasion) {
        let now = occasion.now;
        let mut bill = Value::Null;
        self.change(id, occasion, |subscription| {
            subscription.periods = subscription.periods.saturating_add(1);
            subscription.latest_invoice = ids::fresh("in_", 24);
            subscription.status = if paid { Status::Active } else { Status::PastDue };
            bill = invoice::object(subscription, &subscription.latest_invoice, "subscription_cycle", paid, now);
            subscription.unpaid = (!paid).then(|| bill.clone());
        });
        let kind = if paid { "invoice.paid" } else { "invoice.payment_failed" };
        self.outbox.emit(kind, bill, None, occasion);
    }

    /// Pays the invoice that could not be paid. False when there is none.
    pub(super) fn pay_again(&mut self, id: &str, occasion: &Occasion) -> bool {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return false };
        let Some(open) = subscription.unpaid.take() else { return false };
        self.change(id, occasion, |subscription| subscription.status = Status::Active);
        self.outbox.emit("invoice.paid", invoice::settled(open, occasion.now), None, occasion);
        true
    }

    /// Cancels at once.
    pub(super) fn end(&mut self, id: &str, reason: &str, occasion: &Occasion) {
        let Some(subscription) = self.subscriptions.get_mut(id) else { return };
        subscription.status = Status::Canceled;
        subscription.cancel_at_period_end = false;
        subscription.canceled_at.get_or_insert(occasion.now);
        subscription.ended_at = Some(occasion.now);
        subscription.reason = Some(reason.to_owned());
        subscription.unpaid = None;
        let object = subscription.object();
        self.outbox.emit("customer.subscription.deleted", object, None, occasion);
    }

    /// Lets one period pass: it ends where that was asked for or the retries of its payment are
    /// used up, and goes on with a paid invoice otherwise. False when it has ended already.
    pub(super) fn pass_period(&mut self, id: &str, occasion: &Occasion) -> bool {
        let Some(subscription) = self.subscriptions.get(id) else { return false };
        match subscription.status {
            Status::Canceled => return false,
            Status::PastDue => self.end(id, "payment_failed", occasion),
            Status::Active if subscription.cancel_at_period_end => self.end(id, "cancellation_requested", occasion),
            Status::Active => self.renew(id, true, occasion),
        }
        true
    }
}

/// What the fields that changed were before.
fn differences(before: &Value, after: &Value) -> Map<String, Value> {
    let fields = before.as_object().into_iter().flatten();
    let changed = fields.filter(|(name, value)| after.get(name.as_str()) != Some(value));
    changed.map(|(name, value)| (name.clone(), value.clone())).collect()
}
