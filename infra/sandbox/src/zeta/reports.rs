//! The cost report of campaigns.
//!
//! Reddit Ads API v3 reference, 2026-08: "Get a Report", "Pagination". The sandbox supports only spend, by
//! campaign or in total. Not verified: the row of a campaign without delivery, as spend is nullable. The
//! sandbox reports 0, and null or no row by quirk. Not verified either: the default page size.

use super::accounts::Account;
use super::campaign::Campaign;
use super::error::ApiError;
use super::query::Query;
use super::schema;
use super::time::{start_of_hour, to_iso8601};
use crate::http::Request;
use crate::platform::RequestContext;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ring::digest;
use serde_json::{Map, Value, json};

/// The quirk that reports null for a campaign without delivery.
pub(crate) const NULL_QUIRK: &str = "null_spend";
/// The quirk that omits the row of a campaign without delivery.
pub(crate) const MISSING_QUIRK: &str = "missing_rows";

/// The limit in months of the distance from now.
const MAX_MONTHS: i64 = 24;

const PROPERTIES: &[&str] = &["starts_at", "ends_at", "fields", "breakdowns", "filter", "time_zone_id"];

/// The prefix of the only supported filter; the id follows.
const CAMPAIGN_FILTER: &str = "campaign:id==";

/// The validated body of a report request.
struct ReportRequest<'d> {
    from: i64,
    to: i64,
    fields: Vec<&'d str>,
    by_campaign: bool,
    /// The campaign of the filter.
    campaign_id: Option<String>,
}

/// One page of rows: one for each campaign of the account, with or without delivery. The next page takes the
/// same body at `next_url`; its token is valid for this body only.
pub(crate) fn report(account: &Account, request: &Request, context: &RequestContext<'_>) -> Result<Value, ApiError> {
    let query = Query::read(request, &["page.size", "page.token"])?;
    let data = schema::data(request)?;
    let report = ReportRequest::read(&data, context.now)?;
    let body = fingerprint(&data);
    let rows = report.rows(account, context).into_iter().map(|(id, row)| (format!("{id} {body}"), row));
    let page = query.page(rows.collect(), context.settings.page_size)?;
    let updated = to_iso8601(start_of_hour(context.now.as_second()));
    let data = json!({ "metrics": page["data"], "metrics_updated_at": updated });
    Ok(json!({ "data": data, "pagination": page["pagination"] }))
}

impl<'d> ReportRequest<'d> {
    fn read(data: &'d Map<String, Value>, now: Timestamp) -> Result<Self, ApiError> {
        if let Some(invalid) = data.keys().find(|name| !PROPERTIES.contains(&name.as_str())) {
            return Err(ApiError::data_field(invalid, "additional properties are not allowed"));
        }
        let (from, to) = window(data, now)?;
        let fields = enum_list(data, "fields", &["CAMPAIGN_ID", "SPEND"])?;
        let fields =
            fields.filter(|fields| !fields.is_empty()).ok_or_else(|| ApiError::data_field("fields", "is required"))?;
        let by_campaign = enum_list(data, "breakdowns", &["CAMPAIGN_ID"])?.is_some_and(|fields| !fields.is_empty());
        Ok(Self { from, to, fields, by_campaign, campaign_id: filter(data)? })
    }

    /// The rows by campaign id, or one row for all campaigns.
    fn rows(&self, account: &Account, context: &RequestContext<'_>) -> Vec<(i64, Value)> {
        let selects = |campaign: &&Campaign| {
            let id = self.campaign_id.as_ref();
            id.is_none_or(|id| *id == campaign.id.to_string())
        };
        let campaigns = account.campaigns.values().filter(selects);
        let costs = campaigns.map(|campaign| (campaign.id, campaign.cost_between(self.from, self.to)));
        let row = |(id, cost): (i64, Option<i64>)| {
            let spend = cost.map_or_else(|| undelivered(id, context), |micros| Some(json!(micros)))?;
            Some((id, self.row(id, &spend)))
        };
        if self.by_campaign {
            return costs.filter_map(row).collect();
        }
        let total = costs.filter_map(|(_, micros)| micros).reduce(i64::saturating_add);
        row((0, total)).into_iter().collect()
    }

    /// The id is in the row if it is requested as a field, independent of the breakdown.
    fn row(&self, id: i64, spend: &Value) -> Value {
        let id = self.by_campaign.then(|| id.to_string());
        let value = |field: &str| if field == "SPEND" { spend.clone() } else { json!(id) };
        self.fields.iter().map(|field| (field.to_ascii_lowercase(), value(field))).collect::<Map<_, _>>().into()
    }
}

/// The spend of a campaign without delivery; `None` for no row. The two quirks together alternate, so that
/// clients meet both.
fn undelivered(id: i64, context: &RequestContext<'_>) -> Option<Value> {
    let nulls = context.quirk(NULL_QUIRK);
    if context.quirk(MISSING_QUIRK) && (!nulls || id % 2 == 0) {
        return None;
    }
    Some(if nulls { Value::Null } else { json!(0) })
}

/// Identifies a body in page tokens, independent of the order and spacing of its JSON.
fn fingerprint(data: &Map<String, Value>) -> String {
    let hash = digest::digest(&digest::SHA256, Value::Object(data.clone()).to_string().as_bytes());
    URL_SAFE_NO_PAD.encode(hash.as_ref().get(..12).unwrap_or_default())
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
    match data.get("time_zone_id") {
        None | Some(Value::Null) => Ok((from, to)),
        Some(Value::String(name)) if TimeZone::get(name).is_ok() => Ok((from, to)),
        Some(_) => Err(ApiError::data_field("time_zone_id", "is not a time zone")),
    }
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
