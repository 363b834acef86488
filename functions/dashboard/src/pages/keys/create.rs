//! Creating a key, with or without a spending limit.

use crate::client::new_key::{self, CREATED};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{KEYS, OF_USER};
use crate::kit::limit::has_limit;
use crate::pages::kept_form::recent_first;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// The controls of the form of a key with a limit: the page has two forms with a name and a user.
const LIMITED: [(&str, &str); 2] = [("name", "limited-name"), (OF_USER, "limited-external_ref")];

/// Creates the key of a form, with a limit if the form sets one.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let is_limited = has_limit(&form);
    match new_key::create(request, person, &form, is_limited).await {
        Ok(secret) => Ok(new_key::show_once(KEYS, CREATED, &secret)),
        Err(refusal) => {
            let notice = new_key::refused(refusal, form);
            Ok(if is_limited { at_limited_form(notice) } else { notice }.then(KEYS))
        }
    }
}

/// The notice with its errors at the controls of the form with a limit.
fn at_limited_form(mut notice: Notice) -> Notice {
    for error in &mut notice.errors {
        if let Some((_, limited)) = LIMITED.iter().find(|(id, _)| *id == error.id) {
            (*limited).clone_into(&mut error.id);
        }
    }
    notice
}
