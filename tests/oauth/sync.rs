//! `POST /v1/connections/sync`: checks every connection at its platform.

use crate::faults::stage::Stage;
use crate::platforms::{Case, case};
use crate::world::{World, platforms};
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::Platform;
use std::time::Duration;

/// Field names of an object.
fn fields(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// One field of each connection, in the order of the list.
fn each<'a>(response: &'a Value, field: &str) -> Vec<&'a Value> {
    response["connections"].as_array().expect("a list").iter().map(|connection| &connection[field]).collect()
}

/// A world that connects the first two ad accounts of every platform, with one consent for each platform.
async fn with_two_accounts_each() -> World {
    let world = World::start().await;
    for (platform, _) in platforms() {
        let accounts = world.sandbox_accounts(platform).await;
        world.connect(platform, &[&accounts[0], &accounts[1]]).await;
    }
    world
}

#[tokio::test]
async fn a_sync_returns_the_same_connection_statuses_as_the_list() {
    let world = World::connected("alpha_ads").await;
    world.authorize("beta_ads").await;
    assert_eq!(world.connections().await[0]["last_synced_at"], Value::Null);
    let response = world.sync().await;
    assert_eq!(fields(&response), ["connections", "synced"]);
    assert_eq!(response["synced"], 1);
    let connections = response["connections"].as_array().expect("a list");
    assert_eq!(connections.len(), 1, "the PENDING connection is not synced");
    assert_eq!(fields(&connections[0]), ["id", "last_synced_at", "platform", "status"]);
    assert_eq!((&connections[0]["platform"], &connections[0]["status"]), (&json!("alpha_ads"), &json!("ACTIVE")));
    let at: jiff::Timestamp = connections[0]["last_synced_at"].as_str().expect("a time").parse().expect("a time");
    assert!((Clock::system().now() - at).get_seconds() < 600, "{at} is now");
    let listed = world.connections().await;
    for field in ["id", "platform", "status", "last_synced_at"] {
        assert_eq!(listed[0][field], connections[0][field], "{field}");
    }
    assert_eq!((&listed[1]["status"], &listed[1]["last_synced_at"]), (&json!("PENDING"), &Value::Null));
}

#[tokio::test]
async fn a_customer_without_connections_syncs_nothing() {
    let world = World::start().await;
    assert_eq!(world.sync().await, json!({"synced": 0, "connections": []}));
}

#[tokio::test]
async fn a_sync_takes_no_body_and_no_parameters() {
    let world = World::start().await;
    let ask = || world.ask("POST", "/v1/connections/sync");
    ask().json(&json!({})).expect(200).await;
    for body in [json!({"platform": "alpha_ads"}), json!([]), json!(null), json!("x")] {
        assert_eq!(ask().json(&body).expect(400).await.fields(), ["body"], "{body}");
    }
    ask().text("text/plain", "now").expect(400).await;
    let response = world.ask("POST", "/v1/connections/sync?platform=alpha_ads").expect(400).await;
    assert_eq!(response.fields(), ["platform"]);
    ask().without("x-api-key").expect(401).await;
    assert_eq!(ask().header("x-api-key", "no").expect(401).await.json()["code"], "UNAUTHORIZED");
}

#[tokio::test]
async fn a_sync_calls_every_platform_once_for_each_grant() {
    let world = with_two_accounts_each().await;
    let response = world.sync().await;
    assert_eq!(response["synced"], 2 * platforms().len());
    assert!(each(&response, "status").into_iter().all(|status| status == "ACTIVE"), "{response}");
    let syncs = |requests: &[Value]| {
        let is_first = |request: &&Value| {
            request["path"].as_str().is_some_and(|path| path.ends_with("customers:listAccessibleCustomers"))
        };
        requests.iter().filter(is_first).count()
    };
    // One call by the callback and one by the sync: the two connections share a grant.
    assert_eq!(syncs(&world.received("alpha_ads").await), 2);
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[2]]).await;
    world.sync().await;
    assert_eq!(syncs(&world.received("alpha_ads").await), 5, "one more callback, and two grants");
}

