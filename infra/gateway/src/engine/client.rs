//! Calls of the engine: on its thread, or through the socket of another gateway.

use super::operations::EngineResponse;
use super::remote;
use bytes::Bytes;
use std::io;
use std::path::{Path, PathBuf};
use tokio::sync::{mpsc, oneshot};

/// Calls that may wait for the engine.
const QUEUE_LENGTH: usize = 1024;

/// The calls that the engine receives.
pub(super) type Calls = mpsc::Receiver<Call>;

/// A call that waits for the engine.
pub(super) struct Call {
    pub(super) operation: String,
    pub(super) request: Bytes,
    pub(super) response: oneshot::Sender<EngineResponse>,
}

/// A connection to an engine.
#[derive(Clone, Debug)]
pub(crate) enum EngineClient {
    /// The engine of this process.
    Thread(EngineQueue),
    /// The engine behind this Unix socket.
    Socket(PathBuf),
}

/// The queue of the engine of this process.
#[derive(Clone)]
pub(crate) struct EngineQueue(mpsc::Sender<Call>);

impl std::fmt::Debug for EngineQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EngineQueue")
    }
}

/// A client, and the calls that its engine receives.
pub(super) fn channel() -> (EngineClient, Calls) {
    let (sender, calls) = mpsc::channel(QUEUE_LENGTH);
    (EngineClient::Thread(EngineQueue(sender)), calls)
}

impl EngineClient {
    /// The engine of the gateway that runs on a folder.
    pub(crate) fn of_folder(folder: &Path) -> EngineClient {
        EngineClient::Socket(remote::socket_path(folder))
    }

    /// Runs an operation, such as `GetItem`. An error means that no response came.
    pub(crate) async fn call(&self, operation: &str, request: Bytes) -> io::Result<EngineResponse> {
        match self {
            EngineClient::Thread(EngineQueue(queue)) => {
                let (response, received) = oneshot::channel();
                let call = Call { operation: operation.to_owned(), request, response };
                queue.send(call).await.map_err(|_| stopped())?;
                received.await.map_err(|_| stopped())
            }
            EngineClient::Socket(path) => remote::call(path, operation, request).await,
        }
    }
}

fn stopped() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the database engine has stopped, or failed")
}
