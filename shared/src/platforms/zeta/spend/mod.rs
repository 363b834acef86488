//! The spend of campaigns, from one report (Reddit Ads API: Get A Report).
//!
//! The report is paged, its spend may be null, and it reaches back 24 months. A sum is known only where the whole
//! report was read and has a number for the campaign. An unknown sum is never 0, and the part of a sum inside of the
//! window is not returned as a total.
//!
//! Not verified: that a campaign without delivery has a row. The spend of one without a row is unknown.

use super::api;
use super::wire::{Metric, ReportRequest};
use super::{insights, wire};
use crate::platforms::engine::spend::{self, CampaignSpend};
use crate::platforms::prelude::*;
use jiff::{RoundMode, SignedDuration, TimestampRound, ToSpan, Unit};

/// The most pages that are read: a third of the report requests that the platform allows in a minute.
const MAX_PAGES: usize = 20;
/// The window of a report.
const MONTHS: i64 = 24;

/// Sets the spend of each campaign. It stays unknown when the report fails; only a refused token is an error, so that
/// it is refreshed.
pub(super) async fn fill(
    client: &Client<'_>,
    session: &AccountSession,
    campaigns: &mut [PlatformCampaign],
) -> Result<(), Error> {
    let mut covered = covered(campaigns, session.call.now);
    let Some(request) = request(&covered, session.call.now) else { return Ok(()) };
    let rows = rows(client, &session.account.id, request).await;
    let Some(rows) = spend::optional(Platform::Zeta, rows)? else { return Ok(()) };
    let mut spent = CampaignSpend::default();
    for row in &rows {
        let amount = insights::spend(row).ok().flatten();
        row.campaign_id.iter().for_each(|campaign| spent.add(campaign, amount));
    }
    for campaign in &mut covered {
        campaign.total_spend_amount = spent.of(&campaign.remote_id, None);
    }
    Ok(())
}

/// The campaigns with their whole run inside the window. One without a creation time may be older.
fn covered(campaigns: &mut [PlatformCampaign], now: Timestamp) -> Vec<&mut PlatformCampaign> {
    let Some(first) = first_hour(now) else { return Vec::new() };
    campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some_and(|made| made >= first)).collect()
}

/// Every row that can be read, or an error: a part of the report has only parts of the sums. A row that cannot be read
/// costs only the number of its campaign.
async fn rows(client: &Client<'_>, account: &str, request: ReportRequest) -> Result<Vec<Metric>, Error> {
    let read = |rows: &[Box<RawValue>]| Ok(rows.iter().filter_map(|row| insights::metric(row).ok()).collect());
    api::report(api::of_account(account, "reports")?, request, read).up_to(MAX_PAGES).all(client).await
}

/// One campaign by its id; several by the report of the whole account, because only the filter for one is published.
fn request(campaigns: &[&mut PlatformCampaign], now: Timestamp) -> Option<ReportRequest> {
    let oldest = campaigns.iter().filter_map(|campaign| campaign.created_at).min()?;
    let filter = match campaigns {
        [only] => Some(wire::campaign_filter(&only.remote_id).ok()?),
        _ => None,
    };
    Some(ReportRequest {
        starts_at: written(hour(oldest.min(now), RoundMode::Trunc)?),
        ends_at: written(hour(now.checked_add(SignedDuration::from_hours(1)).ok()?, RoundMode::Trunc)?),
        fields: &["CAMPAIGN_ID", "SPEND"],
        breakdowns: &["CAMPAIGN_ID"],
        filter,
        time_zone_id: None,
    })
}

/// The first full hour that a report reaches.
fn first_hour(now: Timestamp) -> Option<Timestamp> {
    let first = now.to_zoned(TimeZone::UTC).checked_sub(MONTHS.months()).ok()?;
    hour(first.timestamp(), RoundMode::Ceil)
}

fn hour(at: Timestamp, mode: RoundMode) -> Option<Timestamp> {
    at.round(TimestampRound::new().smallest(Unit::Hour).mode(mode)).ok()
}

/// A full hour, as the report wants it.
fn written(hour: Timestamp) -> String {
    format!("{hour:.0}")
}

#[cfg(test)]
mod tests;
