//! The tools that list. A page is small enough for the context of an agent.

use super::delivery::summary;
use super::read::{PageSize, limit};
use crate::answer::{Answer, MAX_ANSWER, ToolError};
use crate::api::Api;
use crate::json::truncate;
use crate::object::{Object, array, json_text, nullable, object};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::Platform;
use shared::error::Error;

const ACCOUNTS: PageSize = PageSize { default: 20, most: 25 };
const CAMPAIGNS: PageSize = PageSize { default: 10, most: 25 };
const INSIGHTS: PageSize = PageSize { default: 10, most: 15 };
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
/// What an agent needs of a campaign.
pub(super) const CAMPAIGN_FIELDS: [&str; 10] =
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
pub(super) async fn list_accounts(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["platform", "limit", "cursor"], &[])?;
    let (limit, platform) = (limit(&arguments, ACCOUNTS)?, platform(&arguments)?);
    let after = arguments.optional_text("cursor")?;
    let answered = api.get("/v1/connections").await?;
    let Connections { connections } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let all = objects(&connections);
    let of = |row: &Object<'_>| row.text("platform").as_deref().and_then(Platform::parse);
    let listed: Vec<&Object<'_>> = all.iter().filter(|row| platform.is_none() || of(row) == platform).collect();
    let first = match &after {
        Some(after) => {
            let position = listed.iter().position(|row| row.text("id").as_ref() == Some(after));
            position.ok_or_else(|| Error::field("cursor", "must be next_cursor of the page before"))? + 1
        }
        None => 0,
    };
    let page: Vec<&Object<'_>> = listed.iter().skip(first).take(limit).copied().collect();
    let has_more = listed.len() > first + page.len();
    let next = if has_more { page.last().and_then(|row| row.text("id")) } else { None };
    first_that_fits(&NAME_LENGTHS, |length| {
        let named = |row: &&Object<'_>| {
            let name = of(row).map(|platform| ("platform_name", json_text(platform.display_name())));
            object(pick_members(row, &ACCOUNT_FIELDS, length).into_iter().chain(name))
        };
        vec![("accounts", array(page.iter().map(named))), ("next_cursor", nullable(next.as_deref()))]
    })
}

fn platform(arguments: &Object<'_>) -> Result<Option<Platform>, Error> {
    let Some(name) = arguments.optional_text("platform")? else { return Ok(None) };
    let known = Platform::ALL.map(Platform::as_str).join(", ");
    let platform = Platform::parse(&name).ok_or_else(|| Error::field("platform", format!("must be one of {known}")))?;
    Ok(Some(platform))
}

/// Lists campaigns. A name is cut if the page would be too large.
pub(super) async fn list_campaigns(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["platform", "connection_id", "status", "delivery_state", "limit", "cursor"], &[])?;
    let limit = limit(&arguments, CAMPAIGNS)?;
    let is_judged = arguments.has("delivery_state");
    let query = match arguments.optional_text("connection_id")? {
        Some(id) => {
            let connection = api.call.connected.connection(&id).ok_or_else(|| Error::not_found("connection"))?;
            if platform(&arguments)?.is_some_and(|platform| platform != connection.platform) {
                return Err(
                    Error::field("platform", format!("is not that of connection_id, {}", connection.platform)).into()
                );
            }
            let others = arguments.without(&["limit", "connection_id", "platform"]).query();
            format!("{others}&platform={}&organization_id={}", connection.platform, connection.account_id())
        }
        None => arguments.without(&["limit"]).query(),
    };
    let answered = api.get(&format!("/v1/campaigns?{query}&limit={limit}")).await?;
    let CampaignPage { unified, pagination, errors } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let (rows, failures) = (objects(&unified), objects(&errors));
    first_that_fits(&NAME_LENGTHS, |length| {
        let rows = rows.iter().map(|row| {
            // Without the filter no ads were read, and the state says little.
            let delivery = row.json("delivery").filter(|_| is_judged).and_then(summary);
            let delivery = delivery.map(|summary| ("delivery", summary));
            object(pick_members(row, &CAMPAIGN_FIELDS, length).into_iter().chain(delivery))
        });
        let mut members =
            vec![("campaigns", array(rows)), ("next_cursor", nullable(pagination.next_cursor.as_deref()))];
        members.extend(not_read(&failures));
        members
    })
}

/// Lists what campaigns did. An account without results is only counted.
pub(super) async fn list_insights(api: &Api<'_>, arguments: &Object<'_>, query: &str) -> Result<Answer, ToolError> {
    let target = format!("/v1/insights?{query}&limit={}", limit(arguments, INSIGHTS)?);
    let answered = api.get(&target).await?;
    let page: InsightsPage<'_> = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let has_rows = |account: &Object<'_>| account.json("rows") != Some("[]");
    let (accounts, empty): (Vec<_>, Vec<_>) = objects(&page.accounts).into_iter().partition(has_rows);
    let failures = objects(&page.errors);
    first_that_fits(&NAME_LENGTHS, |length| {
        let accounts = accounts.iter().map(|account| object(pick_members(account, &INSIGHTS_FIELDS, length)));
        let mut members = vec![
            ("from", json_text(&page.from)),
            ("to", json_text(&page.to)),
            ("granularity", json_text(&page.granularity)),
            ("accounts", array(accounts)),
            ("accounts_without_results", empty.len().to_string()),
            ("next_cursor", nullable(page.pagination.next_cursor.as_deref())),
        ];
        members.extend(not_read(&failures));
        members
    })
}

fn objects<'a>(rows: &[&'a RawValue]) -> Vec<Object<'a>> {
    rows.iter().filter_map(|row| Object::parse(row.get()).ok()).collect()
}

/// The accounts that could not be read, if there are any: a list without them is not all.
fn not_read<'a>(failures: &[Object<'_>]) -> Vec<(&'a str, String)> {
    if failures.is_empty() {
        return Vec::new();
    }
    let fields = ["platform", "connection_id", "code", "message"];
    let named = failures.iter().take(MAX_FAILURES).map(|row| object(pick_members(row, &fields, MAX_REASON)));
    vec![("not_read", array(named)), ("accounts_not_read", failures.len().to_string())]
}

/// The longest text of a single record, in characters: no name of a platform is longer.
pub(super) const WHOLE: usize = 1_000;

/// Some members of a row, without those that are null. Names and reasons are cut.
pub(super) fn pick_members<'a>(row: &'a Object<'_>, fields: &[&str], length: usize) -> Vec<(&'a str, String)> {
    let most = |name: &str| match name {
        _ if NAMES.contains(&name) => Some(length),
        _ => REASONS.contains(&name).then_some(MAX_REASON),
    };
    let present = row.members().filter(|(name, json)| fields.contains(name) && *json != "null");
    let short = |name: &str| most(name).and_then(|most| Some(json_text(&truncate(&row.text(name)?, most))));
    present.map(|(name, json)| (name, short(name).unwrap_or_else(|| json.to_owned()))).collect()
}

/// The first answer that is small enough, with decreasing lengths of what it holds.
pub(super) fn first_that_fits<'a>(
    lengths: &[usize],
    build: impl Fn(usize) -> Vec<(&'a str, String)>,
) -> Result<Answer, ToolError> {
    let mut answers = lengths.iter().map(|length| Answer::success(&object(build(*length))));
    let fitting = answers.find(|answer| answer.size() <= MAX_ANSWER);
    fitting.ok_or_else(|| Error::field("limit", "asks for more rows than an answer can hold: ask for fewer").into())
}
