//! `PATCH` and `DELETE /v1/connections/{id}`: labels, and removal with the grant at the platform.

use crate::faults::stage::Stage;
use crate::house::table::{GRANT, PENDING};
use crate::platforms::{Case, case};
use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

const UNKNOWN: &str = "/v1/connections/conn_00000000000000000000000000000000";

/// The path of the connection at this place of the list.
async fn path_of(world: &World, place: usize) -> String {
    format!("/v1/connections/{}", id_of(&world.connections().await[place]))
}

/// An error without its request id and timestamp.
fn body_of(response: &TestResponse) -> Value {
    let mut body = response.json();
    for field in ["request_id", "timestamp"] {
        assert!(body.as_object_mut().expect("an object").remove(field).is_some(), "{field}");
    }
    body
}

/// Replays a request that the platform received before, and returns whether its token was accepted.
async fn is_taken(world: &World, platform: &str, request: &Value) -> bool {
    let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    let url = format!("{}/{platform}{}?{}", world.gateway.sandbox_url, text("path"), text("query"));
    let mut ask = world.request(&text("method"), &url).text("application/json", text("body"));
    for (name, value) in request["headers"].as_object().expect("headers") {
        if !["host", "content-length", "content-type"].contains(&name.as_str()) {
            ask = ask.header(name, value.as_str().expect("a value"));
        }
    }
    let response = ask.send().await.expect("a response");
    response.status.is_success() && response.json().get("code").is_none_or(|code| code == 0)
}

#[tokio::test]
async fn a_label_is_set_and_removed_and_the_connection_returned() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let mut expected = world.connections().await.remove(0);
    for label in [json!("Main account"), json!("x"), json!("ü".repeat(255)), json!(null), json!("<b>&")] {
        expected["label"] = label.clone();
        let response = world.ask("PATCH", &path).json(&json!({"label": label})).expect(200).await;
        assert_eq!(response.json(), expected);
        assert_eq!(world.connections().await, [expected.clone()]);
    }
    world.connect("alpha_ads", &[]).await;
    assert_eq!(world.connections().await[0]["label"], "<b>&", "another consent keeps it");
    world.sync().await;
    assert_eq!(world.connections().await[0]["label"], "<b>&", "and so does a check");
}

#[tokio::test]
async fn an_invalid_update_names_its_field_and_changes_nothing() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    world.ask("PATCH", &path).json(&json!({"label": "Kept"})).expect(200).await;
    let cases = [
        (json!({}), "label"),
        (json!({"label": 5}), "label"),
        (json!({"label": ["x"]}), "label"),
        (json!({"label": ""}), "label"),
        (json!({"label": " \u{2003}"}), "label"),
        (json!({"label": "x".repeat(256)}), "label"),
        (json!({"label": "a\nb"}), "label"),
        (json!({"label": "a\u{0}b"}), "label"),
        (json!({"label": "a\u{7f}b"}), "label"),
        (json!({"label": "x", "status": "ACTIVE"}), "status"),
        (json!({"Label": "x", "label": "x"}), "Label"),
        (json!([]), "body"),
        (json!(null), "body"),
    ];
    for (body, field) in cases {
        assert_eq!(world.ask("PATCH", &path).json(&body).expect(400).await.fields(), [field], "{body}");
    }
    let twice = world.ask("PATCH", &path).text("application/json", r#"{"label":"a","label":"b"}"#);
    assert_eq!(twice.expect(400).await.fields(), ["label"]);
    world.ask("PATCH", &path).expect(400).await;
    world.ask("PATCH", &path).text("text/plain", r#"{"label":"x"}"#).expect(415).await;
    assert_eq!(
        world.ask("PATCH", &format!("{path}?x=1")).json(&json!({"label": "x"})).expect(400).await.fields(),
        ["x"]
    );
    assert_eq!(world.connections().await[0]["label"], "Kept");
}

#[tokio::test]
async fn another_customers_connection_is_the_same_404_as_an_unknown_one() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let before = world.items("LINK#").await;
    let key = world.another_customer().await;
    for method in ["PATCH", "DELETE"] {
        let ask = |path: &str, key: &str| {
            let ask = world.ask(method, path).header("x-api-key", key);
            if method == "PATCH" { ask.json(&json!({"label": "Mine"})) } else { ask }
        };
        let theirs = ask(&path, &key).expect(404).await;
        let none = ask(UNKNOWN, &key).expect(404).await;
        assert_eq!(theirs.json()["code"], "NOT_FOUND");
        assert_eq!(body_of(&theirs), body_of(&none), "{method}");
        ask(UNKNOWN, &world.gateway.api_key).expect(404).await;
        ask(&path, "no").expect(401).await;
    }
    assert!(world.items("LINK#").await == before, "no record changed");
    assert_eq!(world.revocations("alpha_ads").await.len(), 0);
    assert_eq!(world.sync().await["synced"], 1);
}

