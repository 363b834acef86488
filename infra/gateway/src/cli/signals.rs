//! The signals that stop the process, and one that must not.

use crate::error::StartError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGXFSZ: a file has reached the limit of the process (`ulimit -f`). It has this number on Linux, macOS and the BSDs.
const FILE_SIZE_LIMIT: i32 = 25;

/// Lets a write beyond the limit of file sizes fail instead of ending the process: the error names the disk.
pub(super) fn outlive_file_size_limit() {
    // The handler stays when this stream is dropped.
    if let Err(error) = signal(SignalKind::from_raw(FILE_SIZE_LIMIT)) {
        tracing::warn!(%error, "a limit of file sizes will end this process");
    }
}

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
