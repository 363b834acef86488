use super::sum::Sum;
use super::*;
use crate::kit::campaign_sample;
use crate::kit::changes::sample::{at, create, draft, now, person, update, values};
use crate::kit::known_campaign::SeenCampaign;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignValues, ChangeError, Currency, Requester};
use std::slice;

const ID: &str = "alpha_1_2";

fn key() -> KeyId {
    KeyId("key_1".to_owned())
}

fn bot() -> Requester {
    Requester::ApiKey { id: key(), name: "Bot".to_owned() }
}

fn has(status: CampaignStatus, amount: u32) -> CampaignValues {
    CampaignValues { status, budget_amount: Some(amount.into()), ..values("Spring") }
}

/// An applied change from one state to another, this many seconds after the first.
fn step(second: i64, by: Requester, from: &CampaignValues, to: &CampaignValues) -> Change {
    let asked = CampaignChanges {
        status: (from.status != to.status).then_some(to.status),
        budget_amount: to.budget_amount.filter(|amount| Some(*amount) != from.budget_amount),
        ..CampaignChanges::default()
    };
    let sent_at = now() + jiff::SignedDuration::from_secs(second);
    Change {
        id: shared::domain::ChangeId::first_at(sent_at),
        requested_by: by,
        state: ChangeState::Applied,
        before: Some(from.clone()),
        after: Some(to.clone()),
        sent_at: Some(sent_at),
        ..update(asked)
    }
}

fn campaign(values: &CampaignValues) -> Campaign {
    let CampaignValues { name, status, budget_amount, budget_period, currency, start_at, end_at } = values.clone();
    Campaign { name, status, budget_amount, budget_period, currency, start_at, end_at, ..campaign_sample::campaign(ID) }
}

fn touched(own: Vec<Change>, history: Vec<Change>, is: &CampaignValues) -> Touched {
    Touched::of(&key(), CampaignId::parse(ID).unwrap(), own, history, Ok(campaign(is)))
}

fn plan(one: Touched) -> RevertPlan {
    RevertPlan::of(&[one], at("2026-12-01T10:00:00Z"))
}

fn stays(plan: &RevertPlan) -> &str {
    assert!(plan.rows.is_empty(), "{plan:?}");
    &plan.stay[0].reason
}

use CampaignStatus::{Active, Paused};

#[test]
fn a_raised_campaign_that_the_stop_paused_runs_as_before() {
    let (before, raised, stopped) = (has(Active, 50), has(Active, 275), has(Paused, 275));
    let own = step(1, bot(), &before, &raised);
    let pause = Change { stops: Some(key()), ..step(2, person(Some("ada@example.com")), &raised, &stopped) };
    let ids = format!("{},{}", own.id, pause.id);
    let plan = plan(touched(vec![own.clone()], vec![pause, own], &stopped));
    let row = &plan.rows[0];
    assert_eq!((row.now.as_str(), row.before.as_str()), ("Paused, 275.00 USD a day", "Active, 50.00 USD a day"));
    assert_eq!((row.notes.len(), &row.changes, row.activates), (1, &ids, true));
    let counted = Counted::of(plan.rows.iter());
    assert_eq!((counted.activated, &counted.sums[..]), (1, &["0.00 → 50.00 USD a day: 50.00 USD more".to_owned()][..]));
    assert_eq!(Counted::of(plan.rows.iter().take(0)), Counted::default(), "nothing is ticked");
}

#[test]
fn the_sum_says_what_is_taken_and_other_budgets_are_not_in_it() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let lowered = plan(touched(vec![step(1, bot(), &before, &raised)], Vec::new(), &raised));
    let counted = Counted::of(lowered.rows.iter());
    assert_eq!((&counted.sums[0][..], counted.activated), ("275.00 → 50.00 USD a day: 225.00 USD less", 0));
    assert_eq!(counted.differences, ["225.00 USD a day less"]);
    let daily = lowered.rows[0].daily.unwrap();
    assert_eq!((daily.millionths().as_str(), daily.currency(), daily.decimals()), ("275000000 50000000", "USD", 2));
    let whole = |values: CampaignValues| CampaignValues { budget_period: Some(BudgetPeriod::Lifetime), ..values };
    let (before, raised) = (whole(before), whole(raised));
    let other = plan(touched(vec![step(1, bot(), &before, &raised)], Vec::new(), &raised));
    let counted = Counted::of(other.rows.iter());
    assert_eq!((other.rows.len(), counted.sums.len(), counted.not_daily), (1, 0, 1));
}

