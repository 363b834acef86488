use super::item::{item, parse};
use super::record::RecordMove;
use super::write::next_item;
use crate::domain::{
    Action, Approval, Approver, Attempt, BudgetPeriod, CampaignChanges, CampaignDefaults, CampaignDraft, CampaignId,
    CampaignRecord, CampaignStatus, CampaignValues, Change, ChangeError, ChangeId, ChangeOrigin, ChangeState,
    ChangeTarget, ConnectionId, Currency, CustomerId, DateChange, Executor, ExternalRef, FieldError, Goal, KeyId,
    Moment, NewCampaign, NewMonthlyBudget, PersonId, Platform, Purpose, Reason, Reference, ReportedStates, Requester,
    Settlement, Statement, TimeRule, Transition,
};
use crate::store::stored::assert_stored;
use crate::store::{Item, table_keys};
use jiff::Timestamp;
use uuid::Uuid;

const CUSTOMER: CustomerId = CustomerId(Uuid::nil());

/// Times with parts of a second, as processes have them.
fn at(second: i64) -> Timestamp {
    Timestamp::new(1_790_000_000 + second, 123_456_789).unwrap()
}

fn waiting() -> Change {
    let target = ChangeTarget {
        customer: CUSTOMER,
        platform: Platform::Delta,
        account_id: "7".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: Currency::from_code("USD").unwrap(),
        campaign: Some(CampaignId::new(Platform::Delta, "7", "1")),
        external_ref: None,
    };
    let origin =
        ChangeOrigin::new(Uuid::nil(), Requester::ApiKey { id: KeyId("key_1".to_owned()), name: String::new() });
    Change::scheduled(ChangeId::new(at(0), Uuid::nil(), 0), target, origin, Purpose::Time, Action::Delete, at(50))
}

fn values() -> CampaignValues {
    CampaignValues {
        name: "One".to_owned(),
        status: CampaignStatus::Paused,
        budget_amount: None,
        budget_period: None,
        currency: Currency::from_code("USD").unwrap(),
        start_at: Some(at(1)),
        end_at: None,
    }
}

/// A change in each state, and with each kind of next look.
fn changes() -> Vec<Change> {
    let made = |next: Option<Transition>| next.unwrap().change;
    let sending = waiting().sending(Attempt { number: 1, at: at(60), until: at(90) });
    let outcome =
        |state| Settlement { state, campaign: None, before: None, after: Some(values()), seen: None, at: at(80) };
    let error = || ChangeError { code: "CONFLICT".to_owned(), ..ChangeError::default() };
    let in_part = made(sending.rescheduled(Some(&values()), at(120)));
    vec![
        waiting(),
        made(waiting().postponed(at(99))),
        made(waiting().lateness_reported(at(99))),
        made(waiting().awaiting_approval(&values(), at(70))),
        sending.clone(),
        made(sending.left_unknown(Some(&values()), at(70))),
        made(sending.deferred_until(at(500))),
        made(sending.discarded(at(70))),
        made(sending.settled(&outcome(ChangeState::Applied))),
        made(sending.settled(&outcome(ChangeState::PartlyApplied(error())))),
        made(sending.settled(&outcome(ChangeState::Failed(error())))),
        made(waiting().ended(&ChangeState::Canceled(None), at(70))),
        made(in_part.ended(&ChangeState::Canceled(None), at(130))),
        made(in_part.ended(&ChangeState::Expired, at(130))),
        in_part,
    ]
}

