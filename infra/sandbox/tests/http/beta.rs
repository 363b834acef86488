//! `beta_ads` over HTTP: consent, tokens, faults and persistence.

use crate::client::{REDIRECT, Response, TestServer, form, form_with};
use crate::in_process::assert_connects_ten_usd_accounts;
use serde_json::{Value, json};

const USD: &str = "act_1203004005006001";
const JPY: &str = "act_1203004005006002";
const TOKEN: &str = "/beta_ads/v26.0/oauth/access_token";

/// The path of the login dialog with changed parameters. An empty value omits the parameter.
fn dialog(changes: &[(&str, &str)]) -> String {
    let defaults = [
        ("client_id", sandbox::client("beta_ads").unwrap().id),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", "ads_management,ads_read"),
        ("state", "st&te"),
    ];
    format!("/beta_ads/v26.0/dialog/oauth?{}", form_with(&defaults, changes))
}

/// Exchanges a code, with changed parameters.
async fn exchange(server: &TestServer, code: &str, changes: &[(&str, &str)]) -> Response {
    let client = sandbox::client("beta_ads").unwrap();
    let defaults =
        [("client_id", client.id), ("client_secret", client.secret), ("redirect_uri", REDIRECT), ("code", code)];
    server.get(&format!("{TOKEN}?{}", form_with(&defaults, changes))).await
}

async fn code(server: &TestServer, accounts: &[&str]) -> String {
    server.approve_at(&dialog(&[]), accounts).await.remove("code").unwrap()
}

/// A long-lived token.
async fn connect(server: &TestServer, accounts: &[&str]) -> String {
    let short = exchange(server, &code(server, accounts).await, &[]).await.json();
    let short = short["access_token"].as_str().unwrap();
    exchange_token(server, short).await.json()["access_token"].as_str().unwrap().to_owned()
}

/// Exchanges a token for a long-lived one.
async fn exchange_token(server: &TestServer, token: &str) -> Response {
    let client = sandbox::client("beta_ads").unwrap();
    let parameters = [
        ("grant_type", "fb_exchange_token"),
        ("client_id", client.id),
        ("client_secret", client.secret),
        ("fb_exchange_token", token),
    ];
    server.submit(TOKEN, &parameters).await
}

async fn call(server: &TestServer, token: &str, method: &str, path: &str, pairs: &[(&str, &str)]) -> Response {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/x-www-form-urlencoded")];
    server.send(method, &format!("/beta_ads/v26.0{path}"), &headers, &form(pairs)).await.unwrap()
}

async fn create(server: &TestServer, token: &str, account: &str) -> String {
    let pairs = [
        ("name", "Sale"),
        ("objective", "OUTCOME_SALES"),
        ("status", "PAUSED"),
        ("special_ad_categories", "[]"),
        ("daily_budget", "5000"),
    ];
    let response = call(server, token, "POST", &format!("/{account}/campaigns"), &pairs).await;
    assert_eq!(response.status, 200, "{}", response.text);
    response.json()["id"].as_str().unwrap().to_owned()
}

/// Code and subcode of an error.
fn code_and_subcode(response: &Response) -> (Value, Value) {
    let body = response.json();
    (body["error"]["code"].clone(), body["error"]["error_subcode"].clone())
}

#[tokio::test]
async fn the_token_grants_access_to_the_accounts_chosen_on_the_page() {
    let server = TestServer::new().await;
    let page = server.get(&dialog(&[])).await;
    assert_eq!(page.status, 200);
    for word in ["<form method=\"post\">", "act_1203004005006004", "COP", "BHD", "Manage ads"] {
        assert!(page.text.contains(word), "{word}");
    }
    let token = connect(&server, &[JPY]).await;
    let accounts = call(&server, &token, "GET", "/me/adaccounts?fields=currency", &[]).await.json();
    assert_eq!(accounts["data"], json!([{ "id": JPY, "currency": "JPY" }]));
    assert_eq!(call(&server, &token, "GET", &format!("/{USD}/campaigns"), &[]).await.status, 403);
}

#[tokio::test]
async fn a_denial_redirects_with_error_and_reason() {
    let server = TestServer::new().await;
    let parameters = server.submit(&dialog(&[]), &[("decision", "deny")]).await.redirect();
    assert_eq!(parameters["error"], "access_denied");
    assert_eq!(parameters["error_reason"], "user_denied");
    assert_eq!(parameters["state"], "st&te");
    assert!(!parameters.contains_key("code"));
}

#[tokio::test]
async fn an_invalid_authorization_request_does_not_redirect() {
    let server = TestServer::new().await;
    for changes in [
        [("client_id", "other")],
        [("client_id", "")],
        [("redirect_uri", "http://app.example/cb")],
        [("redirect_uri", "")],
        [("response_type", "token")],
        [("scope", "ads_management,ads_everything")],
    ] {
        let response = server.submit(&dialog(&changes), &[("decision", "approve")]).await;
        assert_eq!((response.status, response.headers.get("location")), (400, None), "{changes:?}");
    }
    let response = server.submit(&dialog(&[]), &[("decision", "approve"), ("account", "act_1")]).await;
    assert_eq!(response.status, 400);
}

