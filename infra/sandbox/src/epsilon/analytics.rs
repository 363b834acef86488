//! What campaigns have cost.
//!
//! Pinterest API v5 reference: "Get campaign analytics". Only the sum over the whole window and
//! the column for money are imitated.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Map, Value, json};

use super::accounts::Account;
use super::error::Refusal;
use super::query::{Query, wrong};
use crate::http::Request;

/// Days that a window may span, and that it may reach back from today in UTC.
const DAYS: i32 = 90;

/// Told with every row, asked for or not.
const ID: &str = "CAMPAIGN_ID";
/// Whatever its name says: micros of the account's currency.
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

/// A bare array: one row for each campaign with any spend in the window, none for the others.
pub(crate) fn report(account: &Account, request: &Request, now: Timestamp) -> Result<Value, Refusal> {
    let query = Query::read(request, SINGLE, &["campaign_ids"])?;
    let (first, last) = window(&query, now)?;
    let campaigns = query.campaigns()?;
    if campaigns.is_empty() {
        return Err(Refusal::invalid("Invalid request: campaign_ids is required"));
    }
    match query.required("granularity")? {
        "TOTAL" => {}
        other => return Err(wrong("granularity", &format!("{other} in the sandbox"))),
    }
    let columns: Vec<&str> = query.required("columns")?.split(',').collect();
    if let Some(odd) = columns.iter().find(|column| !matches!(**column, ID | SPEND)) {
        return Err(wrong("columns", &format!("{odd} in the sandbox")));
    }
    let held = campaigns.iter().filter_map(|id| account.campaigns.get(id));
    let rows = held.filter_map(|campaign| {
        let mut row = Map::from_iter([(ID.to_owned(), json!(campaign.id.to_string()))]);
        let spent = campaign.spent_between(first, last)?;
        if columns.contains(&SPEND) {
            row.insert(SPEND.to_owned(), json!(spent));
        }
        Some(Value::Object(row))
    });
    Ok(rows.collect())
}

fn window(query: &Query, now: Timestamp) -> Result<(Date, Date), Refusal> {
    let first = date(query, "start_date")?;
    let last = date(query, "end_date")?;
    let late = |from: Date, to: Date| from.checked_add(DAYS.days()).is_ok_and(|limit| to > limit);
    if last < first {
        return Err(Refusal::invalid("Invalid request: end_date is before start_date"));
    }
    if late(first, last) {
        return Err(Refusal::invalid(format!("Invalid request: end_date is more than {DAYS} days past start_date")));
    }
    if late(first, today(now)) {
        return Err(Refusal::invalid(format!("Invalid request: start_date is more than {DAYS} days back from today")));
    }
    Ok((first, last))
}

/// `YYYY-MM-DD` and nothing else.
fn date(query: &Query, name: &str) -> Result<Date, Refusal> {
    let text = query.required(name)?;
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let date = if shape { text.parse().ok() } else { None };
    date.ok_or_else(|| wrong(name, text))
}

/// The day in UTC.
pub(crate) fn today(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}
