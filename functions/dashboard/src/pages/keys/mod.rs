//! API keys: the list, and forms that create, replace, stop and delete keys. A new key is shown once.

mod create;
mod spending;
mod stop;
mod words;

pub(crate) use create::{FIELDS, create, create_agent};
pub(crate) use spending::{free, named, no_limit, show as show_spending};
pub(crate) use stop::{StopView, resume, stop, views};

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::shown_once::{open, secret_form, token, with_secret};
use crate::kit::addresses::{KEYS, key_spending, sign_in_again};
use crate::kit::left::{Bar, bars};
use crate::pages::layout::{self, Layout, readable_text};
use crate::pages::limit::LimitForm;
use askama::Template;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::IgnoredAny;
use shared::domain::{ApiKeyInfo, KeyId, KeySpending, MAX_KEYS, Scope};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;
use words::{Limit, scopes_and_limit};

/// The name that binds a new key to the notice that shows it.
pub(crate) const NEW_KEY: &str = "new_key";
/// The choices of the form: the value, and what it says.
const EXPIRIES: &[(&str, &str)] = &[("", "Never"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")];
/// The scopes, and what each permits.
const SCOPES: &[(Scope, &str)] = &[
    (Scope::Read, "see everything, and sync connections"),
    (Scope::Write, "change campaigns, connections, redirect URIs and keys"),
    (Scope::Billing, "open the checkout and the billing portal"),
    (Scope::Campaigns, "see and change campaigns, and nothing else"),
];

#[derive(Template)]
#[template(path = "pages/keys/keys.html")]
struct KeysPage {
    layout: Layout,
    /// Makes a double click or a reload make one key.
    form_key: String,
    keys: Vec<Row>,
    new_key: Option<SecretString>,
    /// Whether the person signed in recently enough to make a key.
    is_recent: bool,
    is_full: bool,
    /// The limit of a key with one.
    form: LimitForm,
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
    /// The version that the form replaces.
    version: String,
    name: String,
    /// `…wxyz`, which tells the customer's keys apart; empty for an older key.
    end: String,
    scopes: String,
    created_at: String,
    last_used_at: String,
    expires_at: String,
    is_expired: bool,
    /// What a key with a limit has left, and the page of what it runs.
    bars: Vec<Bar>,
    runs: Option<String>,
    stop: StopView,
}

#[derive(Deserialize)]
struct KeyList {
    api_keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    id: String,
    name: String,
    last_four: Option<String>,
    scopes: Vec<String>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    spending_limit: Option<Limit>,
}

/// The response to a creation and to a rotation.
#[derive(Deserialize)]
struct Created {
    api_key: SecretString,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let spendings = request.app.store.spendings(person.customer(), &person.account.keys);
    let (list, connections, spendings) = tokio::join!(api.get("/v1/api-keys"), accounts::connections(&api), spendings);
    let spendings = spendings?;
    let mut stops = views(request, person, &spendings).await;
    let list: KeyList = list.map_err(layout::failed)?;
    // Without the connections the page has the form of keys without a limit.
    let connections = connections.unwrap_or_default();
    let layout = Layout::signed_in(request, "API keys", KEYS, person);
    let new_key = open(layout.notice.as_ref(), NEW_KEY);
    let chosen = |scope: Scope| match &layout.notice {
        Some(notice) if !notice.values.is_empty() => {
            notice.values.iter().any(|(key, value)| key == "scopes" && value == scope.as_str())
        }
        _ => scope == Scope::Read,
    };
    let scope = |(scope, meaning): &(Scope, &'static str)| ScopeChoice {
        name: scope.as_str(),
        meaning,
        is_chosen: chosen(*scope),
    };
    let expiry = layout.value("expires").unwrap_or_default().to_owned();
    Ok(layout::show(
        request,
        &KeysPage {
            new_key,
            is_recent: person.session.is_recent(request.now),
            is_full: list.api_keys.iter().filter(|key| key.spending_limit.is_none()).count() >= MAX_KEYS,
            form: LimitForm::new(layout.notice.as_ref(), None, &connections),
            sign_in_again: sign_in_again(KEYS),
            scopes: SCOPES.iter().map(scope).collect(),
            expiries: EXPIRIES.iter().map(|(value, text)| (*value, *text, *value == expiry)).collect(),
            keys: list.api_keys.into_iter().map(|key| row(key, person, &spendings, &mut stops, request.now)).collect(),
            form_key: token(layout.notice.as_ref()),
            layout,
        },
    ))
}

/// Replaces the secret of a key.
pub(crate) async fn rotate(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(KEYS)));
    }
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let api = Api::new(request, person).about(key).of_form(secret_form(request, &form));
    match api.act::<Created>("POST", "/v1/api-keys/rotate").await {
        Ok(created) => Ok(show_once(KEYS, "Key replaced. Copy it now: the old one is invalid.", &created)),
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

fn show_once(page: &str, message: &str, created: &Created) -> WebReply {
    with_secret(Notice::success(message), NEW_KEY, &created.api_key).then(page)
}

fn row(
    key: Key,
    person: &SignedIn,
    spendings: &[KeySpending],
    stops: &mut HashMap<KeyId, StopView>,
    now: Timestamp,
) -> Row {
    let Key { id, name, last_four, scopes, created_at, expires_at, last_used_at, spending_limit } = key;
    // The list comes from the same account.
    let stored = person.account.keys.all().iter().find(|known| known.id.0 == id);
    let spending = spendings.iter().find(|spending| spending.key.0 == id);
    Row {
        bars: spending.map(|spending| bars(spending, now)).unwrap_or_default(),
        runs: spending.map(|_| key_spending(&id)),
        version: stored.map(ApiKeyInfo::version).unwrap_or_default(),
        stop: stops.remove(&KeyId(id.clone())).unwrap_or_default(),
        id,
        name,
        end: last_four.map(|end| format!("…{end}")).unwrap_or_default(),
        scopes: scopes_and_limit(&scopes, spending_limit.as_ref()),
        created_at: layout::readable(created_at),
        last_used_at: readable_text(last_used_at, "never"),
        is_expired: expires_at.is_some_and(|at| at <= now),
        expires_at: readable_text(expires_at, "never"),
    }
}
