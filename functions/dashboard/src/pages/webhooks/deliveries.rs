//! The deliveries of an endpoint.

use crate::client::api::Pagination;
use crate::kit::addresses::webhook;
use crate::kit::list_filter::ListFilter;
use crate::pages::layout::{milliseconds, readable, readable_second, readable_text};
use jiff::Timestamp;
use serde::Deserialize;
use shared::domain::EventId;
use shared::domain::event::RETENTION;

/// The type of a test send, which is no event.
const PING: &str = "ping";
/// The filter in the address of the page.
const STATUS: &str = "status";
/// The statuses, and what the page calls them.
pub(super) const STATUSES: &[(&str, &str)] =
    &[("", "All"), ("pending", "On its way"), ("delivered", "Delivered"), ("failed", "Given up")];

/// A page of deliveries, as the API lists it.
#[derive(Default, Deserialize)]
pub(super) struct DeliveryList {
    pub(super) deliveries: Vec<Delivery>,
    pub(super) pagination: Pagination,
}

/// A delivery, as the API shows it.
#[derive(Deserialize)]
pub(super) struct Delivery {
    event_id: String,
    #[serde(rename = "type")]
    kind: String,
    status: String,
    attempts: Vec<Attempt>,
    next_attempt_at: Option<Timestamp>,
}

#[derive(Deserialize)]
struct Attempt {
    at: Timestamp,
    status_code: Option<u16>,
    error: Option<String>,
    duration_ms: u64,
    answer: Option<String>,
}

/// A delivery of the page.
pub(super) struct Row {
    pub(super) event: String,
    pub(super) kind: String,
    pub(super) time: String,
    pub(super) tone: &'static str,
    pub(super) status: String,
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

/// The status that a filter lists; empty for all.
pub(super) fn chosen(filter: &ListFilter) -> &str {
    filter.value(STATUS)
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
pub(super) fn row(delivery: Delivery, is_enabled: bool, now: Timestamp) -> Row {
    let Delivery { event_id, kind, status, attempts, next_attempt_at } = delivery;
    let at = EventId::parse(&event_id).map(EventId::at);
    let is_kept = at.is_some_and(|at| now.duration_since(at) < RETENTION);
    Row {
        can_replay: is_enabled && is_kept && kind != PING,
        time: readable_text(at, ""),
        event: event_id,
        kind,
        tone: match status.as_str() {
            "delivered" => "good",
            "failed" => "bad",
            _ => "warn",
        },
        status: STATUSES
            .iter()
            .find(|(name, _)| *name == status)
            .map_or(status.clone(), |(_, word)| (*word).to_owned()),
        next: next_attempt_at.map(readable),
        attempts: attempts.into_iter().rev().map(attempt).collect(),
    }
}

fn attempt(attempt: Attempt) -> AttemptRow {
    let Attempt { at, status_code, error, duration_ms, answer } = attempt;
    AttemptRow {
        time: readable_second(at),
        tone: if error.is_none() { "good" } else { "bad" },
        code: status_code.map_or_else(|| "No answer".to_owned(), |code| code.to_string()),
        // With a status code, the error only repeats it.
        error: error.filter(|_| status_code.is_none()).unwrap_or_default(),
        duration: milliseconds(duration_ms),
        answer: answer.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(attempts: &str) -> Delivery {
        let json = format!(
            r#"{{"id": "dlv_1", "event_id": "evt_01a2146730f06e1c561cfda45413bde9", "type": "change.applied",
                "status": "pending", "attempts": [{attempts}], "next_attempt_at": null}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    const REFUSED: &str = r#"{"at": "2026-11-25T20:30:36.790Z", "status_code": 500,
        "error": "The endpoint answered 500.", "duration_ms": 1240, "answer": "<b>"}"#;
    const ACCEPTED: &str = r#"{"at": "2026-11-25T20:30:42.000Z", "status_code": 204, "error": null, "duration_ms": 7,
        "answer": null}"#;

    #[test]
    fn the_latest_attempt_is_first() {
        let now = "2026-11-25T20:31:00Z".parse().unwrap();
        let shown = row(delivery(&format!("{REFUSED}, {ACCEPTED}")), true, now);
        let attempts: Vec<_> = shown.attempts.iter().map(|one| (one.code.as_str(), one.error.as_str())).collect();
        assert_eq!(attempts, [("204", ""), ("500", "")]);
        assert_eq!((shown.status.as_str(), shown.attempts[1].duration.as_str()), ("On its way", "1,240 ms"));
        assert_eq!(shown.attempts[1].time, "25 Nov 2026, 20:30:36 UTC");
        assert!(shown.can_replay && !row(delivery(""), false, now).can_replay);
        assert!(!row(delivery(""), true, now + RETENTION).can_replay, "the event is gone");
    }

    #[test]
    fn a_test_tells_its_outcome() {
        let accepted = "The test event was accepted: the endpoint answered 204 after 7 ms.".to_owned();
        assert_eq!(outcome(&delivery(ACCEPTED)), (true, accepted));
        let refused = "The test event was not accepted: The endpoint answered 500. It took 1,240 ms.".to_owned();
        assert_eq!(outcome(&delivery(REFUSED)), (false, refused));
    }
}
