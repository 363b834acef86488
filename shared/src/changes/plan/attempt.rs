//! Plans an attempt at a stored change. Held dates were changed when it was requested. The monthly budget is changed
//! now: by an activation or a pause, and by an amount of a bulk change.

use super::{ChangePlan, immediate, monthly_budget};
use crate::changes::facts::Facts;
use crate::changes::failure::change_error;
use crate::changes::monthly::{OverruledChanges, without_overruled};
use crate::changes::request::ChangeRequest;
use crate::domain::{Action, BudgetPeriod, CampaignRecord, Change, Executor, MonthlyBudget, Reason};
use crate::error::{Error, Kind};

pub(super) fn plan(request: &ChangeRequest<'_>, facts: &Facts, pending: &Change) -> Result<ChangePlan, Error> {
    if let Action::Update(changes) = &request.action
        && changes.budget_period == Some(BudgetPeriod::Monthly)
    {
        return monthly_budget::attempt(request, facts, changes, pending);
    }
    let mut plan = ChangePlan::nothing(facts);
    if let Some(monthly) = &facts.record.monthly {
        plan_monthly_budget(request, facts, &mut plan, pending, monthly);
    }
    immediate::plan(request, facts, plan, &request.action)
}

/// An activation takes a stopped monthly budget over. A pause cancels the activation at the month's end. A bulk pause
/// that is no undo has canceled that activation before it listed its campaigns.
fn plan_monthly_budget(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    plan: &mut ChangePlan,
    pending: &Change,
    monthly: &MonthlyBudget,
) {
    let has_canceled = pending.executed_by == Executor::Bulk && pending.only_if.is_none();
    let is_pause = pending.pauses() && !pending.is_held && !has_canceled;
    let after = if pending.activates() && monthly.is_halted {
        monthly.clone().taken_over(pending.origin(), request.now())
    } else if is_pause {
        let waiting = facts.waiting.step.iter().chain(&facts.waiting.resume);
        let overruled = OverruledChanges::of(waiting.filter(|one| one.activates()));
        if overruled.is_empty() {
            return;
        }
        let paused = Error::new(Kind::Conflict, "The campaign was paused.").because(Reason::Superseded);
        let after = without_overruled(monthly, &overruled);
        plan.cancel.extend(overruled.waiting.into_iter().map(|change| (change, Some(change_error(&paused)))));
        after
    } else {
        return;
    };
    plan.record = CampaignRecord { monthly: Some(after), ..facts.next_record(&plan.record) };
}
