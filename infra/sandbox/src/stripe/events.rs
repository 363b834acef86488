//! Events, and which of them are on their way to the webhook endpoint.
//!
//! API reference: Events; Receive Stripe events in your webhook endpoint.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::auth::VERSION;
use super::ids;

/// So many events are remembered.
const EVENTS: usize = 1_000;

/// The milliseconds before each retry; after the last the event is given up.
const RETRIES: [i64; 5] = [200, 1_000, 5_000, 15_000, 60_000];

/// When something happens and which API call made it happen; none did for what people click.
#[derive(Debug, Clone, Default)]
pub(super) struct Occasion {
    /// Unix seconds.
    pub(super) now: i64,
    pub(super) request: Option<String>,
    pub(super) key: Option<String>,
}

impl Occasion {
    /// Something that no API call made happen.
    pub(super) fn at(now: i64) -> Self {
        Self { now, ..Self::default() }
    }
}

/// Where events go.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Endpoint {
    pub(super) url: String,
    /// Each signs: there are two while one is rolled.
    pub(super) secrets: Vec<String>,
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Fate {
    /// There was no endpoint to send it to.
    NoEndpoint,
    Waiting,
    /// It waits until a later event has arrived.
    Held,
    Delivered,
    /// A fault swallowed it.
    Lost,
    /// Every attempt failed.
    GivenUp,
}

/// One time that an event was sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// Unix milliseconds.
    pub(super) at_ms: i64,
    /// What the endpoint answered, if it did.
    pub(super) status: Option<u16>,
    pub(super) error: Option<String>,
}

/// An event and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Event {
    pub(super) id: String,
    /// The same bytes at every attempt.
    pub(super) body: String,
    pub(super) fate: Fate,
    attempts: Vec<Attempt>,
}

/// An event that is to be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) event: String,
    pub(super) due_ms: i64,
    pub(super) tries: usize,
    /// Whether no fault had its chance yet.
    pub(super) fresh: bool,
    pub(super) held: bool,
}

/// All events and the ones to send, oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Outbox {
    pub(super) endpoint: Option<Endpoint>,
    pub(super) events: Vec<Event>,
    jobs: Vec<Job>,
}

impl Outbox {
    /// Tells that something happened.
    pub(super) fn emit(&mut self, kind: &str, object: Value, previous: Option<Value>, occasion: &Occasion) {
        let id = ids::fresh("evt_", 24);
        let mut data = json!({ "object": object });
        if let Some(previous) = previous {
            data["previous_attributes"] = previous;
        }
        let body = json!({
            "id": id, "object": "event", "api_version": VERSION, "created": occasion.now, "data": data,
            "livemode": false, "pending_webhooks": i32::from(self.endpoint.is_some()),
            "request": { "id": occasion.request, "idempotency_key": occasion.key }, "type": kind,
        });
        let mut event = Event { id, body: body.to_string(), fate: Fate::NoEndpoint, attempts: Vec::new() };
        if self.endpoint.is_some() {
            event.fate = Fate::Waiting;
            let due_ms = occasion.now.saturating_mul(1_000);
            self.jobs.push(Job { event: event.id.clone(), due_ms, tries: 0, fresh: true, held: false });
        }
        self.events.push(event);
        if self.events.len() > EVENTS {
            self.events.remove(0);
        }
    }

    /// Sends an event once more, whatever became of it, and no fault meets it. False for an
    /// unknown one.
    pub(super) fn redeliver(&mut self, id: &str, now_ms: i64) -> bool {
        let Some(event) = self.events.iter_mut().find(|event| event.id == id) else { return false };
        event.fate = Fate::Waiting;
        self.jobs.retain(|job| job.event != id);
        self.jobs.push(Job { event: id.to_owned(), due_ms: now_ms, tries: 0, fresh: false, held: false });
        true
    }

    /// Takes the first job that is due; of several, the one whose event happened first.
    pub(super) fn take(&mut self, now_ms: i64) -> Option<Job> {
        let ready = self.jobs.iter().enumerate().filter(|(_, job)| !job.held && job.due_ms <= now_ms);
        let (at, _) = ready.min_by_key(|(_, job)| (job.due_ms, self.place(&job.event)))?;
        Some(self.jobs.remove(at))
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.events.iter().position(|event| event.id == id)
    }

