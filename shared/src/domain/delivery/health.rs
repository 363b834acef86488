//! The health of an endpoint: when all its deliveries pause, and when it is disabled.

use super::EndpointResponse;
use super::schedule::{MAX_RETRY_AFTER, jitter};
use crate::domain::EventId;
use jiff::{SignedDuration, Timestamp};

/// An endpoint is disabled after so long without a success.
const FAILING_LIMIT: SignedDuration = SignedDuration::from_hours(5 * 24);
/// Several events must have failed, so far apart.
const APART: SignedDuration = SignedDuration::from_hours(12);
/// The shortest and the longest pause of an endpoint that asks for none.
const MIN_PAUSE: SignedDuration = SignedDuration::from_mins(1);
const MAX_PAUSE: SignedDuration = SignedDuration::from_mins(30);
/// Statuses of an overloaded endpoint, whose deliveries pause at once.
const OVERLOADED: [u16; 2] = [429, 503];
/// Answers of a gateway that did not reach the endpoint.
const UNREACHED: [u16; 2] = [502, 504];
/// Consecutive failures without a response of the endpoint itself before its deliveries pause. A single broken
/// connection means nothing.
const MAX_UNREACHED: u32 = 3;

/// The present run of an endpoint's failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Nothing is sent to it before.
    pub paused_until: Option<Timestamp>,
    /// Its failures since its last success.
    pub failing: Option<FailureStreak>,
}

/// The failures of an endpoint since its last success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureStreak {
    /// The end of the first one.
    pub since: Timestamp,
    /// The event that failed first.
    pub first: EventId,
    /// The oldest event that failed.
    pub oldest: EventId,
    /// Whether another event has failed twelve hours later.
    pub is_repeated: bool,
    /// The latest failures in a row without an answer of the endpoint.
    pub unreached: u32,
}

/// What follows for an endpoint from an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointVerdict {
    /// It goes on with this health.
    StaysEnabled(EndpointHealth),
    /// It says that it is gone (410).
    Gone,
    /// It has failed for days.
    Failed,
}

impl EndpointHealth {
    /// The end of the pause, if nothing is sent to the endpoint now.
    pub fn pause_end(&self, now: Timestamp) -> Option<Timestamp> {
        self.paused_until.filter(|until| *until > now)
    }

