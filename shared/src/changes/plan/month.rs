//! Monthly budgets, which the service holds because no platform has them (D81): an update moves the amount in the
//! record, and maintenance moves the daily budget at the platform within a minute or two.

use super::{Plan, Verdict, limit, now, require_seen};
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::limited::{limited_values, require_unlimited};
use crate::changes::monthly::{Overruled, daily_budget, month_zone, require_amount, require_open, without};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::{MONTH, RESUMPTION};
use crate::domain::monthly::{Ledger, day_in};
use crate::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues, Change, ChangeState,
    MonthlyBudget, NextLook, Reason, Told,
};
use crate::error::{Error, Kind};
use jiff::civil::Date;
use rust_decimal::Decimal;
use std::time::Duration;

/// What an update does to the monthly budget of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Nothing.
    None,
    /// It begins, or has another amount from now on.
    Amount(Decimal),
    /// The campaign has this other period from now on.
    End(BudgetPeriod),
    /// Nobody is to activate the campaign when the month ends.
    StaysPaused,
    /// It stood still, and goes on in the name of whoever activates the campaign.
    TakenOver,
}

/// A plan with the move of the monthly budget, and what is left of the update.
pub(super) struct AfterMonth {
    pub(super) plan: Plan,
    pub(super) rest: CampaignChanges,
}

/// Whether an update is about the monthly budget of its campaign, or asks for one.
pub(super) fn concerns_month(record: &CampaignRecord, changes: &CampaignChanges) -> bool {
    let is_about = changes.names_budget() || changes.status.is_some();
    changes.budget_period == Some(BudgetPeriod::Monthly) || record.monthly.is_some() && is_about
}

/// Moves the monthly budget that an update names.
pub(super) fn plan(request: &ChangeRequest<'_>, facts: &Facts, changes: &CampaignChanges) -> Result<AfterMonth, Error> {
    let plan = Plan::nothing(facts);
    if !concerns_month(&facts.record, changes) {
        return Ok(AfterMonth { plan, rest: changes.clone() });
    }
    if request.is_flat && changes.budget_amount.is_some() && changes.budget_period.is_none() {
        return Err(daily_of_the_moment());
    }
    let monthly = facts.record.monthly.as_ref();
    let what = move_of(request, monthly, changes)?;
    let overruled = overruled_by(request, facts, what, changes)?;
    if changes.status == Some(CampaignStatus::Active) && (monthly.is_some() || what != Move::None) {
        require_unlimited(facts.spending.as_ref(), request.account.currency)?;
        if let Some(monthly) = monthly {
            require_open(monthly, &request.campaign, request.now())?;
        }
    }
    let rest = match what {
        Move::End(_) => changes.clone(),
        _ => CampaignChanges { budget_amount: None, budget_period: None, ..changes.clone() },
    };
    match what {
        Move::None => Ok(AfterMonth { plan, rest }),
        // Maintenance must not store an activation while this pauses the campaign: of two moves one is made. No activation
        // that is under way is tried again.
        Move::StaysPaused if overruled.waiting.is_empty() => {
            let monthly = monthly.map(|monthly| without(monthly, &overruled));
            let record = CampaignRecord { monthly, ..facts.next_record(&plan.record) };
            Ok(AfterMonth { plan: Plan { record, ..plan }, rest })
        }
        _ => moved(request, facts, what, overruled, AfterMonth { plan, rest }, changes),
    }
}

/// An attempt at one of many changes, which sets the amount of a month. It is made when it is stored: maintenance moves the
/// daily budget.
pub(super) fn attempt(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    changes: &CampaignChanges,
    waited: &Change,
) -> Result<Plan, Error> {
    let AfterMonth { plan, rest } = plan(request, facts, changes)?;
    let (own, store): (Vec<Change>, Vec<Change>) = plan.store.into_iter().partition(|change| change.id == waited.id);
    let plan = Plan { store, ..plan };
    match own.into_iter().next() {
        Some(made) => Ok(Plan { verdict: Verdict::Now, change: Some(made), ..plan }),
        // The campaign has this amount.
        None => now::plan(request, facts, plan, &Action::Update(rest)),
    }
}