#[test]
fn what_somebody_else_changed_after_stays() {
    let (before, raised, other) = (has(Active, 50), has(Active, 275), has(Active, 120));
    let own = step(1, bot(), &before, &raised);
    let ana = step(2, person(Some("ana@example.com")), &raised, &other);
    let plan = |history: Vec<Change>, is: &CampaignValues| plan(touched(vec![own.clone()], history, is));
    let by_ana = "ana@example.com changed it after: 120.00 USD a day. Change it on its page.";
    assert_eq!(stays(&plan(vec![ana.clone()], &other)), by_ana);
    assert!(stays(&plan(Vec::new(), &other)).starts_with("Somebody at Google Ads changed it after"));
    let status = has(Paused, 275);
    let paused = step(2, person(Some("ana@example.com")), &raised, &status);
    let row = plan(vec![paused], &status).rows.remove(0);
    assert_eq!((row.now.as_str(), row.before.as_str()), ("Paused, 275.00 USD a day", "Paused, 50.00 USD a day"));
    assert_eq!(row.notes, ["Stays paused: ana@example.com paused it."], "another field is not the key's");
    assert_eq!(plan(Vec::new(), &status).rows[0].notes, ["Stays paused."], "at the platform itself");
    assert_eq!(plan(vec![ana], &before).as_before, 1, "it has been set back");
}

#[test]
fn a_change_between_two_of_the_key_is_no_former_value() {
    let (first, second) =
        (step(1, bot(), &has(Active, 50), &has(Active, 100)), step(3, bot(), &has(Active, 120), &has(Active, 275)));
    let ana = step(2, person(Some("ana@example.com")), &has(Active, 100), &has(Active, 120));
    let plan = plan(touched(vec![second, first], vec![ana], &has(Active, 275)));
    assert!(stays(&plan).starts_with("ana@example.com changed it in between."));
}

#[test]
fn a_created_campaign_is_paused_and_a_deleted_one_stays() {
    let (new, runs) = (has(Paused, 50), has(Active, 50));
    let created = Change {
        id: shared::domain::ChangeId::first_at(now()),
        requested_by: bot(),
        state: ChangeState::Applied,
        after: Some(new.clone()),
        ..create(draft("Spring"))
    };
    let activated = step(1, bot(), &new, &runs);
    let row = plan(touched(vec![activated, created.clone()], Vec::new(), &runs)).rows.remove(0);
    assert_eq!((row.before.as_str(), row.notes), ("Paused", vec!["Pauses it: it did not exist before.".to_owned()]));
    let alone = |is: &CampaignValues| stays(&plan(touched(vec![created.clone()], Vec::new(), is))).to_owned();
    assert!(alone(&new).contains("spends nothing") && alone(&runs).contains("somebody else activated it"));
    assert_eq!(alone(&has(CampaignStatus::Archived, 50)), DELETED);
    let unread = Refusal {
        status: 502,
        message: "It does not answer.".to_owned(),
        details: Vec::new(),
        reason: None,
        request_id: String::new(),
    };
    let one = Touched::of(&key(), CampaignId::parse(ID).unwrap(), vec![created.clone()], Vec::new(), Err(unread));
    assert_eq!(stays(&plan(one)), "It does not answer.");
}

#[test]
fn a_change_without_an_undo_names_the_reason() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let own = step(1, bot(), &before, &raised);
    let partly = Change { state: ChangeState::PartlyApplied(ChangeError::default()), ..own.clone() };
    assert!(stays(&plan(touched(vec![partly], Vec::new(), &raised))).contains("only in part"));
    let sending = Change { state: ChangeState::Sending, ..own.clone() };
    assert!(stays(&plan(touched(vec![sending], Vec::new(), &raised))).contains("on its way"));
    let currency = Currency::from_code("JPY").unwrap();
    let sum = Sum { now: Total::of(Some(Decimal::from(5))), then: Total::of(Some(Decimal::from(5))) };
    assert_eq!(sum.words(currency.code()), "5 → 5 JPY a day: as much as now");
}

#[test]
fn an_activated_campaign_that_a_person_has_paused_stays_paused() {
    let (before, runs, paused) = (has(Paused, 50), has(Active, 275), has(Paused, 275));
    let ana = step(2, person(Some("ana@example.com")), &runs, &paused);
    let row = plan(touched(vec![step(1, bot(), &before, &runs)], vec![ana], &paused)).rows.remove(0);
    assert_eq!((row.now.as_str(), row.before.as_str()), ("Paused, 275.00 USD a day", "Paused, 50.00 USD a day"));
    assert_eq!(row.notes, ["Stays paused: ana@example.com paused it."]);
}

#[test]
fn a_campaign_that_the_stop_has_not_paused_yet_stays_for_a_second_look() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let own = step(1, bot(), &before, &raised);
    let pause = step(2, person(Some("ada@example.com")), &raised, &has(Paused, 275));
    let open = |state| Change { stops: Some(key()), state, after: None, ..pause.clone() };
    for state in [ChangeState::Scheduled, ChangeState::Sending] {
        assert_eq!(stays(&plan(touched(vec![own.clone()], vec![open(state)], &raised))), NOT_PAUSED);
    }
}

#[test]
fn the_plan_says_what_runs_now() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let one = |is: &CampaignValues| touched(vec![step(1, bot(), &before, &raised)], Vec::new(), is);
    let words = |all: &[Touched]| RevertPlan::of(all, at("2026-12-01T10:00:00Z")).running.words();
    let both = [one(&raised), one(&raised), one(&has(Paused, 275))];
    assert_eq!(words(&both).as_deref(), Some("2 of these campaigns run now, with budgets of 550.00 USD a day."));
    assert_eq!(words(&[one(&has(Paused, 275))]).as_deref(), Some("None of these campaigns runs now."));
    assert!(one(&raised).has_any(&[one(&raised).own[0].id.to_string()]) && !one(&raised).has_any(&[]));
}

