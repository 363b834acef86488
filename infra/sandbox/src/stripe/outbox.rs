//! The outbox of events for the webhook endpoint.
//!
//! Receive Stripe events in your webhook endpoint: retries.

use super::auth::VERSION;
use super::events::{Attempt, Delivery, DeliveryStatus, Endpoint, Event, Trigger};
use super::ids::random_id;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Maximum number of stored events.
const MAX_EVENTS: usize = 1_000;

/// Milliseconds before each retry. After the last one the event is given up.
const RETRY_DELAYS: [i64; 5] = [200, 1_000, 5_000, 15_000, 60_000];

/// Every event and the scheduled deliveries, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outbox {
    pub(crate) endpoint: Option<Endpoint>,
    pub(crate) events: Vec<Event>,
    deliveries: Vec<Delivery>,
}

impl Outbox {
    /// Stores an event, and schedules its delivery when there is an endpoint.
    pub(crate) fn emit(&mut self, kind: &str, object: Value, previous: Option<Value>, trigger: &Trigger) {
        let id = random_id("evt_", 24);
        let mut data = json!({ "object": object });
        if let Some(previous) = previous {
            data["previous_attributes"] = previous;
        }
        let body = json!({
            "id": id, "object": "event", "api_version": VERSION, "created": trigger.now, "data": data,
            "livemode": false, "pending_webhooks": i32::from(self.endpoint.is_some()),
            "request": { "id": trigger.request_id, "idempotency_key": trigger.idempotency_key }, "type": kind,
        });
        let mut event = Event { id, body: body.to_string(), status: DeliveryStatus::NoEndpoint, attempts: Vec::new() };
        if self.endpoint.is_some() {
            event.status = DeliveryStatus::Waiting;
            let due_ms = trigger.now.saturating_mul(1_000);
            self.deliveries.push(Delivery { event: event.id.clone(), due_ms, tries: 0, fresh: true, held: false });
        }
        self.events.push(event);
        if self.events.len() > MAX_EVENTS {
            self.events.remove(0);
        }
    }

    /// Schedules an event once more, whatever its status; no fault is applied. False for an unknown event.
    pub(crate) fn redeliver(&mut self, id: &str, now_ms: i64) -> bool {
        let Some(event) = self.events.iter_mut().find(|event| event.id == id) else { return false };
        event.status = DeliveryStatus::Waiting;
        self.deliveries.retain(|delivery| delivery.event != id);
        self.deliveries.push(Delivery { event: id.to_owned(), due_ms: now_ms, tries: 0, fresh: false, held: false });
        true
    }

    /// Takes the first delivery that is due. Deliveries due at the same time leave in the order of their events.
    pub(crate) fn take_due(&mut self, now_ms: i64) -> Option<Delivery> {
        let due = self.deliveries.iter().enumerate().filter(|(_, one)| !one.held && one.due_ms <= now_ms);
        let (at, _) = due.min_by_key(|(_, one)| (one.due_ms, self.position(&one.event)))?;
        Some(self.deliveries.remove(at))
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.events.iter().position(|event| event.id == id)
    }

    /// Time of the next delivery, in Unix milliseconds.
    pub(crate) fn next_due(&self) -> Option<i64> {
        self.deliveries.iter().filter(|one| !one.held).map(|one| one.due_ms).min()
    }

    /// Puts a delivery back, delayed or held.
    pub(crate) fn requeue(&mut self, delivery: Delivery) {
        let status = if delivery.held { DeliveryStatus::Held } else { DeliveryStatus::Waiting };
        self.set_status(&delivery.event, status);
        self.deliveries.push(delivery);
    }

    /// Sets the delivery status of an event.
    pub(crate) fn set_status(&mut self, id: &str, status: DeliveryStatus) {
        if let Some(event) = self.events.iter_mut().find(|event| event.id == id) {
            event.status = status;
        }
    }

