//! Intents: kept before anything is sent, settled once, and found by maintenance as long as they are not.

use super::campaign_records::{goal_name, parse_budget_period, parse_goal};
use super::conditional::{conditional_put, conditional_update};
use super::idempotency::KeyClaim;
use super::{Item, Store, from_item, number, store_error, table_keys, text, to_item};
use crate::domain::{
    BudgetPeriod, CampaignDraft, CampaignId, CustomerId, Goal, Intent, IntentId, IntentState, Moment, Platform,
    PlatformRefusal,
};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use futures_util::future::try_join_all;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct IntentItem {
    platform: String,
    account_id: String,
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
    refused: Option<RefusedAttribute>,
    attempt: i64,
    since: Timestamp,
    /// In milliseconds since 1970, because conditions compare it.
    until: i64,
    expires_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct RefusedAttribute {
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

const UNKNOWN: &str = "UNKNOWN";
const CREATED: &str = "CREATED";
const REFUSED: &str = "REFUSED";
const NOT_CREATED: &str = "NOT_CREATED";

impl Store {
    /// Keeps the intents of a request before anything is sent, together with its claim on an `Idempotency-Key` if it
    /// has one. `false`, and nothing kept, when the key is known already.
    pub async fn begin_intents(&self, intents: &[Intent], claim: Option<&KeyClaim<'_>>) -> Result<bool, Error> {
        let Some(claim) = claim else {
            // Where one cannot be kept, nothing is sent of the others either; maintenance finds that out.
            let begun = try_join_all(intents.iter().map(|intent| async move {
                let (kept, named) = tokio::join!(self.put_intent(intent), self.begin_create(intent));
                kept.and(named)
            }));
            return begun.await.map(|_| true);
        };
        let mut writes = vec![self.key_claim(claim)?];
        for intent in intents {
            let put = Put::builder().table_name(&self.table).set_item(Some(item(intent)?));
            writes.push(TransactWriteItem::builder().put(put.build().map_err(Error::internal)?).build());
            writes.push(self.begin_create_write(intent)?);
        }
        Ok(self.transact(writes).await?.is_empty())
    }

    /// What is there already is either this, put before its answer was lost, or was given up since.
    async fn put_intent(&self, intent: &Intent) -> Result<(), Error> {
        let put = self.client.put_item().table_name(&self.table).set_item(Some(item(intent)?));
        let put = put.condition_expression("attribute_not_exists(pk)");
        conditional_put(put).await.map(|_| ())
    }

    /// Gives up intents for which nothing was sent, whether or not they were kept.
    pub async fn abandon_intents(&self, intents: &[Intent]) -> Result<(), Error> {
        let give_up = |intent| async move {
            let item = IntentItem { state: NOT_CREATED.to_owned(), due_kind: None, due_at: None, ..unknown(intent) };
            let item = to_item(&table_keys::intent(intent.customer, intent.id), &item)?;
            self.end_create(intent).await?;
            let put = self.client.put_item().table_name(&self.table).set_item(Some(item));
            put.send().await.map_err(store_error).map(|_| ())
        };
        try_join_all(intents.iter().map(give_up)).await.map(|_| ())
    }

    /// Begins the next attempt at an intent of which nothing came: `since` stays, the others are told from it by its
    /// number. `false` when somebody else was quicker.
    pub async fn retry_intent(&self, intent: &Intent) -> Result<bool, Error> {
        let update = self
            .update_intent(intent)
            .update_expression(
                "SET #state = :unknown, attempt = :next, #until = :until, due_kind = :kind, due_at = :due",
            )
            .condition_expression("attempt = :attempt AND #state <> :created AND #state <> :refused")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#until", "until")
            .expression_attribute_values(":unknown", text(UNKNOWN))
            .expression_attribute_values(":created", text(CREATED))
            .expression_attribute_values(":refused", text(REFUSED))
            .expression_attribute_values(":attempt", number(intent.attempt - 1))
            .expression_attribute_values(":next", number(intent.attempt))
            .expression_attribute_values(":until", number(intent.send_deadline.as_millisecond()))
            .expression_attribute_values(":kind", text(table_keys::DUE_INTENT))
            .expression_attribute_values(":due", number(intent.send_deadline.as_second()));
        if !conditional_update(update).await? {
            return Ok(false);
        }
        // Only who won may say for how long this goes on.
        self.begin_create(intent).await.map(|()| true)
    }

    /// Settles an intent: it is due no more. What is known to have been created stays so, and a later attempt than
    /// this one says what became of it: then `false`, nothing changed.
    pub async fn finish_intent(&self, intent: &Intent, state: &IntentState) -> Result<bool, Error> {
        let update = self.update_intent(intent).expression_attribute_names("#state", "state");
        let update = match state {
            IntentState::Unknown => return Ok(false),
            IntentState::Created(id) => update
                .update_expression("SET #state = :state, campaign_id = :id REMOVE refused, due_kind, due_at")
                .condition_expression("attempt = :attempt AND (#state <> :state OR campaign_id = :id)")
                .expression_attribute_values(":state", text(CREATED))
                .expression_attribute_values(":id", text(id.to_string())),
            IntentState::Refused(refused) => still_unknown(update)
                .update_expression("SET #state = :state, refused = :refused REMOVE due_kind, due_at")
                .expression_attribute_values(":state", text(REFUSED))
                .expression_attribute_values(
                    ":refused",
                    serde_dynamo::to_attribute_value(attribute(refused)).map_err(Error::internal)?,
                ),
            IntentState::NotCreated => still_unknown(update)
                .update_expression("SET #state = :state REMOVE due_kind, due_at")
                .expression_attribute_values(":state", text(NOT_CREATED)),
        };
        conditional_update(update.expression_attribute_values(":attempt", number(intent.attempt))).await
    }

    /// Says that the latest attempt at an intent is over and that it is not known what became of it: from `at` on
    /// nothing is sent, and maintenance looks.
    pub async fn mark_outcome_unknown(&self, intent: &Intent, at: Timestamp) -> Result<bool, Error> {
        let update = still_unknown(self.update_intent(intent).expression_attribute_names("#state", "state"))
            .update_expression("SET due_at = :due, #until = :until")
            .expression_attribute_names("#until", "until")
            .expression_attribute_values(":attempt", number(intent.attempt))
            .expression_attribute_values(":due", number(at.as_second()))
            .expression_attribute_values(":until", number(at.as_millisecond()));
        conditional_update(update).await
    }

    /// Puts off the next look at an intent.
    pub async fn postpone_intent(&self, intent: &Intent, until: Timestamp) -> Result<bool, Error> {
        let update = still_unknown(self.update_intent(intent).expression_attribute_names("#state", "state"))
            .update_expression("SET due_at = :due")
            .expression_attribute_values(":attempt", number(intent.attempt))
            .expression_attribute_values(":due", number(until.as_second()));
        conditional_update(update).await
    }

    /// Keeps all intents of a request, and the key that they came with, as long again. All of them together: an answer
    /// under the key needs each, and the key must not expire before one that is unknown.
    pub async fn renew_intents(&self, intents: &[Intent], digest: Option<&str>, now: Timestamp) -> Result<(), Error> {
        let renew = |intent: &Intent| {
            let update = self
                .update_intent(intent)
                .condition_expression("attribute_exists(pk)")
                .expression_attribute_values(":expiry", number(Intent::expiry_from(now).as_second()));
            let update = match digest {
                // Intents of earlier versions do not know their key.
                Some(digest) => update
                    .update_expression("SET expires_at = :expiry, key_digest = :digest")
                    .expression_attribute_values(":digest", text(digest)),
                None => update.update_expression("SET expires_at = :expiry"),
            };
            async move { conditional_update(update).await }
        };
        try_join_all(intents.iter().map(renew)).await?;
        match (intents.first(), digest) {
            (Some(intent), Some(digest)) => self.extend_key(intent, digest, now).await,
            _ => Ok(()),
        }
    }

    /// Reads an intent as it is now.
    pub async fn intent(&self, customer: CustomerId, id: IntentId) -> Result<Option<Intent>, Error> {
        let item = self.read(&table_keys::intent(customer, id)).await?;
        item.map(|item| intent(customer, item)).transpose()
    }

    /// Reads the intents of a request, in the order of its targets; none when it has none, or is another customer's.
    pub async fn intents(&self, customer: CustomerId, request: Uuid, now: Timestamp) -> Result<Vec<Intent>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :customer AND begins_with(sk, :intents)")
            .expression_attribute_values(":customer", text(table_keys::customer(customer)))
            .expression_attribute_values(":intents", text(table_keys::intents_prefix(request)))
            .filter_expression("expires_at > :now")
            .expression_attribute_values(":now", number(now.as_second()))
            .consistent_read(true);
        let items = query.send().await.map_err(store_error)?.items.unwrap_or_default();
        items.into_iter().map(|item| intent(customer, item)).collect()
    }

    fn update_intent(&self, intent: &Intent) -> UpdateItemFluentBuilder {
        self.update(&table_keys::intent(intent.customer, intent.id))
    }
}

fn still_unknown(update: UpdateItemFluentBuilder) -> UpdateItemFluentBuilder {
    update
        .condition_expression("attempt = :attempt AND #state = :unknown")
        .expression_attribute_values(":unknown", text(UNKNOWN))
}

fn item(intent: &Intent) -> Result<Item, Error> {
    to_item(&table_keys::intent(intent.customer, intent.id), &unknown(intent))
}

/// An intent that begins.
fn unknown(intent: &Intent) -> IntentItem {
    let Intent { id: _, customer: _, platform, account_id, draft, key_digest, state: _, attempt, .. } = intent;
    let Intent { created_at, send_deadline, expires_at, .. } = intent;
    let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at } = draft;
    IntentItem {
        platform: platform.as_str().to_owned(),
        account_id: account_id.clone(),
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
        since: *created_at,
        until: send_deadline.as_millisecond(),
        expires_at: expires_at.as_second(),
        due_kind: Some(table_keys::DUE_INTENT.to_owned()),
        due_at: Some(send_deadline.as_second()),
    }
}

