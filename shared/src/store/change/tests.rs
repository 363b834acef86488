use super::item::{item, parse};
use super::write::next_item;
use crate::domain::{
    Action, Attempt, CampaignId, CampaignStatus, CampaignValues, Change, ChangeError, ChangeId, ChangeOrigin,
    ChangeState, ChangeTarget, ConnectionId, Currency, CustomerId, KeyId, Platform, Purpose, Requester, Settlement,
    Transition,
};
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
    };
    let origin = ChangeOrigin {
        request: Uuid::nil(),
        requested_by: Requester::ApiKey { id: KeyId("key_1".to_owned()), name: String::new() },
    };
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
fn two_processes_do_not_write_the_same_item() {
    let change = waiting().postponed(at(99)).unwrap().change;
    assert_ne!(next_item(&change).unwrap(), next_item(&change).unwrap());
}
