//! `POST /v1/api-keys/rotate`, and the end of the previous key.

use crate::world::World;
use futures_util::future::join_all;
use lambda_http::Body;
use lambda_http::http::Request;
use serde_json::Value;
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::domain::Plan;
use std::sync::Arc;

const ROTATE: &str = "/v1/api-keys/rotate";

impl World {
    /// The status of a key at each function of a process.
    pub(super) async fn statuses_in(&self, app: &Arc<App>, key: &str) -> Vec<u16> {
        let request = |path: &str| Request::builder().uri(path).header("x-api-key", key).body(Body::Empty);
        let request = |path: &str| request(path).expect("a request");
        let (campaigns, connections, redirect_uris) = tokio::join!(
            campaigns::handle(app.clone(), request("/v1/campaigns")),
            connections::handle(app.clone(), request("/v1/connections")),
            redirect_uris::handle(app.clone(), request("/v1/redirect-uris")),
        );
        [campaigns, connections, redirect_uris].map(|response| response.status().as_u16()).to_vec()
    }
}

#[tokio::test]
async fn a_rotation_returns_the_new_key_once_and_revokes_the_old() {
    let world = World::start().await;
    let old = world.gateway.api_key.clone();
    let another = Arc::new(App::start(world.gateway.config.clone()).await.expect("an app"));
    let processes = [world.gateway.app.clone(), another];
    for app in &processes {
        assert_eq!(world.statuses_in(app, &old).await, [200, 200, 200]);
    }
    let response = world.ask("POST", ROTATE).expect(200).await;
    assert_eq!(response.header("cache-control"), "no-store");
    let body = response.json();
    let text = |name: &str| body[name].as_str().expect("a text");
    let (new, prefix) = (text("api_key"), text("prefix"));
    assert_eq!(body.as_object().map(|body| body.len()), Some(4), "{body}");
    assert!(new.ends_with(text("last_four")) && text("last_four").len() == 4, "{body}");
    assert!(text("created_at").ends_with('Z'));
    assert!(new.starts_with(prefix) && prefix.len() == "uac_test_".len() + 12, "{prefix}");
    let read = |key: &str| ApiKey::parse(key).expect("a key");
    assert_eq!((read(new).customer(), read(new).mode()), (read(&old).customer(), Mode::Test));
    assert_ne!(new, old);
    for app in &processes {
        assert_eq!(world.statuses_in(app, &old).await, [401, 401, 401]);
        assert_eq!(world.statuses_in(app, new).await, [200, 200, 200]);
    }
    assert!(!world.table_dump().await.contains(new), "the table has only its hash");
}

/// API Gateway joins repeated headers with a comma, so a function never sees two.
#[tokio::test]
async fn a_repeated_key_header_is_401_as_behind_api_gateway() {
    let world = World::start().await;
    let key = world.gateway.api_key.as_str();
    for keys in [&[key][..], &[key, key], &[key, "other"], &["other", key], &[&format!("{key},{key}")]] {
        let request = Request::builder().uri("/v1/connections");
        let request = keys.iter().fold(request, |request, key| request.header("x-api-key", *key));
        let request = request.body(Body::Empty).expect("a request");
        let response = connections::handle(world.gateway.app.clone(), request).await;
        assert_eq!(response.status(), if keys.len() == 1 && keys[0] == key { 200 } else { 401 }, "{keys:?}");
    }
}

#[tokio::test]
async fn of_twenty_concurrent_rotations_one_succeeds_and_its_key_is_valid() {
    let world = World::start().await;
    let responses = join_all((0..20).map(|_| world.ask("POST", ROTATE).send())).await;
    let responses: Vec<_> = responses.into_iter().map(|response| response.expect("a response")).collect();
    let (won, lost): (Vec<_>, Vec<_>) = responses.iter().partition(|response| response.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 19));
    assert!(lost.iter().all(|response| response.status == 401 && response.json()["code"] == "UNAUTHORIZED"));
    let body: Value = won[0].json();
    let key = body["api_key"].as_str().expect("a key");
    world.ask("GET", "/v1/connections").header("x-api-key", key).expect(200).await;
    world.ask("GET", "/v1/connections").expect(401).await;
}

#[tokio::test]
async fn a_rotated_key_keeps_its_mode() {
    let world = World::start().await;
    for (mode, prefix) in [(Mode::Live, "uac_live_"), (Mode::Test, "uac_test_")] {
        let made = gateway::create_customer(&world.gateway.app, "a@example.com", Plan::Starter, mode).await;
        let key = made.expect("a customer").1;
        let body = world.ask("POST", ROTATE).header("x-api-key", key.reveal()).expect(200).await.json();
        assert!(body["api_key"].as_str().is_some_and(|key| key.starts_with(prefix)), "{mode:?}");
    }
}

#[tokio::test]
async fn a_malformed_rotation_is_refused_and_changes_nothing() {
    let world = World::start().await;
    world.ask("POST", ROTATE).text("application/json", r#"{"mode":"live"}"#).expect(400).await;
    world.ask("POST", &format!("{ROTATE}?again=1")).expect(400).await;
    assert_eq!(world.ask("GET", ROTATE).expect(405).await.header("allow"), "POST");
    world.ask("POST", ROTATE).without("x-api-key").expect(401).await;
    world.ask("GET", "/v1/connections").expect(200).await;
    world.ask("POST", ROTATE).text("application/json", "{}").expect(200).await;
}
