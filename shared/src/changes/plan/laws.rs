//! The laws of plans, over random facts and requests.

use super::{Plan, Verdict, plan};
use crate::changes::facts::{Facts, Waiting};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::EDIT;
use crate::domain::numbers::Numbers;
use crate::domain::pacing::Ledger;
use crate::domain::spending::{ApprovalRule, CurrencyLimit, SpendingLimit};
use crate::domain::{
    Action, AdAccount, Approval, Attempt, BudgetPeriod, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus,
    CampaignValues, Change, ChangeId, ChangeOrigin, ChangeState, Connection, ConnectionId, ConnectionStatus, Currency,
    CustomerId, DateChange, Executor, HeldDates, KeyId, KeySpending, Pacing, Platform, PlatformCampaign, Requester,
};
use crate::error::{Error, Kind};
use crate::store::{SpendingState, Turn};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use uuid::Uuid;

/// Random cases of each law.
const CASES: u64 = 100_000;

fn now() -> Timestamp {
    "2026-11-28T12:00:00Z".parse().unwrap()
}

fn hours(hours: i64) -> Timestamp {
    now() + SignedDuration::from_hours(hours)
}

fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

fn key(number: u32) -> Requester {
    Requester::ApiKey { id: KeyId(format!("key_{number}")), name: String::new() }
}

fn amount(numbers: &mut Numbers) -> Decimal {
    Decimal::from(numbers.one_of(&[0_u32, 1, 40, 50, 60, 100, 620, 3_100]))
}

fn connection(platform: Platform) -> Connection {
    let account = AdAccount {
        id: "7".to_owned(),
        name: "Shop".to_owned(),
        currency: usd(),
        time_zone: "Etc/UTC".to_owned(),
        manager_id: None,
    };
    Connection {
        id: ConnectionId("conn_1".to_owned()),
        platform,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: None,
        campaign_defaults: None,
        account: Some(account),
        grant_id: None,
        created_at: hours(-1_000),
        last_synced_at: None,
        paused_until: None,
    }
}

/// A campaign as its platform tells it; dates only where the platform has them.
fn campaign(numbers: &mut Numbers, connection: &Connection) -> PlatformCampaign {
    use CampaignStatus::{Active, Archived, Ended, Paused};
    let is_held = super::are_dates_held(connection.platform);
    let date = |numbers: &mut Numbers, ahead: [i64; 2]| {
        (!is_held && numbers.once_in(3)).then(|| hours(numbers.one_of(&ahead)))
    };
    let status = numbers.one_of(&[Active, Active, Active, Paused, Paused, Paused, Ended, Archived]);
    // One that has ended has an end that lies behind, if it tells one.
    let ends = if status == Ended { [-48, -1] } else { [48, 200] };
    PlatformCampaign {
        id: CampaignId::new(connection.platform, "7", "1"),
        account_id: "7".to_owned(),
        remote_id: "1".to_owned(),
        name: "A".to_owned(),
        status,
        goal: None,
        budget_amount: (!numbers.once_in(8)).then(|| Decimal::from(numbers.one_of(&[40_u32, 50, 100]))),
        budget_period: Some(numbers.one_of(&[BudgetPeriod::Daily, BudgetPeriod::Daily, BudgetPeriod::Lifetime])),
        currency: usd(),
        total_spend_amount: None,
        start_at: date(numbers, [-72, 24]),
        end_at: date(numbers, ends),
        created_at: None,
        updated_at: None,
        raw: String::new(),
    }
}

fn changes(numbers: &mut Numbers) -> CampaignChanges {
    use BudgetPeriod::{Daily, Lifetime, Monthly};
    use CampaignStatus::{Active, Archived, Paused};
    let date = |numbers: &mut Numbers| match numbers.below(12) {
        0 => Some(DateChange::Clear),
        1..=3 => Some(DateChange::Set(hours(numbers.one_of(&[-24, 2, 24, 72, 300])))),
        _ => None,
    };
    CampaignChanges {
        name: numbers.once_in(4).then(|| numbers.one_of(&["A", "B"]).to_owned()),
        status: numbers.once_in(2).then(|| numbers.one_of(&[Active, Active, Active, Paused, Paused, Archived])),
        budget_amount: numbers.once_in(2).then(|| amount(numbers)),
        budget_period: numbers.once_in(5).then(|| numbers.one_of(&[Daily, Lifetime, Monthly])),
        start_at: date(numbers),
        end_at: date(numbers),
    }
}

