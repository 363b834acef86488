//! `listCampaigns`: one list over all connections, by platform, then account, then newest first.

use crate::listed_connections::FirstBatch;
use crate::merge::{MergeRequest, merge};
use shared::domain::{AdDelivery, Campaign, CampaignId, CampaignStatus, Connection, ListFilters, PlatformCampaign};
use shared::envelope::query::ListQuery;
use shared::envelope::{CampaignList, Reply};
use shared::error::Error;
use shared::platforms::{AccountPage, AccountSession, AdPlatform, AdsReport, AdsRequest, CampaignPage, ListRequest};
use shared::serve::Call;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// A search for a name reads no further page of an account after this time.
const SEARCH_TIME: Duration = Duration::from_secs(4);
/// Campaigns for each page of such a search.
const SEARCH_PAGE: usize = 100;

/// Lists campaigns, read live from the platforms.
pub(crate) async fn list(call: &Call, first: Result<FirstBatch, Error>) -> Result<Reply, Error> {
    let FirstBatch { query: ListQuery { filters, limit, .. }, cursor, batch } = first?;
    let filters = &filters;
    let request = MergeRequest { filters, report: None, limit, cursor: cursor.as_ref() };
    let read = |adapter, session, after| async move {
        let page = read_account(adapter, &session, filters, limit, after).await?;
        judge(adapter, &session, filters, page).await
    };
    let merged = merge(call, request, batch, read, |listed: &Listed| listed.is_in(filters));
    let (page, next_cursor) = merged.await?;
    let campaigns = complete(call, page.rows, &page.answered).await;
    Ok(Reply::Campaigns(CampaignList { campaigns, next_cursor, failures: page.failures }))
}

/// Reads a page of an account. A search for a name reads further pages until enough campaigns match, so it may return many
/// that do not.
async fn read_account(
    adapter: &dyn AdPlatform,
    session: &AccountSession,
    filters: &ListFilters,
    limit: usize,
    after: Option<String>,
) -> Result<CampaignPage, Error> {
    let statuses = filters.statuses;
    if filters.name_contains.is_none() {
        return adapter.list_campaigns(session, &ListRequest { statuses, limit, after }).await;
    }
    let until = Instant::now() + SEARCH_TIME;
    let mut request = ListRequest { statuses, limit: SEARCH_PAGE, after };
    let mut found = adapter.list_campaigns(session, &request).await?;
    let matching =
        |page: &CampaignPage| page.rows.iter().filter(|campaign| filters.admits_name(&campaign.name)).count();
    let mut count = matching(&found);
    while found.has_more && count < limit && Instant::now() < until {
        request.after = found.positions.last().cloned();
        // A failure is that of the next page, which begins here.
        let Ok(more) = adapter.list_campaigns(session, &request).await else { break };
        if more.rows.is_empty() && more.has_more {
            break;
        }
        count += matching(&more);
        found.rows.extend(more.rows);
        found.positions.extend(more.positions);
        found.has_more = more.has_more;
    }
    Ok(found)
}

/// A campaign of the list. Its ads are judged if the list has a filter for that.
struct Listed {
    campaign: PlatformCampaign,
    delivery: Option<AdDelivery>,
}

impl Listed {
    /// Whether the filters that no platform knows admit it.
    fn is_in(&self, filters: &ListFilters) -> bool {
        let is_wanted = |delivery: &AdDelivery| filters.delivery_states.contains(&delivery.state);
        filters.admits_name(&self.campaign.name) && self.delivery.as_ref().is_none_or(is_wanted)
    }
}

/// Judges the campaigns of a page by their ads, if the list has a filter for that. Only those of ACTIVE campaigns are
/// read: the others are off.
async fn judge(
    adapter: &dyn AdPlatform,
    session: &AccountSession,
    filters: &ListFilters,
    page: CampaignPage,
) -> Result<AccountPage<Listed>, Error> {
    let CampaignPage { rows, positions, has_more } = page;
    let unjudged = |campaign| Listed { campaign, delivery: None };
    if filters.delivery_states.is_empty() {
        return Ok(AccountPage { rows: rows.into_iter().map(unjudged).collect(), positions, has_more });
    }
    let may_run =
        |campaign: &&PlatformCampaign| campaign.status == CampaignStatus::Active && filters.admits_name(&campaign.name);
    let campaigns: Vec<PlatformCampaign> = rows.iter().filter(may_run).cloned().collect();
    let report = match campaigns.as_slice() {
        [] => AdsReport::default(),
        campaigns => adapter.ads(session, AdsRequest { campaigns, with_rejections: false }).await?,
    };
    let judged = |campaign: PlatformCampaign| {
        let ads = report.of(&campaign.remote_id);
        let delivery = AdDelivery::of(campaign.status, &report.account, &campaign.signals, ads);
        Listed { campaign, delivery: Some(delivery) }
    };
    Ok(AccountPage { rows: rows.into_iter().map(judged).collect(), positions, has_more })
}

/// Completes campaigns from their stored records, in one round trip for the whole page, and leaves out what the caller may
/// not see. If the read fails, the platforms' data stands alone.
async fn complete(call: &Call, listed: Vec<Listed>, answered: &[Connection]) -> Vec<Campaign> {
    if listed.is_empty() {
        return Vec::new();
    }
    let ids: Vec<&CampaignId> = listed.iter().map(|listed| &listed.campaign.id).collect();
    let mut records = call.store().records(call.customer.id, &ids).await.unwrap_or_else(|error| {
        tracing::error!(%error, source = error.source, "campaign records not read");
        HashMap::new()
    });
    let completed = |Listed { campaign, delivery }: Listed| {
        let record = records.remove(&campaign.id.to_string());
        let is_its =
            |known: &&Connection| known.platform == campaign.platform() && known.account_id() == campaign.account_id;
        let connection = answered.iter().find(is_its)?;
        let campaign = campaign.complete(&connection.id, record);
        // The record has what this service holds against a campaign. It holds only paused ones.
        match delivery.filter(|_| campaign.status == CampaignStatus::Active) {
            Some(by_ads) => Some(Campaign { delivery: Some(by_ads), ..campaign }),
            None => Some(campaign.judged()),
        }
    };
    call.visible(listed.into_iter().filter_map(completed)).collect()
}
