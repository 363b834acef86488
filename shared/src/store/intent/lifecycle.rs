//! Intents: stored before a create is sent, and due for maintenance until their outcome is known.

use super::concurrent_creates::too_many_open_creates;
use super::item::{CREATED, NOT_CREATED, REFUSED, UNKNOWN, abandoned_item, new_item, parse_intent, refusal_attribute};
use crate::domain::{CustomerId, Intent, IntentId, IntentState};
use crate::error::Error;
use crate::store::conditional::{conditional_put, conditional_update};
use crate::store::due::intent_kind;
use crate::store::idempotency::IdempotencyClaim;
use crate::store::transactions::put_write;
use crate::store::{Store, Values, number, store_error, table_keys, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use futures_util::future::join_all;
use jiff::Timestamp;
use uuid::Uuid;

impl Store {
    /// Stores the intents of a request, with the claim of its `Idempotency-Key` if it has one. Call this before
    /// sending. `false`, with nothing stored, if the key is known. Fails if too many creates of a name are open.
    pub async fn begin_intents(&self, intents: &[Intent], claim: Option<&IdempotencyClaim<'_>>) -> Result<bool, Error> {
        let Some(claim) = claim else {
            // If one write fails, nothing is sent for any intent; maintenance reconciles the stored ones. The other
            // writes end first: a late one would come after the intents are abandoned.
            let begun = join_all(intents.iter().map(|intent| async move {
                let (stored, opened) = tokio::join!(self.put_intent(intent), self.begin_create(intent));
                stored.and(opened)
            }));
            return begun.await.into_iter().collect::<Result<(), Error>>().map(|()| true);
        };
        let mut writes = vec![self.idempotency_claim(claim)?];
        for intent in intents {
            writes.push(put_write(self.put_item(new_item(intent)?))?);
            writes.push(self.begin_create_write(intent)?);
        }
        match self.transact(writes).await?.first() {
            None => Ok(true),
            Some(0) => Ok(false),
            // After the claim each intent has two writes.
            Some(failed) => Err(intents
                .get((failed - 1) / 2)
                .map_or_else(|| Error::internal("an unknown write of a transaction failed"), too_many_open_creates)),
        }
    }

    /// Stores a new intent. An existing one is the same intent, stored before a lost response or abandoned since.
    async fn put_intent(&self, intent: &Intent) -> Result<(), Error> {
        let put = self.put_item(new_item(intent)?).condition_expression("attribute_not_exists(pk)");
        conditional_put(put).await.map(drop)
    }

    /// Marks intents as not created after a failure before sending, whether or not they were stored.
    pub async fn abandon_intents(&self, intents: &[Intent]) -> Result<(), Error> {
        let abandon = |intent| async move {
            let item = abandoned_item(intent)?;
            self.end_create(intent).await?;
            self.put(item).await
        };
        join_all(intents.iter().map(abandon)).await.into_iter().collect()
    }

    /// Begins the next attempt of an intent that created nothing. `false` if another request has begun it.
    pub async fn retry_intent(&self, intent: &Intent) -> Result<bool, Error> {
        let update = self
            .update_intent(intent)
            .update_expression(
                "SET #state = :unknown, attempt = :next, #until = :until, due_kind = :kind, due_at = :due",
            )
            .condition_expression("attempt = :attempt AND #state <> :created AND #state <> :refused")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#until", "until")
            .values([
                (":unknown", text(UNKNOWN)),
                (":created", text(CREATED)),
                (":refused", text(REFUSED)),
                (":attempt", number(intent.attempt - 1)),
                (":next", number(intent.attempt)),
                (":until", number(intent.send_deadline.as_millisecond())),
                (":kind", text(intent_kind(intent.id))),
                (":due", number(intent.send_deadline.as_second())),
            ]);
        if !conditional_update(update).await? {
            return Ok(false);
        }
        // Only the request that won the attempt may extend the open create.
        self.begin_create(intent).await.map(|()| true)
    }

    /// Stores the outcome of an intent; it is no longer due. `false`, with nothing changed, if a later attempt has
    /// begun or the intent has another campaign.
    pub async fn finish_intent(&self, intent: &Intent, state: &IntentState) -> Result<bool, Error> {
        let update = self.update_intent(intent).expression_attribute_names("#state", "state");
        let update = match state {
            IntentState::Unknown => return Ok(false),
            IntentState::Created(id) => update
                .update_expression("SET #state = :state, campaign_id = :id REMOVE refused, due_kind, due_at")
                .condition_expression("attempt = :attempt AND (#state <> :state OR campaign_id = :id)")
                .values([(":state", text(CREATED)), (":id", text(id.to_string()))]),
            IntentState::Refused(refusal) => if_unknown(update)
                .update_expression("SET #state = :state, refused = :refused REMOVE due_kind, due_at")
                .values([(":state", text(REFUSED)), (":refused", refusal_attribute(refusal)?)]),
            IntentState::NotCreated => if_unknown(update)
                .update_expression("SET #state = :state REMOVE due_kind, due_at")
                .value(":state", text(NOT_CREATED)),
        };
        conditional_update(update.value(":attempt", number(intent.attempt))).await
    }

    /// Ends the latest attempt of an intent with an unknown outcome: it sends nothing from `at` on, and is due then.
    pub async fn mark_outcome_unknown(&self, intent: &Intent, at: Timestamp) -> Result<bool, Error> {
        let update = if_unknown(self.update_intent(intent).expression_attribute_names("#state", "state"))
            .update_expression("SET due_at = :due, #until = :until")
            .expression_attribute_names("#until", "until")
            .values([
                (":attempt", number(intent.attempt)),
                (":due", number(at.as_second())),
                (":until", number(at.as_millisecond())),
            ]);
        conditional_update(update).await
    }

    /// Postpones the next reconciliation of an intent.
    pub async fn postpone_intent(&self, intent: &Intent, until: Timestamp) -> Result<bool, Error> {
        let update = if_unknown(self.update_intent(intent).expression_attribute_names("#state", "state"))
            .update_expression("SET due_at = :due")
            .values([(":attempt", number(intent.attempt)), (":due", number(until.as_second()))]);
        conditional_update(update).await
    }

    /// Renews all intents of a request and its key. A response under the key needs every intent, and the key must not
    /// expire before an intent with an unknown outcome.
    pub async fn renew_intents(&self, intents: &[Intent], now: Timestamp) -> Result<(), Error> {
        let renew = |intent: &Intent| {
            let update = self
                .update_intent(intent)
                .update_expression("SET expires_at = :expiry")
                .condition_expression("attribute_exists(pk)")
                .value(":expiry", number(Intent::expiry_from(now).as_second()));
            async move { conditional_update(update).await }
        };
        join_all(intents.iter().map(renew)).await.into_iter().collect::<Result<Vec<bool>, Error>>()?;
        let Some(first) = intents.first() else { return Ok(()) };
        match &first.key_digest {
            Some(digest) => self.extend_idempotency_key(first, digest, now).await,
            None => Ok(()),
        }
    }

    /// Reads an intent with a consistent read.
    pub async fn intent(&self, customer: CustomerId, id: IntentId) -> Result<Option<Intent>, Error> {
        let item = self.read(&table_keys::intent(customer, id)).await?;
        item.map(|item| parse_intent(customer, item)).transpose()
    }

    /// Reads the intents of a request, in the order of its targets. Empty for a request of another customer.
    pub async fn intents(&self, customer: CustomerId, request: Uuid, now: Timestamp) -> Result<Vec<Intent>, Error> {
        let query = self
            .query_prefix(customer, &table_keys::intents_prefix(request))
            .filter_expression("expires_at > :now")
            .value(":now", number(now.as_second()));
        let items = query.send().await.map_err(store_error)?.items.unwrap_or_default();
        items.into_iter().map(|item| parse_intent(customer, item)).collect()
    }

    fn update_intent(&self, intent: &Intent) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::intent(intent.customer, intent.id))
    }
}

/// Adds the condition that the attempt is the latest and the outcome unknown.
fn if_unknown(update: UpdateItemFluentBuilder) -> UpdateItemFluentBuilder {
    update.condition_expression("attempt = :attempt AND #state = :unknown").value(":unknown", text(UNKNOWN))
}
