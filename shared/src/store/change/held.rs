//! The dates of campaigns that the service holds, and the changes that wait for them.

use super::end::ended;
use super::item::item;
use crate::domain::{CampaignId, Change, ChangeError, ChangeId, ChangeState, CustomerId, Event, HeldDates};
use crate::error::Error;
use crate::store::transactions::{contended, put_write, update_write};
use crate::store::{Store, Values, table_keys, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use uuid::Uuid;

/// A move of a campaign's held dates.
#[derive(Debug)]
pub struct HeldMove<'a> {
    pub campaign: &'a CampaignId,
    /// The dates as they were read.
    pub before: HeldDates,
    pub after: HeldDates,
    /// Waiting changes that are canceled, and why.
    pub cancel: &'a [Change],
    pub reason: Option<ChangeError>,
    /// Waiting changes that are stored.
    pub put: &'a [Change],
    /// The request that moves a date; `None` for a move of what waits alone.
    pub request: Option<Uuid>,
    pub at: Timestamp,
}

/// The changes that wait for the held dates of a campaign.
#[derive(Debug, Default)]
pub struct HeldChanges {
    /// Whether one of them is under way.
    pub is_under_way: bool,
    pub activation: Option<Change>,
    pub pause: Option<Change>,
}

impl Store {
    /// Reads the changes that wait for the held dates of a campaign. One that was applied or canceled does not wait.
    pub async fn waiting_of(&self, customer: CustomerId, held: &HeldDates) -> Result<HeldChanges, Error> {
        let ids: Vec<ChangeId> = held.activation.into_iter().chain(held.pause).collect();
        let mut waiting = HeldChanges::default();
        if ids.is_empty() {
            return Ok(waiting);
        }
        for change in self.changes_by_id(customer, &ids, Timestamp::MIN).await? {
            waiting.is_under_way |= change.state == ChangeState::Sending;
            let place = if held.pause == Some(change.id) { &mut waiting.pause } else { &mut waiting.activation };
            *place = Some(change).filter(|change| change.state == ChangeState::Scheduled);
        }
        Ok(waiting)
    }

    /// Moves held dates in one transaction. `false`, with nothing changed, if a date has moved since it was read, or a
    /// change does not wait any more.
    pub async fn move_held(&self, customer: CustomerId, held: &HeldMove<'_>) -> Result<bool, Error> {
        Ok(self.transact(self.held_writes(customer, held)?).await?.is_empty())
    }

    /// Stores a new change that is sent at once, together with a move of held dates. `false`, with nothing stored, if a
    /// date has moved since it was read, or a change does not wait any more.
    pub async fn begin_change_and_move(&self, change: &Change, held: &HeldMove<'_>) -> Result<bool, Error> {
        let mut writes = vec![put_write(self.new_change_put(change)?)?];
        writes.extend(self.held_writes(change.customer, held)?);
        match self.transact(writes).await?.first() {
            None => Ok(true),
            // This attempt was stored before a lost response, with all the rest.
            Some(0) if self.has_begun(change).await? => Ok(true),
            Some(0) => Err(contended()),
            Some(_) => Ok(false),
        }
    }

    /// The writes of a move, which are made together.
    pub(in crate::store) fn held_writes(
        &self,
        customer: CustomerId,
        held: &HeldMove<'_>,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let mut writes = vec![update_write(self.held_record_update(customer, held))?];
        let mut events = Vec::new();
        for change in held.cancel {
            let canceled = &ChangeState::Canceled(held.reason.clone());
            writes.push(update_write(self.end_update(change, canceled, held.at)?)?);
            events.extend(ended(change, canceled, held.at)?.1);
        }
        for change in held.put {
            writes.push(put_write(self.put_item(item(change)?))?);
            events.extend(Event::of_new(change));
        }
        for event in events {
            writes.push(self.event_write(&event)?);
        }
        Ok(writes)
    }

    /// The update of the campaign's record, under the condition that its dates are as they were read.
    fn held_record_update(&self, customer: CustomerId, held: &HeldMove<'_>) -> UpdateItemFluentBuilder {
        let (before, after) = (&held.before, &held.after);
        let change = |id: Option<ChangeId>| id.map(|id| id.to_string());
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
        let attributes = [
            ("held_start_at", time(after.start_at)),
            ("held_activation", change(after.activation)),
            ("held_end_at", time(after.end_at)),
            ("held_pause", change(after.pause)),
        ];
        let is_set = |(_, value): &&(&str, Option<String>)| value.is_some();
        let set: Vec<String> =
            attributes.iter().filter(is_set).map(|(name, _)| format!(", {name} = :{name}")).collect();
        let removed: Vec<&str> = attributes.iter().filter(|one| !is_set(one)).map(|(name, _)| *name).collect();
        let remove = if removed.is_empty() { String::new() } else { format!(" REMOVE {}", removed.join(", ")) };
        let moved = if held.request.is_some() { ", held_moved_by = :request, held_moved_at = :at" } else { "" };
        let (was_pause, was_activation) = (change(before.pause), change(before.activation));
        let same = |name: &str, value: &Option<String>, placeholder: &str| match value {
            Some(_) => format!("{name} = {placeholder}"),
            None => format!("attribute_not_exists({name})"),
        };
        let (was_start, was_end) = (time(before.start_at), time(before.end_at));
        let condition = [
            same("held_pause", &was_pause, ":was_pause"),
            same("held_activation", &was_activation, ":was_activation"),
            same("held_start_at", &was_start, ":was_start"),
            same("held_end_at", &was_end, ":was_end"),
        ]
        .join(" AND ");
        let conditions = [
            (":was_pause", was_pause),
            (":was_activation", was_activation),
            (":was_start", was_start),
            (":was_end", was_end),
        ];
        let conditions = conditions.into_iter().filter_map(|(name, value)| Some((name, text(value?))));
        let update = self
            .update_item(&table_keys::campaign(customer, held.campaign))
            .update_expression(format!("SET updated_at = :at, campaign_id = :campaign{}{moved}{remove}", set.join("")))
            .condition_expression(condition)
            .values([(":at", text(held.at.to_string())), (":campaign", text(held.campaign.to_string()))])
            .values(conditions);
        let update = match held.request {
            Some(request) => update.value(":request", text(request.to_string())),
            None => update,
        };
        let values = attributes.into_iter().filter_map(|(name, value)| Some((format!(":{name}"), text(value?))));
        values.fold(update, |update, (name, value)| update.value(&name, value))
    }
}
