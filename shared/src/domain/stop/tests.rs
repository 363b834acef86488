//! Tests of what a stop finds and reports.

use super::*;
use crate::domain::spending::Pending;
use crate::domain::{BudgetPeriod, CampaignDraft, CampaignValues, ChangeError, Executor, Goal, Platform};

/// The time of the stop.
const STOPPED: i64 = 1_000;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

fn key(name: &str) -> KeyId {
    KeyId(format!("key_{name}"))
}

fn by(name: &str) -> Requester {
    Requester::ApiKey { id: key(name), name: name.to_owned() }
}

fn campaign(number: usize) -> CampaignId {
    CampaignId::new(Platform::Delta, "7", &number.to_string())
}

fn stop() -> Stop {
    Stop::new(CustomerId(Uuid::nil()), key("agent"), by("owner"), Uuid::from_u128(7), at(STOPPED))
}

fn values(status: CampaignStatus, budget: i64) -> CampaignValues {
    let draft = CampaignDraft::new("One".into(), Goal::Sales, budget.into(), BudgetPeriod::Daily);
    CampaignValues { status, ..CampaignValues::of_draft(&draft, usd()) }
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

fn raise(amount: i64) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(amount.into()), ..CampaignChanges::default() }
}

/// A change of campaign 1 that is applied within a second.
fn change(who: &str, second: i64, before: CampaignStatus, changes: CampaignChanges) -> Change {
    let target = StopTarget {
        campaign: campaign(1),
        account_id: "7".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: usd(),
        external_ref: None,
    };
    Change {
        id: ChangeId::of_name(at(second), who),
        requested_by: by(who),
        executed_by: Executor::Request,
        action: Action::Update(changes),
        state: ChangeState::Applied,
        before: Some(values(before, 50)),
        stops: None,
        sent_at: Some(at(second)),
        send_deadline: at(second + 28),
        settled_at: Some(at(second + 1)),
        ..stop().pause(StopPhase::PauseAll, &target)
    }
}

fn activation(who: &str, second: i64) -> Change {
    change(who, second, CampaignStatus::Paused, status(CampaignStatus::Active))
}

fn pause(who: &str, second: i64) -> Change {
    change(who, second, CampaignStatus::Active, status(CampaignStatus::Paused))
}

/// Whether a stop pauses the campaign after these changes, and whether something is in flight.
fn listed(changes: &[Change], contribution: Option<&Contribution>) -> (bool, bool) {
    let mut history = CampaignHistory::default();
    changes.iter().for_each(|change| history.add(change, &key("agent")));
    let histories = BTreeMap::from([(campaign(1), history)]);
    let one = campaign(1);
    let listed = stop().list(contribution.map(|contribution| (&one, contribution)), &histories);
    (!listed.campaigns.is_empty(), !listed.in_flight.is_empty())
}

fn runs(changes: &[Change]) -> bool {
    listed(changes, None).0
}

#[test]
fn what_the_key_has_activated_or_raised_is_paused() {
    let running = |changes| change("agent", 10, CampaignStatus::Active, changes);
    assert!(runs(&[activation("agent", 10)]));
    assert!(runs(&[running(raise(60))]), "also one of others");
    assert!(!runs(&[running(raise(40))]), "lowered");
    assert!(!runs(&[running(status(CampaignStatus::Paused))]));
    assert!(!runs(&[change("agent", 10, CampaignStatus::Paused, raise(60))]), "it does not run");
    assert!(!runs(&[activation("owner", 10)]));
    assert!(!runs(&[Change { action: Action::Delete, ..activation("agent", 10) }]));
    let whole = CampaignChanges { status: Some(CampaignStatus::Active), ..raise(50) };
    assert!(!runs(&[running(whole)]), "it was like this before");
    let unread = Change { before: None, ..running(raise(40)) };
    assert!(runs(&[unread]), "what is not known counts");
}

#[test]
fn a_later_end_of_an_ended_campaign_is_an_activation() {
    let end_at = Some(crate::domain::DateChange::Set(at(99_000)));
    let longer = || CampaignChanges { end_at, ..CampaignChanges::default() };
    let extended = |who, second| change(who, second, CampaignStatus::Ended, longer());
    assert!(runs(&[extended("agent", 10)]));
    assert!(!runs(&[activation("agent", 10), extended("owner", 60)]), "somebody else lets it go on: it is theirs");
}

