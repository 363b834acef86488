//! The tools that read.

use crate::answer::{Answer, MAX_ANSWER};
use crate::api::Api;
use crate::arguments::{Arguments, object, quoted};
use crate::json::{cut, shown};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::envelope::{Members, read_members};
use shared::error::Error;

/// Rows of a page without `limit`, and the most.
const ACCOUNTS: (usize, usize) = (20, 25);
const CAMPAIGNS: (usize, usize) = (10, 25);
const INSIGHTS: (usize, usize) = (10, 30);
/// Lengths to which names are cut, the first that makes a page small enough.
const NAME_LENGTHS: [usize; 6] = [255, 120, 60, 30, 15, 5];
/// Longest reason in a row of a list, and the most failures that a list names.
const MAX_REASON: usize = 160;
const MAX_FAILURES: usize = 3;

const ACCOUNT_FIELDS: [&str; 9] = [
    "id",
    "platform",
    "status",
    "status_reason",
    "label",
    "remote_account_id",
    "account_name",
    "currency",
    "time_zone",
];
const CAMPAIGN_FIELDS: [&str; 10] =
    ["id", "platform", "name", "status", "goal", "budget_amount", "budget_period", "currency", "start_at", "end_at"];
/// The members of a row that may be long.
const NAMES: [&str; 3] = ["name", "label", "account_name"];

#[derive(Deserialize)]
struct Connections<'a> {
    #[serde(borrow)]
    connections: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct CampaignPage<'a> {
    #[serde(borrow)]
    unified: Vec<&'a RawValue>,
    pagination: Pagination,
    #[serde(borrow, default)]
    errors: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Pagination {
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Limits<'a> {
    #[serde(borrow, default)]
    amounts: Vec<LimitLeft<'a>>,
}

#[derive(Deserialize)]
struct LimitLeft<'a> {
    currency: String,
    #[serde(borrow)]
    daily: LimitSum<'a>,
    #[serde(borrow)]
    lifetime: LimitSum<'a>,
}

#[derive(Deserialize)]
struct LimitSum<'a> {
    #[serde(borrow)]
    left: &'a RawValue,
}

/// Lists the connections that the key may use. The API lists all at once; a page begins after the connection that its
/// cursor names.
pub(super) async fn list_accounts(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["platform", "limit", "cursor"], &[])?;
    let limit = limit(&arguments, ACCOUNTS)?;
    let platform = arguments.json("platform").map(|_| arguments.require_text("platform")).transpose()?;
    let after = arguments.json("cursor").map(|_| arguments.require_text("cursor")).transpose()?;
    let answered = match api.get("/v1/connections").await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let Connections { connections } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let all: Vec<Members<'_>> = connections.iter().filter_map(|one| read_members(one.get()).ok()).collect();
    let is_listed =
        |row: &&Members<'_>| platform.as_ref().is_none_or(|name| text_of(row, "platform").as_ref() == Some(name));
    let listed: Vec<&Members<'_>> = all.iter().filter(is_listed).collect();
    let first = match &after {
        Some(after) => {
            let position = listed.iter().position(|row| text_of(row, "id").as_ref() == Some(after));
            position.ok_or_else(|| Error::field("cursor", "must be next_cursor of the page before"))? + 1
        }
        None => 0,
    };
    let page: Vec<&Members<'_>> = listed.iter().skip(first).take(limit).copied().collect();
    let has_more = listed.len() > first + page.len();
    let next = page.last().filter(|_| has_more).and_then(|row| text_of(row, "id"));
    fitting(|length| {
        let rows: Vec<String> = page.iter().map(|row| picked(row, &ACCOUNT_FIELDS, length)).collect();
        object([("accounts", list(&rows)), ("next_cursor", json_of(next.as_deref()))].into_iter())
    })
}

/// Lists campaigns. A name is cut if the page would be too large.
pub(super) async fn list_campaigns(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["platform", "connection_id", "status", "limit", "cursor"], &[])?;
    let limit = limit(&arguments, CAMPAIGNS)?;
    let mut query = arguments.without("limit").without("connection_id").query();
    if arguments.json("connection_id").is_some() {
        let id = arguments.require_text("connection_id")?;
        let connection = api.call.connected.connection(&id).filter(|connection| api.call.sees(&connection.id));
        let connection = connection.ok_or_else(|| Error::not_found("connection"))?;
        query = arguments.without("limit").without("connection_id").without("platform").query();
        query.push_str(&format!("&platform={}&organization_id={}", connection.platform, connection.account_id()));
    }
    let answered = match api.get(&format!("/v1/campaigns?{}&limit={limit}", query.trim_start_matches('&'))).await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let CampaignPage { unified, pagination, errors } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let rows: Vec<Members<'_>> = unified.iter().filter_map(|one| read_members(one.get()).ok()).collect();
    let failures: Vec<Members<'_>> = errors.iter().filter_map(|one| read_members(one.get()).ok()).collect();
    fitting(|length| {
        let rows: Vec<String> = rows.iter().map(|row| picked(row, &CAMPAIGN_FIELDS, length)).collect();
        let mut members = vec![("campaigns", list(&rows)), ("next_cursor", json_of(pagination.next_cursor.as_deref()))];
        members.extend(not_read(&failures));
        object(members.into_iter())
    })
}

