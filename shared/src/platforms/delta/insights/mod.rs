//! Insights: the report of campaigns, by day or in total.
//!
//! <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/ads-reporting>
//!
//! The report has no pages, has rows only for days with activity, and is also empty for a user without the right to
//! read it. Beyond 15,000 rows it is cut without a sign.
//!
//! Not verified: whether a conversion counts on its own day or on that of the ad. A day is therefore final only after
//! the longest window that a conversion usually has.

use super::{query, report, wire};
use crate::platforms::engine::insights::{InsightsFacts, Unreadable, count, number};
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;

pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Utc,
    // <https://www.linkedin.com/help/lms/answer/a426359>; windows of 365 days exist for uploaded conversions alone.
    attribution: "last touch; 30-day post-click and 7-day view-through window by default, up to 90 days by conversion",
    restated_days: 90,
    // Daily rows are kept for six months.
    history_days: Some(180),
    max_days: i32::MAX,
    // An account has at most 1,000 active campaigns.
    max_account_days: 14,
    cut_at: Some(15_000),
    has_idle_rows: false,
};

/// The only page of a part.
pub(super) fn pages<'a>(
    session: &'a AccountSession,
    request: &'a InsightsRequest,
    part: Days,
) -> Result<Pages<'a, InsightsRow>, Error> {
    let account = &session.account;
    let address = query::insights(&account.id, request.campaign.as_deref(), part, request.granularity)?;
    let first = move |token: Option<&str>| match token {
        None => Ok(get(address.clone())),
        Some(_) => Err(invalid_cursor()),
    };
    Ok(Pages::new(first, move |_, response| {
        let rows = report::read(response)?;
        let rows: Result<_, Error> = rows.iter().map(|row| translate(account, request.granularity, row)).collect();
        Ok(Page { rows: request.checked(account, part, rows?)?, next: None })
    }))
}

fn translate(account: &AdAccount, granularity: Granularity, row: &wire::ReportRow) -> Result<InsightsRow, Error> {
    let remote_id = query::number(report::campaign_of(row)?);
    let remote_id = remote_id.ok_or_else(|| unreadable(Platform::Delta, "a row that is not of a campaign"))?;
    let amount = |json: Option<&RawValue>| report::amount(json, account.currency);
    let conversions = number(Platform::Delta, row.external_website_conversions.as_deref());
    let mut unreadable = Unreadable::new(Platform::Delta);
    Ok(InsightsRow {
        campaign: CampaignId::new(Platform::Delta, &account.id, &remote_id.to_string()),
        date: match granularity {
            Granularity::Day => Some(report::day_of(row)?),
            Granularity::Total => None,
        },
        spend: unreadable.known("spend", amount(row.cost_in_local_currency.as_deref())),
        impressions: unreadable.known("impressions", count(Platform::Delta, row.impressions.as_deref())),
        clicks: unreadable.known("clicks", count(Platform::Delta, row.clicks.as_deref())),
        conversions: unreadable.known("conversions", conversions),
        conversion_value: unreadable
            .known("conversion_value", amount(row.conversion_value_in_local_currency.as_deref())),
        unreadable: unreadable.names(),
    })
}

#[cfg(test)]
mod tests;
