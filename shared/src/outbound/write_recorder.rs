//! Records writes in place of sending them, for a dry run.

use super::{Failure, OutboundRequest, OutboundResponse};
use std::sync::{Arc, Mutex, PoisonError};

/// The writes that were not sent. `Debug` hides them: their headers hold tokens.
#[derive(Clone)]
pub struct WriteRecorder {
    /// The response to a write that is not the last one; `None` for the last.
    assume: fn(&OutboundRequest) -> Option<OutboundResponse>,
    recorded: Arc<Mutex<Recorded>>,
}

#[derive(Default)]
struct Recorded {
    writes: Vec<OutboundRequest>,
    has_last: bool,
}

impl WriteRecorder {
    /// A recorder without writes. `assume` answers those that others follow. Any other write ends the work: it fails as
    /// one that was not sent.
    pub fn new(assume: fn(&OutboundRequest) -> Option<OutboundResponse>) -> WriteRecorder {
        WriteRecorder { assume, recorded: Arc::default() }
    }

    /// Records a write.
    pub(super) fn record(&self, write: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let response = (self.assume)(&write);
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.has_last |= response.is_none();
        recorded.writes.push(write);
        response.ok_or(Failure::NotSent)
    }

    /// The writes of work with this outcome, in their order. The work's failure, unless it is that of the last write.
    pub fn writes<T, E>(&self, outcome: Result<T, E>) -> Result<Vec<OutboundRequest>, E> {
        let recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome {
            Err(error) if !recorded.has_last => Err(error),
            _ => Ok(recorded.writes.clone()),
        }
    }
}

impl std::fmt::Debug for WriteRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WriteRecorder")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::{HeaderMap, Method, StatusCode};

    fn write(url: &str) -> OutboundRequest {
        OutboundRequest { method: Method::POST, url: url.into(), headers: HeaderMap::new(), body: Bytes::new() }
    }

    fn assume(write: &OutboundRequest) -> Option<OutboundResponse> {
        let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: Bytes::new() };
        write.url.ends_with("first").then_some(response)
    }

    #[test]
    fn work_goes_on_after_each_write_but_the_last() {
        let recorder = WriteRecorder::new(assume);
        assert!(recorder.record(write("first")).is_ok());
        assert_eq!(recorder.writes(Err::<(), _>("a failed read")).unwrap_err(), "a failed read");
        assert_eq!(recorder.writes(Ok::<_, ()>(())).unwrap().len(), 1);
        assert!(matches!(recorder.record(write("last")), Err(Failure::NotSent)));
        let writes = recorder.writes(Err::<(), _>("not sent")).unwrap();
        assert_eq!(writes.iter().map(|write| write.url.as_str()).collect::<Vec<_>>(), ["first", "last"]);
        assert_eq!(format!("{recorder:?}"), "WriteRecorder");
    }
}
