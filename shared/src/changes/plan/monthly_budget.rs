//! Monthly budgets, which the service holds because no platform has them (D81): an update moves the amount in the
//! record, and maintenance moves the daily budget at the platform within a minute or two.

use super::{ChangePlan, Verdict, immediate, limit, require_seen};
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::monthly::{
    OverruledChanges, daily_budget, month_zone, require_amount, require_open, without_overruled,
};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::{MONTHLY_BUDGET, RESUMPTION};
use crate::changes::spending_limit::{limited_values, require_unlimited};
use crate::domain::monthly::{Ledger, day_in};
use crate::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues, Change, ChangeState,
    MonthlyBudget, NextLook, Reason, ReportedStates,
};
use crate::error::{Error, Kind};
use jiff::civil::Date;
use rust_decimal::Decimal;
use std::time::Duration;

/// What an update does to the monthly budget of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MonthlyChange {
    /// Nothing.
    None,
    /// It begins, or has another amount from now on.
    SetAmount(Decimal),
    /// The campaign has this other period from now on.
    End(BudgetPeriod),
    /// Nobody is to activate the campaign when the month ends.
    StayPaused,
    /// It was stopped, and goes on in the name of whoever activates the campaign.
    TakeOver,
}

/// A plan with the change of the monthly budget, and the part of the update that remains for the platform.
pub(super) struct MonthlyPlan {
    pub(super) plan: ChangePlan,
    pub(super) rest: CampaignChanges,
}

/// Whether an update is about the monthly budget of its campaign, or asks for one.
pub(super) fn concerns_monthly_budget(record: &CampaignRecord, changes: &CampaignChanges) -> bool {
    let is_about = changes.names_budget() || changes.status.is_some();
    changes.budget_period == Some(BudgetPeriod::Monthly) || record.monthly.is_some() && is_about
}

/// Plans the change of the monthly budget that an update names.
pub(super) fn plan(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    changes: &CampaignChanges,
) -> Result<MonthlyPlan, Error> {
    let plan = ChangePlan::nothing(facts);
    if !concerns_monthly_budget(&facts.record, changes) {
        return Ok(MonthlyPlan { plan, rest: changes.clone() });
    }
    if request.is_flat && changes.budget_amount.is_some() && changes.budget_period.is_none() {
        return Err(flat_daily_budget());
    }
    let monthly = facts.record.monthly.as_ref();
    let change = monthly_change(request, monthly, changes)?;
    let overruled = overruled_by(request, facts, change, changes)?;
    if changes.status == Some(CampaignStatus::Active) && (monthly.is_some() || change != MonthlyChange::None) {
        require_unlimited(facts.spending.as_ref(), request.account.currency)?;
        if let Some(monthly) = monthly {
            require_open(monthly, &request.campaign, request.now())?;
        }
    }
    let rest = match change {
        MonthlyChange::End(_) => changes.clone(),
        _ => CampaignChanges { budget_amount: None, budget_period: None, ..changes.clone() },
    };
    match change {
        MonthlyChange::None => Ok(MonthlyPlan { plan, rest }),
        // The next revision of the record keeps maintenance from storing an activation while this request pauses the
        // campaign. An activation that is under way is not tried again.
        MonthlyChange::StayPaused if overruled.waiting.is_empty() => {
            let monthly = monthly.map(|monthly| without_overruled(monthly, &overruled));
            let record = CampaignRecord { monthly, ..facts.next_record(&plan.record) };
            Ok(MonthlyPlan { plan: ChangePlan { record, ..plan }, rest })
        }
        _ => with_change(request, facts, change, overruled, MonthlyPlan { plan, rest }, changes),
    }
}

