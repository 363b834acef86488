//! What campaigns have spent, from one report (Reddit Ads API: Get A Report).

use super::client::Client;
use super::wire::{ReportRequest, id};
use crate::domain::{Campaign, Micros};
use crate::error::{Error, Kind};
use crate::platforms::Session;
use jiff::{Timestamp, Unit};
use rust_decimal::Decimal;
use std::collections::HashMap;

/// Fills in what each campaign has spent since it was made. A report that fails leaves it unknown; only a refused
/// token is passed on, so that it is refreshed.
pub(super) async fn fill(client: &Client<'_>, session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    let Some(request) = request(campaigns, session.peer.now) else { return Ok(()) };
    let report = match client.report(&session.account.id, &request).await {
        Ok(report) => report,
        Err(error) if error.kind == Kind::TokenExpired => return Err(error),
        Err(error) => {
            tracing::warn!(platform = %campaigns[0].platform(), %error, "the spend was not read");
            return Ok(());
        }
    };
    let mut spent: HashMap<&str, Option<i64>> = HashMap::new();
    for row in &report.metrics {
        let sum = spent.entry(&row.campaign_id).or_insert(Some(0));
        *sum = sum.and_then(|sum| sum.checked_add(row.spend.unwrap_or(0)));
    }
    for campaign in campaigns {
        // No row means that nothing was delivered.
        let micros = spent.get(campaign.remote_id.as_str()).copied().unwrap_or(Some(0));
        campaign.total_spend_amount =
            micros.map(|micros| Micros(micros).to_amount()).filter(|sum| *sum >= Decimal::ZERO);
    }
    Ok(())
}

/// One campaign by its id; several by the account's whole report, because only the form for one is published.
fn request(campaigns: &[Campaign], now: Timestamp) -> Option<ReportRequest> {
    let oldest = campaigns.iter().map(|campaign| campaign.created_at.or(campaign.start_at).unwrap_or(now)).min()?;
    let filter = match campaigns {
        [only] => Some(format!("campaign:id=={}", id(&only.remote_id).ok()?)),
        _ => None,
    };
    Some(ReportRequest {
        starts_at: hour(oldest.min(now))?,
        ends_at: hour(now.checked_add(jiff::SignedDuration::from_hours(1)).ok()?)?,
        fields: ["CAMPAIGN_ID", "SPEND"],
        breakdowns: ["CAMPAIGN_ID"],
        filter,
    })
}

/// The hour that a moment lies in, as the report wants it.
fn hour(at: Timestamp) -> Option<String> {
    let round = jiff::TimestampRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc);
    Some(format!("{:.0}", at.round(round).ok()?))
}
