//! Continues syncs that had no time for all grants of their customer.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use jiff::SignedDuration;
use shared::app::App;
use shared::domain::CustomerId;
use shared::tokens::PlatformContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Customers whose grants are checked concurrently; each has several checks in flight.
const CONCURRENCY: usize = 2;
/// Time limit of the checks that are in flight when a run starts no new work.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Other runs leave a claimed customer alone for this time. It is longer than a run.
const CLAIM_TIME: SignedDuration = SignedDuration::from_mins(5);

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.due_checks(app.clock.now());
    let due = DueWork { records, label: "syncs", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, ()| continue_sync(app, customer, until)).await
}

/// Checks the remaining grants of a customer for as long as the run has time.
async fn continue_sync(app: &Arc<App>, customer: CustomerId, until: Instant) -> Result<Step, Failure> {
    let now = app.clock.now();
    let first = app.store.claim_checks(customer, now, now + CLAIM_TIME).await?;
    let Some(first) = first else { return Ok(Step::DONE) };
    let connected = &app.store.customer_connections(customer, now).await?;
    let deadline = until + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    let done = context.check_grants(Some(&first), until).await;
    let checked = done.checks.len();
    let remaining = done.remaining.len();
    tracing::info!(%customer, checked, remaining, "continued a sync");
    let next = done.remaining.first().map(|grant| &grant.id);
    app.store.advance_checks(customer, &first, next, app.clock.now()).await?;
    Ok(Step::DONE)
}

fn log(customer: CustomerId, (): &(), Failure { error, .. }: &Failure) {
    tracing::warn!(%customer, %error, source = error.source, "continuing a sync failed");
}
