//! The secrets of webhook endpoints: shown once, encrypted, rotated.

use super::webhook_endpoints::without_secret;
use crate::faults::fake_store::{self, StoreResponse};
use crate::in_process::respond;
use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use lambda_http::Body;
use serde_json::{Value, json};
use shared::auth::{ApiKey, KeySeed, Mode, SessionCaller};
use shared::clock::Clock;
use shared::domain::{EndpointId, PersonId, Role, SECRET_OVERLAP, WebhookEndpoint, WebhookSecret};
use shared::log;
use shared::webhook_secrets::signing_secrets;
use std::io;
use std::sync::{Arc, Mutex};

const PATH: &str = "/v1/webhook-endpoints";

impl World {
    async fn rotate_secret(&self, endpoint: &Value) -> TestResponse {
        self.ask("POST", &format!("{PATH}/{}/rotate-secret", id_of(endpoint))).expect(200).await
    }

    async fn stored_endpoint(&self, endpoint: &Value) -> WebhookEndpoint {
        let id = EndpointId::parse(&id_of(endpoint)).expect("an id");
        let customer = ApiKey::parse(&self.gateway.api_key).expect("a key").customer();
        self.gateway.app.store.webhook_endpoint(customer, &id).await.expect("a store").expect("an endpoint")
    }

    /// The keys that sign now, newest first.
    async fn signing_keys(&self, endpoint: &Value, now: Timestamp) -> Vec<[u8; 32]> {
        let customer = ApiKey::parse(&self.gateway.api_key).expect("a key").customer();
        let stored = self.stored_endpoint(endpoint).await;
        let secrets = signing_secrets(&self.gateway.app, customer, &stored, now).await.expect("secrets");
        secrets.iter().map(|secret| secret.key().expect("a key")).collect()
    }
}

/// The key of a response's secret.
fn key_of(shown: &Value) -> [u8; 32] {
    let secret = shown["secret"].as_str().expect("a secret");
    WebhookSecret::parse(secret.into()).and_then(|secret| secret.key()).expect("a secret of Standard Webhooks")
}

#[tokio::test]
async fn a_secret_is_shown_at_creation_and_rotation_and_never_again() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let rotated = world.rotate_secret(&made).await;
    assert_eq!(rotated.header("cache-control"), "no-store");
    let rotated = rotated.json();
    assert_eq!(without_secret(&rotated), without_secret(&made), "nothing else changes");
    let secrets = [&made, &rotated].map(|shown| shown["secret"].as_str().expect("a secret").to_owned());
    assert_ne!(secrets[0], secrets[1]);

    let path = format!("{PATH}/{}", id_of(&made));
    let mut texts = vec![
        world.ask("GET", &path).expect(200).await.text,
        world.ask("GET", PATH).expect(200).await.text,
        world.ask("PATCH", &path).json(&json!({ "status": "disabled" })).expect(200).await.text,
        world.ask("GET", "/v1/usage-logs").expect(200).await.text,
    ];
    assert!(texts.iter().all(|text| !text.contains("secret\":")), "{texts:?}");
    texts.push(world.table_dump().await);
    texts.push(format!("{:?}", world.stored_endpoint(&made).await));
    for secret in secrets {
        let encoded = secret.strip_prefix("whsec_").expect("a prefix");
        assert!(texts.iter().all(|text| !text.contains(encoded)));
    }
    let sealed = &world.stored_endpoint(&made).await.secrets.current.0;
    assert!(sealed.starts_with("v1.") && !texts[5].contains(sealed), "not even the encrypted one is printed");
}

#[tokio::test]
async fn the_old_secret_signs_for_a_day_after_a_rotation() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let now = Clock::system().now();
    assert_eq!(world.signing_keys(&made, now).await, [key_of(&made)]);
    let second = world.rotate_secret(&made).await.json();
    let soon = now + SECRET_OVERLAP - SignedDuration::from_secs(60);
    let later = now + SECRET_OVERLAP + SignedDuration::from_secs(60);
    assert_eq!(world.signing_keys(&made, soon).await, [key_of(&second), key_of(&made)]);
    assert_eq!(world.signing_keys(&made, later).await, [key_of(&second)]);
    let third = world.rotate_secret(&made).await.json();
    assert_eq!(world.signing_keys(&made, now).await, [key_of(&third), key_of(&second)], "the newest two");
}

