//! The spend of campaigns, from the platform's report.
//!
//! A report begins on a day. A campaign without a time of creation may have spent before that day, so its spend is not
//! known.

use super::{api, query, report};
use crate::platforms::engine::spend::{self, CampaignSpend};
use crate::platforms::prelude::*;

/// Fills in the spend of each campaign. A report that fails leaves it unknown; only a refused token is an error.
pub(super) async fn fill(session: &AccountSession, campaigns: &mut [PlatformCampaign]) -> Result<(), Error> {
    let mut dated: Vec<&mut PlatformCampaign> =
        campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some()).collect();
    let spent = spent(session, &dated).await;
    let Some(spent) = spend::optional(Platform::Delta, spent)? else { return Ok(()) };
    for campaign in &mut dated {
        // The report has rows only for campaigns that were shown.
        campaign.total_spend_amount = spent.of(&campaign.remote_id, Some(Decimal::ZERO));
    }
    Ok(())
}

/// The spend of each campaign, in as many calls as fit into queries.
async fn spent(session: &AccountSession, campaigns: &[&mut PlatformCampaign]) -> Result<CampaignSpend, Error> {
    let starts = campaigns.iter().flat_map(|campaign| [campaign.created_at, campaign.start_at]).flatten();
    let first = starts.min().unwrap_or(session.call.now).min(session.call.now);
    let from = first.to_zoned(TimeZone::UTC).date();
    let mut spent = CampaignSpend::default();
    for chunk in campaigns.chunks(query::MAX_CAMPAIGNS) {
        let address = query::spend(chunk.iter().map(|campaign| campaign.remote_id.as_str()), from);
        for row in report::read(&api::fetch(session, address).await?)? {
            let cost = report::amount(row.cost_in_local_currency.as_deref(), session.account.currency);
            // A cost that cannot be read hides only its campaign's spend. One over the whole run is never below 0.
            let cost = cost.ok().flatten().map(|cost| cost.max(Decimal::ZERO));
            spent.add(report::campaign_of(&row)?, cost);
        }
    }
    Ok(spent)
}

#[cfg(test)]
mod tests;
