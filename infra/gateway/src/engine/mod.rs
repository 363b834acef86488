//! The embedded DynamoDB engine: one table, in memory or in a file.
//!
//! The engine has a thread of its own, because it holds one lock while it waits for the disk. The service calls it
//! without a socket; other processes of this user call it through a Unix socket in the data folder. SQLite's default
//! durability applies to the file: acknowledged writes survive `kill -9`.

mod client;
mod operations;
mod remote;
mod schema;
mod thread;

pub(crate) use client::EngineClient;
pub(crate) use operations::Answer;
pub use operations::answer;
pub(crate) use remote::{TARGET_HEADER, is_reachable, socket_path};
pub use schema::{TABLE, create_table};

use crate::data_folder::{self, FolderLock};
use crate::error::StartError;
use dynoxide::{Database, DynoxideError};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Storage of the table.
pub(crate) enum Backend {
    /// Memory.
    Memory,
    /// A file in a folder. The engine holds the folder's lock until the file is closed.
    Folder(PathBuf, FolderLock),
    /// The engine of the gateway that runs on this folder.
    Remote(PathBuf),
}

/// A running engine. Without [`Engine::stop`], dropping it closes the file later.
pub(crate) struct Engine {
    pub(crate) client: EngineClient,
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
        let (database, lock) = match backend {
            Backend::Memory => (open(None)?, None),
            Backend::Folder(folder, lock) => (open(Some(&folder))?, Some(lock)),
            Backend::Remote(folder) => return Ok(Engine { client: EngineClient::of_folder(&folder), thread: None }),
        };
        let (stop, stopped) = oneshot::channel();
        let (calls, received) = client::channel();
        let unavailable = |source| StartError::Service(format!("cannot run the database engine: {source}").into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(unavailable)?;
        let run = move || {
            thread::run(&runtime, database, received, stopped);
            // The file is closed now, so another process may open it.
            drop(lock);
        };
        let thread = std::thread::Builder::new().name("dynamodb".to_owned()).spawn(run).map_err(unavailable)?;
        Ok(Engine { client: calls, thread: Some(EngineThread { stop, thread }) })
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

/// Opens the table of a folder, or without one a table in memory.
fn open(folder: Option<&Path>) -> Result<Database, StartError> {
    let file = folder.map(|folder| folder.join("dynamodb.sqlite"));
    let invalid = |error: DynoxideError| match &file {
        Some(path) => StartError::Content {
            path: path.clone(),
            reason: format!(
                "does not open as a database ({error}): move the file away to start with an empty table, or choose \
                 another folder with --data"
            ),
        },
        None => StartError::Service(error.into()),
    };
    let database = match &file {
        None => Database::memory(),
        Some(path) => {
            // SQLite gives its other files the permissions of this one.
            data_folder::create_private(path)?;
            path.to_str().map_or_else(|| Err(not_utf8()), Database::new)
        }
    };
    let database = database.map_err(&invalid)?;
    schema::create_table(&database).map_err(&invalid)?;
    Ok(database)
}

fn not_utf8() -> DynoxideError {
    DynoxideError::InternalServerError("its path is not valid UTF-8".to_owned())
}