#[test]
fn a_campaign_that_ran_before_is_reverted_while_its_pause_waits() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let own = step(1, bot(), &before, &raised);
    let pause = step(2, person(Some("ada@example.com")), &raised, &has(Paused, 275));
    let waits = Change { stops: Some(key()), state: ChangeState::Scheduled, after: None, ..pause.clone() };
    let one = touched(vec![own.clone()], vec![waits], &raised).without_waiting_pause();
    let row = plan(one).rows.remove(0);
    let told = (row.now.as_str(), row.before.as_str(), row.changes);
    assert_eq!(told, ("275.00 USD a day", "50.00 USD a day", own.id.to_string()), "the pause is not undone with it");
    assert!(Touched::ran_before(std::slice::from_ref(&own)));
    let activated = step(1, bot(), &has(Paused, 50), &raised);
    assert!(!Touched::ran_before(&[activated]) && !Touched::ran_before(&[]));
    let sent = Change { stops: Some(key()), state: ChangeState::Sending, after: None, ..pause };
    let one = touched(vec![own], vec![sent], &raised).without_waiting_pause();
    assert_eq!(stays(&plan(one)), NOT_PAUSED, "its pause has begun");
}

#[test]
fn the_plan_says_what_is_left_and_what_runs_again() {
    let (before, raised, stopped) = (has(Active, 50), has(Active, 275), has(Paused, 275));
    let own = step(1, bot(), &before, &raised);
    let pause = Change { stops: Some(key()), ..step(2, person(None), &raised, &stopped) };
    let back = step(3, person(None), &stopped, &before);
    let one = |is: &CampaignValues| touched(vec![own.clone()], vec![back.clone(), pause.clone()], is);
    let plan =
        |is: &[CampaignValues]| RevertPlan::of(&is.iter().map(one).collect::<Vec<_>>(), at("2026-12-01T10:00:00Z"));
    let me = shared::domain::PersonId("p".to_owned());
    let reverted = plan(&[before.clone(), before.clone()]);
    assert_eq!(reverted.left.words().as_deref(), Some("Nothing of what it added runs any more."));
    assert_eq!(reverted.again.words(&me).as_deref(), Some("2 run again since you reverted"));
    assert_eq!(
        plan(slice::from_ref(&stopped)).left.words().as_deref(),
        Some("Nothing of what it added runs any more.")
    );
    assert_eq!(plan(&[stopped]).again.words(&me), None);
    let other = shared::domain::PersonId("other".to_owned());
    assert_eq!(plan(&[before]).again.words(&other).as_deref(), Some("1 runs again since"));
    let left = touched(vec![own.clone()], Vec::new(), &raised);
    let words = RevertPlan::of(&[left], at("2026-12-01T10:00:00Z")).left.words();
    assert_eq!(words.as_deref(), Some("Of this, +225.00 USD a day still runs."));
}

#[test]
fn a_silent_campaign_has_the_values_of_the_newest_record() {
    let (before, raised) = (has(Active, 50), has(Active, 275));
    let own = step(1, bot(), &before, &raised);
    let silent = |refusal: Refusal| {
        Touched::of(&key(), CampaignId::parse(ID).unwrap(), vec![own.clone()], Vec::new(), Err(refusal))
    };
    let kept = |values: &CampaignValues, at: jiff::Timestamp| {
        let campaign = CampaignSummary::from(&campaign(values));
        std::collections::HashMap::from([(ID.to_owned(), SeenCampaign { campaign, at, is_silent: true })])
    };
    let row = |one: Touched| {
        let row = plan(one).rows.remove(0);
        (row.now, row.before, row.notes[0].replace(crate::kit::text::TODAY, ""))
    };
    let later = own.send_deadline + jiff::SignedDuration::from_secs(60);
    let earlier = own.created_at() - jiff::SignedDuration::from_secs(60);
    let told = |now: &str, time: &str| {
        let note = format!("Seen like this at 1 Dec 2026, {time} UTC. It is read again before it is reverted.");
        (now.to_owned(), "50.00 USD a day".to_owned(), note)
    };
    let late = || silent(Refusal::late("Google Ads"));
    assert!(late().is_late() && late().is_silent());
    let of_change = told("275.00 USD a day", "09:00");
    assert_eq!(
        row(late().or_from_records(&kept(&before, earlier))),
        of_change,
        "what is kept is older than the change"
    );
    assert_eq!(row(late().or_from_records(&std::collections::HashMap::new())), of_change);
    let one = late().or_from_records(&kept(&before, later));
    assert!(!one.is_silent() && plan(one).as_before == 1, "a later reading has found it set back");
    let gone = silent(Refusal { status: 404, reason: None, ..Refusal::late("Google Ads") });
    assert_eq!(stays(&plan(gone.or_from_records(&kept(&raised, later)))), DELETED, "its platform has answered");
}
