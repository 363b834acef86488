//! Features and quotas of each plan. A changed plan applies to the next request in every process.

use crate::world::{World, id_of};
use lambda_http::Body;
use lambda_http::http::Request;
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan};
use std::sync::Arc;

impl World {
    fn demo_customer(&self) -> CustomerId {
        ApiKey::parse(&self.gateway.api_key).expect("a key").customer()
    }

    /// Changes the demo customer's plan as `gateway admin set-plan` does, and resets its rate limit.
    pub(crate) async fn set_plan(&self, plan: Plan) {
        self.set_account(&self.gateway.api_key, &[("tat", 0)]).await;
        assert!(
            self.gateway.app.store.set_plan(self.demo_customer(), plan, Clock::system().now()).await.expect("a write")
        );
    }

    async fn connected_accounts(&self) -> Vec<String> {
        let connections = self.connections().await;
        let text = |connection: &Value| connection["remote_account_id"].as_str().expect("an id").to_owned();
        connections.iter().filter(|connection| connection["status"] == "ACTIVE").map(text).collect()
    }
}

#[tokio::test]
async fn a_create_with_targets_on_starter_is_403_and_names_plan_pro() {
    let world = World::connected("alpha_ads").await;
    let account = world.sandbox_accounts("alpha_ads").await.remove(0);
    let body = json!({"name": "n", "goal": "SALES", "budget_amount": 5, "budget_period": "DAILY",
        "targets": [{"platform": "ALPHA", "organization_id": account}]});
    world.set_plan(Plan::Starter).await;
    let refused = world.ask("POST", "/v1/campaigns").json(&body).expect(403).await.json();
    assert_eq!(refused["error"]["code"], "FORBIDDEN");
    assert!(refused["error"]["message"].as_str().is_some_and(|message| message.contains("plan pro")), "{refused}");
    world.set_plan(Plan::Pro).await;
    world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
}

#[tokio::test]
async fn authorize_at_the_connection_quota_is_403_until_there_is_room() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let three: Vec<&str> = accounts[..3].iter().map(String::as_str).collect();
    world.connect("alpha_ads", &three).await;
    let connection = id_of(&world.connections().await[0]);
    world.set_plan(Plan::Starter).await;
    for platform in ["alpha_ads", "beta_ads"] {
        let refused = world.ask("GET", &format!("/v1/connections/{platform}/authorize")).expect(403).await.json();
        let message = refused["error"].as_str().expect("a message");
        assert!(message.contains("3 connections") && message.contains("plan pro"), "{message}");
    }
    world.set_plan(Plan::Pro).await;
    world.authorize("beta_ads").await;
    world.set_plan(Plan::Starter).await;
    world.ask("GET", "/v1/connections/beta_ads/authorize").expect(403).await;
    world.ask("DELETE", &format!("/v1/connections/{connection}")).expect(204).await;
    world.authorize("beta_ads").await;
    world.authorize("beta_ads").await;
    assert_eq!(world.connected_accounts().await.len(), 2, "PENDING connections do not count");
}

#[tokio::test]
async fn a_revoked_connection_can_be_authorized_again_at_the_quota() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let three: Vec<&str> = accounts[..3].iter().map(String::as_str).collect();
    world.connect("alpha_ads", &three).await;
    world.fault("alpha_ads", "any", "revoked", 1).await;
    world.ask("GET", "/v1/campaigns").send().await.expect("a response");
    assert_eq!(world.connected_accounts().await.len(), 0);
    world.set_plan(Plan::Starter).await;
    world.connect("alpha_ads", &three).await;
    assert_eq!(world.connected_accounts().await.len(), 3);
}

#[tokio::test]
async fn a_consent_beyond_the_quota_connects_the_first_and_names_the_rest() {
    let world = World::start().await;
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(4);
    accounts.sort_unstable();
    // The last account by id is already connected and keeps its place.
    world.connect("alpha_ads", &[&accounts[3]]).await;
    world.set_plan(Plan::Starter).await;
    let all: Vec<&str> = accounts.iter().map(String::as_str).collect();
    let page = world.connect("alpha_ads", &all).await;
    let (done, rest) = page.text.split_once("Not connected, because plan starter").expect("both parts");
    for (index, account) in accounts.iter().enumerate() {
        assert_eq!((done.contains(account), rest.contains(account)), (index != 2, index == 2), "{account}");
    }
    let mut connected = world.connected_accounts().await;
    connected.sort_unstable();
    assert_eq!(connected, [0, 1, 3].map(|index: usize| accounts[index].clone()));
}

#[tokio::test]
async fn a_consent_after_the_quota_is_used_up_connects_nothing() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let url = world.authorize("beta_ads").await;
    let back = world.consent(&url, "approve", &[]).await;
    let three: Vec<&str> = accounts[..3].iter().map(String::as_str).collect();
    world.connect("alpha_ads", &three).await;
    world.set_plan(Plan::Starter).await;
    let page = world.request("GET", &back).expect(400).await;
    assert!(page.text.contains("allows 3 connections") && page.text.contains("plan pro"), "{}", page.text);
    assert_eq!(world.connections().await.len(), 3, "the PENDING connection is deleted");
}

#[tokio::test]
async fn a_changed_plan_key_or_account_applies_to_the_next_request() {
    let world = World::start().await;
    let store = &world.gateway.app.store;
    let customer = world.demo_customer();
    let another = Arc::new(App::start(world.gateway.config.clone()).await.expect("an app"));
    let processes = [world.gateway.app.clone(), another];
    let ask = |app: Arc<App>| {
        let request = Request::builder().uri("/v1/connections").header("x-api-key", &world.gateway.api_key);
        connections::handle(app, request.body(Body::Empty).expect("a request"))
    };
    for (plan, burst) in [(Plan::Enterprise, 600), (Plan::Starter, 6), (Plan::Pro, 60), (Plan::Starter, 6)] {
        world.set_plan(plan).await;
        for app in &processes {
            let response = ask(app.clone()).await;
            let policy = response.headers()["ratelimit-policy"].to_str().expect("text").to_owned();
            assert_eq!(
                (response.status().as_u16(), policy.contains(&format!("q={burst};w=6"))),
                (200, true),
                "{policy}"
            );
        }
    }
    store.set_disabled(customer, true).await.expect("a write");
    for app in &processes {
        assert_eq!(ask(app.clone()).await.status(), 403);
    }
    let key = ApiKey::generate(customer, Mode::Test).expect("a key");
    store.reset_keys(customer, &key.hash(), key.display(), world.gateway.app.clock.now()).await.expect("a write");
    for app in &processes {
        assert_eq!(ask(app.clone()).await.status(), 401, "the old key no longer authenticates");
    }
}
