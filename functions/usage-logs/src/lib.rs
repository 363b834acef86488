//! The usage log endpoint: a customer's requests and their responses (D36).

mod cursor;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::{UsageEntry, UsageFilters, UsagePosition};
use shared::envelope::{Reply, UsageLogs, UsageQuery, read_usage_logs};
use shared::error::Error;
use shared::routes::{Endpoint, UsageLogsEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, Call, IncomingRequest, log_page, serve};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Entries that one query reads if a filter skips some of them.
const SCAN_SIZE: usize = 500;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::UsageLogs(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        UsageLogsEndpoint::ListUsageLogs => serve(incoming, list).await,
    }
}

/// Lists entries, newest first.
async fn list(call: &Call) -> Result<Reply, Error> {
    let UsageQuery { filters, limit, cursor } = read_usage_logs(&call.request.query)?;
    let key_digest = filters.key_digest.map(|digest| call.request.scoped_key_digest(digest));
    let filters = UsageFilters { key_digest, external_ref: call.user().cloned(), ..filters };
    let after = cursor.map(|text| cursor::decode(&text, &filters)).transpose()?;
    let query_size = query_size(&filters, limit)?;
    let filters = &filters;
    let read = |after: Option<UsagePosition>| async move {
        let page = call.store().usage(call.customer.id, filters, after.as_ref(), query_size, call.request.now).await?;
        Ok((page.entries, page.next))
    };
    let (entries, next) = log_page(limit, after.clone(), read, UsageEntry::position).await?;
    let last = entries.last().map(UsageEntry::position);
    let next_cursor = next.map(|stopped| cursor::encode(&stopped.told(after, last), filters)).transpose()?;
    Ok(Reply::UsageLogs(UsageLogs { entries, next_cursor }))
}

/// The size of a query. Without a filter, one more than the page size shows whether a next page exists.
fn query_size(filters: &UsageFilters, limit: usize) -> Result<i32, Error> {
    let size = if filters.only_by_time() { limit + 1 } else { SCAN_SIZE };
    i32::try_from(size).map_err(Error::internal)
}
