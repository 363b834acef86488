//! Where the time of a request goes: waiting for the store, for platforms, for the payment provider, and our own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The clocks of one request.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// When it came.
    pub began: Instant,
    /// Runs while the store is waited for.
    pub store: Waiting,
    /// Runs while a platform is waited for.
    pub platform: Waiting,
    /// Runs while the payment provider is waited for.
    pub payments: Waiting,
    any: Waiting,
}

/// What the clocks of a request show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Since it came.
    pub total: Duration,
    /// In which the store was waited for; `None` when it was not asked.
    pub store: Option<Duration>,
    /// In which a platform was waited for; `None` when none was asked.
    pub platform: Option<Duration>,
    /// In which the payment provider was waited for; `None` when it was not asked.
    pub payments: Option<Duration>,
    /// In which nobody else was waited for.
    pub own: Duration,
}

impl Clocks {
    /// Starts them.
    pub fn start() -> Clocks {
        let any = Waiting::default();
        let [store, platform, payments] = [(); 3].map(|()| Waiting::within(&any));
        Clocks { began: Instant::now(), store, platform, payments, any }
    }

    /// What they show now.
    pub fn read(&self) -> Timing {
        let total = self.began.elapsed();
        let own = total.saturating_sub(self.any.total().unwrap_or_default());
        let (store, platform, payments) = (self.store.total(), self.platform.total(), self.payments.total());
        Timing { total, store, platform, payments, own }
    }
}

/// A time in milliseconds, to the microsecond: for people and for graphs.
#[expect(clippy::cast_precision_loss, reason = "exact for the first 285 years")]
pub fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

/// The time in which at least one call was under way: two at once do not count twice.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    waited: Arc<Mutex<Waited>>,
    within: Option<Arc<Waiting>>,
}

#[derive(Debug, Default)]
struct Waited {
    under_way: usize,
    since: Option<Instant>,
    before: Option<Duration>,
}

/// A call under way, until it is dropped.
#[derive(Debug)]
pub struct Wait {
    waiting: Waiting,
    _within: Option<Box<Wait>>,
}

impl Waiting {
    /// One whose calls are also calls of another.
    fn within(whole: &Waiting) -> Waiting {
        Waiting { within: Some(Arc::new(whole.clone())), ..Waiting::default() }
    }

    /// The time until now; `None` when nothing was called.
    pub fn total(&self) -> Option<Duration> {
        let waited = self.lock();
        match waited.since {
            Some(since) => Some(waited.before.unwrap_or_default() + since.elapsed()),
            None => waited.before,
        }
    }

    /// A call begins.
    pub fn begin(&self) -> Wait {
        let within = self.within.as_ref().map(|whole| Box::new(whole.begin()));
        let mut waited = self.lock();
        waited.under_way += 1;
        waited.since.get_or_insert_with(Instant::now);
        Wait { waiting: self.clone(), _within: within }
    }

    fn lock(&self) -> MutexGuard<'_, Waited> {
        self.waited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut waited = self.waiting.lock();
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

    #[tokio::test(start_paused = true)]
    async fn own_time_is_what_is_left_when_nobody_is_waited_for() {
        let clocks = Clocks::start();
        let pass = async |ms| tokio::time::advance(Duration::from_millis(ms)).await;
        pass(1).await;
        let store = clocks.store.begin();
        pass(10).await;
        let platform = clocks.platform.begin();
        pass(100).await;
        drop(store);
        pass(1_000).await;
        drop(platform);
        pass(2).await;
        let ms = Duration::from_millis;
        let (store, platform) = (Some(ms(110)), Some(ms(1_100)));
        let shown = Timing { total: ms(1_113), store, platform, payments: None, own: ms(3) };
        assert_eq!(clocks.read(), shown);
        assert_eq!(millis(Duration::from_nanos(1_234_567)).to_string(), "1.234");
    }
}
