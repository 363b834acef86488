//! The spend of campaigns, from the platform's report: one call for all of a page.
//!
//! A campaign without a row has spent nothing: for campaigns that never ran the report is empty (recorded live,
//! 2026-07). A row that cannot be read is an unknown spend, and never 0.
//!
//! Not verified: the currency of `SPEND_IN_DOLLAR`, which a published example has in place of the micros. It is not
//! read.

use super::api::{self, API, Columns};
use super::wire::{self, number};
use crate::domain::money::decimal_from_number;
use crate::platforms::engine::spend::{self, CampaignSpend};
use crate::platforms::prelude::*;
use jiff::ToSpan;

const COLUMNS: Columns = Columns { names: "SPEND_IN_MICRO_DOLLAR", windows: &[] };

/// A report begins this many days before today. With today it covers 90 days, which is the maximum.
const DAYS_BEFORE: i64 = 89;

/// Sets the spend of each campaign of a page.
pub(super) async fn fill(session: &AccountSession, campaigns: &mut [PlatformCampaign]) -> Result<(), Error> {
    if campaigns.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    let spent = spent(session, &ids).await?;
    for (campaign, spent) in campaigns.iter_mut().zip(spent) {
        campaign.total_spend_amount = spent;
    }
    Ok(())
}

/// The spend of each campaign, in the same order. It is unknown if the report fails; only a refused token is an error.
pub(super) async fn spent(session: &AccountSession, ids: &[&str]) -> Result<Vec<Option<Decimal>>, Error> {
    let Some(rows) = spend::optional(Platform::Epsilon, report(session, ids).await)? else {
        return Ok(vec![None; ids.len()]);
    };
    let mut spent = CampaignSpend::default();
    let mut without_row = Some(Decimal::ZERO);
    for row in &rows {
        match sum(row) {
            Some((id, amount)) => spent.set(&id, amount),
            // It may be the row of any campaign without one.
            None => without_row = None,
        }
    }
    Ok(ids.iter().map(|id| spent.of(id, without_row)).collect())
}

/// The rows of the report. Its days are in UTC whatever the account's time zone is: `start_date` and `end_date` of
/// <https://developers.pinterest.com/docs/api/v5/campaigns-analytics/>
async fn report(session: &AccountSession, ids: &[&str]) -> Result<Vec<Box<RawValue>>, Error> {
    let today = TimeZone::UTC.to_datetime(session.call.now).date();
    let first = today.checked_sub(DAYS_BEFORE.days()).map_err(Error::internal)?;
    let days = Days { from: first, to: today };
    let request = api::report(&session.account.id, ids, days, Granularity::Total, &COLUMNS)?;
    api::read_report(&Client::of(&API, session).read(request).await?)
}

/// A row's campaign and its spend, or `None` where it is not certain which campaign's row it is.
fn sum(row: &RawValue) -> Option<(String, Option<Decimal>)> {
    let row: wire::Row = read_object(Platform::Epsilon, row.get().as_bytes()).ok()?;
    let spend = of_row(&row).ok().flatten();
    let id = row.campaign_id.filter(|id| number(id).is_some())?;
    Some((id, spend))
}

/// The spend in a row: `None` where the row has none, and an error for one that is no whole number of micros. A
/// correction is below 0.
pub(super) fn of_row(row: &wire::Row) -> Result<Option<Decimal>, Error> {
    let Some(spend) = &row.spend else { return Ok(None) };
    amount(spend.get()).map(Some).ok_or_else(|| unreadable(Platform::Epsilon, "a report with another form of spend"))
}

/// An amount: a number or a string of whole micros.
fn amount(text: &str) -> Option<Decimal> {
    let micros = decimal_from_number(text.trim_matches('"')).ok().filter(|micros| micros.fract().is_zero())?;
    i64::try_from(micros).ok().map(|micros| Micros(micros).to_amount())
}

#[cfg(test)]
mod tests;
