//! The number of campaigns that run in an ad account.

use crate::domain::{ActiveCampaigns, CampaignStatus, Connection, PlatformCampaign, StatusSet};
use crate::error::Error;
use crate::platforms::ListRequest;
use crate::tokens::PlatformContext;

/// Campaigns of one page.
const PAGE_SIZE: usize = 100;
/// Pages that are read at most: 1,000 campaigns.
const MAX_PAGES: usize = 10;

/// Asks the platform what is ACTIVE, a page at a time. A connection without an ad account has nothing.
pub async fn count_active(context: PlatformContext<'_>, connection: &Connection) -> Result<ActiveCampaigns, Error> {
    let mut active = ActiveCampaigns::default();
    if connection.account.is_none() {
        return Ok(active);
    }
    let is_over = |campaign: &PlatformCampaign| campaign.end_at.is_some_and(|end| end <= context.now);
    let mut after = None;
    for _ in 0..MAX_PAGES {
        let statuses = StatusSet::of(&[CampaignStatus::Active]);
        let request = &ListRequest { statuses, limit: PAGE_SIZE, after };
        let page = context
            .in_account(connection, |adapter, session| async move { adapter.list_campaigns(&session, request).await });
        let page = page.await?;
        active.count += page.rows.iter().filter(|campaign| !is_over(campaign)).count();
        after = match page.positions.last() {
            Some(last) if page.has_more => Some(last.clone()),
            _ => return Ok(active),
        };
    }
    Ok(ActiveCampaigns { has_more: true, ..active })
}
