//! What this process has seen of one platform lately, and what follows for the next call.

use super::breaker::{Breaker, Pass};
use super::budget::Budget;
use super::{Answer, Failure};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// An attempt that had less time than this, because its request's time was up, says nothing about the platform.
const FAIR: Duration = Duration::from_secs(2);

/// How a platform is: shared by all calls of the process in its ad accounts.
#[derive(Debug, Default)]
pub struct BreakerState(Mutex<Parts>);

#[derive(Debug, Default)]
struct Parts {
    breaker: Breaker,
    budget: Budget,
}

/// An attempt under way. One that is dropped without an outcome, because nobody waits for it any more, holds up
/// nobody.
pub(super) struct Attempt {
    breaker: Arc<BreakerState>,
    pass: Pass,
    began: Instant,
    is_over: bool,
}

impl BreakerState {
    /// How long the platform is left alone; `None` when the next call would be sent.
    pub fn closed_for(&self) -> Option<Duration> {
        self.lock().breaker.closed_for(Instant::now())
    }

    /// Begins an attempt, unless the platform is left alone.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Attempt> {
        let began = Instant::now();
        let pass = self.lock().breaker.enter(began)?;
        Some(Attempt { breaker: Arc::clone(self), pass, began, is_over: false })
    }

    /// Something is asked for the first time.
    pub(super) fn earn(&self) {
        self.lock().budget.earn();
    }

    /// Whether there is something left for a retry, which is then spent.
    pub(super) fn may_repeat(&self) -> bool {
        self.lock().budget.spend()
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt {
    /// Notes what became of it.
    pub(super) fn end(mut self, outcome: &Result<Answer, Failure>, is_broken: fn(&Answer) -> bool) {
        let now = Instant::now();
        let was_cut_short = matches!(outcome, Err(Failure::TimedOut)) && now.duration_since(self.began) < FAIR;
        if was_cut_short {
            return;
        }
        self.is_over = true;
        let breaker = &mut self.breaker.lock().breaker;
        match outcome {
            Ok(answer) if !is_broken(answer) => breaker.answered(),
            _ => breaker.failed(self.pass, now),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if !self.is_over {
            self.breaker.lock().breaker.given_up(self.pass, Instant::now());
        }
    }
}
