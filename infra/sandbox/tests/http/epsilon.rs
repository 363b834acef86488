//! `epsilon_ads` over HTTP: consent, tokens, faults and persistence.

use crate::client::{REDIRECT, Response, TestServer, basic, form};
use crate::in_process::assert_connects_ten_usd_accounts;
use crate::oauth_client::{ClientAuthentication, FORM, OAuthClient};
use serde_json::{Value, json};

const USD: &str = "549755813001";
const JPY: &str = "549755813002";
const CAMPAIGNS: &str = "/epsilon_ads/v5/ad_accounts/549755813001/campaigns";
const TOKEN: &str = "/epsilon_ads/v5/oauth/token";
const REVOKE: &str = "/epsilon_ads/v5/oauth/token/revoke";

pub(crate) const CLIENT: OAuthClient = OAuthClient {
    platform: "epsilon_ads",
    authorize: "/epsilon_ads/oauth/",
    token: TOKEN,
    authentication: ClientAuthentication::Basic,
    consent: &[("scope", "ads:read,ads:write")],
    exchange: &[],
    headers: &[],
};

async fn create(server: &TestServer, token: &str, name: &str) -> reqwest::Result<Response> {
    let item = json!({
        "ad_account_id": USD,
        "name": name,
        "objective_type": "AWARENESS",
        "status": "PAUSED",
        "is_campaign_budget_optimization": true,
        "daily_spend_cap": 50_000_000,
    });
    CLIENT.call(server, "POST", token, CAMPAIGNS, &json!([item])).await
}

async fn patch(server: &TestServer, token: &str, changes: Value) -> Response {
    CLIENT.call(server, "PATCH", token, CAMPAIGNS, &json!([changes])).await.unwrap()
}

fn error(response: &Response) -> (u16, u64) {
    (response.status, response.json()["code"].as_u64().unwrap())
}

#[tokio::test]
async fn consent_accepts_scopes_separated_by_comma_or_space() {
    let server = TestServer::new().await;
    for scopes in ["ads:read,ads:write", "ads:read ads:write", "ads:read, ads:write"] {
        let page = server.get(&CLIENT.authorize(&[("scope", scopes)])).await;
        assert!(page.status == 200 && page.text.contains("Harbour Coffee Japan"), "{}", page.text);
        let code = CLIENT.code(&server, &[("scope", scopes)], &[]).await;
        assert_eq!(CLIENT.exchange(&server, &code, &[]).await.json()["scope"], "ads:read ads:write", "{scopes}");
    }
}

#[tokio::test]
async fn consent_is_approved_or_denied_and_untrusted_requests_get_an_error_page() {
    let server = TestServer::new().await;
    let page = server.get(&CLIENT.authorize(&[])).await;
    assert!(page.text.contains("549755813004 · GBP · Europe/London · analyst account"), "{}", page.text);
    let approved = server.submit(&CLIENT.authorize(&[]), &[("decision", "approve")]).await.redirect();
    assert_eq!(approved["state"], "st&te");
    let denied = server.submit(&CLIENT.authorize(&[]), &[("decision", "deny")]).await;
    assert_eq!(denied.headers["location"], format!("{REDIRECT}?error=access_denied&state=st%26te"));
    for (changes, status) in [
        ([("client_id", "other")], 401),
        ([("client_id", "")], 400),
        ([("redirect_uri", "http://app.example/cb")], 400),
        ([("response_type", "token")], 400),
        ([("scope", "")], 400),
        ([("scope", "ads:all")], 400),
    ] {
        let response = server.submit(&CLIENT.authorize(&changes), &[("decision", "approve")]).await;
        assert_eq!((response.status, response.headers.get("location")), (status, None), "{changes:?}");
    }
    let invalid = server.submit(&CLIENT.authorize(&[]), &[("decision", "approve"), ("account", "1")]).await;
    assert_eq!(invalid.status, 400);
    assert_eq!(server.get("/epsilon_ads/oauth").await.status, 404);
}

