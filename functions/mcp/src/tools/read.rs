//! The tools that read one thing.

use super::lists::{WHOLE, list_insights, pick_members};
use crate::answer::{Answer, MAX_ANSWER, ToolError};
use crate::api::Api;
use crate::json::amount_text;
use crate::object::{Object, array, json_text, object};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use shared::domain::{CampaignId, ChangeId, Spending, SpendingLimit};
use shared::error::Error;

/// What an agent needs of a change.
const CHANGE_FIELDS: [&str; 13] = [
    "id",
    "kind",
    "state",
    "platform",
    "campaign_id",
    "requested",
    "before",
    "after",
    "approval_url",
    "apply_at",
    "error",
    "reference",
    "external_ref",
];

/// Reads a campaign.
pub(super) async fn get_campaign(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["campaign_id"], &["campaign_id"])?;
    let answered = api.get(&format!("/v1/campaigns/{}", campaign_id(&arguments)?)).await?;
    Ok(Answer::success(&answered.body))
}

/// Reads what one campaign did, or all.
pub(super) async fn get_insights(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["campaign_id", "from", "to", "granularity", "platform", "limit", "cursor"], &[])?;
    let granularity = if arguments.has("granularity") { "" } else { "&granularity=total" };
    let query = format!("{}{granularity}", arguments.without(&["campaign_id", "limit"]).query());
    if !arguments.has("campaign_id") {
        return list_insights(api, &arguments, &query).await;
    }
    if let Some(name) = ["platform", "limit", "cursor"].into_iter().find(|name| arguments.has(name)) {
        return Err(Error::field(name, "cannot be used with campaign_id").into());
    }
    let answered = api.get(&format!("/v1/campaigns/{}/insights?{query}", campaign_id(&arguments)?)).await?;
    let answer = Answer::success(&answered.body);
    if answer.size() <= MAX_ANSWER {
        return Ok(answer);
    }
    let message = "asks for more days than an answer can hold: ask for fewer, or for granularity total";
    Err(Error::field("from", message).into())
}

/// Returns what the key has left, in words too.
pub(super) async fn get_limits(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&[], &[])?;
    let answered = api.get("/v1/limits").await?;
    let limits = Object::parse(&answered.body)?;
    let spending = api.call.key_spending();
    let left = match spending.and_then(|spending| Some((spending, spending.limit.as_ref()?))) {
        Some((spending, limit)) => amounts_left(api, spending, limit),
        None => vec!["This key has no limit.".to_owned()],
    };
    let members = limits.members().map(|(name, json)| (name, json.to_owned()));
    Ok(Answer::success(&object(members.chain([("left", array(left.iter().map(|text| json_text(text))))]))))
}

/// What is left of a limit, as sentences.
fn amounts_left(api: &Api<'_>, spending: &Spending, limit: &SpendingLimit) -> Vec<String> {
    let now = api.call.request.now;
    let mut left = Vec::new();
    for amounts in &limit.amounts {
        let currency = amounts.currency;
        let rest = |all: Decimal, used: Decimal| amount_text((all - used).max(Decimal::ZERO), currency.code());
        left.push(format!("{} a day", rest(amounts.daily, spending.daily(currency, now))));
        left.push(format!("{} for budgets of a whole run", rest(amounts.lifetime, spending.lifetime(currency))));
        left.extend(amounts.per_change.map(|most| format!("{} in one change", amount_text(most, currency.code()))));
    }
    let creates = limit.creates_per_day.saturating_sub(spending.creates_today(now));
    left.push(format!("{creates} new campaigns today (UTC)"));
    if limit.approval.as_ref().is_some_and(|approval| approval.activation) {
        left.push("A person approves each start of a campaign.".to_owned());
    }
    left.push("What was paused or lowered counts until the day of its ad account is over.".to_owned());
    left
}

/// Reads a change.
pub(super) async fn get_change(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["change_id"], &["change_id"])?;
    let id = arguments.require_text("change_id")?;
    let id = ChangeId::parse(&id).ok_or_else(|| Error::not_found("change"))?;
    let answered = api.get(&format!("/v1/changes/{id}")).await?;
    let change = Object::parse(&answered.body)?;
    let message = match change.text("state").as_deref() {
        Some("applied") => "The platform has the change.",
        Some("awaiting_approval") => "A person has not decided yet: they open approval_url. Ask again later.",
        Some("scheduled") => "The change is made at apply_at.",
        Some("sending" | "unknown") => "It is not known yet what the platform has. Ask again in a minute.",
        Some("partly_applied") => "The platform has a part of the change: read the campaign (get_campaign).",
        Some("canceled") if change.has("error") => "It was taken back, and nothing is sent for it: error says why.",
        Some("rejected" | "canceled" | "expired") => "Nothing was changed. Ask the person before you try it again.",
        _ => "The change was not made: error says why.",
    };
    let members = pick_members(&change, &CHANGE_FIELDS, WHOLE).into_iter().chain([("message", json_text(message))]);
    Ok(Answer::success(&object(members)))
}

/// The id of a campaign. Any other text is the id of nothing.
pub(super) fn campaign_id(arguments: &Object<'_>) -> Result<CampaignId, Error> {
    CampaignId::parse(&arguments.require_text("campaign_id")?).ok_or_else(|| Error::not_found("campaign"))
}

/// Rows of a page: without `limit`, and at most.
#[derive(Clone, Copy)]
pub(super) struct PageSize {
    pub(super) default: usize,
    pub(super) most: usize,
}

/// Reads `limit`, a whole number.
pub(super) fn limit(arguments: &Object<'_>, size: PageSize) -> Result<usize, Error> {
    let PageSize { default, most } = size;
    if !arguments.has("limit") {
        return Ok(default);
    }
    let number =
        arguments.amount("limit").filter(|number| number.fract().is_zero()).and_then(|number| number.to_usize());
    let number = number.filter(|limit| (1..=most).contains(limit));
    number.ok_or_else(|| Error::field("limit", format!("must be a whole number from 1 to {most}")))
}
