//! The sandbox in process, with the test's clock.

use crate::client::{REDIRECT, USD, authorize, basic, creation, form};
use crate::{epsilon, gamma};
use axum::body::Bytes;
use axum::http::{Request, Response};
use jiff::Timestamp;
use sandbox::InProcess;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use url::Url;

const CAMPAIGNS: &str = "/epsilon_ads/v5/ad_accounts/549755813001/campaigns";
/// Initial time of the clock in Unix seconds: 1 February 2100.
const START: i64 = 4_105_123_200;

/// A sandbox on tokio's paused clock.
fn sandbox() -> InProcess {
    let start = Timestamp::from_second(START).unwrap();
    let begun = Instant::now();
    InProcess::new(move || start + begun.elapsed())
}

/// Sends a request; `None` for a closed connection.
async fn send(
    sandbox: &InProcess,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: String,
) -> Option<Response<Bytes>> {
    let request = headers
        .iter()
        .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
    sandbox.handle(request.body(Bytes::from(body)).unwrap()).await
}

fn read(response: &Response<Bytes>) -> Value {
    serde_json::from_slice(response.body()).unwrap()
}

async fn control(sandbox: &InProcess, name: &str, body: Value) -> Value {
    let response = send(sandbox, "POST", &format!("/_sandbox/{name}"), &[], body.to_string()).await.unwrap();
    assert!(response.status().is_success(), "{response:?}");
    read(&response)
}

/// Consents to accounts at a consent page and returns the code.
async fn approve(sandbox: &InProcess, page: &str, accounts: &[String]) -> String {
    let mut pairs = vec![("decision", "approve")];
    pairs.extend(accounts.iter().map(|account| ("account", account.as_str())));
    let response = send(sandbox, "POST", page, &[], form(&pairs)).await.unwrap();
    assert_eq!(response.status(), 302, "{response:?}");
    let to = Url::parse(response.headers()["location"].to_str().unwrap()).unwrap();
    let code = to.query_pairs().find(|(name, _)| name == "code" || name == "auth_code");
    code.unwrap().1.into_owned()
}

/// Consents to the first account and returns the access token.
async fn connect(sandbox: &InProcess) -> String {
    let code = approve(sandbox, &epsilon::CLIENT.authorize(&[]), &[]).await;
    let authorization = basic("epsilon_ads", sandbox::client("epsilon_ads").unwrap().secret);
    let kind = "application/x-www-form-urlencoded";
    let headers = [("content-type", kind), ("authorization", authorization.as_str())];
    let body = form(&[("grant_type", "authorization_code"), ("code", &code), ("redirect_uri", REDIRECT)]);
    let response = send(sandbox, "POST", "/epsilon_ads/v5/oauth/token", &headers, body).await.unwrap();
    read(&response)["access_token"].as_str().unwrap().to_owned()
}

async fn call(sandbox: &InProcess, token: &str, method: &str, body: &Value) -> Option<Response<Bytes>> {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    send(sandbox, method, CAMPAIGNS, &headers, body).await
}

async fn create(sandbox: &InProcess, token: &str, name: &str) -> Option<Response<Bytes>> {
    let item = json!({
        "ad_account_id": "549755813001",
        "name": name,
        "objective_type": "AWARENESS",
        "is_campaign_budget_optimization": true,
        "daily_spend_cap": 50_000_000,
    });
    call(sandbox, token, "POST", &json!([item])).await
}

async fn list(sandbox: &InProcess, token: &str) -> Value {
    let response = call(sandbox, token, "GET", &Value::Null).await.unwrap();
    assert_eq!(response.status(), 200, "{response:?}");
    read(&response)["items"].clone()
}

