//! Stopping a key and resuming it.

use crate::client::api::Api;
use crate::client::keys;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, KEYS, sign_in_again};
use crate::kit::words;
use shared::changes::resume_key;
use shared::domain::KeyId;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// Stops a key.
pub(crate) async fn stop(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match keys::stop(&Api::new(request, person), value(&form, "id").unwrap_or_default()).await {
        Ok(()) => Notice::success("The key is stopped: it is refused from now on, and its campaigns are being paused."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page_of(&form)))
}

/// Resumes a key.
pub(crate) async fn resume(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = page_of(&form);
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(page)));
    }
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let (store, keys) = (&request.app.store, person.account.keys.clone());
    match resume_key(store, person.customer(), keys, &key, request.now).await {
        Ok(()) => Ok(Notice::success("The key is resumed. What the stop has paused stays paused.").then(page)),
        Err(error) if error.kind == Kind::Internal => Err(error),
        Err(refused) => {
            Ok(Notice { is_success: false, ..Notice::success(words::message(&refused.message)) }.then(page))
        }
    }
}

/// The page of a form: both pages that list keys have one.
fn page_of(form: &[(String, String)]) -> &'static str {
    if value(form, "page") == Some(AGENTS) { AGENTS } else { KEYS }
}