/// An attempt at a change of a bulk request that sets a monthly amount. Storing it applies it: maintenance moves the
/// daily budget.
pub(super) fn attempt(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    changes: &CampaignChanges,
    pending: &Change,
) -> Result<ChangePlan, Error> {
    let MonthlyPlan { plan, rest } = plan(request, facts, changes)?;
    let (own, store): (Vec<Change>, Vec<Change>) = plan.store.into_iter().partition(|change| change.id == pending.id);
    let plan = ChangePlan { store, ..plan };
    match own.into_iter().next() {
        Some(made) => Ok(ChangePlan { verdict: Verdict::Now, change: Some(made), ..plan }),
        // The campaign has this amount.
        None => immediate::plan(request, facts, plan, &Action::Update(rest)),
    }
}

/// Adds a change of the monthly budget to a plan. Its platform hears nothing of it.
fn with_change(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    change: MonthlyChange,
    overruled: OverruledChanges,
    MonthlyPlan { plan, rest }: MonthlyPlan,
    changes: &CampaignChanges,
) -> Result<MonthlyPlan, Error> {
    let checked = check(request, facts, change, &rest)?;
    require_seen(request, &facts.current, &facts.record)?;
    let monthly = facts.record.monthly.as_ref();
    let resumption = match (change, changes.status) {
        (MonthlyChange::SetAmount(_), status) if status != Some(CampaignStatus::Paused) => {
            resumption(request, monthly, &overruled.waiting)
        }
        _ => None,
    };
    let after = monthly_budget_after(request, facts, change, &overruled, resumption.as_ref())?;
    let stored = change_of(request, facts, change);
    let updated_at = request.now().max(plan.record.updated_at);
    let record = CampaignRecord { monthly: after, updated_at, ..facts.next_record(&plan.record) };
    let store = stored.into_iter().chain(resumption).collect();
    let cancel = overruled.waiting.into_iter().map(|change| (change, None)).collect();
    let checked = Some(checked).filter(|changes| !changes.is_empty());
    Ok(MonthlyPlan { plan: ChangePlan { record, store, cancel, checked, ..plan }, rest })
}

fn monthly_change(
    request: &ChangeRequest<'_>,
    monthly: Option<&MonthlyBudget>,
    changes: &CampaignChanges,
) -> Result<MonthlyChange, Error> {
    let by = &request.origin.requested_by;
    // The same amount is a change if somebody else asks for it or the budget is stopped: the request takes it over.
    let is_unchanged =
        |monthly: &MonthlyBudget, amount| monthly.amount == amount && monthly.requested_by == *by && !monthly.is_halted;
    let is_new = |amount: &Decimal| monthly.is_none_or(|monthly| !is_unchanged(monthly, *amount));
    match (monthly, changes.budget_period, changes.budget_amount.filter(is_new)) {
        (None, _, None) => Err(Error::field("budget_amount", "is required with a MONTHLY budget_period")),
        (_, Some(period), _) if period != BudgetPeriod::Monthly => Ok(MonthlyChange::End(period)),
        (_, _, Some(amount)) => Ok(MonthlyChange::SetAmount(amount)),
        (Some(_), _, None) if changes.status == Some(CampaignStatus::Paused) => Ok(MonthlyChange::StayPaused),
        (Some(monthly), _, None) if monthly.is_halted && changes.status == Some(CampaignStatus::Active) => {
            Ok(MonthlyChange::TakeOver)
        }
        (Some(_), _, None) => Ok(MonthlyChange::None),
    }
}

/// The waiting changes that a change of the monthly budget overrules. A new amount alone keeps the activation at the month's
/// end, in the name of whoever sets the amount. A pause overrules activations only, and does not wait for one under way.
fn overruled_by(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    change: MonthlyChange,
    changes: &CampaignChanges,
) -> Result<OverruledChanges, Error> {
    let Some(monthly) = &facts.record.monthly else { return Ok(OverruledChanges::default()) };
    if change == MonthlyChange::None {
        return Ok(OverruledChanges::default());
    }
    let is_paused = changes.status == Some(CampaignStatus::Paused);
    let is_taken_over = monthly.requested_by != request.origin.requested_by;
    let ends_resumption = is_paused || is_taken_over || !matches!(change, MonthlyChange::SetAmount(_));
    let resume = if ends_resumption { facts.waiting.resume.as_ref() } else { None };
    let named = facts.waiting.step.iter().chain(resume);
    let overruled = OverruledChanges::of(named.filter(|one| change != MonthlyChange::StayPaused || one.activates()));
    if overruled.under_way.iter().all(|one| is_paused && one.activates()) {
        Ok(overruled)
    } else {
        Err(in_progress(request))
    }
}

