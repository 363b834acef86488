//! `gamma_ads` over HTTP: consent, tokens, faults and persistence.

use crate::client::{REDIRECT, Response, TestServer, form, form_with};
use crate::in_process::assert_connects_ten_usd_accounts;
use serde_json::{Value, json};

const USD: &str = "7301002003004005001";
const JPY: &str = "7301002003004005002";
const API: &str = "/gamma_ads/open_api/v1.3";
const JSON: (&str, &str) = ("content-type", "application/json");

/// The path of a valid authorization request with changed parameters. An empty value omits the parameter.
pub(crate) fn authorize(changes: &[(&str, &str)]) -> String {
    let app = sandbox::client("gamma_ads").unwrap().id;
    let parameters = [("app_id", app), ("state", "st&te"), ("redirect_uri", REDIRECT)];
    format!("/gamma_ads/portal/auth?{}", form_with(&parameters, changes))
}

async fn approve(server: &TestServer, accounts: &[&str]) -> String {
    server.approve_at(&authorize(&[]), accounts).await.remove("auth_code").unwrap()
}

async fn post(server: &TestServer, token: &str, path: &str, body: &Value) -> Response {
    let headers = [JSON, ("access-token", token)];
    server.send("POST", &format!("{API}{path}"), &headers, &body.to_string()).await.unwrap()
}

async fn list(server: &TestServer, token: &str) -> Response {
    let path = format!("{API}/campaign/get/?advertiser_id={USD}");
    server.send("GET", &path, &[("access-token", token)], "").await.unwrap()
}

/// Exchanges a code, with changed fields. A null omits the field.
async fn exchange(server: &TestServer, code: &str, changes: Value) -> Value {
    let client = sandbox::client("gamma_ads").unwrap();
    let mut body = json!({ "app_id": client.id, "secret": client.secret, "auth_code": code });
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let path = format!("{API}/oauth2/access_token/");
    let response = server.send("POST", &path, &[JSON], &body.to_string()).await.unwrap();
    assert_eq!(response.status, 200, "{}", response.text);
    response.json()
}

async fn connect(server: &TestServer) -> String {
    let code = approve(server, &[]).await;
    exchange(server, &code, json!({})).await["data"]["access_token"].as_str().unwrap().to_owned()
}

fn campaign(name: &str) -> Value {
    json!({
        "advertiser_id": USD,
        "campaign_name": name,
        "objective_type": "TRAFFIC",
        "budget_mode": "BUDGET_MODE_DAY",
        "budget": 50,
    })
}

async fn fault(server: &TestServer, operation: &str, fault: &str) {
    let body = json!({ "platform": "gamma_ads", "operation": operation, "fault": fault, "times": 1 });
    assert_eq!(server.control("faults", body).await.status, 200);
}

#[tokio::test]
async fn both_consent_paths_list_the_advertisers() {
    let server = TestServer::new().await;
    let page = server.get(&authorize(&[])).await;
    assert_eq!(page.status, 200);
    for words in ["<form method=\"post\">", "value=\"7301002003004005001\" checked", "Harbour Coffee Japan", "KWD"] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    let legacy = authorize(&[]).replace("/portal/auth", "/marketing_api/auth");
    assert_eq!(server.get(&legacy).await.text, page.text);
}

#[tokio::test]
async fn an_approval_redirects_with_auth_code_and_state() {
    let server = TestServer::new().await;
    let response = server.submit(&authorize(&[]), &[("decision", "approve"), ("account", USD)]).await;
    let parameters = response.redirect();
    assert_eq!(parameters.keys().collect::<Vec<_>>(), ["auth_code", "state"]);
    assert_eq!(parameters["state"], "st&te");
}

#[tokio::test]
async fn a_denial_redirects_with_error_and_state() {
    let server = TestServer::new().await;
    let response = server.submit(&authorize(&[]), &[("decision", "deny")]).await;
    assert_eq!(response.headers["location"], format!("{REDIRECT}?error=access_denied&state=st%26te"));
}

