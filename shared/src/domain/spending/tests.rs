//! Tests of the laws of a spending limit: examples, and random sequences against a model of what truly runs.

use super::*;
use crate::domain::test_random::TestRandom;
use crate::domain::{
    Action, AdAccount, Approval, Approver, BudgetPeriod, CampaignChanges, CampaignStatus, Connection, ConnectionStatus,
    ExternalRef, KeyId, PersonId, Platform, Requester,
};
use jiff::SignedDuration;
use uuid::Uuid;

const CAMPAIGNS: usize = 4;
const CAP: i64 = 100;

fn start() -> Timestamp {
    "2026-11-25T00:00:00Z".parse().unwrap()
}

fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

fn connection() -> ConnectionId {
    ConnectionId("conn_1".to_owned())
}

/// A connection of an ad account.
fn connected(id: &str, account: &str) -> Connection {
    let account = AdAccount {
        id: account.to_owned(),
        name: "Shop".to_owned(),
        currency: usd(),
        time_zone: "Etc/UTC".to_owned(),
        manager_id: None,
    };
    Connection {
        id: ConnectionId(id.to_owned()),
        platform: Platform::Alpha,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: ExternalRef::parse("shop42"),
        campaign_defaults: None,
        account: Some(account),
        grant_id: None,
        created_at: start(),
        last_synced_at: None,
        paused_until: None,
    }
}

fn campaign(number: usize) -> CampaignId {
    CampaignId::new(Platform::Alpha, "1", &number.to_string())
}

fn limit(daily: i64, lifetime: i64, per_change: Option<i64>) -> SpendingLimit {
    let amounts = vec![CurrencyLimit {
        currency: usd(),
        daily: daily.into(),
        lifetime: lifetime.into(),
        per_change: per_change.map(Decimal::from),
    }];
    SpendingLimit { connections: vec![connection()], amounts, creates_per_day: 20, approval: None }
}

fn spending(limit: SpendingLimit) -> Spending {
    Spending::new(Spender::Key(KeyId("key_1".to_owned())), limit)
}

fn values(status: CampaignStatus, budget: i64, period: BudgetPeriod) -> CampaignValues {
    CampaignValues {
        name: "A".to_owned(),
        status,
        budget_amount: Some(budget.into()),
        budget_period: Some(period),
        currency: usd(),
        start_at: None,
        end_at: None,
    }
}

fn paused(budget: i64) -> CampaignValues {
    values(CampaignStatus::Paused, budget, BudgetPeriod::Daily)
}

fn active(budget: i64) -> CampaignValues {
    values(CampaignStatus::Active, budget, BudgetPeriod::Daily)
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

fn budget(amount: i64) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(amount.into()), ..CampaignChanges::default() }
}

fn id(number: usize) -> ChangeId {
    ChangeId::new(start(), Uuid::nil(), number)
}

fn day(now: Timestamp) -> AccountDay {
    let since = now.duration_since(start()).as_hours().div_euclid(24);
    AccountDay { now, ends_at: start() + SignedDuration::from_hours((since + 1) * 24) }
}

/// Reserves a change of a campaign in an account of another currency, or in US dollars.
fn reserve_in(
    spending: &Spending,
    number: usize,
    before: &CampaignValues,
    changes: CampaignChanges,
    now: Timestamp,
) -> Result<Spending, LimitName> {
    let (campaign, connection) = (campaign(number), connection());
    let target = SpendingTarget { campaign: &campaign, connection: &connection, currency: before.currency };
    let limited = LimitedAction { before, action: &Action::Update(changes) };
    spending.reserve(target, id(number), &limited, now).map_err(|refusal| refusal.limit)
}

fn reserve(
    spending: &Spending,
    number: usize,
    before: &CampaignValues,
    changes: CampaignChanges,
) -> Result<Spending, LimitName> {
    reserve_in(spending, number, before, changes, start())
}

/// Makes a change that is applied.
fn apply(spending: &Spending, number: usize, before: &CampaignValues, after: &CampaignValues) -> Spending {
    let is_same_budget = after.budget_amount == before.budget_amount;
    let changes = CampaignChanges {
        status: (after.status != before.status).then_some(after.status),
        budget_amount: if is_same_budget { None } else { after.budget_amount },
        ..CampaignChanges::default()
    };
    let reserved = reserve(spending, number, before, changes).unwrap();
    reserved.settle(id(number), ChangeEffect::Some(Some(after)), day(start()))
}

#[test]
fn an_activation_adds_the_whole_budget_and_a_raise_the_difference() {
    let spending = spending(limit(CAP, 0, None));
    let one = apply(&spending, 1, &paused(60), &active(60));
    assert_eq!(one.daily(usd(), start()), Decimal::from(60));
    assert_eq!(reserve(&one, 2, &paused(41), status(CampaignStatus::Active)), Err(LimitName::Daily));
    let raised = apply(&one, 2, &active(500), &active(540));
    assert_eq!(raised.daily(usd(), start()), Decimal::from(100), "what others had running does not count");
    assert_eq!(reserve(&raised, 1, &active(60), budget(61)), Err(LimitName::Daily));
}