/// Refuses what would be refused now. Returns what the platform has to accept.
fn check(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    change: MonthlyChange,
    rest: &CampaignChanges,
) -> Result<CampaignChanges, Error> {
    match change {
        MonthlyChange::SetAmount(amount) => check_amount(request, facts, amount, rest),
        MonthlyChange::End(_) => {
            // Whoever set the amount relies on it, also where the limit of a key has room. Under the limit of a user it is
            // how the campaign comes to a budget that the limit knows: what the same request adds counts.
            if let Some(of_key) = facts.key_spending() {
                return Err(Error::refused(of_key, of_key.monthly(request.account.currency)));
            }
            check_rest(request, facts, rest)
        }
        MonthlyChange::None | MonthlyChange::StayPaused | MonthlyChange::TakeOver => check_rest(request, facts, rest),
    }
}

fn check_rest(request: &ChangeRequest<'_>, facts: &Facts, rest: &CampaignChanges) -> Result<CampaignChanges, Error> {
    let differing = changes_for(rest, &facts.current, facts.now)?;
    limit::check(request, facts, &Action::Update(differing.clone()))?;
    Ok(super::of_platform(request, &differing))
}

fn check_amount(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    amount: Decimal,
    rest: &CampaignChanges,
) -> Result<CampaignChanges, Error> {
    let (adapter, currency, current) = (request.adapter(), request.account.currency, &facts.current);
    require_unlimited(facts.spending.as_ref(), currency)?;
    let rule = adapter.daily_budget_rule(currency);
    require_amount(adapter, &rule, amount, currency)?;
    let daily = daily_budget(&rule, amount, today(request)?);
    let checked = check_rest(request, facts, &CampaignChanges { budget_amount: daily, ..rest.clone() })?;
    let name = current.platform().display_name();
    if limited_values(current).budget_amount.is_none() {
        let message = format!(
            "This campaign has no budget of its own on {name}, so it cannot have a MONTHLY one. Give it a daily budget on \
             {name} first."
        );
        return Err(Error::new(Kind::Conflict, message).because(Reason::BudgetNotOwn).on(current.platform()));
    }
    if current.budget_period == Some(BudgetPeriod::Daily) {
        return Ok(checked);
    }
    let instead = if adapter.facts().capabilities.has_period_change {
        "Send budget_period DAILY with its amount first."
    } else {
        "Create another campaign for a MONTHLY budget."
    };
    let message = format!(
        "A MONTHLY budget takes the place of a DAILY one, and this campaign has a budget for its whole run. {instead}"
    );
    Err(Error::new(Kind::NotSupported, message).on(current.platform()))
}

/// The day that it is in the reports of the ad account.
fn today(request: &ChangeRequest<'_>) -> Result<Date, Error> {
    Ok(day_in(&month_zone(request.adapter(), request.account)?, request.now()))
}

/// The monthly budget after a move; due at once, so that maintenance moves the daily one.
fn monthly_budget_after(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    change: MonthlyChange,
    overruled: &OverruledChanges,
    resumption: Option<&Change>,
) -> Result<Option<MonthlyBudget>, Error> {
    let (before, now) = (facts.record.monthly.as_ref(), request.now());
    let origin = request.origin.clone();
    Ok(match (change, before) {
        (MonthlyChange::SetAmount(amount), None) => {
            let daily = facts.current.budget_amount.unwrap_or_default();
            Some(MonthlyBudget::new(amount, origin, Ledger::begin(today(request)?, daily, daily), now))
        }
        (MonthlyChange::SetAmount(amount), Some(before)) => {
            // The last step may have been made since the last look.
            let daily = facts.current.budget_amount.unwrap_or(before.daily);
            // Whoever asks for an amount leaves it to the service whether the campaign runs: the activation at the month's end
            // stays, unless the same request pauses the campaign.
            let before = without_overruled(before, overruled);
            let resume = resumption.map(|change| change.id).or(before.resume);
            Some(MonthlyBudget { amount, daily, step: None, resume, ..before.taken_over(origin, now) })
        }
        (MonthlyChange::TakeOver, Some(before)) => Some(without_overruled(before, overruled).taken_over(origin, now)),
        (MonthlyChange::StayPaused, Some(before)) => Some(without_overruled(before, overruled)),
        (MonthlyChange::None, before) => before.cloned(),
        (MonthlyChange::End(_) | MonthlyChange::StayPaused | MonthlyChange::TakeOver, _) => None,
    })
}

