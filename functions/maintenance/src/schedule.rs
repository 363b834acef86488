//! Applies scheduled changes whose time has come, until each holds or is refused.

use crate::Tally;
use crate::failing::FailingPlatforms;
use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use shared::app::App;
use shared::changes::{Edit, RecordedChanges, fail_scheduled, find_connection, require_not_ended};
use shared::domain::{Action, CampaignStatus, Change, ChangeId, ChangeState, CustomerId, Holder};
use shared::error::Error;
use shared::platforms::adapter;
use shared::store::{ConnectionRef, DueRecord};
use shared::tokens::PlatformContext;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Changes applied concurrently. Each waits for two or three calls to its platform, so a run applies some thousands.
const CONCURRENCY: usize = 128;
/// Time limit of an attempt.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Applies the changes that are due. The tally's oldest is the lateness of the latest one, applied or not.
pub(crate) async fn apply_due(app: &Arc<App>, until: Instant) -> Tally {
    let failing = FailingPlatforms::default();
    let due = app.store.due_scheduled(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "scheduled changes")));
    let mut outcomes = pin!(due.map(|due| apply_one(app, due, &failing)).buffer_unordered(CONCURRENCY));
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
        Ok(change) => change.filter(|change| change.state == ChangeState::Scheduled),
        Err(error) => {
            tracing::warn!(%customer, change = %id, %error, source = error.source, "reading a scheduled change failed");
            return attempted(SignedDuration::ZERO, false);
        }
    };
    let Some(change) = change else { return attempted(SignedDuration::ZERO, true) };
    let lateness = change.lateness(app.clock.now());
    if failing.contains(change.platform) {
        return attempted(lateness, false);
    }
    let platform = change.platform;
    let outcome = attempt(app, customer, change).await;
    failing.record(platform, outcome.as_ref().err());
    let Err(error) = outcome else { return attempted(lateness, true) };
    let platform = platform.as_str();
    let source = error.source.as_ref();
    tracing::warn!(%customer, change = %id, platform, %error, source, "a scheduled change was not applied");
    attempted(lateness, false)
}

async fn attempt(app: &Arc<App>, customer: CustomerId, waiting: Change) -> Result<(), Error> {
    let now = app.clock.now();
    let timeout = SignedDuration::try_from(TIMEOUT).map_err(Error::internal)?;
    let attempt = waiting.attempt + 1;
    let change = &Change { attempt, sent_at: Some(now), send_deadline: now + timeout, ..waiting };
    let name = [ConnectionRef::of_change(change)];
    let connected = &app.store.named_connections(customer, &name, now).await?;
    let deadline = Instant::now() + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    let remote_id = change.campaign.as_ref().and_then(|campaign| campaign.remote_in(&change.account_id));
    let recorded = RecordedChanges::default();
    if let Some(ready_at) = held_back(app, change, now).await? {
        let waiting = Change { attempt: change.attempt - 1, ..change.clone() };
        return app.store.postpone_scheduled(&waiting, ready_at).await.map(drop);
    }
    match find_connection(connected, change) {
        Ok(connection) => {
            let edit = Edit::new(context, connection, change, remote_id.unwrap_or_default(), &recorded);
            edit.run().await.map(drop)
        }
        Err(missing) => {
            fail_scheduled(&app.store, change, &missing, now).await?;
            Err(missing)
        }
    }
}

/// The start for which a scheduled activation has to wait, where the service holds the dates of the campaign. An
/// activation after the end fails.
async fn held_back(app: &App, change: &Change, now: Timestamp) -> Result<Option<Timestamp>, Error> {
    let (Action::Update(changes), Some(campaign)) = (&change.action, &change.campaign) else { return Ok(None) };
    let is_held = adapter(change.platform).facts().capabilities.dates_held_by == Holder::Service;
    if !is_held || changes.status != Some(CampaignStatus::Active) {
        return Ok(None);
    }
    let held = app.store.latest_record(change.customer, campaign).await?.unwrap_or_default().held;
    if let Err(ended) = require_not_ended(&held, changes.status, campaign, now) {
        fail_scheduled(&app.store, change, &ended, now).await?;
        return Err(ended);
    }
    Ok(held.start_at.filter(|_| !change.is_held && held.waits_for_start(now)))
}
