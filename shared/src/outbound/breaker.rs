//! The circuit breaker of one platform: after repeated failures it opens and rejects calls, then admits one probe.

use std::time::Duration;
use tokio::time::Instant;

/// Consecutive failures that open the breaker.
const FAILURE_THRESHOLD: u32 = 5;
/// The failures must fall within this window. It is longer than three consecutive reads that time out.
const FAILURE_WINDOW: Duration = Duration::from_secs(60);
/// How long the breaker stays open at first. The time doubles after each failed probe.
const MIN_OPEN_TIME: Duration = Duration::from_secs(5);
/// Upper bound, so that a recovered platform is in use again within a minute.
const MAX_OPEN_TIME: Duration = Duration::from_secs(60);
/// A probe that has not ended by then was lost: every attempt has a shorter timeout.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// The state machine. Closed by default.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    consecutive_failures: u32,
    first_failure: Option<Instant>,
    open: Option<Open>,
}

/// Rejects every attempt until `until`, then admits one probe at a time.
#[derive(Clone, Copy, Debug)]
struct Open {
    until: Instant,
    open_time: Duration,
}

/// Permission for one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permit {
    /// The breaker is closed.
    Normal,
    /// The breaker is half-open: this attempt decides whether it closes.
    Probe,
}

impl Breaker {
    /// A permit, or `None` while the breaker is open.
    pub(super) fn try_acquire(&mut self, now: Instant) -> Option<Permit> {
        match &mut self.open {
            None => Some(Permit::Normal),
            Some(open) if open.until <= now => {
                open.until = now + PROBE_TIMEOUT;
                Some(Permit::Probe)
            }
            Some(_) => None,
        }
    }

    /// The platform answered, possibly with a refusal: closes the breaker.
    pub(super) fn record_success(&mut self) {
        *self = Breaker::default();
    }

    /// No answer, or one that reports a failure of the platform.
    pub(super) fn record_failure(&mut self, permit: Permit, now: Instant) {
        match (&mut self.open, permit) {
            (Some(open), Permit::Probe) => {
                let open_time = MAX_OPEN_TIME.min(open.open_time * 2);
                *open = Open { until: now + open_time, open_time };
            }
            // The attempt began before the breaker opened and adds no information.
            (Some(_), Permit::Normal) => {}
            (None, _) => self.count(now),
        }
    }

    fn count(&mut self, now: Instant) {
        if self.first_failure.is_none_or(|first| now.duration_since(first) > FAILURE_WINDOW) {
            (self.consecutive_failures, self.first_failure) = (0, Some(now));
        }
        self.consecutive_failures += 1;
        if self.consecutive_failures >= FAILURE_THRESHOLD {
            self.open = Some(Open { until: now + MIN_OPEN_TIME, open_time: MIN_OPEN_TIME });
        }
    }

    /// The attempt ended without an outcome: the next one may probe at once.
    pub(super) fn release(&mut self, permit: Permit, now: Instant) {
        if let (Some(open), Permit::Probe) = (&mut self.open, permit) {
            open.until = now;
        }
    }

    /// How long the breaker stays open; `None` when it would admit an attempt.
    pub(super) fn open_for(&self, now: Instant) -> Option<Duration> {
        let open = self.open.filter(|open| open.until > now)?;
        Some(open.until.duration_since(now).min(open.open_time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn open_breaker() -> Breaker {
        let mut breaker = Breaker::default();
        for _ in 0..FAILURE_THRESHOLD {
            assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Normal));
            breaker.record_failure(Permit::Normal, Instant::now());
        }
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn an_open_breaker_rejects_attempts_until_one_may_probe() {
        let mut breaker = open_breaker();
        assert_eq!(breaker.try_acquire(Instant::now()), None);
        assert_eq!(breaker.open_for(Instant::now()), Some(MIN_OPEN_TIME));
        advance(MIN_OPEN_TIME).await;
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Probe));
        assert_eq!(breaker.try_acquire(Instant::now()), None, "one probe at a time");
        breaker.record_success();
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Normal));
        breaker.record_failure(Permit::Normal, Instant::now());
        assert_eq!(breaker.open_for(Instant::now()), None, "a success resets the count");
    }

    #[tokio::test(start_paused = true)]
    async fn failed_probes_double_the_open_time_up_to_its_maximum() {
        let mut breaker = open_breaker();
        let mut open_times = Vec::new();
        for _ in 0..6 {
            let open_time = breaker.open_for(Instant::now()).unwrap();
            open_times.push(open_time.as_secs());
            advance(open_time).await;
            assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Probe));
            breaker.record_failure(Permit::Probe, Instant::now());
        }
        assert_eq!(open_times, [5, 10, 20, 40, 60, 60]);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_far_apart_or_between_answers_do_not_add_up() {
        let mut breaker = Breaker::default();
        for _ in 0..3 * FAILURE_THRESHOLD {
            breaker.record_failure(Permit::Normal, Instant::now());
            advance(FAILURE_WINDOW / 3).await;
        }
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Normal));
        for _ in 0..3 {
            for _ in 1..FAILURE_THRESHOLD {
                breaker.record_failure(Permit::Normal, Instant::now());
            }
            breaker.record_success();
        }
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Normal));
    }

    #[tokio::test(start_paused = true)]
    async fn a_released_or_lost_probe_makes_room_for_the_next() {
        let mut breaker = open_breaker();
        advance(MIN_OPEN_TIME).await;
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Probe));
        breaker.release(Permit::Probe, Instant::now());
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Probe));
        breaker.release(Permit::Normal, Instant::now());
        breaker.record_failure(Permit::Normal, Instant::now());
        assert_eq!(
            breaker.try_acquire(Instant::now()),
            None,
            "an attempt from before neither closes the breaker nor keeps it open"
        );
        advance(PROBE_TIMEOUT).await;
        assert_eq!(breaker.try_acquire(Instant::now()), Some(Permit::Probe));
    }
}
