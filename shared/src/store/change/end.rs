//! The end of a change that waits, for its time or for a person.

use super::attributes::ErrorAttribute;
use super::item::{AWAITING, SCHEDULED, ended_state, state_name};
use super::lifecycle::map;
use crate::domain::{Change, ChangeId, ChangeState, ChangeStatus, CustomerId, Event};
use crate::error::Error;
use crate::store::transactions::contended;
use crate::store::{Store, Values, number, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;

/// Attempts against attempts at the change.
const MAX_ATTEMPTS: usize = 4;

impl Store {
    /// Ends a change that waits, if it may, and returns it as it is then.
    pub(super) async fn end_open(
        &self,
        customer: CustomerId,
        id: ChangeId,
        may_end: impl Fn(&Change) -> bool,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<Option<Change>, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(known) = self.change(customer, id).await?.filter(&may_end) else { return Ok(None) };
            let (ended, event) = ended(&known, state, at)?;
            if self.update_and_tell(self.end_update(&known, state, at)?, event.as_ref()).await? {
                return Ok(Some(ended));
            }
        }
        Err(contended())
    }

    /// The update that ends a change, under the condition that it is as it was read.
    pub(super) fn end_update(
        &self,
        change: &Change,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<UpdateItemFluentBuilder, Error> {
        let known = if change.state == ChangeState::Scheduled { SCHEDULED } else { AWAITING };
        let update = self
            .update_change(change)
            .condition_expression("#state = :known AND attempt = :attempt")
            .expression_attribute_names("#state", "state")
            .values([
                (":known", text(known)),
                (":attempt", number(change.attempt)),
                (":state", text(state_name(state))),
                (":at", text(at.to_string())),
            ]);
        let ended = "SET #state = :state, settled_at = :at";
        let waiting = "REMOVE due_kind, due_at, open_key, open_sort";
        Ok(match state.error() {
            None => update.update_expression(format!("{ended} {waiting}")),
            Some(error) => update
                .update_expression(format!("{ended}, #error = :error {waiting}"))
                .expression_attribute_names("#error", "error")
                .value(":error", map(&ErrorAttribute::from(error))?),
        })
    }
}

/// A change that waits as its end leaves it, and the event of its end.
pub(super) fn ended(change: &Change, state: &ChangeState, at: Timestamp) -> Result<(Change, Option<Event>), Error> {
    let previous = match change.state {
        ChangeState::Scheduled => ChangeStatus::Scheduled,
        _ => ChangeStatus::AwaitingApproval,
    };
    let ended = Change { state: ended_state(change, state)?, settled_at: Some(at), ..change.clone() };
    let event = Event::of_end(&ended, previous, None, at);
    Ok((ended, event))
}
