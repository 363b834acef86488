//! A process of the service, which can die, or be suspended and continue later as Lambda does.

use super::event_log::EventLog;
use super::faults::FaultPlan;
use futures_util::future::poll_fn;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep, sleep_until};

/// Time limit of a request's platform calls.
const PLATFORM_TIMEOUT: Duration = Duration::from_secs(25);

/// A process. After its death none of its tasks runs, and no response reaches it.
#[derive(Clone)]
pub(crate) struct Process(Arc<Parts>);

struct Parts {
    name: String,
    began: Instant,
    is_dead: watch::Sender<bool>,
    suspended_until: Mutex<Option<Instant>>,
    faults: FaultPlan,
    log: EventLog,
}

impl Process {
    pub(crate) fn new(name: &str, faults: FaultPlan, log: &EventLog) -> Process {
        let (is_dead, _) = watch::channel(false);
        let parts = Parts {
            name: name.to_owned(),
            began: Instant::now(),
            is_dead,
            suspended_until: Mutex::default(),
            faults,
            log: log.clone(),
        };
        Process(Arc::new(parts))
    }

    /// Deadline of its request's platform calls, when it is not suspended.
    pub(crate) fn platform_deadline(&self) -> Instant {
        self.0.began + PLATFORM_TIMEOUT
    }

    pub(crate) fn faults(&self) -> &FaultPlan {
        &self.0.faults
    }

    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    /// Adds an event to the log.
    pub(crate) fn record(&self, event: &str) {
        self.0.log.record(|| format!("{}: {event}", self.0.name));
    }

    pub(crate) fn kill(&self) {
        self.record("dies");
        self.0.is_dead.send_replace(true);
    }

    pub(crate) fn is_dead(&self) -> bool {
        *self.0.is_dead.borrow()
    }

    /// Whether it died or was suspended: then no response in time is promised.
    pub(crate) fn was_disrupted(&self) -> bool {
        self.is_dead() || self.suspended_until().is_some()
    }

    /// Suspends the process, and the caller of this function, for a time.
    pub(crate) async fn suspend(&self, pause: Duration) {
        self.record(&format!("is suspended for {} s", pause.as_secs()));
        *self.0.suspended_until.lock().expect("the time") = Some(Instant::now() + pause);
        sleep(pause).await;
    }

    fn suspended_until(&self) -> Option<Instant> {
        *self.0.suspended_until.lock().expect("the time")
    }

    /// Runs a future as this process; `None` when the process dies first.
    pub(crate) async fn run<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut is_dead = self.0.is_dead.subscribe();
        let mut work = pin!(work);
        let mut pause = pin!(sleep(Duration::ZERO));
        // A suspended process polls nothing, not even its own timers.
        let work = poll_fn(move |context| {
            if let Some(until) = self.suspended_until().filter(|until| *until > Instant::now()) {
                pause.set(sleep_until(until));
                if pause.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
            }
            work.as_mut().poll(context)
        });
        tokio::select! {
            biased;
            _ = is_dead.wait_for(|is_dead| *is_dead) => None,
            done = work => Some(done),
        }
    }

    /// Never returns in a dead process.
    pub(crate) async fn wait_if_dead(&self) {
        if self.is_dead() {
            pending::<()>().await;
        }
    }
}
