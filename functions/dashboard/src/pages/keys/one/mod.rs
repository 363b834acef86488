//! The page of an API key: what it did and what runs because of it, its limit, and how it is stopped and what it did is
//! reverted, together or alone.

mod did;
mod free;
mod limit;
mod plan;
mod plan_view;
mod revert;
mod since;
mod stop_and_revert;
mod stopped;
mod touched;

pub(crate) use free::free;
use revert::left_out;
pub(crate) use revert::{revert, ticked_page};

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::assistants;
use crate::client::limit_form;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, KEYS, key_activity, one_key, sign_in_again};
use crate::kit::assistant::AssistantView;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::choice::Choice;
use crate::pages::layout::{self, Layout};
use askama::Template;
use did::{DidView, Read, Times};
use jiff::Timestamp;
use limit::LimitView;
use plan_view::PlanView;
use shared::domain::{ApiKeyInfo, KeyId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use since::{SINCE_FIELD, Since};
use std::time::Duration;
use stopped::Stopped;
use tokio::time::Instant;
use uuid::Uuid;

/// How long the first answer waits for platforms, and how long the complete one does.
const FIRST: Duration = Duration::from_millis(900);
const COMPLETE: Duration = Duration::from_secs(8);

#[derive(Template)]
#[template(path = "pages/keys/one/key.html")]
struct KeyPage {
    layout: Layout,
    id: String,
    name: String,
    /// Address and words of the list that it is in.
    list: (&'static str, &'static str),
    /// Class and text of its badge.
    badge: (&'static str, &'static str),
    /// Makes a double click or a reload revert once.
    form_key: String,
    since: Since,
    choices: Vec<Choice>,
    /// The activity of the key.
    activity: String,
    did: DidView,
    /// Who has connected it, if it is an assistant.
    assistant: Option<AssistantView>,
    limit: Option<LimitView>,
    /// Whether it can still make changes.
    is_live: bool,
    /// Its stop, and what was seen since.
    stop: Option<Stopped>,
    /// Those that the stop has paused and that run again.
    again: Option<String>,
    /// Whether the page shows how far the stop is until that is done, and no plan.
    refreshes: bool,
    /// The page with the plan.
    plan_path: String,
    plan: Option<PlanView>,
    /// The address at which the page is complete.
    next: Option<String>,
    /// Whether the person signed in recently enough.
    is_recent: bool,
    sign_in_again: String,
}

impl KeyPage {
    /// What the page calls it.
    fn noun(&self) -> &'static str {
        if self.list.0 == AGENTS { "agent" } else { "key" }
    }

    /// Whether a revert has something to do, or that is still being read: the buttons below it stay where they are.
    fn may_have_revert(&self) -> bool {
        self.has_revert() || self.plan.is_none() && self.next.is_some()
    }

    /// Whether a revert has something to do, which is usually better than a pause alone.
    fn has_revert(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| !plan.rows.is_empty())
    }
}

/// Shows the page. Nothing is changed yet.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = KeyId(value(&request.query, "id").unwrap_or_default().to_owned());
    let known = person.account.keys.all().iter().find(|key| key.id == id);
    let since = Since::of(&request.query, known.is_none());
    let mut stop = Stopped::read(request, person, known).await;
    // While a stop goes on, the page is asked for again and again: then it reads no platform.
    let refreshes = value(&request.query, SINCE_FIELD).is_none() && stop.as_ref().is_some_and(|stop| stop.view.goes_on);
    let is_last = value(&request.query, "wait") == Some("all") || Notice::is_waiting(request);
    let until = Instant::now() + if is_last { COMPLETE } else { FIRST };
    let times = Times { now: request.now, until: (!refreshes).then_some(until), is_last };
    let api = Api::new(request, person);
    let (mut read, limit, connections, assistant) = tokio::join!(
        Read::of(request, person, &id, since, times),
        LimitView::read(request, person, known),
        accounts::connections(&api),
        assistants::view(request, person, known),
    );
    let connections = connections.unwrap_or_default();
    let name = known.map(|key| key.name.clone()).or_else(|| read.name.take()).ok_or_else(not_found)?;
    let list = if known.is_some_and(|key| key.is_limited) { (AGENTS, "All agents") } else { (KEYS, "All API keys") };
    let layout = Layout::signed_in(request, name.clone(), list.0, person);
    let (did, is_waiting) = (read.view(), read.is_late && !is_last);
    if let Some(stop) = &mut stop
        && did.running.is_some()
    {
        // The page has read the campaigns, so nothing is said by an older reading.
        stop.view.runs = None;
    }
    let again = read.plan.as_ref().and_then(|plan| plan.again.words(&person.session.person));
    let template = KeyPage {
        form_key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        layout,
        name,
        list,
        badge: badge(known, request.now),
        choices: since.choices(),
        activity: key_activity(&id.0),
        did,
        assistant: assistant?,
        limit: limit?.map(|limit| limit.seeing(&limit_form::names(&connections))),
        is_live: known.is_some_and(|key| key.stopped_at.is_none()),
        stop,
        again,
        refreshes,
        plan_path: since.page(&id.0),
        plan: read.plan.map(|plan| PlanView::of(plan, &left_out(&request.query), &connections)),
        next: is_waiting.then(|| format!("{}&wait=all", since.page(&id.0))),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&if refreshes { one_key(&id.0) } else { since.page(&id.0) }),
        since,
        id: id.0,
    };
    Ok(layout::show(request, &template))
}

/// Class and text of a key's badge.
fn badge(key: Option<&ApiKeyInfo>, now: Timestamp) -> (&'static str, &'static str) {
    match key {
        None => ("plain", "Deleted"),
        Some(key) if key.stopped_at.is_some() => ("bad", "Stopped"),
        Some(key) if key.expires_at.is_some_and(|at| at <= now) => ("bad", "Expired"),
        Some(_) => ("good", "Active"),
    }
}

fn not_found() -> Error {
    Error::new(Kind::NotFound, "This key does not exist, or did nothing in this time. API keys lists all keys.")
}

#[cfg(test)]
mod tests;
