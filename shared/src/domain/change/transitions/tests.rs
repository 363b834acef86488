use super::*;
use crate::domain::change::{Attempt, ChangeOrigin, ChangeTarget, NewCampaign, ReportedStates};
use crate::domain::{
    Action, Approval, Approver, BudgetPeriod, CampaignDraft, CampaignId, CampaignStatus, CampaignValues, ChangeError,
    ChangeId, ChangeStatus, ConnectionId, Currency, CustomerId, Event, EventKind, Executor, ExternalRef, Goal, KeyId,
    Platform, Purpose, Requester, Subject,
};
use ChangeState::{Applied, AwaitingApproval, Canceled, Expired, Failed, PartlyApplied, Rejected, Scheduled, Sending};
use jiff::SignedDuration;
use rust_decimal::Decimal;
use uuid::Uuid;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn values(name: &str) -> CampaignValues {
    CampaignValues {
        name: name.to_owned(),
        status: CampaignStatus::Paused,
        budget_amount: None,
        budget_period: None,
        currency: Currency::from_code("USD").unwrap(),
        start_at: None,
        end_at: None,
    }
}

fn attempt(number: i64, second: i64) -> Attempt {
    Attempt { number, at: at(second), until: at(second + 30) }
}

fn person() -> Approval {
    let by = Requester::Person { id: crate::domain::PersonId("p".to_owned()), email: None };
    Approval { by: Approver::in_person(by, Uuid::nil()), at: at(100), seen: None }
}

fn campaign() -> CampaignId {
    CampaignId::new(Platform::Delta, "7", "1")
}

/// A removal that waits for its time.
fn waiting() -> Change {
    let target = ChangeTarget {
        customer: CustomerId(Uuid::nil()),
        platform: Platform::Delta,
        account_id: "7".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: Currency::from_code("USD").unwrap(),
        campaign: Some(campaign()),
        external_ref: None,
    };
    let origin =
        ChangeOrigin::new(Uuid::nil(), Requester::ApiKey { id: KeyId("key_1".to_owned()), name: String::new() });
    Change::scheduled(ChangeId::of_name(at(0), "one"), target, origin, Purpose::Time, Action::Delete, at(50))
}

/// The removal in its first attempt.
fn sending() -> Change {
    waiting().sending(attempt(1, 60))
}

fn of_kind(state: &ChangeState) -> Change {
    let state = state.clone();
    match state {
        Scheduled => waiting(),
        Sending => sending(),
        AwaitingApproval => Change { state, send_deadline: at(0), apply_at: None, ..waiting() },
        _ => Change { state, settled_at: Some(at(70)), ..sending() },
    }
}

fn settlement(state: ChangeState, campaign: Option<CampaignId>) -> Settlement {
    Settlement { state, campaign, before: None, after: Some(values("after")), seen: None, at: at(80) }
}

fn refusal() -> ChangeError {
    ChangeError { is_refusal: true, ..ChangeError::default() }
}

type Move = fn(&Change) -> Option<Transition>;