#[test]
fn what_is_paused_or_lowered_counts_until_the_day_is_over() {
    let spending = spending(limit(CAP, 0, None));
    let flipped = apply(&apply(&spending, 1, &paused(60), &active(60)), 1, &active(60), &paused(60));
    assert_eq!(reserve(&flipped, 2, &paused(60), status(CampaignStatus::Active)), Err(LimitName::Daily));
    assert!(reserve(&flipped, 1, &paused(60), status(CampaignStatus::Active)).is_ok(), "the same budget again");
    assert_eq!(reserve(&flipped, 1, &paused(101), status(CampaignStatus::Active)), Err(LimitName::Daily));
    let tomorrow = start() + SignedDuration::from_hours(24);
    assert_eq!(flipped.daily(usd(), tomorrow), Decimal::ZERO);
    assert!(reserve_in(&flipped, 2, &paused(100), status(CampaignStatus::Active), tomorrow).is_ok());
    let lowered = apply(&apply(&spending, 1, &paused(60), &active(60)), 1, &active(60), &active(10));
    assert_eq!(lowered.daily(usd(), start()), Decimal::from(60));
    assert_eq!(lowered.daily(usd(), tomorrow), Decimal::from(10));
}

#[test]
fn budgets_for_a_whole_run_count_at_once_and_are_never_freed() {
    let spending = spending(limit(CAP, 500, None));
    let lifetime = |status, budget| values(status, budget, BudgetPeriod::Lifetime);
    let (off, on) = (lifetime(CampaignStatus::Paused, 400), lifetime(CampaignStatus::Active, 400));
    let spent = apply(&apply(&spending, 1, &off, &on), 1, &on, &off);
    assert_eq!((spent.daily(usd(), start()), spent.lifetime(usd())), (Decimal::ZERO, Decimal::from(400)));
    let other = lifetime(CampaignStatus::Paused, 101);
    assert_eq!(reserve(&spent, 2, &other, status(CampaignStatus::Active)), Err(LimitName::Lifetime));
    assert!(reserve(&spent, 1, &off, status(CampaignStatus::Active)).is_ok());
}

#[test]
fn a_new_budget_period_counts_against_both_limits() {
    let spending = spending(limit(CAP, 500, None));
    let one = apply(&spending, 1, &paused(60), &active(60));
    let changes = CampaignChanges {
        budget_amount: Some(450.into()),
        budget_period: Some(BudgetPeriod::Lifetime),
        ..CampaignChanges::default()
    };
    let reserved = reserve(&one, 1, &active(60), changes.clone()).unwrap();
    let after = values(CampaignStatus::Active, 450, BudgetPeriod::Lifetime);
    let settled = reserved.settle(id(1), ChangeEffect::Some(Some(&after)), day(start()));
    assert_eq!((settled.daily(usd(), start()), settled.lifetime(usd())), (Decimal::from(60), Decimal::from(450)));
    let more = CampaignChanges { budget_amount: Some(501.into()), ..changes };
    assert_eq!(reserve(&one, 1, &active(60), more), Err(LimitName::Lifetime));
}

#[test]
fn an_unknown_outcome_stays_reserved_and_a_failed_change_frees() {
    let spending = spending(limit(CAP, 0, None));
    let pending = reserve(&spending, 1, &paused(60), status(CampaignStatus::Active)).unwrap();
    assert_eq!(reserve(&pending, 2, &paused(60), status(CampaignStatus::Active)), Err(LimitName::Daily));
    let failed = pending.settle(id(1), ChangeEffect::None, day(start()));
    assert!(reserve(&failed, 2, &paused(60), status(CampaignStatus::Active)).is_ok());
    let unread = pending.settle(id(1), ChangeEffect::Some(None), day(start()));
    assert_eq!(unread.daily(usd(), start()), Decimal::from(60));
    assert_eq!(pending.settle(id(9), ChangeEffect::None, day(start())), pending, "another change");
}

#[test]
fn unknown_amounts_are_refused() {
    let spending = spending(limit(CAP, 1_000, Some(50)));
    let on = || status(CampaignStatus::Active);
    let unowned = CampaignValues { budget_amount: None, ..paused(1) };
    assert_eq!(reserve(&spending, 1, &unowned, on()), Err(LimitName::BudgetUnknown));
    assert_eq!(reserve(&spending, 1, &unowned, budget(5)), Err(LimitName::BudgetUnknown));
    let monthly = values(CampaignStatus::Paused, 5, BudgetPeriod::Monthly);
    assert_eq!(reserve(&spending, 1, &monthly, on()), Err(LimitName::BudgetUnknown));
    let euros = CampaignValues { currency: Currency::from_code("EUR").unwrap(), ..paused(1) };
    assert_eq!(reserve(&spending, 1, &euros, on()), Err(LimitName::Currency));
    assert_eq!(reserve(&spending, 1, &paused(51), on()), Err(LimitName::PerChange));
    assert_eq!(reserve(&spending, 1, &paused(10), budget(61)), Err(LimitName::PerChange), "of a paused one too");
    let huge = CampaignValues { budget_amount: Some(Decimal::MAX), ..active(1) };
    assert!(reserve(&spending, 1, &huge, budget(5)).is_ok(), "lowering is always allowed");
    let elsewhere = SpendingLimit { connections: Vec::new(), ..limit(CAP, 0, None) };
    assert_eq!(reserve(&self::spending(elsewhere), 1, &paused(1), on()), Err(LimitName::Connection));
}

