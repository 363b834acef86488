//! The circuit breaker of an ad account, and that of a platform, which opens when several accounts fail.

use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use crate::in_process::receivers::Receivers;
use crate::in_process::{self, World, json_of, respond};
use async_trait::async_trait;
use http::{HeaderMap, StatusCode};
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::domain::{Customer, CustomerId, Plan, Platform};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use shared::serve::PostResponseWork;
use shared::store::Account;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, advance};
use uuid::Uuid;

/// The sandbox, except that calls in some ad accounts fail; counts those.
#[derive(Debug)]
struct FailingAccounts {
    network: Network,
    failing: Mutex<Vec<String>>,
    failed: Mutex<usize>,
}

#[async_trait]
impl Transport for FailingAccounts {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        if !self.failing.lock().expect("a lock").iter().any(|account| request.url.contains(account)) {
            return self.network.send(request).await;
        }
        *self.failed.lock().expect("a lock") += 1;
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Ok(OutboundResponse { status, headers: HeaderMap::new(), body: "upstream connect error".into() })
    }
}

/// One process, and the accounts that fail in it.
struct Stage {
    app: Arc<App>,
    transport: Arc<FailingAccounts>,
}

impl Stage {
    fn new(world: &World) -> Stage {
        let failing = Mutex::default();
        let failed = Mutex::default();
        let network = Network(world.sandbox.clone());
        let transport = Arc::new(FailingAccounts { network, failing, failed });
        let app = Arc::new(world.app(client_over(Straight(world.database.clone())), transport.clone()));
        Stage { app, transport }
    }

    fn fail(&self, accounts: &[&str]) {
        *self.transport.failing.lock().expect("a lock") = accounts.iter().map(|id| (*id).to_owned()).collect();
    }

    fn failed_calls(&self) -> usize {
        *self.transport.failed.lock().expect("a lock")
    }

    /// Sends a request of a customer.
    async fn respond(&self, world: &World, method: &str, path: &str, body: &str) -> Response<Body> {
        // A token of the rate limit each time.
        advance(Duration::from_millis(200)).await;
        let mut answered = respond(&self.app, world.request(method, path, &[], body)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut answered) {
            rest.run().await;
        }
        answered
    }

    async fn ask(&self, world: &World, status: u16, path: &str) -> Value {
        let answered = self.respond(world, "GET", path, "").await;
        assert_eq!(answered.status(), status, "{path}: {:?}", answered.body());
        json_of(answered.body())
    }
}

async fn world() -> World {
    World::new(in_process::clock(1), Plan::Enterprise).await
}

/// The same world as another customer sees it, who has no connections.
async fn another_customer(world: &World, number: u128) -> World {
    let customer = CustomerId(Uuid::from_u128(number));
    let key = ApiKey::generate(customer, Mode::Test).expect("a key");
    let email = "other@example.com".to_owned();
    let created_at = world.clock.now();
    let owner = Customer { id: customer, email, plan: Plan::Enterprise, created_at, disabled: false };
    world.straight().store.create_account(&Account::new(owner, key.hash(), key.display())).await.expect("an account");
    let World { database, sandbox, clock, .. } = world;
    let (database, sandbox, clock) = (database.clone(), sandbox.clone(), clock.clone());
    World { customer, api_key: key.reveal().to_owned(), database, sandbox, clock, receivers: Receivers::default() }
}

/// Reads an account of a customer until calls in it are no longer sent.
async fn read_until_left_alone(stage: &Stage, world: &World, path: &str) {
    for _ in 0..10 {
        let before = stage.failed_calls();
        stage.ask(world, 502, path).await;
        if stage.failed_calls() == before {
            return;
        }
    }
    panic!("{path}: still sent after 10 failed requests");
}

