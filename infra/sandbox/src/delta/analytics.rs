//! The report of what campaigns cost.
//!
//! Marketing API: "Ads Reporting", analytics finder. Imitated: pivot CAMPAIGN over the whole of
//! a date range.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::accounts::Account;
use super::currency;
use super::entity::Entity;
use super::error::{InputError, inputs, param};
use super::noise;
use super::restli::{Data, Query};
use super::schema::{ACCOUNT_URN, CAMPAIGN_URN, number};
use crate::http::{Reply, Request};
use crate::platform::RequestContext;

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
/// So many fields of a report may be asked for.
const MOST_FIELDS: usize = 20;

/// Both ends included, as texts that sort.
struct Range {
    first: Date,
    last: Date,
}

/// The days and columns of the rows, and whether their costs have float noise.
struct View {
    range: Range,
    fields: Vec<&'static str>,
    noisy: bool,
}

/// Reports on the accounts that the caller reaches; about others it is silent.
pub(crate) fn answer(request: &Request, reached: &[&Account], moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let query = Query::read(request, PARAMETERS)?;
    query.finder("analytics")?;
    for (name, only) in [("pivot", "CAMPAIGN"), ("timeGranularity", "ALL")] {
        match query.text(name)?.as_deref() {
            None => return Err(inputs(&[InputError::missing(name)])),
            Some(value) if value == only => {}
            Some(_) => return Err(param(name, format!("Only {only} is imitated by the sandbox"))),
        }
    }
    let today = moment.now.to_zoned(TimeZone::UTC).date();
    let (range, fields) = (range(&query, today)?, fields(&query)?);
    let view = View { range, fields, noisy: moment.quirk(noise::QUIRK) };
    let campaigns = ids(&query, "campaigns", CAMPAIGN_URN)?;
    let accounts = ids(&query, "accounts", ACCOUNT_URN)?;
    if campaigns.is_none() && accounts.is_none() {
        return Err(param("campaigns", "At least one facet is needed: campaigns or accounts"));
    }
    let named = |wanted: &Option<Vec<i64>>, id| wanted.as_ref().is_none_or(|ids| ids.contains(&id));
    let mut elements = Vec::new();
    for account in reached.iter().filter(|account| named(&accounts, account.id)) {
        for campaign in account.campaigns.values().filter(|one| named(&campaigns, one.id)) {
            elements.extend(row(account, campaign, &view));
        }
    }
    Ok(Reply::json(200, &json!({ "paging": { "start": 0, "count": 10, "links": [] }, "elements": elements })))
}

/// A campaign without cost has no row, unless float noise makes it one.
fn row(account: &Account, campaign: &Entity, view: &View) -> Option<Value> {
    let View { range, fields, noisy } = view;
    let (first, last) = (range.first.to_string(), range.last.to_string());
    let micros = campaign.costs.range(first..=last).fold(0_i64, |sum, (_, cost)| sum.saturating_add(*cost));
    if micros == 0 && !noisy {
        return None;
    }
    let clicks = micros / 1_000_000 + i64::from(micros > 0);
    let mut row = Map::new();
    for field in fields {
        let value = match *field {
            "costInLocalCurrency" if *noisy => json!(noise::noisy(micros, campaign.id)),
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

/// Who names no fields gets impressions and clicks, and no cost.
fn fields(query: &Query<'_>) -> Result<Vec<&'static str>, Reply> {
    let Some(raw) = query.raw("fields") else { return Ok(vec!["impressions", "clicks"]) };
    let names: Vec<&str> = raw.split(',').flat_map(|part| part.split("%2C")).collect();
    if names.len() > MOST_FIELDS {
        return Err(param("fields", format!("At most {MOST_FIELDS} fields can be asked for")));
    }
    let known = |name: &str| FIELDS.iter().find(|known| **known == name).copied();
    let read = names.iter().map(|name| known(name).ok_or_else(|| param("fields", format!("There is no field {name}"))));
    read.collect()
}

fn ids(query: &Query<'_>, name: &str, start: &str) -> Result<Option<Vec<i64>>, Reply> {
    let Some(data) = query.data(name)? else { return Ok(None) };
    let wrong = || param(name, format!("The parameter has to be a list of {start}ID"));
    let urns = data.texts().ok_or_else(wrong)?;
    let ids = urns.iter().map(|urn| number(urn, start)).collect::<Option<Vec<i64>>>();
    ids.map(Some).ok_or_else(wrong)
}

fn range(query: &Query<'_>, today: Date) -> Result<Range, Reply> {
    let given = query.data("dateRange")?.ok_or_else(|| inputs(&[InputError::missing("dateRange")]))?;
    let wrong = || param("dateRange", "The date range is not valid");
    let first = given.get("start").and_then(date).ok_or_else(wrong)?;
    let last = match given.get("end") {
        Some(end) => date(end).ok_or_else(wrong)?,
        None => today,
    };
    if last < first { Err(wrong()) } else { Ok(Range { first, last }) }
}

fn date(given: &Data) -> Option<Date> {
    let part = |name| given.get(name).and_then(Data::text);
    let [year, month, day] = [part("year")?, part("month")?, part("day")?];
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}
