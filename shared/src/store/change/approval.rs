//! Changes that wait for a person.

use super::concurrent_creates::too_many_open_creates;
use super::creates::{BeginResult, request_item};
use crate::domain::spending::Spendings;
use crate::domain::{CampaignId, Change, ChangeError, ChangeId, ChangeState, Create, CustomerId, KeyId};
use crate::error::Error;
use crate::store::Store;
use crate::store::table_keys::{self, OPEN_APPROVAL};
use crate::store::transactions::put_write;
use jiff::Timestamp;

impl Store {
    /// The changes of a customer that wait for a person, oldest first. They come from an index, so one of a moment ago
    /// may be missing.
    pub async fn awaiting_approval(&self, customer: CustomerId) -> Result<Vec<ChangeId>, Error> {
        self.waiting_as(table_keys::customer(customer), OPEN_APPROVAL).await
    }

    /// The changes of a campaign that wait, for their time or for a person. They come from an index, so one of a moment
    /// ago may be missing.
    pub async fn waiting_of_campaign(
        &self,
        customer: CustomerId,
        campaign: &CampaignId,
        now: Timestamp,
    ) -> Result<Vec<Change>, Error> {
        self.waiting_changes(customer, &[format!("{campaign}#")], now).await
    }

    /// Cancels the changes of a key that wait for a person.
    pub async fn cancel_awaiting_of_key(
        &self,
        customer: CustomerId,
        key: &KeyId,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let waiting = self.awaiting_approval(customer).await?;
        for change in self.changes_by_id(customer, &waiting, at).await? {
            if change.requested_by.is_key(key) {
                self.end_awaiting(&change, canceled, at).await?;
            }
        }
        Ok(())
    }

    /// Begins a create that a person has approved, with `spendings` in place of those that they follow. `waiting` is the
    /// create as it waits, and `create` the same in its first attempt, with its approval. Call this before sending.
    pub async fn approve_create(
        &self,
        waiting: &Create,
        create: &Create,
        spendings: &Spendings,
    ) -> Result<BeginResult, Error> {
        let missing = || Error::internal("an approval without a person");
        let (approval, attempt) = (create.approval.as_ref().ok_or_else(missing)?, create.latest_attempt());
        let request = request_item(create.customer, create.request, &[create.id], create.began_at())?;
        let mut others = vec![self.begin_create_write(create)?, put_write(self.put_item(request))?];
        others.extend(self.spending_writes(create.customer, spendings)?);
        let begun = |latest: &Change| latest.begun_on_approval(approval, attempt);
        match self.transition_with(waiting, &others, begun).await? {
            Ok(begun) if begun.is_made => Ok(BeginResult::Begun),
            Ok(_) => Ok(BeginResult::AlreadyBegun),
            Err(0) => Err(too_many_open_creates(create)),
            Err(_) => Ok(BeginResult::SpendingChanged),
        }
    }
}
