//! The laws of plans, over random facts and requests.

mod commits;
mod creates;
mod dry_runs;
mod events;
mod random;

use super::{ChangePlan, DueAction, Verdict, due, plan, review};
use crate::changes::facts::{Facts, PendingChanges};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::EDIT;
use crate::domain::spending::{AccountDay, ChangeEffect};
use crate::domain::test_random::TestRandom;
use crate::domain::{
    Action, Approval, Approver, Attempt, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues,
    Change, ChangeId, ChangeState, HeldDates, PlatformCampaign, Spending,
};
use crate::error::{Error, Kind};
use crate::store::{SpendingState, Turn};
use random::{any_connection, by, campaign, facts, hours, key, now, request, usd, waiting};
use rust_decimal::Decimal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use uuid::Uuid;

/// Random cases of each law.
const CASES: u64 = 100_000;

/// Runs a law over random facts and requests; a failure names its seed. The law says whether a case was one for it: at least
/// so many must be.
fn for_all(least: u64, law: impl Fn(&mut TestRandom, &ChangeRequest<'_>, &Facts) -> bool) {
    let mut checked = 0;
    for seed in 0..CASES {
        let numbers = &mut TestRandom(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (connection, by) = (any_connection(numbers), by(numbers));
        let facts = facts(numbers, &connection, &by);
        let request = request(numbers, &connection, &by);
        let held = catch_unwind(AssertUnwindSafe(|| law(numbers, &request, &facts)));
        checked += u64::from(matches!(held, Ok(true)));
        if held.is_err() {
            panic!("seed {seed}: {:?} by {:?} at {:?} of {facts:#?}", request.action, request.origin, request.apply_at);
        }
    }
    assert!(checked >= least, "{checked} cases of {CASES}");
}

/// The facts once a plan is stored, and its platform has made what it heard.
fn after(facts: &Facts, plan: &ChangePlan) -> Facts {
    let canceled = |change: &Change| plan.cancel.iter().any(|(other, _)| other.id == change.id);
    let kept = |change: &Option<Change>| change.clone().filter(|change| !canceled(change));
    let find = |id: Option<ChangeId>, known: &Option<Change>| {
        plan.store.iter().find(|change| Some(change.id) == id).cloned().or_else(|| kept(known))
    };
    let (held, monthly) = (plan.record.held, plan.record.monthly.as_ref());
    let waiting = PendingChanges {
        activation: find(held.activation, &facts.waiting.activation),
        pause: find(held.pause, &facts.waiting.pause),
        step: find(monthly.and_then(|monthly| monthly.step), &facts.waiting.step),
        resume: find(monthly.and_then(|monthly| monthly.resume), &facts.waiting.resume),
    };
    let mut current = facts.current.clone();
    if let (Verdict::Now, Some(send)) = (plan.verdict, &plan.send) {
        match send {
            Action::Update(changes) => {
                let values = CampaignValues::of(&current);
                let after = values.after(changes, now());
                (current.name, current.status) = (after.name, after.status);
                (current.budget_amount, current.budget_period) = (after.budget_amount, after.budget_period);
                (current.start_at, current.end_at) = (after.start_at, after.end_at);
            }
            _ => current.status = CampaignStatus::Archived,
        }
    }
    let spending = facts.spending.clone().map(|state| {
        let change = plan.change.as_ref().map_or(ChangeId::first_at(now()), |change| change.id);
        let values = &CampaignValues::of(&current);
        let (effect, day) = (ChangeEffect::Some(Some(values)), AccountDay { now: now(), ends_at: hours(12) });
        let reserved = |spending: &Spending| plan.reserve.of(&spending.spender).unwrap_or(spending).clone();
        SpendingState {
            spendings: state.spendings.map(|spending| reserved(spending).settle(change, effect, day)),
            turn: Turn { raised: plan.turn.and_then(|turn| turn.raised).or(state.turn.raised), ..state.turn },
        }
    });
    Facts { current, record: plan.record.clone(), waiting, spending, ..facts.clone() }
}

/// The next attempt at a change that waits for the campaign, now and then.
fn next_attempt<'a>(numbers: &mut TestRandom, request: &ChangeRequest<'a>, facts: &Facts) -> Option<ChangeRequest<'a>> {
    let PendingChanges { activation, pause, step, resume } = &facts.waiting;
    let pending = numbers.one_of(&[activation, pause, step, resume, &None, &None]);
    let pending = pending.as_ref().filter(|pending| pending.state == ChangeState::Scheduled)?;
    // The facts have the limit of whoever makes the request.
    let key = facts.key_spending().and_then(|spending| spending.spender.key());
    let is_own = key.is_none_or(|key| pending.requested_by.is_key(key));
    is_own.then(|| attempted(pending.clone(), request))
}

