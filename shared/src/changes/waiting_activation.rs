//! An activation that waits for a start which this service holds must not set back what a later change has set (D60).

use super::failure::change_error;
use super::held::are_dates_held;
use super::moves::{Moved, Record};
use crate::domain::{
    Action, CampaignChanges, CampaignRecord, CampaignValues, Change, ChangeError, ChangeState, HeldDates, NextLook,
    Reason,
};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Takes what an update has set out of the activation that waits for the start of its campaign. Call this before the
/// outcome is stored, so that a process that dies in between leaves the rest to maintenance. `known` is the record as the
/// update knows it; without it, it is read. `after` is the campaign after an update that was applied in part. A key
/// with a spending limit takes nothing out of the activation of somebody else, which sets its values at the start.
pub(super) async fn keep_values(
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
    let record = Record { store, customer: change.customer, campaign, at };
    let named = |record: &CampaignRecord| record.held.activation.map(|id| vec![id]);
    let becomes = |record: &CampaignRecord, waiting: Vec<Change>| keeping(record, waiting.first(), change, after, at);
    record.move_to(known.cloned(), None, named, becomes).await.map(drop)
}

/// What a record becomes once a change has set values, by the activation that it names; `None` if that would not set them
/// back. `after` is the campaign after an update that was applied in part.
pub(super) fn keeping(
    record: &CampaignRecord,
    waiting: Option<&Change>,
    change: &Change,
    after: Option<&CampaignValues>,
    at: Timestamp,
) -> Option<Moved> {
    let waiting = waiting.filter(|waiting| waiting.state == ChangeState::Scheduled)?;
    let (left, reason) = kept(waiting, change, after)?;
    let held = HeldDates { activation: Some(left.id), ..record.held };
    let after = CampaignRecord { held, updated_at: at.max(record.updated_at), ..record.next() };
    Some(Moved { after, cancel: vec![(waiting.clone(), Some(reason))], store: vec![left] })
}

/// What is left of a waiting activation once an update has set values, as a change in its place, and why that is canceled;
/// `None` if it stays.
fn kept(waiting: &Change, change: &Change, after: Option<&CampaignValues>) -> Option<(Change, ChangeError)> {
    let Action::Update(requested) = &change.action else { return None };
    let left = left_of(waiting, change, &set_by(requested, after))?;
    let message = format!("{} has changed values that this activation would have set.", change.requested_by);
    Some((left, change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))))
}

/// The fields that an update has set.
fn set_by(requested: &CampaignChanges, after: Option<&CampaignValues>) -> CampaignChanges {
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

/// What is left of a waiting activation, as a change in its place; `None` if it stays.
fn left_of(waiting: &Change, change: &Change, set: &CampaignChanges) -> Option<Change> {
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
fn an_activation_that_waits_keeps_what_a_later_change_has_not_set() {
    use super::moves::examples::{assert_lawful, at, waiting};
    use crate::domain::{CampaignStatus, Purpose};
    let active = CampaignChanges::of_status(CampaignStatus::Active);
    let named = CampaignChanges { name: Some("Old".to_owned()), budget_amount: Some(5.into()), ..active.clone() };
    let activation = waiting(1, Purpose::HeldDate, named);
    let renamed = CampaignChanges { name: Some("New".to_owned()), ..CampaignChanges::default() };
    let rename = waiting(2, Purpose::Time, renamed);
    let held = HeldDates { start_at: Some(at(90)), activation: Some(activation.id), ..HeldDates::default() };
    let record = CampaignRecord { held, ..CampaignRecord::default() };
    let moved = keeping(&record, Some(&activation), &rename, None, at(3)).unwrap();
    assert_lawful(&record, &moved);
    let left = &moved.store[0];
    assert_eq!(left.action, Action::Update(CampaignChanges { budget_amount: Some(5.into()), ..active }));
    assert!(left.is_held && left.apply_at == activation.apply_at);
    assert_eq!(keeping(&moved.after, Some(left), &rename, None, at(4)), None, "it sets nothing back any more");
    let under_way = Change { state: ChangeState::Sending, ..activation };
    assert_eq!(keeping(&record, Some(&under_way), &rename, None, at(3)), None);
}