#[tokio::test]
async fn a_code_works_once_for_its_redirect_uri_with_the_secret() {
    let server = TestServer::new().await;
    let code = code(&server, &[]).await;
    let other = format!("{REDIRECT}/");
    let code_only = |code: u64| (json!(code), Value::Null);
    assert_eq!(
        code_and_subcode(&exchange(&server, &code, &[("redirect_uri", &other)]).await),
        (json!(100), json!(36_008))
    );
    assert_eq!(code_and_subcode(&exchange(&server, &code, &[("redirect_uri", "")]).await), code_only(191));
    assert_eq!(code_and_subcode(&exchange(&server, &code, &[("client_secret", "wrong")]).await), code_only(1));
    assert_eq!(code_and_subcode(&exchange(&server, &code, &[("client_id", "1")]).await), code_only(101));
    let response = exchange(&server, &code, &[]).await;
    let body = response.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(3600)));
    assert_eq!(body.get("refresh_token"), None);
    assert_eq!(code_and_subcode(&exchange(&server, &code, &[]).await), (json!(100), json!(36_009)));
    // A reused code may be stolen, so the reuse revokes its token.
    let token = body["access_token"].as_str().unwrap();
    assert_eq!(code_and_subcode(&call(&server, token, "GET", "/me", &[]).await), (json!(190), json!(458)));
}

#[tokio::test]
async fn an_expired_token_can_be_neither_used_nor_exchanged() {
    let server = TestServer::new().await;
    server.control("settings", json!({ "platform": "beta_ads", "access_token_ttl_s": 0 })).await;
    let short = exchange(&server, &code(&server, &[]).await, &[]).await.json();
    let short = short["access_token"].as_str().unwrap();
    assert_eq!(code_and_subcode(&exchange_token(&server, short).await), (json!(190), json!(463)));
    assert_eq!(code_and_subcode(&call(&server, short, "GET", "/me/adaccounts", &[]).await), (json!(190), json!(463)));
}

#[tokio::test]
async fn a_revocation_ends_one_grant_and_its_tokens() {
    let server = TestServer::new().await;
    let (token, other) = (connect(&server, &[]).await, connect(&server, &[]).await);
    let response = call(&server, &token, "DELETE", "/me/permissions", &[]).await;
    assert_eq!(response.json(), json!({ "success": true }));
    assert_eq!(code_and_subcode(&exchange_token(&server, &token).await), (json!(190), json!(458)));
    assert_eq!(call(&server, &other, "GET", "/me/adaccounts", &[]).await.status, 200);
}

#[tokio::test]
async fn next_is_the_url_of_the_next_page() {
    let server = TestServer::new().await;
    let token = connect(&server, &[]).await;
    let first = create(&server, &token, USD).await;
    create(&server, &token, USD).await;
    let page = call(&server, &token, "GET", &format!("/{USD}/campaigns?limit=1"), &[]).await.json();
    let next = page["paging"]["next"].as_str().unwrap();
    let path = next.strip_prefix(&server.running.url()).unwrap();
    let rest = server.get(path).await.json();
    assert_eq!((&rest["data"], &rest["paging"]["next"]), (&json!([{ "id": first }]), &Value::Null));
}

#[tokio::test]
async fn faults_use_the_error_format_of_the_platform() {
    let server = TestServer::new().await;
    let token = connect(&server, &[]).await;
    let fault = async |operation: &str, fault: &str| {
        let body = json!({ "platform": "beta_ads", "operation": operation, "fault": fault, "times": 1 });
        assert_eq!(server.control("faults", body).await.status, 200);
    };
    let path = format!("/{USD}/campaigns");
    fault("list", "throttle").await;
    // Insights do not count as a list.
    assert_eq!(call(&server, &token, "GET", &format!("/{USD}/insights"), &[]).await.status, 200);
    let response = call(&server, &token, "GET", &path, &[]).await;
    assert_eq!(code_and_subcode(&response).0, 80_004);
    assert!(response.headers["x-business-use-case-usage"].contains("estimated_time_to_regain_access\":5"));
    assert_eq!(response.headers.get("retry-after"), None);
    fault("list", "error").await;
    assert_eq!(call(&server, &token, "GET", &path, &[]).await.status, 500);
    fault("refresh", "error").await;
    assert_eq!(exchange_token(&server, &token).await.status, 500);
    fault("get", "revoked").await;
    let id = create(&server, &token, USD).await;
    assert_eq!(code_and_subcode(&call(&server, &token, "GET", &format!("/{id}"), &[]).await), (json!(190), json!(458)));
    let token = connect(&server, &[]).await;
    assert_eq!(call(&server, &token, "GET", &format!("/{id}"), &[]).await.status, 200);
}

#[tokio::test]
async fn grants_campaigns_and_spend_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let token = connect(&server, &[]).await;
    let id = create(&server, &token, USD).await;
    let spend = json!({ "platform": "beta_ads", "campaign_id": id, "amount": "2.50" });
    assert_eq!(server.control("spend", spend).await.json()["spent"], "2.50");
    let again = TestServer::start(Some(folder.path())).await;
    let query = "fields=spend&date_preset=maximum";
    let report = call(&again, &token, "GET", &format!("/{id}/insights?{query}"), &[]).await.json();
    assert_eq!(report["data"][0]["spend"], "2.50");
    assert!(create(&again, &token, USD).await > id);
}

#[tokio::test]
async fn control_opens_accounts_in_supported_currencies_only() {
    let server = TestServer::new().await;
    let open = async |currency: &str| {
        let response = server.control("accounts", json!({ "platform": "beta_ads", "currency": currency })).await;
        (response.status, response.json())
    };
    let (status, body) = open("HUF").await;
    assert_eq!(status, 201);
    assert!(body["account"]["id"].as_str().unwrap().starts_with("act_"));
    assert_eq!(open("XXX").await.0, 400);
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("beta_ads", &dialog(&[])).await;
}
