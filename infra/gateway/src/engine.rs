//! The embedded DynamoDB engine: one table, in memory or in a file, behind an address on 127.0.0.1.
//!
//! It has a runtime thread of its own, because it works under one lock and waits for the disk while it holds it.
//! The file is opened with SQLite's own durability: what was acknowledged survives `kill -9`.

use crate::data::Lock;
use crate::error::StartError;
use dynoxide::actions::create_table::CreateTableRequest;
use dynoxide::actions::describe_table::DescribeTableRequest;
use dynoxide::actions::update_table::{CreateGsiAction, GlobalSecondaryIndexUpdate, UpdateTableRequest};
use dynoxide::actions::update_time_to_live::{TimeToLiveSpecification, UpdateTimeToLiveRequest};
use dynoxide::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use dynoxide::{Database, DynoxideError};
use shared::store::table_keys;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at, timeout};

/// The name of the one table.
pub(crate) const TABLE: &str = "unified-ads";

const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// How long requests under way may hold up the end.
const LAST_REQUESTS: Duration = Duration::from_secs(3);

/// Where the table is kept.
pub(crate) enum Place {
    /// Nowhere.
    Memory,
    /// In a folder, which stays taken until the engine has closed its file.
    Folder(PathBuf, Lock),
    /// Behind the engine of another process, at this address.
    Elsewhere(String),
}

/// An engine at work. Dropped without [`Engine::stop`], it still closes its file, only later.
pub(crate) struct Engine {
    /// `http://127.0.0.1:PORT`.
    pub(crate) endpoint: String,
    /// `None` for one in another process.
    work: Option<Work>,
}

/// The thread of an engine, and how it is told to end.
struct Work {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Opens the table, made if absent, and serves it; one that is served elsewhere is only named.
    pub(crate) fn start(place: Place) -> Result<Engine, StartError> {
        let (database, lock) = match place {
            Place::Memory => (open(None)?, None),
            Place::Folder(folder, lock) => (open(Some(&folder.join("dynamodb.sqlite")))?, Some(lock)),
            Place::Elsewhere(endpoint) => return Ok(Engine { endpoint, work: None }),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_listener)?;
        listener.set_nonblocking(true).map_err(no_listener)?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(no_listener)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(no_listener)?;
        let (stop, stopped) = oneshot::channel();
        let work = move || {
            run(runtime, listener, database, stopped);
            // Only now that the file is closed may somebody else open it.
            drop(lock);
        };
        let thread = std::thread::Builder::new().name("dynamodb".to_owned()).spawn(work).map_err(no_listener)?;
        Ok(Engine { endpoint, work: Some(Work { stop, thread }) })
    }

    /// Lets the last requests end and closes the file, if they are this process's.
    pub(crate) async fn stop(self) {
        let Some(Work { stop, thread }) = self.work else { return };
        let _ = stop.send(());
        if !matches!(tokio::task::spawn_blocking(|| thread.join()).await, Ok(Ok(()))) {
            tracing::error!("the database engine ended in a panic");
        }
    }
}

fn no_listener(source: io::Error) -> StartError {
    StartError::Service(format!("the database engine cannot be reached: {source}").into())
}

fn open(file: Option<&Path>) -> Result<Database, StartError> {
    let refused = |error: DynoxideError| match file {
        Some(path) => StartError::Content {
            path: path.to_owned(),
            reason: format!(
                "does not open as a database ({error}): move it away to begin anew, or choose another --data"
            ),
        },
        None => StartError::Service(error.into()),
    };
    let database = match file {
        None => Database::memory(),
        Some(path) => path.to_str().map_or_else(|| Err(not_text()), Database::new),
    };
    let database = database.map_err(&refused)?;
    create_table(&database).map_err(&refused)?;
    Ok(database)
}

fn not_text() -> DynoxideError {
    DynoxideError::InternalServerError("its path is not valid UTF-8".to_owned())
}

