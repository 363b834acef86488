//! Erasing a user: the form that a person confirms with its name, and what its page says while the erasure goes on.

use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{USER, USERS, of_user};
use crate::kit::form_errors::FormError;
use crate::kit::form_fields::pick;
use crate::kit::text::readable;
use crate::kit::user_erasure;
use crate::pages::kept_form::recent_first;
use shared::domain::{Erasure, Reason};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field in which a person repeats the name.
const CONFIRM: &str = "confirm";
/// The field that leaves running what runs.
const LEAVE_RUNNING: &str = "leave_running";

/// An erasure that goes on.
pub(super) struct ErasureView {
    pub(super) since: String,
    pub(super) progress: String,
    /// Whether what runs is left running.
    pub(super) leaves_running: bool,
    /// Whether the person may let it go on although something runs.
    pub(super) may_leave_running: bool,
}

impl ErasureView {
    pub(super) fn of(erasure: &Erasure) -> ErasureView {
        ErasureView {
            since: readable(erasure.requested_at),
            progress: user_erasure::progress(erasure),
            leaves_running: erasure.leave_running,
            may_leave_running: user_erasure::may_leave_running(erasure),
        }
    }
}

/// Erases the user of a form, or lets its erasure go on although something runs. There is no way back, so the person has
/// typed the name, and the sign-in must be recent.
pub(crate) async fn erase(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::required(&form)?;
    let page = of_user(USER, &user);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    if value(&form, CONFIRM).map(str::trim) != Some(user.as_str()) {
        let error = FormError::new(CONFIRM, format!("Write {user}, the name of the user. Nothing is erased."));
        return Ok(Notice::wrong(vec![error], &pick(&form, &[CONFIRM, LEAVE_RUNNING])).then(page));
    }
    let leave_running = value(&form, LEAVE_RUNNING) == Some("yes");
    Ok(match users::erase(&Api::new(request, person), &user, leave_running).await {
        Ok(_) => {
            Notice::success("The erasure goes on by itself. This page says how far it is, until the user is gone.")
                .then(page)
        }
        // It has no page any more.
        Err(refusal) if refusal.status == 404 => Notice::failure(refusal, &[]).then(USERS),
        Err(refusal) => Notice::failure(refusal.in_one_message(), &[]).then(page),
    })
}

/// The refusal of a form of a page that was shown before the erasure began, in words about the user.
pub(super) fn told(refusal: Refusal) -> Refusal {
    if refusal.reason == Some(Reason::UserErased) {
        let message = "The user is being erased, so nothing of it is changed any more. Nothing was done.".to_owned();
        return Refusal { message, details: Vec::new(), ..refusal };
    }
    refusal
}
