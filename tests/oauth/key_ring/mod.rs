//! An operator changes the token key ring while the service runs: no request fails, and every value is resealed before
//! its key is removed.

mod rotation;

use crate::world::{World, campaign};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::app::App;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Prefix of the values sealed with the old key.
const OLD: &str = "v1.k1.";
/// Prefix of the values sealed with the new key.
const NEW: &str = "v1.k2.";

/// Edits the key ring as an operator does.
fn edit_ring(world: &World, edit: impl FnOnce(&mut Value)) {
    let mut ring: Value = serde_json::from_str(&world.gateway.token_keys()).expect("a ring");
    edit(&mut ring);
    world.gateway.replace_token_keys(&ring.to_string()).expect("a valid ring");
}

/// First step of a rotation: adds a new key and activates it.
fn add_new_key(world: &World) {
    edit_ring(world, |ring| {
        ring["keys"]["k2"] = json!(STANDARD.encode([2; 32]));
        ring["active"] = json!("k2");
    });
}

/// Last step of a rotation: removes the old key and returns it.
fn remove_old_key(world: &World) -> Value {
    let mut removed = None;
    edit_ring(world, |ring| removed = ring["keys"].as_object_mut().and_then(|keys| keys.remove("k1")));
    removed.expect("the old key")
}

/// Every grant in the table, by its sort key.
async fn grants(world: &World) -> BTreeMap<String, String> {
    let client = world.gateway.config.aws.dynamodb_client();
    let response = client.scan().table_name(&world.gateway.config.table).send().await.expect("a scan");
    let is_grant = |key: &String| key.contains("LINK#GRANT#");
    let by_key = response.items().iter().map(|item| {
        let sorted: BTreeMap<_, _> = item.iter().collect();
        (format!("{:?}", item["sk"]), format!("{sorted:?}"))
    });
    by_key.filter(|(key, _)| is_grant(key)).collect()
}

/// A process of the service: the gateway, or another one on the same table that reads the key ring when it starts.
struct Process<'a> {
    world: &'a World,
    app: Option<Arc<App>>,
}

