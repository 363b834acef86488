//! The circuit breaker and the retry budget of one platform, shared by all calls of the process.

use super::breaker::{Breaker, Permit};
use super::retry_budget::RetryBudget;
use super::{Answer, Failure};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A timeout after less time than this is the request's deadline, not a failure of the platform.
const MIN_ATTEMPT: Duration = Duration::from_secs(2);

/// Circuit breaker and retry budget for the calls in a platform's ad accounts.
#[derive(Debug, Default)]
pub struct BreakerState(Mutex<Parts>);

#[derive(Debug, Default)]
struct Parts {
    breaker: Breaker,
    budget: RetryBudget,
}

/// An attempt in progress. Dropping it without an outcome returns its permit.
pub(super) struct Attempt {
    breaker: Arc<BreakerState>,
    permit: Permit,
    started: Instant,
    is_recorded: bool,
}

impl BreakerState {
    /// How long the breaker stays open; `None` when the next call would be sent.
    pub fn open_for(&self) -> Option<Duration> {
        self.lock().breaker.open_for(Instant::now())
    }

    /// Starts an attempt, unless the breaker is open.
    pub(super) fn try_start(self: &Arc<Self>) -> Option<Attempt> {
        let started = Instant::now();
        let permit = self.lock().breaker.try_acquire(started)?;
        Some(Attempt { breaker: Arc::clone(self), permit, started, is_recorded: false })
    }

    /// Adds a first attempt to the retry budget.
    pub(super) fn count_request(&self) {
        self.lock().budget.deposit();
    }

    /// Takes a retry from the budget; `false` if the budget is spent.
    pub(super) fn try_retry(&self) -> bool {
        self.lock().budget.try_withdraw()
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt {
    /// Records the outcome.
    pub(super) fn finish(mut self, outcome: &Result<Answer, Failure>, is_broken: fn(&Answer) -> bool) {
        let now = Instant::now();
        let was_cut_short = matches!(outcome, Err(Failure::TimedOut)) && now.duration_since(self.started) < MIN_ATTEMPT;
        if was_cut_short {
            return;
        }
        self.is_recorded = true;
        let breaker = &mut self.breaker.lock().breaker;
        match outcome {
            Ok(answer) if !is_broken(answer) => breaker.record_success(),
            _ => breaker.record_failure(self.permit, now),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if !self.is_recorded {
            self.breaker.lock().breaker.release(self.permit, Instant::now());
        }
    }
}
