//! Records the response headers of one operation, where platforms report their rate limits.

use http::HeaderMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The headers of every response to one operation, of successes and failures.
#[derive(Clone, Default)]
pub struct HeaderRecorder(Arc<Mutex<Vec<HeaderMap>>>);

impl HeaderRecorder {
    /// Takes the headers recorded so far.
    pub fn take(&self) -> Vec<HeaderMap> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn record(&self, headers: &HeaderMap) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(headers.clone());
    }
}

/// Omits the headers: one may be a cookie.
impl std::fmt::Debug for HeaderRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HeaderRecorder")
    }
}
