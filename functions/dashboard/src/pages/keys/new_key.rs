//! The secret of a new key, from the form that makes it to the page that shows it once.

use crate::addresses::KEYS;
use crate::notice::Notice;
use crate::session::{self, SignedIn};
use secrecy::SecretString;
use serde::Deserialize;
use shared::auth::{KeyForm, KeySeed};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use shared::vault::Binding;

/// The field with the token of a form.
pub(crate) const KEY_FIELD: &str = "idempotency_key";
/// The name that binds a new key to the notice that shows it.
const SEALED_FIELD: &str = "new_key";

/// The response to a creation and to a rotation.
#[derive(Deserialize)]
pub(crate) struct Created {
    api_key: SecretString,
}

/// The form of a request, which makes one key however often it is sent (D54 in docs/decisions.md); `None` without the
/// token that the page gave it.
pub(crate) fn key_form(request: &WebRequest, form: &[(String, String)]) -> Option<KeyForm> {
    value(form, KEY_FIELD).filter(|key| !key.is_empty())?;
    let seed = KeySeed::of_form(&session::token(request)?, &request.path, form);
    Some(KeyForm { seed, version: value(form, "version").map(str::to_owned) })
}

/// Leads to the page that shows the key once: it is sealed in the browser's notice, bound to this session.
pub(crate) async fn show_once(
    request: &WebRequest,
    person: &SignedIn,
    message: &str,
    created: Created,
) -> Result<WebReply, Error> {
    let customer = person.customer().to_string();
    let binding = Binding { customer: &customer, record: &person.session.hash, field: SEALED_FIELD };
    let sealed = request.app.vault()?.seal(binding, &created.api_key).await.map_err(Error::internal)?;
    Ok(Notice { sealed: Some(sealed), ..Notice::success(message) }.then(KEYS))
}

/// The key of a notice; `None` if another session made it.
pub(crate) async fn open(request: &WebRequest, person: &SignedIn, sealed: &str) -> Option<SecretString> {
    let customer = person.customer().to_string();
    let binding = Binding { customer: &customer, record: &person.session.hash, field: SEALED_FIELD };
    request.app.vault().ok()?.open(binding, sealed).await.ok()
}
