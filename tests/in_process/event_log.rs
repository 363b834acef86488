//! The events of a run: a hash that compares two runs, and readable lines on request.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use tokio::time::Instant;

/// Shared handle to the log of a run.
#[derive(Clone)]
pub(crate) struct EventLog(Arc<Mutex<Events>>);

struct Events {
    began: Instant,
    trace: DefaultHasher,
    lines: Option<Vec<String>>,
}

impl EventLog {
    pub(crate) fn new(keeps_log: bool) -> EventLog {
        let began = Instant::now();
        let trace = DefaultHasher::new();
        EventLog(Arc::new(Mutex::new(Events { began, trace, lines: keeps_log.then(Vec::new) })))
    }

    /// Adds an event at the current time.
    pub(crate) fn record(&self, event: impl FnOnce() -> String) {
        let mut events = self.0.lock().expect("the event log");
        let at = events.began.elapsed();
        let event = event();
        (at.as_millis(), &event).hash(&mut events.trace);
        if let Some(lines) = &mut events.lines {
            lines.push(format!("{:>9.3} s  {event}", at.as_secs_f64()));
        }
    }

    /// Hash of all events and their times: equal for two runs of one seed.
    pub(crate) fn trace(&self) -> u64 {
        self.0.lock().expect("the event log").trace.finish()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().expect("the event log").lines.clone().unwrap_or_default()
    }
}
