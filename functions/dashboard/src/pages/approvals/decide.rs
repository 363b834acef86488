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

/// Approves the change of a form, and leads back to its page, and from there to the next one.
pub(crate) async fn approve(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = change_and_page(&form)?;
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let seen = value(&form, "seen").unwrap_or_default().to_owned();
    let approved = approvals::approve(request, person, id, seen).await;
    let decided = |change: Change| lead_on(outcome(&change), id, &person.awaiting);
    Ok(approved.map_or_else(|refusal| Notice::failure(refusal, &[]), decided).then(page))
}

/// Rejects the change of a form, and leads back to its page, and from there to the next one.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = change_and_page(&form)?;
    Ok(match approvals::reject(request, person, id).await {
        Ok(_) => {
            let rejected = Notice::success("The change is rejected: nothing is sent to the platform for it.");
            lead_on(rejected, id, &person.awaiting)
        }
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page))
}

/// The change of a form, and its page.
fn change_and_page(form: &[(String, String)]) -> Result<(ChangeId, String), Error> {
    let id = value(form, "id").and_then(ChangeId::parse).ok_or_else(|| Error::not_found("change"))?;
    Ok((id, addresses::approval(&id.to_string())))
}

/// The outcome of a decision with the number of the changes that still wait, and a link to the one after it. `waiting` are
/// those that waited before it, in the order of the list.
fn lead_on(outcome: Notice, decided: ChangeId, waiting: &[ChangeId]) -> Notice {
    let at = waiting.iter().position(|id| *id == decided).unwrap_or_default();
    let (before, after) = waiting.split_at(at);
    let left: Vec<&ChangeId> = after.iter().chain(before).filter(|id| **id != decided).collect();
    let told = match left.len() {
        0 => "Nothing else waits for approval.".to_owned(),
        1 => "1 more waits for approval.".to_owned(),
        more => format!("{more} more wait for approval."),
    };
    let words = match left.len() {
        1 => "Review the last one that waits".to_owned(),
        more => format!("Review the next of {more} that wait"),
    };
    let link = left.first().map(|id| (addresses::approval(&id.to_string()), words));
    Notice { message: format!("{} {told}", outcome.message), link, ..outcome }
}

/// What became of an approved change.
pub(super) fn outcome(change: &Change) -> Notice {
    match (&change.state, change.apply_at) {
        (ChangeState::Applied, _) => Notice::success("Approved and applied."),
        (ChangeState::Scheduled, Some(at)) if change.sent_at.is_none() && change.began_at() < at => {
            Notice::success(format!("Approved. It takes effect at {}.", readable(at)))
        }
        (ChangeState::Scheduled, _) => Notice::success(format!(
            "Approved and scheduled. {} has not accepted it yet: we keep retrying.",
            change.platform.display_name()
        )),
        (ChangeState::PartlyApplied(error), _) => {
            Notice { is_part: true, ..failed("Approved, but only a part of it was applied", Some(error)) }
        }
        (ChangeState::Failed(error), _) => failed("Approved, but it was not applied", Some(error)),
        (ChangeState::Canceled(reason), _) => failed("It was canceled at the same moment", reason.as_ref()),
        (ChangeState::Sending | ChangeState::AwaitingApproval | ChangeState::Rejected(_) | ChangeState::Expired, _) => {
            Notice::success("Approved. The outcome is not known yet: this page will show it.")
        }
    }
}

fn failed(what: &str, error: Option<&ChangeError>) -> Notice {
    let message =
        error.map_or_else(|| format!("{what}."), |error| format!("{what}: {}", words::message(&error.message)));
    Notice { message, ..Notice::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::now;
    use uuid::Uuid;

    fn id(number: usize) -> ChangeId {
        ChangeId::new(now(), Uuid::nil(), number)
    }

    #[test]
    fn a_decision_leads_to_the_next_change_and_says_how_many_are_left() {
        let after = |decided, waiting: &[usize]| {
            let waiting: Vec<ChangeId> = waiting.iter().map(|number| id(*number)).collect();
            let notice = lead_on(Notice::success("Approved and applied."), id(decided), &waiting);
            assert!(notice.is_success);
            (notice.message, notice.link)
        };
        let page = |number| addresses::approval(&id(number).to_string());
        let three = "Approved and applied. 3 more wait for approval.".to_owned();
        let next = |number| Some((page(number), "Review the next of 3 that wait".to_owned()));
        assert_eq!(after(2, &[1, 2, 3, 4]), (three.clone(), next(3)));
        assert_eq!(after(4, &[1, 2, 3, 4]), (three.clone(), next(1)), "from the last to what was skipped");
        assert_eq!(after(5, &[1, 2, 3]), (three, next(1)), "it waited no more");
        let last = Some((page(1), "Review the last one that waits".to_owned()));
        assert_eq!(after(2, &[1, 2]), ("Approved and applied. 1 more waits for approval.".to_owned(), last));
        assert_eq!(after(1, &[1]), ("Approved and applied. Nothing else waits for approval.".to_owned(), None));
    }
}