#[test]
fn a_lowered_limit_stops_nothing_and_admits_nothing_new() {
    let one = apply(&spending(limit(CAP, 0, None)), 1, &paused(60), &active(60));
    let lowered = Spending { limit: Some(limit(50, 0, None)), ..one };
    assert_eq!(reserve(&lowered, 2, &paused(1), status(CampaignStatus::Active)), Err(LimitName::Daily));
    assert!(reserve(&lowered, 1, &active(60), budget(55)).is_ok());
    let paused_again = apply(&lowered, 1, &active(60), &paused(60));
    let again = reserve(&paused_again, 1, &paused(60), status(CampaignStatus::Active));
    assert_eq!(again, Err(LimitName::Daily), "what has been paused today, too");
}

#[test]
fn an_ended_or_future_campaign_that_begins_to_run_counts_whole() {
    let spending = spending(limit(CAP, 0, None));
    let later = crate::domain::DateChange::Set(start() + SignedDuration::from_hours(48));
    let ended = values(CampaignStatus::Ended, 101, BudgetPeriod::Daily);
    let extended = CampaignChanges { end_at: Some(later), ..CampaignChanges::default() };
    assert_eq!(reserve(&spending, 1, &ended, extended), Err(LimitName::Daily));
    let future = CampaignValues { start_at: Some(start() + SignedDuration::from_hours(99)), ..active(101) };
    let begun = CampaignChanges { start_at: Some(later), ..CampaignChanges::default() };
    assert_eq!(reserve(&spending, 1, &future, begun), Err(LimitName::Daily));
}

#[test]
fn additions_to_waiting_changes_are_found_in_advance() {
    let hours = |hours: i64| start() + SignedDuration::from_hours(hours);
    let set = |at: i64| Some(crate::domain::DateChange::Set(hours(at)));
    let starts = |at: i64| CampaignChanges { start_at: set(at), ..CampaignChanges::default() };
    let ends = |at: i64| CampaignChanges { end_at: set(at), ..CampaignChanges::default() };
    let on = status(CampaignStatus::Active);
    let adds = |before: &CampaignValues, changes: CampaignChanges, waiting: &[(CampaignChanges, i64)]| {
        let action = &Action::Update(changes.against(before));
        let waiting = waiting.iter().map(|(other, at)| (other, hours(*at)));
        LimitedAction { before, action }.adds_to_what_waits(waiting, start())
    };
    let activation = [(on.clone(), 5)];
    assert!(adds(&paused(50), budget(51), &activation) && !adds(&paused(50), budget(49), &activation));
    assert!(!adds(&paused(50), budget(51), &[]) && !adds(&paused(50), budget(51), &[(budget(60), 5)]));
    let raised_and_paused = CampaignChanges { status: Some(CampaignStatus::Paused), ..budget(51) };
    assert!(adds(&active(50), raised_and_paused, &activation), "its pause hides nothing");
    assert!(!adds(&paused(50), on.clone(), &activation), "it reserves what it adds itself");
    let future = CampaignValues { start_at: Some(hours(9)), ..paused(50) };
    assert!(adds(&future, starts(8), &activation) && !adds(&future, starts(10), &activation));
    assert!(!adds(&future, starts(8), &[(on.clone(), 9)]), "it waits for the start itself");
    let over = CampaignValues { end_at: Some(hours(-1)), ..values(CampaignStatus::Ended, 50, BudgetPeriod::Daily) };
    assert!(adds(&over, budget(51), &[(ends(9), 5)]), "somebody else lets it go on");
    let ending = CampaignValues { end_at: Some(hours(4)), ..paused(50) };
    assert!(adds(&ending, ends(9), &activation), "the activation would have come after its end");
    assert!(adds(&ending, budget(51), &[(ends(9), 3), (on, 5)]), "two together");
}

#[test]
fn creates_count_by_days() {
    let spending = spending(SpendingLimit { creates_per_day: 2, ..limit(CAP, 0, Some(50)) });
    let connection = connection();
    let new = |amount: i64| NewBudget { connection: &connection, currency: usd(), amount: amount.into() };
    let one = spending.count_creates(&[new(50)], start()).unwrap();
    let refused = |spending: &Spending, new: &[NewBudget<'_>], now| {
        spending.count_creates(new, now).map_err(|refusal| refusal.limit).err()
    };
    assert_eq!(refused(&one, &[new(1), new(1)], start()), Some(LimitName::CreatesPerDay));
    assert_eq!(refused(&one, &[new(51)], start()), Some(LimitName::PerChange));
    assert_eq!(refused(&one, &[new(1), new(1)], start() + SignedDuration::from_hours(24)), None);
}

