//! Activity: what was done to campaigns, by which person or key and with what outcome, newest first.

mod cancel;
mod export;
mod filter;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::changes::{self, ChangeList, Row, first_rows};
use crate::client::people;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, ACTIVITY};
use crate::kit::choice::Choice;
use crate::pages::layout::{self, Layout};
use askama::Template;
pub(crate) use cancel::cancel;
pub(crate) use export::download;
use filter::Filter;
use shared::domain::ChangeStatus;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Rows on a page.
const ROWS: usize = 25;

#[derive(Template)]
#[template(path = "pages/activity/activity.html")]
struct ActivityPage {
    layout: Layout,
    filter: Filter,
    states: Vec<Choice>,
    kinds: Vec<Choice>,
    keys: Vec<Choice>,
    people: Vec<Choice>,
    rows: Vec<Row>,
    /// The query string of this page, with which the form in a row comes back to it.
    list: String,
    /// The reason for which there are no rows.
    refusal: Option<Refusal>,
    older: Option<String>,
    /// Name and address of the only campaign.
    campaign: Option<(String, String)>,
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
    let filter = Filter::read(&request.query);
    let (api, target) = (Api::new(request, person), filter.api_target(ROWS));
    // Without the connections an account has its number.
    let (list, people, connections) =
        tokio::join!(changes::read(&api, &target), people::all(request, person), accounts::connections(&api));
    let people = people?;
    let (list, refusal) = list.map_or_else(|refusal| (ChangeList::default(), Some(refusal)), |list| (list, None));
    let mut rows = changes::named(list.rows(), &connections.unwrap_or_default());
    rows.iter_mut().for_each(|row| row.name_person(&people));
    let newest = rows.first();
    let name = newest.map_or(filter.campaign(), |row| &row.campaign);
    let campaign = (!filter.campaign().is_empty()).then(|| (name.to_owned(), addresses::campaign(filter.campaign())));
    let template = ActivityPage {
        layout: Layout::signed_in(request, "Activity", ACTIVITY, person),
        states: filter.states(),
        kinds: filter.kinds(),
        keys: filter.keys(person.account.keys.all(), newest.map(|row| row.who.as_str())),
        people: filter.people(&people, newest.map(|row| row.who.as_str())),
        older: list.next_cursor().map(|cursor| filter.older(cursor)),
        campaign,
        list: filter.list(),
        rows,
        refusal,
        filter,
    };
    Ok(layout::show(request, &template))
}

/// The first scheduled changes that wait although their time is over, and how many more there are.
pub(crate) async fn late(request: &WebRequest, person: &SignedIn, most: usize) -> Result<(Vec<Row>, usize), Error> {
    let ids = request.app.store.late_changes(person.customer()).await?;
    first_rows(request, person, &ids, ChangeStatus::Scheduled, most).await
}