#[tokio::test]
async fn an_invalid_authorization_request_does_not_redirect() {
    let server = TestServer::new().await;
    for (changes, pairs) in [
        ([("app_id", "other")], [("decision", "approve")]),
        ([("app_id", "")], [("decision", "approve")]),
        ([("redirect_uri", "http://app.example/cb")], [("decision", "approve")]),
        ([("redirect_uri", "")], [("decision", "approve")]),
        ([("state", "x")], [("decision", "maybe")]),
        ([("state", "x")], [("account", USD)]),
    ] {
        let response = server.submit(&authorize(&changes), &pairs).await;
        assert_eq!((response.status, response.headers.get("location")), (400, None), "{changes:?}");
    }
    let unknown = server.submit(&authorize(&[]), &[("decision", "approve"), ("account", "1")]).await;
    assert_eq!(unknown.status, 400);
}

#[tokio::test]
async fn a_token_response_has_numeric_scopes_and_no_expiry() {
    let server = TestServer::new().await;
    let code = approve(&server, &[JPY, USD]).await;
    let response = exchange(&server, &code, json!({})).await;
    assert_eq!((&response["code"], &response["message"]), (&json!(0), &json!("OK")));
    let data = response["data"].as_object().unwrap();
    assert_eq!(data.keys().collect::<Vec<_>>(), ["access_token", "advertiser_ids", "scope"]);
    assert_eq!(data["advertiser_ids"], json!([JPY, USD]));
    assert!(data["scope"].as_array().unwrap().iter().all(Value::is_u64), "{response}");
    let token = data["access_token"].as_str().unwrap();
    assert_eq!(list(&server, token).await.json()["code"], 0);
}

#[tokio::test]
async fn the_exchange_is_json_and_requires_app_secret_and_code() {
    let server = TestServer::new().await;
    let code = approve(&server, &[]).await;
    for (changes, expected) in [
        (json!({ "secret": "wrong" }), 40101),
        (json!({ "app_id": "1" }), 40101),
        (json!({ "auth_code": "never" }), 40110),
        (json!({ "auth_code": null }), 40002),
        (json!({ "secret": null }), 40002),
        (json!({ "redirect_uri": REDIRECT }), 40002),
    ] {
        assert_eq!(exchange(&server, &code, changes.clone()).await["code"], expected, "{changes}");
    }
    let path = format!("{API}/oauth2/access_token/");
    let response = server.submit(&path, &[("auth_code", code.as_str())]).await;
    assert_eq!((response.status, &response.json()["code"]), (200, &json!(40002)));
    assert_eq!(exchange(&server, &code, json!({})).await["code"], 0);
}

#[tokio::test]
async fn a_code_works_once() {
    let server = TestServer::new().await;
    let code = approve(&server, &[]).await;
    assert_eq!(exchange(&server, &code, json!({})).await["code"], 0);
    assert_eq!(exchange(&server, &code, json!({})).await["code"], 40110);
}

#[tokio::test]
async fn an_access_token_has_the_configured_lifetime() {
    let server = TestServer::new().await;
    let unlimited = connect(&server).await;
    server.control("settings", json!({ "platform": "gamma_ads", "access_token_ttl_s": 0 })).await;
    let short = connect(&server).await;
    assert_eq!(list(&server, &short).await.json()["code"], 40102);
    assert_eq!(list(&server, &unlimited).await.json()["code"], 0);
}

#[tokio::test]
async fn a_revocation_ends_one_token() {
    let server = TestServer::new().await;
    let (token, other) = (connect(&server).await, connect(&server).await);
    let client = sandbox::client("gamma_ads").unwrap();
    let body = |secret: &str| json!({ "app_id": client.id, "secret": secret, "access_token": token });
    let revoke = async |secret: &str| {
        post(&server, &token, "/oauth2/revoke_token/", &body(secret)).await.json()["code"].as_u64().unwrap()
    };
    assert_eq!(revoke("wrong").await, 40101);
    assert_eq!(revoke(client.secret).await, 0);
    assert_eq!(revoke(client.secret).await, 40105);
    let response = list(&server, &token).await;
    assert_eq!((response.status, &response.json()["code"]), (200, &json!(40105)));
    assert_eq!(list(&server, &other).await.json()["code"], 0);
}

