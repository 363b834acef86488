//! Applies scheduled changes whose time has come, until each holds or is refused.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use crate::failing_platforms::FailingPlatforms;
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::changes::attempt_scheduled;
use shared::domain::{Change, ChangeId, ChangeState, CustomerId, Platform};
use std::sync::Arc;
use tokio::time::Instant;

/// A change that is so late has an event.
const LATE: SignedDuration = SignedDuration::from_mins(2);
/// Changes applied concurrently. Each waits for two or three calls to its platform, so a run applies some thousands.
const CONCURRENCY: usize = 256;

/// Applies the changes that are due. `oldest` of the counts is the longest lateness, of applied changes and of others.
pub(crate) async fn apply_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let failing = FailingPlatforms::default();
    let records = app.store.due_scheduled(app.clock.now());
    let due = DueWork { records, label: "scheduled changes", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, id| apply_one(app, customer, id, &failing)).await
}

/// Stores the event of a late change, once. Returns the change as it is stored now.
async fn report_if_late(app: &Arc<App>, change: Change, now: Timestamp) -> Change {
    if change.told.late || change.lateness(now) < LATE {
        return change;
    }
    let told = |latest: &Change| latest.in_attempt(change.attempt)?.lateness_reported(now);
    match app.store.transition(&change, told).await {
        Ok(told) => told.change,
        Err(error) => {
            tracing::warn!(change = %change.id, %error, source = error.source, "nobody was told that a change is late");
            change
        }
    }
}

/// Makes an attempt at a due change.
async fn apply_one(
    app: &Arc<App>,
    customer: CustomerId,
    id: ChangeId,
    failing: &FailingPlatforms,
) -> Result<Step, Failure> {
    // The list of due changes comes from an index, which is eventually consistent.
    let Some(change) = app.store.change(customer, id).await? else { return Ok(Step::DONE) };
    let now = app.clock.now();
    if change.has_expired(now) {
        app.store.end_awaiting(&change, &ChangeState::Expired, now).await?;
        return Ok(Step::DONE);
    }
    if change.state != ChangeState::Scheduled {
        return Ok(Step::DONE);
    }
    let (lateness, platform, attempt) = (change.lateness(now), change.platform, change.attempt);
    let change = report_if_late(app, change, now).await;
    // Another run may have made an attempt meanwhile.
    if change.state != ChangeState::Scheduled || change.attempt != attempt {
        return Ok(Step::Done(lateness));
    }
    if failing.contains(platform) {
        return Ok(Step::Failed(lateness));
    }
    let outcome = attempt_scheduled(app, change).await;
    failing.record_unless_throttled(platform, outcome.as_ref().err());
    match outcome {
        Ok(_) => Ok(Step::Done(lateness)),
        Err(error) => Err(Failure { error, platform: Some(platform), lateness }),
    }
}

fn log(customer: CustomerId, id: &ChangeId, Failure { error, platform, .. }: &Failure) {
    let (platform, source) = (platform.map(Platform::as_str), error.source.as_ref());
    tracing::warn!(%customer, change = %id, platform, %error, source, "a scheduled change was not applied");
}