/// The plan with a move, which its platform hears nothing of.
fn moved(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    what: Move,
    overruled: Overruled,
    AfterMonth { plan, rest }: AfterMonth,
    changes: &CampaignChanges,
) -> Result<AfterMonth, Error> {
    let checked = check(request, facts, what, &rest)?;
    require_seen(request, &facts.current, &facts.record)?;
    let monthly = facts.record.monthly.as_ref();
    let resumption = match (what, changes.status) {
        (Move::Amount(_), status) if status != Some(CampaignStatus::Paused) => {
            resumption(request, monthly, &overruled.waiting)
        }
        _ => None,
    };
    let after = after_move(request, facts, what, &overruled, resumption.as_ref())?;
    let told = change_of(request, facts, what);
    let updated_at = request.now().max(plan.record.updated_at);
    let record = CampaignRecord { monthly: after, updated_at, ..facts.next_record(&plan.record) };
    let store = told.into_iter().chain(resumption).collect();
    let cancel = overruled.waiting.into_iter().map(|change| (change, None)).collect();
    let checked = Some(checked).filter(|changes| !changes.is_empty());
    Ok(AfterMonth { plan: Plan { record, store, cancel, checked, ..plan }, rest })
}

fn move_of(
    request: &ChangeRequest<'_>,
    monthly: Option<&MonthlyBudget>,
    changes: &CampaignChanges,
) -> Result<Move, Error> {
    let by = &request.origin.requested_by;
    // The amount that it has already is no move, unless somebody takes it over: a key may be stopped.
    let is_had =
        |monthly: &MonthlyBudget, amount| monthly.amount == amount && monthly.requested_by == *by && !monthly.is_halted;
    let is_new = |amount: &Decimal| monthly.is_none_or(|monthly| !is_had(monthly, *amount));
    match (monthly, changes.budget_period, changes.budget_amount.filter(is_new)) {
        (None, _, None) => Err(Error::field("budget_amount", "is required with a MONTHLY budget_period")),
        (_, Some(period), _) if period != BudgetPeriod::Monthly => Ok(Move::End(period)),
        (_, _, Some(amount)) => Ok(Move::Amount(amount)),
        (Some(_), _, None) if changes.status == Some(CampaignStatus::Paused) => Ok(Move::StaysPaused),
        (Some(monthly), _, None) if monthly.is_halted && changes.status == Some(CampaignStatus::Active) => {
            Ok(Move::TakenOver)
        }
        (Some(_), _, None) => Ok(Move::None),
    }
}