#[tokio::test]
async fn a_label_of_a_pending_connection_survives_the_consent() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let pending = world.ask("PATCH", &path).json(&json!({"label": "To be"})).expect(200).await.json();
    assert_eq!((&pending["status"], &pending["label"]), (&json!("PENDING"), &json!("To be")));
    let back = world.consent(&url, "approve", &[]).await;
    world.request("GET", &back).expect(200).await;
    let connection = world.connections().await.remove(0);
    assert_eq!((&connection["status"], &connection["label"]), (&json!("ACTIVE"), &json!("To be")));
    assert_eq!(connection["id"], pending["id"]);
}

#[tokio::test]
async fn a_removed_connection_revokes_its_grant_where_supported() {
    let world = World::start().await;
    for Case { platform, revokes: ends, .. } in Platform::ALL.map(case) {
        world.connect(platform, &[]).await;
        let path = path_of(&world, 0).await;
        world.ask("GET", "/v1/campaigns").expect(200).await;
        let request = world.received(platform).await.pop().expect("a request");
        assert!(is_taken(&world, platform, &request).await, "{platform}");
        let response = world.ask("DELETE", &path).expect(204).await;
        assert_eq!(response.text, "");
        world.ask("DELETE", &path).expect(404).await;
        world.ask("PATCH", &path).json(&json!({"label": "x"})).expect(404).await;
        assert_eq!(world.connections().await.len(), 0);
        assert_eq!(world.items("LINK#").await.len(), 0, "{platform}: nothing is kept of it");
        assert_eq!(world.revocations(platform).await.len(), usize::from(ends), "{platform}");
        assert_eq!(is_taken(&world, platform, &request).await, !ends, "{platform}: its token is dead");
        let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
        assert_eq!(page["unified"], json!([]));
    }
}

#[tokio::test]
async fn removing_a_connection_keeps_its_campaigns_on_the_platform() {
    let world = World::connected("alpha_ads").await;
    let made = world.create("alpha_ads", "Stays").await;
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    world.ask("GET", &format!("/v1/campaigns/{}", id_of(&made))).expect(404).await;
    let held = world.control("GET", "campaigns?platform=alpha_ads").expect(200).await.json();
    assert_eq!((&held["campaigns"][0]["name"], &held["campaigns"][0]["status"]), (&json!("Stays"), &json!("PAUSED")));
    world.connect("alpha_ads", &[]).await;
    let again = world.ask("GET", &format!("/v1/campaigns/{}", id_of(&made))).expect(200).await.json();
    assert_eq!(again["name"], "Stays");
}

