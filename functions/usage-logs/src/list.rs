//! `listUsageLogs` (D36 in docs/decisions.md).

use crate::cursor;
use shared::domain::{UsageEntry, UsageFilters, UsagePosition};
use shared::envelope::{Reply, UsageLogs, UsageQuery, read_usage_logs};
use shared::error::Error;
use shared::serve::{Call, log_page};

/// Entries that one query reads if a filter skips some of them.
const SCAN_SIZE: usize = 500;

/// Lists entries, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let UsageQuery { filters, limit, cursor } = read_usage_logs(&call.request.query)?;
    let after = cursor.map(|text| cursor::decode(&text, &filters)).transpose()?;
    let query_size = query_size(&filters, limit)?;
    let filters = &filters;
    let read = |after: Option<UsagePosition>| async move {
        let page = call.store().usage(call.customer.id, filters, after.as_ref(), query_size, call.request.now).await?;
        Ok((page.entries, page.next))
    };
    let (entries, next) = log_page(limit, after, read, UsageEntry::position).await?;
    let next_cursor = next.map(|position| cursor::encode(&position, filters)).transpose()?;
    Ok(Reply::UsageLogs(UsageLogs { entries, next_cursor }))
}

/// The size of a query. Without a filter, one more than the page size shows whether a next page exists.
fn query_size(filters: &UsageFilters, limit: usize) -> Result<i32, Error> {
    let size = if filters.only_by_time() { limit + 1 } else { SCAN_SIZE };
    i32::try_from(size).map_err(Error::internal)
}