#[tokio::test]
async fn concurrent_rotations_are_in_some_order_and_lose_no_secret() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let rotated = join_all((0..8).map(|_| world.rotate_secret(&made))).await;
    let shown: Vec<[u8; 32]> = rotated.iter().map(|response| key_of(&response.json())).collect();
    let signing = world.signing_keys(&made, Clock::system().now()).await;
    assert!(signing.len() == 2 && signing[0] != signing[1], "two different ones");
    assert!(signing.iter().all(|key| shown.contains(key)), "both were shown");
}

#[tokio::test]
async fn a_rotation_takes_no_body() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let path = format!("{PATH}/{}/rotate-secret", id_of(&made));
    assert_eq!(world.ask("POST", &path).json(&json!({ "secret": "x" })).expect(400).await.fields(), ["body"]);
    assert_eq!(world.ask("POST", &format!("{path}?hours=1")).expect(400).await.fields(), ["hours"]);
    assert_eq!(world.signing_keys(&made, Clock::system().now()).await, [key_of(&made)]);
}

/// A refusal that the SDK does not repeat.
const REFUSED: StoreResponse =
    ("400 Bad Request", r#"{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"no"}"#);

#[tokio::test]
async fn a_failed_write_says_how_to_find_its_outcome() {
    let world = World::start().await;
    let customer = ApiKey::parse(&world.gateway.api_key).expect("a key").customer();
    let now = Clock::system().now();
    let account = world.gateway.app.store.account(customer, now).await.expect("a store").expect("an account");
    // A person's request writes nothing else.
    let person = PersonId::of("issuer", "subject");
    let caller =
        SessionCaller { account, person, email: None, role: Role::Member, mode: Mode::Test, key: None, form: None };
    let (endpoint, _asked) = fake_store::start(|_| Some(REFUSED));
    let app = world.another(|config| config.aws.dynamodb_endpoint = Some(endpoint)).await;
    let one = format!("{PATH}/{}", KeySeed::random().expect("random bytes").endpoint_id());
    let create = r#"{"url":"https://example.com/","types":["*"]}"#;
    for (method, path, body, advice) in [
        ("POST", PATH, create, "List the webhook endpoints, and delete the new one if it is there."),
        ("PATCH", &one, r#"{"status":"disabled"}"#, "Send the request again: it has the same effect."),
        ("DELETE", &one, "", "Send the request again: 404 means that the webhook endpoint is deleted."),
        ("POST", &format!("{one}/rotate-secret"), "", "Rotate again to get a secret."),
    ] {
        let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
        let mut request = request.body(Body::Text(body.to_owned())).expect("a request");
        request.extensions_mut().insert(caller.clone());
        let response = respond(&app, request).await;
        let error: Value = serde_json::from_slice(response.body()).expect("JSON");
        assert_eq!((response.status().as_u16(), &error["retryable"]), (500, &json!(false)), "{error}");
        assert!(error["error"].as_str().expect("a message").contains(advice), "{error}");
    }
}

/// The lines of a log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the log").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_log_has_no_secret() {
    let lines = Lines::default();
    let writer = lines.clone();
    // As in house/observability.rs: with one subscriber a call site may stay disabled.
    let _another = tracing::Dispatch::new(log::to(io::sink));
    let _until_the_end = tracing::subscriber::set_default(log::to(move || writer.clone()));
    let world = World::start().await;
    let app = &world.gateway.app;
    let ask = async |path: &str, body: &str| {
        let request = http::Request::builder().method("POST").uri(path).header("x-api-key", &world.gateway.api_key);
        let request = request.header("content-type", "application/json").body(Body::Text(body.to_owned()));
        let response = respond(app, request.expect("a request")).await;
        serde_json::from_slice::<Value>(response.body()).expect("JSON")
    };
    let made = ask(PATH, r#"{"url":"https://example.com/canary","types":["*"]}"#).await;
    let rotated = ask(&format!("{PATH}/{}/rotate-secret", id_of(&made)), "").await;
    let log = String::from_utf8(lines.0.lock().expect("the log").clone()).expect("text");
    assert!(log.contains("/v1/webhook-endpoints/{id}/rotate-secret"), "{log}");
    for shown in [&made, &rotated] {
        let secret = shown["secret"].as_str().and_then(|secret| secret.strip_prefix("whsec_")).expect("a secret");
        assert!(!log.contains(secret), "{log}");
    }
}