#[test]
fn a_stopped_key_adds_nothing_and_may_pause_and_lower() {
    let one = reserve(&spending(limit(CAP, 0, None)), 1, &paused(30), status(CampaignStatus::Active)).unwrap();
    let one = one.settle(id(1), ChangeEffect::Some(Some(&active(30))), day(start()));
    for limit in [one.limit.clone(), None] {
        let stopped = Spending { stopped_at: Some(start()), limit, ..one.clone() };
        assert!(reserve(&stopped, 2, &paused(1), status(CampaignStatus::Active)).is_err());
        assert!(reserve(&stopped, 1, &active(30), budget(31)).is_err());
        assert!(
            stopped
                .count_creates(&[NewBudget { connection: &connection(), currency: usd(), amount: 1.into() }], start())
                .is_err()
        );
        assert!(reserve(&stopped, 1, &active(30), budget(29)).is_ok());
        let pausing = reserve(&stopped, 1, &active(30), status(CampaignStatus::Paused)).unwrap();
        let freed = pausing.settle(id(1), ChangeEffect::Some(Some(&paused(30))), day(start()));
        assert_eq!(freed.daily(usd(), start()), 30.into(), "until the day is over");
        assert_eq!(freed.daily(usd(), day(start()).ends_at), Decimal::ZERO);
    }
}

#[test]
fn a_campaign_found_paused_frees_its_contribution() {
    let one = reserve(&spending(limit(CAP, 0, None)), 1, &paused(30), status(CampaignStatus::Active)).unwrap();
    let campaign = campaign(1);
    let pending = one.contributions[&campaign].clone();
    assert_eq!(one.observed(&campaign, &pending, day(start())), one, "a change is under way");
    let one = one.settle(id(1), ChangeEffect::Some(Some(&active(30))), day(start()));
    let seen = one.contributions[&campaign].clone();
    let freed = one.observed(&campaign, &seen, day(start()));
    assert_eq!(freed.daily(usd(), start()), 30.into(), "until the day is over");
    assert_eq!(freed.daily(usd(), day(start()).ends_at), Decimal::ZERO);
    assert_eq!(one.observed(&campaign, &pending, day(start())), one, "it has changed since");
    let rested = freed.contributions[&campaign].clone();
    assert_eq!(freed.observed(&campaign, &rested, day(start() + SignedDuration::from_hours(1))), freed);
}

#[test]
fn activations_of_the_key_count_until_the_campaign_stops() {
    let spending = spending(limit(CAP, 0, None));
    let one = apply(&spending, 1, &paused(60), &active(60));
    // Others have raised it, and the key lowers it by more than it has added.
    let lowered = apply(&one, 1, &active(200), &active(100));
    let tomorrow = start() + SignedDuration::from_hours(24);
    let later = |spending: &Spending| {
        let other = reserve_in(spending, 2, &paused(1), status(CampaignStatus::Active), tomorrow).unwrap();
        other.contributions.get(&campaign(1)).cloned()
    };
    assert_eq!(lowered.daily(usd(), tomorrow), Decimal::ZERO);
    assert!(later(&lowered).is_some_and(|one| !one.is_freed()), "it runs because of the key");
    assert_eq!(later(&apply(&lowered, 1, &active(100), &paused(100))), None);
    let seen = lowered.contributions[&campaign(1)].clone();
    assert_eq!(later(&lowered.observed(&campaign(1), &seen, day(start()))), None, "somebody else has paused it");
    let raised = apply(&apply(&spending, 1, &active(100), &active(150)), 1, &active(150), &active(100));
    assert_eq!(later(&raised), None, "others have it running, as before");
}

fn asking(activation: bool, amount: i64) -> Spending {
    let approval = Some(ApprovalRule { activation, amounts: vec![(usd(), amount.into())] });
    spending(SpendingLimit { approval, ..limit(1_000, 0, None) })
}

#[test]
fn a_person_is_asked_for_activations_and_for_more_than_the_amount() {
    let asks = |spending: &Spending, before: &CampaignValues, changes: CampaignChanges| {
        let action = Action::Update(changes.against(before));
        spending.needs_approval(&LimitedAction { before, action: &action }, None, start())
    };
    let spending = asking(true, 50);
    assert!(asks(&spending, &paused(10), status(CampaignStatus::Active)));
    assert!(!asks(&spending, &active(100), budget(150)) && asks(&spending, &active(100), budget(151)));
    assert!(asks(&spending, &paused(100), budget(151)), "of a paused one too");
    assert!(!asks(&spending, &active(100), status(CampaignStatus::Paused)), "pausing is free");
    assert!(!asks(&spending, &active(100), budget(10)), "lowering is free");
    assert!(!asks(&asking(false, 50), &paused(50), status(CampaignStatus::Active)), "not more than the amount");
    assert!(!asks(&self::spending(limit(1_000, 0, None)), &paused(500), status(CampaignStatus::Active)), "no rule");
    let connection = connection();
    let new = |amount: i64| NewBudget { connection: &connection, currency: usd(), amount: amount.into() };
    assert!(spending.create_needs_approval(&new(51)) && !spending.create_needs_approval(&new(50)));
}

/// The raises of the day after a change that counts against one limit.
fn raised_by(
    spending: &Spending,
    limited: &LimitedAction<'_>,
    before: Option<Raised>,
    is_approved: bool,
) -> Option<Raised> {
    let spendings: Spendings = [spending.clone()].into_iter().collect();
    spendings.raised(limited, before, is_approved, day(start()))
}

/// Makes changes with a key that is asked above 50, each as `(before, changes, is_approved)`, until one needs a person;
/// returns the number of those made.
fn made(steps: Vec<(CampaignValues, CampaignChanges, bool)>) -> usize {
    let (spending, mut raised) = (asking(false, 50), None);
    for (number, (before, changes, is_approved)) in steps.into_iter().enumerate() {
        let action = Action::Update(changes.against(&before));
        let limited = LimitedAction { before: &before, action: &action };
        if !is_approved && spending.needs_approval(&limited, raised, start()) {
            return number;
        }
        raised = raised_by(&spending, &limited, raised, is_approved);
    }
    usize::MAX
}

