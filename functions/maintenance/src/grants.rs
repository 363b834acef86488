//! Maintains the grants that are due: most of them need a token refresh.

use crate::Tally;
use crate::failing::FailingPlatforms;
use futures_util::StreamExt;
use jiff::SignedDuration;
use shared::app::App;
use shared::domain::{CustomerConnections, CustomerId, Grant, GrantId, GrantQueue};
use shared::error::Error;
use shared::store::DueRecord;
use shared::tokens::PlatformContext;
use std::pin::pin;
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

/// The result of one due grant.
enum Outcome {
    Maintained,
    Failed,
    /// Left to the next run: its platform fails.
    Skipped,
}

/// Maintains both queues side by side, so that rotating grants never wait for others.
pub(crate) async fn maintain_due(app: &Arc<App>, until: Instant) -> Tally {
    let (rotating, other) = tokio::join!(
        maintain_queue(app, GrantQueue::Rotating, ROTATING_CONCURRENCY, until),
        maintain_queue(app, GrantQueue::Other, OTHER_CONCURRENCY, until),
    );
    Tally {
        oldest: SignedDuration::ZERO,
        done: rotating.done + other.done,
        failed: rotating.failed + other.failed,
        unread: rotating.unread.or(other.unread),
    }
}

async fn maintain_queue(app: &Arc<App>, queue: GrantQueue, concurrency: usize, until: Instant) -> Tally {
    let failing = FailingPlatforms::default();
    let due = app.store.due_grants(queue, app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "grants")));
    let mut outcomes = pin!(due.map(|due| maintain(app, due, &failing)).buffer_unordered(concurrency));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(Outcome::Maintained) => tally.done += 1,
            Ok(Outcome::Failed) => tally.failed += 1,
            Ok(Outcome::Skipped) => {}
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

async fn maintain(app: &Arc<App>, due: DueRecord<GrantId>, failing: &FailingPlatforms) -> Result<Outcome, Error> {
    let (customer, id) = due?;
    // Taken before the grant is read: a grant that becomes due later is not handled with that read.
    let now = app.clock.now();
    let grant = match app.store.grant_record(customer, &id).await {
        Ok(Some(grant)) => grant,
        Ok(None) => return Ok(Outcome::Maintained),
        Err(error) => {
            tracing::error!(%customer, grant = %id.0, %error, source = error.source, "reading a grant failed");
            return Ok(Outcome::Failed);
        }
    };
    if failing.contains(grant.platform) {
        return Ok(Outcome::Skipped);
    }
    let connected = CustomerConnections::default();
    let deadline = Instant::now() + LEASE_WAIT_TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected: &connected, now, deadline };
    let outcome = context.maintain_grant(&grant).await;
    failing.record(grant.platform, outcome.as_ref().err());
    let Err(error) = outcome else { return Ok(Outcome::Maintained) };
    let platform = grant.platform.as_str();
    let source = error.source.as_ref();
    tracing::warn!(%customer, grant = %id.0, platform, %error, source, "maintaining a grant failed");
    postpone(app, customer, &grant).await;
    Ok(Outcome::Failed)
}

/// Makes room for other due grants. A grant whose failed refresh has set a time for its next attempt keeps that time.
async fn postpone(app: &Arc<App>, customer: CustomerId, grant: &Grant) {
    let now = app.clock.now();
    if let Err(error) = app.store.postpone_grant(customer, &grant.id, now, now + RETRY_DELAY).await {
        tracing::warn!(%customer, grant = %grant.id.0, %error, source = error.source, "postponing a grant failed");
    }
}
