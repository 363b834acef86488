//! Moves of a campaign's record: of the dates and the monthly budget that the service holds, together with the changes
//! that wait for them. Each move raises the revision of the record, so of two moves from the same revision one is made.

use super::attributes::StoredMonthlyBudget;
use super::item::item;
use crate::domain::{
    CampaignId, CampaignRecord, Change, ChangeError, ChangeId, ChangeState, ChangeStatus, CustomerId, Event, HeldDates,
    MonthlyBudget, Transition,
};
use crate::error::Error;
use crate::store::transactions::{put_write, update_write};
use crate::store::{Item, Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// What moves of a record change. A move writes all of them, and removes those that are absent.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct MovedAttributes {
    revision: Option<i64>,
    held_start_at: Option<Timestamp>,
    held_activation: Option<ChangeId>,
    held_end_at: Option<Timestamp>,
    held_pause: Option<ChangeId>,
    held_moved_by: Option<Uuid>,
    held_moved_at: Option<Timestamp>,
    #[serde(rename = "pacing")]
    monthly: Option<StoredMonthlyBudget>,
    /// Of a record with a monthly budget, which maintenance looks at.
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
}

/// The names of [`MovedAttributes`].
const MOVED: [&str; 10] = [
    "revision",
    "held_start_at",
    "held_activation",
    "held_end_at",
    "held_pause",
    "held_moved_by",
    "held_moved_at",
    "pacing",
    "due_kind",
    "due_at",
];

/// A move of a campaign's record, with the changes that belong to it.
#[derive(Debug)]
pub struct RecordMove<'a> {
    pub campaign: &'a CampaignId,
    /// The record as it was read; the default if there is none.
    pub before: &'a CampaignRecord,
    /// The record from now on, of the next revision.
    pub after: CampaignRecord,
    /// Waiting changes that are canceled, and why.
    pub cancel: &'a [(Change, Option<ChangeError>)],
    /// Changes that are stored: waiting, or with their outcome.
    pub put: &'a [Change],
    pub at: Timestamp,
}

impl RecordMove<'_> {
    /// The events of the move: one for each change that it cancels or stores.
    pub fn events(&self) -> Vec<Event> {
        let of_stored = |change: &Change| {
            Event::of_new(change, self.at).or_else(|| Event::of_end(change, ChangeStatus::Sending, None, self.at))
        };
        let canceled = self.canceled().into_iter().flatten().filter_map(|canceled| canceled.event);
        canceled.chain(self.put.iter().filter_map(of_stored)).collect()
    }

    /// The changes that it cancels, as they are then; `None` if one did not wait when it was read.
    fn canceled(&self) -> Option<Vec<Transition>> {
        let canceled = |(change, reason): &(Change, Option<ChangeError>)| {
            change.ended(&ChangeState::Canceled(reason.clone()), self.at)
        };
        self.cancel.iter().map(canceled).collect()
    }
}

impl Store {
    /// The writes of a move, which are made together. `None` if a change to cancel did not wait when it was read.
    pub(super) fn record_writes(
        &self,
        customer: CustomerId,
        moved: &RecordMove<'_>,
    ) -> Result<Option<Vec<TransactWriteItem>>, Error> {
        let mut writes = vec![update_write(self.record_update(customer, moved)?)?];
        let Some(canceled) = moved.canceled() else { return Ok(None) };
        for ((waiting, _), canceled) in moved.cancel.iter().zip(canceled) {
            writes.push(self.next_write(waiting, &canceled.change)?);
        }
        for change in moved.put {
            writes.push(put_write(self.put_item(item(change)?))?);
        }
        for event in moved.events() {
            writes.push(self.event_write(&event)?);
        }
        Ok(Some(writes))
    }

    /// The update of the record, under the condition that it is as it was read.
    fn record_update(&self, customer: CustomerId, moved: &RecordMove<'_>) -> Result<UpdateItemFluentBuilder, Error> {
        let RecordMove { campaign, before, after, .. } = moved;
        let values: Item = serde_dynamo::to_item(MovedAttributes::of(after)).map_err(Error::internal)?;
        let (set, removed): (Vec<&str>, Vec<&str>) = MOVED.iter().partition(|name| values.contains_key(**name));
        let set: Vec<String> = set.iter().map(|name| format!("{name} = :{name}")).collect();
        let remove = if removed.is_empty() { String::new() } else { format!(" REMOVE {}", removed.join(", ")) };
        // A request changes what the campaign shows as a change; what maintenance reads does not.
        let updated = if after.updated_at == before.updated_at {
            "updated_at = if_not_exists(updated_at, :updated)"
        } else {
            "updated_at = :updated"
        };
        let update = self
            .update_item(&table_keys::campaign(customer, campaign))
            .update_expression(format!("SET campaign_id = :campaign, {updated}, {}{remove}", set.join(", ")))
            .values([(":campaign", text(campaign.to_string())), (":updated", text(after.updated_at.to_string()))]);
        let update = values.into_iter().fold(update, |update, (name, value)| update.value(&format!(":{name}"), value));
        Ok(match before.revision {
            0 => update.condition_expression("attribute_not_exists(revision)"),
            revision => update.condition_expression("revision = :read").value(":read", number(revision)),
        })
    }
}

