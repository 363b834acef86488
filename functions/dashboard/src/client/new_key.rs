//! The form that makes a key, which two pages have, and the notice that shows its secret once.

use crate::client::api::{Api, Refusal};
use crate::client::keys::{self, NewKey, wrong_in_new};
use crate::client::limit_form;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{fields_to_show_again, secret_form, with_secret};
use crate::client::session::SignedIn;
use crate::kit::addresses::OF_USER;
use crate::kit::limit::{CONTROLS, limit_of};
use jiff::SignedDuration;
use secrecy::SecretString;
use shared::domain::{ExternalRef, Scope};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::serve::WebRequest;

/// The name that binds a new key to the notice that shows it.
pub(crate) const NEW_KEY: &str = "new_key";
/// What the page with a new key says.
pub(crate) const CREATED: &str = "Key created. Copy it now.";

/// The fields that the page shows again, beside those of the limit. None is a secret.
pub(crate) const FIELDS: [&str; 4] = ["name", "scopes", "expires", OF_USER];

type Form = Vec<(String, String)>;

/// Makes the key of a form; its secret, or the notice of a refused form, which the page shows again. A key with a limit has the
/// scope `campaigns` alone.
pub(crate) async fn create(
    request: &WebRequest,
    person: &SignedIn,
    form: Form,
    is_limited: bool,
) -> Result<SecretString, Notice> {
    let api = Api::new(request, person).of_form(secret_form(request, &form));
    let made = {
        let key = key_of(&form, is_limited, request);
        let wrong = if is_limited {
            let user = key.external_ref.and_then(ExternalRef::parse);
            limit_form::wrong(&api, &form, &wrong_in_new(&key, request.now), user.as_ref(), true).await
        } else {
            Ok(Vec::new())
        };
        match wrong {
            Ok(errors) if !errors.is_empty() => return Err(Notice::wrong(errors, &form)),
            Ok(_) => keys::create(&api, &key).await,
            Err(refusal) => Err(refusal),
        }
    };
    made.map_err(|refusal| refused(refusal, form))
}

fn refused(refusal: Refusal, form: Form) -> Notice {
    let kept = fields_to_show_again(&refusal, form);
    Notice::refused(refusal, CONTROLS, &kept)
}

/// Leads to a page that shows the secret of a key once.
pub(crate) fn show_once(page: &'static str, message: &str, secret: &SecretString) -> WebReply {
    with_secret(Notice::success(message), NEW_KEY, secret).then(page)
}

fn key_of<'a>(form: &'a Form, is_limited: bool, request: &WebRequest) -> NewKey<'a> {
    let days = value(form, "expires").and_then(|days| days.parse().ok());
    let expires_at = days.map(|days: i64| request.now + SignedDuration::from_hours(24 * days.clamp(1, 3_650)));
    let scopes = if is_limited {
        vec![Scope::Campaigns.as_str()]
    } else {
        form.iter().filter(|(name, _)| name == "scopes").map(|(_, scope)| scope.as_str()).collect()
    };
    NewKey {
        name: value(form, "name").unwrap_or_default(),
        scopes,
        expires_at: expires_at.map(|at| format!("{at:.0}")),
        spending_limit: is_limited.then(|| limit_of(form)),
        external_ref: value(form, OF_USER).map(str::trim).filter(|user| !user.is_empty()),
    }
}
