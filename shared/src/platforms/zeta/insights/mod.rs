//! Insights, from the platform's report on demand (Reddit Ads API: Get A Report). Conversions and their value are those
//! of the attribution that is set in the ad account (Reddit: Web Attribution, Verify Custom Conversion Events in the
//! API).
//!
//! Not verified: that a day without delivery has no row; that numbers change for no longer than the longest attribution
//! window, 28 days; the unit of the value of purchases. Several clients divide it by 100, so it is read in currencies
//! with two decimals only, where the hundredth is also the smallest unit.

use super::api;
use super::wire::{Metric, ReportRequest, campaign_filter, id};
use crate::domain::insights::parse_date;
use crate::platforms::engine::insights::{InsightsFacts, Unreadable, count, number, scaled};
use crate::platforms::prelude::*;
use crate::platforms::rows::Whole;
use jiff::civil::Date;

/// Reports reach back 24 months, and their first day may be cut.
pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Utc,
    attribution: "Attribution type and windows of the ad account (by default view-through and click-through, 28 days \
                  after a click and 1 day after a view); conversions are key conversions, and their value is that of \
                  purchases",
    restated_days: 28,
    history_days: Some(729),
    max_days: i32::MAX,
    max_account_days: i32::MAX,
    cut_at: None,
    has_idle_rows: false,
};

/// The pages of a report on a part of the days.
pub(super) fn pages<'a>(
    account: &'a AdAccount,
    request: &'a InsightsRequest,
    part: Days,
) -> Result<Pages<'a, InsightsRow>, Error> {
    let report = report(request.campaign.as_deref(), request.granularity, part)?;
    let read = move |rows: &[Box<RawValue>]| {
        let rows: Result<_, Error> = rows.iter().map(|row| translate(account, request.granularity, row)).collect();
        request.checked(account, part, rows?)
    };
    Ok(api::report(api::of_account(&account.id, "reports")?, report, read))
}

/// The request for whole days in UTC.
fn report(campaign: Option<&str>, granularity: Granularity, days: Days) -> Result<ReportRequest, Error> {
    let (fields, breakdowns): (&'static [&str], &'static [&str]) = match granularity {
        Granularity::Day => (&FIELDS, &FIELDS[..2]),
        Granularity::Total => (&FIELDS[1..], &FIELDS[1..2]),
    };
    Ok(ReportRequest {
        starts_at: midnight(days.from),
        ends_at: midnight(days.to.tomorrow().map_err(Error::internal)?),
        fields,
        breakdowns,
        filter: campaign.map(campaign_filter).transpose()?,
        time_zone_id: Some("UTC"),
    })
}

/// The fields of a report by day. The first two are also its breakdowns.
static FIELDS: [&str; 7] = [
    "DATE",
    "CAMPAIGN_ID",
    "SPEND",
    "IMPRESSIONS",
    "CLICKS",
    "KEY_CONVERSION_TOTAL_COUNT",
    "CONVERSION_PURCHASE_TOTAL_VALUE",
];

fn midnight(day: Date) -> String {
    format!("{day}T00:00:00Z")
}

fn translate(account: &AdAccount, granularity: Granularity, row: &RawValue) -> Result<InsightsRow, Error> {
    let row = metric(row)?;
    let campaign = row.campaign_id.as_deref().filter(|campaign| id(campaign).is_ok());
    let campaign = campaign.ok_or_else(|| malformed("a row that is not of a campaign"))?;
    let has_hundredths = account.currency.decimals() == 2;
    let value = if has_hundredths { row.conversion_purchase_total_value.as_deref() } else { None };
    let mut unreadable = Unreadable::new(Platform::Zeta);
    Ok(InsightsRow {
        campaign: CampaignId::new(Platform::Zeta, &account.id, campaign),
        date: match granularity {
            Granularity::Day => Some(day_of(&row)?),
            Granularity::Total => None,
        },
        spend: unreadable.known("spend", spend(&row)),
        impressions: unreadable.known("impressions", count(Platform::Zeta, row.impressions.as_deref())),
        clicks: unreadable.known("clicks", count(Platform::Zeta, row.clicks.as_deref())),
        conversions: unreadable.known("conversions", number(Platform::Zeta, row.key_conversion_total_count.as_deref())),
        conversion_value: unreadable.known("conversion_value", scaled(Platform::Zeta, value, 2)),
        unreadable: unreadable.names(),
    })
}

fn day_of(row: &Metric) -> Result<Date, Error> {
    row.date.as_deref().and_then(parse_date).ok_or_else(|| malformed("a row that is not of a day"))
}

/// A row of a report. An array would be read as a row's fields in their order.
pub(super) fn metric(row: &RawValue) -> Result<Metric, Error> {
    read_object(Platform::Zeta, row.get().as_bytes())
}

/// The spend in a row: `None` where the platform does not know it, and an error for one that is no whole number of
/// millionths.
pub(super) fn spend(row: &Metric) -> Result<Option<Decimal>, Error> {
    let Some(json) = &row.spend else { return Ok(None) };
    let micros = serde_json::from_str::<Whole>(json.get()).map_err(|_| malformed("spend of another form"))?;
    Ok(Some(Micros(micros.0).to_amount()))
}

fn malformed(why: &'static str) -> Error {
    unreadable(Platform::Zeta, why)
}

#[cfg(test)]
mod tests;
