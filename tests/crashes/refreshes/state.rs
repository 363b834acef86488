//! State that all processes of a run share, and the processes.

use super::platform::Platform;
use crate::in_process::event_log::EventLog;
use crate::in_process::faults::FaultPlan;
use crate::in_process::process::Process;
use crate::random::Random;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::Duration;

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
    pub(super) log: EventLog,
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

/// A process of the service, and the tokens that it has received.
#[derive(Clone)]
pub(super) struct Holder {
    pub(super) process: Process,
    /// Number of the newest tokens; 0 for none.
    received: Arc<AtomicUsize>,
}

impl StateHandle {
    pub(super) fn new(seed: u64, faults: bool, rotates: bool, keeps_log: bool) -> StateHandle {
        let random = Random::new(seed);
        let log = EventLog::new(keeps_log);
        let platform = Platform::new(rotates);
        let state = State { random, platform, faults, delay_next: None, refuse_next_refresh: false, log };
        StateHandle(Arc::new(Mutex::new(state)))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("the state")
    }
}

impl State {
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

impl Holder {
    pub(super) fn new(state: &StateHandle) -> Holder {
        let process = Process::new("a process", FaultPlan::none(), &state.lock().log);
        Holder { process, received: Arc::default() }
    }

    /// Records that the process received the tokens of this number.
    pub(super) fn receive_tokens(&self, number: usize) {
        self.received.store(number, Ordering::Relaxed);
    }

    /// Records that the tokens of the process are in the table.
    pub(super) fn record_stored_tokens(&self, state: &StateHandle) {
        state.lock().platform.record_stored(self.received.load(Ordering::Relaxed));
    }
}
