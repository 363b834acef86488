//! API keys: the list, and forms that create, replace and delete keys. A new key is shown once.

use crate::api::Api;
use crate::layout::{self, Layout, readable_text};
use crate::notice::Notice;
use crate::session::SignedIn;
use crate::{KEYS, SIGN_IN};
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::domain::{KeyId, MAX_KEYS, Scope};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use shared::vault::Binding;

/// The choices of the form: the value, and what it says.
const EXPIRIES: &[(&str, &str)] = &[("", "Never"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")];
/// The scopes, and what each permits.
const SCOPES: &[(Scope, &str)] = &[
    (Scope::Read, "see everything, and sync connections"),
    (Scope::Write, "change campaigns, connections, redirect URIs and keys"),
    (Scope::Billing, "open the checkout and the billing portal"),
];
/// The name that binds a new key to the notice that shows it.
const SEALED_FIELD: &str = "new_key";

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    layout: Layout,
    keys: Vec<Row>,
    new_key: Option<SecretString>,
    /// Whether the person signed in recently enough to make a key.
    is_recent: bool,
    is_full: bool,
    sign_in_again: String,
    scopes: Vec<ScopeChoice>,
    expiries: Vec<(&'static str, &'static str, bool)>,
}

struct ScopeChoice {
    name: &'static str,
    meaning: &'static str,
    is_chosen: bool,
}

struct Row {
    id: String,
    name: String,
    prefix: String,
    scopes: String,
    created_at: String,
    last_used_at: String,
    expires_at: String,
    is_expired: bool,
}

#[derive(Deserialize)]
struct KeyList {
    api_keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    id: String,
    name: String,
    prefix: Option<String>,
    scopes: Vec<String>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
}

#[derive(Serialize)]
struct NewKey<'a> {
    name: &'a str,
    scopes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
}

/// The answer to a creation and to a rotation.
#[derive(Deserialize)]
struct Created {
    api_key: SecretString,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let list: KeyList = Api::new(request, person).get("/v1/api-keys").await.map_err(layout::failed)?;
    let layout = Layout::signed_in(request, "API keys", KEYS, person);
    let new_key = match layout.notice.as_ref().and_then(|notice| notice.sealed.as_deref()) {
        Some(sealed) => open(request, person, sealed).await,
        None => None,
    };
    let chosen = |name: &str| match &layout.notice {
        Some(notice) if !notice.values.is_empty() => {
            notice.values.iter().any(|(key, value)| key == "scopes" && value == name)
        }
        _ => true,
    };
    let scope = |(scope, meaning): &(Scope, &'static str)| {
        let name = scope.as_str();
        ScopeChoice { name, meaning, is_chosen: chosen(name) }
    };
    let expiry = layout.value("expires").unwrap_or_default().to_owned();
    Ok(layout::show(
        request,
        &KeysPage {
            new_key,
            is_recent: person.session.is_recent(request.now),
            is_full: list.api_keys.len() >= MAX_KEYS,
            sign_in_again: sign_in_again(),
            scopes: SCOPES.iter().map(scope).collect(),
            expiries: EXPIRIES.iter().map(|(value, text)| (*value, *text, *value == expiry)).collect(),
            keys: list.api_keys.into_iter().map(|key| row(key, request.now)).collect(),
            layout,
        },
    ))
}

/// Makes a key.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again()));
    }
    let form = request.form()?;
    let days = value(&form, "expires").and_then(|days| days.parse().ok());
    let expires_at = days.map(|days: i64| request.now + SignedDuration::from_hours(24 * days.clamp(1, 3_650)));
    let key = NewKey {
        name: value(&form, "name").unwrap_or_default(),
        scopes: form.iter().filter(|(name, _)| name == "scopes").map(|(_, scope)| scope.as_str()).collect(),
        expires_at: expires_at.map(|at| format!("{at:.0}")),
    };
    match Api::new(request, person).change::<Created>("POST", "/v1/api-keys", &key).await {
        Ok(created) => show_once(request, person, "The key is made.", created).await,
        Err(refusal) => Ok(Notice::failure(refusal, &form).then(KEYS)),
    }
}

/// Replaces the secret of a key.
pub(crate) async fn rotate(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again()));
    }
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    match Api::new(request, person).about(key).act::<Created>("POST", "/v1/api-keys/rotate").await {
        Ok(created) => show_once(request, person, "The key is replaced. The old one is invalid.", created).await,
        Err(refusal) => Ok(Notice::failure(refusal, &[]).then(KEYS)),
    }
}

/// Deletes a key.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let target = format!("/v1/api-keys/{}", layout::path_segment(value(&form, "id").unwrap_or_default()));
    let deleted = Api::new(request, person).act::<IgnoredAny>("DELETE", &target).await;
    Ok(match deleted {
        Ok(_) => Notice::success("The key is deleted. Requests with it are refused from now on."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(KEYS))
}

/// The page shows the key once: it is sealed in the browser's notice, bound to this session.
async fn show_once(
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
async fn open(request: &WebRequest, person: &SignedIn, sealed: &str) -> Option<SecretString> {
    let customer = person.customer().to_string();
    let binding = Binding { customer: &customer, record: &person.session.hash, field: SEALED_FIELD };
    request.app.vault().ok()?.open(binding, sealed).await.ok()
}

fn sign_in_again() -> String {
    format!("{SIGN_IN}?again=yes&return_to={}", KEYS.replace('/', "%2F"))
}

fn row(key: Key, now: Timestamp) -> Row {
    let Key { id, name, prefix, scopes, created_at, expires_at, last_used_at } = key;
    Row {
        id,
        name,
        prefix: prefix.unwrap_or_default(),
        scopes: scopes.join(", "),
        created_at: layout::readable(created_at),
        last_used_at: readable_text(last_used_at, "never"),
        is_expired: expires_at.is_some_and(|at| at <= now),
        expires_at: readable_text(expires_at, "never"),
    }
}