fn action(numbers: &mut Numbers) -> Action {
    if numbers.once_in(10) { Action::Delete } else { Action::Update(changes(numbers)) }
}

/// A request by a key or a person.
fn request<'a>(numbers: &mut Numbers, connection: &'a Connection, by: &Requester) -> ChangeRequest<'a> {
    let attempt = Attempt { number: 1, at: now(), until: hours(1) };
    ChangeRequest {
        customer: CustomerId(Uuid::nil()),
        connection,
        account: ChangeRequest::account_of(connection).unwrap(),
        campaign: CampaignId::new(connection.platform, "7", "1"),
        remote_id: "1".to_owned(),
        action: action(numbers),
        apply_at: numbers.once_in(6).then(|| hours(numbers.one_of(&[1, 30, 400]))),
        waited: None,
        origin: ChangeOrigin {
            request: Uuid::from_u64_pair(1, numbers.below(u64::MAX)),
            requested_by: by.clone(),
            executed_by: Executor::Request,
        },
        first_at: now(),
        number: EDIT,
        attempt,
        is_flat: numbers.once_in(3),
        condition: None,
    }
}

/// A change that waits, or is under way.
fn waiting(numbers: &mut Numbers, connection: &Connection, status: CampaignStatus, at: Timestamp) -> Change {
    let by = key(u32::try_from(numbers.below(3)).unwrap());
    let budget_amount = numbers.once_in(2).then(|| amount(numbers));
    let budget_amount = budget_amount.filter(|_| status == CampaignStatus::Active);
    let changes = CampaignChanges { status: Some(status), budget_amount, ..CampaignChanges::default() };
    let request = request(numbers, connection, &by);
    let state = if numbers.once_in(8) { ChangeState::Sending } else { ChangeState::Scheduled };
    let number = usize::try_from(numbers.below(1_000)).unwrap();
    Change { is_held: true, state, ..request.scheduled(Action::Update(changes), number, at) }
}

fn facts(numbers: &mut Numbers, connection: &Connection, by: &Requester) -> Facts {
    let current = campaign(numbers, connection);
    let mut known = Waiting::default();
    let mut held = HeldDates::default();
    if super::are_dates_held(connection.platform) {
        held.start_at = numbers.once_in(2).then(|| hours(numbers.one_of(&[-5, 24, 48])));
        if let Some(start) = held.start_at.filter(|start| *start > now() && numbers.once_in(2)) {
            known.activation = Some(waiting(numbers, connection, CampaignStatus::Active, start));
        }
        held.end_at = numbers.once_in(2).then(|| hours(numbers.one_of(&[-2, 100, 200])));
        if let Some(end) = held.end_at.filter(|end| *end > now()) {
            known.pause = Some(waiting(numbers, connection, CampaignStatus::Paused, end));
        }
        held.activation = known.activation.as_ref().map(|change| change.id);
        held.pause = known.pause.as_ref().map(|change| change.id);
    }
    let pacing = (numbers.once_in(3) && current.budget_amount.is_some()).then(|| {
        let status = numbers.one_of(&[CampaignStatus::Active, CampaignStatus::Paused]);
        known.step = numbers.once_in(3).then(|| waiting(numbers, connection, status, now()));
        known.resume = numbers.once_in(3).then(|| waiting(numbers, connection, CampaignStatus::Active, hours(60)));
        let ledger = Ledger::begin(date(2026, 11, 28), Decimal::ZERO, Decimal::from(50));
        let asked = (key(u32::try_from(numbers.below(3)).unwrap()), Uuid::nil());
        Pacing {
            step: known.step.as_ref().map(|change| change.id),
            resume: known.resume.as_ref().map(|change| change.id),
            is_halted: numbers.once_in(5),
            closed_until: numbers.once_in(5).then(|| hours(60)),
            ..Pacing::new(Decimal::from(3_100), asked, ledger, now())
        }
    });
    let record = CampaignRecord { revision: i64::from(pacing.is_some()), held, pacing, ..CampaignRecord::default() };
    let spending = spending(numbers, connection, by);
    let others = match spending.is_some() && numbers.once_in(3) {
        true => vec![waiting(numbers, connection, CampaignStatus::Active, hours(30))],
        false => Vec::new(),
    };
    Facts { now: now(), current, record, waiting: known, others, spending, may_observe: true }
}