/// What may run a day, and in all.
fn runs(facts: &Facts) -> [Decimal; 2] {
    let current = &facts.current;
    if !facts.values().runs(now()) {
        return [Decimal::ZERO; 2];
    }
    let amount = current.budget_amount.unwrap_or_default();
    if current.budget_period.is_some_and(BudgetPeriod::is_whole_run) {
        [Decimal::ZERO, amount]
    } else {
        [amount, Decimal::ZERO]
    }
}

/// What is added, a day and in all.
fn added(before: &Facts, after: &Facts) -> [Decimal; 2] {
    let (before, after) = (runs(before), runs(after));
    [0, 1].map(|period| (after[period] - before[period]).max(Decimal::ZERO))
}

/// The facts once the start of the campaign has come.
fn begun(facts: &Facts) -> Facts {
    let current = PlatformCampaign { start_at: None, ..facts.current.clone() };
    Facts { current, ..facts.clone() }
}

#[test]
fn a_repeated_request_changes_nothing() {
    for_all(5_000, |_, request, facts| {
        let Ok(first) = plan(request, facts) else { return false };
        if first.verdict != Verdict::Now || request.action == Action::Delete {
            return false;
        }
        let facts = after(facts, &first);
        // What is activated past its end has ended.
        if facts.current.status.is_final() || facts.current.status == CampaignStatus::Ended {
            return false;
        }
        let again = plan(request, &facts).unwrap_or_else(|error| panic!("{error:?}"));
        let sends = again.send.is_some() && matches!(again.verdict, Verdict::Now | Verdict::AwaitsApproval);
        assert!(!sends, "{first:#?} then {again:#?}");
        true
    });
}

#[test]
fn a_plan_reserves_what_it_adds_to_running_campaigns() {
    for_all(200, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let Some(state) = &facts.spending else { return false };
        if planned.verdict != Verdict::Now {
            return false;
        }
        let added = added(facts, &after(facts, &planned));
        if added == [Decimal::ZERO; 2] {
            return false;
        }
        let sums = |spending: &Spending| [spending.daily(usd(), now()), spending.lifetime(usd())];
        for spending in state.spendings.iter().filter(|spending| spending.limit.is_some()) {
            let reserved = planned.reserve.of(&spending.spender).expect("it is reserved with each");
            let (had, has) = (sums(spending), sums(reserved));
            let is_counted = [0, 1].iter().all(|period| has[*period] - had[*period] >= added[*period]);
            assert!(is_counted, "{added:?} of {planned:#?}");
        }
        assert!(
            state.spendings.iter().all(|spending| spending.spender.key().is_some() || spending.stopped_at.is_none())
        );
        true
    });
}

#[test]
fn the_record_names_exactly_the_waiting_changes() {
    for_all(20_000, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let record = &planned.record;
        let held = [record.held.activation, record.held.pause];
        let month = record.monthly.as_ref().map(|monthly| [monthly.step, monthly.resume]).unwrap_or_default();
        let named: Vec<ChangeId> = held.into_iter().chain(month).flatten().collect();
        let before = [&facts.waiting.activation, &facts.waiting.pause, &facts.waiting.step, &facts.waiting.resume];
        let is_canceled = |id: ChangeId| planned.cancel.iter().any(|(change, _)| change.id == id);
        let kept: Vec<ChangeId> =
            before.into_iter().flatten().map(|change| change.id).filter(|id| !is_canceled(*id)).collect();
        for id in &named {
            let is_stored = planned.store.iter().any(|change| change.id == *id && change.is_open());
            assert!(is_stored || kept.contains(id), "{id} of {planned:#?}");
        }
        for change in planned.store.iter().filter(|change| change.is_held) {
            assert!(named.contains(&change.id), "{change:#?} is not named");
        }
        for (change, _) in &planned.cancel {
            assert!(change.is_open(), "{change:#?} does not wait");
        }
        let is_stored = !planned.store.is_empty() || !planned.cancel.is_empty();
        assert!(!is_stored || planned.changes_record(facts), "{planned:#?}");
        let moved = i64::from(record != &facts.record);
        assert!(record.revision - facts.record.revision >= moved, "{planned:#?}");
        assert!(record.revision - facts.record.revision <= 1, "one move");
        true
    });
}

#[test]
fn the_limit_of_a_user_lets_a_monthly_budget_end() {
    for_all(500, |_, request, facts| {
        let is_daily = facts.current.budget_period == Some(BudgetPeriod::Daily) && !facts.current.status.is_final();
        let is_limited = facts.spendings().iter().any(|spending| spending.limit.is_some());
        if facts.record.monthly.is_none() || !is_daily || !is_limited {
            return false;
        }
        let end = CampaignChanges { budget_period: Some(BudgetPeriod::Daily), ..CampaignChanges::default() };
        let asked = ChangeRequest {
            action: Action::Update(end),
            apply_at: None,
            pending: None,
            condition: None,
            only_if: None,
            origin: request.origin.clone(),
            remote_id: String::new(),
            campaign: request.campaign.clone(),
            ..*request
        };
        let planned = plan(&asked, facts);
        if facts.key_spending().is_some() {
            assert!(planned.is_err(), "whoever set the amount relies on it: {planned:#?}");
            return false;
        }
        match planned {
            Ok(planned) => assert_eq!(planned.record.monthly, None),
            Err(error) => assert!(error.limit.is_none(), "{error:?}"),
        }
        true
    });
}

