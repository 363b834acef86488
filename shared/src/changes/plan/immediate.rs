//! Plans what is sent now, with its reservation.

use super::{ChangePlan, Verdict, limit, require_seen};
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::SECOND_PAUSE;
use crate::changes::waiting_activation::without_set_values;
use crate::domain::spending::Spendings;
use crate::domain::{Action, CampaignChanges, CampaignStatus, CampaignValues, Change, Executor, Reason};
use crate::error::{Error, Kind};
use jiff::SignedDuration;

/// Time after which no attempt of now is under way any more: an attempt takes half a minute, and for another half a
/// minute its platform may carry out what it has received.
const UNDER_WAY: SignedDuration = SignedDuration::from_secs(90);

/// Completes a plan with the part of an action that is sent to the platform. `plan` has the changes of the record.
pub(super) fn plan(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    plan: ChangePlan,
    action: &Action,
) -> Result<ChangePlan, Error> {
    let Some(send) = differing(facts, action)? else { return holds_already(request, facts, plan, action) };
    require_seen(request, &facts.current, &facts.record)?;
    limit::require_no_monthly_budget(facts, &send)?;
    let reserved = limit::reserve(request, facts, &send)?;
    let activates = plan.activates || limit::starts_campaign(facts, &send);
    let plan = ChangePlan { activates, send: Some(send), ..plan };
    if reserved.needs_approval {
        require_asking(request)?;
        return await_approval(request, facts, plan, action);
    }
    let change = limit::counted(attempt_change(request, facts, action), facts);
    Ok(ChangePlan {
        verdict: Verdict::Now,
        change: Some(change),
        reserve: reserved.spendings,
        turn: reserved.turn,
        ..plan
    })
}

/// The campaign has all requested values. A stored change gets its outcome. A new request stores no change, but keeps a
/// waiting activation from setting the values back.
fn holds_already(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    plan: ChangePlan,
    action: &Action,
) -> Result<ChangePlan, Error> {
    let may_run_later = action.pauses() && facts.waiting.is_activation_under_way();
    let reserve = if may_run_later { Spendings::default() } else { limit::observe(request, facts, action) };
    if request.pending.is_some() {
        if may_run_later {
            return Err(activation_under_way());
        }
        let change = Some(attempt_change(request, facts, action));
        return Ok(ChangePlan { verdict: Verdict::Now, change, reserve, ..plan });
    }
    if may_run_later {
        return Ok(pause_again(request, facts, plan));
    }
    let verdict = if plan.changes_record(facts) { Verdict::Now } else { Verdict::Nothing };
    Ok(drop_set_values(request, facts, ChangePlan { verdict, reserve, ..plan }, action))
}

/// A pause of a campaign that is paused, while an activation is under way: another pause waits until its outcome can be
/// read.
fn pause_again(request: &ChangeRequest<'_>, facts: &Facts, plan: ChangePlan) -> ChangePlan {
    let pause = CampaignChanges::of_status(CampaignStatus::Paused);
    let again = request.scheduled(Action::Update(pause), SECOND_PAUSE, facts.now + UNDER_WAY);
    let record = facts.next_record(&plan.record);
    let store = plan.store.into_iter().chain([again.clone()]).collect();
    ChangePlan { verdict: Verdict::Waits(again.id), record, store, ..plan }
}

/// Drops the requested values from the waiting activation, which would set them back.
fn drop_set_values(request: &ChangeRequest<'_>, facts: &Facts, plan: ChangePlan, action: &Action) -> ChangePlan {
    let asked = limit::counted(request.immediate(action.clone(), request.number), facts);
    let waiting = facts.waiting.activation.as_ref().filter(|one| plan.record.held.activation == Some(one.id));
    let Some(moved) = without_set_values(&plan.record, waiting, &asked, None, request.now()) else { return plan };
    let record = facts.next_record(&moved.after);
    let cancel = plan.cancel.into_iter().chain(moved.cancel).collect();
    let store = plan.store.into_iter().chain(moved.store).collect();
    ChangePlan { record, cancel, store, ..plan }
}

/// The error of an attempt at a pause that finds the campaign paused while an activation is under way. Retryable.
fn activation_under_way() -> Error {
    let message = "An activation of the campaign is under way, and may follow this pause.";
    Error::new(Kind::RateLimited, message).retryable()
}

/// The change of an attempt. Keeps the values that an earlier attempt has read before its effect.
fn attempt_change(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Change {
    let change = request.immediate(action.clone(), request.number);
    Change { before: change.before.clone().or_else(|| Some(facts.values())), ..change }
}

/// Refuses a stored change that needs an approval, unless it is of a bulk change, which asks for approval at its time.
fn require_asking(request: &ChangeRequest<'_>) -> Result<(), Error> {
    let Some(pending) = &request.pending else { return Ok(()) };
    let message = match &pending.approval {
        Some(_) => {
            "The campaign has changed since a person approved this: it would add more now. Nothing was sent. Ask again."
        }
        None if pending.executed_by == Executor::Bulk => return Ok(()),
        None => {
            "A person has to approve this change, and nobody has. Nothing was sent. Send it again without apply_at, or \
             early enough, to ask for it."
        }
    };
    // This refusal says nothing about the connection, so its status stays.
    Err(Error {
        keeps_connection_status: true,
        ..Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
    })
}

/// Plans a change that awaits approval. A change of the record does not wait, so one request must not do both.
fn await_approval(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    plan: ChangePlan,
    action: &Action,
) -> Result<ChangePlan, Error> {
    if request.pending.is_none() && plan.changes_record(facts) {
        return Err(dates_first());
    }
    let change = match &request.pending {
        Some(_) => request.immediate(action.clone(), request.number),
        None => request.for_approval(action.clone(), request.number),
    };
    let asked = Some(CampaignValues::of(&facts.current).with_held(&facts.record.held));
    let change = Change { asked, ..change };
    let checked = match &plan.send {
        Some(Action::Update(changes)) if request.pending.is_none() => Some(changes.clone()),
        _ => None,
    };
    Ok(ChangePlan { verdict: Verdict::AwaitsApproval, checked, change: Some(change), ..plan })
}

/// The part of an action that the campaign does not have yet; `None` if it has all of it.
fn differing(facts: &Facts, action: &Action) -> Result<Option<Action>, Error> {
    match action {
        Action::Update(changes) => {
            let changes = changes_for(changes, &facts.current, facts.now)?;
            Ok((!changes.is_empty()).then_some(Action::Update(changes)))
        }
        other => Ok(Some(other.clone())),
    }
}

/// The refusal of an update that a person has to approve, with dates that this service holds.
fn dates_first() -> Error {
    let message = "A person has to approve this change with this API key, and it moves dates that this service holds, or \
                   takes back what waits for them. Send start_at, end_at or the pause in a request of their own first, \
                   then the rest. Nothing was changed.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}