/// Makes the table unless it exists. Its expiry is set each time: a crash may have come between the two.
fn create_table(database: &Database) -> Result<(), DynoxideError> {
    let created = database.create_table(CreateTableRequest {
        table_name: TABLE.to_owned(),
        key_schema: vec![key(table_keys::PARTITION, KeyType::HASH), key(table_keys::SORT, KeyType::RANGE)],
        attribute_definitions: attributes(),
        global_secondary_indexes: Some(vec![GlobalSecondaryIndex {
            index_name: table_keys::DUE_INDEX.to_owned(),
            key_schema: due_key(),
            projection: keys_only(),
            provisioned_throughput: None,
        }]),
        billing_mode: Some("PAY_PER_REQUEST".to_owned()),
        ..CreateTableRequest::default()
    });
    match created {
        Ok(_) => {}
        Err(DynoxideError::ResourceInUseException(_)) => add_index(database)?,
        Err(error) => return Err(error),
    }
    database.update_time_to_live(UpdateTimeToLiveRequest {
        table_name: TABLE.to_owned(),
        time_to_live_specification: TimeToLiveSpecification {
            attribute_name: table_keys::EXPIRES_AT.to_owned(),
            enabled: true,
        },
    })?;
    Ok(())
}

/// Gives its index to a table from before there was one.
fn add_index(database: &Database) -> Result<(), DynoxideError> {
    let table = database.describe_table(DescribeTableRequest { table_name: TABLE.to_owned() })?.table;
    if table.global_secondary_indexes.is_some_and(|indexes| !indexes.is_empty()) {
        return Ok(());
    }
    let create = CreateGsiAction {
        index_name: table_keys::DUE_INDEX.to_owned(),
        key_schema: due_key(),
        projection: keys_only(),
    };
    database.update_table(UpdateTableRequest {
        table_name: TABLE.to_owned(),
        attribute_definitions: Some(attributes()),
        global_secondary_index_updates: Some(vec![GlobalSecondaryIndexUpdate {
            create: Some(create),
            ..GlobalSecondaryIndexUpdate::default()
        }]),
        ..UpdateTableRequest::default()
    })?;
    Ok(())
}

fn attributes() -> Vec<AttributeDefinition> {
    let attribute =
        |name: &str, attribute_type| AttributeDefinition { attribute_name: name.to_owned(), attribute_type };
    vec![
        attribute(table_keys::PARTITION, ScalarAttributeType::S),
        attribute(table_keys::SORT, ScalarAttributeType::S),
        attribute(table_keys::DUE_KIND, ScalarAttributeType::S),
        attribute(table_keys::DUE_AT, ScalarAttributeType::N),
    ]
}

fn due_key() -> Vec<KeySchemaElement> {
    vec![key(table_keys::DUE_KIND, KeyType::HASH), key(table_keys::DUE_AT, KeyType::RANGE)]
}

fn keys_only() -> Projection {
    Projection { projection_type: Some(ProjectionType::KEYS_ONLY), ..Projection::default() }
}

fn key(name: &str, key_type: KeyType) -> KeySchemaElement {
    KeySchemaElement { attribute_name: name.to_owned(), key_type }
}

fn run(runtime: Runtime, listener: TcpListener, database: Database, stopped: oneshot::Receiver<()>) {
    let served = runtime.block_on(serve(listener, database, stopped));
    if let Err(error) = served {
        tracing::error!(%error, "the database engine stopped");
    }
    // Dropping the runtime ends its tasks, and with the last of them the database closes.
    drop(runtime);
}

async fn serve(listener: TcpListener, database: Database, stopped: oneshot::Receiver<()>) -> Result<(), String> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
    tokio::spawn(sweep(database.clone()));
    let (last_call, called) = oneshot::channel();
    let until = async move {
        let _ = stopped.await;
        let _ = last_call.send(());
    };
    let overdue = async {
        let _ = called.await;
        tokio::time::sleep(LAST_REQUESTS).await;
    };
    tokio::select! {
        served = dynoxide::server::serve_with_shutdown(listener, database, until) => served,
        () = overdue => Ok(()),
    }
}

/// Deletes what has expired: the engine does so only when asked.
async fn sweep(database: Database) {
    let mut minutes = interval_at(Instant::now() + SWEEP_EVERY, SWEEP_EVERY);
    loop {
        minutes.tick().await;
        let database = database.clone();
        match tokio::task::spawn_blocking(move || database.sweep_ttl()).await {
            Ok(Ok(0)) => {}
            Ok(Ok(deleted)) => tracing::debug!(deleted, "swept expired items"),
            Ok(Err(error)) => tracing::warn!(%error, "expired items could not be swept"),
            Err(error) => tracing::warn!(%error, "the sweep of expired items panicked"),
        }
    }
}

/// Whether anything answers at an endpoint that a file names: a gateway that was killed leaves the file behind.
pub(crate) async fn answers(endpoint: &str) -> bool {
    let Some(address) = endpoint.strip_prefix("http://") else { return false };
    matches!(timeout(Duration::from_secs(1), tokio::net::TcpStream::connect(address)).await, Ok(Ok(_)))
}
