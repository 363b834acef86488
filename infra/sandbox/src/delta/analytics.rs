//! The cost report of campaigns.
//!
//! Marketing API: "Ads Reporting", analytics finder. The sandbox supports pivot CAMPAIGN over a whole date
//! range.

use super::accounts::Account;
use super::currency;
use super::entity::Entity;
use super::error::{InputError, input_errors, invalid_param};
use super::float_noise;
use super::restli::{Query, RestliValue};
use super::schema::{ACCOUNT_URN, CAMPAIGN_URN, urn_id};
use crate::http::{Reply, Request};
use crate::platform::RequestContext;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

const PARAMETERS: &[&str] = &["q", "pivot", "timeGranularity", "dateRange", "campaigns", "accounts", "fields"];
const FIELDS: &[&str] = &[
    "clicks",
    "costInLocalCurrency",
    "costInUsd",
    "dateRange",
    "externalWebsiteConversions",
    "impressions",
    "pivotValues",
];
/// The platform's limit on the fields of a report.
const MAX_FIELDS: usize = 20;

/// A date range with inclusive ends.
struct Range {
    first: Date,
    last: Date,
}

/// The dates and columns of a report.
struct View {
    range: Range,
    fields: Vec<&'static str>,
    float_noise: bool,
}

/// Reports on the granted accounts. Campaigns of other accounts are left out without an error.
pub(crate) fn report(request: &Request, granted: &[&Account], context: &RequestContext<'_>) -> Result<Reply, Reply> {
    let query = Query::read(request, PARAMETERS)?;
    query.check_finder("analytics")?;
    for (name, only) in [("pivot", "CAMPAIGN"), ("timeGranularity", "ALL")] {
        match query.text(name)?.as_deref() {
            None => return Err(input_errors(&[InputError::missing(name)])),
            Some(value) if value == only => {}
            Some(_) => return Err(invalid_param(name, format!("The sandbox supports only {only}"))),
        }
    }
    let today = context.now.to_zoned(TimeZone::UTC).date();
    let (range, fields) = (range(&query, today)?, fields(&query)?);
    let view = View { range, fields, float_noise: context.quirk(float_noise::QUIRK) };
    let campaigns = ids(&query, "campaigns", CAMPAIGN_URN)?;
    let accounts = ids(&query, "accounts", ACCOUNT_URN)?;
    if campaigns.is_none() && accounts.is_none() {
        return Err(invalid_param("campaigns", "At least one facet is needed: campaigns or accounts"));
    }
    let selected = |wanted: &Option<Vec<i64>>, id| wanted.as_ref().is_none_or(|ids| ids.contains(&id));
    let mut elements = Vec::new();
    for account in granted.iter().filter(|account| selected(&accounts, account.id)) {
        for campaign in account.campaigns.values().filter(|one| selected(&campaigns, one.id)) {
            elements.extend(row(account, campaign, &view));
        }
    }
    Ok(Reply::json(200, &json!({ "paging": { "start": 0, "count": 10, "links": [] }, "elements": elements })))
}

/// The row of a campaign; `None` without cost, unless the float-noise quirk is on.
fn row(account: &Account, campaign: &Entity, view: &View) -> Option<Value> {
    let View { range, fields, float_noise } = view;
    let (first, last) = (range.first.to_string(), range.last.to_string());
    let micros = campaign.costs.range(first..=last).fold(0_i64, |sum, (_, cost)| sum.saturating_add(*cost));
    if micros == 0 && !float_noise {
        return None;
    }
    let clicks = micros / 1_000_000 + i64::from(micros > 0);
    let mut row = Map::new();
    for field in fields {
        let value = match *field {
            "costInLocalCurrency" if *float_noise => json!(float_noise::with_float_noise(micros, campaign.id)),
            "costInLocalCurrency" => json!(currency::decimal(micros)),
            "costInUsd" => json!(currency::decimal(currency::in_dollars(micros, &account.currency))),
            "pivotValues" => json!([format!("{CAMPAIGN_URN}{}", campaign.id)]),
            "dateRange" => json!({ "start": day(range.first), "end": day(range.last) }),
            "impressions" => json!(clicks.saturating_mul(50)),
            "clicks" => json!(clicks),
            _ => json!(0),
        };
        row.insert((*field).to_owned(), value);
    }
    Some(Value::Object(row))
}

fn day(date: Date) -> Value {
    json!({ "year": date.year(), "month": date.month(), "day": date.day() })
}

/// The requested fields. The default has impressions and clicks but no cost.
fn fields(query: &Query<'_>) -> Result<Vec<&'static str>, Reply> {
    let Some(raw) = query.raw("fields") else { return Ok(vec!["impressions", "clicks"]) };
    let names: Vec<&str> = raw.split(',').flat_map(|part| part.split("%2C")).collect();
    if names.len() > MAX_FIELDS {
        return Err(invalid_param("fields", format!("At most {MAX_FIELDS} fields can be requested")));
    }
    let known = |name: &str| FIELDS.iter().find(|field| **field == name).copied();
    let fields = names
        .iter()
        .map(|name| known(name).ok_or_else(|| invalid_param("fields", format!("There is no field {name}"))));
    fields.collect()
}

fn ids(query: &Query<'_>, name: &str, prefix: &str) -> Result<Option<Vec<i64>>, Reply> {
    let Some(data) = query.data(name)? else { return Ok(None) };
    let invalid = || invalid_param(name, format!("The parameter must be a list of {prefix}ID"));
    let urns = data.texts().ok_or_else(invalid)?;
    let ids = urns.iter().map(|urn| urn_id(urn, prefix)).collect::<Option<Vec<i64>>>();
    ids.map(Some).ok_or_else(invalid)
}

fn range(query: &Query<'_>, today: Date) -> Result<Range, Reply> {
    let given = query.data("dateRange")?.ok_or_else(|| input_errors(&[InputError::missing("dateRange")]))?;
    let invalid = || invalid_param("dateRange", "The date range is not valid");
    let first = given.get("start").and_then(date).ok_or_else(invalid)?;
    let last = match given.get("end") {
        Some(end) => date(end).ok_or_else(invalid)?,
        None => today,
    };
    if last < first { Err(invalid()) } else { Ok(Range { first, last }) }
}

fn date(given: &RestliValue) -> Option<Date> {
    let part = |name| given.get(name).and_then(RestliValue::text);
    let [year, month, day] = [part("year")?, part("month")?, part("day")?];
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}
