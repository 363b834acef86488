//! The decision of a person.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, sign_in_again};
use crate::pages::layout::readable;
use shared::changes;
use shared::domain::{Change, ChangeError, ChangeId, ChangeState, Requester};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::request_context::inherit;
use shared::serve::WebRequest;
use std::sync::Arc;

/// Approves the change of a form, and leads back to its page.
pub(crate) async fn approve(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = named(&form)?;
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let seen = value(&form, "seen").unwrap_or_default().to_owned();
    let (app, customer, by) = (Arc::clone(&request.app), person.customer(), requester(person));
    // It runs to its end even if the page gives up.
    let approved = tokio::spawn(inherit(async move { changes::approve(&app, customer, id, by, &seen).await }));
    let approved = approved.await.map_err(Error::internal)?;
    overview::note_any(request, customer).await;
    let notice = match approved {
        Ok(change) => outcome(&change),
        Err(error) => Notice::failure(Refusal::of(&error, request), &[]),
    };
    Ok(notice.then(page))
}

/// Rejects the change of a form, and leads back to its page.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = named(&form)?;
    let rejected = changes::reject(&request.app, person.customer(), id, &requester(person)).await;
    Ok(match rejected {
        Ok(_) => Notice::success("The change is rejected: nothing is sent to the platform for it."),
        Err(error) => Notice::failure(Refusal::of(&error, request), &[]),
    }
    .then(page))
}

/// The change of a form, and its page.
fn named(form: &[(String, String)]) -> Result<(ChangeId, String), Error> {
    let id = value(form, "id").and_then(ChangeId::parse).ok_or_else(|| Error::not_found("change"))?;
    Ok((id, addresses::approval(&id.to_string())))
}

fn requester(person: &SignedIn) -> Requester {
    Requester::Person { id: person.session.person.clone(), email: person.session.email.clone() }
}

/// What became of an approved change.
fn outcome(change: &Change) -> Notice {
    match (&change.state, change.apply_at) {
        (ChangeState::Applied, _) => Notice::success("Approved and applied."),
        (ChangeState::Scheduled, Some(at)) if change.sent_at.is_none() && change.began_at() < at => {
            Notice::success(format!("Approved. It is made at {}.", readable(at)))
        }
        (ChangeState::Scheduled, _) => Notice::success(
            "Approved. Its platform has not taken it yet: it is tried again until it holds or is refused.",
        ),
        (ChangeState::PartlyApplied(error), _) => failed("Approved, but only a part of it was applied", Some(error)),
        (ChangeState::Failed(error), _) => failed("Approved, but it was not applied", Some(error)),
        (ChangeState::Canceled(reason), _) => failed("It was canceled at the same moment", reason.as_ref()),
        _ => {
            Notice::success("Approved. Its outcome is not known yet: this page shows it, and it is tried until it is.")
        }
    }
}

fn failed(what: &str, error: Option<&ChangeError>) -> Notice {
    let message = error.map_or_else(|| format!("{what}."), |error| format!("{what}: {}", error.message));
    Notice { message, ..Notice::default() }
}