    /// Records the attempts of a delivery. A failed delivery is retried. Events held for this one are released.
    pub(crate) fn record_attempts(&mut self, delivery: Delivery, attempts: Vec<Attempt>, now_ms: i64) {
        let delivered = attempts.iter().any(|one| one.status.is_some_and(|status| (200..300).contains(&status)));
        let at = self.position(&delivery.event);
        self.release_earlier(at.unwrap_or_default());
        let Some(event) = at.and_then(|at| self.events.get_mut(at)) else { return };
        event.attempts.extend(attempts);
        match RETRY_DELAYS.get(delivery.tries) {
            _ if delivered => event.status = DeliveryStatus::Delivered,
            None => event.status = DeliveryStatus::GivenUp,
            Some(delay) => {
                event.status = DeliveryStatus::Waiting;
                let due_ms = now_ms + delay;
                let tries = delivery.tries + 1;
                self.deliveries.push(Delivery { due_ms, tries, fresh: false, ..delivery });
            }
        }
    }

    /// Releases held deliveries of events before the position `at`.
    fn release_earlier(&mut self, at: usize) {
        let events = &self.events;
        let deliveries = &mut self.deliveries;
        let is_earlier = |id: &str| events.iter().take(at).any(|event| event.id == id);
        for delivery in deliveries.iter_mut().filter(|one| one.held && is_earlier(&one.event)) {
            delivery.held = false;
        }
    }

    /// Every event with its attempts, oldest first, for `GET /_sandbox/stripe/events`.
    pub(crate) fn json(&self) -> Value {
        let rows = self.events.iter().map(|event| {
            let body: Value = serde_json::from_str(&event.body).unwrap_or_default();
            json!({ "event": body, "delivery": event.status, "attempts": event.attempts })
        });
        json!({ "events": rows.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox() -> Outbox {
        let endpoint = Endpoint { url: "http://127.0.0.1:9/".to_owned(), secrets: vec!["whsec_x".to_owned()] };
        Outbox { endpoint: Some(endpoint), ..Outbox::default() }
    }

    fn attempt(status: u16) -> Vec<Attempt> {
        vec![Attempt { at_ms: 0, status: Some(status), error: None }]
    }

    #[test]
    fn an_event_is_tried_six_times_with_growing_pauses() {
        let mut outbox = outbox();
        outbox.emit("invoice.paid", json!({}), None, &Trigger::at(0));
        let mut now = 0;
        for pause in RETRY_DELAYS {
            let delivery = outbox.take_due(now).unwrap();
            outbox.record_attempts(delivery, attempt(500), now);
            assert!(outbox.take_due(now + pause - 1).is_none());
            now += pause;
        }
        let delivery = outbox.take_due(now).unwrap();
        outbox.record_attempts(delivery, attempt(302), now);
        assert_eq!(outbox.events[0].status, DeliveryStatus::GivenUp);
        assert_eq!(outbox.events[0].attempts.len(), 6);
        assert_eq!(outbox.next_due(), None);
    }

    #[test]
    fn a_held_event_goes_after_the_next_event_and_not_after_an_older_one() {
        let mut outbox = outbox();
        for kind in ["a", "b", "c"] {
            outbox.emit(kind, json!({}), None, &Trigger::at(0));
        }
        let first = outbox.take_due(0).unwrap();
        let second = outbox.take_due(0).unwrap();
        let id = second.event.clone();
        outbox.requeue(Delivery { held: true, fresh: false, ..second });
        outbox.record_attempts(first, attempt(200), 0);
        let third = outbox.take_due(0).unwrap();
        assert_ne!(third.event, id);
        assert!(outbox.take_due(0).is_none());
        outbox.record_attempts(third, attempt(500), 0);
        assert_eq!(outbox.take_due(0).unwrap().event, id);
    }

    #[test]
    fn an_event_without_an_endpoint_is_stored_and_not_sent() {
        let mut outbox = Outbox::default();
        outbox.emit("invoice.paid", json!({}), None, &Trigger::at(0));
        assert_eq!((outbox.events[0].status, outbox.next_due()), (DeliveryStatus::NoEndpoint, None));
    }
}
