//! Creates: stored before they are sent, with the `Idempotency-Key` of their request.

use super::concurrent_creates::too_many_open_creates;
use super::item::{APPLIED, SENDING, item};
use crate::domain::{Change, ChangeError, ChangeId, ChangeState, ChangeStatus, Create, CustomerId, Event, KeySpending};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::due::change_kind;
use crate::store::idempotency::IdempotencyClaim;
use crate::store::transactions::put_write;
use crate::store::{Item, Store, Values, from_item, number, table_keys, text, to_item};
use futures_util::future::join_all;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Leads from a request to its creates, or from a retry to those of the first request.
#[derive(Serialize, Deserialize)]
struct RequestItem {
    changes: Vec<String>,
    expires_at: i64,
}

/// What came of storing the creates of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreatesBegun {
    Yes,
    /// The `Idempotency-Key` is known. Nothing was stored.
    KeyKnown,
    /// The spending has moved since it was read. Nothing was stored.
    SpendingMoved,
}

impl Store {
    /// Stores the creates of a request, with the claim of its `Idempotency-Key` if it has one, and `spending` in place of
    /// the one that it follows. Call this before sending. Fails if too many creates of a name are open.
    pub async fn begin_creates(
        &self,
        creates: &[Create],
        claim: Option<&IdempotencyClaim<'_>>,
        spending: Option<&KeySpending>,
    ) -> Result<CreatesBegun, Error> {
        let Some(first) = creates.first() else { return Ok(CreatesBegun::Yes) };
        let ids: Vec<ChangeId> = creates.iter().map(|create| create.id).collect();
        let request = request_item(first.customer, first.request, &ids, first.created_at())?;
        let Some(claim) = claim else {
            if let Some(spending) = spending
                && !self.put_spending(first.customer, spending).await?
            {
                return Ok(CreatesBegun::SpendingMoved);
            }
            // If one write fails, nothing is sent for any create; maintenance reconciles the stored ones. The other
            // writes end first: a late one would come after the creates are abandoned.
            let begun = join_all(creates.iter().map(|create| async move {
                let (stored, opened) = tokio::join!(self.begin_change(create), self.begin_create(create));
                stored.and(opened)
            }));
            let (begun, linked) = tokio::join!(begun, self.put(request));
            return begun.into_iter().chain([linked]).collect::<Result<(), Error>>().map(|()| CreatesBegun::Yes);
        };
        let mut writes = vec![self.idempotency_claim(claim, &ids)?, put_write(self.put_item(request))?];
        let first_create = writes.len();
        for create in creates {
            writes.push(put_write(self.put_item(item(create)?))?);
            writes.push(self.begin_create_write(create)?);
        }
        let of_spending = writes.len();
        if let Some(spending) = spending {
            writes.push(put_write(self.spending_put(first.customer, spending)?)?);
        }
        match self.transact(writes).await?.first() {
            None => Ok(CreatesBegun::Yes),
            Some(0) => Ok(CreatesBegun::KeyKnown),
            Some(failed) if *failed == of_spending => Ok(CreatesBegun::SpendingMoved),
            // Each create has two writes.
            Some(failed) => Err(failed
                .checked_sub(first_create)
                .and_then(|failed| creates.get(failed / 2))
                .map_or_else(|| Error::internal("an unknown write of a transaction failed"), too_many_open_creates)),
        }
    }

    /// Marks creates as failed before sending, whether or not they were stored.
    pub async fn abandon_creates(&self, creates: &[Create], reason: &ChangeError) -> Result<(), Error> {
        let abandon = |create: &Create| {
            let (create, state) = (create.clone(), ChangeState::Failed(reason.clone()));
            async move {
                let settled_at = Some(create.created_at());
                let failed = Change { state, settled_at, ..Change::from(create.clone()) };
                self.end_create(&create).await?;
                let event = Event::of_end(&failed, ChangeStatus::Sending, None, failed.created_at());
                self.put_and_tell(self.put_item(item(&failed)?), event.as_ref()).await.map(drop)
            }
        };
        join_all(creates.iter().map(abandon)).await.into_iter().collect()
    }

