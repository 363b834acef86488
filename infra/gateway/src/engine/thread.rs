//! The engine's thread: it runs one call after another, and deletes expired items.

use super::client::{Call, Calls};
use super::disk::Disk;
use dynoxide::Database;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at};

const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// Runs calls until `stopped` resolves or its sender is dropped. Then it runs those that wait, and closes the database.
pub(super) fn run(
    runtime: &Runtime,
    (database, disk): (Database, Disk),
    mut calls: Calls,
    mut stopped: oneshot::Receiver<()>,
) {
    runtime.block_on(async {
        let mut sweeps = interval_at(Instant::now() + SWEEP_INTERVAL, SWEEP_INTERVAL);
        loop {
            tokio::select! {
                _ = &mut stopped => break,
                Some(call) = calls.recv() => run_call(&database, &disk, call),
                _ = sweeps.tick() => sweep(&database),
            }
        }
        calls.close();
        while let Some(call) = calls.recv().await {
            run_call(&database, &disk, call);
        }
    });
    drop(database);
}

fn run_call(database: &Database, disk: &Disk, Call { operation, request, response }: Call) {
    // A panic must not end the thread, and the store of every later request with it.
    let responded = catch_unwind(AssertUnwindSafe(|| disk.respond(database, &operation, &request)));
    // Without a response the caller sees a failed connection. A caller that has gone needs none.
    if let Ok(result) = responded {
        let _ = response.send(result);
    }
}

/// Deletes expired items: the engine does so only on request.
fn sweep(database: &Database) {
    match database.sweep_ttl() {
        Ok(0) => {}
        Ok(deleted) => tracing::debug!(deleted, "deleted expired items"),
        Err(error) => tracing::warn!(%error, "could not delete expired items"),
    }
}
