//! `listCampaigns`: one list over all connections, by platform, then account, then newest first.

use crate::cursor::Cursor;
use crate::list_page::ListPage;
use crate::list_scope::{FirstBatch, ListScope, ListedConnection};
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use shared::domain::{Campaign, CampaignId, Connection, ConnectionStatus, ListFilters};
use shared::envelope::query::ListQuery;
use shared::envelope::{CampaignList, Reply};
use shared::error::{Error, Kind};
use shared::platforms::{CampaignPage, ListRequest};
use shared::serve::Call;
use shared::tokens::{PlatformContext, grant_revoked};
use std::time::Duration;
use tokio::time::Instant;

/// A list asks no further account after this time. Those that it has asked may take until the request's deadline.
const ASK_TIME: Duration = Duration::from_secs(5);

/// Lists campaigns, read live from the platforms.
pub(crate) async fn list(call: &Call, first: Result<FirstBatch, Error>) -> Result<Reply, Error> {
    let mut list = merge_pages(call, first?).await?;
    complete(call, &mut list.campaigns).await;
    Ok(Reply::Campaigns(list))
}

/// Reads the connections in order, several at a time, until the page is full or [`ASK_TIME`] is over. Every connection
/// that was asked counts on this page, so that the next page starts at one that was not.
async fn merge_pages(call: &Call, first: FirstBatch) -> Result<CampaignList, Error> {
    let FirstBatch { query: ListQuery { filters, limit, .. }, cursor, batch } = first;
    let mut scope = ListScope::new(call, &filters, cursor.as_ref(), batch);
    let until = Instant::now() + ASK_TIME;
    let (mut page, mut reads) = (ListPage::new(limit), FuturesOrdered::new());
    let mut rest = None;
    while rest.is_none() {
        // The first connection is asked however late it is: every page makes progress.
        while reads.len() < page.reads_ahead() && (page.is_untouched() && reads.is_empty() || Instant::now() < until) {
            let Some(listed) = scope.next().await? else { break };
            reads.push_back(read_page(call, listed, &filters, limit));
        }
        let Some((listed, outcome)) = reads.next().await else { break };
        let rest_of = page.add(&listed.connection, listed.after.clone(), outcome)?;
        rest = rest_of.map(|after| ListedConnection { after, ..listed });
    }
    if rest.is_none() {
        rest = scope.next().await?;
    }
    let next = rest.map(|listed| Cursor::new(&listed.connection, listed.after, &filters).encode()).transpose()?;
    page.finish(next, cursor.is_none())
}

/// Reads a page from a connection.
async fn read_page(
    call: &Call,
    listed: ListedConnection,
    filters: &ListFilters,
    limit: usize,
) -> (ListedConnection, Result<CampaignPage, Error>) {
    let connection = &listed.connection;
    let request = &ListRequest { statuses: filters.statuses, limit, after: listed.after.clone() };
    let page = match connection.status {
        ConnectionStatus::Active => {
            let context = PlatformContext { connected: &listed.connected, ..call.platform_context() };
            let work = context.in_account(connection, |adapter, session| async move {
                adapter.list_campaigns(&session, request).await
            });
            work.await
        }
        ConnectionStatus::Revoked => Err(grant_revoked(connection.platform)),
        ConnectionStatus::Error | ConnectionStatus::Pending => Err(connection_error(connection)),
    };
    (listed, page)
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
