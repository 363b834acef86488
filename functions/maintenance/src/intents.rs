//! Creates of which it is not known what became: their platforms are asked, until that is known.

use crate::Report;
use futures_util::StreamExt;
use futures_util::stream;
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::domain::{CustomerId, Intent, IntentId, IntentState};
use shared::error::{Error, Kind};
use shared::intents::{CreateSender, Reconciled, find_connection};
use shared::tokens::PlatformContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How many intents one run takes on; the rest waits for the next.
const INTENTS_A_RUN: i32 = 500;
/// How many are looked for at a time.
const AT_A_TIME: usize = 32;
/// How long one look at a young intent may take, and at an older one: large accounts take long to read.
const PATIENCE: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(200)];
/// While an intent is younger than this every run looks at it.
const YOUNG: SignedDuration = SignedDuration::from_mins(5);
/// Later the looks come after as long again as the intent is old, and no more seldom than this.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(6);

/// Settles what is due.
pub(crate) async fn reconcile_due(app: &Arc<App>, until: Instant, report: &mut Report) -> Result<(), Error> {
    let due = app.store.due_intents(app.clock.now(), INTENTS_A_RUN).await?;
    if i32::try_from(due.len()).is_ok_and(|found| found >= INTENTS_A_RUN) {
        tracing::warn!(taken = due.len(), "more intents may be due than one run takes on");
    }
    let mut outcomes =
        stream::iter(due).map(|(customer, id)| reconcile_one(app, customer, id, until)).buffer_unordered(AT_A_TIME);
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Some(true) => report.intents += 1,
            Some(false) => report.failed += 1,
            None => {}
        }
    }
    Ok(())
}

/// Whether an intent is settled now; `None` when there was no time for it.
async fn reconcile_one(app: &Arc<App>, customer: CustomerId, id: IntentId, until: Instant) -> Option<bool> {
    if Instant::now() >= until {
        return None;
    }
    match look(app, customer, id, until).await {
        Ok(is_settled) => Some(is_settled),
        Err(error) => {
            let platform = error.platform.map(|platform| platform.as_str());
            tracing::warn!(%customer, intent = %id, platform, %error, source = error.source, "a create is not settled");
            Some(false)
        }
    }
}

async fn look(app: &Arc<App>, customer: CustomerId, id: IntentId, until: Instant) -> Result<bool, Error> {
    let now = app.clock.now();
    let (intent, connected) =
        tokio::join!(app.store.intent(customer, id), app.store.customer_connections(customer, now));
    // It was read from an index, which may lag behind.
    let Some(intent) = intent?.filter(|intent| intent.state == IntentState::Unknown) else { return Ok(true) };
    let connected = connected?;
    let context = || {
        let now = app.clock.now();
        let patience = PATIENCE[usize::from(now.duration_since(intent.created_at) >= YOUNG)];
        let deadline = Instant::now() + patience;
        PlatformContext { app, outbound: &app.outbound, customer, connected: &connected, now, deadline }
    };
    let outcome = async {
        let connection = find_connection(&connected, &intent)?;
        match (create_sender(context())).reconcile(connection, &intent).await? {
            Reconciled::Inconclusive => {}
            _ => return Ok(true),
        }
        // Nothing is there, and it may still come: looks again when that is over, if this run goes on for so long.
        let wait = Duration::try_from(intent.conclusive_from().duration_since(app.clock.now())).unwrap_or_default();
        if Instant::now() + wait >= until {
            return Ok(false);
        }
        sleep(wait).await;
        let settled = create_sender(context()).reconcile(connection, &intent).await?;
        Ok(!matches!(settled, Reconciled::Inconclusive))
    };
    let outcome = outcome.await;
    match &outcome {
        Ok(true) => {}
        Ok(false) => put_off(app, &intent, None).await,
        Err(error) => put_off(app, &intent, Some(error)).await,
    }
    outcome
}

fn create_sender(context: PlatformContext<'_>) -> CreateSender<'_> {
    CreateSender { context, is_keyed: false, blocked_by: None }
}

/// Lets others go first, once it takes long. An ad account that is throttled is looked at as soon as that is over: the
/// looks come ever more seldom, and the next of them may be far behind.
async fn put_off(app: &Arc<App>, intent: &Intent, failure: Option<&Error>) {
    let now = app.clock.now();
    let age = now.duration_since(intent.created_at);
    if age < YOUNG {
        return;
    }
    let throttle = failure.filter(|failure| failure.kind == Kind::RateLimited).and_then(|failure| failure.retry_after);
    let throttle = throttle.and_then(|wait| SignedDuration::try_from(wait).ok());
    let pause = throttle.unwrap_or(age).min(LONGEST_PAUSE);
    if let Err(error) = app.store.postpone_intent(intent, now + pause).await {
        tracing::warn!(intent = %intent.id, %error, source = error.source, "an intent was not put off");
    }
    if intent.needs_renewal(now)
        && let Err(error) = renew(app, intent, now).await
    {
        tracing::warn!(intent = %intent.id, %error, source = error.source, "an intent in doubt was not renewed");
    }
}

/// Keeps a request in which a create is in doubt, so that a retry under its key goes on with all of it.
async fn renew(app: &Arc<App>, intent: &Intent, now: Timestamp) -> Result<(), Error> {
    let intents = app.store.intents(intent.customer, intent.id.request, now).await?;
    app.store.renew_intents(&intents, intent.key_digest.as_deref(), now).await
}
