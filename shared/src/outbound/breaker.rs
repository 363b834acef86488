//! Whether a platform is asked at all: one that keeps failing is left alone for a while, then asked by one request.

use std::time::Duration;
use tokio::time::Instant;

/// So many failures in a row are no bad luck any more.
const FAILURES: u32 = 5;
/// If they come within this time: that is more than three reads take, one after the other, at a platform that hangs.
const SPAN: Duration = Duration::from_secs(60);
/// How long a platform is left alone at first; twice as long after each probe that fails.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// And no longer than this: a platform that is well again should be noticed within a minute.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A probe that has not ended by then never will: no attempt may take as long.
const PROBE: Duration = Duration::from_secs(20);

/// How a platform has answered lately. Closed while that is well enough.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    /// In a row.
    failures: u32,
    /// When the first of them was.
    first: Option<Instant>,
    open: Option<Open>,
}

/// Nobody is let through until the pause is over; then one at a time.
#[derive(Clone, Copy, Debug)]
struct Open {
    until: Instant,
    pause: Duration,
}

/// On what terms an attempt was let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// As any other.
    Plain,
    /// Alone, to find out how the platform is.
    Probe,
}

impl Breaker {
    /// Lets an attempt through, or not.
    pub(super) fn enter(&mut self, now: Instant) -> Option<Pass> {
        match &mut self.open {
            None => Some(Pass::Plain),
            Some(open) if open.until <= now => {
                open.until = now + PROBE;
                Some(Pass::Probe)
            }
            Some(_) => None,
        }
    }

    /// There was an answer, whatever it said: the platform works.
    pub(super) fn answered(&mut self) {
        *self = Breaker::default();
    }

    /// There was none, or one that says that the platform is broken.
    pub(super) fn failed(&mut self, pass: Pass, now: Instant) {
        match (&mut self.open, pass) {
            (Some(open), Pass::Probe) => {
                let pause = LONGEST_PAUSE.min(open.pause * 2);
                *open = Open { until: now + pause, pause };
            }
            // It began before the pause did, and says nothing new.
            (Some(_), Pass::Plain) => {}
            (None, _) => self.count(now),
        }
    }

    fn count(&mut self, now: Instant) {
        if self.first.is_none_or(|first| now.duration_since(first) > SPAN) {
            (self.failures, self.first) = (0, Some(now));
        }
        self.failures += 1;
        if self.failures >= FAILURES {
            self.open = Some(Open { until: now + FIRST_PAUSE, pause: FIRST_PAUSE });
        }
    }

    /// An attempt ended without a verdict: the next may probe at once.
    pub(super) fn given_up(&mut self, pass: Pass, now: Instant) {
        if let (Some(open), Pass::Probe) = (&mut self.open, pass) {
            open.until = now;
        }
    }

    /// How long nobody will be let through; `None` when somebody would be.
    pub(super) fn closed_for(&self, now: Instant) -> Option<Duration> {
        let open = self.open.filter(|open| open.until > now)?;
        Some(open.until.duration_since(now).min(open.pause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn broken() -> Breaker {
        let mut breaker = Breaker::default();
        for _ in 0..FAILURES {
            assert_eq!(breaker.enter(Instant::now()), Some(Pass::Plain));
            breaker.failed(Pass::Plain, Instant::now());
        }
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn after_enough_failures_nobody_is_let_through_until_one_may_probe() {
        let mut breaker = broken();
        assert_eq!(breaker.enter(Instant::now()), None);
        assert_eq!(breaker.closed_for(Instant::now()), Some(FIRST_PAUSE));
        advance(FIRST_PAUSE).await;
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Probe));
        assert_eq!(breaker.enter(Instant::now()), None, "one at a time");
        breaker.answered();
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Plain));
        breaker.failed(Pass::Plain, Instant::now());
        assert_eq!(breaker.closed_for(Instant::now()), None, "what was before is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn probes_that_fail_double_the_pause_up_to_its_bound() {
        let mut breaker = broken();
        let mut pauses = Vec::new();
        for _ in 0..6 {
            let pause = breaker.closed_for(Instant::now()).unwrap();
            pauses.push(pause.as_secs());
            advance(pause).await;
            assert_eq!(breaker.enter(Instant::now()), Some(Pass::Probe));
            breaker.failed(Pass::Probe, Instant::now());
        }
        assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_that_lie_far_apart_or_between_answers_do_not_count_together() {
        let mut breaker = Breaker::default();
        for _ in 0..3 * FAILURES {
            breaker.failed(Pass::Plain, Instant::now());
            advance(SPAN / 3).await;
        }
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Plain));
        for _ in 0..3 {
            for _ in 1..FAILURES {
                breaker.failed(Pass::Plain, Instant::now());
            }
            breaker.answered();
        }
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Plain));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_given_up_or_never_ends_makes_room_for_the_next() {
        let mut breaker = broken();
        advance(FIRST_PAUSE).await;
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Probe));
        breaker.given_up(Pass::Probe, Instant::now());
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Probe));
        breaker.given_up(Pass::Plain, Instant::now());
        breaker.failed(Pass::Plain, Instant::now());
        assert_eq!(breaker.enter(Instant::now()), None, "what began before the pause neither ends nor prolongs it");
        advance(PROBE).await;
        assert_eq!(breaker.enter(Instant::now()), Some(Pass::Probe));
    }
}
