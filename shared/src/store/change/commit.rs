//! What a plan stores, in one transaction: all of it, or nothing.

use super::record::RecordMove;
use super::write::next_item;
use crate::domain::{Change, ChangeStatus, CustomerId, Event, KeySpending};
use crate::error::Error;
use crate::store::transactions::put_write;
use crate::store::{Store, Turn};
use aws_sdk_dynamodb::types::TransactWriteItem;

/// What is stored before a change is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Commit<'a> {
    /// A change of which this attempt begins: a new one, or one that has waited. It has its outcome if it is made by this.
    pub change: Option<&'a Change>,
    /// The change as it waits, if it has waited.
    pub waited: Option<&'a Change>,
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
        let Commit { change, waited, turn, spending, moved } = commit;
        if turn.is_some_and(|turn| turn.change.is_some()) {
            return Ok(Committed::TurnTaken);
        }
        let mut others: Vec<(TransactWriteItem, Committed)> = Vec::new();
        if let (Some(turn), Some(change)) = (turn, change)
            && let Some(campaign) = &change.campaign
        {
            others.push((self.take_turn(change, campaign, turn)?, Committed::TurnTaken));
        }
        if let Some(spending) = spending {
            others.push((put_write(self.spending_put(customer, spending)?)?, Committed::SpendingMoved));
        }
        if let Some(moved) = moved {
            let Some(moves) = self.record_writes(customer, moved)? else { return Ok(Committed::RecordMoved) };
            others.extend(moves.into_iter().map(|write| (write, Committed::RecordMoved)));
        }
        let ended = change.and_then(|change| Event::of_end(change, ChangeStatus::Sending, None, change.settled_at?));
        if let Some(event) = ended {
            others.push((self.event_write(&event)?, Committed::Lost));
        }
        let (others, failures): (Vec<TransactWriteItem>, Vec<Committed>) = others.into_iter().unzip();
        let of_part = |part: usize| failures.get(part).copied().unwrap_or(Committed::Yes);
        let Some(change) = change else {
            let failed = if others.is_empty() { Vec::new() } else { self.transact(others).await? };
            return Ok(failed.first().map_or(Committed::Yes, |part| of_part(*part)));
        };
        // No event tells what is sent at once: its outcome follows.
        let put = match waited {
            None => self.new_change_put(change)?,
            Some(waited) => self.next_put(waited, next_item(change)?),
        };
        match self.put_with(put.clone(), others).await? {
            None => Ok(Committed::Yes),
            // It was stored before a lost response, with all the rest.
            Some(0) if waited.is_none() && self.has_begun(change).await? => Ok(Committed::Yes),
            Some(0) if waited.is_some() && self.stored(change).await?.as_ref() == put.get_item().as_ref() => {
                Ok(Committed::Yes)
            }
            Some(0) => Ok(Committed::Lost),
            Some(part) => Ok(of_part(part - 1)),
        }
    }
}