#[tokio::test]
async fn a_failed_revocation_does_not_restore_the_connection() {
    let world = World::start().await;
    for platform in ["alpha_ads", "beta_ads", "gamma_ads"] {
        for fault in ["error", "drop", "garbage", "throttle"] {
            world.connect(platform, &[]).await;
            world.fault(platform, "revoke", fault, 9).await;
            world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
            assert_eq!(world.connections().await.len(), 0, "{platform} {fault}");
            assert_eq!(world.items(GRANT).await.len(), 0, "{platform} {fault}");
            assert!(!world.revocations(platform).await.is_empty(), "{platform} {fault}: it was tried");
            world.control("POST", "reset").send().await.expect("a response");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_revocation_ends_at_the_deadline() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let app = stage.with_platform_timeout(Duration::from_secs(2));
    stage.hang("alpha_ads", "revoke", "late", 1).await;
    let path = format!("/v1/connections/{}", id_of(&only_connection(&stage).await));
    assert_eq!(stage.ask(&app, "DELETE", &path, &Value::Null).await, (204, Value::Null));
    assert_eq!(stage.table().items("LINK#").await.len(), 0);
}

#[tokio::test]
async fn removing_the_last_connection_of_a_consent_revokes_it() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.revocations("alpha_ads").await.len(), 0);
    assert_eq!(world.sync().await["synced"], 1, "the other one works on");
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
    assert_eq!(world.items("LINK#").await.len(), 0);
}

#[tokio::test]
async fn no_grant_is_revoked_while_another_consent_at_the_platform_is_active() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0]]).await;
    world.connect("alpha_ads", &[&accounts[1]]).await;
    world.connect("zeta_ads", &[]).await;
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.revocations("alpha_ads").await.len(), 0, "it may be the same user's");
    assert_eq!(world.sync().await["synced"], 2);
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.revocations("alpha_ads").await.len(), 1, "a grant at another platform is no reason");
    assert_eq!(world.sync().await["synced"], 1);
}

#[tokio::test]
async fn an_ended_consent_does_not_prevent_the_revocation_of_another() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("gamma_ads").await;
    world.connect("gamma_ads", &[&accounts[0]]).await;
    world.fault("gamma_ads", "any", "revoked", 1).await;
    world.sync().await;
    world.connect("gamma_ads", &[&accounts[1]]).await;
    let connections = world.connections().await;
    let living = connections.iter().find(|connection| connection["status"] == "ACTIVE").expect("one that works");
    world.ask("DELETE", &format!("/v1/connections/{}", id_of(living))).expect(204).await;
    assert_eq!(world.revocations("gamma_ads").await.len(), 1);
}

#[tokio::test]
async fn a_revoked_connection_can_be_removed() {
    let world = World::connected("alpha_ads").await;
    world.fault("alpha_ads", "accounts", "revoked", 1).await;
    world.sync().await;
    assert_eq!(world.connections().await[0]["status"], "REVOKED");
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.items("LINK#").await.len(), 0);
    assert_eq!(world.revocations("alpha_ads").await.len(), 0, "there is nothing left to end");
}

#[tokio::test]
async fn a_removed_pending_connection_is_not_connected_by_its_callback() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    world.ask("DELETE", &path_of(&world, 0).await).expect(204).await;
    assert_eq!(world.items(PENDING).await.len(), 0);
    let back = world.consent(&url, "approve", &[]).await;
    let page = world.request("GET", &back).expect(400).await;
    assert!(page.text.contains("withdrawn"), "{}", page.text);
    assert_eq!(world.connections().await.len(), 0);
    assert_eq!(world.items(GRANT).await.len(), 0);
    let asked = world.received("alpha_ads").await;
    assert!(asked.iter().all(|request| request["path"] != "/token"), "the code is not spent");
}

#[tokio::test]
async fn of_twenty_removals_at_once_one_succeeds() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let responses = join_all((0..20).map(|_| world.ask("DELETE", &path).send())).await;
    let count = |status: u16| responses.iter().flatten().filter(|response| response.status.as_u16() == status).count();
    assert_eq!((count(204), count(404)), (1, 19));
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
}

#[tokio::test]
async fn concurrent_removals_of_both_connections_revoke_the_consent_once() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    let (one, other) = (path_of(&world, 0).await, path_of(&world, 1).await);
    tokio::join!(world.ask("DELETE", &one).expect(204), world.ask("DELETE", &other).expect(204));
    assert_eq!(world.items("LINK#").await.len(), 0);
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
}

