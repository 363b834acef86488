//! The changes without an outcome for which an erasure waits.

use crate::changes::find_connection;
use crate::domain::erasure::Walk;
use crate::domain::{Change, ChangeFilters, ChangeId, ChangeState, ConnectionStatus, Erasure};
use crate::error::Error;
use crate::store::{ConnectionRef, DueRecord, Store, TakenErasure};
use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use std::future::ready;
use tokio::time::Instant;

/// Changes of the user that are read at a time.
const PAGE_SIZE: i32 = 100;
/// Most changes that an erasure names and waits for at a time.
const MAX_OPEN: usize = 100;
/// Every change without an outcome is due within this time.
const DUE_WITHIN: SignedDuration = SignedDuration::from_hours(48);

/// The erasure with the changes for which it waits, none if its reading was cut off at `until`; `None` once every outcome is
/// known. One whose outcome nobody can read any more does not count if the erasure leaves what runs.
///
/// Nothing begins any more, so what has an outcome keeps it, and what was read is not read again: a look reads what the last
/// one has found open, at most [`MAX_OPEN`] changes, and goes on only when that is settled. Over all looks each change of the
/// user is read once, by the index of its changes. Changes from before an ad account was the user's are in no index of it.
/// They are looked for among all that are due, as each run of maintenance does it, but only when nothing else is open: once
/// in most erasures.
pub(super) async fn open_changes(
    store: &Store,
    taken: &TakenErasure,
    until: Instant,
    now: Timestamp,
) -> Result<Option<Erasure>, Error> {
    let (customer, erasure) = (taken.customer, &taken.erasure);
    let waits = |open: Vec<ChangeId>, after: Option<ChangeId>| {
        let walk = Walk { after: after.map(|id| id.to_string()), ..Walk::default() };
        Ok(Some(Erasure { open, walk, ..erasure.clone() }))
    };
    let mut after = erasure.walk.after.as_deref().and_then(ChangeId::parse);
    let known = store.changes_by_id(customer, &erasure.open, now).await?;
    let open = still_open(store, taken, known, now).await?;
    if !open.is_empty() {
        return waits(open, after);
    }
    let of_user = ChangeFilters { external_ref: Some(taken.user.clone()), ..ChangeFilters::default() };
    loop {
        let page = store.history(customer, &of_user, after, PAGE_SIZE, now).await?;
        let open = still_open(store, taken, page.changes, now).await?;
        if !open.is_empty() {
            return waits(open, after);
        }
        let Some(next) = page.next else { break };
        after = Some(next);
        if Instant::now() >= until {
            return waits(Vec::new(), after);
        }
    }
    let open = still_open(store, taken, due_changes(store, taken, now).await?, now).await?;
    if open.is_empty() { Ok(None) } else { waits(open, after) }
}

/// The changes of the customer without an outcome.
async fn due_changes(store: &Store, taken: &TakenErasure, now: Timestamp) -> Result<Vec<Change>, Error> {
    let is_of_customer = |record: &DueRecord<ChangeId>| record.as_ref().map_or(true, |(of, _)| *of == taken.customer);
    let due = store.due_changes(now + DUE_WITHIN);
    let due: Vec<DueRecord<ChangeId>> = due.filter(|record| ready(is_of_customer(record))).collect().await;
    let ids = due.into_iter().map(|record| record.map(|(_, id)| id)).collect::<Result<Vec<_>, Error>>()?;
    store.changes_by_id(taken.customer, &ids, now).await
}

async fn still_open(
    store: &Store,
    taken: &TakenErasure,
    changes: Vec<Change>,
    now: Timestamp,
) -> Result<Vec<ChangeId>, Error> {
    let mut open = Vec::new();
    for change in changes.into_iter().filter(|change| is_open(change, taken)) {
        if open.len() < MAX_OPEN && (!taken.erasure.leave_running || is_readable(store, &change, now).await?) {
            open.push(change.id);
        }
    }
    Ok(open)
}

fn is_open(change: &Change, taken: &TakenErasure) -> bool {
    let is_own = match &change.external_ref {
        Some(user) => *user == taken.user,
        None => taken.erasure.subject.has_account(change.platform, &change.account_id),
    };
    is_own && change.state == ChangeState::Sending
}

async fn is_readable(store: &Store, change: &Change, now: Timestamp) -> Result<bool, Error> {
    let name = [ConnectionRef::of_change(change)];
    let connected = store.named_connections(change.customer, &name, now).await?;
    Ok(find_connection(&connected, change).is_ok_and(|known| known.status == ConnectionStatus::Active))
}