/// The limit of a key, if it has one.
fn spending(numbers: &mut Numbers, connection: &Connection, by: &Requester) -> Option<SpendingState> {
    let Requester::ApiKey { id, .. } = by else { return None };
    if numbers.once_in(2) {
        return None;
    }
    let amounts = vec![CurrencyLimit {
        currency: usd(),
        daily: Decimal::from(numbers.one_of(&[0_u32, 90, 1_000])),
        lifetime: Decimal::from(numbers.one_of(&[0_u32, 1_000])),
        per_change: numbers.once_in(3).then(|| Decimal::from(55)),
    }];
    let approval = numbers.once_in(2).then(|| ApprovalRule {
        activation: numbers.once_in(2),
        amounts: vec![(usd(), Decimal::from(numbers.one_of(&[0_u32, 20])))],
    });
    let connections = vec![connection.id.clone()];
    let limit = SpendingLimit { connections, amounts, creates_per_day: 1, approval };
    Some(SpendingState { spending: KeySpending::new(id.clone(), limit), turn: Turn::default() })
}

fn by(numbers: &mut Numbers) -> Requester {
    match numbers.below(4) {
        0 => Requester::Person { id: crate::domain::PersonId("p".to_owned()), email: None },
        number => key(u32::try_from(number - 1).unwrap()),
    }
}

/// A random connection.
fn any_connection(numbers: &mut Numbers) -> Connection {
    connection(numbers.one_of(&Platform::ALL))
}

/// Runs a law over random facts and requests; a failure names its seed. The law says whether a case was one for it: at least
/// so many must be.
fn for_all(least: u64, law: impl Fn(&mut Numbers, &ChangeRequest<'_>, &Facts) -> bool) {
    let mut checked = 0;
    for seed in 0..CASES {
        let numbers = &mut Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
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
fn after(facts: &Facts, plan: &Plan) -> Facts {
    let canceled = |change: &Change| plan.cancel.iter().any(|(other, _)| other.id == change.id);
    let kept = |change: &Option<Change>| change.clone().filter(|change| !canceled(change));
    let find = |id: Option<ChangeId>, known: &Option<Change>| {
        plan.store.iter().find(|change| Some(change.id) == id).cloned().or_else(|| kept(known))
    };
    let (held, pacing) = (plan.record.held, plan.record.pacing.as_ref());
    let waiting = Waiting {
        activation: find(held.activation, &facts.waiting.activation),
        pause: find(held.pause, &facts.waiting.pause),
        step: find(pacing.and_then(|pacing| pacing.step), &facts.waiting.step),
        resume: find(pacing.and_then(|pacing| pacing.resume), &facts.waiting.resume),
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
        let spending = plan.reserve.clone().unwrap_or(state.spending);
        let settled = spending.settle(
            plan.change.as_ref().map_or(ChangeId::first_at(now()), |change| change.id),
            crate::domain::spending::Outcome::Some(Some(&CampaignValues::of(&current))),
            crate::domain::spending::AccountDay { now: now(), ends_at: hours(12) },
        );
        SpendingState {
            spending: settled,
            turn: Turn { raised: plan.turn.and_then(|turn| turn.raised).or(state.turn.raised), ..state.turn },
        }
    });
    Facts { current, record: plan.record.clone(), waiting, spending, ..facts.clone() }
}

/// What may run a day, and in all.
fn runs(facts: &Facts) -> [Decimal; 2] {
    let current = &facts.current;
    let amount = current.budget_amount.filter(|_| facts.values().runs(now())).unwrap_or_default();
    match current.budget_period.is_some_and(BudgetPeriod::is_whole_run) {
        true => [Decimal::ZERO, amount],
        false => [amount, Decimal::ZERO],
    }
}

/// What is added, a day and in all.
fn added(before: &Facts, after: &Facts) -> [Decimal; 2] {
    let (before, after) = (runs(before), runs(after));
    [0, 1].map(|period| (after[period] - before[period]).max(Decimal::ZERO))
}

#[test]
fn the_same_request_again_finds_nothing_to_do() {
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
        let sends = again.send.is_some() && matches!(again.verdict, Verdict::Now | Verdict::AwaitsPerson);
        assert!(!sends, "{first:#?} then {again:#?}");
        true
    });
}