#[test]
fn the_raises_of_a_day_are_asked_about_as_one() {
    let raise = |from: i64, to: i64| (active(from), budget(to), false);
    let lower = raise;
    let all = usize::MAX;
    for (case, steps, expected) in [
        ("in two steps", vec![raise(100, 140), raise(140, 150)], all),
        ("above it in two steps", vec![raise(100, 140), raise(140, 151)], 1),
        ("over the lowest", vec![lower(100, 70), raise(70, 120), lower(120, 80), raise(80, 121)], 3),
        (
            "a cycle is no sum",
            vec![raise(100, 140), lower(140, 100), raise(100, 140), lower(140, 100), raise(100, 150)],
            all,
        ),
        ("a failed one leaves nothing", vec![raise(100, 150), raise(100, 150), raise(100, 151)], 2),
        ("an activation", vec![(paused(40), status(CampaignStatus::Active), false), raise(40, 51)], 1),
        ("of a paused one", vec![(paused(40), budget(80), false), (paused(80), budget(91), false)], 1),
        (
            "after an approval",
            vec![raise(100, 140), (active(140), budget(300), true), raise(300, 350), raise(350, 351)],
            3,
        ),
        ("after somebody else", vec![raise(100, 150), raise(200, 250), raise(250, 251)], 2),
        ("one that arrives late is nobody else", vec![raise(100, 150), lower(100, 90), raise(150, 151)], 2),
        (
            "another period",
            vec![raise(100, 140), (values(CampaignStatus::Active, 40, BudgetPeriod::Lifetime), budget(90), false)],
            all,
        ),
    ] {
        assert_eq!(made(steps), expected, "{case}");
    }
}

#[test]
fn raises_end_with_the_day_and_leave_keys_without_an_amount_alone() {
    let (before, action) = (active(100), Action::Update(budget(150)));
    let limited = LimitedAction { before: &before, action: &action };
    let raised = raised_by(&asking(false, 50), &limited, None, false).unwrap();
    assert!(raised.counts(start()) && !raised.counts(day(start()).ends_at));
    let (before, action) = (active(150), Action::Update(budget(160)));
    let next = LimitedAction { before: &before, action: &action };
    assert!(asking(false, 50).needs_approval(&next, Some(raised), start()));
    assert!(!asking(false, 50).needs_approval(&next, Some(raised), raised.until));
    let plain = spending(limit(1_000, 0, None));
    assert_eq!(raised_by(&plain, &next, Some(raised), false), Some(raised), "it decides by itself");
    assert!(!plain.needs_approval(&next, Some(raised), start()));
}

#[test]
fn an_approval_covers_as_much_as_the_person_saw_and_no_more() {
    let covers = |seen: CampaignValues, requested: CampaignChanges, now: &CampaignValues| {
        let by = Requester::Person { id: PersonId("p".to_owned()), email: None };
        let approval = Approval { by: Approver::in_person(by, Uuid::nil()), at: start(), seen: Some(seen) };
        let action = Action::Update(requested.clone().against(now));
        LimitedAction { before: now, action: &action }.is_covered_by(&approval, &Action::Update(requested), start())
    };
    let on = || status(CampaignStatus::Active);
    assert!(covers(paused(50), on(), &paused(50)) && covers(paused(50), on(), &paused(40)));
    assert!(!covers(paused(50), on(), &paused(51)), "raised since");
    assert!(covers(paused(50), on(), &active(50)), "activated by somebody else");
    assert!(!covers(paused(50), on(), &values(CampaignStatus::Paused, 50, BudgetPeriod::Lifetime)), "another period");
    assert!(covers(active(100), budget(150), &active(120)) && !covers(active(100), budget(150), &active(99)));
    assert!(covers(active(100), budget(150), &paused(120)), "paused since");
    assert!(!covers(paused(100), budget(150), &active(100)), "activated since");
    assert!(!covers(active(200), budget(150), &active(100)), "it lowered, and would raise now");
    let unread = CampaignValues { budget_amount: None, ..paused(1) };
    assert!(!covers(unread, on(), &paused(1)), "what was not known is not approved");
    let ending =
        |hours: i64| CampaignValues { end_at: Some(start() + SignedDuration::from_hours(hours)), ..paused(50) };
    assert!(covers(ending(9), on(), &ending(9)) && covers(paused(50), on(), &ending(9)), "no longer than seen");
    assert!(!covers(ending(9), on(), &ending(10)) && !covers(ending(9), on(), &paused(50)), "it would run for longer");
}

/// What truly runs: the campaigns, and what the key has added to each.
struct Truth {
    campaigns: Vec<CampaignValues>,
    shares: [Decimal; CAMPAIGNS],
    /// The largest share of the day.
    day_shares: [Decimal; CAMPAIGNS],
}

