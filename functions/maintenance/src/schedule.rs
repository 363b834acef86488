//! Applies scheduled changes whose time has come, until each holds or is refused.

use crate::Tally;
use crate::failing::FailingPlatforms;
use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::changes::attempt_scheduled;
use shared::domain::{Change, ChangeId, ChangeState};
use shared::error::{Error, Kind, isolated};
use shared::store::DueRecord;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::Instant;

/// Lateness from which on an event tells it.
const LATE: SignedDuration = SignedDuration::from_mins(2);
/// Changes applied concurrently. Each waits for two or three calls to its platform, so a run applies some thousands.
const CONCURRENCY: usize = 256;

/// Applies the changes that are due. The tally's oldest is the lateness of the latest one, applied or not.
pub(crate) async fn apply_due(app: &Arc<App>, until: Instant) -> Tally {
    let failing = FailingPlatforms::default();
    let due = app.store.due_scheduled(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "scheduled changes")));
    let mut outcomes = pin!(due.map(|due| isolated(apply_one(app, due, &failing))).buffer_unordered(CONCURRENCY));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(Attempted { lateness, is_over }) => {
                tally.done += usize::from(is_over);
                tally.failed += usize::from(!is_over);
                tally.oldest = tally.oldest.max(lateness);
            }
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// Tells once that a change is late. Returns the change as it is then.
async fn tell_if_late(app: &Arc<App>, change: Change, now: Timestamp) -> Change {
    if change.told.late || change.lateness(now) < LATE {
        return change;
    }
    match app.store.tell_lateness(&change, now).await {
        Ok(told) => told,
        Err(error) => {
            tracing::warn!(change = %change.id, %error, source = error.source, "nobody was told that a change is late");
            change
        }
    }
}

/// An attempt at a change.
struct Attempted {
    lateness: SignedDuration,
    /// Whether the change does not wait any more.
    is_over: bool,
}

/// Makes an attempt at a due change; an error if a shard of due changes could not be read.
async fn apply_one(app: &Arc<App>, due: DueRecord<ChangeId>, failing: &FailingPlatforms) -> Result<Attempted, Error> {
    let (customer, id) = due?;
    let attempted = |lateness, is_over| Ok(Attempted { lateness, is_over });
    // The list of due changes comes from an index, which is eventually consistent.
    let change = match app.store.change(customer, id).await {
        Ok(change) => change,
        Err(error) => {
            tracing::warn!(%customer, change = %id, %error, source = error.source, "reading a scheduled change failed");
            return attempted(SignedDuration::ZERO, false);
        }
    };
    let now = app.clock.now();
    if change.as_ref().is_some_and(|change| change.has_expired(now)) {
        let ended = app.store.end_awaiting(customer, id, &ChangeState::Expired, now).await;
        if let Err(error) = &ended {
            tracing::warn!(%customer, change = %id, %error, source = error.source, "a change has not expired");
        }
        return attempted(SignedDuration::ZERO, ended.is_ok());
    }
    let Some(change) = change.filter(|change| change.state == ChangeState::Scheduled) else {
        return attempted(SignedDuration::ZERO, true);
    };
    let lateness = change.lateness(now);
    let change = tell_if_late(app, change, now).await;
    if failing.contains(change.platform) {
        return attempted(lateness, false);
    }
    let platform = change.platform;
    let outcome = attempt_scheduled(app, change).await;
    // A throttle is mostly of one ad account, whose others must not wait for it.
    if !outcome.as_ref().is_err_and(|error| error.kind == Kind::RateLimited) {
        failing.record(platform, outcome.as_ref().err());
    }
    let Err(error) = outcome else { return attempted(lateness, true) };
    let platform = platform.as_str();
    let source = error.source.as_ref();
    tracing::warn!(%customer, change = %id, platform, %error, source, "a scheduled change was not applied");
    attempted(lateness, false)
}
