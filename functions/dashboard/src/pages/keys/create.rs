//! Creating a key by the forms of two pages, each of which shows its new key once.

use super::{Created, show_once};
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::shown_once::{kept, secret_form};
use crate::kit::addresses::{AGENTS, KEYS};
use crate::pages::kept_form::recent_first;
use crate::pages::limit::{CONTROLS, NewLimit, has_limit, limit_of, unticked};
use jiff::SignedDuration;
use serde::Serialize;
use shared::domain::Scope;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The control with the name of a key with a limit.
const LIMITED_NAME: &str = "limited-name";

/// The fields that the page shows again, beside those of the limit. None is a secret.
pub(crate) const FIELDS: [&str; 3] = ["name", "scopes", "expires"];

type Form = Vec<(String, String)>;

/// The body of `createKey`.
#[derive(Serialize)]
struct NewKey<'a> {
    name: &'a str,
    scopes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spending_limit: Option<NewLimit<'a>>,
}

/// Creates a key.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let is_limited = has_limit(&form);
    create_on(KEYS, request, person, form, is_limited).await
}

/// Creates the key of an agent. It always has a limit.
pub(crate) async fn create_agent(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    create_on(AGENTS, request, person, request.form()?, true).await
}

async fn create_on(
    page: &'static str,
    request: &WebRequest,
    person: &SignedIn,
    form: Form,
    is_limited: bool,
) -> Result<WebReply, Error> {
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let refused = |refusal: Refusal, form: Form| {
        let kept = kept(&refusal, form);
        let mut notice = Notice::refused(refusal, CONTROLS, &kept);
        // The page of keys has two forms with a name.
        let names = notice.errors.iter_mut().filter(|error| is_limited && page == KEYS && error.id == "name");
        names.for_each(|error| LIMITED_NAME.clone_into(&mut error.id));
        notice.then(page)
    };
    if let Some(refusal) = unticked(&form, request).filter(|_| is_limited) {
        return Ok(refused(refusal, form));
    }
    let api = Api::new(request, person).of_form(secret_form(request, &form));
    match api.change::<Created>("POST", "/v1/api-keys", &key_of(&form, is_limited, request)).await {
        Ok(created) => Ok(show_once(page, "Key created. Copy it now.", &created)),
        Err(refusal) => Ok(refused(refusal, form)),
    }
}

fn key_of<'a>(form: &'a [(String, String)], is_limited: bool, request: &WebRequest) -> NewKey<'a> {
    let days = value(form, "expires").and_then(|days| days.parse().ok());
    let expires_at = days.map(|days: i64| request.now + SignedDuration::from_hours(24 * days.clamp(1, 3_650)));
    let scopes = match is_limited {
        true => vec![Scope::Campaigns.as_str()],
        false => form.iter().filter(|(name, _)| name == "scopes").map(|(_, scope)| scope.as_str()).collect(),
    };
    NewKey {
        name: value(form, "name").unwrap_or_default(),
        scopes,
        expires_at: expires_at.map(|at| format!("{at:.0}")),
        spending_limit: is_limited.then(|| limit_of(form)),
    }
}