fn intent(customer: CustomerId, item: Item) -> Result<Intent, Error> {
    let id = item
        .get(table_keys::SORT)
        .and_then(|sk| table_keys::parse_intent_sk(sk.as_s().ok()?))
        .ok_or_else(corrupt_record)?;
    let item: IntentItem = from_item(item)?;
    let moment = |text: Option<String>| text.map(|text| Moment::parse(&text).ok_or_else(corrupt_record)).transpose();
    let state = match (item.state.as_str(), item.campaign_id, item.refused) {
        (UNKNOWN, _, _) => IntentState::Unknown,
        (CREATED, Some(id), _) => IntentState::Created(CampaignId::parse(&id).ok_or_else(corrupt_record)?),
        (REFUSED, _, Some(refused)) => IntentState::Refused(of_attribute(refused)),
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
        created_at: item.since,
        send_deadline: Timestamp::from_millisecond(item.until).map_err(Error::internal)?,
        expires_at: Timestamp::from_second(item.expires_at).map_err(Error::internal)?,
    })
}

fn corrupt_record() -> Error {
    Error::internal("an intent is not of its form")
}

fn attribute(refused: &PlatformRefusal) -> RefusedAttribute {
    let PlatformRefusal { message, code, platform_message, field } = refused.clone();
    RefusedAttribute { message, code, words: platform_message, field }
}

fn of_attribute(attribute: RefusedAttribute) -> PlatformRefusal {
    let RefusedAttribute { message, code, words, field } = attribute;
    PlatformRefusal { message, code, platform_message: words, field }
}
