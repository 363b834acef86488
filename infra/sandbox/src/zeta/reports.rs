//! What campaigns have cost.
//!
//! Reddit Ads API v3 reference: "Get a Report". Only money is imitated, by campaign or in all.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::accounts::{Account, iso};
use super::error::Refusal;
use super::schema;
use crate::http::Request;

const KNOWN: &[&str] = &["starts_at", "ends_at", "fields", "breakdowns", "filter", "time_zone_id"];

/// Before the id in a filter, which is the only one that is imitated.
const FILTER: &str = "campaign:id==";

/// One row for each campaign with any spend in the window, none for the others. How the platform
/// tells that there was nothing is not published.
pub(crate) fn report(account: &Account, request: &Request, now: i64) -> Result<Value, Refusal> {
    let data = schema::data(request)?;
    if let Some(odd) = data.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(Refusal::data(odd, "additional properties are not allowed"));
    }
    let (from, to) = window(&data)?;
    let fields = words(&data, "fields", &["CAMPAIGN_ID", "SPEND"])?;
    let fields = fields.filter(|fields| !fields.is_empty()).ok_or_else(|| Refusal::data("fields", "is required"))?;
    let by_campaign = words(&data, "breakdowns", &["CAMPAIGN_ID"])?.is_some_and(|words| !words.is_empty());
    let wanted = filter(&data)?;
    let held = account.campaigns.values().filter(|one| wanted.as_ref().is_none_or(|id| *id == one.id.to_string()));
    let spent: Vec<(String, i64)> =
        held.filter_map(|one| Some((one.id.to_string(), one.spent_between(from, to)?))).collect();
    let row = |id: Option<&str>, micros: i64| {
        let mut row = Map::new();
        // The id is in the row when it was asked for as a field, not for breaking down by it.
        for field in &fields {
            let value = if *field == "SPEND" { json!(micros) } else { json!(id) };
            row.insert(field.to_ascii_lowercase(), value);
        }
        Value::Object(row)
    };
    let metrics: Vec<Value> = if by_campaign {
        spent.iter().map(|(id, micros)| row(Some(id), *micros)).collect()
    } else {
        let sum = spent.iter().map(|(_, micros)| *micros).reduce(i64::saturating_add);
        sum.map(|micros| row(None, micros)).into_iter().collect()
    };
    let updated = iso(hour(now));
    let pagination = json!({ "next_url": null, "previous_url": null });
    Ok(json!({ "data": { "metrics": metrics, "metrics_updated_at": updated }, "pagination": pagination }))
}

/// The second in which the hour of a moment began.
pub(crate) fn hour(second: i64) -> i64 {
    second - second.rem_euclid(3600)
}

fn window(data: &Map<String, Value>) -> Result<(i64, i64), Refusal> {
    let (from, to) = (moment(data, "starts_at")?, moment(data, "ends_at")?);
    if to <= from {
        return Err(Refusal::data("ends_at", "must be after starts_at"));
    }
    match data.get("time_zone_id") {
        None | Some(Value::Null) => Ok((from, to)),
        Some(Value::String(name)) if TimeZone::get(name).is_ok() => Ok((from, to)),
        Some(_) => Err(Refusal::data("time_zone_id", "is no time zone")),
    }
}

/// `YYYY-MM-DDTHH:00:00Z` and nothing else.
fn moment(data: &Map<String, Value>, name: &str) -> Result<i64, Refusal> {
    let text = data.get(name).ok_or_else(|| Refusal::data(name, "is required"))?.as_str().unwrap_or_default();
    let moment = text.parse::<Timestamp>().ok().map(Timestamp::as_second);
    let exact = moment.filter(|second| hour(*second) == *second && iso(*second) == text);
    exact.ok_or_else(|| Refusal::data(name, "must be hourly, in the format YYYY-MM-DDTHH:00:00Z"))
}

/// A list of upper-case words that may be left out.
fn words<'d>(data: &'d Map<String, Value>, name: &str, known: &[&str]) -> Result<Option<Vec<&'d str>>, Refusal> {
    let Some(value) = data.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let words = value.as_array().ok_or_else(|| Refusal::data(name, "must be a list"))?;
    let word = |word: &'d Value| {
        let word = word.as_str().filter(|word| known.contains(word));
        word.ok_or_else(|| Refusal::data(name, format!("must be of {}", known.join(", "))))
    };
    words.iter().map(word).collect::<Result<_, _>>().map(Some)
}

fn filter(data: &Map<String, Value>) -> Result<Option<String>, Refusal> {
    let Some(value) = data.get("filter").filter(|value| !value.is_null()) else { return Ok(None) };
    let id = value.as_str().and_then(|text| text.strip_prefix(FILTER));
    let is_id = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let id = id.filter(is_id).ok_or_else(|| Refusal::data("filter", format!("has to be {FILTER} and an id")))?;
    Ok(Some(id.to_owned()))
}
