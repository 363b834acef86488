//! The spend of campaigns, from one report (Reddit Ads API: Get A Report).
//!
//! The report is paged, its spend may be null, and it reaches back 24 months. A sum is known only where the whole report
//! was read and has a number for the campaign: everything else is not known, and never 0. In contrast to Pinterest's 90
//! days, the part of a sum that lies in the window is not passed on: few campaigns are older than 24 months, and without
//! a part the others have a total that is one.
//!
//! Not verified: whether a campaign without delivery has a row. One without a row is not known.

use super::api;
use super::wire::{Metric, ReportRequest, id};
use crate::domain::{Campaign, Micros, Platform};
use crate::error::{Error, Kind};
use crate::platforms::engine::call::{Client, Session};
use jiff::tz::TimeZone;
use jiff::{RoundMode, SignedDuration, Timestamp, TimestampRound, ToSpan, Unit};
use rust_decimal::Decimal;
use std::collections::HashMap;

/// Most pages that are read: a third of the requests for reports that the platform allows in a minute.
const MAX_PAGES: usize = 20;
/// How far back a report reaches.
const MONTHS: i64 = 24;

/// Fills in what each campaign has spent since it was made. A report that fails leaves it unknown; only a refused
/// token is passed on, so that it is refreshed.
pub(super) async fn fill(client: &Client<'_>, session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    let mut covered = covered(campaigns, session.call.now);
    let Some(request) = request(&covered, session.call.now) else { return Ok(()) };
    let rows = match rows(client, &session.account.id, &request).await {
        Ok(rows) => rows,
        Err(error) if error.kind == Kind::TokenExpired => return Err(error),
        Err(error) => {
            tracing::warn!(platform = %Platform::Zeta, %error, "the spend was not read");
            return Ok(());
        }
    };
    let sums = sums(&rows);
    for campaign in &mut covered {
        campaign.total_spend_amount = sums.get(campaign.remote_id.as_str()).copied().flatten().and_then(amount);
    }
    Ok(())
}

/// The campaigns whose whole life lies in the window of a report. One that does not say how old it is may be older.
fn covered(campaigns: &mut [Campaign], now: Timestamp) -> Vec<&mut Campaign> {
    let Some(first) = first_hour(now) else { return Vec::new() };
    campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some_and(|made| made >= first)).collect()
}

/// Every row, or an error: a part of the report has a part of the sums.
async fn rows(client: &Client<'_>, account: &str, request: &ReportRequest) -> Result<Vec<Metric>, Error> {
    api::report(api::of_account(account, "reports")?, request).up_to(MAX_PAGES).all(client).await
}

/// Sums by campaign; `None` where one of its rows has no number.
fn sums(rows: &[Metric]) -> HashMap<&str, Option<i64>> {
    let mut sums = HashMap::new();
    for row in rows {
        let Some(campaign) = row.campaign_id.as_deref() else { continue };
        let sum = sums.entry(campaign).or_insert(Some(0_i64));
        *sum = sum.zip(row.spend).and_then(|(sum, spend)| sum.checked_add(spend.0));
    }
    sums
}

fn amount(micros: i64) -> Option<Decimal> {
    Some(Micros(micros).to_amount()).filter(|sum| *sum >= Decimal::ZERO)
}

/// One campaign by its id; several by the account's whole report, because only the form for one is published.
fn request(campaigns: &[&mut Campaign], now: Timestamp) -> Option<ReportRequest> {
    let oldest = campaigns.iter().filter_map(|campaign| campaign.created_at).min()?;
    let filter = match campaigns {
        [only] => Some(format!("campaign:id=={}", id(&only.remote_id).ok()?)),
        _ => None,
    };
    Some(ReportRequest {
        starts_at: written(hour(oldest.min(now), RoundMode::Trunc)?),
        ends_at: written(hour(now.checked_add(SignedDuration::from_hours(1)).ok()?, RoundMode::Trunc)?),
        fields: ["CAMPAIGN_ID", "SPEND"],
        breakdowns: ["CAMPAIGN_ID"],
        filter,
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