impl Truth {
    /// Applies changes, of the key or of somebody else.
    fn apply(&mut self, number: usize, changes: &CampaignChanges, by_key: bool) {
        let campaign = &mut self.campaigns[number];
        let (had, ran) = (campaign.budget_amount.unwrap(), campaign.status == CampaignStatus::Active);
        campaign.status = changes.status.unwrap_or(campaign.status);
        campaign.budget_amount = changes.budget_amount.or(campaign.budget_amount);
        let (has, runs) = (campaign.budget_amount.unwrap(), campaign.status == CampaignStatus::Active);
        let share = &mut self.shares[number];
        *share = match (ran, runs, by_key) {
            (_, false, _) | (false, true, false) => Decimal::ZERO,
            (false, true, true) => has,
            (true, true, true) => (*share + has - had).clamp(Decimal::ZERO, has),
            (true, true, false) => (*share).min(has),
        };
        self.day_shares[number] = self.day_shares[number].max(*share);
    }

    fn total(&self) -> Decimal {
        self.day_shares.iter().copied().sum()
    }
}

/// Random changes of one campaign on one day: of others, of a key that is asked above 20, and of it with an approval; some
/// fail. Returns how many of the key's were refused.
fn split(seed: u64) -> usize {
    let runs = |campaign: &CampaignValues| match campaign.status {
        CampaignStatus::Active => campaign.budget_amount.unwrap(),
        _ => Decimal::ZERO,
    };
    let (mut numbers, spending) = (TestRandom(seed), asking(false, 20));
    let (mut campaign, mut raised, mut refused) = (active(60), None, 0);
    let mut decided = runs(&campaign);
    for step in 0..300 {
        let changes = random_changes(&mut numbers).against(&campaign);
        let after = campaign.after(&changes, start());
        let (kind, action) = (numbers.below(8), Action::Update(changes));
        let limited = LimitedAction { before: &campaign, action: &action };
        let (is_of_others, is_approved, fails) = (kind == 0, kind == 1, kind == 2);
        if !is_of_others {
            if !is_approved && spending.needs_approval(&limited, raised, start()) {
                refused += 1;
                continue;
            }
            raised = raised_by(&spending, &limited, raised, is_approved);
        }
        if !fails {
            campaign = after;
        }
        if is_of_others || is_approved {
            decided = runs(&campaign);
        }
        let (now, most) = (runs(&campaign), decided + Decimal::from(20));
        assert!(now <= most, "seed {seed}, step {step}: {now} runs, and {decided} was decided");
    }
    refused
}

#[test]
fn no_sequence_of_raises_passes_the_amount_without_a_person() {
    let refused: usize = (0..500).map(split).sum();
    assert!(refused > 5_000, "{refused} were refused");
}

/// A change that is under way.
struct Sent {
    number: usize,
    id: ChangeId,
    changes: CampaignChanges,
    /// Whether the platform has carried it out.
    is_applied: bool,
}

fn random_changes(numbers: &mut TestRandom) -> CampaignChanges {
    let amount = i64::try_from(numbers.below(80)).unwrap() + 1;
    match numbers.below(5) {
        0 => status(CampaignStatus::Paused),
        1 => status(CampaignStatus::Active),
        2 => CampaignChanges { budget_amount: Some(amount.into()), ..status(CampaignStatus::Active) },
        _ => budget(amount),
    }
}

/// Random changes of a key and of others, with lost responses and late outcomes. Returns how many the limit admitted.
fn run(seed: u64, steps: usize) -> usize {
    let mut numbers = TestRandom(seed);
    let mut truth = Truth {
        campaigns: (1..=CAMPAIGNS).map(|number| paused(i64::try_from(number * 15).unwrap())).collect(),
        shares: [Decimal::ZERO; CAMPAIGNS],
        day_shares: [Decimal::ZERO; CAMPAIGNS],
    };
    let mut spending = spending(limit(CAP, 0, None));
    let (mut now, mut sent, mut admitted) = (start(), Vec::<Sent>::new(), 0);
    for step in 0..steps {
        let number = usize::try_from(numbers.below(4)).unwrap();
        match numbers.below(12) {
            // Somebody else. A campaign that the key is activating is left alone: its budget is read before.
            0 if !sent.iter().any(|sent| sent.number == number) => {
                let changes = random_changes(&mut numbers);
                truth.apply(number, &changes, false);
            }
            1 => {
                let later = now + SignedDuration::from_hours(i64::try_from(numbers.below(9)).unwrap());
                if later >= day(now).ends_at {
                    truth.day_shares = truth.shares;
                }
                now = later;
            }
            2..=4 => {
                // The platform carries out what was sent, or it is settled.
                let Some(index) = (!sent.is_empty()).then(|| usize::try_from(numbers.below(9)).unwrap() % sent.len())
                else {
                    continue;
                };
                if !sent[index].is_applied && numbers.below(3) > 0 {
                    let (number, changes) = (sent[index].number, sent[index].changes.clone());
                    truth.apply(number, &changes, true);
                    sent[index].is_applied = true;
                    continue;
                }
                let ended = sent.remove(index);
                let after = truth.campaigns[ended.number].clone();
                let read = (numbers.below(4) > 0).then_some(&after);
                let outcome = if ended.is_applied { ChangeEffect::Some(read) } else { ChangeEffect::None };
                spending = spending.settle(ended.id, outcome, day(now));
            }
            _ if sent.iter().any(|sent| sent.number == number) => {}
            _ => {
                let before = truth.campaigns[number].clone();
                let changes = random_changes(&mut numbers).against(&before);
                let (campaign, connection) = (campaign(number), connection());
                let target = SpendingTarget { campaign: &campaign, connection: &connection, currency: usd() };
                let limited = LimitedAction { before: &before, action: &Action::Update(changes.clone()) };
                let id = ChangeId::new(now, Uuid::nil(), step);
                if let Ok(reserved) = spending.reserve(target, id, &limited, now) {
                    spending = reserved;
                    sent.push(Sent { number, id, changes, is_applied: false });
                    admitted += 1;
                }
            }
        }
        let total = truth.total();
        assert!(total <= Decimal::from(CAP), "seed {seed}, step {step}: {total} of {CAP} runs");
        let counted = spending.daily(usd(), now);
        assert!(counted >= truth.shares.iter().copied().sum(), "seed {seed}, step {step}: {counted} counts");
    }
    admitted
}

