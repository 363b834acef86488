//! Creating the key of an agent. It always has a limit.

use crate::client::new_key::{self, CREATED};
use crate::client::session::SignedIn;
use crate::kit::addresses::AGENTS;
use crate::pages::kept_form::recent_first;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Creates the key of a form.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    match new_key::create(request, person, &form, true).await {
        Ok(secret) => Ok(new_key::show_once(AGENTS, CREATED, &secret)),
        Err(refusal) => Ok(new_key::refused(refusal, form).then(AGENTS)),
    }
}
