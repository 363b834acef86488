//! `delta_ads` over HTTP: consent, tokens, faults and persistence.

use crate::client::{REDIRECT, Response, TestServer, VERIFIER};
use crate::in_process::assert_connects_ten_usd_accounts;
use crate::oauth_client::{ClientAuthentication, OAuthClient};
use serde_json::{Value, json};

const USD: &str = "512300001";
const TOKEN: &str = "/delta_ads/oauth/v2/accessToken";
const YEAR: i64 = 31_536_000;

const CLIENT: OAuthClient = OAuthClient {
    platform: "delta_ads",
    authorize: "/delta_ads/oauth/v2/authorization",
    token: TOKEN,
    authentication: ClientAuthentication::Body,
    consent: &[("scope", "r_ads rw_ads r_ads_reporting")],
    exchange: &[],
    headers: &[],
};

async fn call(server: &TestServer, token: &str, method: &str, path: &str, body: &Value) -> Response {
    let bearer = format!("Bearer {token}");
    let mut headers = vec![
        ("authorization", bearer.as_str()),
        ("linkedin-version", "202607"),
        ("x-restli-protocol-version", "2.0.0"),
        ("content-type", "application/json"),
    ];
    if body.get("patch").is_some() {
        headers.push(("x-restli-method", "PARTIAL_UPDATE"));
    }
    let text = if body.is_null() { String::new() } else { body.to_string() };
    server.send(method, &format!("/delta_ads/rest{path}"), &headers, &text).await.unwrap()
}

async fn get(server: &TestServer, token: &str, path: &str) -> Response {
    call(server, token, "GET", path, &Value::Null).await
}

/// 1 January 2100, in Unix milliseconds.
const LATER: i64 = 4_102_444_800_000;

async fn create(server: &TestServer, token: &str, name: &str) -> String {
    let account = format!("urn:li:sponsoredAccount:{USD}");
    let schedule = json!({ "start": LATER });
    let group = json!({ "account": account, "name": "Ours", "status": "ACTIVE", "runSchedule": schedule });
    let made = call(server, token, "POST", &format!("/adAccounts/{USD}/adCampaignGroups"), &group).await;
    let campaign = json!({
        "account": account,
        "campaignGroup": format!("urn:li:sponsoredCampaignGroup:{}", made.headers["x-restli-id"]),
        "name": name,
        "type": "SPONSORED_UPDATES",
        "objectiveType": "LEAD_GENERATION",
        "costType": "CPM",
        "status": "PAUSED",
        "dailyBudget": { "amount": "25.00", "currencyCode": "USD" },
        "runSchedule": schedule,
        "locale": { "country": "US", "language": "en" },
        "targetingCriteria": { "include": { "and": [
            { "or": { "urn:li:adTargetingFacet:locations": ["urn:li:geo:103644278"] } },
        ] } },
        "offsiteDeliveryEnabled": false,
        "politicalIntent": "NOT_POLITICAL",
        "optimizationTargetType": "MAX_CLICK",
        "associatedEntity": "urn:li:organization:2414184",
    });
    let made = call(server, token, "POST", &format!("/adAccounts/{USD}/adCampaigns"), &campaign).await;
    assert_eq!((made.status, made.text.as_str()), (201, ""));
    made.headers["x-restli-id"].clone()
}

#[tokio::test]
async fn the_consent_page_lists_accounts_and_a_denial_redirects_an_error() {
    let server = TestServer::new().await;
    let page = server.get(&CLIENT.authorize(&[("scope", "r_ads")])).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("512300001 · USD") && page.text.contains("canceled account"), "{}", page.text);
    let denied = server.submit(&CLIENT.authorize(&[("scope", "r_ads")]), &[("decision", "deny")]).await.redirect();
    assert_eq!((denied["error"].as_str(), denied["state"].as_str()), ("user_cancelled_authorize", "st&te"));
    assert!(!denied.contains_key("code"));
    let scope = server.get(&CLIENT.authorize(&[("scope", "w_everything")])).await.redirect();
    assert_eq!(scope["error"], "unauthorized_scope_error");
    let plain = CLIENT.authorize(&[("redirect_uri", "http://app.example/cb")]);
    assert_eq!(server.get(&plain).await.status, 400);
}

#[tokio::test]
async fn a_token_response_has_comma_separated_scopes_and_no_token_type() {
    let server = TestServer::new().await;
    let response = CLIENT.exchange(&server, &CLIENT.code(&server, &[], &[]).await, &[]).await;
    assert_eq!(response.status, 200, "{}", response.text);
    let body = response.json();
    assert_eq!(body["scope"], "r_ads,rw_ads,r_ads_reporting");
    assert_eq!(body.get("token_type"), None);
    assert_eq!((&body["expires_in"], &body["refresh_token_expires_in"]), (&json!(5_184_000), &json!(YEAR)));
}

