//! Pausing a user and resuming it.

use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{USER, of_user};
use crate::pages::kept_form::recent_first;
use crate::pages::users::erase::told;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Pauses the user of a form, or what an earlier pause has not paused.
pub(crate) async fn pause(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::required(&request.form()?)?;
    Ok(match users::pause(&Api::new(request, person), &user).await {
        Ok(_) => Notice::success(
            "The user is paused: nothing is activated or raised for it from now on, and its campaigns are being paused.",
        ),
        Err(refusal) => Notice::failure(told(refusal).in_one_message(), &[]),
    }
    .then(of_user(USER, &user)))
}

/// Resumes the user of a form. It may spend again, so the sign-in must be recent.
pub(crate) async fn resume(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::required(&form)?;
    let page = of_user(USER, &user);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    Ok(match users::resume(&Api::new(request, person), &user).await {
        Ok(_) => Notice::success("The user is resumed. What is paused stays paused."),
        Err(refusal) => Notice::failure(told(refusal).in_one_message(), &[]),
    }
    .then(page))
}
