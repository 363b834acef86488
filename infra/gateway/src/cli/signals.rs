//! The signals that stop the process.

use crate::error::StartError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGINT, which Ctrl-C sends, and SIGTERM.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Listens from now on: a signal does not end the process any more.
    pub(super) fn new() -> Result<Signals, StartError> {
        let listen = |kind| signal(kind).map_err(|error| StartError::Service(error.into()));
        Ok(Signals { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for either.
    pub(super) async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
