//! What campaigns have spent, from the platform's report: one call for all of a page.

use super::client::Client;
use super::fault::unreadable;
use super::{translate, wire};
use crate::domain::{Campaign, Platform};
use crate::error::{Error, Kind};
use crate::platforms::Session;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// How many days before today a report begins: 90 days with today, which is the most that one can cover.
const DAYS_BEFORE: i64 = 89;

/// Sums by campaign.
#[derive(Debug)]
pub(super) struct Spent(BTreeMap<String, Decimal>);

impl Spent {
    /// The sum of a campaign that was asked for; one without a row has spent nothing in these days.
    pub(super) fn of(&self, remote_id: &str) -> Decimal {
        self.0.get(remote_id).copied().unwrap_or_default()
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
        campaign.total_spend_amount = spent.as_ref().map(|spent| spent.of(&campaign.remote_id));
    }
    Ok(())
}

/// The sums, or `None` where the report failed: a campaign is worth having without them. A refused token is an
/// error, because the caller can do something about it.
pub(super) async fn spent(session: &Session, ids: &[&str]) -> Result<Option<Spent>, Error> {
    let outcome = async {
        let rows = Client::of(session).spend(&session.account.id, ids, window(session)?).await?;
        rows.iter().map(sum).collect::<Result<BTreeMap<_, _>, Error>>()
    };
    match outcome.await {
        Ok(sums) => Ok(Some(Spent(sums))),
        Err(error) if error.kind == Kind::TokenExpired => Err(error),
        Err(error) => {
            tracing::warn!(platform = %Platform::Epsilon, %error, "what campaigns have spent was not reported");
            Ok(None)
        }
    }
}

/// The days are in UTC whatever the account's time zone is: `start_date` and `end_date` of
/// <https://developers.pinterest.com/docs/api/v5/campaigns-analytics/>
fn window(session: &Session) -> Result<(Date, Date), Error> {
    let today = TimeZone::UTC.to_datetime(session.peer.now).date();
    let first = today.checked_sub(DAYS_BEFORE.days()).map_err(Error::internal)?;
    Ok((first, today))
}

fn sum(row: &wire::Row) -> Result<(String, Decimal), Error> {
    let id = row.campaign_id.get().trim_matches('"').to_owned();
    if id.is_empty() {
        return Err(unreadable("a row without a campaign"));
    }
    let spend = row.spend.as_ref().map_or(Ok(Decimal::ZERO), |spend| translate::spend(spend.get()))?;
    Ok((id, spend))
}
