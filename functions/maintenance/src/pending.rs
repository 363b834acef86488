//! Deletes PENDING connections whose authorization has expired. The API no longer shows them; DynamoDB's TTL would
//! delete them only days later.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use shared::app::App;
use shared::domain::{ConnectionId, CustomerId};
use std::sync::Arc;
use tokio::time::Instant;

/// Connections deleted concurrently. None of them is urgent.
const CONCURRENCY: usize = 1;

pub(crate) async fn delete_expired(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.expired_pending(app.clock.now());
    let due = DueWork { records, label: "PENDING connections", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, connection| delete(app, customer, connection)).await
}

async fn delete(app: &App, customer: CustomerId, connection: ConnectionId) -> Result<Step, Failure> {
    app.store.delete_pending(customer, &connection).await?;
    Ok(Step::DONE)
}

fn log(customer: CustomerId, connection: &ConnectionId, Failure { error, .. }: &Failure) {
    let source = error.source.as_ref();
    tracing::warn!(%customer, %connection, %error, source, "deleting a PENDING connection failed");
}