/// The accounts that could not be read, if there are any: a list without them is not all.
fn not_read<'a>(failures: &[Members<'_>]) -> Vec<(&'a str, String)> {
    if failures.is_empty() {
        return Vec::new();
    }
    let named = failures.iter().take(MAX_FAILURES);
    let named = named.map(|row| picked(row, &["platform", "connection_id", "code", "message"], MAX_REASON));
    vec![("not_read", list(&named.collect::<Vec<_>>())), ("accounts_not_read", failures.len().to_string())]
}

/// Reads a campaign.
pub(super) async fn get_campaign(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["campaign_id"], &["campaign_id"])?;
    let id = segment(&arguments, "campaign_id", "campaign")?;
    passed_on(api, &format!("/v1/campaigns/{id}")).await
}

/// Reads what one campaign did, or all.
pub(super) async fn get_insights(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    let days = ["from", "to", "granularity"];
    let of_list = ["platform", "limit", "cursor"];
    let is_of_one = arguments.json("campaign_id").is_some();
    let known: Vec<&str> =
        days.into_iter().chain(["campaign_id"]).chain(of_list.into_iter().filter(|_| !is_of_one)).collect();
    arguments.require(&known, &[])?;
    let mut query = arguments.without("campaign_id").without("limit").query();
    if arguments.json("granularity").is_none() {
        query.push_str("&granularity=total");
    }
    let target = if is_of_one {
        format!(
            "/v1/campaigns/{}/insights?{}",
            segment(&arguments, "campaign_id", "campaign")?,
            query.trim_start_matches('&')
        )
    } else {
        format!("/v1/insights?{}&limit={}", query.trim_start_matches('&'), limit(&arguments, INSIGHTS)?)
    };
    let answer = passed_on(api, &target).await?;
    if answer.size() <= MAX_ANSWER {
        return Ok(answer);
    }
    let field = if is_of_one { "from" } else { "limit" };
    Err(Error::field(field, "asks for more than an answer can hold: ask for fewer days or rows, or granularity total"))
}

/// Tells what the key has left, in words too.
pub(super) async fn get_limits(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&[], &[])?;
    let answered = match api.get("/v1/limits").await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let Limits { amounts } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let mut left = Vec::new();
    for LimitLeft { currency, daily, lifetime } in &amounts {
        for (sum, of) in [(daily, "a day"), (lifetime, "for budgets of a whole run")] {
            let amount = decimal_from_number(sum.left.get()).map_err(|error| Error::internal(error.to_string()))?;
            left.push(quoted(&format!("{} {of}", shown(amount, currency))));
        }
    }
    let mut members =
        read_members(&answered.body)?.into_iter().map(|(name, json)| (name, json.get().to_owned())).collect::<Vec<_>>();
    members.push(("left".to_owned(), list(&left)));
    Ok(Answer::success(&object(members.iter().map(|(name, json)| (name.as_str(), json.clone())))))
}

/// Reads a change.
pub(super) async fn get_change(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["change_id"], &["change_id"])?;
    let id = segment(&arguments, "change_id", "change")?;
    passed_on(api, &format!("/v1/changes/{id}")).await
}

/// The response of the API as the answer.
async fn passed_on(api: &Api<'_>, target: &str) -> Result<Answer, Error> {
    Ok(api.get(target).await?.map_or_else(|refusal| refusal, |answered| Answer::success(&answered.body)))
}

/// An id as a segment of a path. Any other text is the id of nothing.
pub(super) fn segment(arguments: &Arguments<'_>, name: &str, what: &str) -> Result<String, Error> {
    let id = arguments.require_text(name)?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !id.is_empty() && id.bytes().all(is_word) { Ok(id) } else { Err(Error::not_found(what)) }
}

/// Reads `limit`: a whole number.
fn limit(arguments: &Arguments<'_>, (default, most): (usize, usize)) -> Result<usize, Error> {
    let Some(json) = arguments.json("limit") else { return Ok(default) };
    let number = json.parse().ok().filter(|limit| (1..=most).contains(limit));
    number.ok_or_else(|| Error::field("limit", format!("must be a whole number from 1 to {most}")))
}

/// The members of a row that a list has, without those that are null. Names and reasons are cut.
fn picked(row: &Members<'_>, fields: &[&str], length: usize) -> String {
    let cut_to = |name: &str| {
        if NAMES.contains(&name) {
            Some(length)
        } else {
            ["status_reason", "message"].contains(&name).then_some(MAX_REASON)
        }
    };
    let present = row.iter().filter(|(name, value)| fields.contains(&name.as_str()) && value.get() != "null");
    object(present.map(|(name, value)| {
        let text =
            cut_to(name).and_then(|most| Some(quoted(&cut(&serde_json::from_str::<String>(value.get()).ok()?, most))));
        (name.as_str(), text.unwrap_or_else(|| value.get().to_owned()))
    }))
}

/// The first answer that is small enough, with names of decreasing lengths.
fn fitting(build: impl Fn(usize) -> String) -> Result<Answer, Error> {
    let answers = NAME_LENGTHS.iter().map(|length| Answer::success(&build(*length)));
    let fitting = answers.into_iter().find(|answer| answer.size() <= MAX_ANSWER);
    fitting.ok_or_else(|| Error::field("limit", "asks for more rows than an answer can hold: ask for fewer"))
}

fn text_of(row: &Members<'_>, name: &str) -> Option<String> {
    serde_json::from_str(row.iter().find(|(known, _)| known == name)?.1.get()).ok()
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

fn json_of(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), quoted)
}
