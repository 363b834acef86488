//! `listCampaigns`: one list over all connections, by platform, then account, then newest first.

use crate::cursor::Cursor;
use futures_util::StreamExt;
use shared::domain::{Campaign, CampaignId, Connection, ConnectionStatus, ListFilters};
use shared::envelope::query::{ListQuery, read_list};
use shared::envelope::{CampaignList, Reply};
use shared::error::{Error, Kind};
use shared::platforms::{CampaignPage, ListRequest};
use shared::serve::Call;
use shared::tokens::grant_revoked;

/// Concurrent reads of connections.
const CONCURRENT_READS: usize = 8;

/// Lists campaigns, read live from the platforms.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let ListQuery { filters, limit, cursor } = read_list(call.request.shape, &call.request.query)?;
    let cursor = cursor.map(|text| Cursor::decode(&text, &filters)).transpose()?;
    let mut merged = merge_pages(call, &filters, limit, cursor.as_ref()).await?;
    complete(call, &mut merged.campaigns).await;
    Ok(Reply::Campaigns(merged))
}

/// Reads the connections in order, a few ahead, until the page is full and the existence of a next page is known.
async fn merge_pages(
    call: &Call,
    filters: &ListFilters,
    limit: usize,
    cursor: Option<&Cursor>,
) -> Result<CampaignList, Error> {
    let reads = in_scope(call, filters, cursor).into_iter();
    let reads: Vec<_> = reads.map(|(connection, after)| read_page(call, connection, filters, limit, after)).collect();
    let mut pages = futures_util::stream::iter(reads).buffered(CONCURRENT_READS);

    let mut merged = CampaignList { campaigns: Vec::new(), next_cursor: None, failures: Vec::new() };
    let (mut last, mut any_answered) = (None, false);
    while let Some((connection, outcome)) = pages.next().await {
        let page = match outcome {
            Ok(page) => page,
            // An invalid request is not a failure of the connection.
            Err(error) if error.kind == Kind::Validation => return Err(error),
            Err(error) => {
                merged.failures.push((connection.platform, connection.id.clone(), error));
                continue;
            }
        };
        any_answered = true;
        let remaining = limit - merged.campaigns.len();
        let has_more = page.has_more || page.campaigns.len() > remaining;
        for (campaign, position) in page.campaigns.into_iter().zip(page.positions).take(remaining) {
            merged.campaigns.push(campaign);
            last = Some((connection, position));
        }
        if has_more {
            merged.next_cursor = next_cursor(last, filters)?;
            break;
        }
    }
    if !any_answered && !merged.failures.is_empty() {
        return Err(merged.failures.swap_remove(0).2);
    }
    Ok(merged)
}

/// The connections to read, each with its start position.
fn in_scope<'a>(
    call: &'a Call,
    filters: &ListFilters,
    cursor: Option<&Cursor>,
) -> Vec<(&'a Connection, Option<String>)> {
    let matches = |connection: &&Connection| {
        connection.account.is_some()
            && filters.platform.is_none_or(|platform| platform == connection.platform)
            && filters.account_id.as_deref().is_none_or(|account| account == connection.account_id())
    };
    let with_position = |connection| {
        let after = cursor.map_or(Some(None), |cursor| cursor.position_in(connection))?;
        Some((connection, after))
    };
    call.connected.connections.iter().filter(matches).filter_map(with_position).collect()
}

fn next_cursor(last: Option<(&Connection, String)>, filters: &ListFilters) -> Result<Option<String>, Error> {
    last.map(|(connection, position)| Cursor::new(connection, position, filters).encode()).transpose()
}

/// Reads a page from a connection.
async fn read_page<'a>(
    call: &'a Call,
    connection: &'a Connection,
    filters: &ListFilters,
    limit: usize,
    after: Option<String>,
) -> (&'a Connection, Result<CampaignPage, Error>) {
    let request = &ListRequest { statuses: filters.statuses, limit, after };
    let page = match connection.status {
        ConnectionStatus::Active => {
            let context = call.platform_context();
            let work = context.in_account(connection, |adapter, session| async move {
                adapter.list_campaigns(&session, request).await
            });
            work.await
        }
        ConnectionStatus::Revoked => Err(grant_revoked(connection.platform)),
        ConnectionStatus::Error | ConnectionStatus::Pending => Err(connection_error(connection)),
    };
    (connection, page)
}

fn connection_error(connection: &Connection) -> Error {
    let reason = connection.reason.as_deref().unwrap_or("the platform refuses it");
    let message = format!("The connection does not work ({reason}); authorize the account again.");
    Error::new(Kind::Forbidden, message).on(connection.platform)
}

/// Completes campaigns from their stored records, in one round trip for the whole page. If the read fails, the platforms'
/// data stands alone.
async fn complete(call: &Call, campaigns: &mut [Campaign]) {
    if campaigns.is_empty() {
        return;
    }
    let ids: Vec<&CampaignId> = campaigns.iter().map(|campaign| &campaign.id).collect();
    let mut records = match call.store().records(call.customer.id, &ids).await {
        Ok(records) => records,
        Err(error) => {
            tracing::error!(%error, source = error.source, "campaign records not read");
            return;
        }
    };
    for campaign in campaigns {
        if let Some(record) = records.remove(&campaign.id.to_string()) {
            record.apply_to(campaign);
        }
    }
}