#[test]
fn only_what_the_platform_may_have_counts() {
    let with = |state| Change { state, ..activation("agent", 10) };
    let error = ChangeError::default;
    for state in [ChangeState::Applied, ChangeState::Sending, ChangeState::PartlyApplied(error())] {
        assert!(runs(&[with(state.clone())]), "{state:?}");
    }
    for state in [ChangeState::Failed(error()), ChangeState::Canceled(None)] {
        assert!(!runs(&[with(state.clone())]), "{state:?}");
    }
    assert!(runs(&[with(ChangeState::Scheduled)]), "it waits again after a part of it was applied");
    assert!(!runs(&[Change { before: None, ..with(ChangeState::Scheduled) }]), "no attempt had an effect");
}

#[test]
fn a_later_pause_or_removal_by_anybody_ends_it() {
    let removal = Change { action: Action::Delete, ..pause("owner", 20) };
    assert!(!runs(&[activation("agent", 10), pause("owner", 20)]));
    assert!(!runs(&[removal, activation("agent", 10)]), "in any order");
    assert!(runs(&[activation("agent", 30), pause("owner", 20)]));
    let overlapping = Change { sent_at: Some(at(10)), ..pause("owner", 20) };
    assert!(runs(&[activation("agent", 10), overlapping]), "either may be the last");
    let failed = Change { state: ChangeState::Failed(ChangeError::default()), ..pause("owner", 20) };
    assert!(runs(&[activation("agent", 10), failed]));
}

#[test]
fn what_somebody_else_has_activated_since_is_theirs() {
    let contribution = Contribution { daily: 50.into(), ..Contribution::none(&ConnectionId("conn_1".into()), usd()) };
    let theirs = [activation("agent", 10), pause("owner", 20), activation("owner", 30)];
    assert_eq!(listed(&theirs, None), (false, false));
    assert_eq!(listed(&theirs, Some(&contribution)), (false, false));
    assert_eq!(listed(&theirs[..2], Some(&contribution)), (true, false), "a pause by others frees nothing");
    let raised = change("agent", 40, CampaignStatus::Active, raise(60));
    assert!(runs(&[theirs.to_vec(), vec![raised]].concat()), "the key has added to it again");
    let no_effect = change("owner", 30, CampaignStatus::Active, status(CampaignStatus::Active));
    assert!(runs(&[activation("agent", 10), no_effect]), "it was active already");
}

#[test]
fn a_step_of_a_monthly_budget_does_not_say_who_runs_the_campaign() {
    let step = |change: Change| Change { is_held: true, is_step: true, ..change };
    let raised = step(change("agent", 40, CampaignStatus::Active, raise(60)));
    let (paused, resumed) = (step(pause("agent", 20)), step(activation("agent", 40)));
    assert!(!runs(&[activation("owner", 10), raised.clone()]));
    assert!(!runs(&[activation("owner", 10), paused.clone(), resumed.clone()]));
    assert!(runs(&[activation("agent", 10), paused]), "it goes on next month");
    let theirs = [activation("agent", 10), pause("owner", 20), activation("owner", 30)];
    assert!(!runs(&[theirs.to_vec(), vec![raised, resumed.clone()]].concat()));
    let in_flight = Change { state: ChangeState::Sending, settled_at: None, ..step(activation("owner", STOPPED - 10)) };
    assert_eq!(listed(&[activation("agent", 10), in_flight.clone()], None), (true, true), "paused once more");
    assert_eq!(listed(&[activation("owner", 10), in_flight], None), (false, false), "it is not the key's");
}

#[test]
fn what_was_activated_since_the_stop_is_not_paused() {
    let is_activated = |changes: &[Change]| {
        let mut history = CampaignHistory::default();
        changes.iter().for_each(|change| history.add(change, &key("agent")));
        history.is_activated_since(at(STOPPED))
    };
    assert!(is_activated(&[activation("agent", 10), activation("owner", STOPPED + 10)]));
    assert!(is_activated(&[activation("owner", STOPPED + 10)]), "what the key did has expired");
    assert!(!is_activated(&[activation("agent", 10), activation("owner", 20)]), "before the stop");
    let in_flight = Change { state: ChangeState::Sending, settled_at: None, ..activation("agent", STOPPED) };
    assert!(!is_activated(&[in_flight, activation("owner", STOPPED + 5)]), "either may be the last");
    assert!(!is_activated(&[activation("agent", STOPPED + 5)]), "it was in flight");
    assert!(is_activated(&[activation("agent", STOPPED + 100)]), "the key was resumed");
    assert!(!is_activated(&[pause("owner", STOPPED + 10)]));
}

