//! Changes of campaigns for people: what was done, by whom, and with what outcome.

mod export;
mod row;
mod wire;
mod words;

pub(crate) use export::EXPORT_TITLES;
pub(crate) use row::{Row, tone};
pub(crate) use wire::{Change, ChangeList, Values};
pub(crate) use words::{kind_word, state_word};

use crate::client::accounts::{Connection, account_name};
use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::pages::layout::path_segment;
use serde::Deserialize;
use shared::domain::{self, ChangeId, ChangeStatus};
use shared::envelope::{self, RenderContext, Reply, Shape};
use shared::error::Error;
use shared::serve::WebRequest;

/// The list of changes in the API.
pub(crate) const CHANGES: &str = "/v1/changes";

/// Reads a page of changes in the enveloped shape, because it has more statuses.
pub(crate) async fn read(api: &Api<'_>, target: &str) -> Result<ChangeList, Refusal> {
    api.read(target).await
}

/// Reads one change.
pub(crate) async fn one(api: &Api<'_>, id: &str) -> Result<Change, Refusal> {
    let target = format!("{CHANGES}/{}", path_segment(id));
    api.read::<wire::OneChange>(&target).await.map(|one| one.data)
}

/// Cancels a change that waits. Returns what else that does, such as taking the end of a campaign away.
pub(crate) async fn cancel(api: &Api<'_>, id: &str) -> Result<Option<String>, Refusal> {
    let target = format!("{CHANGES}/{}/cancel", path_segment(id));
    let canceled: Canceled = api.act("POST", &target).await?;
    Ok(canceled.error.map(|error| error.message))
}

/// A canceled change in the flat shape. Its error says what else its end means.
#[derive(Deserialize)]
struct Canceled {
    error: Option<wire::ChangeError>,
}

/// The first rows of changes that have a status, and how many more there are. `ids` come from an index, so a change may
/// have another status by now.
pub(crate) async fn first_rows(
    request: &WebRequest,
    person: &SignedIn,
    ids: &[ChangeId],
    status: ChangeStatus,
    most: usize,
) -> Result<(Vec<Row>, usize), Error> {
    let first = &ids[..ids.len().min(most)];
    let mut changes = request.app.store.changes_by_id(person.customer(), first, request.now).await?;
    changes.retain(|change| change.status(request.now) == status);
    Ok((rows_of(request, changes)?, ids.len() - first.len()))
}

/// These rows with the names of their ad accounts.
pub(crate) fn named(mut rows: Vec<Row>, connections: &[Connection]) -> Vec<Row> {
    for row in &mut rows {
        row.account = account_name(&row.platform, &row.account, connections);
    }
    rows
}

/// The rows of changes that this process has read.
pub(crate) fn rows_of(request: &WebRequest, changes: Vec<domain::Change>) -> Result<Vec<Row>, Error> {
    list_of(request, changes).map(|list| list.rows())
}

/// Reads changes of the customer by their ids. Those that do not exist are left out.
pub(crate) async fn by_id(request: &WebRequest, person: &SignedIn, ids: &[ChangeId]) -> Result<Vec<Change>, Error> {
    let changes = request.app.store.changes_by_id(person.customer(), ids, request.now).await?;
    list_of(request, changes).map(|list| list.changes)
}

/// Changes that this process has read, as the API would show them.
fn list_of(request: &WebRequest, changes: Vec<domain::Change>) -> Result<ChangeList, Error> {
    let context = RenderContext {
        request_id: request.request_id,
        shape: Shape::Enveloped,
        has_two_shapes: false,
        now: request.now,
        is_https: false,
        public_base: None,
        allowance: None,
    };
    let list = envelope::ChangeList { changes, next_cursor: None };
    let response = envelope::render(&Ok(Reply::Changes(list)), &context);
    let body: &[u8] = response.body();
    serde_json::from_slice(body).map_err(Error::internal)
}
