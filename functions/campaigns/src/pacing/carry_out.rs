//! Stores the move of a monthly budget together with the change that tells it.

use super::{Move, Moved, in_progress, today_of};
use crate::edit::edit_of;
use crate::edit::number::{MONTH, RESUMPTION};
use crate::schedule::Named;
use shared::changes::without_canceled;
use shared::domain::pacing::Ledger;
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignValues, Change, ChangeState, Pacing,
    PlatformCampaign, Told,
};
use shared::error::Error;
use shared::serve::Call;
use shared::store::PacingWrite;

/// Stores the move together with its change, and cancels the steps that wait.
pub(super) async fn carry_out(
    call: &Call,
    named: &Named<'_>,
    moved: Moved<'_>,
    record: CampaignRecord,
    current: &PlatformCampaign,
) -> Result<CampaignRecord, Error> {
    let (at, waiting) = (call.request.now, moved.waiting);
    let resumption = resumption_after(call, moved, record.pacing.as_ref())?;
    let after = after_move(call, named, (moved, resumption.as_ref()), record.pacing.as_ref(), current)?;
    let change = change_of(call, named, moved.what, record.pacing.as_ref(), current)?;
    let put: Vec<Change> = change.iter().cloned().chain(resumption).collect();
    let write = PacingWrite {
        cancel: waiting,
        put: &put,
        changed_at: Some(at),
        ..PacingWrite::new(&named.id, record.pacing.as_ref(), after.as_ref(), at)
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
    store(call, &PacingWrite::new(&named.id, record.pacing.as_ref(), after.as_ref(), call.request.now)).await?;
    Ok(CampaignRecord { pacing: after, ..record })
}

async fn store(call: &Call, write: &PacingWrite<'_>) -> Result<(), Error> {
    if call.store().write_pacing(call.customer.id, write).await? { Ok(()) } else { Err(in_progress()) }
}

/// The monthly budget after a move; due at once, so that maintenance moves the daily one.
fn after_move(
    call: &Call,
    named: &Named<'_>,
    (moved, resumption): (Moved<'_>, Option<&Change>),
    before: Option<&Pacing>,
    current: &PlatformCampaign,
) -> Result<Option<Pacing>, Error> {
    let Moved { what, waiting: canceled, .. } = moved;
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
            // The last step may have been made since the last look.
            let daily = current.budget_amount.unwrap_or(before.daily);
            // Whoever asks for an amount leaves it to pacing whether the campaign runs: the activation at the month's end
            // stays, unless the same request pauses the campaign.
            let before = without_canceled(before, canceled);
            let resume = resumption.map(|change| change.id).or(before.resume);
            Some(Pacing { amount, daily, step: None, resume, ..before.taken_over(asked, now) })
        }
        (Move::TakenOver, Some(before)) => Some(without_canceled(before, canceled).taken_over(asked, now)),
        (Move::StaysPaused, Some(before)) => Some(without_canceled(before, canceled)),
        (Move::None, before) => before.cloned(),
        (Move::End(_) | Move::StaysPaused | Move::TakenOver, _) => None,
    })
}

/// The activation at the month's end in the name of whoever takes the budget over, in place of one that is canceled.
fn resumption_after(call: &Call, moved: Moved<'_>, before: Option<&Pacing>) -> Result<Option<Change>, Error> {
    let Moved { what: Move::Amount(_), waiting, is_paused: false } = moved else { return Ok(None) };
    let resume = before.and_then(|pacing| pacing.resume);
    let Some(canceled) = waiting.iter().find(|change| resume == Some(change.id)) else { return Ok(None) };
    let request = &call.request;
    let (first, _) = call.first_request();
    Ok(Some(Change {
        id: call.change_id(RESUMPTION),
        request: first,
        requested_by: call.requester()?,
        before: None,
        attempt: 0,
        send_deadline: request.now,
        sent_at: None,
        told: Told::default(),
        ..canceled.clone()
    }))
}

/// The change that tells the move, with its outcome; none for a pause, which is told by what it cancels, and for an
/// activation, which is a change of its own.
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
        Move::None | Move::StaysPaused | Move::TakenOver => return Ok(None),
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