impl Process<'_> {
    fn gateway(world: &World) -> Process<'_> {
        Process { world, app: None }
    }

    async fn start(world: &World) -> Process<'_> {
        let app = App::start(world.gateway.config.clone()).await.expect("an app");
        Process { world, app: Some(Arc::new(app)) }
    }

    async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        let Some(app) = self.app.clone() else {
            let request = self.world.ask(method, path);
            let request = if let Some(body) = body { request.json(body) } else { request };
            let response = request.send().await.expect("a response");
            return (response.status.as_u16(), response.text);
        };
        let mut request = Request::new(body.map_or(Body::Empty, |body| Body::Text(body.to_string())));
        *request.method_mut() = method.parse().expect("a method");
        *request.uri_mut() = path.parse().expect("a path");
        let key = self.world.gateway.api_key.parse().expect("a header value");
        request.headers_mut().insert("x-api-key", key);
        request.headers_mut().insert("content-type", "application/json".parse().expect("a header value"));
        let response = if path.starts_with("/v1/campaigns") {
            campaigns::handle(app, request).await
        } else {
            connections::handle(app, request).await
        };
        (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
    }

    /// Sends a request and asserts the status of the response.
    async fn expect(&self, status: u16, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (actual, text) = self.send(method, path, body).await;
        assert_eq!(actual, status, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    async fn sync(&self) -> Value {
        self.expect(200, "POST", "/v1/connections/sync", None).await
    }
}

/// The customer's connection to a platform.
async fn connection(world: &World, platform: &str) -> Value {
    let connections = world.connections().await;
    connections.into_iter().find(|connection| connection["platform"] == platform).expect("a connection")
}

#[tokio::test]
async fn the_next_use_reseals_both_tokens_and_later_uses_write_nothing() {
    let world = World::connected("alpha_ads").await;
    let before = grants(&world).await;
    assert!(before.values().all(|grant| grant.matches(OLD).count() == 2), "{before:?}");
    add_new_key(&world);
    let process = Process::start(&world).await;
    process.expect(200, "GET", "/v1/campaigns", None).await;
    let once = grants(&world).await;
    assert!(once.values().all(|grant| grant.matches(NEW).count() == 2 && !grant.contains(OLD)), "{once:?}");
    process.expect(200, "GET", "/v1/campaigns", None).await;
    assert_eq!(grants(&world).await, once);
    // The gateway has the old ring. It finds an unknown key and reads the ring again.
    world.ask("GET", "/v1/campaigns").expect(200).await;
    assert_eq!(grants(&world).await, once);
}

#[tokio::test]
async fn a_missing_key_puts_its_connections_in_error_until_it_returns() {
    let world = World::start().await;
    for platform in ["alpha_ads", "gamma_ads"] {
        world.connect(platform, &[]).await;
    }
    let created = world.create("alpha_ads", "created before").await;
    let path = format!("/v1/campaigns/{}", created["id"].as_str().expect("an id"));
    add_new_key(&world);
    let process = Process::start(&world).await;
    process.expect(200, "GET", "/v1/campaigns?platform=gamma_ads", None).await;
    let key = remove_old_key(&world);

    let process = Process::start(&world).await;
    for (method, path, body) in [
        ("POST", "/v1/campaigns", Some(campaign("alpha_ads", "n"))),
        ("GET", path.as_str(), None),
        ("PATCH", path.as_str(), Some(json!({"status": "ACTIVE"}))),
        ("DELETE", path.as_str(), None),
        ("GET", "/v1/campaigns?platform=alpha_ads", None),
    ] {
        let error = process.expect(403, method, path, body.as_ref()).await;
        assert_eq!((&error["code"], &error["retryable"]), (&json!("FORBIDDEN"), &json!(false)), "{method}: {error}");
        assert_eq!(error["platform"], "alpha_ads");
    }
    let alpha = connection(&world, "alpha_ads").await;
    assert_eq!(alpha["status"], "ERROR");
    let reason = alpha["status_reason"].as_str().expect("a reason");
    assert!(reason.contains("authorize the account again") && !reason.contains("k1"), "{reason}");

    assert_eq!(connection(&world, "gamma_ads").await["status"], "ACTIVE");
    process.expect(201, "POST", "/v1/campaigns", Some(&campaign("gamma_ads", "n"))).await;
    let list = process.expect(200, "GET", "/v1/campaigns", None).await;
    assert_eq!((list["unified"].as_array().map(Vec::len), list["errors"].as_array().map(Vec::len)), (Some(1), Some(1)));
    assert_eq!(process.sync().await["synced"], 1);

    edit_ring(&world, |ring| ring["keys"]["k1"] = key);
    assert_eq!(process.expect(200, "GET", &path, None).await["name"], "created before");
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ACTIVE");
    assert!(!world.table_dump().await.contains(OLD), "the tokens are resealed");
}

#[tokio::test]
async fn a_refresh_without_its_sealing_key_sends_the_platform_nothing() {
    let world = World::connected("alpha_ads").await;
    add_new_key(&world);
    let key = remove_old_key(&world);
    let process = Process::start(&world).await;
    world.let_refreshable_tokens_run_out().await;
    let received = world.received("alpha_ads").await.len();
    assert_eq!(process.sync().await["synced"], 0);
    let create = campaign("alpha_ads", "n");
    process.expect(403, "POST", "/v1/campaigns", Some(&create)).await;
    assert_eq!(world.received("alpha_ads").await.len(), received);
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ERROR");
    edit_ring(&world, |ring| ring["keys"]["k1"] = key);
    assert_eq!(process.sync().await["synced"], 1);
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ACTIVE");
    process.expect(201, "POST", "/v1/campaigns", Some(&create)).await;
}

#[tokio::test]
async fn a_pending_authorization_finishes_with_either_key_ring() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let older = world.authorize("alpha_ads").await;
    add_new_key(&world);
    let process = Process::start(&world).await;
    let newer = process.expect(200, "GET", "/v1/connections/alpha_ads/authorize", None).await;
    let newer = newer["authorize_url"].as_str().expect("an address");
    let dump = world.table_dump().await;
    assert!(dump.contains(OLD) && dump.contains(NEW), "a PKCE verifier sealed with each key");

    let back = world.consent(&older, "approve", &[&accounts[0]]).await;
    let path = back.strip_prefix(&world.gateway.url()).expect("a URL of the service");
    let (status, page) = process.send("GET", path, None).await;
    assert_eq!(status, 200, "{page}");
    // The gateway still has the old ring.
    let back = world.consent(newer, "approve", &[&accounts[1]]).await;
    world.request("GET", &back).expect(200).await;
    let connections = world.connections().await;
    assert_eq!(connections.len(), 2);
    assert!(connections.iter().all(|connection| connection["status"] == "ACTIVE"), "{connections:?}");
    assert!(!world.table_dump().await.contains(OLD));
}
