//! Reports of campaigns (Google Ads API: Reporting, Date ranges, Zero metrics, Conversion reporting).
//!
//! A search by day has no row for a day without numbers. A search over a range has a row for every campaign: a row in
//! which every number is zero is left out, so that both name the same campaigns.
//!
//! Not verified: which day a conversion is assigned to is taken from the help pages on conversion windows, because the
//! reference of `metrics.conversions` does not say it.

use super::{api, query, wire};
use crate::platforms::engine::insights::{InsightsFacts, Unreadable};
use crate::platforms::prelude::*;
use serde::de::DeserializeOwned;

pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Account,
    attribution: "Conversion actions with include_in_conversions_metric, by the attribution model and the conversion \
                  window of each action, on the day of the ad interaction.",
    // `ConversionAction.click_through_lookback_window_days` is at most 90: a conversion counts for the day of its
    // click.
    restated_days: 90,
    // The shortest 37 months. Earlier days are REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED (`DateRangeError`).
    history_days: Some(1_124),
    max_days: i32::MAX,
    // Our own bound: a page has 10,000 rows, and each page of ours reads one of them again.
    max_account_days: 31,
    cut_at: None,
    has_idle_rows: true,
};

/// The pages of a report on a part of the requested days.
pub(super) fn pages<'a>(
    account: &'a AdAccount,
    request: &InsightsRequest,
    part: Days,
) -> Result<Pages<'a, InsightsRow>, Error> {
    let id = |text: &String| query::number(text).ok_or_else(|| Error::not_found("campaign"));
    let campaign = request.campaign.as_ref().map(id).transpose()?;
    let report = Report { account, granularity: request.granularity, campaign, days: part };
    let query = query::report(request.granularity, campaign, part);
    let request = move |token: Option<&str>| api::search_request(&account.id, &query, token);
    Ok(Pages::new(request, move |_, response| report.read(response)))
}

/// The report that was asked for.
struct Report<'a> {
    account: &'a AdAccount,
    granularity: Granularity,
    campaign: Option<i64>,
    days: Days,
}

impl Report<'_> {
    fn read(&self, response: &OutboundResponse) -> Result<Page<InsightsRow>, Error> {
        let Page { rows, next } = api::read_complete_page(response)?;
        let rows: Result<Vec<InsightsRow>, Error> = rows.iter().map(|row| self.row(row.get())).collect();
        Ok(Page { rows: rows?, next })
    }

    fn row(&self, json: &str) -> Result<InsightsRow, Error> {
        let row: wire::ReportRow = read_object(Platform::Alpha, json.as_bytes())?;
        let wrong = |why: &str| unreadable(Platform::Alpha, why);
        let id = row.campaign.id.0;
        let date = row.segments.date;
        let metrics = row.metrics;
        if row.customer.id.0.to_string() != self.account.id {
            return Err(wrong("a row of another account"));
        }
        if id <= 0 || self.campaign.is_some_and(|campaign| campaign != id) {
            return Err(wrong("a row of another campaign"));
        }
        let is_requested = match self.granularity {
            Granularity::Day => date.is_some_and(|date| self.days.contains(date)),
            Granularity::Total => date.is_none(),
        };
        if !is_requested {
            return Err(wrong("a row of another day"));
        }
        let mut unreadable = Unreadable::new(Platform::Alpha);
        let double = |json: Option<&RawValue>| metric(json, wire::Double(Decimal::ZERO), |number| number.0);
        let count = |json: Option<&RawValue>| metric(json, wire::Int64(0), |number| number.0);
        let spend = metric(metrics.cost_micros.as_deref(), wire::Int64(0), wire::Int64::to_amount);
        Ok(InsightsRow {
            campaign: CampaignId::new(Platform::Alpha, &self.account.id, &id.to_string()),
            date,
            spend: unreadable.known("spend", spend),
            impressions: unreadable.known("impressions", count(metrics.impressions.as_deref())),
            clicks: unreadable.known("clicks", count(metrics.clicks.as_deref())),
            conversions: unreadable.known("conversions", double(metrics.conversions.as_deref())),
            conversion_value: unreadable.known("conversion_value", double(metrics.conversions_value.as_deref())),
            unreadable: unreadable.names(),
        })
    }
}

/// A metric of a row. An absent one is zero.
fn metric<T: DeserializeOwned, N>(json: Option<&RawValue>, zero: T, number: fn(T) -> N) -> Result<Option<N>, Error> {
    let read = json.map_or(Ok(zero), |json| serde_json::from_str(json.get()));
    read.map(|metric| Some(number(metric))).map_err(|error| unreadable(Platform::Alpha, error))
}

#[cfg(test)]
mod tests;
