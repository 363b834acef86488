//! `PATCH` and `DELETE /v1/connections/{id}`: labels, and removal with the grant at the platform.

use crate::house::table::{GRANT, PENDING};
use crate::platforms::{Case, case};
use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use lambda_http::Body;
use lambda_http::http::Request;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::time::Duration;

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
async fn a_body_that_names_no_label_changes_nothing() {
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
async fn another_customers_connection_is_the_404_of_none() {
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
async fn a_pending_connection_takes_a_label_and_keeps_it_when_it_is_connected() {
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
async fn a_removed_connection_ends_its_grant_where_the_platform_can() {
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
async fn campaigns_stay_on_the_platform_when_their_connection_goes() {
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
async fn a_revocation_that_fails_does_not_bring_the_connection_back() {
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

#[tokio::test]
async fn a_revocation_that_hangs_is_not_waited_for_beyond_the_deadline() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    world.slow_fault("alpha_ads", "revoke", "late", 1, 60_000).await;
    let app = world.another(|config| config.platform_timeout = Duration::from_secs(2)).await;
    let request = Request::builder().method("DELETE").uri(path).header("x-api-key", &world.gateway.api_key);
    let response = connections::handle(app, request.body(Body::Empty).expect("a request")).await;
    assert_eq!(response.status(), 204);
    assert_eq!(world.items("LINK#").await.len(), 0);
}

#[tokio::test]
async fn of_two_connections_of_one_consent_only_the_last_to_go_ends_it() {
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
async fn while_another_consent_at_the_platform_lives_nothing_is_revoked_there() {
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
async fn a_dead_consent_at_the_platform_keeps_no_other_from_being_revoked() {
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
async fn a_connection_removed_during_the_code_exchange_leaves_no_tokens() {
    let world = World::start().await;
    let url = world.authorize("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let back = world.consent(&url, "approve", &[]).await;
    world.slow_fault("alpha_ads", "token", "slow", 1, 700).await;
    let removed = async {
        until_received(&world, "/token").await;
        world.ask("DELETE", &path).expect(204).await;
    };
    let (page, ()) = tokio::join!(world.request("GET", &back).expect(400), removed);
    assert!(page.text.contains("withdrawn"), "{}", page.text);
    assert_eq!(world.items("LINK#").await.len(), 0);
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
}

/// Waits until alpha has received a request with this path.
async fn until_received(world: &World, path: &str) {
    while !world.received("alpha_ads").await.iter().any(|request| request["path"] == path) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
async fn both_connections_of_a_consent_removed_at_once_end_it_once() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    let (one, other) = (path_of(&world, 0).await, path_of(&world, 1).await);
    tokio::join!(world.ask("DELETE", &one).expect(204), world.ask("DELETE", &other).expect(204));
    assert_eq!(world.items("LINK#").await.len(), 0);
    assert_eq!(world.revocations("alpha_ads").await.len(), 1);
}

/// A world in which a request waits for a refresh whose response is delayed, while another request runs.
async fn during_a_refresh<F: Future<Output = ()>>(world: &World, work: impl FnOnce() -> F) -> TestResponse {
    let asked = world.received("alpha_ads").await.len();
    world.let_access_tokens_run_out().await;
    world.slow_fault("alpha_ads", "refresh", "slow", 1, 700).await;
    let meanwhile = async {
        while world.received("alpha_ads").await.len() == asked {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        work().await;
    };
    let (response, ()) = tokio::join!(world.ask("GET", "/v1/campaigns").send(), meanwhile);
    response.expect("a response")
}

#[tokio::test]
async fn a_connection_removed_during_a_refresh_stays_removed() {
    let world = World::connected("alpha_ads").await;
    let path = path_of(&world, 0).await;
    let response = during_a_refresh(&world, || async { drop(world.ask("DELETE", &path).expect(204).await) }).await;
    assert_eq!((response.status.as_u16(), &response.json()["code"]), (424, &json!("TOKEN_EXPIRED")));
    assert_eq!(world.items("LINK#").await.len(), 0);
    let revoked = world.revocations("alpha_ads").await;
    assert_eq!(revoked.len(), 2, "what was held, and what came then");
    assert_ne!(revoked[0]["body"], revoked[1]["body"]);
    assert_eq!(world.connections().await.len(), 0);
}

#[tokio::test]
async fn an_account_authorized_again_during_a_refresh_keeps_the_new_grant() {
    let world = World::connected("alpha_ads").await;
    during_a_refresh(&world, || async { drop(world.connect("alpha_ads", &[]).await) }).await;
    assert_eq!(world.items(GRANT).await.len(), 1);
    let revoked = world.revocations("alpha_ads").await;
    assert_eq!(revoked.len(), 0, "it would end the user's new consent too: {revoked:?}");
    assert_eq!(world.connections().await[0]["status"], "ACTIVE");
    assert_eq!(world.sync().await["synced"], 1);
}
