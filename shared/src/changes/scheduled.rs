//! Changes that wait for their time: stored by a request, applied by maintenance.

use super::edits::{Edit, RecordedChanges};
use super::failure::change_error;
use super::find_connection;
use super::held::require_not_ended;
use super::limited::count_refusal_of;
use super::limited::key_of;
use super::pacing::{cancel_resumption, require_open, take_over};
use super::stop::is_activated_since;
use crate::app::App;
use crate::domain::stop::ACTIVATED_SINCE;
use crate::domain::{
    Action, CampaignRecord, CampaignStatus, Change, ChangeState, Connection, CustomerId, Executor, HeldDates, KeyId,
    Pacing, Reason, Requester,
};
use crate::error::{Error, Kind};
use crate::store::{ConnectionRef, SpendingState, Store};
use crate::tokens::PlatformContext;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A step of a monthly budget is not made later than this.
const LATEST_STEP: SignedDuration = SignedDuration::from_hours(1);
/// Time limit of an attempt.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Makes an attempt at a change whose time has come. An error leaves it waiting, unless it is final.
pub async fn attempt_scheduled(app: &Arc<App>, waiting: Change) -> Result<(), Error> {
    let now = app.clock.now();
    let timeout = SignedDuration::try_from(TIMEOUT).map_err(Error::internal)?;
    let record = match held_back(app, &waiting, now).await? {
        Held::Waits(start) => return app.store.move_scheduled(&waiting, start).await.map(drop),
        Held::MayBegin(record) => record,
    };
    let attempt = waiting.attempt + 1;
    let change = &Change { attempt, sent_at: Some(now), send_deadline: now + timeout, ..waiting };
    let customer = change.customer;
    let connections = [ConnectionRef::of_change(change)];
    let connected = app.store.named_connections(customer, &connections, now);
    let (connected, spending, canceled) =
        tokio::join!(connected, spending_of(&app.store, change), why_canceled(&app.store, change, now));
    let (connected, spending) = (&connected?, spending?);
    if let Some(reason) = canceled? {
        let state = ChangeState::Canceled(Some(change_error(&reason)));
        app.store.end_scheduled(customer, change.id, &state, now).await?;
        return Err(reason);
    }
    let record = match record {
        Some(record) if change.activates() && record.pacing.as_ref().is_some_and(|pacing| pacing.is_halted) => {
            Some(take_over(&app.store, change, *record, now).await?)
        }
        record => record.map(|record| *record),
    };
    // A bulk change has canceled what waits before it has listed the campaigns.
    if change.pauses() && !change.is_held && change.executed_by != Executor::Bulk {
        cancel_resumption(&app.store, change, now).await?;
    }
    let deadline = Instant::now() + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    let remote_id = change.campaign.as_ref().and_then(|campaign| campaign.remote_in(&change.account_id));
    let recorded = RecordedChanges::default();
    let connection = match find_connection(connected, change) {
        Ok(connection) => connection,
        Err(missing) => {
            fail(&app.store, change, &missing, now).await?;
            return Err(missing);
        }
    };
    let edit = Edit::new(context, connection, change, remote_id.unwrap_or_default(), &recorded, spending);
    let edit = match record {
        Some(record) => edit.with_record(record, None),
        None => edit,
    };
    let outcome = edit.run().await.map(drop);
    count_refusal_of(app, change, &outcome).await;
    outcome
}

/// Why a change is not made although its time has come.
async fn why_canceled(store: &Store, change: &Change, now: Timestamp) -> Result<Option<Error>, Error> {
    if change.stops.is_some() {
        let is_activated = is_activated_since(store, change, now).await?;
        return Ok(is_activated.then(|| Error::new(Kind::Conflict, ACTIVATED_SINCE).because(Reason::Superseded)));
    }
    Ok(is_of_stopped_key(store, change, now).await?.then(key_stopped))
}

/// Whether the key that asked for a change is stopped. What a request in flight has stored since is not canceled yet. A
/// key may be deleted after its stop.
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

pub(super) fn key_stopped() -> Error {
    Error::new(Kind::Conflict, "The API key was stopped.").because(Reason::KeyStopped)
}

/// The spending of the key that asked for a change, if it has a limit now, or of the key that its stop is about.
async fn spending_of(store: &Store, change: &Change) -> Result<Option<SpendingState>, Error> {
    let (Some(key), Some(campaign)) = (key_of(change), &change.campaign) else { return Ok(None) };
    let state = store.spending_state(change.customer, key, Some(campaign)).await?;
    Ok(state.filter(|state| state.spending.limit.is_some() || change.stops.is_some()))
}

/// What the service holds for the campaign of a change whose time has come.
enum Held {
    /// An activation waits for the start.
    Waits(Timestamp),
    /// Nothing is in the way. The record of the campaign, if the change depends on it; an activation takes a monthly budget
    /// over that stands still.
    MayBegin(Option<Box<CampaignRecord>>),
}

