//! The embedded DynamoDB engine: one table, in memory or in a file, behind an address on 127.0.0.1.
//!
//! The engine has a runtime thread of its own, because it holds one lock while it waits for the disk. SQLite's default
//! durability applies to the file: acknowledged writes survive `kill -9`.

mod schema;
mod server;

pub(crate) use schema::TABLE;

use crate::data_folder::FolderLock;
use crate::error::StartError;
use dynoxide::{Database, DynoxideError};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::timeout;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Storage of the table.
pub(crate) enum Backend {
    /// Memory.
    Memory,
    /// A file in a folder. The engine holds the folder's lock until the file is closed.
    Folder(PathBuf, FolderLock),
    /// The engine of another process, at this endpoint.
    Remote(String),
}

/// A running engine. Without [`Engine::stop`], dropping it closes the file later.
pub(crate) struct Engine {
    /// `http://127.0.0.1:PORT`.
    pub(crate) endpoint: String,
    /// `None` for the engine of another process.
    server: Option<ServerThread>,
}

struct ServerThread {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Opens the table, created if absent, and serves it. For [`Backend::Remote`] it only keeps the endpoint.
    pub(crate) fn start(backend: Backend) -> Result<Engine, StartError> {
        let (database, lock) = match backend {
            Backend::Memory => (open(None)?, None),
            Backend::Folder(folder, lock) => (open(Some(&folder.join("dynamodb.sqlite")))?, Some(lock)),
            Backend::Remote(endpoint) => return Ok(Engine { endpoint, server: None }),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(unavailable)?;
        listener.set_nonblocking(true).map_err(unavailable)?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(unavailable)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(unavailable)?;
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            server::run(runtime, listener, database, stopped);
            // The file is closed now, so another process may open it.
            drop(lock);
        };
        let thread = std::thread::Builder::new().name("dynamodb".to_owned()).spawn(serve).map_err(unavailable)?;
        Ok(Engine { endpoint, server: Some(ServerThread { stop, thread }) })
    }

    /// Finishes requests in flight and closes the file. Does nothing for the engine of another process.
    pub(crate) async fn stop(self) {
        let Some(ServerThread { stop, thread }) = self.server else { return };
        let _ = stop.send(());
        if !matches!(tokio::task::spawn_blocking(|| thread.join()).await, Ok(Ok(()))) {
            tracing::error!("the database engine panicked");
        }
    }
}

/// Whether an engine accepts connections at an endpoint. A killed gateway leaves the endpoint of a dead engine behind.
pub(crate) async fn is_reachable(endpoint: &str) -> bool {
    let Some(address) = endpoint.strip_prefix("http://") else { return false };
    matches!(timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await, Ok(Ok(_)))
}

fn unavailable(source: io::Error) -> StartError {
    StartError::Service(format!("cannot serve the database engine: {source}").into())
}

fn open(file: Option<&Path>) -> Result<Database, StartError> {
    let invalid = |error: DynoxideError| match file {
        Some(path) => StartError::Content {
            path: path.to_owned(),
            reason: format!(
                "does not open as a database ({error}): move the file away to start with an empty table, or choose \
                 another folder with --data"
            ),
        },
        None => StartError::Service(error.into()),
    };
    let database = match file {
        None => Database::memory(),
        Some(path) => path.to_str().map_or_else(|| Err(not_utf8()), Database::new),
    };
    let database = database.map_err(&invalid)?;
    schema::create_table(&database).map_err(&invalid)?;
    Ok(database)
}

fn not_utf8() -> DynoxideError {
    DynoxideError::InternalServerError("its path is not valid UTF-8".to_owned())
}
