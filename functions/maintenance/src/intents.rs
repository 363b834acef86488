//! Reconciles creates with an unknown outcome: searches for each campaign at its platform until the outcome is known.

use crate::Tally;
use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::domain::{CustomerConnections, CustomerId, Intent, IntentId, IntentState};
use shared::error::{Error, Kind};
use shared::intents::{CreateSender, Reconciled, find_connection};
use shared::store::{ConnectionRef, DueRecord};
use shared::tokens::PlatformContext;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Intents reconciled concurrently.
const CONCURRENCY: usize = 32;
/// Until an intent is this old, every run searches for it; then the wait equals its age, up to [`MAX_BACKOFF`]. The
/// search never gives up.
const BACKOFF_AGE: SignedDuration = SignedDuration::from_mins(5);
/// Time limit of reconciling an intent before it reaches [`BACKOFF_AGE`].
const TIMEOUT: Duration = Duration::from_secs(30);
/// Longer limit for older intents: their account may be too large to read in [`TIMEOUT`].
const LATE_TIMEOUT: Duration = Duration::from_secs(200);
/// Upper bound of the backoff, which is otherwise the intent's age.
const MAX_BACKOFF: SignedDuration = SignedDuration::from_hours(6);

pub(crate) async fn reconcile_due(app: &Arc<App>, until: Instant) -> Tally {
    let due = app.store.due_intents(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "intents")));
    let mut outcomes = pin!(due.map(|due| reconcile_one(app, due, until)).buffer_unordered(CONCURRENCY));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(true) => tally.done += 1,
            Ok(false) => tally.failed += 1,
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// Whether the outcome is known now; an error if a shard of due intents could not be read.
async fn reconcile_one(app: &Arc<App>, due: DueRecord<IntentId>, until: Instant) -> Result<bool, Error> {
    let (customer, id) = due?;
    Ok(match reconcile(app, customer, id, until).await {
        Ok(is_reconciled) => is_reconciled,
        Err(error) => {
            let platform = error.platform.map(|platform| platform.as_str());
            let source = error.source.as_ref();
            tracing::warn!(%customer, intent = %id, platform, %error, source, "reconciling a create failed");
            false
        }
    })
}

async fn reconcile(app: &Arc<App>, customer: CustomerId, id: IntentId, until: Instant) -> Result<bool, Error> {
    // The list of due intents comes from an index, which is eventually consistent.
    let Some(intent) = app.store.intent(customer, id).await?.filter(|intent| intent.state == IntentState::Unknown)
    else {
        return Ok(true);
    };
    let name = [ConnectionRef::of_intent(&intent)];
    let connected = app.store.named_connections(customer, &name, app.clock.now()).await?;
    let outcome = search(app, &intent, &connected, until).await;
    match &outcome {
        Ok(true) => {}
        Ok(false) => postpone(app, &intent, None).await,
        Err(error) => postpone(app, &intent, Some(error)).await,
    }
    outcome
}

/// Searches once, and a second time if the first search is inconclusive and a conclusive one falls within this run.
async fn search(
    app: &Arc<App>,
    intent: &Intent,
    connected: &CustomerConnections,
    until: Instant,
) -> Result<bool, Error> {
    let connection = find_connection(connected, intent)?;
    match create_sender(app, intent, connected).reconcile(connection, intent).await? {
        Reconciled::Inconclusive => {}
        _ => return Ok(true),
    }
    let wait = Duration::try_from(intent.conclusive_from().duration_since(app.clock.now())).unwrap_or_default();
    if Instant::now() + wait >= until {
        return Ok(false);
    }
    sleep(wait).await;
    let second = create_sender(app, intent, connected).reconcile(connection, intent).await?;
    Ok(!matches!(second, Reconciled::Inconclusive))
}

fn create_sender<'a>(app: &'a Arc<App>, intent: &Intent, connected: &'a CustomerConnections) -> CreateSender<'a> {
    let now = app.clock.now();
    let customer = intent.customer;
    let timeout = if now.duration_since(intent.created_at) >= BACKOFF_AGE { LATE_TIMEOUT } else { TIMEOUT };
    let deadline = Instant::now() + timeout;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    CreateSender { context, is_keyed: false, blocked_by: None }
}

/// Backs off by the intent's age, at most [`MAX_BACKOFF`]. A throttled ad account is retried as soon as the throttle
/// ends, because the next attempt by age may be hours away.
async fn postpone(app: &Arc<App>, intent: &Intent, failure: Option<&Error>) {
    let now = app.clock.now();
    let age = now.duration_since(intent.created_at);
    if age < BACKOFF_AGE {
        return;
    }
    let throttle = failure.filter(|failure| failure.kind == Kind::RateLimited).and_then(|failure| failure.retry_after);
    let throttle = throttle.and_then(|wait| SignedDuration::try_from(wait).ok());
    let backoff = throttle.unwrap_or(age).min(MAX_BACKOFF);
    if let Err(error) = app.store.postpone_intent(intent, now + backoff).await {
        tracing::warn!(intent = %intent.id, %error, source = error.source, "postponing an intent failed");
    }
    if intent.needs_renewal(now)
        && let Err(error) = renew(app, intent, now).await
    {
        tracing::warn!(intent = %intent.id, %error, source = error.source, "renewing an intent failed");
    }
}

/// Extends the retention of all intents of the request, so that a retry with its key resumes the whole request.
async fn renew(app: &Arc<App>, intent: &Intent, now: Timestamp) -> Result<(), Error> {
    let intents = app.store.intents(intent.customer, intent.id.request, now).await?;
    app.store.renew_intents(&intents, now).await
}
