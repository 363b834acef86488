//! Changes that wait for a person, and the person's decision.

use crate::client::api::Refusal;
use crate::client::changes::{by_id, first, first_rows};
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::changes::{ChangeRow, rows};
use shared::changes::{self, Review, seen_by_user};
use shared::domain::{Approver, Change, ChangeId, ChangeState, ChangeStatus, ExternalRef, Requester};
use shared::error::Error;
use shared::request_context::inherit;
use shared::serve::WebRequest;
use std::sync::Arc;

/// Most characters of the reason of a rejection.
pub(crate) const MAX_REASON: usize = 200;

/// The first changes that wait, and how many more there are. The oldest are first, because they expire first.
pub(crate) async fn waiting(
    request: &WebRequest,
    person: &SignedIn,
    most: usize,
) -> Result<(Vec<ChangeRow>, usize), Error> {
    first_rows(request, person, &person.awaiting, ChangeStatus::AwaitingApproval, most).await
}

/// The same of one user.
pub(crate) async fn waiting_of(
    request: &WebRequest,
    person: &SignedIn,
    user: &ExternalRef,
    most: usize,
) -> Result<(Vec<ChangeRow>, usize), Error> {
    let (waiting, more) = waiting_changes(request, person, Some(user), most).await?;
    Ok((rows(&waiting, request.now), more))
}

/// The first changes that wait, those of one user or all. For a user all that wait are read, because the index does not
/// say whose they are; they are at most [`shared::domain::MAX_AWAITING`].
pub(crate) async fn waiting_changes(
    request: &WebRequest,
    person: &SignedIn,
    user: Option<&ExternalRef>,
    most: usize,
) -> Result<(Vec<Change>, usize), Error> {
    let Some(user) = user else {
        return first(request, person, &person.awaiting, ChangeStatus::AwaitingApproval, most).await;
    };
    let mut waiting = by_id(request, person, &person.awaiting).await?;
    waiting.retain(|change| change.status(request.now) == ChangeStatus::AwaitingApproval);
    let mut seen = seen_by_user(&request.app.store, person.customer(), user, waiting).await?;
    let more = seen.len().saturating_sub(most);
    seen.truncate(most);
    Ok((seen, more))
}

/// What a person looks at before they decide.
pub(crate) async fn review(request: &WebRequest, person: &SignedIn, id: ChangeId) -> Result<Review, Error> {
    changes::review(&request.app, read(request, person, id).await?).await
}

/// The change of a page.
async fn read(request: &WebRequest, person: &SignedIn, id: ChangeId) -> Result<Change, Error> {
    let change = request.app.store.change(person.customer(), id).await?;
    change.filter(|change| change.expires_at > request.now).ok_or_else(|| Error::not_found("change"))
}

/// Whether a change that was to be approved is not, and waits as before.
pub(crate) async fn still_waits(request: &WebRequest, person: &SignedIn, id: ChangeId) -> bool {
    read(request, person, id).await.is_ok_and(|change| change.state == ChangeState::AwaitingApproval)
}

/// Approves a change as the person has seen it. It runs to its end even if the page gives up.
pub(crate) async fn approve(
    request: &WebRequest,
    person: &SignedIn,
    id: ChangeId,
    seen: String,
) -> Result<Change, Refusal> {
    let (app, by) = (Arc::clone(&request.app), approver(request, person));
    let change = read(request, person, id).await.map_err(|error| Refusal::of(&error, request))?;
    let approved = tokio::spawn(inherit(async move {
        let approved = changes::approve(&app, change.clone(), by, &seen).await;
        changes::count_refusal_of(&app, &change, &approved).await;
        approved
    }));
    let approved = approved.await.map_err(Error::internal).flatten();
    readings::note_any(request, person.customer()).await;
    approved.map_err(|error| Refusal::of(&error, request))
}

/// Rejects a change. `why` is the person's reason, which the change has for those who asked for it.
pub(crate) async fn reject(
    request: &WebRequest,
    person: &SignedIn,
    id: ChangeId,
    why: Option<&str>,
) -> Result<Change, Refusal> {
    let rejected = match read(request, person, id).await {
        Ok(change) => changes::reject(&request.app, change, &approver(request, person), why).await,
        Err(missing) => Err(missing),
    };
    rejected.map_err(|error| Refusal::of(&error, request))
}

fn approver(request: &WebRequest, person: &SignedIn) -> Approver {
    let by = Requester::Person { id: person.session.person.clone(), email: person.session.email.clone() };
    Approver::in_person(by, request.request_id)
}
