//! The engine's thread: it runs one call after another, and deletes expired items.

use super::client::{Call, Calls};
use super::disk::Disk;
use crate::timers::DeliverySignal;
use dynoxide::Database;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at};

/// How the sort key of an event begins in a request.
const EVENT: &[u8] = b"\"EVENT#";

const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// Runs calls until `stopped` resolves or its sender is dropped. Then it runs those that wait, and closes the database.
pub(super) fn run(
    runtime: &Runtime,
    database: Database,
    disk: &Disk,
    events: &DeliverySignal,
    mut calls: Calls,
    mut stopped: oneshot::Receiver<()>,
) {
    runtime.block_on(async {
        let mut sweeps = interval_at(Instant::now() + SWEEP_INTERVAL, SWEEP_INTERVAL);
        loop {
            tokio::select! {
                _ = &mut stopped => break,
                Some(call) = calls.recv() => run_call(&database, disk, events, call),
                _ = sweeps.tick() => sweep(&database),
            }
        }
        calls.close();
        while let Some(call) = calls.recv().await {
            run_call(&database, disk, events, call);
        }
    });
    drop(database);
}

fn run_call(database: &Database, disk: &Disk, events: &DeliverySignal, Call { operation, request, response }: Call) {
    // A panic must not end the thread, and the store of every later request with it.
    let responded = catch_unwind(AssertUnwindSafe(|| disk.respond(database, &operation, &request)));
    // Without a response the caller sees a failed connection. A caller that has gone needs none.
    if let Ok(result) = responded {
        let is_event = result.0 == 200 && stores_event(&operation, &request);
        let _ = response.send(result);
        if is_event {
            events.send();
        }
    }
}

/// Whether a request stores an event, which is the part of a transaction. The table's stream in AWS shows the same,
/// whoever stores it: a request, the work after it, maintenance, or another gateway.
fn stores_event(operation: &str, request: &[u8]) -> bool {
    operation == "TransactWriteItems" && request.windows(EVENT.len()).any(|part| part == EVENT)
}

/// Deletes expired items: the engine does so only on request.
fn sweep(database: &Database) {
    match database.sweep_ttl() {
        Ok(0) => {}
        Ok(deleted) => tracing::debug!(deleted, "deleted expired items"),
        Err(error) => tracing::warn!(%error, "could not delete expired items"),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Backend, Engine, TABLE};
    use serde_json::{Value, json};
    use std::time::Duration;
    use tokio::time::timeout;

    /// A put of a transaction.
    fn put(sort: &str) -> Value {
        json!({"Put": {"TableName": TABLE, "Item": {"pk": {"S": "CUSTOMER#1"}, "sk": {"S": sort}}}})
    }

    #[tokio::test]
    async fn an_event_starts_deliveries_whoever_stores_it() {
        let engine = Engine::start(Backend::Memory).unwrap();
        let is_signaled = async |operation: &str, request: Value| {
            let response = engine.client.call(operation, request.to_string().into()).await.unwrap();
            assert_eq!(response.0, 200, "{}", response.1);
            timeout(Duration::from_millis(200), engine.events.wait()).await.is_ok()
        };
        assert!(is_signaled("TransactWriteItems", json!({"TransactItems": [put("CHANGE#1"), put("EVENT#1")]})).await);
        assert!(!is_signaled("TransactWriteItems", json!({"TransactItems": [put("CHANGE#2")]})).await);
        // Deliveries end an event themselves.
        let key = json!({"pk": {"S": "CUSTOMER#1"}, "sk": {"S": "EVENT#1"}});
        let ended = json!({"TableName": TABLE, "Key": key, "UpdateExpression": "REMOVE due_at"});
        assert!(!is_signaled("UpdateItem", ended).await);
    }
}
