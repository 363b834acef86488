//! What campaigns have cost.
//!
//! Reddit Ads API v3 reference, 2026-08: "Get a Report", "Pagination". Only money is imitated, by
//! campaign or in all. Not verified: how a campaign without delivery is told, as spend is nullable.
//! Here it is 0, and null or absent by quirk. Not verified either: the size of a page when none is
//! asked for.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ring::digest;
use serde_json::{Map, Value, json};

use super::accounts::{Account, iso};
use super::error::Refusal;
use super::query::Query;
use super::schema;
use crate::http::Request;
use crate::platform::RequestContext;

/// The quirk that reports null where nothing was delivered.
pub(crate) const NULL_QUIRK: &str = "null_spend";
/// The quirk that leaves out the row where nothing was delivered.
pub(crate) const MISSING_QUIRK: &str = "missing_rows";

/// Months that a report reaches back.
const MONTHS: i64 = 24;

const KNOWN: &[&str] = &["starts_at", "ends_at", "fields", "breakdowns", "filter", "time_zone_id"];

/// Before the id in a filter, which is the only one that is imitated.
const FILTER: &str = "campaign:id==";

/// A report as it was asked for.
struct Asked<'d> {
    from: i64,
    to: i64,
    fields: Vec<&'d str>,
    by_campaign: bool,
    /// The one campaign that is reported on.
    only: Option<String>,
}

/// One page of rows: one for each campaign of the account, with or without delivery. The next page
/// is the same body at the address of `next_url`; its token is good for this body alone.
pub(crate) fn report(account: &Account, request: &Request, moment: &RequestContext<'_>) -> Result<Value, Refusal> {
    let query = Query::read(request, &["page.size", "page.token"])?;
    let data = schema::data(request)?;
    let asked = Asked::read(&data, moment.now)?;
    let body = fingerprint(&data);
    let rows = asked.rows(account, moment).into_iter().map(|(id, row)| (format!("{id} {body}"), row));
    let page = query.page(rows.collect(), moment.settings.page_size)?;
    let updated = iso(hour(moment.now.as_second()));
    let data = json!({ "metrics": page["data"], "metrics_updated_at": updated });
    Ok(json!({ "data": data, "pagination": page["pagination"] }))
}

impl<'d> Asked<'d> {
    fn read(data: &'d Map<String, Value>, now: Timestamp) -> Result<Self, Refusal> {
        if let Some(odd) = data.keys().find(|name| !KNOWN.contains(&name.as_str())) {
            return Err(Refusal::data(odd, "additional properties are not allowed"));
        }
        let (from, to) = window(data, now)?;
        let fields = words(data, "fields", &["CAMPAIGN_ID", "SPEND"])?;
        let fields =
            fields.filter(|fields| !fields.is_empty()).ok_or_else(|| Refusal::data("fields", "is required"))?;
        let by_campaign = words(data, "breakdowns", &["CAMPAIGN_ID"])?.is_some_and(|words| !words.is_empty());
        Ok(Self { from, to, fields, by_campaign, only: filter(data)? })
    }

    /// Rows by campaign id, or the one of all campaigns.
    fn rows(&self, account: &Account, moment: &RequestContext<'_>) -> Vec<(i64, Value)> {
        let held = account.campaigns.values();
        let held = held.filter(|one| self.only.as_ref().is_none_or(|id| *id == one.id.to_string()));
        let spent = held.map(|one| (one.id, one.spent_between(self.from, self.to)));
        let row = |(id, spent): (i64, Option<i64>)| {
            let spend = spent.map_or_else(|| undelivered(id, moment), |micros| Some(json!(micros)))?;
            Some((id, self.row(id, &spend)))
        };
        if self.by_campaign {
            return spent.filter_map(row).collect();
        }
        let sum = spent.filter_map(|(_, micros)| micros).reduce(i64::saturating_add);
        row((0, sum)).into_iter().collect()
    }

    /// The id is in the row when it was asked for as a field, not for breaking down by it.
    fn row(&self, id: i64, spend: &Value) -> Value {
        let id = self.by_campaign.then(|| id.to_string());
        let value = |field: &str| if field == "SPEND" { spend.clone() } else { json!(id) };
        self.fields.iter().map(|field| (field.to_ascii_lowercase(), value(field))).collect::<Map<_, _>>().into()
    }
}

/// The spend of a campaign that had no delivery in the window; `None` when it has no row. The two
/// quirks together take turns, so that a client meets both.
fn undelivered(id: i64, moment: &RequestContext<'_>) -> Option<Value> {
    let nulls = moment.quirk(NULL_QUIRK);
    if moment.quirk(MISSING_QUIRK) && (!nulls || id % 2 == 0) {
        return None;
    }
    Some(if nulls { Value::Null } else { json!(0) })
}

/// Stands for a body in tokens, whatever the order and spacing of its JSON.
fn fingerprint(data: &Map<String, Value>) -> String {
    let hash = digest::digest(&digest::SHA256, Value::Object(data.clone()).to_string().as_bytes());
    URL_SAFE_NO_PAD.encode(hash.as_ref().get(..12).unwrap_or_default())
}

/// The second in which the hour of a moment began.
pub(crate) fn hour(second: i64) -> i64 {
    second - second.rem_euclid(3600)
}

fn window(data: &Map<String, Value>, now: Timestamp) -> Result<(i64, i64), Refusal> {
    let (from, to) = (moment(data, "starts_at")?, moment(data, "ends_at")?);
    let first = now.to_zoned(TimeZone::UTC).checked_sub(MONTHS.months());
    if first.is_ok_and(|first| from < hour(first.timestamp().as_second())) {
        return Err(Refusal::data("starts_at", format!("cannot be more than {MONTHS} months ago")));
    }
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