#[test]
fn no_sequence_of_changes_runs_more_than_the_limit() {
    let admitted: usize = (0..200).map(|seed| run(seed, 500)).sum();
    assert!(admitted > 10_000, "{admitted} were admitted");
}

fn of_user(limit: Option<SpendingLimit>) -> Spending {
    Spending { limit, ..Spending::none(Spender::User(ExternalRef::parse("shop42").unwrap())) }
}

fn user_limit(daily: i64) -> Option<SpendingLimit> {
    Some(SpendingLimit { connections: Vec::new(), ..limit(daily, 0, None) })
}

#[test]
fn a_user_has_the_limit_of_a_key_in_each_of_its_connections() {
    let one = apply(&of_user(user_limit(CAP)), 1, &paused(60), &active(60));
    assert_eq!(one.daily(usd(), start()), Decimal::from(60));
    assert_eq!(reserve(&one, 2, &paused(41), status(CampaignStatus::Active)), Err(LimitName::Daily));
    let free = apply(&one, 1, &active(60), &paused(60));
    assert_eq!(free.daily(usd(), day(start()).ends_at), Decimal::ZERO);
    let taken_away = one.limited_to(None);
    assert!(taken_away.contributions.is_empty(), "nothing is counted without a limit");
    let key = apply(&spending(limit(CAP, 0, None)), 1, &paused(60), &active(60));
    assert!(!key.limited_to(None).contributions.is_empty(), "a stop of a key needs it");
}

#[test]
fn a_paused_user_adds_nothing_and_frees_as_ever() {
    let running = apply(&of_user(user_limit(CAP)), 1, &paused(60), &active(60));
    for spending in [running.clone(), of_user(None)] {
        let stopped = Spending { stopped_at: Some(start()), ..spending };
        let refuses = |before: &CampaignValues, changes: CampaignChanges| {
            let action = Action::Update(changes);
            stopped.paused_for(&LimitedAction { before, action: &action }, start()).is_some()
        };
        assert!(refuses(&paused(1), status(CampaignStatus::Active)));
        assert!(refuses(&active(60), budget(61)));
        assert!(!refuses(&active(60), status(CampaignStatus::Paused)) && !refuses(&active(60), budget(5)));
        assert!(!refuses(&paused(60), budget(70)), "it runs nothing");
    }
    let stopped = Spending { stopped_at: Some(start()), ..running };
    let paused = apply(&stopped, 1, &active(60), &paused(60));
    assert_eq!(paused.daily(usd(), day(start()).ends_at), Decimal::ZERO);
}

#[test]
fn a_connection_takes_what_runs_there_to_its_new_user() {
    let (tomorrow, day) = (day(start()).ends_at, day(start()));
    let from = apply(&of_user(user_limit(CAP)), 1, &paused(60), &active(60));
    let shop = connected("conn_1", "1");
    let left = from.without_connection(&shop, true, day).unwrap();
    assert_eq!(left.daily(usd(), start()), Decimal::from(60), "the day's budget may be spent");
    assert_eq!(left.daily(usd(), tomorrow), Decimal::ZERO);
    assert!(left.has_left(&connection(), start()) && !left.has_left(&connection(), tomorrow));
    let joined = of_user(user_limit(50)).with_connection(&shop, Some(&from));
    assert_eq!(joined.daily(usd(), tomorrow), Decimal::from(60), "also above the limit");
    assert_eq!(reserve(&joined, 2, &paused(1), status(CampaignStatus::Active)), Err(LimitName::Daily));
    assert!(of_user(None).with_connection(&shop, Some(&from)).contributions.is_empty());
    let back = left.with_connection(&shop, Some(&joined));
    assert_eq!((back.daily(usd(), tomorrow), back.has_left(&connection(), start())), (Decimal::from(60), false));
    let elsewhere = connected("conn_2", "2");
    assert_eq!(from.without_connection(&elsewhere, false, day).unwrap().contributions, from.contributions);
    let under_way = reserve(&from, 1, &active(60), budget(70)).unwrap();
    assert_eq!(under_way.without_connection(&shop, true, day), None);
}

