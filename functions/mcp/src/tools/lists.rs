//! The tools that list. A page is small enough for the context of an agent.

use super::read::{limit, text_of};
use crate::answer::{Answer, MAX_ANSWER};
use crate::api::Api;
use crate::arguments::{Arguments, object, quoted};
use crate::json::cut;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::envelope::{Members, read_members};
use shared::error::Error;

/// Rows of a page without `limit`, and the most.
const ACCOUNTS: (usize, usize) = (20, 25);
const CAMPAIGNS: (usize, usize) = (10, 25);
const INSIGHTS: (usize, usize) = (10, 15);
/// Lengths to which names are cut, the first that makes a page small enough.
const NAME_LENGTHS: [usize; 6] = [255, 120, 60, 30, 15, 5];
/// Longest reason in a row of a list, and the most failures that a list names.
const MAX_REASON: usize = 160;
const MAX_FAILURES: usize = 3;

/// The members of a row that may be long.
const NAMES: [&str; 3] = ["name", "label", "account_name"];
const REASONS: [&str; 2] = ["status_reason", "message"];
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
const INSIGHTS_FIELDS: [&str; 6] = ["platform", "connection_id", "currency", "time_zone", "final_after", "rows"];

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
struct InsightsPage<'a> {
    from: String,
    to: String,
    granularity: String,
    #[serde(borrow)]
    accounts: Vec<&'a RawValue>,
    pagination: Pagination,
    #[serde(borrow, default)]
    errors: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Pagination {
    next_cursor: Option<String>,
}

/// Lists the connections that the key may use. The API lists all at once; a page begins after the connection that its
/// cursor names.
pub(super) async fn list_accounts(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["platform", "limit", "cursor"], &[])?;
    let limit = limit(&arguments, ACCOUNTS)?;
    let platform = arguments.optional_text("platform")?;
    let after = arguments.optional_text("cursor")?;
    let answered = match api.get("/v1/connections").await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let Connections { connections } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let all = members_of(&connections);
    let is_listed =
        |row: &&Members<'_>| platform.is_none() || text_of(row, "platform").as_deref() == platform.as_deref();
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
        let rows = page.iter().map(|row| picked(row, &ACCOUNT_FIELDS, length));
        vec![("accounts", list(rows)), ("next_cursor", json_of(next.as_deref()))]
    })
}

/// Lists campaigns. A name is cut if the page would be too large.
pub(super) async fn list_campaigns(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["platform", "connection_id", "status", "limit", "cursor"], &[])?;
    let limit = limit(&arguments, CAMPAIGNS)?;
    let others = arguments.without("limit").without("connection_id");
    let query = match arguments.optional_text("connection_id")? {
        Some(id) => {
            let connection = api.call.connected.connection(&id).filter(|connection| api.call.sees(&connection.id));
            let connection = connection.ok_or_else(|| Error::not_found("connection"))?;
            let (platform, account) = (connection.platform, connection.account_id());
            format!("{}&platform={platform}&organization_id={account}", others.without("platform").query())
        }
        None => others.query(),
    };
    let answered = match api.get(&format!("/v1/campaigns?{query}&limit={limit}")).await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let CampaignPage { unified, pagination, errors } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let (rows, failures) = (members_of(&unified), members_of(&errors));
    fitting(|length| {
        let rows = rows.iter().map(|row| picked(row, &CAMPAIGN_FIELDS, length));
        let mut members = vec![("campaigns", list(rows)), ("next_cursor", json_of(pagination.next_cursor.as_deref()))];
        members.extend(not_read(&failures));
        members
    })
}

/// Lists what campaigns did. An account without results is only counted.
pub(super) async fn list_insights(api: &Api<'_>, arguments: &Arguments<'_>, query: &str) -> Result<Answer, Error> {
    let target = format!("/v1/insights?{query}&limit={}", limit(arguments, INSIGHTS)?);
    let answered = match api.get(&target).await? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    let page: InsightsPage<'_> = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let has_rows = |account: &Members<'_>| account.iter().any(|(name, rows)| name == "rows" && rows.get() != "[]");
    let (accounts, empty): (Vec<_>, Vec<_>) = members_of(&page.accounts).into_iter().partition(has_rows);
    let failures = members_of(&page.errors);
    fitting(|length| {
        let mut members = vec![
            ("from", quoted(&page.from)),
            ("to", quoted(&page.to)),
            ("granularity", quoted(&page.granularity)),
            ("accounts", list(accounts.iter().map(|account| picked(account, &INSIGHTS_FIELDS, length)))),
            ("accounts_without_results", empty.len().to_string()),
            ("next_cursor", json_of(page.pagination.next_cursor.as_deref())),
        ];
        members.extend(not_read(&failures));
        members
    })
}

fn members_of<'a>(rows: &[&'a RawValue]) -> Vec<Members<'a>> {
    rows.iter().filter_map(|row| read_members(row.get()).ok()).collect()
}

/// The accounts that could not be read, if there are any: a list without them is not all.
fn not_read<'a>(failures: &[Members<'_>]) -> Vec<(&'a str, String)> {
    if failures.is_empty() {
        return Vec::new();
    }
    let named = failures.iter().take(MAX_FAILURES);
    let named = list(named.map(|row| picked(row, &["platform", "connection_id", "code", "message"], MAX_REASON)));
    vec![("not_read", named), ("accounts_not_read", failures.len().to_string())]
}

/// The members of a row that a list has, without those that are null. Names and reasons are cut.
fn picked(row: &Members<'_>, fields: &[&str], length: usize) -> String {
    let most = |name: &str| match name {
        _ if NAMES.contains(&name) => Some(length),
        _ => REASONS.contains(&name).then_some(MAX_REASON),
    };
    let present = row.iter().filter(|(name, value)| fields.contains(&name.as_str()) && value.get() != "null");
    object(present.map(|(name, value)| {
        let short = most(name).and_then(|most| Some(quoted(&cut(&text_of(row, name)?, most))));
        (name.as_str(), short.unwrap_or_else(|| value.get().to_owned()))
    }))
}

/// The first answer that is small enough, with names of decreasing lengths.
fn fitting<'a>(build: impl Fn(usize) -> Vec<(&'a str, String)>) -> Result<Answer, Error> {
    let mut answers = NAME_LENGTHS.iter().map(|length| Answer::success(&object(build(*length).into_iter())));
    let fitting = answers.find(|answer| answer.size() <= MAX_ANSWER);
    fitting.ok_or_else(|| Error::field("limit", "asks for more rows than an answer can hold: ask for fewer"))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn json_of(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), quoted)
}
