//! The embedded DynamoDB engine: one table, in memory or in a file.
//!
//! The engine has a thread of its own, because it holds one lock while it waits for the disk. The service calls it
//! without a socket; other processes of this user call it through a Unix socket in the data folder. SQLite's default
//! durability applies to the file: acknowledged writes survive `kill -9`.

mod client;
mod database;
mod disk;
mod operations;
mod remote;
mod schema;
mod thread;

pub(crate) use client::EngineClient;
pub(crate) use database::{check, file};
pub(crate) use operations::EngineResponse;
pub use operations::respond;
pub(crate) use remote::{TARGET_HEADER, is_reachable, socket_path};
pub use schema::{TABLE, create_table};

use crate::data_folder::FolderLock;
use crate::error::StartError;
use crate::timers::DeliverySignal;
use disk::Disk;
use dynoxide::Database;
use sandbox::LastWrite;
use std::path::PathBuf;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Storage of the table.
pub(crate) enum Backend {
    Memory,
    /// A file in a folder. The engine holds the folder's lock until the file is closed.
    Folder(PathBuf, FolderLock),
    /// The engine of the gateway that runs on this folder.
    Remote(PathBuf),
}

/// A running engine. Without [`Engine::stop`], dropping it closes the file later.
pub(crate) struct Engine {
    pub(crate) client: EngineClient,
    /// The outcome of the last write. That of another process is not known.
    pub(crate) last_write: LastWrite,
    /// Signals each event that is stored here. The engine of another process signals its own events.
    pub(crate) events: DeliverySignal,
    /// `None` for the engine of another process.
    thread: Option<EngineThread>,
}

struct EngineThread {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Opens the table, created if absent. For [`Backend::Remote`] it opens nothing.
    pub(crate) fn start(backend: Backend) -> Result<Engine, StartError> {
        let (last_write, events) = (LastWrite::default(), DeliverySignal::default());
        let (database, folder, lock) = match backend {
            Backend::Memory => (in_memory()?, None, None),
            Backend::Folder(folder, lock) => (database::open(&folder)?, Some(folder), Some(lock)),
            Backend::Remote(folder) => {
                return Ok(Engine { client: EngineClient::of_folder(&folder), last_write, events, thread: None });
            }
        };
        let disk = Disk { folder, last_write: last_write.clone() };
        let (stop, stopped) = oneshot::channel();
        let (calls, received) = client::channel();
        let unavailable = |source| StartError::Service(format!("cannot run the database engine: {source}").into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(unavailable)?;
        let signal = events.clone();
        let run = move || {
            thread::run(&runtime, database, &disk, &signal, received, stopped);
            // The file is closed now, so another process may open it.
            drop(lock);
        };
        let thread = std::thread::Builder::new().name("dynamodb".to_owned()).spawn(run).map_err(unavailable)?;
        Ok(Engine { client: calls, last_write, events, thread: Some(EngineThread { stop, thread }) })
    }

    /// Finishes calls in flight and closes the file. Does nothing for the engine of another process.
    pub(crate) async fn stop(self) {
        let Some(EngineThread { stop, thread }) = self.thread else { return };
        let _ = stop.send(());
        if !matches!(tokio::task::spawn_blocking(|| thread.join()).await, Ok(Ok(()))) {
            tracing::error!("the database engine panicked");
        }
    }
}

fn in_memory() -> Result<Database, StartError> {
    let database = Database::memory().map_err(|error| StartError::Service(error.into()))?;
    create_table(&database).map_err(|error| StartError::Service(error.into()))?;
    Ok(database)
}
