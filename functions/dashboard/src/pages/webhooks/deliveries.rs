//! The deliveries of an endpoint.

use crate::kit::addresses::webhook;
use crate::kit::choice::{Choice, choices_in_force};
use crate::kit::list_filter::ListFilter;
use crate::kit::text::{milliseconds, readable, readable_second};
use jiff::Timestamp;
use shared::domain::delivery::{Attempt, DeliveryStatus};
use shared::domain::event::RETENTION;
use shared::domain::{Delivery, EventKind};

/// The type of a test send, which is no event.
const PING: &str = "ping";
/// The filter in the address of the page.
const STATUS: &str = "status";

/// A delivery of the page.
pub(super) struct DeliveryRow {
    pub(super) event: String,
    pub(super) kind: &'static str,
    pub(super) time: String,
    pub(super) tone: &'static str,
    pub(super) status: &'static str,
    pub(super) next: Option<String>,
    /// Latest first.
    pub(super) attempts: Vec<AttemptRow>,
    pub(super) can_replay: bool,
}

/// An attempt of the page. The answer is a text of a stranger.
pub(super) struct AttemptRow {
    pub(super) time: String,
    pub(super) tone: &'static str,
    pub(super) code: String,
    pub(super) error: String,
    pub(super) duration: String,
    pub(super) answer: String,
}

/// The filter of an endpoint's page.
pub(super) fn filter(endpoint: &str, query: &[(String, String)]) -> ListFilter {
    ListFilter::read(webhook(endpoint), &[STATUS], query)
}

/// The choices of the filter.
pub(super) fn statuses(filter: &ListFilter) -> Vec<Choice> {
    let known = DeliveryStatus::ALL.map(|status| (status.as_str(), words(status).1));
    choices_in_force(&[&[("", "All")][..], &known].concat(), filter.value(STATUS))
}

/// Whether a test was accepted, and what the page says of it.
pub(super) fn outcome(delivery: &Delivery) -> (bool, String) {
    let Some(attempt) = delivery.attempts.last() else { return (false, "Nothing was sent.".to_owned()) };
    let duration = milliseconds(attempt.duration_ms);
    match (&attempt.error, attempt.status_code) {
        (Some(error), _) => (false, format!("The test event was not accepted: {error} It took {duration}.")),
        (None, code) => {
            let code = code.map_or_else(String::new, |code| format!(" {code}"));
            (true, format!("The test event was accepted: the endpoint answered{code} after {duration}."))
        }
    }
}

/// A delivery as the page shows it.
pub(super) fn row(delivery: Delivery, is_enabled: bool, now: Timestamp) -> DeliveryRow {
    let Delivery { event, kind, status, attempts, next_attempt_at, .. } = delivery;
    let is_kept = now.duration_since(event.at()) < RETENTION;
    let (tone, status) = words(status);
    DeliveryRow {
        can_replay: is_enabled && is_kept && kind.is_some(),
        time: readable(event.at()),
        event: event.to_string(),
        kind: kind.map_or(PING, EventKind::as_str),
        tone,
        status,
        next: next_attempt_at.map(readable),
        attempts: attempts.into_iter().rev().map(attempt).collect(),
    }
}

/// The tone of a status, and what the page calls it.
fn words(status: DeliveryStatus) -> (&'static str, &'static str) {
    match status {
        DeliveryStatus::Pending => ("warn", "On its way"),
        DeliveryStatus::Delivered => ("good", "Delivered"),
        DeliveryStatus::Failed => ("bad", "Given up"),
    }
}

fn attempt(attempt: Attempt) -> AttemptRow {
    let Attempt { at, status_code, error, duration_ms, answer } = attempt;
    AttemptRow {
        time: readable_second(at),
        tone: if error.is_none() { "good" } else { "bad" },
        code: status_code.map_or_else(|| "No answer".to_owned(), |code| code.to_string()),
        // With a status code, the error only repeats it.
        error: if status_code.is_none() { error.unwrap_or_default() } else { String::new() },
        duration: milliseconds(duration_ms),
        answer: answer.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{CustomerId, EndpointId, EventId};
    use uuid::Uuid;

    fn delivery(attempts: Vec<Attempt>) -> Delivery {
        let event = EventId::parse("evt_01a2146730f06e1c561cfda45413bde9").unwrap();
        let (customer, endpoint) = (CustomerId(Uuid::nil()), EndpointId::of_bits(&[0; 32]));
        let new = Delivery::new(customer, endpoint, event, EventKind::ChangeApplied, event.at());
        Delivery { attempts, next_attempt_at: None, ..new }
    }

    fn refused() -> Attempt {
        Attempt {
            at: "2026-11-25T20:30:36.790Z".parse().unwrap(),
            status_code: Some(500),
            error: Some("The endpoint answered 500.".to_owned()),
            duration_ms: 1_240,
            answer: Some("<b>".to_owned()),
        }
    }

    fn accepted() -> Attempt {
        Attempt {
            at: "2026-11-25T20:30:42Z".parse().unwrap(),
            status_code: Some(204),
            error: None,
            duration_ms: 7,
            answer: None,
        }
    }

    #[test]
    fn the_latest_attempt_is_first() {
        let now = "2026-11-25T20:31:00Z".parse().unwrap();
        let shown = row(delivery(vec![refused(), accepted()]), true, now);
        let attempts: Vec<_> = shown.attempts.iter().map(|one| (one.code.as_str(), one.error.as_str())).collect();
        assert_eq!(attempts, [("204", ""), ("500", "")]);
        assert_eq!((shown.status, shown.attempts[1].duration.as_str()), ("On its way", "1,240 ms"));
        assert_eq!(shown.attempts[1].time, "25 Nov 2026, 20:30:36 UTC");
        assert!(shown.can_replay && !row(delivery(Vec::new()), false, now).can_replay);
        assert!(!row(delivery(Vec::new()), true, now + RETENTION).can_replay, "the event is gone");
    }

    #[test]
    fn a_test_tells_its_outcome() {
        let accepted = outcome(&delivery(vec![accepted()]));
        let words = "The test event was accepted: the endpoint answered 204 after 7 ms.";
        assert_eq!(accepted, (true, words.to_owned()));
        let refused = outcome(&delivery(vec![refused()]));
        let words = "The test event was not accepted: The endpoint answered 500. It took 1,240 ms.";
        assert_eq!(refused, (false, words.to_owned()));
    }
}
