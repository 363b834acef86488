//! What a platform said beside its answers.

use http::HeaderMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The headers of all answers to one piece of work, successes and failures.
#[derive(Clone, Default)]
pub struct HeaderRecorder(Arc<Mutex<Vec<HeaderMap>>>);

impl HeaderRecorder {
    /// Takes what was recorder so far.
    pub fn take(&self) -> Vec<HeaderMap> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn note(&self, headers: &HeaderMap) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(headers.clone());
    }
}

/// Without what it holds: a header may be a cookie.
impl std::fmt::Debug for HeaderRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HeaderRecorder")
    }
}
