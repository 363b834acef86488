//! `listChanges` (D58 in docs/decisions.md).

use super::cursor;
use shared::domain::{Change, ChangeFilters, ChangeId};
use shared::envelope::{ChangeList, ChangesQuery, Reply, read_changes};
use shared::error::Error;
use shared::serve::{Call, log_page};

/// Changes that one query reads if a filter skips some of them.
const SCAN_SIZE: usize = 100;

/// Lists changes, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let ChangesQuery { filters, limit, cursor } = read_changes(&call.request.query)?;
    let after = cursor.map(|text| cursor::decode(&text, &filters)).transpose()?;
    let query_size = query_size(&filters, limit)?;
    let filters = &filters;
    let read = |after: Option<ChangeId>| async move {
        let mut page = call.store().history(call.customer.id, filters, after, query_size, call.request.now).await?;
        page.changes.retain(|change| call.sees(&change.connection));
        Ok((page.changes, page.next))
    };
    let (changes, next) = log_page(limit, after, read, |change: &Change| change.id).await?;
    let next_cursor = next.map(|after| cursor::encode(after, filters)).transpose()?;
    Ok(Reply::Changes(ChangeList { changes, next_cursor }))
}

/// The size of a query. Without a filter, one more than the page size shows whether a next page exists.
fn query_size(filters: &ChangeFilters, limit: usize) -> Result<i32, Error> {
    let size = if filters.only_by_key() { limit + 1 } else { SCAN_SIZE };
    i32::try_from(size).map_err(Error::internal)
}
