//! Changes that wait for a person, and the person's decision. The API has no endpoint for it: only people decide.

use crate::client::api::Refusal;
use crate::client::changes::first_rows;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::changes::ChangeRow;
use shared::changes::{self, Review};
use shared::domain::{Change, ChangeId, ChangeStatus, Requester};
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
    changes::review(&request.app, person.customer(), id).await
}

/// Approves a change as the person has seen it. It runs to its end even if the page gives up.
pub(crate) async fn approve(
    request: &WebRequest,
    person: &SignedIn,
    id: ChangeId,
    seen: String,
) -> Result<Change, Refusal> {
    let (app, customer, by) = (Arc::clone(&request.app), person.customer(), requester(person));
    let approved = tokio::spawn(inherit(async move { changes::approve(&app, customer, id, by, &seen).await }));
    let approved = approved.await.map_err(Error::internal).flatten();
    readings::note_any(request, customer).await;
    approved.map_err(|error| Refusal::of(&error, request))
}

/// Rejects a change.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn, id: ChangeId) -> Result<Change, Refusal> {
    let rejected = changes::reject(&request.app, person.customer(), id, &requester(person)).await;
    rejected.map_err(|error| Refusal::of(&error, request))
}

fn requester(person: &SignedIn) -> Requester {
    Requester::Person { id: person.session.person.clone(), email: person.session.email.clone() }
}
