//! API keys: the list, with forms that create, replace and delete keys, and the page of each. A new key is shown once.

mod create;
mod one;
mod stop;
mod words;

pub(crate) use create::create;
pub(crate) use one::{free, revert, show as show_one, ticked_page};
pub(crate) use stop::{resume, stop};

use crate::client::api::Api;
use crate::client::key_stops::views;
use crate::client::keys::{self, KeyList};
use crate::client::new_key::{NEW_KEY, show_once};
use crate::client::notice::Notice;
use crate::client::one_time_secret::{open, secret_form, token};
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, KEYS, OF_USER, USER, of_user, one_key, sign_in_again};
use crate::kit::key_stop::StopView;
use crate::kit::limit::{LimitBar, bars};
use crate::kit::text::{readable, readable_text};
use crate::pages::kept_form::recent_first;
use crate::pages::layout::{self, Layout};
use askama::Template;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use shared::domain::{ApiKeyInfo, KeyId, MAX_KEYS, Scope, Spending, SpendingLimit};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use words::{permits, scopes_and_limit};

/// The choices of the form: the value, and what it says.
const EXPIRIES: &[(&str, &str)] = &[("", "Never"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")];

#[derive(Template)]
#[template(path = "pages/keys/keys.html")]
struct KeysPage {
    layout: Layout,
    /// Makes a double click or a reload make one key.
    form_key: String,
    keys: Vec<KeyRow>,
    new_key: Option<SecretString>,
    /// Whether the person signed in recently enough to make a key.
    is_recent: bool,
    is_full: bool,
    sign_in_again: String,
    scopes: Vec<ScopeChoice>,
    /// The user in the form, as a person filled it in.
    user: String,
    expiries: Vec<(&'static str, &'static str, bool)>,
}

struct ScopeChoice {
    name: &'static str,
    meaning: &'static str,
    is_chosen: bool,
}

struct KeyRow {
    id: String,
    /// The version that the form replaces.
    version: String,
    name: String,
    /// `…wxyz`, which tells the customer's keys apart; empty for an older key.
    end: String,
    scopes: String,
    /// Name and page of the user for whom alone it acts.
    user: Option<(String, String)>,
    created_at: String,
    last_used_at: String,
    expires_at: String,
    is_expired: bool,
    /// Whether it is that of an assistant, which has no secret to replace.
    is_of_assistant: bool,
    /// What a key with a limit has left.
    bars: Vec<LimitBar>,
    /// Its page.
    page: String,
    /// How far the stop of a stopped key is.
    stop: Option<StopView>,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let spendings = request.app.store.spendings(person.customer(), &person.account.keys);
    let (list, spendings, mut stops) = tokio::join!(keys::list(&api), spendings, views(request, person));
    let spendings = spendings?;
    let KeyList { keys, limits } = list.map_err(layout::failed)?;
    let layout = Layout::signed_in(request, "API keys", KEYS, person);
    let new_key = open(layout.notice.as_ref(), NEW_KEY);
    let chosen = |scope: Scope| match &layout.notice {
        Some(notice) if !notice.values.is_empty() => {
            notice.values.iter().any(|(key, value)| key == "scopes" && value == scope.as_str())
        }
        _ => scope == Scope::Read,
    };
    let scope = |scope: Scope| ScopeChoice { name: scope.as_str(), meaning: permits(scope), is_chosen: chosen(scope) };
    let row = |key: ApiKeyInfo| {
        let spending = spendings.iter().find(|spending| spending.spender.key() == Some(&key.id));
        let stop = stops.remove(&key.id);
        let limit = limits.get(&key.id);
        row(key, limit, spending, stop, request.now)
    };
    let expiry = layout.value("expires").unwrap_or_default().to_owned();
    Ok(layout::show(
        request,
        &KeysPage {
            new_key,
            is_recent: person.session.is_recent(request.now),
            is_full: keys.iter().filter(|key| !limits.contains_key(&key.id)).count() >= MAX_KEYS,
            sign_in_again: sign_in_again(KEYS),
            scopes: Scope::ALL.map(scope).into(),
            user: layout.value(OF_USER).unwrap_or_default().to_owned(),
            expiries: EXPIRIES.iter().map(|(value, text)| (*value, *text, *value == expiry)).collect(),
            keys: keys.into_iter().map(row).collect(),
            form_key: token(layout.notice.as_ref()),
            layout,
        },
    ))
}

/// Replaces the secret of a key.
pub(crate) async fn rotate(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let api = Api::new(request, person).about(key).of_form(secret_form(request, &form));
    Ok(match keys::rotate(&api).await {
        Ok(secret) => show_once(KEYS, "Key replaced. Copy it now: the old one is invalid.", &secret),
        Err(refusal) => Notice::failure(refusal, &[]).then(KEYS),
    })
}

/// Deletes a key.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let id = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let is_of_agents = value(&form, "back") == Some("agents");
    let name = stop::name_of(person, &id);
    Ok(match keys::delete(&Api::new(request, person), &id.0).await {
        Ok(()) if is_of_agents => Notice::success(format!("{name} is removed. What it did stays in Activity.")),
        Ok(()) => Notice::success(format!("{name} is deleted. Requests with it are refused from now on.")),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(if is_of_agents { AGENTS } else { KEYS }))
}

fn row(
    key: ApiKeyInfo,
    limit: Option<&SpendingLimit>,
    spending: Option<&Spending>,
    stop: Option<StopView>,
    now: Timestamp,
) -> KeyRow {
    KeyRow {
        bars: spending.map(|spending| bars(spending, now)).unwrap_or_default(),
        page: one_key(&key.id.0),
        version: key.version(),
        stop,
        scopes: scopes_and_limit(&key.scopes, limit),
        user: key.external_ref.as_ref().map(|user| (user.to_string(), of_user(USER, user))),
        created_at: readable(key.created_at),
        last_used_at: readable_text(key.last_used_at, "never"),
        is_expired: key.expires_at.is_some_and(|at| at <= now),
        expires_at: readable_text(key.expires_at, "never"),
        end: key.display.last_four.map(|end| format!("…{end}")).unwrap_or_default(),
        is_of_assistant: key.is_of_assistant,
        id: key.id.0,
        name: key.name,
    }
}