#[test]
fn a_pause_and_a_removal_are_never_refused() {
    for_all(50_000, |numbers, request, facts| {
        let status = Some(CampaignStatus::Paused);
        let pause = Action::Update(CampaignChanges { status, ..CampaignChanges::default() });
        let action = if numbers.once_in(2) { pause } else { Action::Delete };
        let asked = ChangeRequest {
            action: action.clone(),
            apply_at: None,
            pending: None,
            condition: None,
            only_if: None,
            origin: request.origin.clone(),
            remote_id: String::new(),
            campaign: request.campaign.clone(),
            ..*request
        };
        let pending = attempted(asked.scheduled(action.clone(), EDIT, now()), request);
        // What reads as paused may run in a moment.
        let may_follow = action != Action::Delete && facts.waiting.is_activation_under_way();
        let is_waited = numbers.once_in(3);
        match plan(if is_waited { &pending } else { &asked }, facts) {
            Ok(planned) => match planned.verdict {
                Verdict::Now if planned.send.is_some() => {
                    // What another change has reserved in its turn stays.
                    let is_taken = facts.spending.as_ref().is_some_and(|state| state.turn.change.is_some());
                    assert!(!is_taken || planned.turn.is_none() && planned.reserve.is_empty(), "{planned:#?}");
                }
                Verdict::Now | Verdict::Nothing => assert!(!may_follow, "{planned:#?}"),
                Verdict::Waits(_) => assert!(may_follow, "{planned:#?}"),
                Verdict::AwaitsApproval => panic!("{planned:#?}"),
            },
            Err(error) if error.kind == Kind::RateLimited => assert!(may_follow && is_waited, "{error:?}"),
            Err(error) => assert!(facts.current.status.is_final(), "{error:?}"),
        }
        true
    });
}

#[test]
fn nothing_is_sent_if_the_values_of_the_computation_have_changed() {
    for_all(1_000, |numbers, request, facts| {
        let amount = Some(Decimal::from(numbers.one_of(&[40_u32, 50, 100, 3_100])));
        let only_if = Some(CampaignChanges { budget_amount: amount, ..CampaignChanges::default() });
        let action = request.action.clone();
        let asked = ChangeRequest {
            action: action.clone(),
            apply_at: None,
            pending: None,
            condition: None,
            only_if: only_if.clone(),
            origin: request.origin.clone(),
            remote_id: String::new(),
            campaign: request.campaign.clone(),
            ..*request
        };
        let pending = Change { only_if, ..asked.scheduled(action.clone(), EDIT, now()) };
        let attempt = attempted(pending, request);
        let Ok(planned) = plan(if numbers.once_in(2) { &attempt } else { &asked }, facts) else { return false };
        let shown = facts.current.clone().complete(&request.connection.id, Some(facts.record.clone()));
        let has_new = matches!(&action, Action::Update(changes) if changes.budget_amount == shown.budget_amount);
        let may_send = shown.budget_amount == amount || has_new || facts.current.status.is_final();
        assert!(may_send, "{amount:?} of {shown:?}: {planned:#?}");
        true
    });
}

#[test]
fn a_person_is_asked_about_what_a_review_shows() {
    for_all(100, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let (Verdict::AwaitsApproval, Some(asked)) = (planned.verdict, planned.change) else { return false };
        assert_eq!(asked.asked, Some(facts.values().with_held(&facts.record.held)), "the version of both is the same");
        facts.record.held != HeldDates::default()
    });
}

#[test]
fn an_approved_change_adds_at_most_what_the_person_saw() {
    for_all(200, |numbers, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let (Verdict::AwaitsApproval, Some(asked)) = (planned.verdict, &planned.change) else { return false };
        let seen = Some(facts.values().with_held(&facts.record.held));
        let approval = Some(Approval { by: Approver::in_person(key(9), Uuid::nil()), at: now(), seen });
        let pending = Change { approval, state: ChangeState::Scheduled, apply_at: Some(now()), ..asked.clone() };
        let moved = Facts { current: campaign(numbers, request.connection), ..facts.clone() };
        let Ok(made) = plan(&attempted(pending, request), &moved) else { return false };
        let saw = after(facts, &ChangePlan { verdict: Verdict::Now, ..planned.clone() });
        // It may run from its start on.
        let (most, later) = (added(facts, &saw), added(&begun(facts), &begun(&saw)));
        let most = [0, 1].map(|period| most[period].max(later[period]));
        let is = added(&moved, &after(&moved, &made));
        let is_covered = [0, 1].iter().all(|period| is[*period] <= most[*period]);
        assert!(made.verdict != Verdict::Now || is_covered, "{is:?} of {most:?}: {made:#?}");
        true
    });
}