    /// The state of the endpoint after an attempt at an event.
    pub fn after(&self, event: EventId, response: &EndpointResponse, random: u64) -> EndpointVerdict {
        let EndpointResponse { attempt, retry_after, ended_at: now } = response;
        if attempt.is_success() {
            return EndpointVerdict::StaysEnabled(EndpointHealth::default());
        }
        if attempt.is_gone() {
            return EndpointVerdict::Gone;
        }
        let failing = self.failing.unwrap_or(FailureStreak {
            since: *now,
            first: event,
            oldest: event,
            is_repeated: false,
            unreached: 0,
        });
        let lasts = now.duration_since(failing.since);
        let is_repeated = failing.is_repeated || (failing.first != event && lasts >= APART);
        if is_repeated && lasts >= FAILING_LIMIT {
            return EndpointVerdict::Failed;
        }
        let is_reached = attempt.status_code.is_some_and(|code| !UNREACHED.contains(&code));
        let unreached = if is_reached { 0 } else { failing.unreached.saturating_add(1) };
        let is_overloaded = attempt.status_code.is_some_and(|code| OVERLOADED.contains(&code));
        // An endpoint that does not respond would hold up the others.
        let is_away = unreached >= MAX_UNREACHED || !is_reached && retry_after.is_some();
        let paused_until = if is_overloaded || is_away {
            let asked = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
            let pause = lasts.clamp(MIN_PAUSE, MAX_PAUSE).max(asked);
            now.checked_add(pause + jitter(pause, random)).ok()
        } else {
            self.paused_until
        };
        EndpointVerdict::StaysEnabled(EndpointHealth {
            paused_until,
            failing: Some(FailureStreak { oldest: failing.oldest.min(event), is_repeated, unreached, ..failing }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::delivery::Attempt;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(hour * 3_600).unwrap()
    }

    fn event(name: &str) -> EventId {
        EventId::of_name(at(0), name)
    }

    fn response(code: Option<u16>, ended_at: Timestamp) -> EndpointResponse {
        let is_success = code.is_some_and(|code| (200..300).contains(&code));
        let error = (!is_success).then(|| "refused".to_owned());
        let attempt = Attempt { at: ended_at, status_code: code, error, duration_ms: 1, answer: None };
        EndpointResponse { attempt, retry_after: None, ended_at }
    }

    #[test]
    fn the_oldest_failure_is_kept_until_a_success() {
        let mut events = [event("a"), event("b"), event("c")];
        events.sort();
        let [oldest, middle, newest] = events;
        let mut health = EndpointHealth::default();
        let mut answer = |event, code| match health.after(event, &response(Some(code), at(1)), 0) {
            EndpointVerdict::StaysEnabled(after) => {
                health = after;
                after.failing.map(|failing| (failing.first, failing.oldest))
            }
            verdict => panic!("{verdict:?}"),
        };
        assert_eq!(answer(middle, 500), Some((middle, middle)));
        assert_eq!(answer(oldest, 500), Some((middle, oldest)));
        assert_eq!(answer(newest, 500), Some((middle, oldest)));
        assert_eq!(answer(newest, 204), None);
    }

    /// The verdict after these attempts: event, status code, hour.
    fn verdict(attempts: &[(&str, Option<u16>, i64)]) -> EndpointVerdict {
        let mut verdict = EndpointVerdict::StaysEnabled(EndpointHealth::default());
        for (name, code, hour) in attempts {
            let EndpointVerdict::StaysEnabled(health) = verdict else { return verdict };
            verdict = health.after(event(name), &response(*code, at(*hour)), 0);
        }
        verdict
    }

    #[test]
    fn an_endpoint_is_disabled_after_five_days_of_several_events() {
        let failed = Some(500);
        assert_eq!(verdict(&[("a", failed, 0), ("b", failed, 12), ("a", failed, 120)]), EndpointVerdict::Failed);
        assert!(matches!(
            verdict(&[("a", failed, 0), ("b", failed, 11), ("b", failed, 119)]),
            EndpointVerdict::StaysEnabled(_)
        ));
        assert!(
            matches!(verdict(&[("a", failed, 0), ("a", failed, 200)]), EndpointVerdict::StaysEnabled(_)),
            "one event only"
        );
        assert_eq!(verdict(&[("a", failed, 0), ("a", failed, 120), ("b", failed, 121)]), EndpointVerdict::Failed);
        let recovered = [("a", failed, 0), ("b", failed, 12), ("c", Some(200), 13), ("b", failed, 125)];
        assert!(matches!(verdict(&recovered), EndpointVerdict::StaysEnabled(_)), "a success forgets it all");
    }

    #[test]
    fn a_gone_endpoint_is_disabled_at_once() {
        assert_eq!(verdict(&[("a", Some(410), 0)]), EndpointVerdict::Gone);
    }

    #[test]
    fn an_overloaded_or_silent_endpoint_pauses_longer_each_time() {
        for (code, failures) in [(Some(429), 1), (Some(503), 1), (Some(502), 3), (Some(504), 3), (None, 3)] {
            let EndpointVerdict::StaysEnabled(health) = verdict(&vec![("a", code, 1); failures]) else {
                panic!("{code:?}")
            };
            assert_eq!(health.paused_until, Some(at(1) + MIN_PAUSE), "{code:?}");
            assert!(health.pause_end(at(1)).is_some() && health.pause_end(at(2)).is_none());
        }
        let silent = [("a", None, 1), ("a", None, 1), ("a", None, 2)];
        let EndpointVerdict::StaysEnabled(health) = verdict(&silent) else { panic!() };
        assert_eq!(health.paused_until, Some(at(2) + MAX_PAUSE));
        let EndpointVerdict::StaysEnabled(health) = verdict(&[("a", Some(500), 1)]) else { panic!() };
        assert_eq!(health.paused_until, None, "a refusal is about the event");
        let asked =
            EndpointResponse { retry_after: Some(SignedDuration::from_hours(30)), ..response(Some(503), at(0)) };
        let EndpointVerdict::StaysEnabled(health) = EndpointHealth::default().after(event("a"), &asked, 0) else {
            panic!()
        };
        assert_eq!(health.paused_until, Some(at(24)), "at most a day");
        let asked = EndpointResponse { retry_after: Some(SignedDuration::from_hours(1)), ..response(Some(502), at(0)) };
        let EndpointVerdict::StaysEnabled(health) = EndpointHealth::default().after(event("a"), &asked, 0) else {
            panic!()
        };
        assert_eq!(health.paused_until, Some(at(1)), "a gateway that asks for it");
    }

    #[test]
    fn occasional_broken_connections_do_not_pause_an_endpoint() {
        for answer in [Some(204), Some(500)] {
            let broken = [("a", None, 1), ("b", Some(502), 1), ("c", answer, 1), ("d", Some(504), 1), ("e", None, 1)];
            let EndpointVerdict::StaysEnabled(health) = verdict(&broken) else { panic!("{answer:?}") };
            assert_eq!(health.paused_until, None, "{answer:?}");
        }
    }
}