    /// When the next job is due.
    pub(super) fn next_due(&self) -> Option<i64> {
        self.jobs.iter().filter(|job| !job.held).map(|job| job.due_ms).min()
    }

    /// Puts a job back, for later.
    pub(super) fn put(&mut self, job: Job) {
        let fate = if job.held { Fate::Held } else { Fate::Waiting };
        self.decide(&job.event, fate);
        self.jobs.push(job);
    }

    /// Says what became of an event.
    pub(super) fn decide(&mut self, id: &str, fate: Fate) {
        if let Some(event) = self.events.iter_mut().find(|event| event.id == id) {
            event.fate = fate;
        }
    }

    /// Notes the attempts of a job. A failure is tried again; what was held for this event may go.
    pub(super) fn settle(&mut self, job: Job, attempts: Vec<Attempt>, now_ms: i64) {
        let arrived = attempts.iter().any(|one| one.status.is_some_and(|status| (200..300).contains(&status)));
        let at = self.place(&job.event);
        let (events, jobs) = (&self.events, &mut self.jobs);
        let earlier = |id: &str| events.iter().take(at.unwrap_or_default()).any(|event| event.id == id);
        for held in jobs.iter_mut().filter(|one| one.held && earlier(&one.event)) {
            held.held = false;
        }
        let Some(event) = at.and_then(|at| self.events.get_mut(at)) else { return };
        event.attempts.extend(attempts);
        match RETRIES.get(job.tries) {
            _ if arrived => event.fate = Fate::Delivered,
            None => event.fate = Fate::GivenUp,
            Some(delay) => {
                event.fate = Fate::Waiting;
                self.jobs.push(Job { due_ms: now_ms + delay, tries: job.tries + 1, fresh: false, ..job });
            }
        }
    }

    /// Every event with its attempts, oldest first.
    pub(super) fn show(&self) -> Value {
        let shown = self.events.iter().map(|event| {
            let body: Value = serde_json::from_str(&event.body).unwrap_or_default();
            json!({ "event": body, "delivery": event.fate, "attempts": event.attempts })
        });
        json!({ "events": shown.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox() -> Outbox {
        let endpoint = Endpoint { url: "http://127.0.0.1:9/".to_owned(), secrets: vec!["whsec_x".to_owned()] };
        Outbox { endpoint: Some(endpoint), ..Outbox::default() }
    }

    fn answered(status: u16) -> Vec<Attempt> {
        vec![Attempt { at_ms: 0, status: Some(status), error: None }]
    }

    #[test]
    fn an_event_is_tried_six_times_with_growing_pauses() {
        let mut outbox = outbox();
        outbox.emit("invoice.paid", json!({}), None, &Occasion::at(0));
        let mut now = 0;
        for pause in RETRIES {
            let job = outbox.take(now).unwrap();
            outbox.settle(job, answered(500), now);
            assert!(outbox.take(now + pause - 1).is_none());
            now += pause;
        }
        let job = outbox.take(now).unwrap();
        outbox.settle(job, answered(302), now);
        assert_eq!(outbox.events[0].fate, Fate::GivenUp);
        assert_eq!(outbox.events[0].attempts.len(), 6);
        assert_eq!(outbox.next_due(), None);
    }

    #[test]
    fn what_is_held_goes_after_the_next_event_and_not_after_an_older_one() {
        let mut outbox = outbox();
        for kind in ["a", "b", "c"] {
            outbox.emit(kind, json!({}), None, &Occasion::at(0));
        }
        let first = outbox.take(0).unwrap();
        let second = outbox.take(0).unwrap();
        let id = second.event.clone();
        outbox.put(Job { held: true, fresh: false, ..second });
        outbox.settle(first, answered(200), 0);
        let third = outbox.take(0).unwrap();
        assert_ne!(third.event, id);
        assert!(outbox.take(0).is_none());
        outbox.settle(third, answered(500), 0);
        assert_eq!(outbox.take(0).unwrap().event, id);
    }

    #[test]
    fn an_event_without_an_endpoint_is_only_remembered() {
        let mut outbox = Outbox::default();
        outbox.emit("invoice.paid", json!({}), None, &Occasion::at(0));
        assert_eq!((outbox.events[0].fate, outbox.next_due()), (Fate::NoEndpoint, None));
    }
}
