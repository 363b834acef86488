//! The token key ring is changed by an operator while the service runs: no request fails of it, and nothing stays
//! behind on a key that is to go.

use crate::world::{World, campaign};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::app::App;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// What is on the way out, as every value that it sealed begins.
const OLD: &str = "v1.k1.";
/// What comes in its place.
const NEW: &str = "v1.k2.";

/// What an operator does: reads the ring, edits it, puts it back.
fn edit_ring(world: &World, edit: impl FnOnce(&mut Value)) {
    let mut ring: Value = serde_json::from_str(&world.gateway.token_keys()).expect("a ring");
    edit(&mut ring);
    world.gateway.replace_token_keys(&ring.to_string()).expect("a ring that the vault takes");
}

/// The first step of a rotation: a new key beside the old one, active at once.
fn add_new_key(world: &World) {
    edit_ring(world, |ring| {
        ring["keys"]["k2"] = json!(STANDARD.encode([2; 32]));
        ring["active"] = json!("k2");
    });
}

/// The last step of a rotation. Answers the key.
fn remove_old_key(world: &World) -> Value {
    let mut removed = None;
    edit_ring(world, |ring| removed = ring["keys"].as_object_mut().and_then(|keys| keys.remove("k1")));
    removed.expect("the old key")
}

/// Every grant of the table, by its key.
async fn grants(world: &World) -> BTreeMap<String, String> {
    let client = world.gateway.config.aws.dynamodb_client();
    let answer = client.scan().table_name(&world.gateway.config.table).send().await.expect("a scan");
    let is_grant = |key: &String| key.contains("LINK#GRANT#");
    let by_key = answer.items().iter().map(|item| {
        let sorted: BTreeMap<_, _> = item.iter().collect();
        (format!("{:?}", item["sk"]), format!("{sorted:?}"))
    });
    by_key.filter(|(key, _)| is_grant(key)).collect()
}

/// A process of the service: the gateway, or another one beside it on the same table that starts with the ring as it
/// is then.
struct Process<'a> {
    world: &'a World,
    beside: Option<Arc<App>>,
}

impl Process<'_> {
    fn gateway(world: &World) -> Process<'_> {
        Process { world, beside: None }
    }

    async fn start(world: &World) -> Process<'_> {
        let app = App::start(world.gateway.config.clone()).await.expect("an app");
        Process { world, beside: Some(Arc::new(app)) }
    }

    async fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        let Some(app) = self.beside.clone() else {
            let ask = self.world.ask(method, path);
            let ask = if let Some(body) = body { ask.json(body) } else { ask };
            let answer = ask.send().await.expect("an answer");
            return (answer.status.as_u16(), answer.text);
        };
        let mut request = Request::new(body.map_or(Body::Empty, |body| Body::Text(body.to_string())));
        *request.method_mut() = method.parse().expect("a method");
        *request.uri_mut() = path.parse().expect("a path");
        let key = self.world.gateway.api_key.parse().expect("a header value");
        request.headers_mut().insert("x-api-key", key);
        request.headers_mut().insert("content-type", "application/json".parse().expect("a header value"));
        let answer = if path.starts_with("/v1/campaigns") {
            campaigns::answer(app, request).await
        } else {
            connections::answer(app, request).await
        };
        (answer.status().as_u16(), String::from_utf8_lossy(answer.body()).into_owned())
    }

    /// Asks and insists on a status.
    async fn expect(&self, status: u16, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (answered, text) = self.ask(method, path, body).await;
        assert_eq!(answered, status, "{method} {path}: {text}");
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

/// Somebody who asks one process again and again.
struct Load<'a> {
    process: Process<'a>,
    rounds: watch::Sender<usize>,
}

impl Load<'_> {
    /// Creates, lists and syncs until told to stop, and answers what went wrong.
    async fn run(&self, platforms: &[&str], is_over: &AtomicBool) -> Vec<String> {
        let mut wrong = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            for platform in platforms {
                let body = campaign(platform, &format!("{platform} {}", uuid()));
                let (status, text) = self.process.ask("POST", "/v1/campaigns", Some(&body)).await;
                wrong.extend((status != 201).then(|| format!("create: {status} {text}")));
            }
            let (status, text) = self.process.ask("GET", "/v1/campaigns?limit=3", None).await;
            wrong.extend((status != 200 || text.contains("\"errors\"")).then(|| format!("list: {status} {text}")));
            let (status, text) = self.process.ask("POST", "/v1/connections/sync", None).await;
            let synced = format!("\"synced\":{}", platforms.len());
            wrong.extend((status != 200 || !text.contains(&synced)).then(|| format!("sync: {status} {text}")));
            self.rounds.send_modify(|rounds| *rounds += 1);
        }
        wrong
    }
}

/// Different each time: names repeat nowhere.
fn uuid() -> String {
    shared::domain::ConnectionId::generate().0
}

