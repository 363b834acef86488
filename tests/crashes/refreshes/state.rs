//! State that all processes of a run share, and the processes.

use super::platform::Platform;
use crate::random::Random;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::{Duration, Instant};

/// Shared handle to the state.
#[derive(Clone)]
pub(super) struct StateHandle(Arc<Mutex<State>>);

/// Random source, platform and event log of a run.
pub(super) struct State {
    pub(super) random: Random,
    pub(super) platform: Platform,
    /// Whether faults are injected.
    pub(super) faults: bool,
    /// Delays the next call to the table that contains this text.
    pub(super) delay_next: Option<(&'static str, Duration)>,
    /// The platform wrongly refuses the next refresh.
    pub(super) refuse_next_refresh: bool,
    start: Instant,
    trace: DefaultHasher,
    /// The events as text, on request.
    pub(super) log: Option<Vec<String>>,
}

/// Delay and faults of a call to the table.
pub(super) struct StoreDelivery {
    pub(super) delay: Duration,
    /// The process dies before the call is applied.
    pub(super) kills_before: bool,
    /// The table responds with an error; nothing is applied.
    pub(super) fails: bool,
    /// The call is applied; the process dies before the response.
    pub(super) kills_after: bool,
    /// The call is applied; the connection breaks before the response.
    pub(super) loses_response: bool,
}

/// A process of the service. After its death it neither sends nor receives.
#[derive(Clone)]
pub(super) struct Process(Arc<Parts>);

struct Parts {
    is_dead: AtomicBool,
    /// Number of the newest tokens that it received; 0 for none.
    received: AtomicUsize,
}

impl StateHandle {
    pub(super) fn new(seed: u64, faults: bool, rotates: bool, keeps_log: bool) -> StateHandle {
        let random = Random::new(seed);
        let log = keeps_log.then(Vec::new);
        let platform = Platform::new(rotates);
        let start = Instant::now();
        let trace = DefaultHasher::new();
        let delay_next = None;
        let refuse_next_refresh = false;
        StateHandle(Arc::new(Mutex::new(State {
            random,
            platform,
            faults,
            delay_next,
            refuse_next_refresh,
            start,
            trace,
            log,
        })))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("the state")
    }
}

impl State {
    /// Adds an event to the trace.
    pub(super) fn record(&mut self, event: &str) {
        let at = self.start.elapsed().as_millis();
        (at, event).hash(&mut self.trace);
        if let Some(log) = &mut self.log {
            log.push(format!("{:>9.3} s  {event}", self.start.elapsed().as_secs_f64()));
        }
    }

    /// Hash of all events: equal for two runs of one seed.
    pub(super) fn trace(&self) -> u64 {
        self.trace.finish()
    }

    /// Draws the delay and the faults of a call to the table.
    pub(super) fn store_delivery(&mut self, call: &str) -> StoreDelivery {
        // Lambda may freeze a process; its call leaves when the process continues.
        let is_frozen = self.random.chance(8) && self.faults;
        let delay = match self.delay_next {
            Some((marker, delay)) if call.contains(marker) => {
                self.delay_next = None;
                delay
            }
            _ if is_frozen => self.random.millis(60_000, 400_000),
            _ => self.random.millis(1, 8),
        };
        let mut chance = |per_mille| self.random.chance(per_mille) && self.faults;
        StoreDelivery {
            delay,
            kills_before: chance(2),
            fails: chance(10),
            kills_after: chance(4),
            loses_response: chance(5),
        }
    }
}

impl Process {
    pub(super) fn new() -> Process {
        Process(Arc::new(Parts { is_dead: AtomicBool::new(false), received: AtomicUsize::new(0) }))
    }

    pub(super) fn kill(&self, state: &StateHandle) {
        state.lock().record("a process dies");
        self.0.is_dead.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_dead(&self) -> bool {
        self.0.is_dead.load(Ordering::Relaxed)
    }

    /// Records that the process received the tokens of this number.
    pub(super) fn receive_tokens(&self, number: usize) {
        self.0.received.store(number, Ordering::Relaxed);
    }

    /// Records that the tokens of the process are in the table.
    pub(super) fn record_stored_tokens(&self, state: &StateHandle) {
        state.lock().platform.record_stored(self.0.received.load(Ordering::Relaxed));
    }
}
