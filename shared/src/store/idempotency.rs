//! Idempotency records: the request that holds an `Idempotency-Key`, and its final response.
//!
//! A request holds a key under a lease with a fencing token, one higher than the last. Only the holder of the highest
//! token may write, so a request past its lease cannot store a response after another has taken over.
//!
//! A key without a final response outlives its creates, and both are renewed together. If the key expired first, a
//! retry would send creates again that may have been carried out. A final response is replayed for 30 days.

use super::change::request_item;
use super::conditional::conditional_update;
use super::transactions::{put_write, update_write};
use super::{Store, Values, attribute, from_item, number, table_keys, text, to_item};
use crate::domain::{Change, ChangeId, Create, CustomerId, KeyId, StoredResponse};
use crate::error::Error;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::fmt::serde::timestamp::{millisecond, second};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// Retention of a final response.
const RESPONSE_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// A key outlives its creates by this time, because the two are written at different moments.
const KEY_RETENTION_MARGIN: SignedDuration = SignedDuration::from_hours(24);
/// A longer body is not stored: a DynamoDB item holds 400 KB.
const MAX_STORED_BODY_BYTES: usize = 350 * 1024;

/// A claim of a request on its `Idempotency-Key`.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim<'a> {
    pub customer: CustomerId,
    /// The key, within the user for whom the request acts.
    pub key: &'a str,
    /// Fingerprint of the request; a different request with the same key has another one.
    pub fingerprint: &'a str,
    /// The API key of the request; `None` for a person.
    pub claimed_by: Option<KeyId>,
    /// Id of the request.
    pub request: Uuid,
    /// Time of the claim.
    pub now: Timestamp,
    /// End of the lease. Another request may take over from then on.
    pub lease_until: Timestamp,
}

/// The record of an `Idempotency-Key`.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IdempotencyRecord {
    /// Fingerprint of the first request.
    pub fingerprint: String,
    /// The API key of the first request; `None` for a person, and in a record of an earlier release.
    pub claimed_by: Option<KeyId>,
    /// Fencing token of the latest lease.
    #[serde(rename = "attempt")]
    pub fencing_token: i64,
    /// End of the latest lease. It is stored as a number, because conditions compare it.
    #[serde(rename = "until", with = "millisecond::required")]
    pub lease_until: Timestamp,
    /// The first request.
    pub request: Uuid,
    /// The time of the first claim. A record of an earlier release lacks it; only bulk changes read it.
    #[serde(default, with = "millisecond::required")]
    pub claimed_at: Timestamp,
    /// The creates of the first request. Retries continue them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creates: Vec<ChangeId>,
    #[serde(rename = "answer")]
    pub response: Option<StoredResponse>,
    /// Whether what it led to was erased with its user. The key stays claimed, so that nothing is sent under it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_erased: bool,
}

#[derive(Serialize, Deserialize)]
struct IdempotencyItem {
    #[serde(flatten)]
    record: IdempotencyRecord,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl Store {
    /// The first claim of a key as part of a transaction. Its condition is that the key is new or has expired.
    pub(super) fn idempotency_claim(
        &self,
        claim: &IdempotencyClaim<'_>,
        creates: &[ChangeId],
    ) -> Result<TransactWriteItem, Error> {
        let IdempotencyClaim { customer, key, fingerprint, request, now, lease_until, .. } = *claim;
        let record = IdempotencyRecord {
            fingerprint: fingerprint.to_owned(),
            claimed_by: claim.claimed_by.clone(),
            fencing_token: 1,
            lease_until,
            request,
            claimed_at: now,
            creates: creates.to_vec(),
            response: None,
            is_erased: false,
        };
        let item = IdempotencyItem { record, expires_at: expiry_without_response(now) };
        let put = self
            .put_item(to_item(&table_keys::idempotency(customer, key), &item)?)
            .condition_expression("attribute_not_exists(pk) OR expires_at <= :now")
            .value(":now", number(now.as_second()));
        put_write(put)
    }

    /// Claims a key for a request without creates. `false` if the key is known.
    pub async fn claim_idempotency_key(&self, claim: &IdempotencyClaim<'_>) -> Result<bool, Error> {
        Ok(self.transact(vec![self.idempotency_claim(claim, &[])?]).await?.is_empty())
    }

