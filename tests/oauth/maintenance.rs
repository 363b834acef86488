//! Maintenance of connections: it refreshes tokens ahead of their expiry and deletes expired records.

use crate::house::table::{GRANT, PENDING};
use crate::platforms::case;
use crate::world::{World, platforms};
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use jiff::SignedDuration;
use maintenance::RunResult;
use serde_json::json;
use shared::clock::Clock;
use shared::domain::Platform;
use std::sync::Arc;

/// Platforms with refresh tokens.
fn refreshing() -> impl Iterator<Item = &'static str> {
    Platform::ALL.into_iter().filter(|platform| case(*platform).refreshes).map(Platform::as_str)
}

/// Platforms whose tokens maintenance refreshes ahead of every expiry. The others are refreshed at use.
const AHEAD: [&str; 2] = ["beta_ads", "epsilon_ads"];

/// Due time of the only grant, in seconds since 1970.
async fn due_at(world: &World) -> Option<i64> {
    let item = world.items(GRANT).await.remove(0);
    assert_eq!(item.contains_key("due_kind"), item.contains_key("due_at"));
    item.get("due_at").and_then(|due| due.as_n().ok()).map(|due| due.parse().expect("seconds"))
}

#[tokio::test]
async fn maintenance_refreshes_a_token_ahead_of_its_expiry() {
    let world = World::connected_to_all().await;
    world.let_access_tokens_near_their_end().await;
    assert_eq!(world.maintenance().await, RunResult { grants: Platform::ALL.len(), ..RunResult::default() });
    for platform in refreshing() {
        let expected = usize::from(AHEAD.contains(&platform));
        assert_eq!(world.refreshes(platform).await, expected, "{platform} before its use");
    }
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page.get("errors"), None, "{page}");
    assert_eq!(world.sync().await["synced"], Platform::ALL.len());
    for platform in refreshing() {
        assert_eq!(world.refreshes(platform).await, 1, "{platform}");
    }
}

#[tokio::test]
async fn maintenance_sends_nothing_when_nothing_is_due() {
    let world = World::connected_to_all().await;
    world.authorize("alpha_ads").await;
    let before = world.items("").await;
    world.control("POST", "reset").send().await.expect("a response");
    assert_eq!(world.maintenance().await, RunResult::default());
    for (platform, _) in platforms() {
        assert_eq!(world.received(platform).await.len(), 0, "{platform}");
    }
    assert!(world.items("").await == before, "a record changed");
}

#[tokio::test]
async fn concurrent_runs_refresh_once() {
    let world = World::connected("beta_ads").await;
    world.connect("epsilon_ads", &[]).await;
    let mut refreshed = 0;
    for runs in [2, 8] {
        world.let_access_tokens_near_their_end().await;
        // Half of the runs are in another process.
        let another = world.another(|_| ()).await;
        let apps =
            (0..runs).map(|run| if run % 2 == 0 { Arc::clone(&world.gateway.app) } else { Arc::clone(&another) });
        let reports = join_all(apps.map(|app| async move { maintenance::run(&app).await.expect("a report") })).await;
        refreshed += 1;
        for platform in AHEAD {
            assert_eq!(world.refreshes(platform).await, refreshed, "{platform}, {runs} runs");
        }
        assert!(reports.iter().all(|report| report.failed == 0), "{reports:?}");
    }
    assert_eq!(world.sync().await["synced"], 2);
}

#[tokio::test]
async fn failed_refreshes_are_retried_with_exponential_backoff() {
    let world = World::connected("beta_ads").await;
    world.let_access_tokens_near_their_end().await;
    let mut waits = Vec::new();
    for failures in 1..=4 {
        world.let_access_tokens_near_their_end().await;
        world.fault("beta_ads", "refresh", "error", 1).await;
        assert_eq!(world.maintenance().await, RunResult { failed: 1, ..RunResult::default() });
        waits.push(due_at(&world).await.expect("a due time") - Clock::system().now().as_second());
        assert_eq!(world.maintenance().await, RunResult::default(), "no retry in the next run");
        assert_eq!(world.refreshes("beta_ads").await, failures);
    }
    let minutes: Vec<i64> = waits.iter().map(|wait| (wait + 30) / 60).collect();
    assert_eq!(minutes, [1, 2, 4, 8], "{waits:?}");
    assert_eq!(world.connections().await[0]["status"], "ACTIVE", "its access token is still valid");
}