async fn names(sandbox: &InProcess) -> Vec<String> {
    let response = send(sandbox, "GET", "/_sandbox/campaigns", &[], String::new()).await.unwrap();
    let held = read(&response)["campaigns"].as_array().unwrap().clone();
    held.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

async fn fault(sandbox: &InProcess, fault: &str, ms: u64) {
    let order = json!({ "platform": "epsilon_ads", "operation": "create", "fault": fault, "times": 1, "ms": ms });
    control(sandbox, "faults", order).await;
}

#[tokio::test(start_paused = true)]
async fn consent_tokens_and_campaigns_use_the_given_clock() {
    let sandbox = sandbox();
    let token = connect(&sandbox).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(create(&sandbox, &token, "Sale").await.unwrap().status(), 200);
    let listed = list(&sandbox, &token).await;
    assert_eq!((&listed[0]["name"], &listed[0]["created_time"]), (&json!("Sale"), &json!(START + 60)));
    assert_eq!(names(&sandbox).await, ["Sale"]);
    assert_eq!(names(&sandbox.clone()).await, ["Sale"], "a clone is the same sandbox");
    sleep(Duration::from_secs(31 * 86_400)).await;
    let old = call(&sandbox, &token, "GET", &Value::Null).await.unwrap();
    assert_eq!(old.status(), 401, "the token has expired by the given clock");
}

#[tokio::test(start_paused = true)]
async fn a_slow_create_executes_at_once_and_is_answered_after_its_delay() {
    let sandbox = sandbox();
    let token = connect(&sandbox).await;
    fault(&sandbox, "slow", 3_000).await;
    assert!(timeout(Duration::from_millis(2_999), create(&sandbox, &token, "Slow")).await.is_err());
    assert_eq!(list(&sandbox, &token).await[0]["created_time"], START);
    fault(&sandbox, "slow", 3_000).await;
    let answered = timeout(Duration::from_millis(3_001), create(&sandbox, &token, "Slow too")).await;
    assert_eq!(answered.expect("in time").unwrap().status(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_late_create_completes_after_its_caller_has_left() {
    let sandbox = sandbox();
    let token = connect(&sandbox).await;
    fault(&sandbox, "late", 3_000).await;
    assert!(timeout(Duration::from_millis(500), create(&sandbox, &token, "Late")).await.is_err());
    sleep(Duration::from_millis(2_400)).await;
    assert!(names(&sandbox).await.is_empty());
    sleep(Duration::from_millis(200)).await;
    assert_eq!(names(&sandbox).await, ["Late"]);
    assert_eq!(list(&sandbox, &token).await[0]["created_time"], START + 3);
}

#[tokio::test(start_paused = true)]
async fn a_closed_connection_is_no_response() {
    let sandbox = sandbox();
    let token = connect(&sandbox).await;
    fault(&sandbox, "drop", 0).await;
    assert!(create(&sandbox, &token, "Lost").await.is_none());
    fault(&sandbox, "drop_after", 0).await;
    assert!(create(&sandbox, &token, "Unheard").await.is_none());
    assert_eq!(names(&sandbox).await, ["Unheard"]);
    assert!(create(&sandbox, &token, "Heard").await.is_some());
}

/// One consent of a platform connects ten new accounts in USD.
pub(crate) async fn assert_connects_ten_usd_accounts(platform: &str, page: &str) {
    let sandbox = sandbox();
    let mut accounts = Vec::new();
    for _ in 0..10 {
        let opened = control(&sandbox, "accounts", json!({ "platform": platform, "currency": "USD" })).await;
        assert_eq!(opened["account"]["currency"], "USD");
        accounts.push(opened["account"]["id"].as_str().unwrap().to_owned());
    }
    assert!(!approve(&sandbox, page, &accounts).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("alpha_ads", &authorize(&[])).await;
}

/// The responses to eight concurrent calls.
async fn concurrently(sandbox: &InProcess, path: &str, headers: &[(&str, &str)], body: &Value) -> Vec<Value> {
    let request = || {
        let request = Request::post(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(Bytes::from(body.to_string())).unwrap()
    };
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let sandbox = sandbox.clone();
        let request = request();
        calls.spawn(async move { read(&sandbox.handle(request).await.unwrap()) });
    }
    calls.join_all().await
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_with_one_request_id_create_one_campaign() {
    let sandbox = sandbox();
    let account = "7301002003004005001";
    let token = gamma_token(&sandbox).await;
    let headers = [("access-token", token.as_str()), ("content-type", "application/json")];
    let fault = json!({ "platform": "gamma_ads", "operation": "create", "fault": "late", "times": 2, "ms": 50 });
    let kinds = [("/campaign/create/", "TRAFFIC"), ("/smart_plus/campaign/create/", "LEAD_GENERATION")];
    for (at, (path, objective)) in kinds.into_iter().enumerate() {
        control(&sandbox, "faults", fault.clone()).await;
        let body = json!({
            "advertiser_id": account,
            "campaign_name": "Sale",
            "objective_type": objective,
            "budget_mode": if at == 0 { "BUDGET_MODE_DAY" } else { "BUDGET_MODE_DYNAMIC_DAILY_BUDGET" },
            "budget": 50,
            "request_id": format!("{}", 9_000 + at),
        });
        let path = format!("/gamma_ads/open_api/v1.3{path}");
        let responses = concurrently(&sandbox, &path, &headers, &body).await;
        let mut codes: Vec<_> = responses.iter().map(|response| response["code"].as_u64().unwrap()).collect();
        codes.sort_unstable();
        assert_eq!(codes, [0, 40050, 40050, 40050, 40050, 40050, 40050, 40050]);
        assert_eq!(names(&sandbox).await.len(), at + 1);
    }
}

async fn gamma_token(sandbox: &InProcess) -> String {
    let client = sandbox::client("gamma_ads").unwrap();
    let code = approve(sandbox, &gamma::authorize(&[]), &[]).await;
    let body = json!({ "app_id": client.id, "secret": client.secret, "auth_code": code }).to_string();
    let path = "/gamma_ads/open_api/v1.3/oauth2/access_token/";
    let response = send(sandbox, "POST", path, &[("content-type", "application/json")], body).await.unwrap();
    read(&response)["data"]["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn concurrent_creates_with_one_name_create_one_google_campaign() {
    let sandbox = sandbox();
    let client = sandbox::client("alpha_ads").unwrap();
    let without_pkce = authorize(&[("code_challenge", ""), ("code_challenge_method", "")]);
    let code = approve(&sandbox, &without_pkce, &[]).await;
    let body = form(&[
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("client_id", client.id),
        ("client_secret", client.secret),
        ("redirect_uri", REDIRECT),
    ]);
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    let tokens = read(&send(&sandbox, "POST", "/alpha_ads/token", &kind, body).await.unwrap());
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let fault = json!({ "platform": "alpha_ads", "operation": "create", "fault": "late", "times": 2, "ms": 50 });
    control(&sandbox, "faults", fault).await;
    let path = format!("/alpha_ads/v26/customers/{USD}/googleAds:mutate");
    let responses = concurrently(&sandbox, &path, &headers, &creation("Sale")).await;
    let refused = responses.iter().filter(|response| response.to_string().contains("DUPLICATE_CAMPAIGN_NAME")).count();
    assert_eq!((refused, names(&sandbox).await), (7, vec!["Sale".to_owned()]));
}
