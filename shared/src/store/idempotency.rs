//! What became of an `Idempotency-Key`: who is at it, and the final answer once there is one (D16 in the README).
//!
//! Who is at it has a lease with a number, one higher than the last. Whatever he writes is taken only while his number
//! is the highest, so one who was held up until somebody else took over changes nothing any more.
//!
//! A key without a final answer lives a little longer than the intents that came with it, and both are renewed together:
//! if the key expired earlier, a retry would send again what may have been carried out. A final answer is replayed for
//! 24 hours.

use super::conditional::conditional_update;
use super::{Store, from_item, number, table_keys, text, to_item};
use crate::domain::{CustomerId, Intent, StoredResponse};
use crate::error::Error;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem, Update};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long a final answer is replayed.
const RESPONSE_RETENTION: SignedDuration = SignedDuration::from_hours(24);
/// So much longer than its intents a key lives: they are written and renewed at different moments.
const KEY_RETENTION_MARGIN: SignedDuration = SignedDuration::from_hours(24);
/// An answer that is longer is not kept: an item of the store holds 400 KB.
const MAX_STORED_BODY_BYTES: usize = 350 * 1024;

/// A claim of a request on its `Idempotency-Key`.
#[derive(Clone, Copy, Debug)]
pub struct KeyClaim<'a> {
    /// Whose request.
    pub customer: CustomerId,
    /// The key as it was sent.
    pub key: &'a str,
    /// What the request is: of another one with the same key it differs.
    pub fingerprint: &'a str,
    /// The request.
    pub request: Uuid,
    /// When.
    pub now: Timestamp,
    /// From then on another request may take over.
    pub lease_until: Timestamp,
}

/// What is known of a key.
#[derive(Clone, Debug)]
pub struct KeyRecord {
    /// Of the first request with it.
    pub fingerprint: String,
    /// The number of the latest lease.
    pub fencing_token: i64,
    /// When that ends, if nobody says so before.
    pub lease_until: Timestamp,
    /// The first request with it, whose intents all later ones go on with.
    pub request: Uuid,
    /// The final answer.
    pub response: Option<StoredResponse>,
}

#[derive(Serialize, Deserialize)]
struct ResponseAttribute {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

#[derive(Serialize, Deserialize)]
struct KeyItem {
    fingerprint: String,
    attempt: i64,
    /// In milliseconds since 1970, because conditions compare it.
    until: i64,
    request: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<ResponseAttribute>,
    expires_at: i64,
}

#[derive(Serialize, Deserialize)]
struct RetryItem {
    first: Uuid,
    expires_at: i64,
}

impl Store {
    /// The first claim on a key, as a part of a transaction: its condition is that the key is new, or so old that it
    /// is forgotten.
    pub(super) fn key_claim(&self, claim: &KeyClaim<'_>) -> Result<TransactWriteItem, Error> {
        let KeyClaim { customer, key, fingerprint, request, now, lease_until } = *claim;
        let item = KeyItem {
            fingerprint: fingerprint.to_owned(),
            attempt: 1,
            until: lease_until.as_millisecond(),
            request,
            answer: None,
            expires_at: unanswered_until(now),
        };
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(to_item(&table_keys::idempotency(customer, key), &item)?))
            .condition_expression("attribute_not_exists(pk) OR expires_at <= :now")
            .expression_attribute_values(":now", number(now.as_second()));
        Ok(TransactWriteItem::builder().put(put.build().map_err(Error::internal)?).build())
    }

    /// Claims a key for a request without intents. `false` when it is known already.
    pub async fn claim_key(&self, claim: &KeyClaim<'_>) -> Result<bool, Error> {
        Ok(self.transact(vec![self.key_claim(claim)?]).await?.is_empty())
    }

    /// Reads what is known of a key.
    pub async fn key(&self, customer: CustomerId, key: &str, now: Timestamp) -> Result<Option<KeyRecord>, Error> {
        let Some(item) = self.read(&table_keys::idempotency(customer, key)).await? else { return Ok(None) };
        let KeyItem { fingerprint, attempt, until, request, answer, expires_at } = from_item(item)?;
        // DynamoDB deletes expired items within days; until then they do not count.
        if expires_at <= now.as_second() {
            return Ok(None);
        }
        let response =
            answer.map(|ResponseAttribute { status, headers, body }| StoredResponse { status, headers, body });
        let lease_until = Timestamp::from_millisecond(until).map_err(Error::internal)?;
        Ok(Some(KeyRecord { fingerprint, fencing_token: attempt, lease_until, request, response }))
    }

