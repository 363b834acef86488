//! Changes that count against a limit: stored together with what they reserve, ended together with what they free.

use super::Turn;
use crate::domain::{CampaignValues, Change, ChangeState, Event, KeySpending};
use crate::error::Error;
use crate::store::transactions::{contended, put_write, update_write};
use crate::store::{HeldMove, Settlement, Store, Values, table_keys, text};
use jiff::Timestamp;

/// What came of an attempt to begin a limited change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    Yes,
    /// The change does not wait any more.
    Lost,
    /// Another change of the campaign has the turn, or has had it since the turn was read.
    TurnTaken,
    /// The spending has moved since it was read.
    SpendingMoved,
    /// A date that the service holds has moved since it was read, or a change does not wait for it any more.
    DatesMoved,
}

/// How an attempt at a change ends.
#[derive(Clone, Debug)]
pub enum Ending<'a> {
    /// Its outcome is known.
    Settled(&'a Settlement),
    /// Nothing was sent, and nothing is left to do.
    Discarded(Timestamp),
    /// It waits for its next attempt; with the campaign before an attempt that had an effect.
    Waits(Option<&'a CampaignValues>, Timestamp),
}

impl Store {
    /// Stores a change, or begins an attempt at one that waited, with what it reserves, and takes the turn of its
    /// campaign. `spending` is what follows the spending that was read; `None` leaves that as it is. Without a `turn` the
    /// change takes none; with one, what keys have raised today is stored too. `dates` is a move of held dates that belongs to the change.
    pub async fn begin_limited(
        &self,
        change: &Change,
        before: &CampaignValues,
        (spending, turn): (Option<&KeySpending>, Option<Turn>),
        dates: Option<&HeldMove<'_>>,
    ) -> Result<Begun, Error> {
        let change = &Change { is_limited: true, ..change.clone() };
        let begin = match change.apply_at {
            // It is sent at once, so no event tells it.
            None => put_write(self.new_change_put(change)?)?,
            Some(_) => update_write(self.begin_scheduled_update(change, Some(before))?)?,
        };
        let (mut writes, mut failures) = (vec![begin], vec![Begun::Lost]);
        if let (Some(turn), Some(campaign)) = (turn, &change.campaign) {
            if turn.change.is_some() {
                return Ok(Begun::TurnTaken);
            }
            writes.push(self.take_turn(change, campaign, turn)?);
            failures.push(Begun::TurnTaken);
        }
        if let Some(spending) = spending {
            writes.push(put_write(self.spending_put(change.customer, spending)?)?);
            failures.push(Begun::SpendingMoved);
        }
        if let Some(dates) = dates {
            writes.extend(self.held_writes(change.customer, dates)?);
        }
        let failed = self.transact(writes).await?;
        // A new change that exists was stored before a lost response, with all the rest.
        match failed.first().map(|index| failures.get(*index).copied().unwrap_or(Begun::DatesMoved)) {
            Some(Begun::Lost) if change.apply_at.is_none() && self.has_begun(change).await? => Ok(Begun::Yes),
            outcome => Ok(outcome.unwrap_or(Begun::Yes)),
        }
    }

    /// Stores a change that waits for a person, as the latest that its key has asked for. `false`, with nothing stored, if
    /// the spending has moved since it was read: the key may have asked for the same.
    pub async fn begin_asked(&self, change: &Change, spending: &KeySpending) -> Result<bool, Error> {
        let asked = KeySpending { asked: Some(change.id), ..spending.clone() };
        let put = self.spending_put(change.customer, &asked)?;
        let mut writes = vec![put_write(self.new_change_put(change)?)?, put_write(put)?];
        writes.extend(Event::of_new(change).map(|event| self.event_write(&event)).transpose()?);
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

    /// Ends an attempt at a limited change, with what it frees, and gives the turn back if it has it. `None` says that
    /// the spending has moved since it was read, `Some(false)` that the attempt is not the latest.
    pub async fn end_limited(
        &self,
        change: &Change,
        ending: &Ending<'_>,
        spending: Option<&KeySpending>,
        has_turn: bool,
    ) -> Result<Option<bool>, Error> {
        let Some(campaign) = &change.campaign else { return Ok(Some(false)) };
        let end = match ending {
            Ending::Settled(settlement) => self.settle_update(change, settlement)?,
            Ending::Discarded(at) => self.discard_update(change, *at),
            Ending::Waits(before, at) => match self.reschedule_update(change, *before, *at)? {
                Some(update) => update,
                None => return Ok(Some(false)),
            },
        };
        let event = match ending {
            Ending::Settled(settlement) => settlement.event(change),
            Ending::Discarded(_) | Ending::Waits(_, _) => None,
        };
        let mut writes = vec![update_write(end)?];
        if let Some(spending) = spending {
            writes.push(put_write(self.spending_put(change.customer, spending)?)?);
        }
        if has_turn {
            let free = self
                .update_item(&table_keys::turn(change.customer, campaign))
                .update_expression("REMOVE #change")
                .condition_expression("#change = :change")
                .expression_attribute_names("#change", "change")
                .value(":change", text(change.id.to_string()));
            writes.push(update_write(free)?);
        }
        writes.extend(event.map(|event| self.event_write(&event)).transpose()?);
        match self.transact(writes).await?.first() {
            None => Ok(Some(true)),
            Some(0) => Ok(Some(false)),
            Some(_) => Ok(None),
        }
    }
}