#[tokio::test]
async fn only_basic_authentication_works_and_a_secret_in_the_body_is_rejected() {
    let server = TestServer::new().await;
    let code = CLIENT.code(&server, &[], &[]).await;
    let client = sandbox::client("epsilon_ads").unwrap();
    let pairs = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", REDIRECT)];
    let in_body = [&pairs[..], &[("client_id", client.id), ("client_secret", client.secret)]].concat();
    assert_eq!(error(&server.submit(TOKEN, &in_body).await), (401, 2));
    assert_eq!(error(&server.submit(TOKEN, &pairs).await), (401, 2));
    assert_eq!(error(&CLIENT.post(&server, TOKEN, &in_body).await), (400, 1));
    let wrong = basic("epsilon_ads", "wrong");
    let response = server.send("POST", TOKEN, &[FORM, ("authorization", &wrong)], &form(&pairs)).await.unwrap();
    assert_eq!(error(&response), (401, 2));
    let good = basic("epsilon_ads", client.secret);
    let json = ("content-type", "application/json");
    let response = server.send("POST", TOKEN, &[json, ("authorization", &good)], &form(&pairs)).await.unwrap();
    assert_eq!(error(&response), (400, 1));
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 200);
}

#[tokio::test]
async fn a_code_works_once_and_for_its_own_redirect_uri() {
    let server = TestServer::new().await;
    let code = CLIENT.code(&server, &[], &[]).await;
    let other = format!("{REDIRECT}/");
    let elsewhere = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", other.as_str())];
    assert_eq!(error(&CLIENT.post(&server, TOKEN, &elsewhere).await), (401, 283));
    let response = CLIENT.exchange(&server, &code, &[]).await;
    let body = response.json();
    assert!(body["access_token"].as_str().unwrap().starts_with("pina_"));
    assert!(body["refresh_token"].as_str().unwrap().starts_with("pinr."));
    assert_eq!((&body["token_type"], &body["response_type"]), (&json!("bearer"), &json!("authorization_code")));
    assert_eq!((&body["expires_in"], &body["refresh_token_expires_in"]), (&json!(2_592_000), &json!(5_184_000)));
    assert!(body["refresh_token_expires_at"].as_i64().unwrap() > 1_700_000_000);
    assert_eq!(response.headers["cache-control"], "no-store");
    assert_eq!(error(&CLIENT.exchange(&server, &code, &[]).await), (401, 283));
    let (access, refresh_token) = response.tokens();
    assert_eq!(error(&CLIENT.get(&server, &access, CAMPAIGNS).await), (401, 2));
    assert_eq!(error(&CLIENT.refresh(&server, &refresh_token).await), (401, 283));
    assert_eq!(error(&CLIENT.post(&server, TOKEN, &[("grant_type", "client_credentials")]).await), (400, 1));
    assert_eq!(error(&CLIENT.post(&server, TOKEN, &[]).await), (400, 1));
}

#[tokio::test]
async fn an_invalid_grant_and_a_wrong_secret_are_401_and_differ_by_code() {
    let server = TestServer::new().await;
    let dead = json!({ "code": 283, "message": "The authorization grant is invalid" });
    for response in [CLIENT.exchange(&server, "unknown", &[]).await, CLIENT.refresh(&server, "pinr.unknown").await] {
        assert_eq!((response.status, response.json()), (401, dead.clone()));
    }
    let wrong = basic("epsilon_ads", "wrong");
    let headers = [FORM, ("authorization", wrong.as_str())];
    let pairs = form(&[("grant_type", "refresh_token"), ("refresh_token", "pinr.unknown")]);
    let response = server.send("POST", TOKEN, &headers, &pairs).await.unwrap();
    assert_eq!((response.status, &response.json()["code"]), (401, &json!(2)));
}

