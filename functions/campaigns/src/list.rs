//! `listCampaigns`: one list over all connections, by platform, then account, then newest first.

use crate::listed_connections::FirstBatch;
use crate::merge::{MergeRequest, merge};
use shared::domain::{Campaign, CampaignId, PlatformCampaign};
use shared::envelope::query::ListQuery;
use shared::envelope::{CampaignList, Reply};
use shared::error::Error;
use shared::platforms::ListRequest;
use shared::serve::Call;
use std::collections::HashMap;

/// Lists campaigns, read live from the platforms.
pub(crate) async fn list(call: &Call, first: Result<FirstBatch, Error>) -> Result<Reply, Error> {
    let FirstBatch { query: ListQuery { filters, limit, .. }, cursor, batch } = first?;
    let statuses = filters.statuses;
    let request = MergeRequest { filters: &filters, report: None, limit, cursor: cursor.as_ref() };
    let merged = merge(call, request, batch, |adapter, session, after| async move {
        adapter.list_campaigns(&session, &ListRequest { statuses, limit, after }).await
    });
    let (page, next_cursor) = merged.await?;
    let campaigns = complete(call, page.rows).await;
    Ok(Reply::Campaigns(CampaignList { campaigns, next_cursor, failures: page.failures }))
}

/// Completes campaigns from their stored records, in one round trip for the whole page. If the read fails, the
/// platforms' data stands alone.
async fn complete(call: &Call, campaigns: Vec<PlatformCampaign>) -> Vec<Campaign> {
    if campaigns.is_empty() {
        return Vec::new();
    }
    let ids: Vec<&CampaignId> = campaigns.iter().map(|campaign| &campaign.id).collect();
    let mut records = call.store().records(call.customer.id, &ids).await.unwrap_or_else(|error| {
        tracing::error!(%error, source = error.source, "campaign records not read");
        HashMap::new()
    });
    let completed = |campaign: PlatformCampaign| {
        let record = records.remove(&campaign.id.to_string());
        campaign.complete(record)
    };
    campaigns.into_iter().map(completed).collect()
}
