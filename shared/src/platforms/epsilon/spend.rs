//! The spend of campaigns, from the platform's report: one call for all of a page.
//!
//! A campaign without a row has spent nothing: for campaigns that never ran the report is empty (recorded live,
//! 2026-07). A row that cannot be read is an unknown spend, and never 0.
//!
//! Not verified: the currency of `SPEND_IN_DOLLAR`, which a published example has in place of the micros. It is not
//! read.

use super::api::{self, API};
use super::fault::unreadable;
use super::translate;
use super::wire::{self, number};
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::spend;
use crate::platforms::rows::text_of;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A report begins this many days before today. With today it covers 90 days, which is the maximum.
const DAYS_BEFORE: i64 = 89;

/// Sums by campaign.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// `None` where the campaign's row has no number that is certain.
    sums: BTreeMap<String, Option<Decimal>>,
    /// A row does not name its campaign.
    has_unattributed_row: bool,
}

impl Spent {
    /// The sum of a requested campaign. A campaign without a row has spent nothing in these days, unless a row without
    /// a campaign may be its row.
    pub(super) fn of(&self, remote_id: &str) -> Option<Decimal> {
        let missing = (!self.has_unattributed_row).then_some(Decimal::ZERO);
        self.sums.get(remote_id).copied().unwrap_or(missing)
    }

    fn read(rows: &[Box<RawValue>]) -> Spent {
        let mut spent = Spent::default();
        for row in rows {
            match sum(row) {
                // The report has one row per campaign. Two rows may overlap, so their sum is not certain.
                Some((id, spend)) => _ = spent.sums.entry(id).and_modify(|sum| *sum = None).or_insert(spend),
                None => spent.has_unattributed_row = true,
            }
        }
        spent
    }
}

/// Asks for all campaigns of a page at once and fills in what is answered.
pub(super) async fn fill(session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    if campaigns.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    let spent = spent(session, &ids).await?;
    for campaign in campaigns {
        campaign.total_spend_amount = spent.as_ref().and_then(|spent| spent.of(&campaign.remote_id));
    }
    Ok(())
}

/// The sums, or `None` where the report failed. Only a refused token is an error.
pub(super) async fn spent(session: &Session, ids: &[&str]) -> Result<Option<Spent>, Error> {
    Ok(spend::optional(Platform::Epsilon, report(session, ids).await)?.map(|rows| Spent::read(&rows)))
}

async fn report(session: &Session, ids: &[&str]) -> Result<Vec<Box<RawValue>>, Error> {
    let request = api::report(&session.account.id, ids, window(session)?)?;
    let answer = Client::of(&API, session).read(request).await?;
    serde_json::from_slice(&answer.body).map_err(unreadable)
}

/// The days are in UTC whatever the account's time zone is: `start_date` and `end_date` of
/// <https://developers.pinterest.com/docs/api/v5/campaigns-analytics/>
fn window(session: &Session) -> Result<(Date, Date), Error> {
    let today = TimeZone::UTC.to_datetime(session.call.now).date();
    let first = today.checked_sub(DAYS_BEFORE.days()).map_err(Error::internal)?;
    Ok((first, today))
}

/// A row's campaign and its spend, or `None` where it is not certain which campaign's row it is.
fn sum(row: &RawValue) -> Option<(String, Option<Decimal>)> {
    // An array would be read as a row's fields in their order.
    let row: wire::Row = row.get().starts_with('{').then(|| serde_json::from_str(row.get()).ok())??;
    let id = text_of(row.campaign_id.as_ref()?).filter(|id| number(id).is_some())?;
    let spend = row.spend.and_then(|spend| translate::spend(spend.get()).ok());
    Some((id, spend.filter(|spend| *spend >= Decimal::ZERO)))
}

#[cfg(test)]
mod tests;
