//! The erasure of a user (D169): what runs is paused, nobody changes anything any more, each outcome becomes known, the
//! connections are removed, and then the records. Maintenance does it, step by step; each step may be repeated.

mod close;
mod open;
mod records;

use super::cancel::cancel_changes_of_account;
use super::disconnect::disconnect;
use super::user_pause::{begin_pause, pause_progress};
use crate::app::App;
use crate::domain::erasure::ErasureStep;
use crate::domain::users::PauseProgress;
use crate::domain::{Connection, CustomerId, Erasure, ExternalRef, Requester};
use crate::error::Error;
use crate::store::{ConnectionRef, Store, TakenErasure};
use crate::tokens::PlatformContext;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A process works on an erasure for this long, or on a part of it. A run of maintenance takes less.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Time between two looks at what the erasure waits for.
const LOOK: SignedDuration = SignedDuration::from_mins(1);
/// A pause that was refused is tried again after this time.
const RETRY: SignedDuration = SignedDuration::from_hours(1);
/// Time after which nothing is written of a removed connection any more: requests have ended, their events are delivered, and
/// authorizations in progress have expired.
const QUIET: SignedDuration = SignedDuration::from_mins(15);
/// Time limit of the removal of one connection.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(15);

/// Begins the erasure of a user, at once with the pause of what runs. One that has begun goes on; if this one leaves what
/// runs, it does, too.
pub async fn begin_erasure(
    store: &Store,
    customer: CustomerId,
    user: &ExternalRef,
    by: Requester,
    leave_running: bool,
    now: Timestamp,
) -> Result<(), Error> {
    let is_new = store.begin_erasure(customer, user, &Erasure::new(by, now, leave_running), now).await?;
    if is_new
        && !leave_running
        && let Some(taken) = store.take_erasure(customer, user, now, now + LEASE).await?
    {
        pause(store, taken, now).await?;
    }
    Ok(())
}

/// Does the next step of an erasure that is due, or a part of it. Begins nothing after `until`.
pub async fn continue_erasure(
    app: &Arc<App>,
    customer: CustomerId,
    user: &ExternalRef,
    until: Instant,
) -> Result<(), Error> {
    let now = app.clock.now();
    let Some(taken) = app.store.take_erasure(customer, user, now, now + LEASE).await? else { return Ok(()) };
    match taken.erasure.step {
        ErasureStep::Pausing => pause(&app.store, taken, now).await,
        ErasureStep::Closing => close::close(&app.store, taken, until, now).await,
        ErasureStep::Disconnecting => disconnect_all(app, taken, until).await,
        ErasureStep::Erasing => records::erase(app, taken, until).await,
    }
}

/// Pauses what runs. The pause is always a new one: of an earlier one nobody knows what runs since.
async fn pause(store: &Store, taken: TakenErasure, now: Timestamp) -> Result<(), Error> {
    let (customer, erasure) = (taken.customer, taken.erasure.clone());
    if erasure.leave_running {
        return leave(store, taken, erasure.at(ErasureStep::Closing), now).await;
    }
    let (_, user) = store.user(customer, &taken.user).await?;
    let own = user.pause(customer).filter(|pause| erasure.paused_at == Some(pause.paused_at));
    let progress = match &own {
        Some(pause) => pause_progress(store, pause, now).await?,
        None => PauseProgress::default(),
    };
    if progress.is_done {
        return leave(store, taken, erasure.at(ErasureStep::Closing), now).await;
    }
    let is_tried = own.is_some_and(|pause| !progress.is_refused || now < pause.paused_at + RETRY);
    if is_tried {
        return leave(store, taken, erasure, now + LOOK).await;
    }
    let connections = connections_of(store, &taken, now).await?;
    let paused = begin_pause(store, customer, &user, &connections, &erasure.requested_by, now).await?;
    leave(store, taken, Erasure { paused_at: paused.paused_at(), ..erasure }, now + LOOK).await
}

/// Removes the connections of the user. The next run sees that none is left.
async fn disconnect_all(app: &Arc<App>, taken: TakenErasure, until: Instant) -> Result<(), Error> {
    let (store, now) = (&app.store, app.clock.now());
    let connections = connections_of(store, &taken, now).await?;
    let mut erasure = taken.erasure.clone();
    if connections.is_empty() {
        return leave(store, taken, erasure.at(ErasureStep::Erasing), now + QUIET).await;
    }
    // First, because nothing leads to a connection that is removed.
    connections.iter().for_each(|known| add_connection(&mut erasure, known));
    let Some(taken) = keep(store, taken, erasure, now + LEASE).await? else { return Ok(()) };
    for connection in connections {
        if Instant::now() >= until {
            break;
        }
        remove(app, taken.customer, &connection).await?;
    }
    let erasure = taken.erasure.clone();
    leave(store, taken, erasure, now).await
}

async fn remove(app: &Arc<App>, customer: CustomerId, connection: &Connection) -> Result<(), Error> {
    let now = app.clock.now();
    let name = [ConnectionRef::Id(connection.id.0.clone())];
    let connected = &app.store.named_connections(customer, &name, now).await?;
    let Some(latest) = connected.connection(&connection.id.0) else { return Ok(()) };
    let deadline = Instant::now() + REMOVAL_TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    // Here a failure ends the step: nothing finds the changes of a connection that is gone.
    cancel_changes_of_account(&app.store, customer, latest, now).await?;
    disconnect(context, latest).await.map(drop)
}

/// The connections of the user, PENDING ones too.
async fn connections_of(store: &Store, taken: &TakenErasure, now: Timestamp) -> Result<Vec<Connection>, Error> {
    let (_, read) = store.user_connections(taken.customer, &taken.user, now).await?;
    let is_own = |known: &Connection| known.external_ref.as_ref() == Some(&taken.user);
    Ok(read.connections.into_iter().filter(is_own).collect())
}

fn add_connection(erasure: &mut Erasure, connection: &Connection) {
    let account = connection.account.as_ref().map(|account| account.id.as_str());
    erasure.subject.add_connection(&connection.id, connection.platform, account);
}

/// Stores the erasure as it is now, and works on. `None` if another process has taken it.
async fn keep(
    store: &Store,
    mut taken: TakenErasure,
    erasure: Erasure,
    until: Timestamp,
) -> Result<Option<TakenErasure>, Error> {
    taken.erasure = erasure;
    store.keep_erasure(taken, until).await
}

/// Stores the erasure as it is now, and leaves it until a time.
async fn leave(store: &Store, taken: TakenErasure, erasure: Erasure, until: Timestamp) -> Result<(), Error> {
    keep(store, taken, erasure, until).await.map(drop)
}
