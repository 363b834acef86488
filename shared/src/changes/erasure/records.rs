//! Erases the records of a user whose connections are removed.

use super::close::bound_keys;
use super::{LEASE, connections_of, keep, leave};
use crate::app::App;
use crate::domain::Erasure;
use crate::domain::erasure::{ErasureStep, Walk, WalkPart};
use crate::domain::spending::Spender;
use crate::error::Error;
use crate::store::{ErasedPage, TakenErasure};
use std::sync::Arc;
use tokio::time::Instant;

/// Reads all records of the customer until nothing of the user is left, page by page. An entry of the usage log is erased once
/// it is read, and later ones stand behind it; other records are read until one walk finds none.
pub(super) async fn erase(app: &Arc<App>, taken: TakenErasure, until: Instant) -> Result<(), Error> {
    let store = &app.store;
    if let Some(again) = began_again(app, &taken).await? {
        return leave(store, taken, again, app.clock.now()).await;
    }
    let mut taken = taken;
    while Instant::now() < until {
        let now = app.clock.now();
        let page = store.erase_page(&taken, now).await?;
        let mut erasure = taken.erasure.clone();
        let (walk, last) = after(&erasure.walk, &page);
        erasure.subject.accounts.extend(page.accounts);
        let next = walk.after_page(last);
        if next.is_none() && !walk.has_found && !walk.has_counting {
            return store.end_erasure(&taken).await.map(drop);
        }
        let is_waiting = next.is_none() && walk.has_counting;
        erasure.walk = next.unwrap_or_default();
        if is_waiting {
            let counts_until = erasure.counts_until();
            return leave(store, taken, erasure, counts_until).await;
        }
        match keep(store, taken, erasure, now + LEASE).await? {
            Some(kept) => taken = kept,
            None => return Ok(()),
        }
    }
    let erasure = taken.erasure.clone();
    leave(store, taken, erasure, app.clock.now()).await
}

/// The walk with what a page has found, and where it ends.
fn after(walk: &Walk, page: &ErasedPage) -> (Walk, Option<String>) {
    let is_of_records = walk.part == WalkPart::Records;
    let has_found = walk.has_found || is_of_records && page.has_found;
    let has_counting = walk.has_counting || page.has_counting;
    (Walk { has_found, has_counting, ..walk.clone() }, page.last.clone())
}

/// The erasure from its begin, if somebody has connected an ad account for the user since, or made a key for it.
async fn began_again(app: &App, taken: &TakenErasure) -> Result<Option<Erasure>, Error> {
    let now = app.clock.now();
    let erasure = taken.erasure.clone();
    if !connections_of(&app.store, taken, now).await?.is_empty() {
        // Its campaigns can be paused only while changes are made in it.
        app.store.set_leaving(taken.customer, &Spender::User(taken.user.clone()), None).await?;
        let again = Erasure { paused_at: None, closed_at: None, ..erasure };
        return Ok(Some(again.at(ErasureStep::Pausing)));
    }
    let bound = bound_keys(&app.store, taken.customer, &taken.user, now).await?;
    Ok((!bound.is_empty()).then(|| erasure.at(ErasureStep::Closing)))
}
