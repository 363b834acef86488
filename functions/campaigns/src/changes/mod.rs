//! The history of changes: who changed which campaign, and with what outcome (D58).

mod approval;
mod cancel;
mod undo;

pub(crate) use approval::{approve, reject, review};
pub(crate) use cancel::cancel;
pub(crate) use undo::{prefetch as prefetch_undo_target, undo};

use serde::Serialize;
use shared::domain::{Change, ChangeFilters, ChangeId, ChangeKind, ChangeStatus, CustomerId};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{ChangeList, ChangesQuery, Reply, decode_log_cursor, encode_log_cursor, read_changes};
use shared::error::Error;
use shared::serve::{ApiRequest, Call, log_page};

/// What an error calls a change.
const KIND: &str = "change";
/// Changes that one query reads if a filter skips some of them.
const SCAN_SIZE: usize = 100;

/// Reads a change of the customer; 404 in every other case.
pub(crate) async fn get(call: &Call, prefetched: Result<Change, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Change(Box::new(call.require_visible(prefetched?, KIND)?)))
}

/// Reads the change during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Change, Error> {
    let id = ChangeId::parse(&request.parameter).ok_or_else(not_found)?;
    let change = request.app.store.change(customer, id).await?;
    change.filter(|change| change.expires_at > request.now).ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found(KIND)
}

/// Lists changes, newest first, or oldest first since one.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let ChangesQuery { filters, limit, cursor } = read_changes(&call.request.query, call.request.now)?;
    let key_digest = filters.key_digest.map(|digest| call.request.scoped_key_digest(digest));
    let filters = ChangeFilters { key_digest, external_ref: call.user().cloned(), ..filters };
    let after = cursor.map(|text| decode(&text, &filters)).transpose()?;
    let query_size = query_size(call, &filters, limit)?;
    let filters = &filters;
    let read = |after: Option<ChangeId>| async move {
        let page = call.store().history(call.customer.id, filters, after, query_size, call.request.now).await?;
        Ok((call.visible(page.changes).collect(), page.next))
    };
    let (changes, next) = log_page(limit, after, read, |change: &Change| change.id).await?;
    let next_since = filters.next_since(after, next, call.request.now);
    let next_cursor = next.map(|after| encode(after, filters)).transpose()?;
    Ok(Reply::Changes(ChangeList { changes, next_cursor, next_since }))
}

/// The size of a query. If nothing is skipped, one more than the page size shows whether a next page exists.
fn query_size(call: &Call, filters: &ChangeFilters, limit: usize) -> Result<i32, Error> {
    let size = if filters.only_by_key() && call.sees_all_it_asks_for() { limit + 1 } else { SCAN_SIZE };
    i32::try_from(size).map_err(Error::internal)
}

/// Encodes a cursor.
fn encode(after: ChangeId, filters: &ChangeFilters) -> Result<String, Error> {
    encode_log_cursor(&after, &filter_values(filters))
}

/// Decodes a cursor. DynamoDB rejects a start key outside of the queried range.
fn decode(text: &str, filters: &ChangeFilters) -> Result<ChangeId, Error> {
    let parse = |text: &str| ChangeId::parse(text).filter(|id| filters.time_range_contains(*id));
    decode_log_cursor(text, &filter_values(filters), parse)
}

/// The filters as a cursor binds them.
fn filter_values(filters: &ChangeFilters) -> impl Serialize {
    let ChangeFilters {
        from,
        to,
        campaign,
        status,
        kind,
        api_key,
        person,
        reference,
        key_digest,
        external_ref,
        connection,
        since,
    } = filters.clone();
    let own_names = (reference, key_digest, external_ref, connection.map(|connection| connection.0), since);
    (
        from.map(|at| at.to_string()),
        to.map(|at| at.to_string()),
        campaign,
        status.map(ChangeStatus::as_str),
        kind.map(ChangeKind::as_str),
        api_key.map(|key| key.0),
        person.map(|person| person.0),
        own_names,
    )
}
