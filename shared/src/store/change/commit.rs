//! What a plan stores, in one transaction: all of it, or nothing.

use super::record::RecordMove;
use super::write::next_item;
use crate::domain::spending::Spendings;
use crate::domain::{Change, ChangeStatus, CustomerId, Event};
use crate::error::Error;
use crate::store::{Store, Turn};
use aws_sdk_dynamodb::types::TransactWriteItem;

/// What is stored before a change is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Commit<'a> {
    /// A change whose attempt begins: a new one, or one that has waited. If storing it applies it, it already has its
    /// outcome.
    pub change: Option<&'a Change>,
    /// The change as it waits, if it has waited.
    pub waited: Option<&'a Change>,
    /// The turn of the campaign, as it was read, if the change takes it.
    pub turn: Option<Turn>,
    /// The new spendings, which replace those that were read.
    pub spendings: Option<&'a Spendings>,
    pub moved: Option<&'a RecordMove<'a>>,
}

/// The result of a commit. Only `Stored` has stored anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitResult {
    Stored,
    /// The change no longer waits, or a new change could not be stored under its id.
    NoLongerWaiting,
    /// Another change of the campaign has the turn, or has had it since the turn was read.
    TurnTaken,
    /// A spending has changed since it was read.
    SpendingChanged,
    /// The record of the campaign has changed since it was read, or a change no longer waits for it.
    RecordChanged,
}

impl Store {
    /// Stores it under the condition that all of it is as it was read.
    pub async fn commit(&self, customer: CustomerId, commit: Commit<'_>) -> Result<CommitResult, Error> {
        let Commit { change, waited, turn, spendings, moved } = commit;
        if turn.is_some_and(|turn| turn.change.is_some()) {
            return Ok(CommitResult::TurnTaken);
        }
        let mut others: Vec<(TransactWriteItem, CommitResult)> = Vec::new();
        if let (Some(turn), Some(change)) = (turn, change)
            && let Some(campaign) = &change.campaign
        {
            others.push((self.take_turn(change, campaign, turn)?, CommitResult::TurnTaken));
        }
        let writes = spendings.map(|spendings| self.spending_writes(customer, spendings)).transpose()?;
        others.extend(writes.into_iter().flatten().map(|write| (write, CommitResult::SpendingChanged)));
        if let Some(moved) = moved {
            let Some(moves) = self.record_writes(customer, moved)? else { return Ok(CommitResult::RecordChanged) };
            others.extend(moves.into_iter().map(|write| (write, CommitResult::RecordChanged)));
        }
        let ended = change.and_then(|change| Event::of_end(change, ChangeStatus::Sending, None, change.settled_at?));
        if let Some(event) = ended {
            others.push((self.event_write(&event)?, CommitResult::NoLongerWaiting));
        }
        let (others, failures): (Vec<TransactWriteItem>, Vec<CommitResult>) = others.into_iter().unzip();
        let of_part = |part: usize| failures.get(part).copied().unwrap_or(CommitResult::Stored);
        let Some(change) = change else {
            let failed = if others.is_empty() { Vec::new() } else { self.transact(others).await? };
            return Ok(failed.first().map_or(CommitResult::Stored, |part| of_part(*part)));
        };
        // No event reports what is sent at once: its outcome follows.
        let put = match waited {
            None => self.new_change_put(change)?,
            Some(waited) => self.next_put(waited, next_item(change)?),
        };
        match self.put_with(put.clone(), others).await? {
            None => Ok(CommitResult::Stored),
            // It was stored before a lost response, with all the rest.
            Some(0) if waited.is_none() && self.has_begun(change).await? => Ok(CommitResult::Stored),
            Some(0) if waited.is_some() && self.stored(change).await?.as_ref() == put.get_item().as_ref() => {
                Ok(CommitResult::Stored)
            }
            Some(0) => Ok(CommitResult::NoLongerWaiting),
            Some(part) => Ok(of_part(part - 1)),
        }
    }
}
