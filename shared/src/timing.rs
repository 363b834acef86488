//! Where the time of a request goes: waiting for the store, platforms and the payment provider, and our own work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The timers of one request.
#[derive(Clone, Debug)]
pub struct RequestTimers {
    /// When the request arrived.
    pub began: Instant,
    /// Runs during calls to the store.
    pub store: WaitTimer,
    /// Runs during calls to platforms.
    pub platform: WaitTimer,
    /// Runs during calls to the payment provider.
    pub payments: WaitTimer,
    any: WaitTimer,
}

/// A reading of a request's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Time since arrival.
    pub total: Duration,
    /// Time in the store; `None` without a call to it.
    pub store: Option<Duration>,
    /// Time in platforms; `None` without a call to one.
    pub platform: Option<Duration>,
    /// Time in the payment provider; `None` without a call to it.
    pub payments: Option<Duration>,
    /// Time without any call under way.
    pub own: Duration,
}

impl RequestTimers {
    /// Starts them.
    pub fn start() -> RequestTimers {
        let any = WaitTimer::default();
        let [store, platform, payments] = [(); 3].map(|()| WaitTimer::within(&any));
        RequestTimers { began: Instant::now(), store, platform, payments, any }
    }

    /// Reads them.
    pub fn read(&self) -> Timing {
        let total = self.began.elapsed();
        let own = total.saturating_sub(self.any.total().unwrap_or_default());
        let (store, platform, payments) = (self.store.total(), self.platform.total(), self.payments.total());
        Timing { total, store, platform, payments, own }
    }
}

/// A duration in milliseconds with microsecond precision, for logs and graphs.
#[expect(clippy::cast_precision_loss, reason = "exact for the first 285 years")]
pub fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

/// Measures the time during which at least one call is under way. Concurrent calls count once.
#[derive(Clone, Debug, Default)]
pub struct WaitTimer {
    state: Arc<Mutex<TimerState>>,
    parent: Option<Arc<WaitTimer>>,
}

#[derive(Debug, Default)]
struct TimerState {
    under_way: usize,
    since: Option<Instant>,
    before: Option<Duration>,
}

/// A call under way, until dropped.
#[derive(Debug)]
pub struct WaitGuard {
    timer: WaitTimer,
    _parent: Option<Box<WaitGuard>>,
}

impl WaitTimer {
    /// A timer whose calls also count in its parent.
    fn within(parent: &WaitTimer) -> WaitTimer {
        WaitTimer { parent: Some(Arc::new(parent.clone())), ..WaitTimer::default() }
    }

    /// The time so far; `None` before the first call.
    pub fn total(&self) -> Option<Duration> {
        let state = self.lock();
        match state.since {
            Some(since) => Some(state.before.unwrap_or_default() + since.elapsed()),
            None => state.before,
        }
    }

    /// Starts a call.
    pub fn begin(&self) -> WaitGuard {
        let parent = self.parent.as_ref().map(|parent| Box::new(parent.begin()));
        let mut state = self.lock();
        state.under_way += 1;
        state.since.get_or_insert_with(Instant::now);
        WaitGuard { timer: self.clone(), _parent: parent }
    }

    fn lock(&self) -> MutexGuard<'_, TimerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WaitGuard {
    fn drop(&mut self) {
        let mut state = self.timer.lock();
        state.under_way -= 1;
        if state.under_way == 0
            && let Some(since) = state.since.take()
        {
            state.before = Some(state.before.unwrap_or_default() + since.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_calls_count_once_and_a_running_call_counts_until_now() {
        let timer = WaitTimer::default();
        assert_eq!(timer.total(), None);
        let (first, second) = (timer.begin(), timer.begin());
        let since = |timer: &WaitTimer| timer.lock().since;
        let began = since(&timer);
        drop(first);
        assert_eq!(since(&timer), began, "the second is still under way");
        assert!(timer.total().is_some());
        drop(second);
        let after_both = timer.total();
        assert!(since(&timer).is_none() && after_both.is_some(), "no call is under way");
        assert_eq!(timer.total(), after_both);
        drop(timer.begin());
        assert!(timer.total() >= after_both);
    }

    #[tokio::test(start_paused = true)]
    async fn own_time_excludes_every_wait() {
        let timers = RequestTimers::start();
        let pass = async |ms| tokio::time::advance(Duration::from_millis(ms)).await;
        pass(1).await;
        let store = timers.store.begin();
        pass(10).await;
        let platform = timers.platform.begin();
        pass(100).await;
        drop(store);
        pass(1_000).await;
        drop(platform);
        pass(2).await;
        let ms = Duration::from_millis;
        let (store, platform) = (Some(ms(110)), Some(ms(1_100)));
        let expected = Timing { total: ms(1_113), store, platform, payments: None, own: ms(3) };
        assert_eq!(timers.read(), expected);
        assert_eq!(millis(Duration::from_nanos(1_234_567)).to_string(), "1.234");
    }
}
