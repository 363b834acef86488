//! The cost report of campaigns.
//!
//! Pinterest API v5 reference: "Get campaign analytics". The sandbox supports the total of the whole window
//! and the spend column only.

use super::accounts::Account;
use super::campaign::utc_date;
use super::error::ApiError;
use super::query::{Query, invalid_param};
use crate::http::Request;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value, json};

/// The limit in days of the window, and of its distance from today in UTC.
const MAX_DAYS: i32 = 90;

/// In every row, even if it is not requested.
const ID: &str = "CAMPAIGN_ID";
/// Micros of the account's currency, despite the name.
const SPEND: &str = "SPEND_IN_MICRO_DOLLAR";

const SINGLE: &[&str] = &[
    "start_date",
    "end_date",
    "columns",
    "granularity",
    "click_window_days",
    "engagement_window_days",
    "view_window_days",
    "conversion_report_time",
];

/// The report is a bare array with a row for each campaign that has cost in the window.
pub(crate) fn report(account: &Account, request: &Request, now: Timestamp) -> Result<Value, ApiError> {
    let query = Query::read(request, SINGLE, &["campaign_ids"])?;
    let (first, last) = window(&query, now)?;
    let campaign_ids = query.campaign_ids()?;
    if campaign_ids.is_empty() {
        return Err(ApiError::invalid("Invalid request: campaign_ids is required"));
    }
    match query.required("granularity")? {
        "TOTAL" => {}
        other => return Err(invalid_param("granularity", &format!("{other} in the sandbox"))),
    }
    let columns: Vec<&str> = query.required("columns")?.split(',').collect();
    if let Some(invalid) = columns.iter().find(|column| !matches!(**column, ID | SPEND)) {
        return Err(invalid_param("columns", &format!("{invalid} in the sandbox")));
    }
    let campaigns = campaign_ids.iter().filter_map(|id| account.campaigns.get(id));
    let rows = campaigns.filter_map(|campaign| {
        let mut row = Map::from_iter([(ID.to_owned(), json!(campaign.id.to_string()))]);
        let cost = campaign.cost_between(first, last)?;
        if columns.contains(&SPEND) {
            row.insert(SPEND.to_owned(), json!(cost));
        }
        Some(Value::Object(row))
    });
    Ok(rows.collect())
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
