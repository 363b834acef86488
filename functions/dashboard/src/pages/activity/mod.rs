//! Activity: what was done to campaigns, by which person or key and with what outcome, newest first.

mod by_name;
mod cancel;
mod export;
mod filter;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::client::paused_all::{self, PausedAll};
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{self, ACTIVITY};
use crate::kit::changes::{ChangeRow, rows};
use crate::kit::choice::Choice;
use crate::kit::only_user::OnlyUser;
use crate::pages::layout::{self, Layout};
use askama::Template;
use by_name::{Named, find};
pub(crate) use cancel::{cancel, page_of};
pub(crate) use export::download;
use filter::Filter;
use shared::envelope::{ChangeList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Rows on a page.
const ROWS: usize = 25;

#[derive(Template)]
#[template(path = "pages/activity/activity.html")]
struct ActivityPage {
    layout: Layout,
    filter: Filter,
    only_user: Option<OnlyUser>,
    states: Vec<Choice>,
    kinds: Vec<Choice>,
    keys: Vec<Choice>,
    people: Vec<Choice>,
    rows: Vec<ChangeRow>,
    /// The pause of everything, while it can be undone; on the newest page of everything.
    paused_all: Option<PausedAll>,
    /// The query string of this page, with which the form in a row comes back to it.
    list: String,
    /// The reason for which there are no rows.
    refusal: Option<Refusal>,
    older: Option<String>,
    /// The page of the only key, where it is stopped and reverted.
    key_page: Option<String>,
    /// Name and address of the only campaign.
    campaign: Option<(String, String)>,
    /// The campaigns that a person has asked for by their name.
    named: Option<Named>,
}

impl ActivityPage {
    /// Whether nothing was ever done.
    fn is_new(&self) -> bool {
        let is_empty = self.rows.is_empty() && self.refusal.is_none() && self.older.is_none();
        is_empty && self.filter.is_empty() && self.filter.is_newest()
    }
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let (filter, user) = (Filter::read(&request.query), users::named(&request.query)?);
    let named = find(request, person, &filter, user.as_ref()).await;
    if let Some(only) = named.as_ref().and_then(Named::only) {
        return Ok(WebReply::see_other(only));
    }
    let (api, target) = (Api::new(request, person).acting_for(user.as_ref()), filter.api_target(ROWS));
    // Without the connections an account has its number.
    let (list, connections) = tokio::join!(changes::list(&api, &target), accounts::connections(&api));
    let connections = connections.unwrap_or_default();
    let is_whole = user.is_none() && filter.is_empty() && filter.is_newest();
    let paused_all = if is_whole {
        let kept = Overview::after_pause_of_all(request, person, &connections).await;
        paused_all::read(&api, person, &kept).await
    } else {
        None
    };
    let people = &person.people;
    let (ChangeList { changes, next_cursor, .. }, refusal) = match list {
        Ok(list) => (list, None),
        Err(refusal) => (ChangeList { changes: Vec::new(), next_cursor: None, next_since: None }, Some(refusal)),
    };
    let mut rows = changes::with_account_names(rows(&changes, request.now), &connections);
    rows.iter_mut().for_each(|row| row.name_person(people));
    if filter.campaign().is_empty() {
        rows.iter_mut().for_each(|row| row.only = row.campaign_id.as_deref().map(|id| filter.of_campaign(id)));
    }
    let newest = rows.first();
    let name = newest.map_or(filter.campaign(), |row| &row.campaign);
    let campaign = (!filter.campaign().is_empty()).then(|| (name.to_owned(), addresses::campaign(filter.campaign())));
    let template = ActivityPage {
        layout: Layout::signed_in(request, "Activity", ACTIVITY, person),
        only_user: OnlyUser::new(user.as_ref(), filter.of_all_users()),
        states: filter.states(),
        kinds: filter.kinds(),
        keys: filter.keys(person.account.keys.all(), user.as_ref(), newest.map(|row| row.who.as_str())),
        people: filter.people(people, newest.map(|row| row.who.as_str())),
        older: next_cursor.map(|cursor| filter.older(&cursor)),
        key_page: filter.key().map(addresses::one_key),
        campaign,
        named,
        list: filter.list(),
        rows,
        paused_all,
        refusal,
        filter,
    };
    Ok(layout::show(request, &template))
}