/// A new campaign with every attribute, and one with as few as there may be.
fn new_campaigns() -> [NewCampaign; 2] {
    let draft = CampaignDraft {
        name: "Sale".to_owned(),
        goal: Goal::WebsiteTraffic,
        budget_amount: "50.10".parse().unwrap(),
        budget_period: BudgetPeriod::Total,
        start_at: Moment::parse("2026-12-01T09:00:00Z"),
        end_at: Moment::parse("2026-12-31"),
        defaults: Some(CampaignDefaults { country: Some("DE".to_owned()), ..CampaignDefaults::without_categories() }),
    };
    let few = NewCampaign {
        draft: CampaignDraft { start_at: None, end_at: None, defaults: None, ..draft.clone() },
        held_start_at: None,
        held_end_at: None,
        monthly: None,
    };
    let all = NewCampaign {
        draft,
        held_start_at: Some(at(1)),
        held_end_at: Some(at(2)),
        monthly: Some(NewMonthlyBudget { amount: "3000.00".parse().unwrap(), day: jiff::civil::date(2026, 12, 1) }),
    };
    [all, few]
}

/// A change with all that the caller may call it.
fn named(change: Change) -> Change {
    Change {
        reference: Reference::parse("order-42"),
        key_digest: Some("d1".to_owned()),
        external_ref: ExternalRef::parse("user42"),
        ..change
    }
}

/// A create and an update with every attribute, and with as few as there may be.
fn all_and_few() -> Vec<Change> {
    let person =
        |email: Option<&str>| Requester::Person { id: PersonId("ab12".to_owned()), email: email.map(Into::into) };
    let [all, few] = new_campaigns();
    let create = |new| Change { campaign: None, apply_at: None, action: Action::Create(new), ..waiting() };
    let changes = CampaignChanges {
        name: Some("New".to_owned()),
        status: Some(CampaignStatus::ScheduledForDeletion),
        budget_amount: Some("60.5".parse().unwrap()),
        budget_period: Some(BudgetPeriod::Lifetime),
        start_at: Some(DateChange::Set(at(5))),
        end_at: Some(DateChange::Clear),
    };
    let full = CampaignValues {
        budget_amount: Some("50.00".parse().unwrap()),
        budget_period: Some(BudgetPeriod::Daily),
        end_at: Some(at(2)),
        ..values()
    };
    let error = ChangeError {
        code: "VALIDATION_ERROR".to_owned(),
        reason: Some(Reason::PlatformRefused),
        message: Statement::Fields(vec![FieldError::new("end_at", TimeRule::AfterStart)]),
        is_refusal: true,
        platform_code: Some("100".to_owned()),
        platform_message: Some("Too low.".to_owned()),
        field: Some("end_at".to_owned()),
    };
    let approver =
        Approver { person: Some("Ada of shop 42".to_owned()), ..Approver::in_person(person(None), Uuid::nil()) };
    let update = Change {
        action: Action::Update(changes.clone()),
        only_if: Some(CampaignChanges { start_at: None, ..changes }),
        requested_by: person(Some("ada@example.com")),
        executed_by: Executor::Approval,
        approval: Some(Approval { by: approver, at: at(3), seen: Some(full.clone()) }),
        asked: Some(values()),
        state: ChangeState::Failed(error),
        is_held: true,
        is_step: true,
        is_limited: true,
        limited_user: ExternalRef::parse("user42"),
        stops: Some(KeyId("key_2".to_owned())),
        before: Some(full),
        after: Some(values()),
        attempt: 3,
        sent_at: Some(at(4)),
        settled_at: Some(at(6)),
        told: ReportedStates { in_doubt: Some(2), late: true },
        ..waiting()
    };
    let few_changes = Change { action: Action::Update(CampaignChanges::default()), ..waiting() };
    vec![
        Change { key_digest: Some("d1".to_owned()), ..create(all.clone()) },
        create(few),
        update,
        few_changes,
        named(create(all)),
        named(waiting()),
    ]
}

#[test]
fn the_items_of_changes_stay_as_they_are() {
    assert_stored("change", changes().iter().chain(&all_and_few()).map(|change| item(change).unwrap()));
}

