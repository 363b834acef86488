//! Transitions of changes: conditional puts of whole records.

use super::Engines;
use jiff::{SignedDuration, Timestamp};
use shared::clock::Clock;
use shared::domain::{
    Action, Attempt, CampaignId, Change, ChangeId, ChangeOrigin, ChangeState, ChangeTarget, ConnectionId, Currency,
    CustomerId, KeyId, NextLook, Platform, Purpose, Requester,
};
use uuid::Uuid;

fn waiting(now: Timestamp) -> Change {
    let target = ChangeTarget {
        customer: CustomerId(Uuid::new_v4()),
        platform: Platform::Delta,
        account_id: "7".to_owned(),
        connection: ConnectionId::generate(),
        currency: Currency::from_code("USD").expect("a currency"),
        campaign: Some(CampaignId::new(Platform::Delta, "7", "1")),
        external_ref: None,
    };
    let requested_by = Requester::ApiKey { id: KeyId("key_1".to_owned()), name: "One".to_owned() };
    let origin = ChangeOrigin::new(Uuid::new_v4(), requested_by);
    Change::scheduled(ChangeId::new(now, Uuid::new_v4(), 0), target, origin, Purpose::Bulk, Action::Delete, now)
}

#[tokio::test]
async fn a_transition_keeps_concurrent_writes() {
    for (engine, store) in Engines::start().await.stores {
        let now = Clock::system().now();
        let later = now + SignedDuration::from_mins(5);
        let known = waiting(now);
        store.begin_change(&known, now).await.expect(engine);
        let postponed = store.transition(&known, |change| change.postponed(later)).await.expect(engine);
        let late = store.transition(&known, |change| change.lateness_reported(now)).await.expect(engine);
        assert!(postponed.is_made && late.is_made, "{engine}");
        let stored = store.change(known.customer, known.id).await.expect(engine).expect("a change");
        assert!(stored.told.late && matches!(stored.next_look, NextLook::At(_)), "{engine}: {stored:?}");
        assert_eq!(stored.version, known.version + 2, "{engine}");
        let again = store.transition(&known, |change| change.lateness_reported(now)).await.expect(engine);
        assert!(!again.is_made && again.change.told.late, "{engine}: it is told once");
        let canceled = store.end_waiting(&known, &ChangeState::Canceled(None), now).await.expect(engine);
        assert!(canceled.is_some_and(|canceled| canceled.told.late), "{engine}");
        let postponed = store.transition(&known, |change| change.postponed(later)).await.expect(engine);
        assert!(!postponed.is_made, "{engine}");
        assert_eq!(postponed.change.state, ChangeState::Canceled(None), "{engine}");
    }
}

#[tokio::test]
async fn of_two_concurrent_attempts_one_succeeds() {
    for (engine, store) in Engines::start().await.stores {
        let now = Clock::system().now();
        let known = waiting(now);
        store.begin_change(&known, now).await.expect(engine);
        let attempt = Attempt { number: 1, at: now, until: now + SignedDuration::from_secs(30) };
        let begin = || store.transition(&known, |change| change.begun(attempt));
        let (one, other) = tokio::join!(begin(), begin());
        assert!(one.expect(engine).is_made ^ other.expect(engine).is_made, "{engine}");
    }
}

#[tokio::test]
async fn a_transition_does_not_recreate_a_deleted_change() {
    for (engine, store) in Engines::start().await.stores {
        let now = Clock::system().now();
        for known in [waiting(now), Change { version: 0, ..waiting(now) }] {
            let moved = store.transition(&known, |change| change.moved_to_start(now)).await.expect(engine);
            assert!(!moved.is_made, "{engine}");
            assert_eq!(store.change(known.customer, known.id).await.expect(engine), None, "{engine}");
        }
    }
}
