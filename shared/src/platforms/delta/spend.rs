//! The spend of campaigns, from the platform's report.
//!
//! A report begins on a day. A campaign without a time of creation may have spent before that day, so its spend is not
//! known.

mod cost;

use super::{api, query, wire};
use crate::platforms::engine::spend::{self, Spent};
use crate::platforms::prelude::*;
use cost::rounded;

/// Fills in the spend of each campaign. A report that fails leaves it unknown; only a refused token is an error.
pub(super) async fn fill(session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    let mut dated: Vec<&mut Campaign> = campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some()).collect();
    let report = report(session, &dated).await;
    let Some(spent) = spend::optional(Platform::Delta, report)? else { return Ok(()) };
    for campaign in &mut dated {
        // The report has rows only for campaigns that were shown.
        campaign.total_spend_amount = spent.of(&campaign.remote_id, Some(Decimal::ZERO));
    }
    Ok(())
}

/// The spend of each campaign, in as many calls as fit into queries.
async fn report(session: &Session, campaigns: &[&mut Campaign]) -> Result<Spent, Error> {
    let starts = campaigns.iter().flat_map(|campaign| [campaign.created_at, campaign.start_at]).flatten();
    let first = starts.min().unwrap_or(session.call.now).min(session.call.now);
    let from = first.to_zoned(TimeZone::UTC).date();
    let mut spent = Spent::default();
    for chunk in campaigns.chunks(query::REPORT_SIZE) {
        let address = query::spend(chunk.iter().map(|campaign| campaign.remote_id.as_str()), from);
        let report: wire::Report = read_object(Platform::Delta, &api::fetch(session, address).await?.body)?;
        for row in &report.elements {
            let cost = row.cost_in_local_currency.as_deref();
            spent.add(campaign_of(row)?, cost.and_then(|cost| rounded(cost, session.account.currency)));
        }
    }
    Ok(spent)
}

fn campaign_of(row: &wire::ReportRow) -> Result<&str, Error> {
    let [urn] = row.pivot_values.as_slice() else {
        return Err(unreadable(Platform::Delta, "a row that is not of one campaign"));
    };
    urn.strip_prefix(wire::CAMPAIGN_URN).ok_or_else(|| unreadable(Platform::Delta, "a row that is not of a campaign"))
}

#[cfg(test)]
mod tests;
