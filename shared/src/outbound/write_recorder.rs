//! Records writes in place of sending them, for a dry run.

use super::Outgoing;
use std::sync::{Arc, Mutex, PoisonError};

/// The writes that were not sent. `Debug` hides them: their headers hold tokens.
#[derive(Clone, Default)]
pub struct WriteRecorder(Arc<Mutex<Vec<Outgoing>>>);

impl WriteRecorder {
    /// Records a write.
    pub(super) fn record(&self, write: Outgoing) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(write);
    }

    /// The writes so far, which are forgotten.
    pub fn take(&self) -> Vec<Outgoing> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl std::fmt::Debug for WriteRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WriteRecorder")
    }
}