#[test]
fn contributions_that_are_not_freed_are_paused() {
    let none = Contribution::none(&ConnectionId("conn_1".into()), usd());
    let pending = Pending {
        change: ChangeId::of_name(at(1), ""),
        daily: 1.into(),
        lifetime: 0.into(),
        is_whole: true,
        daily_before: None,
    };
    assert_eq!(listed(&[pause("owner", 5)], Some(&none)), (false, false));
    let daily = Contribution { daily: 5.into(), ..none.clone() };
    let lifetime = Contribution { lifetime: 5.into(), ..none.clone() };
    assert_eq!(listed(&[pause("owner", 5)], Some(&daily)), (true, false));
    assert_eq!(listed(&[pause("owner", 5)], Some(&lifetime)), (true, false));
    let in_flight = Contribution { pending: Some(pending), ..none };
    assert_eq!(listed(&[pause("owner", 5)], Some(&in_flight)), (true, true));
}

#[test]
fn what_may_take_effect_after_the_stop_is_in_flight() {
    let sending = |second: i64| Change { state: ChangeState::Sending, settled_at: None, ..activation("agent", second) };
    assert_eq!(listed(&[activation("agent", STOPPED - 2)], None), (true, false));
    assert_eq!(listed(&[activation("agent", STOPPED)], None), (true, true), "settled after the stop");
    assert_eq!(listed(&[sending(STOPPED - 10)], None), (true, true));
    assert_eq!(listed(&[sending(STOPPED - 100)], None), (true, false), "its platform has forgotten it");
    let settled_late = Change { settled_at: Some(at(STOPPED + 9)), ..activation("agent", STOPPED - 100) };
    assert_eq!(listed(&[settled_late], None), (true, false));
}

#[test]
fn a_stop_is_done_when_every_pause_holds() {
    let target = |number| StopTarget {
        campaign: campaign(number),
        account_id: "7".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: usd(),
        external_ref: None,
    };
    let pause = |phase, number, state| Change { state, ..stop().pause(phase, &target(number)) };
    let failed = |code: &str| ChangeState::Failed(ChangeError { code: code.to_owned(), ..ChangeError::default() });
    let canceled =
        |message: &str| ChangeState::Canceled(Some(ChangeError { message: message.into(), ..ChangeError::default() }));
    let ended = Stop { next: None, ..stop() };
    let told = |stop: &Stop, states: &[ChangeState]| {
        let pauses = states.iter().enumerate().map(|(number, state)| pause(StopPhase::PauseAll, number, state.clone()));
        let progress = stop.progress(&pauses.collect::<Vec<_>>());
        (progress.paused, progress.is_done)
    };
    assert_eq!(told(&ended, &[]), (0, true));
    assert_eq!(told(&stop(), &[]), (0, false), "a phase is left");
    assert_eq!(told(&ended, &[ChangeState::Applied, ChangeState::Scheduled]), (1, false));
    assert_eq!(told(&ended, &[ChangeState::Applied, ChangeState::Sending]), (1, false));
    assert_eq!(told(&ended, &[failed("NOT_FOUND"), failed("CONFLICT"), canceled(CAMPAIGN_REMOVED)]), (3, true));
    assert_eq!(told(&ended, &[failed("PLATFORM_ERROR"), ChangeState::Applied]), (1, false), "refused");
    assert_eq!(told(&ended, &[canceled(ACTIVATED_SINCE)]), (1, true), "it is somebody else's");
    assert_eq!(told(&ended, &[canceled("The connection was removed.")]), (0, false));
    let hidden = pause(StopPhase::PauseAll, 1, failed("NOT_FOUND"));
    let hidden = Change { platform: Platform::Beta, ..hidden };
    assert!(!ended.progress(&[hidden]).is_done, "Meta may hide it");
    for (platform, code) in [(Platform::Gamma, "40300"), (Platform::Epsilon, "2")] {
        let (code, platform_code) = ("NOT_FOUND".to_owned(), Some(code.to_owned()));
        let state = ChangeState::Failed(ChangeError { code, platform_code, ..ChangeError::default() });
        let pause = Change { platform, ..pause(StopPhase::PauseAll, 1, state) };
        assert!(!ended.progress(&[pause]).is_done, "{platform}: the ad account is what it does not find");
    }
}