    /// Takes over a key whose last lease is over without a final answer, and keeps which request it was that all go on
    /// with. `false` when somebody else was quicker.
    pub async fn take_over_key(&self, claim: &KeyClaim<'_>, seen: &KeyRecord) -> Result<bool, Error> {
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::idempotency(claim.customer, claim.key).attributes()))
            .update_expression("SET attempt = :next, #until = :until")
            .condition_expression("attempt = :seen AND attribute_not_exists(answer)")
            .expression_attribute_names("#until", "until")
            .expression_attribute_values(":next", number(seen.fencing_token + 1))
            .expression_attribute_values(":seen", number(seen.fencing_token))
            .expression_attribute_values(":until", number(claim.lease_until.as_millisecond()));
        let update = TransactWriteItem::builder().update(update.build().map_err(Error::internal)?).build();
        let retry = RetryItem { first: seen.request, expires_at: Intent::expiry_from(claim.now).as_second() };
        let retry = to_item(&table_keys::retry(claim.customer, claim.request), &retry)?;
        let put = Put::builder().table_name(&self.table).set_item(Some(retry)).build().map_err(Error::internal)?;
        Ok(self.transact(vec![update, TransactWriteItem::builder().put(put).build()]).await?.is_empty())
    }

    /// Keeps the key of an intent as long again. A key that has a final answer, or is another request's by now, is left
    /// alone.
    pub(super) async fn extend_key(&self, intent: &Intent, digest: &str, now: Timestamp) -> Result<(), Error> {
        let update = self
            .update(&table_keys::idempotency_by_digest(intent.customer, digest))
            .update_expression("SET expires_at = :expiry")
            .condition_expression("#request = :request AND attribute_not_exists(answer)")
            .expression_attribute_names("#request", "request")
            .expression_attribute_values(":expiry", number(unanswered_until(now)))
            .expression_attribute_values(":request", text(intent.id.request.to_string()));
        conditional_update(update).await.map(|_| ())
    }

    /// Keeps the final answer of a lease, for 24 hours from now. `false` when another request has taken over.
    pub async fn store_response(
        &self,
        customer: CustomerId,
        key: &str,
        fencing_token: i64,
        (response, now): (&StoredResponse, Timestamp),
    ) -> Result<bool, Error> {
        if response.body.len() > MAX_STORED_BODY_BYTES {
            return self.release_key(customer, key, fencing_token).await;
        }
        let StoredResponse { status, headers, body } = response.clone();
        let answer = ResponseAttribute { status, headers, body };
        let answer = serde_dynamo::to_attribute_value(answer).map_err(Error::internal)?;
        let update = self
            .update(&table_keys::idempotency(customer, key))
            .update_expression("SET answer = :answer, #until = :over, expires_at = :expiry")
            .condition_expression("attempt = :attempt")
            .expression_attribute_names("#until", "until")
            .expression_attribute_values(":answer", answer)
            .expression_attribute_values(":expiry", number((now + RESPONSE_RETENTION).as_second()))
            .expression_attribute_values(":over", number(0))
            .expression_attribute_values(":attempt", number(fencing_token));
        conditional_update(update).await
    }

    /// Ends a lease without a final answer: the next request need not wait.
    pub async fn release_key(&self, customer: CustomerId, key: &str, fencing_token: i64) -> Result<bool, Error> {
        let update = self
            .update(&table_keys::idempotency(customer, key))
            .update_expression("SET #until = :over")
            .condition_expression("attempt = :attempt")
            .expression_attribute_names("#until", "until")
            .expression_attribute_values(":over", number(0))
            .expression_attribute_values(":attempt", number(fencing_token));
        conditional_update(update).await
    }

    /// The first request with the key that a request retried; `None` for one that retried nothing.
    pub async fn first_request(&self, customer: CustomerId, request: Uuid) -> Result<Option<Uuid>, Error> {
        let item = self.read(&table_keys::retry(customer, request)).await?;
        item.map(|item| from_item(item).map(|RetryItem { first, .. }| first)).transpose()
    }
}

/// When a key without a final answer expires.
fn unanswered_until(now: Timestamp) -> i64 {
    (Intent::expiry_from(now) + KEY_RETENTION_MARGIN).as_second()
}
