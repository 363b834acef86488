//! Settles changes without an outcome: searches for the campaign of a create, and reads that of an update or a removal,
//! until the outcome is known.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::changes::{CreateSender, Reconciliation, find_connection, settle_unknown};
use shared::domain::{Change, ChangeId, ChangeState, Connection, Create, CustomerConnections, CustomerId, Platform};
use shared::error::{Error, Kind};
use shared::store::ConnectionRef;
use shared::tokens::PlatformContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Changes settled concurrently.
const CONCURRENCY: usize = 32;
/// Until the attempt at a change is this old, every run searches for its outcome; then the wait equals that age, up to
/// [`MAX_BACKOFF`]. Maintenance never gives up.
const BACKOFF_AGE: SignedDuration = SignedDuration::from_mins(5);
/// Time limit of settling a change before its attempt reaches [`BACKOFF_AGE`].
const TIMEOUT: Duration = Duration::from_secs(30);
/// Longer limit for older changes: their account may be too large to read in [`TIMEOUT`].
const LATE_TIMEOUT: Duration = Duration::from_secs(200);
/// Upper bound of the backoff, which is otherwise the age of the attempt.
const MAX_BACKOFF: SignedDuration = SignedDuration::from_hours(6);

pub(crate) async fn settle_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.due_changes(app.clock.now());
    let due = DueWork { records, label: "changes", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, id| settle_one(app, customer, id, until)).await
}

/// Settles a change. Its lateness is the time since its latest attempt had to end.
async fn settle_one(app: &Arc<App>, customer: CustomerId, id: ChangeId, until: Instant) -> Result<Step, Failure> {
    // The list of due changes comes from an index, which is eventually consistent.
    let change = app.store.change(customer, id).await?;
    let Some(change) = change.filter(is_unsettled) else { return Ok(Step::DONE) };
    let outcome = settle(app, &change, until).await;
    let lateness = app.clock.now().duration_since(change.send_deadline);
    match outcome {
        Ok(true) => Ok(Step::DONE),
        Ok(false) => Ok(Step::Failed(lateness)),
        Err(error) => Err(Failure { error, platform: Some(change.platform), lateness }),
    }
}

fn log(customer: CustomerId, id: &ChangeId, Failure { error, platform, .. }: &Failure) {
    let (platform, source) = (platform.map(Platform::as_str), error.source.as_ref());
    tracing::warn!(%customer, change = %id, platform, %error, source, "settling a change failed");
}

/// Whether the outcome of a change is missing. A change of which nothing was sent needs none.
fn is_unsettled(change: &Change) -> bool {
    change.state == ChangeState::Sending && change.due_at().is_some()
}

/// Whether the outcome of a change is known now.
async fn settle(app: &Arc<App>, change: &Change, until: Instant) -> Result<bool, Error> {
    // The process that sent the change may have died before it stored the `change.in_doubt` event.
    let now = app.clock.now();
    let told = |latest: &Change| latest.in_attempt(change.attempt)?.unknown_reported(now);
    let latest = app.store.transition(change, told).await?.change;
    let latest = latest.in_attempt(change.attempt).filter(|latest| is_unsettled(latest));
    let Some(change) = latest else { return Ok(true) };
    let name = [ConnectionRef::of_change(change)];
    let connected = app.store.named_connections(change.customer, &name, app.clock.now()).await?;
    let outcome = find_outcome(app, change, &connected, until).await;
    match &outcome {
        Ok(true) => {}
        Ok(false) => postpone(app, change, None).await,
        Err(error) => postpone(app, change, Some(error)).await,
    }
    outcome
}

/// Searches for the outcome once, and again if the first search is inconclusive and a conclusive one falls within this run.
async fn find_outcome(
    app: &Arc<App>,
    change: &Change,
    connected: &CustomerConnections,
    until: Instant,
) -> Result<bool, Error> {
    let connection = find_connection(connected, change)?;
    if find_outcome_once(app, change, connection, connected).await? {
        return Ok(true);
    }
    let wait = Duration::try_from(change.conclusive_from().duration_since(app.clock.now())).unwrap_or_default();
    if Instant::now() + wait >= until {
        return Ok(false);
    }
    sleep(wait).await;
    find_outcome_once(app, change, connection, connected).await
}

/// Whether the platform shows the outcome of a change now.
async fn find_outcome_once(
    app: &Arc<App>,
    change: &Change,
    connection: &Connection,
    connected: &CustomerConnections,
) -> Result<bool, Error> {
    let context = context(app, change, connected);
    let Some(create) = Create::of(change.clone()) else { return settle_unknown(context, connection, change).await };
    let sender = CreateSender { context, is_keyed: false, blocked_by: None };
    Ok(!matches!(sender.reconcile(connection, &create).await?, Reconciliation::Inconclusive))
}

fn context<'a>(app: &'a Arc<App>, change: &Change, connected: &'a CustomerConnections) -> PlatformContext<'a> {
    let now = app.clock.now();
    let customer = change.customer;
    let timeout = if age_of(change, now) >= BACKOFF_AGE { LATE_TIMEOUT } else { TIMEOUT };
    let deadline = Instant::now() + timeout;
    PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline }
}

/// The age of the latest attempt at a change. A scheduled change is sent long after it was created.
fn age_of(change: &Change, now: Timestamp) -> SignedDuration {
    now.duration_since(change.sent_at.unwrap_or(change.created_at()))
}

/// Backs off by the age of the attempt, at most [`MAX_BACKOFF`]. A throttled ad account is retried as soon as the throttle
/// ends, because the next attempt by age may be hours away. Every run retries a pause, and a new campaign that runs: the
/// campaign spends until the outcome is known. If only a person can remove the obstacle, the change backs off like others.
async fn postpone(app: &Arc<App>, change: &Change, failure: Option<&Error>) {
    let now = app.clock.now();
    let age = age_of(change, now);
    if age < BACKOFF_AGE {
        return;
    }
    let throttle = failure.filter(|failure| failure.kind == Kind::RateLimited).and_then(|failure| failure.retry_after);
    let throttle = throttle.and_then(|wait| SignedDuration::try_from(wait).ok());
    let is_urgent = change.may_leave_running() && failure.is_none_or(|failure| failure.kind.is_inconclusive());
    let own = if is_urgent { SignedDuration::ZERO } else { age };
    let backoff = throttle.unwrap_or(own).min(MAX_BACKOFF);
    let postponed = |latest: &Change| latest.in_attempt(change.attempt)?.deferred_until(now + backoff);
    let postponed = match app.store.transition(change, postponed).await {
        Ok(postponed) => postponed.change,
        Err(error) => {
            tracing::warn!(change = %change.id, %error, source = error.source, "postponing a change failed");
            change.clone()
        }
    };
    if postponed.needs_renewal(now)
        && let Err(error) = renew(app, &postponed, now).await
    {
        tracing::warn!(change = %change.id, %error, source = error.source, "renewing a change failed");
    }
}

/// Extends the retention of a change; for a create that of all creates of its request, so that a retry with its key
/// resumes the whole request.
async fn renew(app: &Arc<App>, change: &Change, now: Timestamp) -> Result<(), Error> {
    if Create::of(change.clone()).is_none() {
        return app.store.transition(change, |latest| latest.renewed(now)).await.map(drop);
    }
    let creates: Vec<Create> = app.store.creates_of_request(change.customer, change.request, now).await?;
    app.store.renew_creates(creates, now).await.map(drop)
}