/// The connection of a customer who has one.
async fn only_connection(stage: &Stage) -> Value {
    let listed = stage.ask_ok("GET", "/v1/connections", &Value::Null).await;
    let connections = listed["connections"].as_array().expect("a list");
    assert_eq!(connections.len(), 1, "{listed}");
    connections[0].clone()
}

/// A request whose call of the platform takes 5 s, of which it has had a second when `work` begins.
async fn meanwhile<T>(
    stage: &Stage,
    operation: &str,
    request: impl Future<Output = T>,
    work: impl Future<Output = ()>,
) -> T {
    stage.fault("alpha_ads", operation, "slow", 1, Duration::from_secs(5)).await;
    let received = stage.received("alpha_ads").await.len();
    let later = async {
        sleep(Duration::from_secs(1)).await;
        assert!(stage.received("alpha_ads").await.len() > received, "the platform has the request");
        work.await;
    };
    tokio::join!(request, later).0
}

/// The revocations that the platform received.
async fn revocations(stage: &Stage) -> Vec<Value> {
    let received = stage.received("alpha_ads").await;
    received.into_iter().filter(|request| request["path"] == "/revoke").collect()
}

#[tokio::test(start_paused = true)]
async fn a_connection_removed_during_the_code_exchange_leaves_no_tokens() {
    let stage = Stage::new(&[]).await;
    let begun = stage.ask_ok("GET", "/v1/connections/alpha_ads/authorize", &Value::Null).await;
    let path = format!("/v1/connections/{}", id_of(&only_connection(&stage).await));
    let back = stage.world.consent(begun["authorize_url"].as_str().expect("an address"), &[]).await;
    let callback = stage.respond(&stage.app, "GET", &back, &[], &Value::Null);
    let page = meanwhile(&stage, "token", callback, async {
        stage.ask_ok("DELETE", &path, &Value::Null).await;
    });
    let page = page.await;
    assert_eq!(page.status(), 400);
    assert!(String::from_utf8_lossy(page.body()).contains("withdrawn"), "{page:?}");
    assert_eq!(stage.table().items("LINK#").await.len(), 0);
    assert_eq!(revocations(&stage).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_connection_removed_during_a_refresh_stays_removed() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let path = format!("/v1/connections/{}", id_of(&only_connection(&stage).await));
    stage.table().let_access_tokens_run_out().await;
    let list = stage.ask(&stage.app, "GET", "/v1/campaigns", &Value::Null);
    let (status, error) = meanwhile(&stage, "refresh", list, async {
        stage.ask_ok("DELETE", &path, &Value::Null).await;
    })
    .await;
    assert_eq!((status, &error["code"]), (424, &json!("TOKEN_EXPIRED")));
    assert_eq!(stage.table().items("LINK#").await.len(), 0);
    let revoked = revocations(&stage).await;
    assert_eq!(revoked.len(), 2, "what was held, and what came then");
    assert_ne!(revoked[0]["body"], revoked[1]["body"]);
    assert_eq!(stage.ask_ok("GET", "/v1/connections", &Value::Null).await["connections"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn an_account_authorized_again_during_a_refresh_keeps_the_new_grant() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let account = only_connection(&stage).await["remote_account_id"].as_str().expect("an id").to_owned();
    stage.table().let_access_tokens_run_out().await;
    let list = stage.ask(&stage.app, "GET", "/v1/campaigns", &Value::Null);
    meanwhile(&stage, "refresh", list, stage.world.authorize(&stage.app, Platform::Alpha, &[account])).await;
    assert_eq!(stage.table().items(GRANT).await.len(), 1);
    let revoked = revocations(&stage).await;
    assert_eq!(revoked.len(), 0, "it would end the user's new consent too: {revoked:?}");
    assert_eq!(only_connection(&stage).await["status"], "ACTIVE");
    assert_eq!(stage.ask_ok("POST", "/v1/connections/sync", &Value::Null).await["synced"], 1);
}
