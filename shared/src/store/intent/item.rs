//! The item of an intent, and its conversion.

use crate::domain::{
    BudgetPeriod, CampaignDraft, CampaignId, Currency, CustomerId, Goal, Intent, IntentState, Moment, Platform,
    PlatformRefusal,
};
use crate::error::Error;
use crate::store::campaign_records::{goal_name, parse_budget_period, parse_goal};
use crate::store::due::intent_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

pub(super) const UNKNOWN: &str = "UNKNOWN";
pub(super) const CREATED: &str = "CREATED";
pub(super) const REFUSED: &str = "REFUSED";
pub(super) const NOT_CREATED: &str = "NOT_CREATED";

#[derive(Serialize, Deserialize)]
struct IntentItem {
    platform: String,
    account_id: String,
    currency: String,
    name: String,
    goal: String,
    budget_amount: String,
    budget_period: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key_digest: Option<String>,
    state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    campaign_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<RefusalAttribute>,
    attempt: i64,
    #[serde(rename = "since")]
    created_at: Timestamp,
    /// In milliseconds since 1970, because conditions compare it.
    #[serde(rename = "until")]
    send_deadline: i64,
    expires_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct RefusalAttribute {
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(rename = "words", default, skip_serializing_if = "Option::is_none")]
    platform_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

/// The item of a new intent.
pub(super) fn new_item(intent: &Intent) -> Result<Item, Error> {
    to_item(&table_keys::intent(intent.customer, intent.id), &new_record(intent))
}

/// The item of an abandoned intent: not created, and not due.
pub(super) fn abandoned_item(intent: &Intent) -> Result<Item, Error> {
    let record = IntentItem { state: NOT_CREATED.to_owned(), due_kind: None, due_at: None, ..new_record(intent) };
    to_item(&table_keys::intent(intent.customer, intent.id), &record)
}

/// The record of a new intent, with an unknown outcome.
fn new_record(intent: &Intent) -> IntentItem {
    let Intent {
        id,
        customer: _,
        platform,
        account_id,
        currency,
        draft,
        key_digest,
        state: _,
        attempt,
        created_at,
        send_deadline,
        expires_at,
    } = intent;
    let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at } = draft;
    IntentItem {
        platform: platform.as_str().to_owned(),
        account_id: account_id.clone(),
        currency: currency.code().to_owned(),
        name: name.clone(),
        goal: goal_name(*goal).to_owned(),
        budget_amount: budget_amount.to_string(),
        budget_period: budget_period.as_str().to_owned(),
        start_at: start_at.map(|moment| moment.to_string()),
        end_at: end_at.map(|moment| moment.to_string()),
        key_digest: key_digest.clone(),
        state: UNKNOWN.to_owned(),
        campaign_id: None,
        refused: None,
        attempt: *attempt,
        created_at: *created_at,
        send_deadline: send_deadline.as_millisecond(),
        expires_at: expires_at.as_second(),
        due_kind: Some(intent_kind(*id)),
        due_at: Some(send_deadline.as_second()),
    }
}

/// Parses an intent. Its id is in the sort key.
pub(super) fn parse_intent(customer: CustomerId, item: Item) -> Result<Intent, Error> {
    let id = item
        .get(table_keys::SORT)
        .and_then(|sk| table_keys::parse_intent_sk(sk.as_s().ok()?))
        .ok_or_else(corrupt_record)?;
    let item: IntentItem = from_item(item)?;
    let moment = |text: Option<String>| text.map(|text| Moment::parse(&text).ok_or_else(corrupt_record)).transpose();
    let state = match (item.state.as_str(), item.campaign_id, item.refused) {
        (UNKNOWN, _, _) => IntentState::Unknown,
        (CREATED, Some(id), _) => IntentState::Created(CampaignId::parse(&id).ok_or_else(corrupt_record)?),
        (REFUSED, _, Some(refused)) => IntentState::Refused(parse_refusal(refused)),
        (NOT_CREATED, _, _) => IntentState::NotCreated,
        _ => return Err(corrupt_record()),
    };
    let goal: Goal = parse_goal(&item.goal).ok_or_else(corrupt_record)?;
    let budget_period: BudgetPeriod = parse_budget_period(&item.budget_period).ok_or_else(corrupt_record)?;
    let (start_at, end_at) = (moment(item.start_at)?, moment(item.end_at)?);
    Ok(Intent {
        id,
        customer,
        platform: Platform::parse(&item.platform).ok_or_else(corrupt_record)?,
        account_id: item.account_id,
        currency: Currency::from_code(&item.currency).ok_or_else(corrupt_record)?,
        draft: CampaignDraft {
            name: item.name,
            goal,
            budget_amount: Decimal::from_str_exact(&item.budget_amount).map_err(Error::internal)?,
            budget_period,
            start_at,
            end_at,
        },
        key_digest: item.key_digest,
        state,
        attempt: item.attempt,
        created_at: item.created_at,
        send_deadline: Timestamp::from_millisecond(item.send_deadline).map_err(Error::internal)?,
        expires_at: Timestamp::from_second(item.expires_at).map_err(Error::internal)?,
    })
}

fn corrupt_record() -> Error {
    Error::internal("an intent has a malformed attribute")
}

/// A refusal as an attribute of its intent.
pub(super) fn refusal_attribute(refusal: &PlatformRefusal) -> Result<AttributeValue, Error> {
    let PlatformRefusal { message, code, platform_message, field } = refusal.clone();
    let attribute = RefusalAttribute { message, code, platform_message, field };
    serde_dynamo::to_attribute_value(attribute).map_err(Error::internal)
}

fn parse_refusal(attribute: RefusalAttribute) -> PlatformRefusal {
    let RefusalAttribute { message, code, platform_message, field } = attribute;
    PlatformRefusal { message, code, platform_message, field }
}