#[tokio::test]
async fn a_revoked_grant_revokes_all_its_connections() {
    let world = with_two_accounts_each().await;
    for (platform, _) in platforms() {
        world.fault(platform, "accounts", "revoked", 1).await;
        let response = world.sync().await;
        let of_platform = |connection: &&Value| connection["platform"] == platform;
        let found: Vec<&Value> =
            response["connections"].as_array().expect("a list").iter().filter(of_platform).collect();
        assert_eq!(found.len(), 2);
        for connection in &found {
            assert_eq!(connection["status"], "REVOKED", "{platform}");
            assert!(connection["status_reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{connection}");
        }
        let listed = world.connections().await;
        for connection in listed.iter().filter(of_platform) {
            let same = found.iter().find(|other| other["id"] == connection["id"]).expect("the same connection");
            assert_eq!(
                &fields(same),
                &["id", "last_synced_at", "platform", "status", "status_message", "status_reason"]
            );
            for field in fields(same) {
                assert_eq!(connection[field], same[field], "{platform} {field}");
            }
        }
        let received = world.received(platform).await.len();
        let again = world.sync().await;
        assert_eq!(world.received(platform).await.len(), received, "{platform}: no call uses a revoked grant");
        assert_eq!(each(&again, "status").iter().filter(|status| **status == "REVOKED").count() % 2, 0);
        assert_eq!(again["connections"].as_array().map(|all| all.iter().filter(of_platform).collect()), Some(found));
    }
    assert_eq!(world.sync().await["synced"], 0);
    world.connect("alpha_ads", &[]).await;
    assert_eq!(world.sync().await["synced"], 1, "a new consent reactivates a REVOKED connection");
}

#[tokio::test]
async fn a_lost_ad_account_is_in_error_until_it_is_accessible_again() {
    let world = with_two_accounts_each().await;
    let all = 2 * platforms().len();
    for (platform, _) in platforms() {
        let account = world.sandbox_accounts(platform).await.remove(0);
        // Some platforms prefix an account's id in some responses only.
        let of_account =
            |connection: &&Value| account.ends_with(connection["remote_account_id"].as_str().expect("an id"));
        world.access(platform, &account, "lost").await;
        assert_eq!(world.sync().await["synced"], all - 1, "{platform}: the other account of the grant works");
        let listed = world.connections().await;
        let lost = listed.iter().find(of_account).expect("the connection");
        assert_eq!(lost["status"], "ERROR", "{platform}");
        assert!(lost["status_reason"].as_str().is_some_and(|reason| reason.contains("no longer shows")), "{lost}");
        assert_ne!(lost["last_synced_at"], Value::Null, "the connection was checked");

        world.access(platform, &account, "regained").await;
        assert_eq!(world.sync().await["synced"], all, "{platform}");
        let listed = world.connections().await;
        let regained = listed.iter().find(of_account).expect("the connection");
        assert_eq!((&regained["status"], regained.get("status_reason")), (&json!("ACTIVE"), None), "{platform}");
    }
}

#[tokio::test]
async fn a_failing_platform_leaves_its_connections_unchanged() {
    let world = World::connected_to_all().await;
    world.sync().await;
    let before = world.connections().await;
    for fault in ["error", "drop", "garbage", "throttle"] {
        for (platform, _) in platforms() {
            world.fault(platform, "accounts", fault, 9).await;
        }
        let response = world.sync().await;
        assert_eq!((&response["synced"], each(&response, "id").len()), (&json!(0), platforms().len()), "{fault}");
        assert_eq!(world.connections().await, before, "{fault}");
        assert_eq!(
            each(&response, "last_synced_at"),
            before.iter().map(|known| &known["last_synced_at"]).collect::<Vec<_>>()
        );
        world.control("POST", "reset").send().await.expect("a response");
    }
    assert_eq!(world.sync().await["synced"], platforms().len());
}

#[tokio::test]
async fn a_failing_platform_or_a_revoked_grant_does_not_affect_the_others() {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    world.connect("zeta_ads", &[]).await;
    world.fault("alpha_ads", "accounts", "error", 9).await;
    world.fault("beta_ads", "accounts", "revoked", 1).await;
    let response = world.sync().await;
    assert_eq!(response["synced"], 1);
    assert_eq!(each(&response, "platform"), ["alpha_ads", "beta_ads", "zeta_ads"]);
    assert_eq!(each(&response, "status"), ["ACTIVE", "REVOKED", "ACTIVE"]);
}

#[tokio::test]
async fn expired_access_tokens_are_refreshed_once_and_then_verified() {
    let world = with_two_accounts_each().await;
    world.let_access_tokens_run_out().await;
    let response = world.sync().await;
    let connections = response["connections"].as_array().expect("a list");
    for Case { platform, refreshes, .. } in Platform::ALL.map(case) {
        assert_eq!(world.refreshes(platform).await, usize::from(refreshes), "{platform}");
        let of_platform = |connection: &&Value| connection["platform"] == platform;
        let statuses: Vec<&Value> =
            connections.iter().filter(of_platform).map(|connection| &connection["status"]).collect();
        assert_eq!(statuses, [if refreshes { "ACTIVE" } else { "REVOKED" }; 2], "{platform}");
    }
    let refreshed = Platform::ALL.into_iter().filter(|platform| case(*platform).refreshes).count();
    assert_eq!(response["synced"], 2 * refreshed);
    world.sync().await;
    assert_eq!(world.refreshes("alpha_ads").await, 1, "the fresh token is used");
}

#[tokio::test]
async fn a_failing_token_endpoint_leaves_the_connection_unchanged() {
    let world = World::connected("alpha_ads").await;
    let before = world.connections().await;
    world.let_access_tokens_run_out().await;
    world.fault("alpha_ads", "refresh", "error", 1).await;
    assert_eq!(world.sync().await["synced"], 0);
    assert_eq!(world.connections().await, before);
    assert_eq!(world.sync().await["synced"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_platform_delays_a_sync_no_longer_than_the_deadline() {
    let stage = Stage::new(&[Platform::Alpha, Platform::Beta]).await;
    let app = stage.with_platform_timeout(Duration::from_secs(3));
    stage.hang("alpha_ads", "accounts", "late", 1).await;
    let (status, body) = stage.ask(&app, "POST", "/v1/connections/sync", &Value::Null).await;
    assert_eq!((status, &body["synced"]), (200, &json!(1)));
    assert_eq!(each(&body, "status"), ["ACTIVE", "ACTIVE"]);
    assert_eq!(each(&body, "last_synced_at")[0], &Value::Null, "the hanging platform was not checked");
}

#[tokio::test]
async fn another_customers_connections_are_not_synced() {
    let world = World::connected("alpha_ads").await;
    let key = world.another_customer().await;
    world.connect_as(&key, "beta_ads", &[]).await;
    let received = world.received("beta_ads").await.len();
    let theirs = world.connections_as(&key).await;
    assert_eq!(each(&world.sync().await, "platform"), ["alpha_ads"]);
    assert_eq!(world.connections_as(&key).await, theirs);
    assert_eq!(world.received("beta_ads").await.len(), received);
}
