//! `listUsageLogs` (D36 in docs/decisions.md).

use crate::cursor;
use shared::domain::{UsageEntry, UsageFilters};
use shared::envelope::{Reply, UsageLogs, UsageQuery, read_usage_logs};
use shared::error::Error;
use shared::serve::Call;

/// Entries that one query reads if a filter skips some of them.
const SCAN_SIZE: usize = 500;
/// Most queries for one page. A page that is not full by then has a cursor.
const MAX_SCANS: usize = 10;

/// Lists entries, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let UsageQuery { filters, limit, cursor } = read_usage_logs(&call.request.query)?;
    let mut next = cursor.map(|text| cursor::decode(&text, &filters)).transpose()?;
    let query_size = query_size(&filters, limit)?;
    let mut entries = Vec::new();
    for _ in 0..MAX_SCANS {
        let page = call.store().usage(call.customer.id, &filters, next.as_ref(), query_size, call.request.now).await?;
        entries.extend(page.entries);
        next = page.next;
        if entries.len() > limit || next.is_none() {
            break;
        }
    }
    if entries.len() > limit {
        entries.truncate(limit);
        next = entries.last().map(UsageEntry::position);
    }
    let next_cursor = next.map(|position| cursor::encode(&position, &filters)).transpose()?;
    Ok(Reply::UsageLogs(UsageLogs { entries, next_cursor }))
}

/// The size of a query. Without a filter, one more than the page size shows whether a next page exists.
fn query_size(filters: &UsageFilters, limit: usize) -> Result<i32, Error> {
    let size = if filters.only_by_time() { limit + 1 } else { SCAN_SIZE };
    i32::try_from(size).map_err(Error::internal)
}