impl MovedAttributes {
    pub(in crate::store) fn of(record: &CampaignRecord) -> MovedAttributes {
        // In full: a new attribute of the record moves, or `RecordItem` has it.
        let CampaignRecord {
            revision,
            held,
            moved_by,
            monthly,
            goal: _,
            budget_period: _,
            created_at: _,
            create: _,
            updated_at: _,
        } = record;
        let HeldDates { start_at, activation, end_at, pause } = held;
        MovedAttributes {
            revision: (*revision > 0).then_some(*revision),
            held_start_at: *start_at,
            held_activation: *activation,
            held_end_at: *end_at,
            held_pause: *pause,
            held_moved_by: moved_by.map(|(request, _)| request),
            held_moved_at: moved_by.map(|(_, at)| at),
            monthly: monthly.clone().map(StoredMonthlyBudget),
            due_kind: monthly.as_ref().map(|_| table_keys::DUE_MONTHLY_BUDGETS.to_owned()),
            due_at: monthly.as_ref().map(|monthly| monthly.due_at),
        }
    }

    /// The record with these attributes, and what no move changes of another one.
    pub(in crate::store) fn record(self, fixed: CampaignRecord) -> CampaignRecord {
        let due = self.monthly.zip(self.due_at);
        CampaignRecord {
            revision: self.revision.unwrap_or_default(),
            held: HeldDates {
                start_at: self.held_start_at,
                activation: self.held_activation,
                end_at: self.held_end_at,
                pause: self.held_pause,
            },
            moved_by: self.held_moved_by.zip(self.held_moved_at),
            monthly: due.map(|(StoredMonthlyBudget(monthly), due_at)| MonthlyBudget { due_at, ..monthly }),
            ..fixed
        }
    }
}

#[cfg(test)]
#[test]
fn a_move_writes_or_removes_each_of_its_attributes() {
    use crate::domain::monthly::Ledger;
    use crate::domain::{ChangeOrigin, KeyId, PersonId, Reference, Requester};
    use crate::store::from_item;
    use crate::store::stored::{assert_stored, attributes};
    let id = ChangeId::first_at(Timestamp::UNIX_EPOCH);
    let requested_by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
    let by = ChangeOrigin::new(Uuid::nil(), requested_by);
    let ledger = Ledger::begin(jiff::civil::date(2026, 11, 28), 0.into(), 0.into());
    let at = Some(Timestamp::UNIX_EPOCH);
    let record = CampaignRecord {
        revision: 1,
        held: HeldDates { start_at: at, activation: Some(id), end_at: at, pause: Some(id) },
        moved_by: at.map(|at| (Uuid::nil(), at)),
        monthly: Some(MonthlyBudget::new(0.into(), by, ledger, Timestamp::UNIX_EPOCH)),
        ..CampaignRecord::default()
    };
    let values: Item = serde_dynamo::to_item(MovedAttributes::of(&record)).unwrap();
    let names: std::collections::BTreeSet<&str> = values.keys().map(String::as_str).collect();
    assert_eq!(names, MOVED.into_iter().collect(), "of a record that has everything");
    let monthly = record.monthly.clone().map(|monthly| MonthlyBudget {
        amount: "3000.50".parse().unwrap(),
        reference: Reference::parse("order-42"),
        requested_by: Requester::Person { id: PersonId("ab12".to_owned()), email: None },
        daily: "100.02".parse().unwrap(),
        ledger: Ledger { read_at: at, spent: "7.10".parse().unwrap(), ..monthly.ledger },
        step: Some(id),
        resume: Some(id),
        overtaken: vec![id, id],
        closed_until: at,
        is_halted: true,
        ..monthly
    });
    let full = CampaignRecord { monthly, ..record.clone() };
    let records = [full, record, CampaignRecord::default()];
    assert_stored("record", records.iter().map(|record| attributes(&MovedAttributes::of(record))));
    for record in records {
        let attributes: MovedAttributes = from_item(attributes(&MovedAttributes::of(&record))).unwrap();
        assert_eq!(attributes.record(CampaignRecord::default()), record);
    }
}