#[tokio::test]
async fn three_failed_refreshes_put_a_connection_in_error_until_a_success() {
    let world = World::connected("alpha_ads").await;
    for failures in 1..=3 {
        world.let_access_tokens_run_out().await;
        world.fault("alpha_ads", "refresh", "error", 1).await;
        assert_eq!(world.maintenance().await.failed, 1);
        let status = if failures < 3 { "ACTIVE" } else { "ERROR" };
        assert_eq!(world.connections().await[0]["status"], status, "after {failures}");
    }
    let connection = world.connections().await.remove(0);
    assert!(connection["status_reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{connection}");
    world.let_access_tokens_run_out().await;
    assert_eq!(world.maintenance().await, RunResult { grants: 1, ..RunResult::default() });
    let connection = world.connections().await.remove(0);
    assert_eq!((&connection["status"], connection.get("status_reason")), (&json!("ACTIVE"), None));
}

#[tokio::test]
async fn maintenance_detects_an_ended_grant_and_then_ignores_it() {
    let world = World::start().await;
    for platform in refreshing() {
        world.connect(platform, &[]).await;
        world.fault(platform, "refresh", "revoked", 1).await;
    }
    world.let_access_tokens_run_out().await;
    world.maintenance().await;
    for connection in world.connections().await {
        assert_eq!(connection["status"], "REVOKED", "{connection}");
        assert!(connection["status_reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{connection}");
    }
    for item in world.items(GRANT).await {
        assert!(
            !item.contains_key("due_kind") && !item.contains_key("due_at"),
            "the grant is still in the index: {item:?}"
        );
    }
    world.control("POST", "reset").send().await.expect("a response");
    assert_eq!(world.maintenance().await, RunResult::default());
    for platform in refreshing() {
        assert_eq!(world.received(platform).await.len(), 0, "{platform}");
    }
}

#[tokio::test]
async fn an_expired_token_without_a_refresh_revokes_its_connection() {
    let world = World::connected("gamma_ads").await;
    let received = world.received("gamma_ads").await.len();
    world.let_access_tokens_near_their_end().await;
    world.maintenance().await;
    assert_eq!(world.connections().await[0]["status"], "ACTIVE", "the token is used until its expiry");
    world.let_access_tokens_run_out().await;
    world.maintenance().await;
    let connection = world.connections().await.remove(0);
    assert_eq!(connection["status"], "REVOKED");
    assert!(connection["status_reason"].as_str().is_some_and(|reason| reason.contains("authorize")), "{connection}");
    assert_eq!(due_at(&world).await, None, "the grant left the index");
    assert_eq!(world.received("gamma_ads").await.len(), received, "no call to the platform");
}

#[tokio::test]
async fn maintenance_deletes_expired_pending_connections_only() {
    let world = World::start().await;
    world.authorize("alpha_ads").await;
    world.authorize("beta_ads").await;
    world.let_authorizations_run_out().await;
    world.authorize("gamma_ads").await;
    assert_eq!(world.items(PENDING).await.len(), 3);
    assert_eq!(world.maintenance().await, RunResult { pending: 2, ..RunResult::default() });
    assert_eq!(world.items(PENDING).await.len(), 1);
    let connections = world.connections().await;
    assert_eq!((connections.len(), &connections[0]["platform"]), (1, &json!("gamma_ads")));
    assert_eq!(world.maintenance().await, RunResult::default());
}

#[tokio::test]
async fn an_unused_grant_is_revoked_at_its_platform() {
    let world = World::connected("alpha_ads").await;
    // The state after a process died in the middle of a removal: the transaction is made, the grant not yet deleted.
    world.lose_items("LINK#CONNECTION#").await;
    world.count_grants(0).await;
    world.let_access_tokens_near_their_end().await;
    world.maintenance().await;
    assert_eq!(world.items(GRANT).await.len(), 0);
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
    assert_eq!(world.refreshes("alpha_ads").await, 0);
}

#[tokio::test]
async fn an_idle_repeatable_grant_moves_to_its_next_time_without_a_call() {
    let world = World::connected("alpha_ads").await;
    // The record of an earlier release: due ahead of its expiry.
    world.let_access_tokens_near_their_end().await;
    assert_eq!(world.maintenance().await, RunResult { grants: 1, ..RunResult::default() });
    assert_eq!(world.refreshes("alpha_ads").await, 0);
    assert!(due_at(&world).await > Some((Clock::system().now() + SignedDuration::from_hours(80 * 24)).as_second()));
    assert_eq!(world.maintenance().await, RunResult::default(), "it is no longer due");
}

#[tokio::test]
async fn a_repeatable_grant_that_is_idle_for_months_is_refreshed() {
    let world = World::connected("alpha_ads").await;
    for refreshes in 1..=2 {
        // Its token expired in 1970.
        world.let_access_tokens_run_out().await;
        assert_eq!(world.maintenance().await, RunResult { grants: 1, ..RunResult::default() });
        assert_eq!(world.refreshes("alpha_ads").await, refreshes);
    }
    assert!(due_at(&world).await > Some((Clock::system().now() + SignedDuration::from_hours(80 * 24)).as_second()));
}

#[tokio::test]
async fn the_index_holds_grants_pending_connections_and_events_and_nothing_else() {
    let world = World::connected_to_all().await;
    world.authorize("alpha_ads").await;
    world.create("alpha_ads", "Kept").await;
    for item in world.items("").await {
        let of = |name: &str| item.get(name).and_then(|value: &AttributeValue| value.as_s().ok()).cloned();
        let key = of("sk").expect("a key");
        let kind = match key.as_str() {
            key if key.starts_with(GRANT) && of("platform").as_deref() == Some("epsilon_ads") => Some("ROTATING"),
            key if key.starts_with(GRANT) => Some("GRANT"),
            key if key.starts_with(PENDING) => Some("PENDING"),
            // Those of shards, by their time.
            key if key.starts_with("EVENT#") => continue,
            _ => None,
        };
        assert_eq!((of("due_kind").as_deref(), item.contains_key("due_at")), (kind, kind.is_some()), "{key}");
    }
}

#[tokio::test]
async fn only_maintenance_refreshes_rotating_tokens_ahead() {
    let world = World::connected("epsilon_ads").await;
    world.let_access_tokens_near_their_end().await;
    world.create("epsilon_ads", "With the old token").await;
    world.sync().await;
    assert_eq!(world.refreshes("epsilon_ads").await, 0, "a request does not rotate the tokens");
    world.maintenance().await;
    assert_eq!(world.refreshes("epsilon_ads").await, 1);
    world.let_access_tokens_run_out().await;
    world.create("epsilon_ads", "With a refreshed token").await;
    assert_eq!(world.refreshes("epsilon_ads").await, 2);
}

#[tokio::test]
async fn no_request_fails_in_a_simulated_year_of_refreshes() {
    let world = World::connected_to_all().await;
    for month in 1..=12 {
        world.let_access_tokens_near_their_end().await;
        assert_eq!(world.maintenance().await.failed, 0, "month {month}");
        let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
        assert_eq!(page.get("errors"), None, "month {month}: {page}");
    }
    for platform in refreshing() {
        assert_eq!(world.refreshes(platform).await, 12, "{platform}: once a month, by maintenance or at use");
    }
    assert_eq!(world.refreshes("gamma_ads").await, 0, "its tokens do not expire");
    assert_eq!(world.sync().await["synced"], Platform::ALL.len());
}
