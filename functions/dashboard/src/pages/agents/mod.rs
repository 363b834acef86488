//! Agents: keys with a spending limit for MCP clients, how to connect one, and what each may do.

mod clients;
mod limit;
mod list;
mod sign_out;
mod told;

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::approvals;
use crate::client::assistants;
use crate::client::key_stops::views;
use crate::client::limit_form;
use crate::client::new_key::{self, CREATED, NEW_KEY};
use crate::client::one_time_secret::{open, token};
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, OF_USER, sign_in_again};
use crate::kit::limit::LimitForm;
use crate::pages::kept_form::recent_first;
use crate::pages::layout::{self, Layout};
use askama::Template;
use clients::{Client, clients};
pub(crate) use limit::{set_limit, show_limit};
use list::{Agent, Known, agents};
use secrecy::{ExposeSecret, SecretString};
use shared::domain::{MAX_AWAITING, MAX_LIMITED_KEYS};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::routes::MCP;
use shared::serve::WebRequest;
pub(crate) use sign_out::sign_out;
use told::Program;

/// The parameter with the way to connect that is unfolded, and its value for a key.
const OPEN: &str = "open";
const OPEN_KEY: &str = "key";

#[derive(Template)]
#[template(path = "pages/agents/agents.html")]
struct AgentsPage {
    layout: Layout,
    /// Makes a double click or a reload make one key.
    form_key: String,
    new_key: Option<SecretString>,
    /// What an assistant is given to sign in.
    address: String,
    /// Whether only programs on this device reach it.
    is_local: bool,
    clients: Vec<Client>,
    agents: Vec<Agent>,
    programs: Vec<Program>,
    /// Whether what a program did is at least that.
    is_cut: bool,
    form: LimitForm,
    /// The user in the form, as a person filled it in.
    user: String,
    most: usize,
    is_full: bool,
    /// Whether the person signed in recently enough to make a key.
    is_recent: bool,
    sign_in_again: String,
    /// Whether the ways to connect are unfolded: by signing in, and with a key.
    opens_assistant: bool,
    opens_key: bool,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let keys = &person.account.keys;
    let (spendings, connections, waiting, stops, assistants) = tokio::join!(
        request.app.store.spendings(person.customer(), keys),
        accounts::connections(&api),
        approvals::waiting(request, person, MAX_AWAITING),
        views(request, person),
        assistants::views(request, person),
    );
    let (spendings, (waiting, _), assistants) = (spendings?, waiting?, assistants?);
    let connections = connections.map_err(layout::failed)?;
    let told = told::read(request, person, &spendings, &stops).await;
    let waiting = waiting.into_iter().map(|row| row.key).collect();
    let names = limit_form::names(&connections);
    let known = Known { spendings, names, stops, assistants, after: told.agents, waiting };
    let layout = Layout::signed_in(request, "Agents", AGENTS, person);
    let address = request.public_url(MCP)?;
    let new_key = open(layout.notice.as_ref(), NEW_KEY);
    let agents = agents(keys.all(), known, request.now);
    let open = value(&request.query, OPEN);
    let is_sent = layout.notice.as_ref().is_some_and(|notice| !notice.values.is_empty() || !notice.errors.is_empty());
    let opens_key = is_sent || open == Some(OPEN_KEY);
    let template = AgentsPage {
        opens_assistant: open == Some("assistant") || agents.is_empty() && !opens_key,
        opens_key,
        form_key: token(layout.notice.as_ref()),
        clients: clients(&address, new_key.as_ref())?,
        is_local: !request.is_https(),
        address,
        new_key,
        agents,
        programs: told.programs,
        is_cut: told.is_cut,
        form: limit_form::of(layout.notice.as_ref(), None, &connections),
        user: layout.value(OF_USER).unwrap_or_default().to_owned(),
        most: MAX_LIMITED_KEYS,
        is_full: keys.are_all_limited_ones_taken(),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&format!("{AGENTS}?{OPEN}={OPEN_KEY}")),
        layout,
    };
    Ok(layout::show(request, &template))
}

/// Creates the key of an agent. It always has a limit.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    Ok(match new_key::create(request, person, form, true).await {
        Ok(secret) => new_key::show_once(AGENTS, CREATED, &secret),
        Err(notice) => notice.then(AGENTS),
    })
}

#[cfg(test)]
mod tests;