/// The activation at the month's end in the name of whoever takes the budget over, in place of one that is canceled.
fn resumption(request: &ChangeRequest<'_>, before: Option<&MonthlyBudget>, waiting: &[Change]) -> Option<Change> {
    let resume = before.and_then(|monthly| monthly.resume)?;
    let canceled = waiting.iter().find(|change| change.id == resume)?;
    Some(Change {
        // Many changes of one request have the same numbers.
        id: request.pending.as_ref().map_or_else(|| request.id(RESUMPTION), |pending| resume.replaced_by(pending.id)),
        request: request.origin.request,
        requested_by: request.origin.requested_by.clone(),
        reference: request.origin.reference.clone(),
        key_digest: request.origin.key_digest.clone(),
        before: None,
        attempt: 0,
        send_deadline: request.now(),
        sent_at: None,
        told: ReportedStates::default(),
        next_look: NextLook::OfState,
        ..canceled.clone()
    })
}

/// The change that records the new monthly budget, with its outcome. A pause has none: the canceled changes record it.
/// Nor has an activation, which is its own change.
fn change_of(request: &ChangeRequest<'_>, facts: &Facts, change: MonthlyChange) -> Option<Change> {
    let had = facts.values();
    let monthly = |amount, had: &CampaignValues| CampaignValues {
        budget_amount: Some(amount),
        budget_period: Some(BudgetPeriod::Monthly),
        ..had.clone()
    };
    let period = |period| CampaignChanges { budget_period: Some(period), ..CampaignChanges::default() };
    let (changes, after) = match change {
        MonthlyChange::None | MonthlyChange::StayPaused | MonthlyChange::TakeOver => return None,
        MonthlyChange::SetAmount(amount) => {
            let changes = CampaignChanges { budget_amount: Some(amount), ..period(BudgetPeriod::Monthly) };
            (changes, monthly(amount, &had))
        }
        MonthlyChange::End(other) => (period(other), had.clone()),
    };
    let before = facts.record.monthly.as_ref().map_or_else(|| had.clone(), |before| monthly(before.amount, &had));
    Some(Change {
        state: ChangeState::Applied,
        before: Some(before),
        after: Some(after),
        settled_at: Some(request.now()),
        ..request.immediate(Action::Update(changes), MONTHLY_BUDGET)
    })
}

/// In the flat shape a campaign with a monthly budget shows its daily one, which a caller cannot set. Tools of agents
/// are told the same, so the words name no header.
fn flat_daily_budget() -> Error {
    let message = "is the daily budget of the moment, which follows from a monthly one. The amount of a month is set on the \
                   dashboard, or with budget_period MONTHLY in the enveloped shape; budget_period DAILY ends it";
    Error::field("budget_amount", message)
}

fn in_progress(request: &ChangeRequest<'_>) -> Error {
    let message = "The monthly budget of the campaign is being moved. Read the campaign, and send this request again in a \
                   moment if it is still right.";
    if request.pending.is_some() {
        return Error::new(Kind::RateLimited, message).retryable();
    }
    Error::new(Kind::Conflict, message)
        .because(Reason::ChangedMeanwhile)
        .retryable()
        .retry_after(Duration::from_secs(2))
}