#[tokio::test]
async fn a_refresh_rotates_the_refresh_token() {
    let server = TestServer::new().await;
    let (first, old) = CLIENT.connect(&server).await;
    let response = CLIENT.refresh(&server, &old).await;
    assert_eq!((response.status, &response.json()["response_type"]), (200, &json!("refresh_token")));
    let (second, new) = response.tokens();
    assert!(first != second && old != new);
    assert_eq!(error(&CLIENT.refresh(&server, &old).await), (401, 283));
    assert_eq!(CLIENT.get(&server, &second, CAMPAIGNS).await.status, 200);
    let again = [("grant_type", "refresh_token"), ("refresh_token", new.as_str()), ("continuous_refresh", "true")];
    assert_eq!(CLIENT.post(&server, TOKEN, &again).await.status, 200);
    let (_, newest) = CLIENT.connect(&server).await;
    let more = [("grant_type", "refresh_token"), ("refresh_token", newest.as_str()), ("scope", "pins:read")];
    assert_eq!(error(&CLIENT.post(&server, TOKEN, &more).await), (400, 1));
    assert_eq!(CLIENT.refresh(&server, &newest).await.status, 200);
}

#[tokio::test]
async fn revoking_is_for_system_users_only_and_so_403_with_code_29() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    for (token, hint) in [(&access, "access_token"), (&refresh_token, "refresh_token")] {
        let pairs = [("token", token.as_str()), ("token_type_hint", hint)];
        assert_eq!(error(&CLIENT.post(&server, REVOKE, &pairs).await), (403, 29));
    }
    assert_eq!(error(&server.submit(REVOKE, &[("token", &access)]).await), (401, 2));
    assert_eq!(error(&CLIENT.post(&server, REVOKE, &[]).await), (400, 1));
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 200);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 200);
}

#[tokio::test]
async fn a_grant_covers_the_chosen_accounts_only() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    let (japan, _) = CLIENT.exchange(&server, &CLIENT.code(&server, &[], &[JPY]).await, &[]).await.tokens();
    let list = CLIENT.get(&server, &japan, "/epsilon_ads/v5/ad_accounts").await.json();
    assert_eq!((&list["items"][0]["id"], list["items"].as_array().unwrap().len()), (&json!(JPY), 1));
    assert_eq!(error(&CLIENT.get(&server, &japan, CAMPAIGNS).await), (403, 7));
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 200);
    let made = server.control("accounts", json!({ "platform": "epsilon_ads", "currency": "SEK" })).await;
    assert_eq!(made.json()["account"]["id"], "549755813005");
    let refused = server.control("accounts", json!({ "platform": "epsilon_ads", "currency": "KWD" })).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn a_throttle_is_429_with_code_8_and_sometimes_a_reset_header() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "list", "throttle").await;
    let response = CLIENT.get(&server, &access, CAMPAIGNS).await;
    assert_eq!((error(&response), response.headers["x-ratelimit-reset"].as_str()), ((429, 8), "30"));
    CLIENT.set_fault(&server, "create", "throttle").await;
    let response = create(&server, &access, "Sale").await.unwrap();
    assert_eq!((error(&response), response.headers.get("x-ratelimit-reset")), ((429, 8), None));
    CLIENT.set_fault(&server, "refresh", "throttle").await;
    assert_eq!(error(&CLIENT.refresh(&server, &refresh_token).await), (429, 8));
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the system clock, as in the sandbox")]
async fn faults_hit_their_own_operation_only() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let made = create(&server, &access, "Sale").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].as_str().unwrap();
    let one = format!("{CAMPAIGNS}/{id}");
    let change = |more: Value| {
        let mut item = json!({ "id": id, "ad_account_id": USD });
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    for operation in ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"] {
        CLIENT.set_fault(&server, operation, "error").await;
    }
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let report = format!(
        "{CAMPAIGNS}/analytics?start_date={today}&end_date={today}&campaign_ids={id}\
         &columns=SPEND_IN_MICRO_DOLLAR&granularity=TOTAL"
    );
    assert_eq!(CLIENT.get(&server, &access, &report).await.json(), json!([]));
    assert_eq!(error(&create(&server, &access, "Other").await.unwrap()), (500, 12));
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 500);
    assert_eq!(CLIENT.get(&server, &access, &one).await.status, 500);
    assert_eq!(CLIENT.get(&server, &access, "/epsilon_ads/v5/ad_accounts").await.status, 500);
    assert_eq!(patch(&server, &access, change(json!({ "name": "New" }))).await.status, 500);
    assert_eq!(patch(&server, &access, change(json!({ "status": "ARCHIVED" }))).await.status, 500);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 500);
    assert_eq!(CLIENT.post(&server, REVOKE, &[("token", "x")]).await.status, 500);
    let code = CLIENT.code(&server, &[], &[]).await;
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 500);
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 200);
    assert_eq!(CLIENT.get(&server, &access, &one).await.json()["name"], "Sale");
}