#[test]
fn what_runs_counts_again_once_its_connection_comes_back() {
    let (tomorrow, day) = (day(start()).ends_at, day(start()));
    let shop = connected("conn_1", "1");
    let lifetime = |state| values(state, 30, BudgetPeriod::Lifetime);
    let from = of_user(Some(SpendingLimit { connections: Vec::new(), ..limit(CAP, 50, None) }));
    let from = apply(&from, 1, &paused(60), &active(60));
    let from = apply(&from, 2, &lifetime(CampaignStatus::Paused), &lifetime(CampaignStatus::Active));
    let away = from.without_connection(&shop, false, day).unwrap();
    assert_eq!((away.daily(usd(), tomorrow), away.lifetime(usd())), (Decimal::ZERO, Decimal::ZERO), "nobody counts it");
    let sums = |one: &Spending| (one.daily(usd(), tomorrow), one.lifetime(usd()));
    let both = |daily: i64, lifetime: i64| (Decimal::from(daily), Decimal::from(lifetime));
    let back = away.with_connection(&shop, None);
    assert_eq!((sums(&back), back.away.len()), (both(60, 30), 0));
    let of_nobody = of_user(None).with_connection(&shop, Some(&from));
    assert_eq!(sums(&away.with_connection(&shop, Some(&of_nobody))), both(60, 30), "of a user without a limit");
    let again = connected("conn_3", "1");
    assert_eq!(sums(&away.with_connection(&again, None)), both(60, 30), "by another connection of the account");
    assert_eq!(sums(&away.with_connection(&connected("conn_2", "2"), None)), both(0, 0), "it is not back");
    let taken_over = from.without_connection(&shop, true, day).unwrap();
    assert!(taken_over.away.is_empty(), "another user counts it");
    let forgotten = away.limited_to(None).limited_to(user_limit(CAP));
    assert_eq!(sums(&forgotten.with_connection(&shop, None)), both(0, 0), "with the limit");
    // A later user with a limit has raised one of them, or paused and activated it.
    let later = of_user(user_limit(CAP)).with_connection(&shop, None);
    let raised = apply(&later, 1, &active(60), &active(70));
    assert_eq!(sums(&away.with_connection(&shop, Some(&raised))), both(70, 30), "what each has added");
    let activated = apply(&later, 1, &paused(40), &active(40));
    assert_eq!(sums(&away.with_connection(&shop, Some(&activated))), both(40, 30), "the whole budget is of the later");
}

#[test]
fn campaigns_that_are_away_take_up_room() {
    let (shop, day) = (connected("conn_1", "1"), day(start()));
    let mut spending = of_user(user_limit(10_000));
    for number in 0..MAX_CONTRIBUTIONS {
        spending = apply(&spending, number, &paused(1), &active(1));
    }
    let away = spending.without_connection(&shop, false, day).unwrap();
    let other = |at| reserve_in(&away, MAX_CONTRIBUTIONS, &paused(1), status(CampaignStatus::Active), at).map(drop);
    assert_eq!(other(day.ends_at), Err(LimitName::Contributions));
    assert_eq!(away.away.len(), MAX_CONTRIBUTIONS);
}

#[test]
fn a_new_connection_of_an_account_has_what_the_removed_one_ran() {
    let (tomorrow, day) = (day(start()).ends_at, day(start()));
    let from = apply(&of_user(user_limit(CAP)), 1, &paused(60), &active(60));
    let again = connected("conn_2", "1");
    let left = from.without_connection(&again, true, day).unwrap();
    assert_eq!(left.daily(usd(), tomorrow), Decimal::ZERO);
    assert!(left.has_left(&again.id, start()));
    let joined = of_user(user_limit(50)).with_connection(&again, Some(&from));
    assert_eq!(joined.daily(usd(), tomorrow), Decimal::from(60));
    assert_eq!(joined.contributions[&campaign(1)].connection, again.id);
    let under_way = reserve(&from, 1, &active(60), budget(70)).unwrap();
    assert_eq!(under_way.without_connection(&again, true, day), None, "sent through the removed one");
    let target = SpendingTarget { campaign: &campaign(1), connection: &again.id, currency: usd() };
    let limited = LimitedAction { before: &active(60), action: &Action::Update(budget(70)) };
    let reserved = from.reserve(target, id(2), &limited, start()).unwrap();
    assert_eq!(reserved.contributions[&campaign(1)].connection, again.id, "as it is now");
}

#[test]
fn a_change_counts_against_its_key_and_the_user_of_its_connection() {
    let (key, user) = (spending(limit(CAP, 0, None)), of_user(user_limit(50)));
    let both: Spendings = [key.clone(), user.clone()].into_iter().collect();
    let activate = |amount| {
        let before = &paused(amount);
        both.try_map(|one| reserve(one, 1, before, status(CampaignStatus::Active)))
    };
    assert_eq!(activate(51), Err(LimitName::Daily), "the smaller limit decides");
    let reserved = activate(50).unwrap().changed_from(&both);
    let stored = both.once_written(&reserved);
    assert_eq!(
        stored.iter().map(|one| (one.version, one.daily(usd(), start()))).collect::<Vec<_>>(),
        [(1, Decimal::from(50)), (1, Decimal::from(50))]
    );
    let failed = stored.map(|one| one.settle(id(1), ChangeEffect::None, day(start())));
    assert!(failed.iter().all(|one| one.daily(usd(), start()).is_zero()));
    assert!(failed.changed_from(&failed).is_empty());
    assert_eq!((both.key(), both.user()), (Some(&key), user.spender.user()));
}
