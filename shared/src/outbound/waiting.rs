//! How long one request has waited for other hosts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The time in which at least one call of a request was under way: two at once do not count twice.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Arc<Mutex<Waited>>);

#[derive(Debug, Default)]
struct Waited {
    under_way: usize,
    since: Option<Instant>,
    before: Option<Duration>,
}

/// A call under way, until it is dropped.
pub(super) struct Wait(Waiting);

impl Waiting {
    /// The time until now; `None` when nothing was called.
    pub fn total(&self) -> Option<Duration> {
        let waited = self.lock();
        match waited.since {
            Some(since) => Some(waited.before.unwrap_or_default() + since.elapsed()),
            None => waited.before,
        }
    }

    pub(super) fn begin(&self) -> Wait {
        let mut waited = self.lock();
        waited.under_way += 1;
        waited.since.get_or_insert_with(Instant::now);
        Wait(self.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Waited> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut waited = self.0.lock();
        waited.under_way -= 1;
        if waited.under_way == 0
            && let Some(since) = waited.since.take()
        {
            waited.before = Some(waited.before.unwrap_or_default() + since.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_at_the_same_time_count_once_and_one_that_runs_on_counts_until_now() {
        let waiting = Waiting::default();
        assert_eq!(waiting.total(), None);
        let (first, second) = (waiting.begin(), waiting.begin());
        let since = |waiting: &Waiting| waiting.lock().since;
        let began = since(&waiting);
        drop(first);
        assert_eq!(since(&waiting), began, "the second is still under way");
        assert!(waiting.total().is_some());
        drop(second);
        let after_both = waiting.total();
        assert!(since(&waiting).is_none() && after_both.is_some(), "nobody is waited for any more");
        assert_eq!(waiting.total(), after_both);
        drop(waiting.begin());
        assert!(waiting.total() >= after_both);
    }
}