#[tokio::test]
async fn a_code_works_once_for_its_redirect_uri_with_the_secret_in_the_body() {
    let server = TestServer::new().await;
    let code = CLIENT.code(&server, &[], &[]).await;
    let error = |response: &Response| (response.status, response.json()["error"].clone());
    let bad = (400, json!("invalid_request"));
    assert_eq!(error(&CLIENT.exchange(&server, &code, &[("redirect_uri", &format!("{REDIRECT}/"))]).await), bad);
    let unidentified = [("client_id", ""), ("client_secret", "")];
    assert_eq!(error(&CLIENT.exchange(&server, &code, &unidentified).await), bad);
    assert_eq!(error(&CLIENT.exchange(&server, &code, &[("code_verifier", VERIFIER)]).await), bad);
    let wrong = CLIENT.exchange(&server, &code, &[("client_secret", "wrong")]).await;
    assert_eq!(error(&wrong), (401, json!("invalid_client")));
    let tokens = CLIENT.exchange(&server, &code, &[]).await.json();
    assert_eq!(error(&CLIENT.exchange(&server, &code, &[]).await), bad);
    let replayed = CLIENT.refresh(&server, tokens["refresh_token"].as_str().unwrap()).await;
    assert_eq!(error(&replayed), (400, json!("invalid_grant")));
}

#[tokio::test]
async fn an_expired_or_used_code_is_rejected_with_401_by_quirk() {
    let server = TestServer::new().await;
    let switched = json!({ "platform": "delta_ads", "quirk": "code_refused_401", "on": true });
    assert_eq!(server.control("quirks", switched).await.status, 200);
    let code = CLIENT.code(&server, &[], &[]).await;
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 200);
    for dead in [code.as_str(), "AQnever"] {
        let response = CLIENT.exchange(&server, dead, &[]).await;
        assert_eq!((response.status, &response.json()["error"]), (401, &json!("invalid_redirect_uri")));
    }
}

#[tokio::test]
async fn a_refresh_does_not_extend_the_refresh_token() {
    let server = TestServer::new().await;
    let (access, token) = CLIENT.connect(&server).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let body = CLIENT.refresh(&server, &token).await.json();
    assert_eq!(body["refresh_token"], json!(token));
    assert_ne!(body["access_token"], json!(access));
    let remaining = body["refresh_token_expires_in"].as_i64().unwrap();
    assert!((YEAR - 60..YEAR).contains(&remaining), "{remaining}");
    let dead = CLIENT.refresh(&server, "AQXnever").await;
    assert_eq!((dead.status, dead.json()["error"].clone()), (400, json!("invalid_grant")));
}

#[tokio::test]
async fn a_token_is_introspected_and_revoked_with_its_grant() {
    let server = TestServer::new().await;
    let (access, token) = CLIENT.connect(&server).await;
    let introspect = async |token: &str| {
        CLIENT.post(&server, "/delta_ads/oauth/v2/introspectToken", &[("token", token)]).await.json()
    };
    let seen = introspect(&access).await;
    assert_eq!((&seen["active"], &seen["status"], &seen["auth_type"]), (&json!(true), &json!("active"), &json!("3L")));
    assert_eq!(seen["expires_at"].as_i64().unwrap() - seen["created_at"].as_i64().unwrap(), 5_184_000);
    assert_eq!(introspect("never").await, json!({ "active": false }));
    let revoked = CLIENT.post(&server, "/delta_ads/oauth/v2/revoke", &[("token", &access)]).await;
    assert_eq!(revoked.status, 200);
    assert_eq!(introspect(&token).await["status"], "revoked");
    let response = get(&server, &access, "/adAccounts?q=search").await;
    assert_eq!((response.status, response.json()["serviceErrorCode"].clone()), (401, json!(65_601)));
    assert_eq!(CLIENT.refresh(&server, &token).await.status, 400);
}

#[tokio::test]
async fn an_access_token_has_the_configured_lifetime() {
    let server = TestServer::new().await;
    server.control("settings", json!({ "platform": "delta_ads", "access_token_ttl_s": 0 })).await;
    let (access, _) = CLIENT.connect(&server).await;
    let response = get(&server, &access, "/adAccounts?q=search").await;
    assert_eq!((response.status, response.json()["serviceErrorCode"].clone()), (401, json!(65_602)));
}