#[test]
fn a_change_is_read_with_every_attribute() {
    for change in all_and_few() {
        let read = parse(CUSTOMER, item(&change).unwrap()).unwrap();
        // Two times are stored in milliseconds or seconds, and the next look is that of the state.
        let Change { apply_at, send_deadline, expires_at, next_look, .. } = read.clone();
        assert_eq!(read, Change { apply_at, send_deadline, expires_at, next_look, ..change });
    }
}

#[test]
fn a_change_is_read_as_it_was_stored() {
    for change in changes() {
        let stored = item(&change).unwrap();
        let read = parse(CUSTOMER, stored.clone()).unwrap();
        assert_eq!(item(&read).unwrap(), stored, "{:?}", change.state);
        assert_eq!((&read.state, read.version), (&change.state, change.version));
        let seconds = |change: &Change| change.due_at().map(Timestamp::as_second);
        assert_eq!(seconds(&read), seconds(&change), "{:?}", change.state);
    }
}

#[test]
fn only_what_waits_is_open_and_only_what_has_no_outcome_is_due() {
    for change in changes() {
        let stored = item(&change).unwrap();
        let has = |names: [&str; 2]| names.map(|name| stored.contains_key(name));
        assert_eq!(has([table_keys::OPEN_KEY, table_keys::OPEN_SORT]), [change.is_open(); 2], "{:?}", change.state);
        let is_due = change.due_at().is_some();
        assert_eq!(has([table_keys::DUE_KIND, table_keys::DUE_AT]), [is_due; 2], "{:?}", change.state);
    }
}

#[test]
fn a_record_of_before_versions_is_read_as_version_0() {
    let before: Item = item(&waiting()).unwrap().into_iter().filter(|(name, _)| name != "version").collect();
    let read = parse(CUSTOMER, before).unwrap();
    assert_eq!((read.version, read.ended(&ChangeState::Expired, at(60)).unwrap().change.version), (0, 1));
}

#[test]
fn a_move_of_a_record_tells_of_a_change_when_it_stores_it() {
    let (record, put) = (CampaignRecord::default(), [waiting()]);
    let campaign = put[0].campaign.as_ref().unwrap();
    let moved = RecordMove { campaign, before: &record, after: record.clone(), cancel: &[], put: &put, at: at(7_200) };
    let times: Vec<i64> = moved.events().iter().map(|event| event.at().as_millisecond()).collect();
    assert_eq!(times, [at(7_200).as_millisecond()], "not when its request came");
}

#[test]
fn two_processes_do_not_write_the_same_item() {
    let change = waiting().postponed(at(99)).unwrap().change;
    assert_ne!(next_item(&change).unwrap(), next_item(&change).unwrap());
}

/// A create from before the index `idempotency` has the digest alone, at the same place.
#[test]
fn a_create_of_before_the_indexes_of_names_keeps_its_key() {
    let create = all_and_few().remove(0);
    let stored = item(&create).unwrap();
    let before: Item = stored.clone().into_iter().filter(|(name, _)| name != table_keys::IDEMPOTENCY_KEY).collect();
    assert_eq!(before.len(), stored.len() - 1);
    assert_eq!(parse(CUSTOMER, before).unwrap().key_digest.as_deref(), Some("d1"));
}

#[test]
fn what_the_caller_calls_a_change_is_a_key_of_an_index() {
    let keys = [table_keys::REFERENCE_KEY, table_keys::IDEMPOTENCY_KEY, table_keys::USER_KEY];
    let all = all_and_few();
    let [.., few, created, waiting] = all.as_slice() else { panic!() };
    let stored = |change: &Change| item(change).unwrap();
    assert_eq!(keys.map(|key| stored(few).contains_key(key)), [false; 3]);
    for change in [created, waiting] {
        let item = stored(change);
        let value = |key| item[key].as_s().unwrap().clone();
        let of = |name: &str| format!("{}#{name}", table_keys::customer(CUSTOMER));
        assert_eq!(keys.map(value), [of("order-42"), of("d1"), of("user42")]);
    }
}
