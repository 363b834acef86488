//! Insights: the report of campaigns, by day or in total, deleted campaigns included.
//!
//! Not verified: the order of rows across pages, and how far back a report reaches.

use super::report::{self, Period, Report, amount, present};
use super::wire::{Id, ReportRow};
use crate::platforms::engine::insights::{InsightsFacts, Unreadable, count};
use crate::platforms::prelude::*;
use jiff::civil::{Date, DateTime};

pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Account,
    // <https://ads.tiktok.com/help/article/attribution-manager>
    attribution: "by time of impression; 7-day click and 1-day view window by default, up to 28-day click and 7-day view",
    restated_days: 28,
    history_days: None,
    // "max time span is 30 days when use stat_time_day" (recorded by several callers).
    max_days: 30,
    max_account_days: 30,
    cut_at: None,
    has_idle_rows: false,
};

const METRICS: &str = r#"["spend","impressions","clicks","conversion"]"#;

/// The pages of a part.
pub(super) fn pages<'a>(
    session: &'a AccountSession,
    request: &'a InsightsRequest,
    part: Days,
) -> Result<Pages<'a, InsightsRow>, Error> {
    let only = request.campaign.as_deref();
    only.map(Id::of_campaign).transpose()?;
    let account = &session.account;
    let period = Period::Days(part, request.granularity);
    let page = move |token: Option<&str>| {
        let ids = only.as_slice();
        Report { account: &account.id, ids, with_deleted: true, period, metrics: METRICS }.request(token)
    };
    Ok(Pages::new(page, move |called, response| {
        let page = report::read(called, response)?;
        let rows: Result<_, Error> = page.rows.iter().map(|row| translate(account, request.granularity, row)).collect();
        Ok(Page { rows: request.checked(account, part, rows?)?, next: page.next })
    }))
}

/// The platform has values of single kinds of conversions, and none of all that `conversion` counts.
fn translate(account: &AdAccount, granularity: Granularity, row: &ReportRow) -> Result<InsightsRow, Error> {
    let metrics = row.metrics.as_ref().ok_or_else(|| unreadable(Platform::Gamma, "a row without numbers"))?;
    let mut unreadable = Unreadable::new(Platform::Gamma);
    Ok(InsightsRow {
        campaign: CampaignId::new(Platform::Gamma, &account.id, &row.dimensions.campaign_id.to_string()),
        date: match granularity {
            Granularity::Day => Some(day_of(row)?),
            Granularity::Total => None,
        },
        spend: unreadable.known("spend", amount(metrics.spend.as_deref())),
        impressions: unreadable.known("impressions", count(Platform::Gamma, present(metrics.impressions.as_deref()))),
        clicks: unreadable.known("clicks", count(Platform::Gamma, present(metrics.clicks.as_deref()))),
        conversions: unreadable.known("conversions", amount(metrics.conversion.as_deref())),
        conversion_value: None,
        unreadable: unreadable.names(),
    })
}

/// The day of a row: a date, or its midnight.
fn day_of(row: &ReportRow) -> Result<Date, Error> {
    let text = row.dimensions.stat_time_day.as_deref().unwrap_or_default();
    let time =
        DateTime::strptime("%Y-%m-%d %H:%M:%S", text).or_else(|_| Date::strptime("%Y-%m-%d", text).map(Into::into));
    let midnight = time.ok().filter(|time| time.time() == jiff::civil::Time::midnight());
    midnight.map(DateTime::date).ok_or_else(|| unreadable(Platform::Gamma, "a row that is not of a day"))
}

#[cfg(test)]
mod tests;
