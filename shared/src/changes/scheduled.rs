//! Changes that wait for their time: stored by a request, applied by maintenance.

use super::cancel::key_stopped;
use super::edits::RecordedChanges;
use super::execute::execute_waiting;
use super::facts::StoredState;
use super::failure::change_error;
use super::find_connection;
use super::plan::{DueAction, due};
use super::request::ChangeRequest;
use super::spending_limit::{count_refusal_of, limiting_key, with_user};
use super::stop::is_activated_since;
use crate::app::App;
use crate::domain::spending::Spender;
use crate::domain::stop::ACTIVATED_SINCE;
use crate::domain::{Attempt, CampaignRecord, Change, ChangeError, ChangeState, Connection, Reason, Requester};
use crate::error::{Error, Kind};
use crate::store::{ConnectionRef, SpendingState, Store};
use crate::tokens::PlatformContext;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Time limit of an attempt.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Makes an attempt at a change whose time has come. An error leaves it waiting, unless it is final.
pub async fn attempt_scheduled(app: &Arc<App>, waiting: Change) -> Result<(), Error> {
    let (store, now) = (&app.store, app.clock.now());
    let customer = waiting.customer;
    let connections = [ConnectionRef::of_change(&waiting)];
    let (connected, record, spending, canceled) = tokio::join!(
        store.named_connections(customer, &connections, now),
        record_of(store, &waiting),
        spending_of(store, &waiting),
        why_canceled(store, &waiting, now)
    );
    let (connected, record) = (&connected?, record?);
    let connection = find_connection(connected, &waiting);
    let spending = with_user_of(store, &waiting, connection.as_ref().ok().copied(), spending?, now).await?;
    let spendings = spending.as_ref().map(|state| state.spendings.clone()).unwrap_or_default();
    let due = match (due(&waiting, &record, &spendings, now), canceled?) {
        (DueAction::Begins, Some(reason)) => DueAction::Canceled(Box::new(reason)),
        (due, _) => due,
    };
    match due {
        DueAction::Waits(start) => {
            let moved = |latest: &Change| latest.in_attempt(waiting.attempt)?.moved_to_start(start);
            return store.transition(&waiting, moved).await.map(drop);
        }
        DueAction::Canceled(reason) => {
            return end(store, &waiting, |reason| ChangeState::Canceled(Some(reason)), *reason, now).await;
        }
        DueAction::Failed(reason) => return end(store, &waiting, ChangeState::Failed, *reason, now).await,
        DueAction::Begins => {}
    }
    let until = now + SignedDuration::try_from(TIMEOUT).map_err(Error::internal)?;
    let attempt = Attempt { number: waiting.attempt + 1, at: now, until };
    let request = match connection.and_then(|connection| ChangeRequest::again(waiting.clone(), connection, attempt)) {
        Ok(request) => request,
        Err(missing) => return end(store, &waiting, ChangeState::Failed, missing, now).await,
    };
    let deadline = Instant::now() + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    let stored = StoredState { record, spending };
    let outcome = execute_waiting(context, &request, stored, &RecordedChanges::default()).await;
    count_refusal_of(app, &waiting, &outcome).await;
    outcome
}

/// Ends a waiting change in this state, without an attempt.
async fn end(
    store: &Store,
    change: &Change,
    state: impl FnOnce(ChangeError) -> ChangeState,
    reason: Error,
    at: Timestamp,
) -> Result<(), Error> {
    store.end_waiting(change, &state(change_error(&reason)), at).await?;
    Err(reason)
}

/// The record of the campaign of a change. The pauses of a bulk change do not depend on it, so they skip the read. The
/// undo of an activation does: it cancels what would activate the campaign again.
async fn record_of(store: &Store, change: &Change) -> Result<CampaignRecord, Error> {
    if change.is_bulk_pause() {
        return Ok(CampaignRecord::default());
    }
    let Some(campaign) = &change.campaign else { return Ok(CampaignRecord::default()) };
    Ok(store.latest_record(change.customer, campaign).await?.unwrap_or_default())
}

/// Why a due change is canceled, if it is.
async fn why_canceled(store: &Store, change: &Change, now: Timestamp) -> Result<Option<Error>, Error> {
    if change.stops.is_some() {
        let is_activated = is_activated_since(store, change, now).await?;
        return Ok(is_activated.then(|| Error::new(Kind::Conflict, ACTIVATED_SINCE).because(Reason::Superseded)));
    }
    Ok(is_of_stopped_key(store, change, now).await?.then(key_stopped))
}

/// Whether the key that asked for a change is stopped. A request in flight may have stored the change after the stop
/// has canceled the others. A key may be deleted after its stop.
async fn is_of_stopped_key(store: &Store, change: &Change, now: Timestamp) -> Result<bool, Error> {
    let Requester::ApiKey { id, .. } = &change.requested_by else { return Ok(false) };
    if !change.ends_with_its_key() {
        return Ok(false);
    }
    let account = store.account(change.customer, now).await?;
    let key = account.as_ref().and_then(|account| account.keys.all().iter().find(|key| key.id == *id));
    match key {
        Some(key) => Ok(key.stopped_at.is_some()),
        None => Ok(store.stop(change.customer, id).await?.is_some()),
    }
}

/// The spending of the key that asked for a change, if it has a limit now, or of the key that its stop is about.
async fn spending_of(store: &Store, change: &Change) -> Result<Option<SpendingState>, Error> {
    let (Some(key), Some(campaign)) = (limiting_key(change), &change.campaign) else { return Ok(None) };
    let state = store.spending_state(change.customer, &[Spender::Key(key.clone())], Some(campaign)).await?;
    let is_limited = state.spendings.key().is_some_and(|known| known.limit.is_some() || change.stops.is_some());
    Ok(is_limited.then_some(state))
}

/// The same, with the user of the connection. A step of a monthly budget counts against no limit, but not while the user is
/// paused.
async fn with_user_of(
    store: &Store,
    change: &Change,
    connection: Option<&Connection>,
    known: Option<SpendingState>,
    now: Timestamp,
) -> Result<Option<SpendingState>, Error> {
    let Some(connection) = connection else { return Ok(known) };
    let state = with_user(store, change.customer, known, connection, change.campaign.as_ref(), now).await?;
    let is_paused = |state: &SpendingState| state.spendings.iter().any(|spending| spending.stopped_at.is_some());
    Ok(state.filter(|state| !change.is_step || is_paused(state)))
}
