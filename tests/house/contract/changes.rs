//! Transitions of changes: conditional puts of whole records.

use super::Engines;
use jiff::{SignedDuration, Timestamp};
use shared::clock::Clock;
use shared::domain::{
    Action, AdAccount, Attempt, CampaignId, Change, ChangeId, ChangeOrigin, ChangeState, ChangeTarget, Connection,
    ConnectionId, ConnectionStatus, Currency, CustomerId, Executor, KeyId, NextLook, Platform, Purpose, Requester,
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

/// A connection of this ad account.
fn connected(account: &str) -> Connection {
    let currency = Currency::from_code("USD").expect("a currency");
    Connection {
        id: ConnectionId::generate(),
        platform: Platform::Delta,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: None,
        campaign_defaults: None,
        account: Some(AdAccount {
            id: account.to_owned(),
            name: String::new(),
            currency,
            time_zone: "UTC".to_owned(),
            manager_id: None,
        }),
        grant_id: None,
        created_at: Timestamp::UNIX_EPOCH,
        last_synced_at: None,
        paused_until: None,
    }
}

#[tokio::test]
async fn what_waits_in_an_account_is_told_from_one_with_a_longer_id() {
    for (engine, store) in Engines::start().await.stores {
        let now = Clock::system().now();
        let later = Some(now + SignedDuration::from_hours(1));
        let first = Change { executed_by: Executor::Schedule, apply_at: later, ..waiting(now) };
        let in_account = |account: &str, number: usize| Change {
            id: ChangeId::new(now, first.request, number),
            account_id: account.to_owned(),
            campaign: Some(CampaignId::new(Platform::Delta, account, "1")),
            ..first.clone()
        };
        let late = in_account("7", 1);
        let asked = Change { state: ChangeState::AwaitingApproval, send_deadline: now, ..in_account("7_3", 2) };
        // The service holds it: the customer has not scheduled it.
        let held = Change { is_held: true, ..in_account("7", 3) };
        for change in [&in_account("7", 0), &late, &asked, &in_account("7_3", 4), &in_account("71", 5), &held] {
            store.begin_change(change, now).await.expect(engine);
        }
        store.transition(&late, |change| change.lateness_reported(now)).await.expect(engine);
        for (accounts, waits) in [
            (vec!["7"], (2, 0)),
            (vec!["7_3"], (1, 1)),
            (vec!["7", "7_3"], (3, 1)),
            (vec!["3"], (0, 0)),
            (vec![], (0, 0)),
        ] {
            let connections: Vec<Connection> = accounts.iter().map(|account| connected(account)).collect();
            let counted = store.count_waiting(first.customer, &connections, now).await.expect(engine);
            assert_eq!(counted, waits, "{engine}: {accounts:?}");
        }
    }
}
