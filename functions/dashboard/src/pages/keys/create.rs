//! Creating a key. One with a spending limit is made on the page of agents; its form of an older page is still taken here.

use crate::client::new_key::{self, CREATED};
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, KEYS};
use crate::kit::limit::has_limit;
use crate::pages::kept_form::recent_first;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Creates the key of a form, with a limit if the form sets one.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let is_limited = has_limit(&form);
    Ok(match new_key::create(request, person, form, is_limited).await {
        Ok(secret) => new_key::show_once(KEYS, CREATED, &secret),
        Err(notice) => notice.then(if is_limited { AGENTS } else { KEYS }),
    })
}