#[tokio::test]
async fn a_throttle_is_429_with_code_101_and_without_retry_after() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    let path = format!("/adAccounts/{USD}/adCampaigns?q=search");
    let fault = |kind: &str| json!({ "platform": "delta_ads", "operation": "list", "fault": kind, "times": 1 });
    server.control("faults", fault("throttle")).await;
    let response = get(&server, &access, &path).await;
    assert_eq!((response.status, response.json()["serviceErrorCode"].clone()), (429, json!(101)));
    assert!(!response.headers.contains_key("retry-after"));
    server.control("faults", fault("error")).await;
    assert_eq!(get(&server, &access, &path).await.status, 500);
    server.control("faults", fault("revoked")).await;
    let response = get(&server, &access, &path).await;
    assert_eq!((response.status, response.json()["serviceErrorCode"].clone()), (401, json!(65_601)));
}

#[tokio::test]
async fn a_campaign_is_created_updated_reported_and_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (access, token) = CLIENT.connect(&server).await;
    let id = create(&server, &access, "Spring: 50% (a,b)").await;
    let search = format!(
        "/adAccounts/{USD}/adCampaigns?q=search&search=(name:(values:List(Spring%3A%2050%25%20%28a%2Cb%29)))&pageSize=100"
    );
    let found = get(&server, &access, &search).await.json();
    assert_eq!(found["elements"][0]["id"].to_string(), id);
    let path = format!("/adAccounts/{USD}/adCampaigns/{id}");
    let patch = json!({ "patch": { "$set": { "status": "ACTIVE" } } });
    assert_eq!(call(&server, &access, "POST", &path, &patch).await.status, 204);
    let spend = json!({ "platform": "delta_ads", "campaign_id": id, "amount": "12.34" });
    assert_eq!(server.control("spend", spend).await.json()["spent"], "12.34");
    // The first sandbox still runs: a response is sent only after the state is on disk.
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(get(&again, &access, &path).await.json()["status"], "ACTIVE");
    let report = format!(
        "/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1))\
         &campaigns=List(urn%3Ali%3AsponsoredCampaign%3A{id})&fields=costInLocalCurrency,pivotValues"
    );
    assert_eq!(get(&again, &access, &report).await.json()["elements"][0]["costInLocalCurrency"], "12.34");
    assert_eq!(CLIENT.refresh(&again, &token).await.status, 200);
    assert_eq!(call(&again, &access, "DELETE", &path, &Value::Null).await.status, 400);
}

#[tokio::test]
async fn control_opens_accounts_in_supported_currencies_only() {
    let server = TestServer::new().await;
    let open = async |currency: &str| {
        server.control("accounts", json!({ "platform": "delta_ads", "currency": currency })).await
    };
    assert_eq!(open("GBP").await.json()["account"]["id"], "512300006");
    assert_eq!(open("KWD").await.status, 400);
}

#[tokio::test]
async fn a_robust_client_works_with_every_quirk() {
    let server = TestServer::new().await;
    let switched = json!({ "platform": "delta_ads", "quirk": "all", "on": true });
    let quirks = server.control("quirks", switched).await.json()["quirks"].clone();
    assert!(quirks.as_array().unwrap().iter().all(|one| one["on"] == true && one["what"].is_string()), "{quirks}");
    let (access, token) = CLIENT.connect(&server).await;
    let id = create(&server, &access, "Sale").await;
    let path = format!("/adAccounts/{USD}/adCampaigns/{id}");
    for (field, value) in [
        ("name", json!("New")),
        ("dailyBudget", json!({ "amount": "30.00", "currencyCode": "USD" })),
        ("status", json!("ACTIVE")),
    ] {
        let patch = json!({ "patch": { "$set": { field: value } } });
        assert_eq!(call(&server, &access, "POST", &path, &patch).await.status, 204, "{field}");
        assert_eq!(get(&server, &access, &path).await.json()[field], value);
    }
    let report = format!(
        "/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1))\
         &campaigns=List(urn%3Ali%3AsponsoredCampaign%3A{id})&fields=costInLocalCurrency,pivotValues"
    );
    assert_eq!(get(&server, &access, &report).await.json()["elements"][0]["costInLocalCurrency"], "-2E-18");
    let held = server.get("/_sandbox/campaigns?platform=delta_ads").await.json();
    assert_eq!(held["campaigns"][0]["delivers"], true, "{held}");
    let archive = json!({ "patch": { "$set": { "status": "ARCHIVED" } } });
    assert_eq!(call(&server, &access, "POST", &path, &archive).await.status, 204);
    assert_eq!(CLIENT.refresh(&server, &token).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("delta_ads", &CLIENT.authorize(&[])).await;
}