/// Plans a change whose time has come. `Err` if something refuses it, or if it waits longer.
fn executed(pending: Change, request: &ChangeRequest<'_>, facts: &Facts) -> Result<(), Error> {
    match due(&pending, &facts.record, &facts.spendings(), now()) {
        DueAction::Canceled(error) | DueAction::Failed(error) => return Err(*error),
        DueAction::Waits(start) => return Err(Error::internal(format!("it waits for {start}"))),
        DueAction::Begins => {}
    }
    plan(&attempted(pending, request), facts).map(drop)
}

/// The next attempt at a change that has waited.
fn attempted<'a>(pending: Change, request: &ChangeRequest<'a>) -> ChangeRequest<'a> {
    let attempt = Attempt { number: pending.attempt + 1, at: now(), until: hours(1) };
    ChangeRequest::again(pending, request.connection, attempt).unwrap()
}

#[test]
fn review_shows_what_the_execution_would_refuse() {
    for_all(200, |numbers, request, asked_of| {
        let Ok(planned) = plan(request, asked_of) else { return false };
        let (Verdict::AwaitsApproval, Some(asked)) = (planned.verdict, planned.change) else { return false };
        if asked.apply_at.is_some_and(|at| at > now()) {
            return false;
        }
        // Somebody may have changed the campaign meanwhile.
        let found = if numbers.once_in(2) {
            asked_of.clone()
        } else {
            let (spending, others) = (asked_of.spending.clone(), asked_of.others.clone());
            Facts { spending, others, ..facts(numbers, request.connection, &request.origin.requested_by) }
        };
        let shown = review(&attempted(asked.clone(), request), &found);
        let seen = Some(found.values().with_held(&found.record.held));
        let approval = Some(Approval { by: Approver::in_person(key(9), Uuid::nil()), at: now(), seen });
        let pending = Change { approval, state: ChangeState::Scheduled, apply_at: Some(now()), ..asked };
        let made = executed(pending, request, &found);
        assert_eq!(shown.is_err(), made.is_err(), "shown {shown:?}, made {made:?}, of {found:#?}");
        true
    });
}

#[test]
fn a_pause_whose_time_has_come_begins_while_the_record_names_it() {
    for_all(20_000, |numbers, request, facts| {
        let begins = |change: &Change, record: &CampaignRecord| {
            matches!(due(change, record, &facts.spendings(), now()), DueAction::Begins)
        };
        let named = facts.waiting.pause.iter().chain(&facts.waiting.step).filter(|change| change.pauses());
        named.for_each(|pause| assert!(begins(pause, &facts.record), "{pause:#?}"));
        let held = waiting(numbers, request.connection, CampaignStatus::Paused, now());
        assert!(!begins(&held, &facts.record), "another date was set since");
        assert!(begins(&Change { is_held: false, ..held }, &facts.record), "a person has scheduled it");
        true
    });
}

#[test]
fn activations_begin_only_when_they_are_due() {
    for_all(20_000, |numbers, request, facts| {
        let is_held = numbers.once_in(2);
        let activation = waiting(numbers, request.connection, CampaignStatus::Active, now());
        let named = facts.waiting.activation.clone().or_else(|| facts.waiting.resume.clone());
        let activation = if is_held { named } else { Some(Change { is_held: false, ..activation }) };
        let Some(activation) = activation else { return false };
        if !matches!(due(&activation, &facts.record, &facts.spendings(), now()), DueAction::Begins) {
            return false;
        }
        let HeldDates { start_at, activation: at_start, end_at, .. } = facts.record.held;
        let is_early = start_at.is_some_and(|start| start > now()) && at_start != Some(activation.id);
        assert!(!is_early && end_at.is_none_or(|end| end > now()), "{activation:#?}");
        let closed_until = facts.record.monthly.as_ref().and_then(|monthly| monthly.closed_until);
        assert!(is_held || closed_until.is_none_or(|until| until <= now()), "{activation:#?}");
        true
    });
}

#[test]
fn refusals_are_caller_errors_with_a_message() {
    for_all(10_000, |_, request, facts| {
        let Err(error) = plan(request, facts) else { return false };
        let Error { kind, message, details, .. } = &error;
        assert!(*kind != Kind::Internal, "{error:?}");
        assert!(!message.to_string().is_empty() || !details.is_empty(), "{error:?}");
        true
    });
}
