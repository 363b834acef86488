//! A secret that a form makes, from the form to the page that shows it once.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::session::{self, SignedIn};
use crate::pages::layout::Layout;
use secrecy::SecretString;
use shared::auth::{KeyForm, KeySeed};
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use shared::vault::Binding;
use uuid::Uuid;

/// The field with the token of a form.
pub(crate) const TOKEN_FIELD: &str = "idempotency_key";

/// The token of the forms of a page, or that of a form that is shown again.
pub(crate) fn token(layout: &Layout) -> String {
    layout.value(TOKEN_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}

/// The form of a request, which makes one secret however often it is sent (D54 in docs/decisions.md); `None` without the
/// token that the page gave it.
pub(crate) fn secret_form(request: &WebRequest, form: &[(String, String)]) -> Option<KeyForm> {
    value(form, TOKEN_FIELD).filter(|token| !token.is_empty())?;
    let seed = KeySeed::of_form(&session::token(request)?, &request.path, form);
    Some(KeyForm { seed, version: value(form, "version").map(str::to_owned) })
}

/// The fields of a refused form that its page shows again. After a failure the secret may be made: the same form shows
/// it, so it keeps its token.
pub(crate) fn kept(refusal: &Refusal, form: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_unknown = refusal.status >= 500;
    form.into_iter().filter(|(name, _)| is_unknown || name != TOKEN_FIELD).collect()
}

/// The notice with a secret. It is sealed, bound to this session and to the field of the page that opens it.
pub(crate) async fn with_secret(
    notice: Notice,
    request: &WebRequest,
    person: &SignedIn,
    field: &str,
    secret: &SecretString,
) -> Result<Notice, Error> {
    let customer = person.customer().to_string();
    let sealed = request.app.vault()?.seal(binding(&customer, person, field), secret).await.map_err(Error::internal)?;
    Ok(Notice { sealed: Some(sealed), ..notice })
}

/// The secret of the notice of a page; `None` if another session or another page made it.
pub(crate) async fn open(
    request: &WebRequest,
    person: &SignedIn,
    field: &str,
    layout: &Layout,
) -> Option<SecretString> {
    let sealed = layout.notice.as_ref()?.sealed.as_deref()?;
    let customer = person.customer().to_string();
    request.app.vault().ok()?.open(binding(&customer, person, field), sealed).await.ok()
}

fn binding<'a>(customer: &'a str, person: &'a SignedIn, field: &'a str) -> Binding<'a> {
    Binding { customer, record: &person.session.hash, field }
}