/// The changes that a move overrules. After a move of the amount alone the activation at the month's end stays, in the name
/// of whoever moves it; a pause leaves what activates nothing, and does not wait for an activation under way.
fn overruled_by(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    what: Move,
    changes: &CampaignChanges,
) -> Result<Overruled, Error> {
    let Some(monthly) = &facts.record.monthly else { return Ok(Overruled::default()) };
    if what == Move::None {
        return Ok(Overruled::default());
    }
    let is_paused = changes.status == Some(CampaignStatus::Paused);
    let is_taken_over = monthly.requested_by != request.origin.requested_by;
    let ends_resumption = is_paused || is_taken_over || !matches!(what, Move::Amount(_));
    let resume = if ends_resumption { facts.waiting.resume.as_ref() } else { None };
    let named = facts.waiting.step.iter().chain(resume);
    let overruled = Overruled::of(named.filter(|one| what != Move::StaysPaused || one.activates()));
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
    what: Move,
    rest: &CampaignChanges,
) -> Result<CampaignChanges, Error> {
    match what {
        Move::Amount(amount) => check_amount(request, facts, amount, rest),
        Move::End(_) => {
            // Whoever set the amount relies on it, also where the key's own limit has room.
            require_unlimited(facts.spending.as_ref(), request.account.currency)?;
            check_rest(request, facts, rest)
        }
        Move::None | Move::StaysPaused | Move::TakenOver => check_rest(request, facts, rest),
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
fn after_move(
    request: &ChangeRequest<'_>,
    facts: &Facts,
    what: Move,
    overruled: &Overruled,
    resumption: Option<&Change>,
) -> Result<Option<MonthlyBudget>, Error> {
    let (before, now) = (facts.record.monthly.as_ref(), request.now());
    let origin = request.origin.clone();
    Ok(match (what, before) {
        (Move::Amount(amount), None) => {
            let daily = facts.current.budget_amount.unwrap_or_default();
            Some(MonthlyBudget::new(amount, origin, Ledger::begin(today(request)?, daily, daily), now))
        }
        (Move::Amount(amount), Some(before)) => {
            // The last step may have been made since the last look.
            let daily = facts.current.budget_amount.unwrap_or(before.daily);
            // Whoever asks for an amount leaves it to the service whether the campaign runs: the activation at the month's end
            // stays, unless the same request pauses the campaign.
            let before = without(before, overruled);
            let resume = resumption.map(|change| change.id).or(before.resume);
            Some(MonthlyBudget { amount, daily, step: None, resume, ..before.taken_over(origin, now) })
        }
        (Move::TakenOver, Some(before)) => Some(without(before, overruled).taken_over(origin, now)),
        (Move::StaysPaused, Some(before)) => Some(without(before, overruled)),
        (Move::None, before) => before.cloned(),
        (Move::End(_) | Move::StaysPaused | Move::TakenOver, _) => None,
    })
}

/// The activation at the month's end in the name of whoever takes the budget over, in place of one that is canceled.
fn resumption(request: &ChangeRequest<'_>, before: Option<&MonthlyBudget>, waiting: &[Change]) -> Option<Change> {
    let resume = before.and_then(|monthly| monthly.resume)?;
    let canceled = waiting.iter().find(|change| change.id == resume)?;
    Some(Change {
        // Many changes of one request have the same numbers.
        id: request.waited.as_ref().map_or_else(|| request.id(RESUMPTION), |waited| resume.replaced_by(waited.id)),
        request: request.origin.request,
        requested_by: request.origin.requested_by.clone(),
        before: None,
        attempt: 0,
        send_deadline: request.now(),
        sent_at: None,
        told: Told::default(),
        next_look: NextLook::OfState,
        ..canceled.clone()
    })
}

/// The change that tells the move, with its outcome; none for a pause, which is told by what it cancels, and for an
/// activation, which is a change of its own.
fn change_of(request: &ChangeRequest<'_>, facts: &Facts, what: Move) -> Option<Change> {
    let had = facts.values();
    let monthly = |amount, had: &CampaignValues| CampaignValues {
        budget_amount: Some(amount),
        budget_period: Some(BudgetPeriod::Monthly),
        ..had.clone()
    };
    let period = |period| CampaignChanges { budget_period: Some(period), ..CampaignChanges::default() };
    let (changes, after) = match what {
        Move::None | Move::StaysPaused | Move::TakenOver => return None,
        Move::Amount(amount) => {
            let changes = CampaignChanges { budget_amount: Some(amount), ..period(BudgetPeriod::Monthly) };
            (changes, monthly(amount, &had))
        }
        Move::End(other) => (period(other), had.clone()),
    };
    let before = facts.record.monthly.as_ref().map_or_else(|| had.clone(), |before| monthly(before.amount, &had));
    Some(Change {
        state: ChangeState::Applied,
        before: Some(before),
        after: Some(after),
        settled_at: Some(request.now()),
        ..request.sent(Action::Update(changes), MONTH)
    })
}

/// In the flat shape a campaign with a monthly budget shows its daily one, which a caller cannot set. Tools of agents are
/// told the same, so the words name no header.
fn daily_of_the_moment() -> Error {
    let message = "is the daily budget of the moment, which follows from a monthly one. The amount of a month is set on the \
                   dashboard, or with budget_period MONTHLY in the enveloped shape; budget_period DAILY ends it";
    Error::field("budget_amount", message)
}

fn in_progress(request: &ChangeRequest<'_>) -> Error {
    let message = "The monthly budget of the campaign is being moved. Read the campaign, and send this request again in a \
                   moment if it is still right.";
    if request.waited.is_some() {
        return Error::new(Kind::RateLimited, message).retryable();
    }
    Error::new(Kind::Conflict, message)
        .because(Reason::ChangedMeanwhile)
        .retryable()
        .retry_after(Duration::from_secs(2))
}