#[tokio::test]
async fn faults_match_their_operation_and_use_the_return_code() {
    let server = TestServer::new().await;
    let token = connect(&server).await;
    let id = post(&server, &token, "/campaign/create/", &campaign("Sale")).await.json()["data"]["campaign_id"].clone();
    for operation in ["create", "list", "get", "update", "delete", "token", "revoke", "accounts"] {
        fault(&server, operation, "error").await;
    }
    let get = async |path: &str| {
        let response = server.send("GET", &format!("{API}{path}"), &[("access-token", &token)], "").await.unwrap();
        response.json()["code"].clone()
    };
    let one = form(&[("advertiser_id", USD), ("filtering", &json!({ "campaign_ids": [id] }).to_string())]);
    let report = "/report/integrated/get/?report_type=BASIC";
    assert_eq!(get(report).await, 40002);
    assert_eq!(get(&format!("/campaign/get/?{one}")).await, 50000);
    assert_eq!(get(&format!("/campaign/get/?advertiser_id={USD}")).await, 50000);
    assert_eq!(get("/advertiser/info/").await, 50000);
    let code = async |path: &str, body: Value| post(&server, &token, path, &body).await.json()["code"].clone();
    let status = |status: &str| json!({ "advertiser_id": USD, "campaign_ids": [id], "operation_status": status });
    let path = "/campaign/status/update/";
    assert_eq!(code("/campaign/create/", campaign("Other")).await, 50000);
    assert_eq!(code(path, status("DELETE")).await, 50000);
    assert_eq!(code(path, status("DISABLE")).await, 50000);
    assert_eq!(code(path, status("DISABLE")).await, 0);
    assert_eq!(code("/oauth2/revoke_token/", json!({})).await, 50000);
    let auth_code = approve(&server, &[]).await;
    assert_eq!(exchange(&server, &auth_code, json!({})).await["code"], 50000);
    assert_eq!(exchange(&server, &auth_code, json!({})).await["code"], 0);
    fault(&server, "list", "throttle").await;
    let response = list(&server, &token).await;
    assert_eq!((response.status, &response.json()["code"]), (200, &json!(40100)));
    assert_eq!(response.headers.get("retry-after"), None);
    fault(&server, "list", "revoked").await;
    assert_eq!(list(&server, &token).await.json()["code"], 40105);
}

#[tokio::test]
async fn a_request_id_deduplicates_a_create_with_a_lost_response() {
    let server = TestServer::new().await;
    let token = connect(&server).await;
    let mut body = campaign("Unheard");
    body["request_id"] = json!("9007199254740993");
    fault(&server, "create", "drop_after").await;
    let path = format!("{API}/campaign/create/");
    let headers = [JSON, ("access-token", token.as_str())];
    assert!(server.send("POST", &path, &headers, &body.to_string()).await.is_err());
    assert_eq!(post(&server, &token, "/campaign/create/", &body).await.json()["code"], 40050);
    assert_eq!(list(&server, &token).await.json()["data"]["page_info"]["total_number"], 1);
}

#[tokio::test]
async fn tokens_campaigns_and_request_ids_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let token = connect(&server).await;
    let mut body = campaign("Kept");
    body["request_id"] = json!("5");
    let created = post(&server, &token, "/campaign/create/", &body).await.json();
    let spend = json!({ "platform": "gamma_ads", "campaign_id": created["data"]["campaign_id"], "amount": "2.50" });
    assert_eq!(server.control("spend", spend).await.json()["spent"], "2.50");
    let account = json!({ "platform": "gamma_ads", "currency": "BHD" });
    assert_eq!(server.control("accounts", account).await.status, 201);
    // The first sandbox is not stopped: acknowledged writes are already on disk.
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(list(&again, &token).await.json()["data"]["list"][0]["campaign_name"], "Kept");
    assert_eq!(post(&again, &token, "/campaign/create/", &body).await.json()["code"], 40050);
    let campaigns = again.get("/_sandbox/campaigns?platform=gamma_ads").await.json();
    assert_eq!(campaigns["campaigns"][0]["spent"], "2.50");
    assert!(again.get("/_sandbox/accounts?platform=gamma_ads").await.text.contains("BHD"));
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("gamma_ads", &authorize(&[])).await;
}
