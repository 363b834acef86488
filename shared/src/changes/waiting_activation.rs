//! An activation that waits for a start which this service holds must not set back what a later change has set (D60).

use super::failure::change_error;
use super::held_dates::are_dates_held;
use super::record_update::{RecordUpdate, RecordWriter};
use crate::domain::{
    Action, CampaignChanges, CampaignRecord, CampaignValues, Change, ChangeError, ChangeState, HeldDates, NextLook,
    Reason,
};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Drops the values that an update has set from the activation that waits for the start of its campaign. Call this before
/// the outcome is stored: then maintenance repeats it if the process dies in between. `known` is the record as the update
/// knows it; without it, the record is read. `after` is the campaign after an update that was applied in part. An update
/// by a key with a spending limit drops nothing from an activation of somebody else.
pub(super) async fn drop_set_values(
    store: &Store,
    change: &Change,
    known: Option<&CampaignRecord>,
    after: Option<&CampaignValues>,
    at: Timestamp,
) -> Result<(), Error> {
    let (Action::Update(requested), Some(campaign)) = (&change.action, &change.campaign) else { return Ok(()) };
    if !are_dates_held(change.platform) || requested.name.is_none() && !requested.names_budget() {
        return Ok(());
    }
    let record = RecordWriter { store, customer: change.customer, campaign, at };
    let named = |record: &CampaignRecord| record.held.activation.map(|id| vec![id]);
    let becomes =
        |record: &CampaignRecord, waiting: Vec<Change>| without_set_values(record, waiting.first(), change, after, at);
    record.update(known.cloned(), None, named, becomes).await.map(drop)
}

/// The update of a record once a change has set values that the waiting activation names; `None` if the activation would
/// not set them back. `after` is the campaign after an update that was applied in part.
pub(super) fn without_set_values(
    record: &CampaignRecord,
    waiting: Option<&Change>,
    change: &Change,
    after: Option<&CampaignValues>,
    at: Timestamp,
) -> Option<RecordUpdate> {
    let waiting = waiting.filter(|waiting| waiting.state == ChangeState::Scheduled)?;
    let (replacement, reason) = replacement_and_reason(waiting, change, after)?;
    let held = HeldDates { activation: Some(replacement.id), ..record.held };
    let after = CampaignRecord { held, updated_at: at.max(record.updated_at), ..record.next() };
    Some(RecordUpdate { after, cancel: vec![(waiting.clone(), Some(reason))], store: vec![replacement] })
}

/// The replacement of a waiting activation once an update has set values, and the reason to cancel the old one. `None`
/// keeps the old one.
fn replacement_and_reason(
    waiting: &Change,
    change: &Change,
    after: Option<&CampaignValues>,
) -> Option<(Change, ChangeError)> {
    let Action::Update(requested) = &change.action else { return None };
    let replacement = replacement(waiting, change, &values_set(requested, after))?;
    let message = format!("{} has changed values that this activation would have set.", change.requested_by);
    Some((replacement, change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))))
}

/// The fields that an update has set.
fn values_set(requested: &CampaignChanges, after: Option<&CampaignValues>) -> CampaignChanges {
    let Some(after) = after else { return requested.clone() };
    let missing = requested.clone().against(after);
    CampaignChanges { start_at: None, end_at: None, status: None, ..without_fields(requested.clone(), &missing) }
}

/// The changes without the name and the budget fields that others have too.
fn without_fields(changes: CampaignChanges, others: &CampaignChanges) -> CampaignChanges {
    CampaignChanges {
        name: if others.name.is_none() { changes.name } else { None },
        budget_amount: if others.budget_amount.is_none() { changes.budget_amount } else { None },
        budget_period: if others.budget_period.is_none() { changes.budget_period } else { None },
        ..changes
    }
}

/// The replacement of a waiting activation. `None` keeps the old one.
fn replacement(waiting: &Change, change: &Change, set: &CampaignChanges) -> Option<Change> {
    let is_later = waiting.created_at() > change.began_at();
    let is_spared = change.is_limited && !waiting.requested_by.is_same(&change.requested_by);
    if waiting.id == change.id || is_later || is_spared {
        return None;
    }
    let Action::Update(activation) = &waiting.action else { return None };
    let remaining = without_fields(activation.clone(), set);
    if remaining == *activation {
        return None;
    }
    let (id, action) = (waiting.id.replaced_by(change.id), Action::Update(remaining));
    Some(Change { id, action, next_look: NextLook::OfState, ..waiting.clone() })
}

#[cfg(test)]
#[test]
fn a_waiting_activation_keeps_values_that_no_later_change_has_set() {
    use super::record_update::examples::{assert_consistent, at, waiting};
    use crate::domain::{CampaignStatus, Purpose};
    let active = CampaignChanges::of_status(CampaignStatus::Active);
    let named = CampaignChanges { name: Some("Old".to_owned()), budget_amount: Some(5.into()), ..active.clone() };
    let activation = waiting(1, Purpose::HeldDate, named);
    let renamed = CampaignChanges { name: Some("New".to_owned()), ..CampaignChanges::default() };
    let rename = waiting(2, Purpose::Time, renamed);
    let held = HeldDates { start_at: Some(at(90)), activation: Some(activation.id), ..HeldDates::default() };
    let record = CampaignRecord { held, ..CampaignRecord::default() };
    let moved = without_set_values(&record, Some(&activation), &rename, None, at(3)).unwrap();
    assert_consistent(&record, &moved);
    let replacement = &moved.store[0];
    assert_eq!(replacement.action, Action::Update(CampaignChanges { budget_amount: Some(5.into()), ..active }));
    assert!(replacement.is_held && replacement.apply_at == activation.apply_at);
    assert_eq!(
        without_set_values(&moved.after, Some(replacement), &rename, None, at(4)),
        None,
        "it sets nothing back any more"
    );
    let under_way = Change { state: ChangeState::Sending, ..activation };
    assert_eq!(without_set_values(&record, Some(&under_way), &rename, None, at(3)), None);
}
