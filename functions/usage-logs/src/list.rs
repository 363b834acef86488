//! `GET /v1/usage-logs` (spec 4.5, D36 in the README).

use crate::cursor;
use shared::domain::{UsageEntry, UsageFilters};
use shared::envelope::{Reply, UsageLogs, UsageQuery, read_usage_logs};
use shared::error::Error;
use shared::serve::Call;

/// How many entries one read of the store goes through when only some of them are wanted.
const STEP: usize = 500;
/// Most reads for one page. A page that is not full by then says where to go on.
const MOST_STEPS: usize = 10;

/// Lists entries, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let UsageQuery { filters, limit, cursor } = read_usage_logs(&call.request.query)?;
    let mut next = cursor.map(|text| cursor::decode(&text, &filters)).transpose()?;
    let read = step(&filters, limit)?;
    let mut entries = Vec::new();
    for _ in 0..MOST_STEPS {
        let page = call.store().usage(call.customer.id, &filters, next.as_ref(), read, call.request.now).await?;
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

/// One more than the page holds tells whether more follow, where every entry is wanted.
fn step(filters: &UsageFilters, limit: usize) -> Result<i32, Error> {
    let step = if filters.only_by_time() { limit + 1 } else { STEP };
    i32::try_from(step).map_err(Error::internal)
}
