//! The sandbox in process, with the test's clock.

use crate::alpha::{self, creation};
use crate::client::{NOON, Response, TestServer, USD};
use crate::oauth_client::{Call, OAuthClient};
use crate::{epsilon, gamma};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// `epsilon_ads` in process.
struct Epsilon {
    server: TestServer,
    token: String,
}

impl Epsilon {
    async fn new() -> Self {
        let server = TestServer::in_process();
        let (token, _) = epsilon::CLIENT.connect(&server).await;
        Self { server, token }
    }

    async fn create(&self, name: &str) -> Option<Response> {
        let create = (epsilon::SAMPLE.create)(epsilon::SAMPLE.accounts[0], name);
        epsilon::CLIENT.ask(&self.server, &self.token, &create).await
    }

    async fn list(&self) -> Response {
        let list = (epsilon::SAMPLE.list)(epsilon::SAMPLE.accounts[0]);
        epsilon::CLIENT.ask(&self.server, &self.token, &list).await.unwrap()
    }

    /// Creation time of the first campaign, in Unix seconds after the start of the test.
    async fn first_created(&self) -> i64 {
        let start: Timestamp = NOON.parse().unwrap();
        self.list().await.json()["items"][0]["created_time"].as_i64().unwrap() - start.as_second()
    }

    async fn fault(&self, fault: &str, ms: u64) {
        let order = json!({ "platform": "epsilon_ads", "operation": "create", "fault": fault, "times": 1, "ms": ms });
        assert_eq!(self.server.control("faults", order).await.status, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn consent_tokens_and_campaigns_use_the_given_clock() {
    let epsilon = Epsilon::new().await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(epsilon.create("Sale").await.unwrap().status, 200);
    assert_eq!(epsilon.first_created().await, 60);
    assert_eq!(epsilon.server.names("epsilon_ads").await, ["Sale"]);
    sleep(Duration::from_secs(31 * 86_400)).await;
    assert_eq!(epsilon.list().await.status, 401, "the token has expired by the given clock");
}

#[tokio::test(start_paused = true)]
async fn a_slow_create_executes_at_once_and_is_answered_after_its_delay() {
    let epsilon = Epsilon::new().await;
    epsilon.fault("slow", 3_000).await;
    assert!(timeout(Duration::from_millis(2_999), epsilon.create("Slow")).await.is_err());
    assert_eq!(epsilon.first_created().await, 0);
    epsilon.fault("slow", 3_000).await;
    let answered = timeout(Duration::from_millis(3_001), epsilon.create("Slow too")).await;
    assert_eq!(answered.expect("in time").unwrap().status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_late_create_completes_after_its_caller_has_left() {
    let epsilon = Epsilon::new().await;
    epsilon.fault("late", 3_000).await;
    assert!(timeout(Duration::from_millis(500), epsilon.create("Late")).await.is_err());
    sleep(Duration::from_millis(2_400)).await;
    assert!(epsilon.server.names("epsilon_ads").await.is_empty());
    sleep(Duration::from_millis(200)).await;
    assert_eq!(epsilon.server.names("epsilon_ads").await, ["Late"]);
    assert_eq!(epsilon.first_created().await, 3);
}

/// The responses to eight concurrent calls.
async fn concurrently(client: &'static OAuthClient, server: &Arc<TestServer>, token: &str, call: &Call) -> Vec<Value> {
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let (server, token, call) = (Arc::clone(server), token.to_owned(), call.clone());
        calls.spawn(async move { client.ask(&server, &token, &call).await.unwrap().json() });
    }
    calls.join_all().await
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_with_one_request_id_create_one_campaign() {
    let server = Arc::new(TestServer::in_process());
    let (token, _) = gamma::CLIENT.connect(&server).await;
    let fault = json!({ "platform": "gamma_ads", "operation": "create", "fault": "late", "times": 2, "ms": 50 });
    let manual = (gamma::SAMPLE.create)(gamma::SAMPLE.accounts[0], "Sale");
    let mut smart = Call { path: manual.path.replace("/campaign", "/smart_plus/campaign"), ..manual.clone() };
    smart.body["objective_type"] = json!("LEAD_GENERATION");
    smart.body["budget_mode"] = json!("BUDGET_MODE_DYNAMIC_DAILY_BUDGET");
    for (at, mut create) in [manual, smart].into_iter().enumerate() {
        server.control("faults", fault.clone()).await;
        create.body["request_id"] = json!(format!("{}", 9_000 + at));
        let responses = concurrently(&gamma::CLIENT, &server, &token, &create).await;
        let mut codes: Vec<_> = responses.iter().map(|response| response["code"].as_u64().unwrap()).collect();
        codes.sort_unstable();
        assert_eq!(codes, [0, 40050, 40050, 40050, 40050, 40050, 40050, 40050]);
        assert_eq!(server.names("gamma_ads").await.len(), at + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_creates_with_one_name_create_one_google_campaign() {
    let server = Arc::new(TestServer::in_process());
    let (token, _) = server.connect().await;
    let fault = json!({ "platform": "alpha_ads", "operation": "create", "fault": "late", "times": 2, "ms": 50 });
    server.control("faults", fault).await;
    let create = Call::post(format!("/alpha_ads/v26/customers/{USD}/googleAds:mutate"), creation(USD, "Sale"));
    let responses = concurrently(&alpha::CLIENT, &server, &token, &create).await;
    let refused = responses.iter().filter(|response| response.to_string().contains("DUPLICATE_CAMPAIGN_NAME")).count();
    assert_eq!((refused, server.names("alpha_ads").await), (7, vec!["Sale".to_owned()]));
}
