//! The tools that read one thing.

use super::lists::list_insights;
use crate::answer::{Answer, MAX_ANSWER};
use crate::api::Api;
use crate::arguments::{Arguments, object, quoted};
use crate::json::shown;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::envelope::{Members, read_members};
use shared::error::Error;

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

/// Reads a campaign.
pub(super) async fn get_campaign(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["campaign_id"], &["campaign_id"])?;
    let id = segment(&arguments, "campaign_id", "campaign")?;
    passed_on(api, &format!("/v1/campaigns/{id}")).await
}

/// Reads what one campaign did, or all.
pub(super) async fn get_insights(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    let is_of_one = arguments.json("campaign_id").is_some();
    let known: &[&str] = if is_of_one {
        &["campaign_id", "from", "to", "granularity"]
    } else {
        &["from", "to", "granularity", "platform", "limit", "cursor"]
    };
    arguments.require(known, &[])?;
    let granularity = if arguments.json("granularity").is_none() { "&granularity=total" } else { "" };
    let query = format!("{}{granularity}", arguments.without("campaign_id").without("limit").query());
    if !is_of_one {
        return list_insights(api, &arguments, &query).await;
    }
    let id = segment(&arguments, "campaign_id", "campaign")?;
    let answer = passed_on(api, &format!("/v1/campaigns/{id}/insights?{query}")).await?;
    if answer.size() <= MAX_ANSWER {
        return Ok(answer);
    }
    Err(Error::field("from", "asks for more days than an answer can hold: ask for fewer, or for granularity total"))
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
    let members = read_members(&answered.body)?;
    let members = members.iter().map(|(name, json)| (name.as_str(), json.get().to_owned()));
    Ok(Answer::success(&object(members.chain([("left", format!("[{}]", left.join(",")))]))))
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

/// Reads `limit`: a whole number, with a default and the most.
pub(super) fn limit(arguments: &Arguments<'_>, (default, most): (usize, usize)) -> Result<usize, Error> {
    let Some(json) = arguments.json("limit") else { return Ok(default) };
    let number = json.parse().ok().filter(|limit| (1..=most).contains(limit));
    number.ok_or_else(|| Error::field("limit", format!("must be a whole number from 1 to {most}")))
}

/// A member that is a text.
pub(super) fn text_of(row: &Members<'_>, name: &str) -> Option<String> {
    serde_json::from_str(row.iter().find(|(known, _)| known == name)?.1.get()).ok()
}