    /// Begins the next attempt of a create that created nothing. `false` if another request has begun it.
    pub async fn retry_create(&self, create: &Create) -> Result<bool, Error> {
        let update = self
            .update_change(create)
            .update_expression(
                "SET #state = :sending, attempt = :next, #until = :until, sent_at = :sent, due_kind = :kind, due_at = \
                 :due REMOVE #error, settled_at",
            )
            .condition_expression("attempt = :attempt AND #state <> :applied AND NOT #error.is_refusal = :true")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#until", "until")
            .expression_attribute_names("#error", "error")
            .values([
                (":sending", text(SENDING)),
                (":applied", text(APPLIED)),
                (":true", aws_sdk_dynamodb::types::AttributeValue::Bool(true)),
                (":attempt", number(create.attempt - 1)),
                (":next", number(create.attempt)),
                (":until", number(create.send_deadline.as_millisecond())),
                (":kind", text(change_kind(create.id))),
                (":due", number(create.send_deadline.as_second())),
                (":sent", text(create.sent_at.unwrap_or(create.created_at()).to_string())),
            ]);
        if !conditional_update(update).await? {
            return Ok(false);
        }
        // Only the request that won the attempt may extend the open create.
        self.begin_create(create).await.map(|()| true)
    }

    /// Renews all creates of a request, the way from the request to them, and its key. A response under the key needs
    /// every create, and the key must not expire before a create with an unknown outcome.
    pub async fn renew_creates(&self, creates: &[Create], now: Timestamp) -> Result<(), Error> {
        let Some(first) = creates.first() else { return Ok(()) };
        let renew = |key: table_keys::Key| {
            let update = self
                .update_item(&key)
                .update_expression("SET expires_at = :expiry")
                .condition_expression("attribute_exists(pk)")
                .value(":expiry", number(Change::expiry_from(now).as_second()));
            async move { conditional_update(update).await }
        };
        let changes = creates.iter().map(|create| table_keys::change(create.customer, create.id));
        let keys = changes.chain([table_keys::request(first.customer, first.request)]);
        join_all(keys.map(renew)).await.into_iter().collect::<Result<Vec<bool>, Error>>()?;
        match &first.new_campaign().key_digest {
            Some(digest) => self.extend_idempotency_key(first, digest, now).await,
            None => Ok(()),
        }
    }

    /// The creates of a request, or of the first request with the key of a retry, in the order of its targets. Empty
    /// for a request of another customer.
    pub async fn creates_of_request(
        &self,
        customer: CustomerId,
        request: Uuid,
        now: Timestamp,
    ) -> Result<Vec<Create>, Error> {
        let Some(item) = self.read(&table_keys::request(customer, request)).await? else { return Ok(Vec::new()) };
        let RequestItem { changes, expires_at } = from_item(item)?;
        if expires_at <= now.as_second() {
            return Ok(Vec::new());
        }
        let ids: Vec<ChangeId> = changes.iter().filter_map(|id| ChangeId::parse(id)).collect();
        self.creates(customer, &ids, now).await
    }

    /// Reads creates in this order, in one round trip. One that has expired is left out.
    pub async fn creates(&self, customer: CustomerId, ids: &[ChangeId], now: Timestamp) -> Result<Vec<Create>, Error> {
        let changes = self.changes_by_id(customer, ids, now).await?;
        Ok(changes.into_iter().filter_map(Create::of).collect())
    }
}

/// The item that leads from a request to changes.
pub(in crate::store) fn request_item(
    customer: CustomerId,
    request: Uuid,
    changes: &[ChangeId],
    now: Timestamp,
) -> Result<Item, Error> {
    let item = RequestItem {
        changes: changes.iter().map(ChangeId::to_string).collect(),
        expires_at: Change::expiry_from(now).as_second(),
    };
    to_item(&table_keys::request(customer, request), &item)
}
