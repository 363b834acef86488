//! The one write of a change: the whole item, in place of the version that it follows. What a state means for the
//! indexes is in the item alone.

use super::attributes::state_name;
use super::item::{item, parse};
use crate::domain::{Change, Event, Transition};
use crate::error::Error;
use crate::store::conditional::conditional_put;
use crate::store::transactions::{contended, put_write};
use crate::store::{Item, Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use uuid::Uuid;

/// Attempts against other writes of a change.
const MAX_ATTEMPTS: usize = 8;
/// A random number by which a process knows its own write again, when the response to it was lost. Of two processes that
/// make the same transition one has made it.
const WRITER: &str = "writer";

/// The result of a transition.
#[derive(Clone, Debug)]
pub struct TransitionResult {
    /// The change after the transition; if it was not made, the stored change that refuses it.
    pub change: Change,
    pub is_made: bool,
}

impl TransitionResult {
    /// The change after the transition, if it was made.
    pub fn made(self) -> Option<Change> {
        self.is_made.then_some(self.change)
    }
}

/// The result of a write.
enum WriteResult {
    Stored,
    /// The stored change is another version; `None` if there is none any more.
    Stale(Option<Box<Change>>),
    /// The condition of this other part does not hold.
    Failed(usize),
}

impl Store {
    /// Makes a transition of a change, together with the event that reports it. Calls `next` with the given change. If
    /// another process has written the change since, reads it and calls `next` again.
    pub async fn transition(
        &self,
        known: &Change,
        next: impl Fn(&Change) -> Option<Transition>,
    ) -> Result<TransitionResult, Error> {
        let made = self.transition_with(known, &[], next).await?;
        made.map_err(|part| Error::internal(format!("a transition without a part {part}")))
    }

    /// The same together with other writes. The index of one of them says that its condition does not hold, and nothing is
    /// stored.
    pub(in crate::store) async fn transition_with(
        &self,
        known: &Change,
        others: &[TransactWriteItem],
        next: impl Fn(&Change) -> Option<Transition>,
    ) -> Result<Result<TransitionResult, usize>, Error> {
        let mut latest = known.clone();
        for _ in 0..MAX_ATTEMPTS {
            let Some(Transition { change, event }) = next(&latest) else {
                return Ok(Ok(TransitionResult { change: latest, is_made: false }));
            };
            // On the heap: many callers have this in their futures.
            match Box::pin(self.put_next(&latest, &change, others, event.as_ref())).await? {
                WriteResult::Stored => return Ok(Ok(TransitionResult { change, is_made: true })),
                WriteResult::Failed(part) => return Ok(Err(part)),
                WriteResult::Stale(Some(stored)) => latest = *stored,
                WriteResult::Stale(None) => return Ok(Ok(TransitionResult { change: latest, is_made: false })),
            }
        }
        Err(contended())
    }

    async fn put_next(
        &self,
        before: &Change,
        change: &Change,
        others: &[TransactWriteItem],
        event: Option<&Event>,
    ) -> Result<WriteResult, Error> {
        let item = next_item(change)?;
        let event = event.map(|event| self.event_write(event)).transpose()?;
        let others = others.iter().cloned().chain(event).collect();
        match self.put_with(self.next_put(before, item.clone()), others).await? {
            None => Ok(WriteResult::Stored),
            Some(0) => match self.stored(change).await? {
                Some(stored) if stored == item => Ok(WriteResult::Stored),
                stored => {
                    let stored = stored.map(|stored| parse(change.customer, stored)).transpose()?;
                    Ok(WriteResult::Stale(stored.map(Box::new)))
                }
            },
            Some(part) => Ok(WriteResult::Failed(part - 1)),
        }
    }

    /// Makes a put together with other writes. Returns the index of the first of them whose condition does not hold, with
    /// nothing stored; the put has the index 0.
    pub(super) async fn put_with(
        &self,
        put: PutItemFluentBuilder,
        others: Vec<TransactWriteItem>,
    ) -> Result<Option<usize>, Error> {
        if others.is_empty() {
            return Ok((!conditional_put(put).await?).then_some(0));
        }
        let writes = [put_write(put)?].into_iter().chain(others).collect();
        Ok(self.transact(writes).await?.first().copied())
    }

    /// The item of a change as it is stored now.
    pub(super) async fn stored(&self, change: &Change) -> Result<Option<Item>, Error> {
        self.read(&table_keys::change(change.customer, change.id)).await
    }

    /// The write of a transition as a part of a transaction.
    pub(super) fn next_write(&self, before: &Change, change: &Change) -> Result<TransactWriteItem, Error> {
        put_write(self.next_put(before, next_item(change)?))
    }

    /// Puts the item of a change, if the stored version is the one that it follows. A release without versions does not
    /// raise them, so the state and the attempt have to be the same too.
    pub(super) fn next_put(&self, before: &Change, item: Item) -> PutItemFluentBuilder {
        let put = self
            .put_item(item)
            .expression_attribute_names("#state", "state")
            .values([(":state", text(state_name(&before.state))), (":attempt", number(before.attempt))]);
        let is_same = "#state = :state AND attempt = :attempt AND";
        match before.version {
            // A record from a release without versions.
            0 => put.condition_expression(format!("{is_same} attribute_not_exists(version)")),
            followed => {
                put.condition_expression(format!("{is_same} version = :followed")).value(":followed", number(followed))
            }
        }
    }
}

/// The item of a change in its next version, as this process writes it.
pub(super) fn next_item(change: &Change) -> Result<Item, Error> {
    let mut item = item(change)?;
    item.insert(WRITER.to_owned(), number(Uuid::new_v4().as_fields().0.into()));
    Ok(item)
}
