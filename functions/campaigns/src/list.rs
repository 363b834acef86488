//! `listCampaigns`: one list over all connections, by platform, then account, then newest first.

use crate::listed_connections::FirstBatch;
use crate::merge::{MergeRequest, merge};
use shared::domain::{Campaign, CampaignId};
use shared::envelope::query::ListQuery;
use shared::envelope::{CampaignList, Reply};
use shared::error::Error;
use shared::platforms::ListRequest;
use shared::serve::Call;

/// Lists campaigns, read live from the platforms.
pub(crate) async fn list(call: &Call, first: Result<FirstBatch, Error>) -> Result<Reply, Error> {
    let FirstBatch { query: ListQuery { filters, limit, .. }, cursor, batch } = first?;
    let statuses = filters.statuses;
    let request = MergeRequest { filters: &filters, report: None, limit, cursor: cursor.as_ref() };
    let merged = merge(call, request, batch, |adapter, session, after| async move {
        adapter.list_campaigns(&session, &ListRequest { statuses, limit, after }).await
    });
    let (page, next_cursor) = merged.await?;
    let mut list = CampaignList { campaigns: page.rows, next_cursor, failures: page.failures };
    complete(call, &mut list.campaigns).await;
    Ok(Reply::Campaigns(list))
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