/// Waits until each has gone round so many times more; with two, whatever was under way before has ended.
async fn rounds(loads: &[Load<'_>], more: usize) {
    join_all(loads.iter().map(|load| async move {
        let mut seen = load.rounds.subscribe();
        let target = *seen.borrow() + more;
        seen.wait_for(|rounds| *rounds >= target).await.map(|_| ()).expect("the load goes on");
    }))
    .await;
}

/// What the operator does while the load goes on.
async fn rotate(world: &World, loads: &[Load<'_>]) {
    rounds(loads, 1).await;
    add_new_key(world);
    // Processes that still hold the old ring alone refresh, and one that holds the new ring seals what they open next.
    world.let_refreshable_tokens_run_out().await;
    Process::start(world).await.sync().await;
    let mut attempts = 0;
    while world.table_dump().await.contains(OLD) {
        attempts += 1;
        assert!(attempts < 20, "values stay on the old key");
        rounds(loads, 2).await;
    }
    world.let_refreshable_tokens_run_out().await;
    rounds(loads, 2).await;
    let dump = world.table_dump().await;
    assert!(dump.contains(NEW) && !dump.contains(OLD));

    remove_old_key(world);
    let late = Process::start(world).await;
    late.sync().await;
    world.let_refreshable_tokens_run_out().await;
    rounds(loads, 2).await;
    late.sync().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_rotation_under_load_fails_no_request_and_reseals_everything() {
    let world = World::start().await;
    // One whose refresh token stays, one whose access token never ends, one whose refresh token rotates.
    let platforms = ["alpha_ads", "gamma_ads", "epsilon_ads"];
    for platform in platforms {
        world.connect(platform, &[]).await;
    }
    let beside = Process::start(&world).await;
    let again = Process { world: &world, beside: beside.beside.clone() };
    let processes = [Process::gateway(&world), Process::gateway(&world), beside, again];
    let loads = processes.map(|process| Load { process, rounds: watch::Sender::new(0) });
    let is_over = AtomicBool::new(false);
    let operator = async {
        rotate(&world, &loads).await;
        is_over.store(true, Ordering::Relaxed);
    };
    let callers = join_all(loads.iter().map(|load| load.run(&platforms, &is_over)));
    let ((), wrong) = futures_util::future::join(operator, callers).await;
    assert_eq!(wrong.concat(), Vec::<String>::new());
    let dump = world.table_dump().await;
    assert!(dump.contains(NEW) && !dump.contains(OLD));
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
    // The gateway holds the old ring, meets a key that it does not know, and reads the ring again.
    world.ask("GET", "/v1/campaigns").expect(200).await;
    assert_eq!(grants(&world).await, once);
}

#[tokio::test]
async fn a_key_that_is_missing_puts_its_connections_in_error_until_it_is_back() {
    let world = World::start().await;
    for platform in ["alpha_ads", "gamma_ads"] {
        world.connect(platform, &[]).await;
    }
    let made = world.create("alpha_ads", "made before").await;
    let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
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
    assert_eq!(process.expect(200, "GET", &path, None).await["name"], "made before");
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ACTIVE");
    assert!(!world.table_dump().await.contains(OLD), "it was sealed anew on the way");
}

#[tokio::test]
async fn a_refresh_without_its_sealing_key_sends_the_platform_nothing() {
    let world = World::connected("alpha_ads").await;
    add_new_key(&world);
    let key = remove_old_key(&world);
    let process = Process::start(&world).await;
    world.let_refreshable_tokens_run_out().await;
    let asked = world.received("alpha_ads").await.len();
    assert_eq!(process.sync().await["synced"], 0);
    let create = campaign("alpha_ads", "n");
    process.expect(403, "POST", "/v1/campaigns", Some(&create)).await;
    assert_eq!(world.received("alpha_ads").await.len(), asked);
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ERROR");
    edit_ring(&world, |ring| ring["keys"]["k1"] = key);
    assert_eq!(process.sync().await["synced"], 1);
    assert_eq!(connection(&world, "alpha_ads").await["status"], "ACTIVE");
    process.expect(201, "POST", "/v1/campaigns", Some(&create)).await;
}

#[tokio::test]
async fn an_authorization_under_way_finishes_whichever_ring_began_it() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let older = world.authorize("alpha_ads").await;
    add_new_key(&world);
    let process = Process::start(&world).await;
    let newer = process.expect(200, "GET", "/v1/connections/alpha_ads/authorize", None).await;
    let newer = newer["authorize_url"].as_str().expect("an address");
    let dump = world.table_dump().await;
    assert!(dump.contains(OLD) && dump.contains(NEW), "a verifier under each key");

    let back = world.consent(&older, "approve", &[&accounts[0]]).await;
    let path = back.strip_prefix(&world.gateway.url()).expect("an address of ours");
    let (status, page) = process.ask("GET", path, None).await;
    assert_eq!(status, 200, "{page}");
    // The gateway holds the old ring still.
    let back = world.consent(newer, "approve", &[&accounts[1]]).await;
    world.request("GET", &back).expect(200).await;
    let connections = world.connections().await;
    assert_eq!(connections.len(), 2);
    assert!(connections.iter().all(|connection| connection["status"] == "ACTIVE"), "{connections:?}");
    assert!(!world.table_dump().await.contains(OLD));
}
