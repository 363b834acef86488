//! Continues syncs that had no time for all grants of their customer.

use futures_util::StreamExt;
use jiff::SignedDuration;
use shared::app::App;
use shared::domain::CustomerId;
use shared::error::Error;
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

/// Continues the syncs that are due, and logs failures: the next run repeats them.
pub(crate) async fn continue_syncs(app: &Arc<App>, until: Instant) {
    let due = app.store.due_checks(app.clock.now());
    let continued = due.for_each_concurrent(CONCURRENCY, |due| async move {
        match due {
            Ok((customer, ())) => {
                if let Err(error) = continue_sync(app, customer, until).await {
                    tracing::warn!(%customer, %error, source = error.source, "continuing a sync failed");
                }
            }
            Err(error) => tracing::error!(%error, source = error.source, "remaining checks not read"),
        }
    });
    continued.await;
}

/// Checks the remaining grants of a customer for as long as the run has time.
async fn continue_sync(app: &Arc<App>, customer: CustomerId, until: Instant) -> Result<(), Error> {
    let now = app.clock.now();
    if Instant::now() >= until {
        return Ok(());
    }
    let Some(first) = app.store.claim_checks(customer, now, now + CLAIM_TIME).await? else { return Ok(()) };
    let connected = &app.store.customer_connections(customer, now).await?;
    let deadline = until + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    let done = context.check_grants(Some(&first), until).await;
    let checked = done.checks.len();
    let remaining = done.remaining.len();
    tracing::info!(%customer, checked, remaining, "continued a sync");
    let next = done.remaining.first().map(|grant| &grant.id);
    app.store.advance_checks(customer, &first, next, app.clock.now()).await
}
