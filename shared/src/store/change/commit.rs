//! What a plan stores, in one transaction: all of it, or nothing.

use super::record::RecordMove;
use crate::domain::{Change, CustomerId, KeySpending};
use crate::error::Error;
use crate::store::transactions::{put_write, update_write};
use crate::store::{Store, Turn};
use aws_sdk_dynamodb::types::TransactWriteItem;

/// What is stored before a change is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Commit<'a> {
    /// A change of which this attempt begins: a new one, or one that has waited.
    pub change: Option<&'a Change>,
    /// The turn of the campaign, as it was read, if the change takes it.
    pub turn: Option<Turn>,
    /// What follows the spending that was read.
    pub spending: Option<&'a KeySpending>,
    pub moved: Option<&'a RecordMove<'a>>,
}

/// What has come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    Yes,
    /// The change does not wait any more.
    Lost,
    /// Another change of the campaign has the turn, or has had it since the turn was read.
    TurnTaken,
    /// The spending has moved since it was read.
    SpendingMoved,
    /// The record of the campaign has moved since it was read, or a change does not wait for it any more.
    RecordMoved,
}

impl Store {
    /// Stores it under the condition that all of it is as it was read.
    pub async fn commit(&self, customer: CustomerId, commit: Commit<'_>) -> Result<Committed, Error> {
        let Commit { change, turn, spending, moved } = commit;
        if let (Some(change), None, None, None) = (change, turn, spending, moved) {
            return self.begin_alone(change).await;
        }
        if turn.is_some_and(|turn| turn.change.is_some()) {
            return Ok(Committed::TurnTaken);
        }
        let mut writes: Vec<(TransactWriteItem, Committed)> = Vec::new();
        if let Some(change) = change {
            writes.push((self.begin_write(change)?, Committed::Lost));
        }
        if let (Some(turn), Some(change)) = (turn, change)
            && let Some(campaign) = &change.campaign
        {
            writes.push((self.take_turn(change, campaign, turn)?, Committed::TurnTaken));
        }
        if let Some(spending) = spending {
            writes.push((put_write(self.spending_put(customer, spending)?)?, Committed::SpendingMoved));
        }
        if let Some(moved) = moved {
            let moves = self.record_writes(customer, moved)?;
            writes.extend(moves.into_iter().map(|write| (write, Committed::RecordMoved)));
        }
        if writes.is_empty() {
            return Ok(Committed::Yes);
        }
        let (writes, failures): (Vec<_>, Vec<_>) = writes.into_iter().unzip();
        let failed = self.transact(writes).await?;
        let outcome = failed.first().and_then(|index| failures.get(*index)).copied().unwrap_or(Committed::Yes);
        match (outcome, change) {
            // A new change that exists was stored before a lost response, with all the rest.
            (Committed::Lost, Some(change)) if change.apply_at.is_none() && self.has_begun(change).await? => {
                Ok(Committed::Yes)
            }
            (outcome, _) => Ok(outcome),
        }
    }

    async fn begin_alone(&self, change: &Change) -> Result<Committed, Error> {
        let begun = match change.apply_at {
            None => self.begin_change(change).await.map(|()| true)?,
            Some(_) => self.begin_scheduled(change, change.before.as_ref()).await?,
        };
        Ok(if begun { Committed::Yes } else { Committed::Lost })
    }

    /// It is sent at once, so no event tells it.
    fn begin_write(&self, change: &Change) -> Result<TransactWriteItem, Error> {
        match change.apply_at {
            None => put_write(self.new_change_put(change)?),
            Some(_) => update_write(self.begin_scheduled_update(change, change.before.as_ref())?),
        }
    }
}
