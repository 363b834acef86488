//! Changes that wait for a person, and the person's decision.

use crate::client::api::Refusal;
use crate::client::changes::first_rows;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::changes::ChangeRow;
use shared::changes::{self, Review};
use shared::domain::{Approver, Change, ChangeId, ChangeStatus, Requester};
use shared::error::Error;
use shared::request_context::inherit;
use shared::serve::WebRequest;
use std::sync::Arc;

/// The first changes that wait, and how many more there are. The oldest are first, because they expire first.
pub(crate) async fn waiting(
    request: &WebRequest,
    person: &SignedIn,
    most: usize,
) -> Result<(Vec<ChangeRow>, usize), Error> {
    first_rows(request, person, &person.awaiting, ChangeStatus::AwaitingApproval, most).await
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

/// Rejects a change.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn, id: ChangeId) -> Result<Change, Refusal> {
    let rejected = match read(request, person, id).await {
        Ok(change) => changes::reject(&request.app, change, &approver(request, person), None).await,
        Err(missing) => Err(missing),
    };
    rejected.map_err(|error| Refusal::of(&error, request))
}

fn approver(request: &WebRequest, person: &SignedIn) -> Approver {
    let by = Requester::Person { id: person.session.person.clone(), email: person.session.email.clone() };
    Approver::in_person(by, request.request_id)
}