#[test]
fn what_a_plan_adds_to_what_runs_is_reserved() {
    for_all(200, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let Some(state) = facts.spending.as_ref().filter(|_| planned.verdict == Verdict::Now) else { return false };
        let added = added(facts, &after(facts, &planned));
        if added == [Decimal::ZERO; 2] {
            return false;
        }
        let reserved = planned.reserve.as_ref().expect("it is reserved");
        let sums = |spending: &KeySpending| [spending.daily(usd(), now()), spending.lifetime(usd())];
        let (had, has) = (sums(&state.spending), sums(reserved));
        assert!([0, 1].iter().all(|period| has[*period] - had[*period] >= added[*period]), "{added:?} of {planned:#?}");
        true
    });
}

#[test]
fn the_record_names_what_waits_and_nothing_else() {
    for_all(20_000, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let record = &planned.record;
        let held = [record.held.activation, record.held.pause];
        let month = record.pacing.as_ref().map(|pacing| [pacing.step, pacing.resume]).unwrap_or_default();
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
        assert!(!is_stored || planned.moves(facts), "{planned:#?}");
        let moved = i64::from(record != &facts.record);
        assert!(record.revision - facts.record.revision >= moved, "{planned:#?}");
        assert!(record.revision - facts.record.revision <= 1, "one move");
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
            waited: None,
            condition: None,
            origin: request.origin.clone(),
            remote_id: String::new(),
            campaign: request.campaign.clone(),
            ..*request
        };
        let waited = asked.scheduled(action.clone(), EDIT, now());
        let attempt = Attempt { number: 1, at: now(), until: hours(1) };
        let waited = ChangeRequest::again(waited, request.connection, attempt).unwrap();
        // What reads as paused may run in a moment.
        let may_follow = action != Action::Delete && facts.waiting.is_activation_under_way();
        let is_waited = numbers.once_in(3);
        match plan(if is_waited { &waited } else { &asked }, facts) {
            Ok(planned) => match planned.verdict {
                Verdict::Now if planned.send.is_some() => {}
                Verdict::Now | Verdict::Nothing => assert!(!may_follow, "{planned:#?}"),
                Verdict::Waits(_) => assert!(may_follow, "{planned:#?}"),
                Verdict::AwaitsPerson => panic!("{planned:#?}"),
            },
            Err(error) if error.kind == Kind::RateLimited => assert!(may_follow && is_waited, "{error:?}"),
            Err(error) => assert!(facts.current.status.is_final(), "{error:?}"),
        }
        true
    });
}

#[test]
fn an_approved_change_adds_at_most_what_the_person_saw() {
    for_all(200, |numbers, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        let (Verdict::AwaitsPerson, Some(asked)) = (planned.verdict, &planned.change) else { return false };
        let seen = Some(facts.values().with_held(&facts.record.held));
        let approval = Some(Approval { by: key(9), at: now(), seen });
        let waited = Change { approval, state: ChangeState::Scheduled, apply_at: Some(now()), ..asked.clone() };
        let connection = request.connection;
        let attempt = Attempt { number: 2, at: now(), until: hours(1) };
        let again = ChangeRequest::again(waited, connection, attempt).unwrap();
        let moved = Facts { current: campaign(numbers, connection), ..facts.clone() };
        let Ok(made) = plan(&again, &moved) else { return false };
        let saw = after(facts, &Plan { verdict: Verdict::Now, ..planned.clone() });
        let (most, is) = (added(facts, &saw), added(&moved, &after(&moved, &made)));
        let is_covered = [0, 1].iter().all(|period| is[*period] <= most[*period]);
        assert!(made.verdict != Verdict::Now || is_covered, "{is:?} of {most:?}: {made:#?}");
        true
    });
}

#[test]
fn a_refusal_is_somebody_s_and_says_why() {
    for_all(10_000, |_, request, facts| {
        let Err(error) = plan(request, facts) else { return false };
        let Error { kind, message, details, .. } = &error;
        assert!(*kind != Kind::Internal, "{error:?}");
        assert!(!message.is_empty() || !details.is_empty(), "{error:?}");
        true
    });
}