#[tokio::test]
async fn a_revoked_grant_is_invalid_until_a_new_consent() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "list", "revoked").await;
    assert_eq!(error(&CLIENT.get(&server, &access, CAMPAIGNS).await), (401, 2));
    assert_eq!(error(&CLIENT.refresh(&server, &refresh_token).await), (401, 283));
    let (access, refresh_token) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "refresh", "revoked").await;
    assert_eq!(error(&CLIENT.refresh(&server, &refresh_token).await), (401, 283));
    assert_eq!(error(&CLIENT.get(&server, &access, CAMPAIGNS).await), (401, 2));
    let (access, _) = CLIENT.connect(&server).await;
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
async fn state_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let made = create(&server, &access, "Kept").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].clone();
    let spend = |amount: Value| json!({ "platform": "epsilon_ads", "campaign_id": id, "amount": amount });
    assert_eq!(server.control("spend", spend(json!(0.1))).await.status, 200);
    assert_eq!(server.control("spend", spend(json!("0.2"))).await.json()["spent"], "0.30");
    assert_eq!(server.control("spend", spend(json!("0.0000001"))).await.status, 400);
    // The first sandbox still runs: a response is sent only after the state is on disk.
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(CLIENT.get(&again, &access, CAMPAIGNS).await.json()["items"][0]["name"], "Kept");
    assert_eq!(CLIENT.refresh(&again, &refresh_token).await.status, 200);
    let held = again.get("/_sandbox/campaigns?platform=epsilon_ads").await.json();
    let campaign = &held["campaigns"][0];
    assert_eq!((&campaign["spent"], &campaign["budget"]), (&json!("0.30"), &json!("50.00")));
    assert_eq!((&campaign["budget_period"], &campaign["account"]), (&json!("DAILY"), &json!(USD)));
}

#[tokio::test]
async fn a_robust_client_works_with_every_quirk() {
    let server = TestServer::new().await;
    let switched = json!({ "platform": "epsilon_ads", "quirk": "all", "on": true });
    let quirks = server.control("quirks", switched).await.json()["quirks"].clone();
    assert!(quirks.as_array().unwrap().iter().all(|one| one["on"] == true && one["what"].is_string()), "{quirks}");
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let made = create(&server, &access, "Sale").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].clone();
    for (field, value) in [("name", json!("New")), ("daily_spend_cap", json!(60_000_000)), ("status", json!("ACTIVE"))]
    {
        let changed = patch(&server, &access, json!({ "id": id, "ad_account_id": USD, field: value })).await.json();
        assert_eq!(changed["items"][0]["data"][field], value, "{changed}");
    }
    let list = CLIENT.get(&server, &access, CAMPAIGNS).await.json();
    assert_eq!((&list["items"][0]["name"], list["items"].as_array().map(Vec::len)), (&json!("New"), Some(1)));
    let archive = json!({ "id": id, "ad_account_id": USD, "status": "ARCHIVED" });
    assert_eq!(patch(&server, &access, archive).await.json()["items"][0]["data"]["status"], "ARCHIVED");
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("epsilon_ads", &CLIENT.authorize(&[])).await;
}
