//! The spend of campaigns, from the platform's report.
//!
//! A report begins on a day. A campaign without a time of creation may have spent before that day, so its spend is not
//! known.

mod cost;

use super::fault::{read, unreadable};
use super::{api, query, wire};
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use crate::platforms::engine::call::Session;
use crate::platforms::engine::spend;
use cost::rounded;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::collections::HashMap;

/// Fills in the spend of each campaign. A report that fails leaves it unknown; only a refused token is an error.
pub(super) async fn fill(session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    let mut dated: Vec<&mut Campaign> = campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some()).collect();
    if dated.is_empty() {
        return Ok(());
    }
    let report = report(session, &dated).await;
    let Some(spent) = spend::optional(Platform::Delta, report)? else { return Ok(()) };
    for campaign in &mut dated {
        // The report has rows only for campaigns that were shown.
        let nothing = Some(Decimal::ZERO);
        campaign.total_spend_amount = spent.get(&campaign.remote_id).copied().unwrap_or(nothing);
    }
    Ok(())
}

/// The spend of each campaign, in one call or in several that fit into a query. It is `None` where a row of the campaign
/// cannot be read.
async fn report(session: &Session, campaigns: &[&mut Campaign]) -> Result<HashMap<String, Option<Decimal>>, Error> {
    let starts = campaigns.iter().flat_map(|campaign| [campaign.created_at, campaign.start_at]).flatten();
    let first = starts.min().unwrap_or(session.call.now).min(session.call.now);
    let from = first.to_zoned(TimeZone::UTC).date();
    let mut spent = HashMap::new();
    for chunk in campaigns.chunks(query::REPORT_SIZE) {
        let path = query::spend(chunk.iter().map(|campaign| campaign.remote_id.as_str()), from);
        let report: wire::Report = read(&api::fetch(session, &path).await?)?;
        for row in report.elements {
            let cost = row.cost_in_local_currency.as_deref();
            let cost = cost.and_then(|cost| rounded(cost, session.account.currency));
            let sum = spent.entry(campaign_of(&row)?).or_insert(Some(Decimal::ZERO));
            *sum = sum.zip(cost).and_then(|(sum, cost)| sum.checked_add(cost));
        }
    }
    Ok(spent)
}

fn campaign_of(row: &wire::ReportRow) -> Result<String, Error> {
    let [urn] = row.pivot_values.as_slice() else { return Err(unreadable("a row that is not of one campaign")) };
    let id = urn.strip_prefix(wire::CAMPAIGN_URN).ok_or_else(|| unreadable("a row that is not of a campaign"))?;
    Ok(id.to_owned())
}

#[cfg(test)]
mod tests;
