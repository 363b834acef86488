//! A secret that a form makes, from the form to the page that shows it once.

use crate::client::api::Refusal;
use crate::client::notice::{NewSecret, Notice};
use crate::client::session;
use secrecy::SecretString;
use shared::auth::{KeyForm, KeySeed};
use shared::envelope::query::value;
use shared::serve::WebRequest;
use uuid::Uuid;

/// The field with the token of a form.
pub(crate) const TOKEN_FIELD: &str = "idempotency_key";

/// The token of the forms of a page, or that of a form that is shown again.
pub(crate) fn token(notice: Option<&Notice>) -> String {
    notice.and_then(|notice| notice.value(TOKEN_FIELD)).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}

/// The form of a request, which makes one secret however often it is sent (D54); `None` without the token that the page
/// gave it.
pub(crate) fn secret_form(request: &WebRequest, form: &[(String, String)]) -> Option<KeyForm> {
    value(form, TOKEN_FIELD).filter(|token| !token.is_empty())?;
    let seed = KeySeed::of_form(&session::token(request)?, &request.path, form);
    Some(KeyForm { seed, version: value(form, "version").map(str::to_owned), is_of_assistant: false })
}

/// The fields of a refused form that its page shows again. After a failure of the service the secret may exist: the form
/// keeps its token, and shows that secret when it is sent again.
pub(crate) fn fields_to_show_again(refusal: &Refusal, form: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_unknown = refusal.status >= 500;
    form.into_iter().filter(|(name, _)| is_unknown || name != TOKEN_FIELD).collect()
}

/// The notice with a secret for a field of the next page.
pub(crate) fn with_secret(notice: Notice, field: &str, secret: &SecretString) -> Notice {
    Notice { secret: Some(NewSecret { field: field.to_owned(), secret: secret.clone() }), ..notice }
}

/// The secret for a field of the page; `None` if another page shows it.
pub(crate) fn open(notice: Option<&Notice>, field: &str) -> Option<SecretString> {
    let new = notice?.secret.as_ref()?;
    (new.field == field).then(|| new.secret.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    #[test]
    fn a_secret_is_for_one_field() {
        let notice = with_secret(Notice::success("Key created."), "new_key", &"canary".into());
        assert_eq!(open(Some(&notice), "new_key").unwrap().expose_secret(), "canary");
        assert!(open(Some(&notice), "webhook_secret").is_none());
        assert!(open(Some(&Notice::success("Saved.")), "new_key").is_none());
        assert!(open(None, "new_key").is_none());
    }
}
