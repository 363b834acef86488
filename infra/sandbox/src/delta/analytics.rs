//! The report of campaigns, by day or over the whole range.
//!
//! Marketing API: "Ads Reporting", analytics finder: no pages, rows only with activity, single days for six months, at
//! most 15,000 rows and 20 fields. The sandbox supports the pivot CAMPAIGN. Not verified: that a sum over more than six
//! months is rounded to whole months (a third party reports it); the sandbox does not round.

use super::accounts::Account;
use super::currency;
use super::entity::Entity;
use super::error::{InputError, input_errors, invalid_param};
use super::float_noise;
use super::report_range::{Granularity, Range};
use super::restli::Query;
use super::schema::{ACCOUNT_URN, CAMPAIGN_URN, urn_id};
use crate::delivery::{self, Delivery};
use crate::http::{Request, Response};
use crate::money::MICROS;
use crate::service::RequestContext;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

const PARAMETERS: &[&str] = &["q", "pivot", "timeGranularity", "dateRange", "campaigns", "accounts", "fields"];
const FIELDS: &[&str] = &[
    "clicks",
    "conversionValueInLocalCurrency",
    "costInLocalCurrency",
    "costInUsd",
    "dateRange",
    "externalWebsiteConversions",
    "impressions",
    "pivotValues",
];
/// The platform's limit on the fields of a report.
const MAX_FIELDS: usize = 20;
/// A report is cut here, without a sign.
const MAX_ROWS: usize = 15_000;

/// The dates and columns of a report.
struct View {
    range: Range,
    granularity: Granularity,
    fields: Vec<&'static str>,
    float_noise: bool,
}

/// Reports on the granted accounts. Campaigns of other accounts are left out without an error.
pub(crate) fn report(
    request: &Request,
    granted: &[&Account],
    context: &RequestContext<'_>,
) -> Result<Response, Response> {
    let query = Query::read(request, PARAMETERS)?;
    query.check_finder("analytics")?;
    match query.text("pivot")?.as_deref() {
        None => return Err(input_errors(&[InputError::missing("pivot")])),
        Some("CAMPAIGN") => {}
        Some(_) => return Err(invalid_param("pivot", "The sandbox supports only CAMPAIGN")),
    }
    let granularity = Granularity::read(&query)?;
    let today = context.now.to_zoned(TimeZone::UTC).date();
    let range = Range::read(&query, today)?;
    let fields = fields(&query)?;
    let view = View { range, granularity, fields, float_noise: context.quirk(float_noise::QUIRK) };
    let campaigns = ids(&query, "campaigns", CAMPAIGN_URN)?;
    let accounts = ids(&query, "accounts", ACCOUNT_URN)?;
    if campaigns.is_none() && accounts.is_none() {
        return Err(invalid_param("campaigns", "At least one facet is needed: campaigns or accounts"));
    }
    let kept = view.range.kept(granularity, today);
    let selected = |wanted: &Option<Vec<i64>>, id| wanted.as_ref().is_none_or(|ids| ids.contains(&id));
    let mut elements = Vec::new();
    for account in granted.iter().filter(|account| selected(&accounts, account.id)) {
        for campaign in account.campaigns.values().filter(|one| selected(&campaigns, one.id)) {
            elements.extend(rows(account, campaign, &view, kept));
        }
    }
    elements.truncate(MAX_ROWS);
    Ok(Response::json(200, &json!({ "paging": { "start": 0, "count": 10, "links": [] }, "elements": elements })))
}

/// The rows of a campaign: its days with activity, or their sum. Under the float-noise quirk a sum without activity has
/// a row too.
fn rows(account: &Account, campaign: &Entity, view: &View, kept: Range) -> Vec<Value> {
    let Range { first, last } = kept;
    let has_activity = |delivery: &Delivery| *delivery != Delivery::default();
    if view.granularity == Granularity::All {
        let total = delivery::sum(&campaign.delivered, first, last).unwrap_or_default();
        let is_shown = has_activity(&total) || view.float_noise;
        return if is_shown { vec![row(account, campaign, view, view.range, &total)] } else { Vec::new() };
    }
    let days = campaign.delivered.iter().filter(|(day, _)| first <= **day && **day <= last);
    let days = days.filter(|(_, delivery)| has_activity(delivery));
    days.map(|(day, delivery)| row(account, campaign, view, Range { first: *day, last: *day }, delivery)).collect()
}

fn row(account: &Account, campaign: &Entity, view: &View, range: Range, delivery: &Delivery) -> Value {
    let amount = |micros: i64| {
        if view.float_noise {
            json!(float_noise::with_float_noise(micros, campaign.id))
        } else {
            json!(currency::decimal(micros))
        }
    };
    let mut row = Map::new();
    for field in &view.fields {
        let value = match *field {
            "costInLocalCurrency" => amount(delivery.spend),
            "conversionValueInLocalCurrency" => amount(delivery.conversion_value),
            "costInUsd" => json!(currency::decimal(currency::in_dollars(delivery.spend, &account.currency))),
            "pivotValues" => json!([format!("{CAMPAIGN_URN}{}", campaign.id)]),
            "dateRange" => json!({ "start": day(range.first), "end": day(range.last) }),
            "impressions" => json!(delivery.impressions),
            "clicks" => json!(delivery.clicks),
            _ => json!(delivery.conversions / MICROS),
        };
        row.insert((*field).to_owned(), value);
    }
    Value::Object(row)
}

fn day(date: Date) -> Value {
    json!({ "year": date.year(), "month": date.month(), "day": date.day() })
}

/// The requested fields. The default has impressions and clicks but no cost.
fn fields(query: &Query<'_>) -> Result<Vec<&'static str>, Response> {
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

fn ids(query: &Query<'_>, name: &str, prefix: &str) -> Result<Option<Vec<i64>>, Response> {
    let Some(data) = query.data(name)? else { return Ok(None) };
    let invalid = || invalid_param(name, format!("The parameter must be a list of {prefix}ID"));
    let urns = data.texts().ok_or_else(invalid)?;
    let ids = urns.iter().map(|urn| urn_id(urn, prefix)).collect::<Option<Vec<i64>>>();
    ids.map(Some).ok_or_else(invalid)
}
