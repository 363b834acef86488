//! The body of a report request.
//!
//! Reddit Ads API v3 reference, 2026-08: "Get a Report". The sandbox supports the breakdowns CAMPAIGN_ID and DATE.

use super::error::ApiError;
use super::time::{start_of_hour, to_iso8601};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value};

/// The limit in months of the distance from now.
const MAX_MONTHS: i64 = 24;

const PROPERTIES: &[&str] = &["starts_at", "ends_at", "fields", "breakdowns", "filter", "time_zone_id"];

/// The supported fields. A row has only those that are requested, whatever the breakdowns are.
const FIELDS: &[&str] = &[
    "CAMPAIGN_ID",
    "DATE",
    "SPEND",
    "IMPRESSIONS",
    "CLICKS",
    "KEY_CONVERSION_TOTAL_COUNT",
    "CONVERSION_PURCHASE_TOTAL_VALUE",
];

/// The prefix of the only supported filter; the id follows.
const CAMPAIGN_FILTER: &str = "campaign:id==";

/// The validated body of a report request.
pub(crate) struct ReportRequest<'d> {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) fields: Vec<&'d str>,
    pub(crate) by_campaign: bool,
    pub(crate) by_date: bool,
    /// The campaign of the filter.
    pub(crate) campaign_id: Option<String>,
    zone: TimeZone,
}

impl<'d> ReportRequest<'d> {
    pub(crate) fn read(data: &'d Map<String, Value>, now: Timestamp) -> Result<Self, ApiError> {
        if let Some(invalid) = data.keys().find(|name| !PROPERTIES.contains(&name.as_str())) {
            return Err(ApiError::data_field(invalid, "additional properties are not allowed"));
        }
        let (from, to) = window(data, now)?;
        let fields = enum_list(data, "fields", FIELDS)?.filter(|fields| !fields.is_empty());
        let fields = fields.ok_or_else(|| ApiError::data_field("fields", "is required"))?;
        let breakdowns = enum_list(data, "breakdowns", &["CAMPAIGN_ID", "DATE"])?.unwrap_or_default();
        let has = |name| breakdowns.contains(&name);
        let (by_campaign, by_date) = (has("CAMPAIGN_ID"), has("DATE"));
        Ok(Self { from, to, fields, by_campaign, by_date, campaign_id: filter(data)?, zone: zone(data)? })
    }

    /// The date of an hour in the time zone of the report.
    pub(crate) fn date(&self, hour: i64) -> Date {
        self.zone.to_datetime(Timestamp::from_second(hour).unwrap_or_default()).date()
    }
}

/// The time zone of the dates: UTC by default.
fn zone(data: &Map<String, Value>) -> Result<TimeZone, ApiError> {
    match data.get("time_zone_id") {
        None | Some(Value::Null) => Ok(TimeZone::UTC),
        Some(Value::String(name)) => {
            TimeZone::get(name).map_err(|_| ApiError::data_field("time_zone_id", "is not a time zone"))
        }
        Some(_) => Err(ApiError::data_field("time_zone_id", "is not a time zone")),
    }
}

fn window(data: &Map<String, Value>, now: Timestamp) -> Result<(i64, i64), ApiError> {
    let (from, to) = (parse_hour(data, "starts_at")?, parse_hour(data, "ends_at")?);
    let first = now.to_zoned(TimeZone::UTC).checked_sub(MAX_MONTHS.months());
    if first.is_ok_and(|first| from < start_of_hour(first.timestamp().as_second())) {
        return Err(ApiError::data_field("starts_at", format!("cannot be more than {MAX_MONTHS} months ago")));
    }
    if to <= from {
        return Err(ApiError::data_field("ends_at", "must be after starts_at"));
    }
    Ok((from, to))
}

/// Parses `YYYY-MM-DDTHH:00:00Z` strictly.
fn parse_hour(data: &Map<String, Value>, name: &str) -> Result<i64, ApiError> {
    let text = data.get(name).ok_or_else(|| ApiError::data_field(name, "is required"))?.as_str().unwrap_or_default();
    let second = text.parse::<Timestamp>().ok().map(Timestamp::as_second);
    let exact = second.filter(|second| start_of_hour(*second) == *second && to_iso8601(*second) == text);
    exact.ok_or_else(|| ApiError::data_field(name, "must be hourly, in the format YYYY-MM-DDTHH:00:00Z"))
}

/// An optional list of upper-case enum values.
fn enum_list<'d>(data: &'d Map<String, Value>, name: &str, known: &[&str]) -> Result<Option<Vec<&'d str>>, ApiError> {
    let Some(value) = data.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let values = value.as_array().ok_or_else(|| ApiError::data_field(name, "must be a list"))?;
    let parse = |value: &'d Value| {
        let value = value.as_str().filter(|value| known.contains(value));
        value.ok_or_else(|| ApiError::data_field(name, format!("must be of {}", known.join(", "))))
    };
    values.iter().map(parse).collect::<Result<_, _>>().map(Some)
}

fn filter(data: &Map<String, Value>) -> Result<Option<String>, ApiError> {
    let Some(value) = data.get("filter").filter(|value| !value.is_null()) else { return Ok(None) };
    let id = value.as_str().and_then(|text| text.strip_prefix(CAMPAIGN_FILTER));
    let is_id = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let id = id
        .filter(is_id)
        .ok_or_else(|| ApiError::data_field("filter", format!("must be {CAMPAIGN_FILTER} and an id")))?;
    Ok(Some(id.to_owned()))
}