/// Whether a change has to wait for the start, where the service holds the dates of the campaign. An activation after the
/// end fails, and a change for a date that was moved while it was under way is canceled.
async fn held_back(app: &App, change: &Change, now: Timestamp) -> Result<Held, Error> {
    let concerns_month =
        matches!(&change.action, Action::Update(changes) if changes.names_budget() || changes.names_date());
    let decides = change.activates() || change.is_held || change.approval.is_some() || concerns_month;
    let Some(campaign) = change.campaign.as_ref().filter(|_| decides) else { return Ok(Held::MayBegin(None)) };
    let record = app.store.latest_record(change.customer, campaign).await?;
    if let Some(moved) = record.as_ref().and_then(|record| outdated(change, record, now)) {
        let state = ChangeState::Canceled(Some(change_error(&moved)));
        app.store.end_scheduled(change.customer, change.id, &state, now).await?;
        return Err(moved);
    }
    let record = record.unwrap_or_default();
    let held = record.held;
    if let Err(refusal) = check_month(app, change, record.pacing.as_ref(), now).await? {
        fail(&app.store, change, &refusal, now).await?;
        return Err(refusal);
    }
    if !change.activates() {
        return Ok(Held::MayBegin(Some(Box::new(record))));
    }
    if let Err(ended) = require_not_ended(&held, Some(CampaignStatus::Active), campaign, now) {
        fail(&app.store, change, &ended, now).await?;
        return Err(ended);
    }
    // The activation after a spent month waits for a start that was moved since.
    let is_start = held.activation == Some(change.id);
    Ok(match held.start_at.filter(|_| !is_start && held.waits_for_start(now)) {
        Some(start) => Held::Waits(start),
        None => Held::MayBegin(Some(Box::new(record))),
    })
}

/// Why a change that the service holds is not made any more: its date was moved, or it is no step of the monthly budget any
/// more.
fn outdated(change: &Change, record: &CampaignRecord, now: Timestamp) -> Option<Error> {
    let HeldDates { activation, pause, .. } = record.held;
    let (step, resume) = record.pacing.as_ref().map_or((None, None), |pacing| (pacing.step, pacing.resume));
    if !change.is_held {
        return None;
    }
    // An attempt was under way when the key was stopped.
    if change.is_step && !change.pauses() && record.pacing.as_ref().is_some_and(|pacing| pacing.is_halted) {
        return Some(key_stopped());
    }
    if ![activation, pause, step, resume].contains(&Some(change.id)) {
        return Some(superseded("The date or the monthly budget was changed since."));
    }
    let is_late = step == Some(change.id) && !change.pauses() && change.lateness(now) > LATEST_STEP;
    let message = "The step comes too late: what the campaign has spent since decides on the next one.";
    is_late.then(|| superseded(message))
}

fn superseded(message: &str) -> Error {
    Error::new(Kind::Conflict, message).because(Reason::Superseded)
}

/// Refuses to activate a campaign whose monthly budget is spent, and what a key with a limit must not do to one with a
/// monthly budget.
async fn check_month(
    app: &App,
    change: &Change,
    pacing: Option<&Pacing>,
    now: Timestamp,
) -> Result<Result<(), Error>, Error> {
    let (Some(pacing), Some(campaign)) = (pacing, &change.campaign) else { return Ok(Ok(())) };
    if let (Some(key), Action::Update(changes)) = (key_of(change), &change.action)
        && let Some(state) = app.store.spending_state(change.customer, key, None).await?
        && let Err(refusal) = state.spending.check_month(changes, change.currency)
    {
        return Ok(Err(Error::refused(&state.spending, refusal)));
    }
    let is_asked = change.activates() && !change.is_held;
    Ok(if is_asked { require_open(Some(pacing), campaign, now) } else { Ok(()) })
}

/// Ends a waiting change that cannot be made.
async fn fail(store: &Store, change: &Change, error: &Error, at: Timestamp) -> Result<(), Error> {
    let state = ChangeState::Failed(change_error(error));
    store.end_scheduled(change.customer, change.id, &state, at).await.map(drop)
}

/// Cancels the waiting changes of a key that is deleted.
pub async fn cancel_changes_of_key(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    let deleted = change_error(&Error::new(Kind::Conflict, "The API key was deleted.").because(Reason::KeyRevoked));
    store.cancel_changes_of_key(customer, key, &deleted, at).await
}

/// Cancels what waits for a person because of a key's limit, which is taken away.
pub async fn cancel_what_awaits(store: &Store, customer: CustomerId, key: &KeyId, at: Timestamp) -> Result<(), Error> {
    let message = "The limit of the API key was taken away, so nobody has to approve this. Send it again.";
    let reason = change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded));
    store.cancel_awaiting_of_key(customer, key, &reason, at).await
}

/// Cancels the waiting changes of a key that is stopped.
pub(super) async fn cancel_changes_of_stopped_key(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    store.cancel_changes_of_key(customer, key, &change_error(&key_stopped()), at).await
}

/// Cancels the waiting changes of an ad account that is not connected any more.
pub async fn cancel_changes_of_account(
    store: &Store,
    customer: CustomerId,
    connection: &Connection,
    at: Timestamp,
) -> Result<(), Error> {
    let removed =
        change_error(&Error::new(Kind::Conflict, "The connection was removed.").because(Reason::NotConnected));
    store.cancel_changes_of_account(customer, connection, &removed, at).await
}
