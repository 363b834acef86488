//! Maintains the grants that are due: most of them need a token refresh.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use crate::failing_platforms::FailingPlatforms;
use jiff::SignedDuration;
use shared::app::App;
use shared::domain::{CustomerConnections, CustomerId, Grant, GrantId, GrantQueue, Platform};
use shared::tokens::PlatformContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Grants with rotating refresh tokens in flight. 100,000 of them with one-hour tokens need 28 refreshes per second: at
/// 300 ms each, and with 45 of every 60 s at work, 11 are in flight. If all fall due at once, they have to be refreshed
/// within the 14 minutes before their expiry, thus in 14 runs: 100,000 × 0.32 s / (14 × 45 s) are 51 in flight.
const ROTATING_CONCURRENCY: usize = 64;
/// Other grants in flight. None of them is urgent: maintenance refreshes them days before their end.
const OTHER_CONCURRENCY: usize = 32;
/// Time limit of the wait for another process's refresh.
const LEASE_WAIT_TIMEOUT: Duration = Duration::from_secs(30);
/// A grant whose maintenance failed is due again after this time.
const RETRY_DELAY: SignedDuration = SignedDuration::from_mins(10);

/// Maintains both queues side by side, so that rotating grants never wait for others.
pub(crate) async fn maintain_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let (rotating, other) = tokio::join!(
        maintain_queue(app, GrantQueue::Rotating, ROTATING_CONCURRENCY, until),
        maintain_queue(app, GrantQueue::Other, OTHER_CONCURRENCY, until),
    );
    rotating.plus(other)
}

async fn maintain_queue(app: &Arc<App>, queue: GrantQueue, concurrency: usize, until: Instant) -> StepCounts {
    let failing = FailingPlatforms::default();
    let records = app.store.due_grants(queue, app.clock.now());
    let due = DueWork { records, label: "grants", concurrency, until, log };
    drain(due, |customer, id| maintain(app, customer, id, &failing)).await
}

async fn maintain(
    app: &Arc<App>,
    customer: CustomerId,
    id: GrantId,
    failing: &FailingPlatforms,
) -> Result<Step, Failure> {
    // Taken before the grant is read: a grant that becomes due later is not handled with that read.
    let now = app.clock.now();
    let Some(grant) = app.store.grant_record(customer, &id).await? else { return Ok(Step::DONE) };
    let platform = grant.platform;
    if failing.contains(platform) {
        return Ok(Step::Skipped);
    }
    let connected = CustomerConnections::default();
    let deadline = Instant::now() + LEASE_WAIT_TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected: &connected, now, deadline };
    let outcome = context.maintain_grant(&grant).await;
    failing.record(platform, outcome.as_ref().err());
    if let Err(error) = outcome {
        postpone(app, customer, &grant).await;
        return Err(Failure { platform: Some(platform), ..Failure::from(error) });
    }
    Ok(Step::DONE)
}

/// A failure without a platform is one to read the grant.
fn log(customer: CustomerId, id: &GrantId, Failure { error, platform, .. }: &Failure) {
    let source = error.source.as_ref();
    match platform.map(Platform::as_str) {
        Some(platform) => {
            tracing::warn!(%customer, grant = %id.0, platform, %error, source, "maintaining a grant failed");
        }
        None => tracing::error!(%customer, grant = %id.0, %error, source, "reading a grant failed"),
    }
}

/// Makes room for other due grants. A grant whose failed refresh has set a time for its next attempt keeps that time.
async fn postpone(app: &Arc<App>, customer: CustomerId, grant: &Grant) {
    let now = app.clock.now();
    if let Err(error) = app.store.postpone_grant(customer, &grant.id, now, now + RETRY_DELAY).await {
        tracing::warn!(%customer, grant = %grant.id.0, %error, source = error.source, "postponing a grant failed");
    }
}
