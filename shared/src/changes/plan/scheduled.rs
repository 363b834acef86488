//! A change for a later time: what would be refused now is refused, and the rest waits (D59).

use super::{ChangePlan, Verdict, limit, monthly_budget, of_platform};
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::held_dates::are_dates_held;
use crate::changes::monthly::require_open;
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::EDIT;
use crate::changes::spending_limit::require_unlimited;
use crate::domain::{Action, CampaignChanges, CampaignStatus, Change, ChangeState, Platform, TimeRule, is_schedulable};
use crate::error::Error;
use jiff::Timestamp;

pub(super) fn plan(request: &ChangeRequest<'_>, facts: &Facts, at: Timestamp) -> Result<ChangePlan, Error> {
    let (send, checked) = match &request.action {
        Action::Update(changes) => {
            check(request, facts, changes, at)?;
            let differing = changes_for(changes, &facts.current, facts.now)?;
            limit::check(request, facts, &Action::Update(differing.clone()))?;
            let checked = of_platform(request, &differing);
            (Action::Update(differing), Some(checked).filter(|changes| !changes.is_empty()))
        }
        other => (other.clone(), None),
    };
    let change = request.scheduled(request.action.clone(), EDIT, at);
    let awaits_person = matches!(&request.action, Action::Update(changes) if limit::needs_approval(facts, changes, at));
    let (verdict, change) = if awaits_person {
        let asked = Some(facts.values().with_held(&facts.record.held));
        (Verdict::AwaitsApproval, Change { state: ChangeState::AwaitingApproval, asked, ..change })
    } else {
        (Verdict::Waits(change.id), change)
    };
    let activates = limit::starts_campaign(facts, &send);
    Ok(ChangePlan { verdict, send: Some(send), checked, change: Some(change), activates, ..ChangePlan::nothing(facts) })
}

/// Refuses what the monthly budget would refuse at that time, as far as it is known now.
fn check(request: &ChangeRequest<'_>, facts: &Facts, changes: &CampaignChanges, at: Timestamp) -> Result<(), Error> {
    let is_activation = changes.status == Some(CampaignStatus::Active);
    if changes.names_budget() && monthly_budget::concerns_monthly_budget(&facts.record, changes) {
        return Err(not_schedulable());
    }
    let Some(monthly) = &facts.record.monthly else { return Ok(()) };
    // A date may make the campaign run, which a key with a limit must not do.
    if is_activation || changes.names_date() {
        require_unlimited(facts.spending.as_ref(), request.account.currency)?;
    }
    if is_activation { require_open(monthly, &request.campaign, at) } else { Ok(()) }
}

/// Refuses a time that is too near or too far, and a scheduled change of dates that the service holds.
pub fn require_time(platform: Platform, action: &Action, at: Timestamp, now: Timestamp) -> Result<(), Error> {
    if !is_schedulable(at, now) {
        return Err(Error::field("apply_at", TimeRule::Schedulable));
    }
    match action {
        Action::Update(changes) if are_dates_held(platform) && changes.names_date() => {
            let message = "must not be sent with start_at or end_at, which this service holds on this platform";
            Err(Error::field("apply_at", message))
        }
        Action::Update(_) | Action::Create(_) | Action::Delete => Ok(()),
    }
}

fn not_schedulable() -> Error {
    Error::field("apply_at", TimeRule::NotWithMonth)
}
