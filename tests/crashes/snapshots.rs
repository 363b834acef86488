//! The state before a schedule begins: prepared once, and copied for every schedule with the same beginning.

use super::environment::run_paused;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// Prepared states by their names.
pub(super) struct Snapshots<T>(Mutex<BTreeMap<String, Arc<OnceLock<T>>>>);

impl<T: Send + Sync> Snapshots<T> {
    pub(super) const fn new() -> Snapshots<T> {
        Snapshots(Mutex::new(BTreeMap::new()))
    }

    /// The copy that `copy` makes of the state with this name. Whoever needs it first prepares it, under a clock of its
    /// own; the others wait.
    pub(super) fn copy<C>(&self, name: &str, prepare: impl AsyncFnOnce() -> T + Send, copy: impl FnOnce(&T) -> C) -> C {
        let state = Arc::clone(self.0.lock().expect("the states").entry(name.to_owned()).or_default());
        // A thread of its own, because a runtime cannot start within another.
        let prepared = || thread::scope(|threads| threads.spawn(|| run_paused(prepare())).join());
        copy(state.get_or_init(|| prepared().expect("a prepared state")))
    }
}
