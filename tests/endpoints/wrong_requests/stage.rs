//! The service on which the requests are tried: a customer with all six platforms, one revoked connection and a
//! campaign; customers with other plans; and keys in every state.

use super::requests::WrongRequest;
use crate::world::{TestResponse, World, id_of, platforms};
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// More than the quota of plan starter.
const USED_UP: i64 = 10_000;

/// The world, and the values of the variables in `requests.http`.
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) variables: BTreeMap<&'static str, String>,
}

impl Stage {
    pub(super) async fn start() -> Stage {
        let world = World::start().await;
        let demo = world.gateway.api_key.clone();
        let mut stage = Stage { world, variables: BTreeMap::from([("key", demo)]) };
        let expiry = stage.make_keys().await;
        stage.make_revoked_connection().await;
        stage.make_connections().await;
        stage.make_campaigns().await;
        stage.make_others().await;
        tokio::time::sleep_until(expiry).await;
        stage
    }

    fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.insert(name, value.into());
    }

    /// Makes keys in every state; returns when the one that expires has expired.
    async fn make_keys(&mut self) -> Instant {
        let demo = self.variables["key"].clone();
        let customer = ApiKey::parse(&demo).expect("a key").customer();
        let invented = ApiKey::generate(customer, Mode::Test).expect("a key");
        self.set("key_cut", &demo[..demo.len() - 5]);
        self.set("key_invented", invented.reveal());
        let stranger = CustomerId(Uuid::from_u128(9));
        self.set("key_unknown", ApiKey::generate(stranger, Mode::Test).expect("a key").reveal());
        let (id, deleted) = self.make_key(json!({"name": "Deleted", "scopes": ["read"]})).await;
        self.world.ask("DELETE", &format!("/v1/api-keys/{id}")).expect(204).await;
        self.set("key_deleted", deleted);
        for (variable, key) in [
            ("key_read", json!({"name": "Read", "scopes": ["read"]})),
            ("key_write", json!({"name": "Write", "scopes": ["read", "write"]})),
            ("key_campaigns", json!({"name": "Campaigns", "scopes": ["campaigns"]})),
        ] {
            let (_, key) = self.make_key(key).await;
            self.set(variable, key);
        }
        let expires_at = Clock::system().now() + SignedDuration::from_secs(5);
        let expiry = Instant::now() + Duration::from_millis(5_100);
        let body = json!({"name": "Expired", "scopes": ["read"], "expires_at": format!("{expires_at:.3}")});
        let (_, key) = self.make_key(body).await;
        self.set("key_expired", key);
        expiry
    }

    async fn make_key(&self, key: Value) -> (String, String) {
        let made = self.world.ask("POST", "/v1/api-keys").json(&key).expect(201).await.json();
        (id_of(&made), made["api_key"].as_str().expect("a key").to_owned())
    }

    /// A second account at Google, whose user has revoked the access.
    async fn make_revoked_connection(&mut self) {
        let account = self.world.sandbox_account_in("alpha_ads", "EUR").await;
        self.world.connect("alpha_ads", &[&account]).await;
        self.world.let_access_tokens_run_out().await;
        self.world.fault("alpha_ads", "refresh", "revoked", 1).await;
        self.world.ask("GET", "/v1/campaigns").expect(424).await;
        let connection = self.world.connections().await.remove(0);
        assert_eq!(connection["status"], "REVOKED", "{connection}");
        self.set("connection_revoked", id_of(&connection));
        self.set("account_revoked", account);
    }

    /// The first account of each platform, and one in yen at LinkedIn.
    async fn make_connections(&mut self) {
        for (platform, _) in platforms() {
            self.world.connect(platform, &[]).await;
        }
        let yen = self.world.sandbox_account_in("delta_ads", "JPY").await;
        self.world.connect("delta_ads", &[&yen]).await;
        let connections = self.world.connections().await;
        let active = |platform: &str| {
            let is_meant = |known: &&Value| known["platform"] == platform && known["status"] == "ACTIVE";
            id_of(connections.iter().find(is_meant).expect("an active connection"))
        };
        self.set("connection_alpha", active("alpha_ads"));
        self.set("account_in_yen", yen);
    }

    async fn make_campaigns(&mut self) {
        let body = crate::world::campaign("alpha_ads", "Spring sale");
        let made = self.world.keyed("spring-sale", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        self.set("campaign", id_of(&made.json()));
        self.set("change", made.header("change-id"));
        self.world.create("alpha_ads", "Summer sale").await;
        let page = self.world.ask("GET", "/v1/campaigns?limit=1").expect(200).await.json();
        self.set("cursor", page["pagination"]["next_cursor"].as_str().expect("a cursor"));
        let uri = json!({"uri": "https://example.com/connected"});
        self.world.ask("POST", "/v1/redirect-uris").json(&uri).expect(201).await;
        let endpoint = json!({"url": "https://example.com/webhooks", "types": ["limit.refused"]});
        let made = self.world.ask("POST", "/v1/webhook-endpoints").json(&endpoint).expect(201).await.json();
        self.set("endpoint", id_of(&made));
        self.set("webhook_secret", made["secret"].as_str().expect("a secret"));
    }

    async fn make_others(&mut self) {
        let other = self.world.customer_on(Plan::Starter).await;
        let theirs = self.world.sandbox_account_in("alpha_ads", "KWD").await;
        self.world.connect_as(&other, "alpha_ads", &[&theirs]).await;
        self.set("connection_of_other", id_of(&self.world.connections_as(&other).await[0]));
        let body = crate::world::campaign("alpha_ads", "Of another customer");
        let create = self.world.ask("POST", "/v1/campaigns").header("x-api-key", &other).json(&body);
        self.set("campaign_of_other", id_of(&create.expect(201).await.json()));
        // The rate of plan starter is low.
        self.world.set_account(&other, &[("tat", 0)]).await;
        let approve = json!({"name": "Product", "scopes": ["approve"]});
        let made = self.world.ask("POST", "/v1/api-keys").header("x-api-key", &other).json(&approve).expect(201).await;
        self.set("key_approve", made.json()["api_key"].as_str().expect("a key"));
        self.set("key_of_other", other);

        let full = self.world.customer_on(Plan::Starter).await;
        for platform in ["alpha_ads", "gamma_ads", "delta_ads"] {
            self.world.connect_as(&full, platform, &[]).await;
        }
        self.set("key_full", full);

        let over_quota = self.world.customer_on(Plan::Starter).await;
        self.world.set_account(&over_quota, &[("used", USED_UP)]).await;
        self.set("key_over_quota", over_quota);

        let disabled = self.world.customer_on(Plan::Starter).await;
        let customer = ApiKey::parse(&disabled).expect("a key").customer();
        assert!(self.world.gateway.app.store.set_disabled(customer, true).await.expect("an account"));
        self.set("key_disabled", disabled);
    }

    /// Sends a request to the service, or to the sandbox.
    pub(super) async fn send(&self, request: &WrongRequest) -> TestResponse {
        for key in ["key_of_other", "key_full", "key_over_quota"] {
            // The rate of plan starter is low.
            self.world.set_account(&self.variables[key], &[("tat", 0)]).await;
        }
        let mut ask = match request.path.strip_prefix("/_sandbox/") {
            Some(path) => self.world.control(&request.method, path),
            None => self.world.ask(&request.method, &request.path),
        };
        if !request.body.is_empty() {
            ask = ask.text("application/json", request.body.clone());
        }
        for (name, value) in &request.headers {
            let name = name.to_ascii_lowercase();
            ask = match value {
                Some(value) => ask.header(&name, value),
                None => ask.without(&name),
            };
        }
        let what = format!("{}: {}", request.group, request.name);
        ask.send().await.unwrap_or_else(|failure| panic!("{what}: {failure}"))
    }

    /// The campaigns of all platforms.
    pub(super) async fn campaigns(&self) -> Vec<Value> {
        let mut campaigns = Vec::new();
        for (platform, _) in platforms() {
            let path = format!("campaigns?platform={platform}");
            campaigns.push(self.world.control("GET", &path).expect(200).await.json());
        }
        campaigns
    }

    /// The number of requests that all platforms have received.
    pub(super) async fn received(&self) -> usize {
        let mut received = 0;
        for (platform, _) in platforms() {
            received += self.world.received(platform).await.len();
        }
        received
    }

    /// All keys and tokens, none of which is in an answer.
    pub(super) async fn secrets(&self) -> Vec<String> {
        let is_secret = |name: &str| name.starts_with("key") && name != "key_cut" || name == "webhook_secret";
        let mut secrets: Vec<String> = Vec::new();
        secrets.extend(self.variables.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.clone()));
        for (platform, _) in platforms() {
            let path = format!("secrets?platform={platform}");
            let issued = self.world.control("GET", &path).expect(200).await.json();
            texts(&issued, &mut secrets);
        }
        secrets
    }
}

/// All strings in a value that are long enough to be secrets.
fn texts(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() >= 16 => all.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, all)),
        Value::Object(map) => map.values().for_each(|value| texts(value, all)),
        _ => {}
    }
}