#[test]
fn the_second_phase_decides_and_a_failed_pause_is_not_retried() {
    let target = StopTarget::of(&activation("agent", 10)).unwrap();
    let pause = |phase, state| Change { state, ..stop().pause(phase, &target) };
    let refused = || ChangeState::Failed(ChangeError { code: "PLATFORM_ERROR".to_owned(), ..ChangeError::default() });
    let ended = Stop { next: None, ..stop() };
    let told = |first, second| {
        let mut twice = [pause(StopPhase::PauseAll, first), pause(StopPhase::PauseInFlight, second)];
        assert_ne!(twice[0].id, twice[1].id);
        let progress = ended.progress(&twice);
        twice.reverse();
        assert_eq!(progress.paused, ended.progress(&twice).paused, "in any order");
        (progress.changes.len(), progress.campaigns, progress.paused, progress.is_refused)
    };
    assert_eq!(told(ChangeState::Applied, ChangeState::Scheduled), (2, 1, 0, false));
    assert_eq!(told(refused(), ChangeState::Applied), (2, 1, 1, false));
    assert_eq!(told(ChangeState::Applied, refused()), (2, 1, 0, true));
    assert!(
        !Stop { next: Some(StopPhase::PauseInFlight), ..stop() }
            .progress(&[pause(StopPhase::PauseAll, refused())])
            .is_refused
    );
}

#[test]
fn a_canceled_pause_neither_holds_a_stop_open_nor_begins_another() {
    let target = StopTarget::of(&activation("agent", 10)).unwrap();
    let other = StopTarget { campaign: campaign(2), ..target.clone() };
    let ended = Stop { next: None, ..stop() };
    let first = |target, state| Change { state, ..stop().pause(StopPhase::PauseAll, target) };
    let second = |target, state| Change { state, ..stop().pause(StopPhase::PauseInFlight, target) };
    let told = |stop: &Stop, mut pauses: Vec<Change>| {
        let progress = stop.progress(&pauses);
        pauses.reverse();
        let reversed = stop.progress(&pauses);
        assert_eq!((reversed.paused, reversed.is_done), (progress.paused, progress.is_done), "in any order");
        (progress.campaigns, progress.paused, progress.canceled, progress.is_done, progress.is_refused)
    };
    let canceled = || ChangeState::Canceled(None);
    let refused = || ChangeState::Failed(ChangeError { code: "PLATFORM_ERROR".to_owned(), ..ChangeError::default() });
    assert_eq!(told(&ended, vec![first(&target, canceled())]), (0, 0, 1, true, false));
    assert_eq!(told(&stop(), vec![first(&target, canceled())]), (0, 0, 1, false, false), "a phase is left");
    let with = |state| vec![first(&target, canceled()), first(&other, state)];
    assert_eq!(told(&ended, with(ChangeState::Applied)), (1, 1, 1, true, false));
    assert_eq!(told(&ended, with(ChangeState::Scheduled)), (1, 0, 1, false, false));
    assert_eq!(told(&ended, with(refused())), (1, 0, 1, false, true));
    let twice = |one, two| vec![first(&target, one), second(&target, two)];
    assert_eq!(told(&ended, twice(canceled(), ChangeState::Applied)), (1, 1, 0, true, false));
    assert_eq!(told(&ended, twice(ChangeState::Scheduled, canceled())), (1, 0, 0, false, false), "one is tried still");
    assert_eq!(told(&ended, twice(canceled(), canceled())), (0, 0, 1, true, false));
    let in_flight = twice(ChangeState::Applied, canceled());
    assert_eq!(told(&ended, in_flight), (0, 0, 1, true, false), "what was in flight may run: it is not told as paused");
}