    /// Reads the record of an `Idempotency-Key`.
    pub async fn idempotency_record(
        &self,
        customer: CustomerId,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, Error> {
        let Some(item) = self.read(&table_keys::idempotency(customer, key)).await? else { return Ok(None) };
        let IdempotencyItem { record, expires_at } = from_item(item)?;
        // DynamoDB deletes expired items within days; until then they do not count.
        let is_valid = expires_at.as_second() > now.as_second();
        Ok(is_valid.then_some(record))
    }

    /// Takes over a key whose lease has ended without a final response, and links the request to the creates of the
    /// first one. `false` if another request has taken over.
    pub async fn take_over_idempotency_key(
        &self,
        claim: &IdempotencyClaim<'_>,
        seen: &IdempotencyRecord,
    ) -> Result<bool, Error> {
        let update = self
            .update_item(&table_keys::idempotency(claim.customer, claim.key))
            .update_expression("SET attempt = :next, #until = :until")
            .condition_expression("attempt = :seen AND attribute_not_exists(answer)")
            .expression_attribute_names("#until", "until")
            .values([
                (":next", number(seen.fencing_token + 1)),
                (":seen", number(seen.fencing_token)),
                (":until", number(claim.lease_until.as_millisecond())),
            ]);
        let mut writes = vec![update_write(update)?];
        if !seen.creates.is_empty() {
            let retry = request_item(claim.customer, claim.request, &seen.creates, claim.now)?;
            writes.push(put_write(self.put_item(retry))?);
        }
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Erases the response under a key, and what it continues.
    pub(super) async fn erase_response(&self, customer: CustomerId, digest: &str) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::idempotency_by_digest(customer, digest))
            .update_expression("SET is_erased = :erased, #until = :ended REMOVE answer, creates")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#until", "until")
            .values([(":erased", attribute(&true)?), (":ended", number(0))]);
        conditional_update(update).await.map(drop)
    }

    /// Extends the retention of a create's key. A key with a final response, or of another request, does not change.
    pub(super) async fn extend_idempotency_key(
        &self,
        create: &Create,
        digest: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::idempotency_by_digest(create.customer, digest))
            .update_expression("SET expires_at = :expiry")
            .condition_expression("#request = :request AND attribute_not_exists(answer)")
            .expression_attribute_names("#request", "request")
            .values([
                (":expiry", number(expiry_without_response(now).as_second())),
                (":request", text(create.request.to_string())),
            ]);
        conditional_update(update).await.map(drop)
    }

    /// Stores the final response of a lease. `false` if another request has taken over.
    pub async fn store_response(
        &self,
        customer: CustomerId,
        key: &str,
        fencing_token: i64,
        response: &StoredResponse,
        now: Timestamp,
    ) -> Result<bool, Error> {
        if response.body.len() > MAX_STORED_BODY_BYTES {
            return self.release_idempotency_key(customer, key, fencing_token).await;
        }
        let update = self
            .update_item(&table_keys::idempotency(customer, key))
            .update_expression("SET answer = :answer, #until = :ended, expires_at = :expiry")
            .condition_expression("attempt = :attempt")
            .expression_attribute_names("#until", "until")
            .values([
                (":answer", attribute(response)?),
                (":expiry", number((now + RESPONSE_RETENTION).as_second())),
                (":ended", number(0)),
                (":attempt", number(fencing_token)),
            ]);
        conditional_update(update).await
    }

    /// Ends a lease without a final response, so that the next request need not wait.
    pub async fn release_idempotency_key(
        &self,
        customer: CustomerId,
        key: &str,
        fencing_token: i64,
    ) -> Result<bool, Error> {
        let update = self
            .update_item(&table_keys::idempotency(customer, key))
            .update_expression("SET #until = :ended")
            .condition_expression("attempt = :attempt")
            .expression_attribute_names("#until", "until")
            .values([(":ended", number(0)), (":attempt", number(fencing_token))]);
        conditional_update(update).await
    }
}

/// Expiry of a key without a final response.
fn expiry_without_response(now: Timestamp) -> Timestamp {
    Change::expiry_from(now) + KEY_RETENTION_MARGIN
}
