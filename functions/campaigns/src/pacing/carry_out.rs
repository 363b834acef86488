//! Stores the move of a monthly budget together with the change that tells it.

use super::{Move, in_progress, today_of};
use crate::edit::edit_of;
use crate::edit::number::MONTH;
use crate::schedule::Named;
use shared::changes::without_canceled;
use shared::domain::pacing::Ledger;
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignValues, Change, ChangeState, Pacing,
    PlatformCampaign,
};
use shared::error::Error;
use shared::serve::Call;
use shared::store::PacingWrite;

/// Stores the move together with its change, and cancels the steps that wait.
pub(super) async fn carry_out(
    call: &Call,
    named: &Named<'_>,
    (what, waiting): (Move, &[Change]),
    record: CampaignRecord,
    current: &PlatformCampaign,
) -> Result<CampaignRecord, Error> {
    let at = call.request.now;
    let after = after_move(call, named, (what, waiting), record.pacing.as_ref(), current)?;
    let change = change_of(call, named, what, record.pacing.as_ref(), current)?;
    let write = PacingWrite {
        cancel: waiting,
        put: change.as_slice(),
        changed_at: Some(at),
        ..write_of(call, named, record.pacing.as_ref(), after.as_ref())
    };
    store(call, &write).await?;
    change.iter().chain(waiting.iter().filter(|_| change.is_none())).for_each(|change| call.recorded.add(change.id));
    Ok(CampaignRecord { pacing: after, updated_at: at.max(record.updated_at), ..record })
}

/// Keeps maintenance from storing an activation while a request pauses the campaign: of two writes one wins. Nothing waits.
pub(super) async fn keep_paused(
    call: &Call,
    named: &Named<'_>,
    record: CampaignRecord,
) -> Result<CampaignRecord, Error> {
    let after = record.pacing.as_ref().map(|pacing| without_canceled(pacing, &[]));
    store(call, &write_of(call, named, record.pacing.as_ref(), after.as_ref())).await?;
    Ok(CampaignRecord { pacing: after, ..record })
}

/// A write without changes.
fn write_of<'a>(
    call: &Call,
    named: &'a Named<'_>,
    before: Option<&'a Pacing>,
    after: Option<&'a Pacing>,
) -> PacingWrite<'a> {
    let at = call.request.now;
    PacingWrite { campaign: &named.id, before, after, cancel: &[], reason: None, put: &[], changed_at: None, at }
}

async fn store(call: &Call, write: &PacingWrite<'_>) -> Result<(), Error> {
    if call.store().write_pacing(call.customer.id, write).await? { Ok(()) } else { Err(in_progress()) }
}

/// The monthly budget after a move; due at once, so that maintenance moves the daily one.
fn after_move(
    call: &Call,
    named: &Named<'_>,
    (what, canceled): (Move, &[Change]),
    before: Option<&Pacing>,
    current: &PlatformCampaign,
) -> Result<Option<Pacing>, Error> {
    let (request, now) = (&call.request, call.request.now);
    let asked = (call.requester()?, request.request_id);
    Ok(match (what, before) {
        (Move::Amount(amount), None) => {
            let today = today_of(named, now)?;
            let daily = current.budget_amount.unwrap_or_default();
            let pacing = Pacing::new(amount, asked, Ledger::begin(today, daily, daily), now);
            // Above those of an earlier monthly budget of the campaign.
            Some(Pacing { revision: now.as_millisecond(), ..pacing })
        }
        (Move::Amount(amount), Some(before)) => {
            let (requested_by, request) = asked;
            // The last step may have been made since the last look.
            let daily = current.budget_amount.unwrap_or(before.daily);
            // Whoever asks for an amount leaves it to pacing whether the campaign runs: the activation at the month's end
            // stays, unless the same request pauses the campaign.
            let before = without_canceled(before, canceled);
            Some(Pacing { amount, requested_by, request, daily, step: None, due_at: now, ..before })
        }
        (Move::StaysPaused, Some(before)) => Some(without_canceled(before, canceled)),
        (Move::None, before) => before.cloned(),
        (Move::End(_) | Move::StaysPaused, _) => None,
    })
}

/// The change that tells the move, with its outcome; none for a pause, which is told by what it cancels.
fn change_of(
    call: &Call,
    named: &Named<'_>,
    what: Move,
    before: Option<&Pacing>,
    current: &PlatformCampaign,
) -> Result<Option<Change>, Error> {
    let now = call.request.now;
    let had = CampaignValues::of(current);
    let monthly = |amount, had: &CampaignValues| CampaignValues {
        budget_amount: Some(amount),
        budget_period: Some(BudgetPeriod::Monthly),
        ..had.clone()
    };
    let period = |period| CampaignChanges { budget_period: Some(period), ..CampaignChanges::default() };
    let (changes, after) = match what {
        Move::None | Move::StaysPaused => return Ok(None),
        Move::Amount(amount) => {
            let changes = CampaignChanges { budget_amount: Some(amount), ..period(BudgetPeriod::Monthly) };
            (changes, monthly(amount, &had))
        }
        Move::End(other) => (period(other), had.clone()),
    };
    let before = before.map_or_else(|| had.clone(), |before| monthly(before.amount, &had));
    let edit = edit_of(call, named.connection, &named.id, Action::Update(changes))?;
    Ok(Some(Change {
        id: call.change_id(MONTH),
        state: ChangeState::Applied,
        before: Some(before),
        after: Some(after),
        settled_at: Some(now),
        ..edit
    }))
}
