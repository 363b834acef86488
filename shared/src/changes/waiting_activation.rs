//! An activation that waits for a start which this service holds (D60 in docs/decisions.md) must not set back what a
//! later change has set.

use super::failure::change_error;
use super::held::are_dates_held;
use crate::domain::{
    Action, CampaignChanges, CampaignRecord, CampaignValues, Change, ChangeError, ChangeState, HeldDates, NextLook,
    Reason,
};
use crate::error::{Error, Kind};
use crate::store::{RecordMove, Store, back_off, contended};
use jiff::Timestamp;

/// Attempts against requests that move the dates.
const MAX_ATTEMPTS: u64 = 4;

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
    let mut known = known.cloned();
    for attempt in 0..MAX_ATTEMPTS {
        let before = match known.take() {
            Some(record) => record,
            None => store.latest_record(change.customer, campaign).await?.unwrap_or_default(),
        };
        let Some(id) = before.held.activation else { return Ok(()) };
        let waiting = store.change(change.customer, id).await?;
        let Some(waiting) = waiting.filter(|waiting| waiting.state == ChangeState::Scheduled) else { return Ok(()) };
        let Some((left, reason)) = kept(&waiting, change, after) else { return Ok(()) };
        let held = HeldDates { activation: Some(left.id), ..before.held };
        let after = CampaignRecord { held, updated_at: at.max(before.updated_at), ..before.next() };
        let (cancel, put) = (&[(waiting, Some(reason))], &[left]);
        let moved = RecordMove { campaign, before: &before, after, cancel, put, at };
        if store.move_record(change.customer, &moved).await? {
            return Ok(());
        }
        back_off(attempt).await;
    }
    Err(contended())
}

/// What is left of a waiting activation once an update has set values, as a change in its place, and why that is canceled;
/// `None` if it stays. `after` is the campaign after an update that was applied in part.
pub(super) fn kept(waiting: &Change, change: &Change, after: Option<&CampaignValues>) -> Option<(Change, ChangeError)> {
    let Action::Update(requested) = &change.action else { return None };
    let left = left_of(waiting, change, &set_by(requested, after))?;
    let message = format!("{} has changed values that this activation would have set.", change.requested_by);
    Some((left, change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))))
}

/// The fields that an update has set.
fn set_by(requested: &CampaignChanges, after: Option<&CampaignValues>) -> CampaignChanges {
    let Some(after) = after else { return requested.clone() };
    let missing = requested.clone().against(after);
    CampaignChanges {
        name: requested.name.clone().filter(|_| missing.name.is_none()),
        budget_amount: requested.budget_amount.filter(|_| missing.budget_amount.is_none()),
        budget_period: requested.budget_period.filter(|_| missing.budget_period.is_none()),
        ..CampaignChanges::default()
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
    let left = CampaignChanges {
        name: activation.name.clone().filter(|_| set.name.is_none()),
        budget_amount: activation.budget_amount.filter(|_| set.budget_amount.is_none()),
        budget_period: activation.budget_period.filter(|_| set.budget_period.is_none()),
        ..activation.clone()
    };
    let id = waiting.id.replaced_by(change.id);
    (left != *activation).then(|| Change {
        id,
        action: Action::Update(left),
        next_look: NextLook::OfState,
        ..waiting.clone()
    })
}
