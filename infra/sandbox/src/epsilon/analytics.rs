//! Reports of campaigns, in total or by day.
//!
//! Pinterest API v5 reference, 5.28.0: "Get campaign analytics", `ReportingColumnSync`,
//! `ConversionAttributionWindowDays`, `ReportingTimeZone`. The sandbox supports few columns, and the granularities
//! TOTAL and DAY. Its conversions do not depend on the windows.
//!
//! Not verified: the order of the rows, that a day without delivery has none, and which columns a row leaves out. "If a
//! column has no value, it may not be returned": the sandbox leaves out conversions and their value where there are
//! none.

use super::accounts::Account;
use super::campaign::{Campaign, utc_date};
use super::error::ApiError;
use super::query::{Query, invalid_param};
use crate::delivery::{self, Delivery};
use crate::http::Request;
use crate::money::MICROS;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value, json};

/// The limit in days of the window, and of its distance from today in UTC.
const MAX_DAYS: i32 = 90;

/// In every row, even if it is not requested.
const ID: &str = "CAMPAIGN_ID";
/// In every row of a day, and no column that can be requested.
const DATE: &str = "DATE";

type Number = fn(&Delivery) -> Option<Value>;

/// The supported columns. Amounts are micros of the account's currency, despite the names.
const COLUMNS: &[(&str, Number)] = &[
    (ID, |_| None),
    ("SPEND_IN_MICRO_DOLLAR", |day| Some(json!(day.spend))),
    ("IMPRESSION_1", |day| Some(json!(day.impressions))),
    ("PAID_IMPRESSION", |day| Some(json!(day.impressions))),
    ("CLICKTHROUGH_1", |day| Some(json!(day.clicks))),
    ("TOTAL_CONVERSIONS", |day| positive(day.conversions / MICROS)),
    ("TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR", |day| positive(day.conversion_value)),
];

const SINGLE: &[&str] = &[
    "start_date",
    "end_date",
    "columns",
    "granularity",
    "click_window_days",
    "engagement_window_days",
    "view_window_days",
    "conversion_report_time",
    "aggregate_report_rows",
    "reporting_timezone",
];

/// Parameters with a fixed set of values. The time zone is a closed beta, which the sandbox's accounts are not in.
const CHOICES: &[(&str, &[&str])] = &[
    ("granularity", &["TOTAL", "DAY"]),
    ("click_window_days", WINDOWS),
    ("engagement_window_days", WINDOWS),
    ("view_window_days", WINDOWS),
    ("conversion_report_time", &["TIME_OF_AD_ACTION", "TIME_OF_CONVERSION"]),
    ("aggregate_report_rows", &["false"]),
    ("reporting_timezone", &[]),
];

const WINDOWS: &[&str] = &["0", "1", "7", "14", "30", "60"];

/// The report is a bare array with a row for each campaign that has delivery in the window, or for each of its days.
pub(crate) fn report(account: &Account, request: &Request, now: Timestamp) -> Result<Value, ApiError> {
    let query = Query::read(request, SINGLE, &["campaign_ids"])?;
    let (first, last) = window(&query, now)?;
    let campaign_ids = query.ids("campaign_ids")?;
    if campaign_ids.is_empty() {
        return Err(ApiError::invalid("Invalid request: campaign_ids is required"));
    }
    let by_day = query.required("granularity")? == "DAY";
    for (name, values) in CHOICES {
        if let Some(value) = query.get(name).filter(|value| !values.contains(value)) {
            return Err(invalid_param(name, &format!("{value} in the sandbox")));
        }
    }
    let columns = columns(&query)?;
    let campaigns = campaign_ids.iter().filter_map(|id| account.campaigns.get(id));
    let rows = campaigns.flat_map(|campaign| {
        let parts = if by_day { by_date(campaign, first, last) } else { total(campaign, first, last) };
        parts.into_iter().map(|(date, delivery)| row(campaign, date, &delivery, &columns)).collect::<Vec<_>>()
    });
    Ok(rows.collect())
}

fn columns(query: &Query) -> Result<Vec<(&'static str, Number)>, ApiError> {
    let find = |name: &str| {
        let column = COLUMNS.iter().find(|(known, _)| *known == name);
        column.copied().ok_or_else(|| invalid_param("columns", &format!("{name} in the sandbox")))
    };
    query.required("columns")?.split(',').map(find).collect()
}

fn by_date(campaign: &Campaign, first: Date, last: Date) -> Vec<(Option<Date>, Delivery)> {
    campaign.days.range(first..=last).map(|(date, day)| (Some(*date), day.clone())).collect()
}

fn total(campaign: &Campaign, first: Date, last: Date) -> Vec<(Option<Date>, Delivery)> {
    delivery::sum(&campaign.days, first, last).map(|total| (None, total)).into_iter().collect()
}

fn row(campaign: &Campaign, date: Option<Date>, delivery: &Delivery, columns: &[(&str, Number)]) -> Value {
    let mut row = Map::from_iter([(ID.to_owned(), json!(campaign.id.to_string()))]);
    row.extend(date.map(|date| (DATE.to_owned(), json!(date))));
    row.extend(columns.iter().filter_map(|(name, number)| Some(((*name).to_owned(), number(delivery)?))));
    row.into()
}

/// The number of a column that has no value where nothing was counted.
fn positive(number: i64) -> Option<Value> {
    (number > 0).then(|| json!(number))
}

fn window(query: &Query, now: Timestamp) -> Result<(Date, Date), ApiError> {
    let first = date(query, "start_date")?;
    let last = date(query, "end_date")?;
    let exceeds_limit = |from: Date, to: Date| from.checked_add(MAX_DAYS.days()).is_ok_and(|limit| to > limit);
    if last < first {
        return Err(ApiError::invalid("Invalid request: end_date is before start_date"));
    }
    if exceeds_limit(first, last) {
        return Err(ApiError::invalid(format!(
            "Invalid request: end_date is more than {MAX_DAYS} days past start_date"
        )));
    }
    if exceeds_limit(first, utc_date(now)) {
        return Err(ApiError::invalid(format!(
            "Invalid request: start_date is more than {MAX_DAYS} days back from today"
        )));
    }
    Ok((first, last))
}

/// Parses `YYYY-MM-DD` strictly.
fn date(query: &Query, name: &str) -> Result<Date, ApiError> {
    let text = query.required(name)?;
    let is_strict = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let date = if is_strict { text.parse().ok() } else { None };
    date.ok_or_else(|| invalid_param(name, text))
}
