//! The decision of a person.

use crate::client::approvals;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, sign_in_again};
use crate::kit::text::readable;
use crate::kit::words;
use shared::domain::{Change, ChangeError, ChangeId, ChangeState};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Approves the change of a form, and leads back to its page.
pub(crate) async fn approve(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = change_and_page(&form)?;
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let seen = value(&form, "seen").unwrap_or_default().to_owned();
    let approved = approvals::approve(request, person, id, seen).await;
    Ok(approved.map_or_else(|refusal| Notice::failure(refusal, &[]), |change| outcome(&change)).then(page))
}

/// Rejects the change of a form, and leads back to its page.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = change_and_page(&form)?;
    Ok(match approvals::reject(request, person, id).await {
        Ok(_) => Notice::success("The change is rejected: nothing is sent to the platform for it."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page))
}

/// The change of a form, and its page.
fn change_and_page(form: &[(String, String)]) -> Result<(ChangeId, String), Error> {
    let id = value(form, "id").and_then(ChangeId::parse).ok_or_else(|| Error::not_found("change"))?;
    Ok((id, addresses::approval(&id.to_string())))
}

/// What became of an approved change.
pub(super) fn outcome(change: &Change) -> Notice {
    match (&change.state, change.apply_at) {
        (ChangeState::Applied, _) => Notice::success("Approved and applied."),
        (ChangeState::Scheduled, Some(at)) if change.sent_at.is_none() && change.began_at() < at => {
            Notice::success(format!("Approved. It is made at {}.", readable(at)))
        }
        (ChangeState::Scheduled, _) => Notice::success(format!(
            "Approved and scheduled. {} has not taken it yet: it is tried again until it is applied or refused.",
            change.platform.display_name()
        )),
        (ChangeState::PartlyApplied(error), _) => {
            Notice { is_part: true, ..failed("Approved, but only a part of it was applied", Some(error)) }
        }
        (ChangeState::Failed(error), _) => failed("Approved, but it was not applied", Some(error)),
        (ChangeState::Canceled(reason), _) => failed("It was canceled at the same moment", reason.as_ref()),
        (ChangeState::Sending | ChangeState::AwaitingApproval | ChangeState::Rejected(_) | ChangeState::Expired, _) => {
            Notice::success("Approved. Its outcome is not known yet: this page shows it, and it is tried until it is.")
        }
    }
}

fn failed(what: &str, error: Option<&ChangeError>) -> Notice {
    let message =
        error.map_or_else(|| format!("{what}."), |error| format!("{what}: {}", words::message(&error.message)));
    Notice { message, ..Notice::default() }
}
