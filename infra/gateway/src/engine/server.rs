//! The engine's HTTP server, and the deletion of expired items.

use dynoxide::Database;
use std::net::TcpListener;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at};

const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// Longest time that requests in flight may delay the stop.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);

/// Serves a database until `stopped` resolves or its sender is dropped.
pub(super) fn run(runtime: Runtime, listener: TcpListener, database: Database, stopped: oneshot::Receiver<()>) {
    if let Err(error) = runtime.block_on(serve(listener, database, stopped)) {
        tracing::error!(%error, "the database engine stopped");
    }
    // Dropping the runtime ends its tasks; the last one closes the database.
    drop(runtime);
}

async fn serve(listener: TcpListener, database: Database, stopped: oneshot::Receiver<()>) -> Result<(), String> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
    tokio::spawn(sweep(database.clone()));
    let (begin_drain, drain) = oneshot::channel();
    let shutdown = async move {
        let _ = stopped.await;
        let _ = begin_drain.send(());
    };
    let drain_deadline = async {
        let _ = drain.await;
        tokio::time::sleep(DRAIN_TIMEOUT).await;
    };
    tokio::select! {
        served = dynoxide::server::serve_with_shutdown(listener, database, shutdown) => served,
        () = drain_deadline => Ok(()),
    }
}

/// Deletes expired items every minute: the engine does so only on request.
async fn sweep(database: Database) {
    let mut ticks = interval_at(Instant::now() + SWEEP_INTERVAL, SWEEP_INTERVAL);
    loop {
        ticks.tick().await;
        let database = database.clone();
        match tokio::task::spawn_blocking(move || database.sweep_ttl()).await {
            Ok(Ok(0)) => {}
            Ok(Ok(deleted)) => tracing::debug!(deleted, "deleted expired items"),
            Ok(Err(error)) => tracing::warn!(%error, "could not delete expired items"),
            Err(error) => tracing::warn!(%error, "the deletion of expired items panicked"),
        }
    }
}
