//! Changes that count against a limit: stored together with what they reserve, ended together with what they free.

use crate::domain::spending::Spendings;
use crate::domain::{Change, ChangeState, Ending, Event, Spending};
use crate::error::Error;
use crate::store::transactions::{contended, put_write, update_write};
use crate::store::{Store, Values, table_keys, text};
use jiff::Timestamp;

/// The result of ending an attempt at a limited change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndResult {
    Ended,
    /// The spending has changed since it was read. Nothing was stored.
    SpendingChanged,
    /// The attempt is not the latest. Nothing was stored.
    NotLatest,
}

impl Store {
    /// Stores a change that waits for a person, as the latest that was asked for under a spending. `false`, with nothing
    /// stored, if the spending has changed since it was read: somebody may have asked for the same. `at` is now: the time
    /// of its event.
    pub async fn store_approval_request(
        &self,
        change: &Change,
        spending: &Spending,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let asked = Spending { asked: Some(change.id), ..spending.clone() };
        let mut writes = vec![put_write(self.new_change_put(change)?)?];
        writes.extend(self.spending_writes(change.customer, &[asked].into_iter().collect())?);
        writes.extend(Event::of_new(change, at).map(|event| self.event_write(&event)).transpose()?);
        match self.transact(writes).await?.first() {
            None => Ok(true),
            // One that waits was stored before a lost response, with all the rest.
            Some(0) => match self.change(change.customer, change.id).await? {
                Some(known) if known.state == ChangeState::AwaitingApproval => Ok(true),
                _ => Err(contended()),
            },
            Some(_) => Ok(false),
        }
    }

    /// Ends an attempt at a change that counts against limits, with what it frees of each, and gives the turn back if it has it.
    pub async fn end_limited(
        &self,
        change: &Change,
        ending: &Ending<'_>,
        moved: &Spendings,
        has_turn: bool,
    ) -> Result<EndResult, Error> {
        let Some(campaign) = &change.campaign else { return Ok(EndResult::NotLatest) };
        let mut others = self.spending_writes(change.customer, moved)?;
        if has_turn {
            let free = self
                .update_item(&table_keys::turn(change.customer, campaign))
                .update_expression("REMOVE #change")
                .condition_expression("#change = :change")
                .expression_attribute_names("#change", "change")
                .value(":change", text(change.id.to_string()));
            others.push(update_write(free)?);
        }
        let ended = |latest: &Change| latest.in_attempt(change.attempt)?.finished(ending);
        Ok(match self.transition_with(change, &others, ended).await? {
            Ok(ended) if ended.is_made => EndResult::Ended,
            Ok(_) => EndResult::NotLatest,
            Err(_) => EndResult::SpendingChanged,
        })
    }
}