/// Each transition, with the states in which it is possible.
fn moves() -> Vec<(&'static str, Move, &'static [&'static str])> {
    vec![
        ("begun", |change| change.begun(attempt(change.attempt + 1, 90)), &["Scheduled"]),
        ("retried", |change| change.retried(attempt(change.attempt + 1, 90)), &["Sending", "Failed"]),
        ("settled", |change| change.settled(&settlement(Applied, None)), &["Sending"]),
        ("found", |change| change.settled(&settlement(Applied, Some(campaign()))), &["Sending", "Failed"]),
        ("failed", |change| change.settled(&settlement(Failed(refusal()), Some(campaign()))), &["Sending"]),
        ("rescheduled", |change| change.rescheduled(None, at(90)), &["Sending"]),
        ("discarded", |change| change.discarded(at(90)), &["Sending"]),
        ("left unknown", |change| change.left_unknown(None, at(90)), &["Sending"]),
        ("unknown reported", |change| change.unknown_reported(at(90)), &["Sending"]),
        ("deferred", |change| change.deferred_until(at(90)), &["Sending"]),
        ("postponed", |change| change.postponed(at(90)), &["Scheduled"]),
        ("moved to the start", |change| change.moved_to_start(at(90)), &["Scheduled"]),
        ("lateness reported", |change| change.lateness_reported(at(90)), &["Scheduled"]),
        ("awaiting approval", |change| change.awaiting_approval(&values("now"), at(90)), &["Scheduled"]),
        ("approved", |change| change.approved(&person()), &["AwaitingApproval"]),
        (
            "begun on approval",
            |change| change.begun_on_approval(&person(), attempt(change.attempt + 1, 90)),
            &["AwaitingApproval"],
        ),
        ("ended", |change| change.ended(&Canceled(None), at(90)), &["Scheduled", "AwaitingApproval"]),
    ]
}

#[test]
fn a_transition_is_possible_in_its_states_alone() {
    let error = ChangeError::default;
    let states = [
        ("Scheduled", Scheduled),
        ("AwaitingApproval", AwaitingApproval),
        ("Sending", Sending),
        ("Applied", Applied),
        ("PartlyApplied", PartlyApplied(error())),
        ("Failed", Failed(error())),
        ("Canceled", Canceled(None)),
        ("Rejected", Rejected(error())),
        ("Expired", Expired),
    ];
    for (name, made, possible) in moves() {
        for (state, of) in &states {
            let known = of_kind(of);
            let next = made(&known);
            assert_eq!(next.is_some(), possible.contains(state), "{name} of {state}");
            if let Some(Transition { change, event }) = next {
                assert_eq!(change.version, known.version + 1, "{name}");
                let is_open = matches!(change.state, Scheduled | AwaitingApproval | Sending);
                assert_eq!(change.due_at().is_some(), is_open && name != "discarded", "{name} of {state}");
                let told = event.map(|event| event.subject);
                let is_of_it =
                    |told: &Subject| matches!(told, Subject::Change { change: told, .. } if **told == change);
                assert!(told.as_ref().is_none_or(is_of_it), "{name} of {state}");
            }
        }
        let discarded = sending().discarded(at(70)).unwrap().change;
        assert_eq!(made(&discarded), None, "{name} of one that was discarded");
    }
    assert_eq!(sending().discarded(at(70)).unwrap().change.renewed(at(90)), None);
}

#[test]
fn an_attempt_follows_the_latest_one() {
    assert!(sending().in_attempt(0).is_none() && sending().in_attempt(1).is_some());
    for number in [0, 2] {
        assert_eq!(waiting().begun(attempt(number, 90)), None, "{number}");
    }
    let refused = Change { state: Failed(refusal()), ..sending() };
    assert_eq!(refused.retried(attempt(2, 90)), None, "the same would be refused again");
    let failed = Change { state: Failed(ChangeError::default()), settled_at: Some(at(80)), ..sending() };
    let Transition { change, event } = failed.retried(attempt(2, 90)).unwrap();
    assert_eq!((change.state, change.attempt, change.settled_at, event), (Sending, 2, None, None));
    assert_eq!(change.sent_at, Some(at(90)));
}

/// The response of the platform has named the campaign: a search that finds nothing, or another one, is wrong.
#[test]
fn a_campaign_id_in_the_response_is_proof_of_the_create() {
    let draft = CampaignDraft::new("A".to_owned(), Goal::Sales, Decimal::from(50), BudgetPeriod::Daily);
    let new = NewCampaign { draft, held_start_at: None, held_end_at: None, monthly: None };
    let unnamed = Change { action: Action::Create(new), campaign: None, ..sending() };
    let named = Change { campaign: Some(campaign()), ..unnamed.clone() };
    let other = CampaignId::new(Platform::Delta, "7", "2");
    for outcome in [settlement(Failed(ChangeError::default()), None), settlement(Applied, Some(other))] {
        assert!(unnamed.settled(&outcome).is_some(), "{outcome:?}");
        assert_eq!(named.settled(&outcome), None, "{outcome:?}");
    }
    assert!(named.settled(&settlement(Applied, Some(campaign()))).is_some());
    assert!(!unnamed.may_leave_running() && named.may_leave_running());
}

#[test]
fn an_event_tells_each_transition_that_customers_hear_of_once() {
    let kind = |next: Option<Transition>| next.and_then(|next| next.event).map(|event| event.kind);
    let told = |change: &Change| Change {
        told: ReportedStates { in_doubt: Some(change.attempt), late: true },
        ..change.clone()
    };
    let previous = |next: Option<Transition>| match next.unwrap().event.unwrap().subject {
        Subject::Change { previous, .. } => previous,
        _ => None,
    };
    let applied = settlement(Applied, None);
    assert_eq!(kind(sending().settled(&applied)), Some(EventKind::ChangeApplied));
    assert_eq!(previous(sending().settled(&applied)), Some(ChangeStatus::Sending));
    assert_eq!(previous(told(&sending()).settled(&applied)), Some(ChangeStatus::Unknown));
    assert_eq!(kind(sending().left_unknown(None, at(70))), Some(EventKind::ChangeInDoubt));
    let again = told(&sending()).left_unknown(Some(&values("before")), at(70)).unwrap();
    assert_eq!((again.event, again.change.send_deadline), (None, at(70)), "told before");
    assert_eq!(again.change.before, Some(values("before")));
    assert_eq!(told(&sending()).unknown_reported(at(70)), None);
    assert_eq!(kind(waiting().lateness_reported(at(70))), Some(EventKind::ChangeLate));
    assert_eq!(told(&waiting()).lateness_reported(at(70)), None);
    assert!(!told(&waiting()).moved_to_start(at(90)).unwrap().change.told.late, "its time is another one");
    let ended = |state| kind(of_kind(&AwaitingApproval).ended(&state, at(90)));
    assert_eq!(ended(Expired), Some(EventKind::ChangeExpired));
    assert_eq!(ended(Rejected(refusal())), Some(EventKind::ChangeRejected));
    assert_eq!(ended(Canceled(None)), Some(EventKind::ChangeCanceled));
    assert_eq!(previous(waiting().ended(&Failed(refusal()), at(90))), Some(ChangeStatus::Scheduled));
}

#[test]
fn the_event_of_a_change_that_is_stored_hours_later_is_of_now() {
    let (now, wanted) = (at(7_200), [EventKind::ChangeScheduled, EventKind::ChangeAwaitingApproval]);
    for (change, kind) in [waiting(), of_kind(&AwaitingApproval)].iter().zip(wanted) {
        let event = Event::of_new(change, now).unwrap();
        assert_eq!((event.kind, event.at(), event.id), (kind, now, Event::of_new(change, now).unwrap().id));
        assert!(change.created_at() < now, "its id is as old as its request");
    }
    assert_eq!(Event::of_new(&sending(), now), None);
}

#[test]
fn what_had_an_effect_is_canceled_in_part() {
    let before = values("before");
    let waits = sending().rescheduled(Some(&before), at(90)).unwrap().change;
    assert_eq!((waits.due_at(), waits.sent_at, waits.attempt), (Some(at(90)), None, 1));
    assert_eq!(
        waits.ended(&Canceled(None), at(95)).unwrap().change.state,
        PartlyApplied(ChangeError::canceled_in_part())
    );
    assert_eq!(waits.ended(&Failed(refusal()), at(95)).unwrap().change.state, Failed(refusal()));
    let again = waits.sending(attempt(2, 100)).rescheduled(None, at(120)).unwrap().change;
    assert_eq!(again.before, None, "the next attempt reads the campaign anew");
    let without = Change { campaign: None, ..sending() };
    assert_eq!(without.rescheduled(None, at(90)), None);
}

#[test]
fn what_waits_goes_to_the_user_of_its_connection() {
    let user = ExternalRef::parse("shop43").unwrap();
    let given = waiting().postponed(at(500)).unwrap().change.given_to(Some(&user)).unwrap();
    assert_eq!((given.event, given.change.due_at()), (None, Some(at(500))));
    assert_eq!(given.change.external_ref, Some(user.clone()));
    assert_eq!(given.change.given_to(Some(&user)), None, "once");
    assert_eq!(given.change.given_to(None).unwrap().change.external_ref, None);
    assert_eq!(sending().given_to(Some(&user)), None, "it counts where it was asked for");
}

#[test]
fn maintenance_looks_when_the_state_says_unless_it_was_put_off() {
    let late = waiting().postponed(at(500)).unwrap().change;
    assert_eq!(late.due_at(), Some(at(500)));
    assert_eq!(late.lateness_reported(at(400)).unwrap().change.due_at(), Some(at(500)));
    assert_eq!(late.renewed(at(400)).unwrap().change.due_at(), Some(at(500)));
    assert_eq!(late.begun(attempt(1, 500)).unwrap().change.due_at(), Some(at(530)), "the end of the attempt");
    assert_eq!(late.moved_to_start(at(600)).unwrap().change.due_at(), Some(at(600)));
    let asked = late.awaiting_approval(&values("now"), at(400)).unwrap().change;
    assert_eq!(asked.due_at(), Some(at(400) + SignedDuration::from_hours(7 * 24)));
    let approved = asked.approved(&Approval { at: at(450), ..person() }).unwrap();
    assert_eq!((approved.change.due_at(), approved.change.executed_by), (Some(at(450)), Executor::Approval));
    assert_eq!(approved.event.map(|event| event.kind), Some(EventKind::ChangeApproved));
    assert_eq!(approved.change.awaiting_approval(&values("now"), at(460)), None, "a person has approved it");
    let until = asked.approval_until();
    assert_eq!(asked.approved(&Approval { at: until, ..person() }), None, "it has expired");
}

#[test]
fn a_retry_of_the_same_id_has_versions_of_its_own() {
    let draft = CampaignDraft::new("One".to_owned(), Goal::ALL[0], Decimal::ONE, BudgetPeriod::Daily);
    let new = NewCampaign { draft, held_start_at: None, held_end_at: None, monthly: None };
    let sent = |attempt| {
        let change = waiting();
        let target = ChangeTarget { campaign: None, ..change.target() };
        Change::immediate(change.id, target, change.origin(), Action::Create(new.clone()), attempt)
    };
    let failed = sent(attempt(1, 0)).settled(&settlement(Failed(ChangeError::default()), None)).unwrap().change;
    assert!(sent(attempt(2, 1)).version > failed.version + 1);
}
