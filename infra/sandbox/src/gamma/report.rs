//! Reports of campaigns: one row for each campaign, or for each campaign and day, with activity.
//!
//! TikTok API for Business v1.3: "Run a synchronous report", "Basic reports", and the request model of the official
//! SDK. Recorded live by its callers: the limit of 30 days with its message, the message of invalid metrics, the
//! midnight in `stat_time_day`, and numbers as text. Not verified: the message of the limit of 365 days, and whether a
//! span of 30 days includes both ends (here it does).

use super::account::Account;
use super::campaign::Campaign;
use super::envelope::{Data, FieldValue, Row};
use super::error::{ApiError, PARAMETER};
use super::params::Query;
use super::report_filter::Selection;
use super::{currency, list};
use crate::delivery::Delivery;
use crate::money::MICROS;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

/// Parameters of a report call.
pub(crate) const PARAMETERS: &[&str] = &[
    "advertiser_id",
    "data_level",
    "dimensions",
    "end_date",
    "filtering",
    "metrics",
    "page",
    "page_size",
    "query_lifetime",
    "report_type",
    "service_type",
    "start_date",
];

const DIMENSIONS: &[&str] = &["campaign_id", "stat_time_day"];
const METRICS: &[&str] = &["spend", "impressions", "clicks", "conversion", "campaign_name"];
/// Most days of a report by day, and of any other.
const MAX_DAYS: (i32, i32) = (30, 365);

/// The time of a report, in the account's time zone.
#[derive(Clone, Copy)]
enum Span {
    /// The whole run of each campaign.
    Lifetime,
    /// Both ends are included.
    Days(Date, Date),
}

/// Returns one page. `max_rows` is the sandbox setting that shortens pages.
pub(crate) fn report(account: &Account, query: &Query, max_rows: Option<usize>) -> Result<Data, ApiError> {
    query.choice("report_type", &["BASIC"])?;
    query.choice("data_level", &["AUCTION_CAMPAIGN"])?;
    if query.string("service_type").is_some_and(|kind| kind != "AUCTION") {
        return Err(ApiError::parameter("service_type", "Must be one of: AUCTION."));
    }
    let is_by_day = is_by_day(query)?;
    let metrics = metrics(query)?;
    let span = span(query, is_by_day)?;
    let selection = Selection::read(query)?;
    let mut rows = Vec::new();
    for campaign in account.campaigns.values().rev().filter(|campaign| selection.includes(campaign)) {
        for (day, delivery) in delivered(campaign, span, is_by_day) {
            rows.push(row(campaign, day, &delivery, &metrics, &account.currency));
        }
    }
    list::page(rows, query, max_rows, list::MAX_PAGE)
}

/// The days of a campaign with activity, or their sum.
fn delivered(campaign: &Campaign, span: Span, is_by_day: bool) -> Vec<(Option<Date>, Delivery)> {
    let is_within = |day: &Date| match span {
        Span::Lifetime => true,
        Span::Days(first, last) => first <= *day && *day <= last,
    };
    let within = campaign.delivered.iter().filter(|(day, _)| is_within(day));
    let mut days: Vec<_> = within.map(|(day, one)| (Some(*day), one.clone())).collect();
    if !is_by_day {
        let mut total = Delivery::default();
        days.iter().for_each(|(_, day)| total.add(day));
        days = vec![(None, total)];
    }
    days.retain(|(_, one)| *one != Delivery { conversion_value: one.conversion_value, ..Delivery::default() });
    days
}

fn row(campaign: &Campaign, day: Option<Date>, delivery: &Delivery, metrics: &[String], currency: &str) -> Row {
    let mut dimensions = json!({ "campaign_id": campaign.id.to_string() });
    if let (Some(day), Some(fields)) = (day, dimensions.as_object_mut()) {
        fields.insert("stat_time_day".to_owned(), json!(format!("{day} 00:00:00")));
    }
    let metric = |name: &str| match name {
        "spend" => currency::format(delivery.spend, currency),
        "impressions" => delivery.impressions.to_string(),
        "clicks" => delivery.clicks.to_string(),
        "conversion" => (delivery.conversions / MICROS).to_string(),
        _ => campaign.name.clone(),
    };
    let values: Map<String, Value> = metrics.iter().map(|name| (name.clone(), json!(metric(name)))).collect();
    Row::from([("dimensions", FieldValue::Plain(dimensions)), ("metrics", FieldValue::Plain(Value::Object(values)))])
}

/// Reads the dimensions: the campaign, and perhaps the day.
fn is_by_day(query: &Query) -> Result<bool, ApiError> {
    let names = query.strings("dimensions", Some(DIMENSIONS))?.ok_or_else(|| ApiError::missing("dimensions"))?;
    let count = |name: &str| names.iter().filter(|one| *one == name).count();
    match (count("campaign_id"), count("stat_time_day")) {
        (1, 0) => Ok(false),
        (1, 1) => Ok(true),
        _ => Err(ApiError::parameter("dimensions", "Must be campaign_id, with stat_time_day at most once.")),
    }
}

fn metrics(query: &Query) -> Result<Vec<String>, ApiError> {
    let metrics = query.strings("metrics", None)?.ok_or_else(|| ApiError::missing("metrics"))?;
    let is_unknown = |name: &&String| !METRICS.contains(&name.as_str());
    let unknown: Vec<String> = metrics.iter().filter(is_unknown).map(|name| format!("'{name}'")).collect();
    if unknown.is_empty() && !metrics.is_empty() {
        return Ok(metrics);
    }
    let why = "Please correct the information in invalid metric fields and try again. Invalid metric fields: ";
    Err(ApiError::new(PARAMETER, format!("{why}[{}]. ", unknown.join(", "))))
}

fn span(query: &Query, is_by_day: bool) -> Result<Span, ApiError> {
    match query.string("query_lifetime") {
        Some("true") if is_by_day => {
            return Err(ApiError::parameter("query_lifetime", "Not supported with stat_time_day."));
        }
        Some("true") => return Ok(Span::Lifetime),
        None | Some("false") => {}
        Some(_) => return Err(ApiError::parameter("query_lifetime", "Not a valid boolean.")),
    }
    let (first, last) = (date(query, "start_date")?, date(query, "end_date")?);
    if last < first {
        return Err(ApiError::parameter("end_date", "Must not be before start_date."));
    }
    let days = first.until(last).map_or(i32::MAX, |span| span.get_days() + 1);
    let (most, with) = if is_by_day { (MAX_DAYS.0, " when use stat_time_day") } else { (MAX_DAYS.1, "") };
    if days > most {
        return Err(ApiError::new(PARAMETER, format!("max time span is {most} days{with}")));
    }
    Ok(Span::Days(first, last))
}

fn date(query: &Query, name: &str) -> Result<Date, ApiError> {
    let text = query.required(name)?;
    let date = text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    date.ok_or_else(|| ApiError::parameter(name, "Not a valid date. The format is YYYY-MM-DD."))
}
