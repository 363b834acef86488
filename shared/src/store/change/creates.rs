//! Creates: stored before they are sent, with the `Idempotency-Key` of their request.

use super::concurrent_creates::too_many_open_creates;
use super::item::item;
use super::write::{TransitionResult, next_item};
use crate::domain::spending::Spendings;
use crate::domain::{Attempt, Change, ChangeError, ChangeId, ChangeState, Create, CustomerId, Settlement, Transition};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::idempotency::IdempotencyClaim;
use crate::store::transactions::put_write;
use crate::store::{Item, Store, Values, from_item, number, table_keys, to_item};
use futures_util::future::join_all;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Leads from a request to its creates, or from a retry to those of the first request.
#[derive(Serialize, Deserialize)]
struct RequestItem {
    changes: Vec<ChangeId>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

/// The result of storing creates before they are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeginResult {
    Begun,
    /// They have begun before: the `Idempotency-Key` is known, or the create no longer waits for a person. Nothing was
    /// stored.
    AlreadyBegun,
    /// A spending has changed since it was read. Nothing was stored.
    SpendingChanged,
}

impl Store {
    /// Stores the creates of a request, with the claim of its `Idempotency-Key` if it has one, and `spendings` in place of
    /// those that they follow. Call this before sending. Fails if too many creates of a name are open.
    pub async fn begin_creates(
        &self,
        creates: &[Create],
        claim: Option<&IdempotencyClaim<'_>>,
        spendings: &Spendings,
    ) -> Result<BeginResult, Error> {
        let Some(first) = creates.first() else { return Ok(BeginResult::Begun) };
        let ids: Vec<ChangeId> = creates.iter().map(|create| create.id).collect();
        let request = request_item(first.customer, first.request, &ids, first.created_at())?;
        let Some(claim) = claim else {
            if !self.put_spendings(first.customer, spendings).await? {
                return Ok(BeginResult::SpendingChanged);
            }
            // If one write fails, nothing is sent for any create; maintenance reconciles the stored ones. The other
            // writes end first: a late one would come after the creates are abandoned.
            let begun = join_all(creates.iter().map(|create| async move {
                let begun = self.begin_change(create, create.latest_attempt().at);
                let (stored, opened) = tokio::join!(begun, self.begin_create(create));
                stored.and(opened)
            }));
            let (begun, linked) = tokio::join!(begun, self.put(request));
            return begun.into_iter().chain([linked]).collect::<Result<(), Error>>().map(|()| BeginResult::Begun);
        };
        let mut writes = vec![self.idempotency_claim(claim, &ids)?, put_write(self.put_item(request))?];
        let first_create = writes.len();
        for create in creates {
            writes.push(put_write(self.put_item(item(create)?))?);
            writes.push(self.begin_create_write(create)?);
        }
        let of_spendings = writes.len();
        writes.extend(self.spending_writes(first.customer, spendings)?);
        match self.transact(writes).await?.first() {
            None => Ok(BeginResult::Begun),
            Some(0) => Ok(BeginResult::AlreadyBegun),
            Some(failed) if *failed >= of_spendings => Ok(BeginResult::SpendingChanged),
            // Each create has two writes.
            Some(failed) => Err(failed
                .checked_sub(first_create)
                .and_then(|failed| creates.get(failed / 2))
                .map_or_else(|| Error::internal("an unknown write of a transaction failed"), too_many_open_creates)),
        }
    }

    /// Marks creates as failed before sending, whether or not they were stored.
    pub async fn abandon_creates(&self, creates: &[Create], reason: &ChangeError) -> Result<(), Error> {
        join_all(creates.iter().map(|create| self.abandon(create, reason))).await.into_iter().collect()
    }

    async fn abandon(&self, create: &Create, reason: &ChangeError) -> Result<(), Error> {
        self.end_create(create).await?;
        let (state, at) = (ChangeState::Failed(reason.clone()), create.created_at());
        let failure = Settlement { state, campaign: None, before: None, after: None, seen: None, at };
        let Some(Transition { change, event }) = create.settled(&failure) else { return Ok(()) };
        let put = self
            .put_item(next_item(&change)?)
            .condition_expression("attribute_not_exists(pk) OR version = :stored")
            .value(":stored", number(create.version));
        if self.put_with_event(put, event.as_ref()).await? {
            return Ok(());
        }
        // Maintenance has reported that its outcome is unknown.
        let failed = |latest: &Change| latest.in_attempt(create.attempt)?.settled(&failure);
        self.transition(create, failed).await.map(drop)
    }

    /// Begins the next attempt of a create that created nothing. `None` if another request has begun it.
    pub async fn retry_create(&self, create: &Create, attempt: Attempt) -> Result<Option<Create>, Error> {
        let begun = self.transition(create, |latest| latest.retried(attempt)).await?.made();
        let Some(begun) = begun.and_then(Create::of) else { return Ok(None) };
        // Only the request that won the attempt may extend the open create.
        self.begin_create(&begun).await.map(|()| Some(begun))
    }

    /// Renews all creates of a request, the way from the request to them, and its key. A response under the key needs
    /// every create, and the key must not expire before a create with an unknown outcome. Returns the creates.
    pub async fn renew_creates(&self, creates: Vec<Create>, now: Timestamp) -> Result<Vec<Create>, Error> {
        let Some(first) = creates.first().cloned() else { return Ok(creates) };
        let renew = |create: Create| async move { self.transition(&create, |latest| latest.renewed(now)).await };
        let way = self
            .update_item(&table_keys::request(first.customer, first.request))
            .update_expression("SET expires_at = :expiry")
            .condition_expression("attribute_exists(pk)")
            .value(":expiry", number(Change::expiry_from(now).as_second()));
        let (renewed, way) = tokio::join!(join_all(creates.into_iter().map(renew)), conditional_update(way));
        way?;
        let renewed = renewed.into_iter().collect::<Result<Vec<TransitionResult>, Error>>()?;
        if let Some(digest) = &first.key_digest {
            self.extend_idempotency_key(&first, digest, now).await?;
        }
        Ok(renewed.into_iter().filter_map(|renewed| Create::of(renewed.change)).collect())
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
        if expires_at.as_second() <= now.as_second() {
            return Ok(Vec::new());
        }
        self.creates(customer, &changes, now).await
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
    let item = RequestItem { changes: changes.to_vec(), expires_at: Change::expiry_from(now) };
    to_item(&table_keys::request(customer, request), &item)
}