#[tokio::test(start_paused = true)]
async fn a_failing_account_opens_no_breaker_of_another_account() {
    for platform in Platform::ALL {
        for list in ["/v1/campaigns", "/v1/insights"] {
            let world = world().await;
            let other = another_customer(&world, 8).await;
            let stage = Stage::new(&world);
            let own = world.connect(&stage.app, platform, 2).await;
            other.connect(&stage.app, platform, 1).await;
            stage.fail(&[&own[0]]);
            read_until_left_alone(&stage, &world, &format!("{list}?organization_id={}", own[0])).await;

            let page = stage.ask(&other, 200, list).await;
            let errors = page.get("errors").or(page["data"].get("errors"));
            assert_eq!(errors, None, "{platform} {list}: another customer's list");
            stage.ask(&world, 200, &format!("{list}?organization_id={}", own[1])).await;
            let page = stage.ask(&world, 200, list).await;
            let errors = page.get("errors").or(page["data"].get("errors")).and_then(Value::as_array);
            assert_eq!(errors.map(Vec::len), Some(1), "{platform} {list}: the customer's own other account: {page}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn failures_of_two_customers_open_the_breaker_of_a_platform() {
    let platform = Platform::Beta;
    let world = world().await;
    let (second, third) = (another_customer(&world, 8).await, another_customer(&world, 9).await);
    let stage = Stage::new(&world);
    let first_account = world.connect(&stage.app, platform, 1).await.remove(0);
    let second_account = second.connect(&stage.app, platform, 1).await.remove(0);
    third.connect(&stage.app, platform, 1).await;
    stage.fail(&[&first_account, &second_account]);
    for customer in [&world, &second, &world, &second] {
        stage.ask(customer, 502, "/v1/campaigns").await;
    }
    let rested = stage.ask(&third, 502, "/v1/campaigns").await;
    assert_eq!((&rested["code"], &rested["retryable"]), (&json!("PLATFORM_ERROR"), &json!(true)));

    // The platform works again, apart from one account. That account's failing probe must not keep it closed to others.
    stage.fail(&[&first_account]);
    advance(Duration::from_secs(61)).await;
    stage.ask(&world, 502, "/v1/campaigns").await;
    for customer in [&third, &second] {
        stage.ask(customer, 200, "/v1/campaigns").await;
    }
}

/// Gives each connection of these accounts a user of its own.
async fn name_users(stage: &Stage, world: &World, accounts: &[String]) {
    let listed = stage.ask(world, 200, "/v1/connections").await;
    for (number, account) in accounts.iter().enumerate() {
        let mut all = listed["connections"].as_array().expect("a list").iter();
        let connection = all.find(|known| known["remote_account_id"] == *account).expect("a connection");
        let path = format!("/v1/connections/{}", connection["id"].as_str().expect("an id"));
        let update = json!({"external_ref": format!("shop{number}")}).to_string();
        assert_eq!(stage.respond(world, "PATCH", &path, &update).await.status(), 200, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn failures_of_two_users_of_a_customer_open_the_breaker_of_a_platform() {
    for (has_users, status) in [(false, 200), (true, 502)] {
        let world = world().await;
        let stage = Stage::new(&world);
        let accounts = world.connect(&stage.app, Platform::Beta, 3).await;
        if has_users {
            name_users(&stage, &world, &accounts).await;
        }
        let list = |account: &str| format!("/v1/campaigns?organization_id={account}");
        stage.fail(&[&accounts[0], &accounts[1]]);
        for account in &accounts[..2] {
            read_until_left_alone(&stage, &world, &list(account)).await;
        }
        // A customer that names no users is one owner: only its failing accounts are left alone.
        stage.ask(&world, status, &list(&accounts[2])).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_names_its_scope_and_end() {
    let platform = Platform::Beta;
    let world = world().await;
    let other = another_customer(&world, 8).await;
    let stage = Stage::new(&world);
    let own = world.connect(&stage.app, platform, 1).await.remove(0);
    let of_other = other.connect(&stage.app, platform, 1).await.remove(0);
    let flat = json!({"name": "Not sent", "goal": "TRAFFIC", "budget_amount": 5000, "budget_period": "DAILY",
        "platform": platform.as_str()});
    let enveloped = json!({"name": "Not sent", "goal": "WEBSITE_TRAFFIC", "budget_amount": 5000,
        "budget_period": "DAILY", "platform": platform.as_upper(), "organization_id": own});
    let made = stage.respond(&world, "POST", "/v1/campaigns", &flat.to_string()).await;
    let campaign = format!("/v1/campaigns/{}", json_of(made.body())["id"].as_str().expect("an id"));
    stage.fail(&[&own]);
    read_until_left_alone(&stage, &world, "/v1/campaigns").await;
    for (method, path, body) in [
        ("GET", "/v1/campaigns", String::new()),
        ("GET", &campaign, String::new()),
        ("PATCH", &campaign, json!({"name": "Not sent"}).to_string()),
        ("DELETE", &campaign, String::new()),
        ("POST", "/v1/campaigns", flat.to_string()),
        ("POST", "/v1/campaigns", enveloped.to_string()),
    ] {
        let refused = stage.respond(&world, method, path, &body).await;
        expect_left_alone(&refused, "This ad account on Meta", &format!("{method} {path}"));
    }
    // Another process, where the accounts of both fail.
    let stage = Stage::new(&world);
    stage.fail(&[&own, &of_other]);
    for customer in [&world, &other, &world, &other] {
        stage.ask(customer, 502, "/v1/campaigns").await;
    }
    let refused = stage.respond(&other, "GET", "/v1/campaigns", "").await;
    expect_left_alone(&refused, "Meta", "a list");
}

/// The response names what is left alone, and its text and header name the same wait.
fn expect_left_alone(refused: &Response<Body>, what: &str, of: &str) {
    assert_eq!(refused.status(), 502, "{of}: {:?}", refused.body());
    let body = json_of(refused.body());
    let message = body["error"].as_str().or(body["error"]["message"].as_str()).expect("a message");
    let seconds = refused.headers()["retry-after"].to_str().expect("text");
    let wait = if seconds == "1" { "1 second".to_owned() } else { format!("{seconds} seconds") };
    let expected = format!(
        "{what} is left alone for another {wait}, because calls failed repeatedly. Nothing was sent; try again then."
    );
    assert_eq!(message, expected, "{of}");
}
