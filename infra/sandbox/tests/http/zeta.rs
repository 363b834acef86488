//! `zeta_ads` over HTTP: consent, tokens, faults and persistence.

use crate::client::{REDIRECT, Response, TestServer, basic, form};
use crate::in_process::assert_connects_ten_usd_accounts;
use crate::oauth_client::{ClientAuthentication, FORM, OAuthClient};
use serde_json::{Value, json};

const JPY: &str = "a2_h8rbr0002";
const API: &str = "/zeta_ads/api/v3";
const CAMPAIGNS: &str = "/zeta_ads/api/v3/ad_accounts/a2_h8rbr0001/campaigns";
const TOKEN: &str = "/zeta_ads/api/v1/access_token";
const REVOKE: &str = "/zeta_ads/api/v1/revoke_token";
const AGENT: (&str, &str) = ("user-agent", "web:example.campaigns:v1 (by /u/example)");

const CLIENT: OAuthClient = OAuthClient {
    platform: "zeta_ads",
    authorize: "/zeta_ads/api/v1/authorize",
    token: TOKEN,
    authentication: ClientAuthentication::Basic,
    consent: &[("scope", "adsread adsedit"), ("duration", "permanent")],
    exchange: &[],
    headers: &[AGENT],
};

#[expect(clippy::disallowed_methods, reason = "the system clock, as in the sandbox")]
async fn create(server: &TestServer, token: &str, name: &str) -> Response {
    let start = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(600);
    let campaign = json!({
        "name": name,
        "objective": "BRAND_AWARENESS",
        "configured_status": "PAUSED",
        "is_campaign_budget_optimization": true,
        "goal_type": "DAILY_SPEND",
        "goal_value": 50_000_000,
        "start_time": start.to_string(),
        "bid_strategy": "BIDLESS",
        "bid_type": "CPM",
        "conversion_pixel_id": "a2_pxh8rbr0001",
    });
    CLIENT.call(server, "POST", token, CAMPAIGNS, &json!({ "data": campaign })).await.unwrap()
}

async fn patch(server: &TestServer, token: &str, path: &str, changes: Value) -> Response {
    CLIENT.call(server, "PATCH", token, path, &json!({ "data": changes })).await.unwrap()
}

#[tokio::test]
async fn consent_is_approved_or_denied_and_untrusted_requests_get_an_error_page() {
    let server = TestServer::new().await;
    let page = server.get(&CLIENT.authorize(&[])).await;
    assert!(page.text.contains("a2_h8rbr0003 · EUR · not set"), "{}", page.text);
    let approved = server.submit(&CLIENT.authorize(&[]), &[("decision", "approve")]).await.redirect();
    assert_eq!(approved["state"], "st&te");
    let denied = server.submit(&CLIENT.authorize(&[]), &[("decision", "deny")]).await.redirect();
    assert_eq!((denied["error"].as_str(), denied["state"].as_str()), ("access_denied", "st&te"));
    for change in [("client_id", "other"), ("client_id", ""), ("redirect_uri", "http://app.example/cb")] {
        let response = server.submit(&CLIENT.authorize(&[change]), &[("decision", "approve")]).await;
        assert_eq!((response.status, response.headers.get("location")), (400, None), "{change:?}");
    }
    for (change, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("scope", ""), "invalid_scope"),
        (("scope", "adsread ads:all"), "invalid_scope"),
        (("duration", "forever"), "invalid_request"),
        (("state", ""), "invalid_request"),
    ] {
        let response = server.get(&CLIENT.authorize(&[change])).await.redirect();
        assert_eq!(response["error"], error, "{change:?}");
    }
    let invalid = server.submit(&CLIENT.authorize(&[]), &[("decision", "approve"), ("account", "1")]).await;
    assert_eq!(invalid.status, 400);
}

#[tokio::test]
async fn an_invalid_code_is_status_200_with_invalid_grant() {
    let server = TestServer::new().await;
    let code = CLIENT.code(&server, &[], &[]).await;
    let bad = json!({ "error": "invalid_grant" });
    let other = format!("{REDIRECT}/");
    let elsewhere = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", other.as_str())];
    let response = CLIENT.post(&server, TOKEN, &elsewhere).await;
    assert_eq!((response.status, response.json()), (200, bad.clone()));
    let response = CLIENT.exchange(&server, "unknown", &[]).await;
    assert_eq!((response.status, response.json()), (200, bad.clone()));
    let first = CLIENT.exchange(&server, &code, &[]).await;
    let body = first.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(86_400)));
    assert_eq!((&body["scope"], &first.headers["cache-control"]), (&json!("adsread adsedit"), &"no-store".to_owned()));
    let again = CLIENT.exchange(&server, &code, &[]).await;
    assert_eq!((again.status, again.json()), (200, bad));
    // A replayed code may be stolen, so its tokens are revoked.
    assert_eq!(CLIENT.get(&server, &first.field("access_token"), CAMPAIGNS).await.status, 401);
    let invalid = CLIENT.post(&server, TOKEN, &[("grant_type", "client_credentials")]).await;
    assert_eq!((invalid.status, invalid.json()), (200, json!({ "error": "unsupported_grant_type" })));
}

#[tokio::test]
async fn an_invalid_refresh_token_is_400() {
    let server = TestServer::new().await;
    let response = CLIENT.refresh(&server, "unknown").await;
    assert_eq!((response.status, &response.json()["error"]), (400, &json!(400)));
    assert_eq!(CLIENT.post(&server, TOKEN, &[("grant_type", "refresh_token")]).await.status, 400);
}

#[tokio::test]
async fn an_invalid_client_is_401_with_a_basic_challenge() {
    let server = TestServer::new().await;
    let client = sandbox::client("zeta_ads").unwrap();
    let code = CLIENT.code(&server, &[], &[]).await;
    let pairs = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", REDIRECT)];
    let in_body = [&pairs[..], &[("client_id", client.id), ("client_secret", client.secret)]].concat();
    let wrong = basic("zeta_ads", "wrong");
    for (headers, body) in
        [(vec![FORM, AGENT], &in_body[..]), (vec![FORM, AGENT, ("authorization", wrong.as_str())], &pairs[..])]
    {
        let response = server.send("POST", TOKEN, &headers, &form(body)).await.unwrap();
        assert_eq!(response.status, 401, "{}", response.text);
        assert!(response.headers["www-authenticate"].starts_with("Basic"));
    }
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 200);
}

#[tokio::test]
async fn without_duration_permanent_there_is_no_refresh_token() {
    let server = TestServer::new().await;
    for duration in ["", "temporary"] {
        let response = CLIENT.exchange(&server, &CLIENT.code(&server, &[("duration", duration)], &[]).await, &[]).await;
        assert!(response.json().get("refresh_token").is_none(), "{}", response.text);
        assert_eq!(CLIENT.get(&server, &response.field("access_token"), CAMPAIGNS).await.status, 200);
    }
}

#[tokio::test]
async fn a_refresh_keeps_the_refresh_token_and_does_not_return_it() {
    let server = TestServer::new().await;
    let (first, refresh_token) = CLIENT.connect(&server).await;
    for _ in 0..2 {
        let response = CLIENT.refresh(&server, &refresh_token).await;
        assert!(response.status == 200 && response.json().get("refresh_token").is_none(), "{}", response.text);
        let second = response.field("access_token");
        assert_ne!(first, second);
        assert_eq!(CLIENT.get(&server, &second, CAMPAIGNS).await.status, 200);
    }
    assert_eq!(CLIENT.get(&server, &first, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
async fn default_user_agents_are_rejected_at_the_token_endpoint_and_the_api() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let authorization = basic("zeta_ads", sandbox::client("zeta_ads").unwrap().secret);
    let bearer = format!("Bearer {access}");
    let pairs = form(&[("grant_type", "refresh_token"), ("refresh_token", &refresh_token)]);
    for agent in [None, Some("curl/8.5.0"), Some("python-requests/2.32.3"), Some("reqwest/0.12")] {
        let agent: Vec<(&str, &str)> = agent.map(|agent| ("user-agent", agent)).into_iter().collect();
        let headers = [&[FORM, ("authorization", authorization.as_str())][..], &agent[..]].concat();
        assert_eq!(server.send("POST", TOKEN, &headers, &pairs).await.unwrap().status, 429, "{agent:?}");
        let headers = [&[("authorization", bearer.as_str())][..], &agent[..]].concat();
        assert_eq!(server.send("GET", CAMPAIGNS, &headers, "").await.unwrap().status, 429, "{agent:?}");
    }
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 200);
}

#[tokio::test]
async fn revoking_is_idempotent_and_a_refresh_token_revokes_its_access_tokens() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let second = CLIENT.refresh(&server, &refresh_token).await.field("access_token");
    assert_eq!(
        CLIENT.post(&server, REVOKE, &[("token", &access), ("token_type_hint", "access_token")]).await.status,
        204
    );
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 401);
    assert_eq!(CLIENT.get(&server, &second, CAMPAIGNS).await.status, 200);
    for _ in 0..2 {
        assert_eq!(
            CLIENT
                .post(&server, REVOKE, &[("token", &refresh_token), ("token_type_hint", "refresh_token")])
                .await
                .status,
            204
        );
    }
    assert_eq!(CLIENT.get(&server, &second, CAMPAIGNS).await.status, 401);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 400);
    assert_eq!(CLIENT.post(&server, REVOKE, &[("token", "unknown")]).await.status, 204);
    assert_eq!(CLIENT.post(&server, REVOKE, &[]).await.status, 400);
    assert_eq!(server.send("POST", REVOKE, &[FORM, AGENT], "token=x").await.unwrap().status, 401);
}

#[tokio::test]
async fn users_can_deselect_a_scope_and_the_response_names_the_granted_ones() {
    let server = TestServer::new().await;
    let pairs = [("decision", "approve"), ("scope", "adsread")];
    let code = server.submit(&CLIENT.authorize(&[]), &pairs).await.redirect().remove("code").unwrap();
    let response = CLIENT.exchange(&server, &code, &[]).await;
    assert_eq!(response.field("scope"), "adsread");
    assert_eq!(create(&server, &response.field("access_token"), "Sale").await.status, 403);
}

#[tokio::test]
async fn a_grant_covers_the_chosen_accounts_only() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    let id = create(&server, &access, "Sale").await.json()["data"]["id"].as_str().unwrap().to_owned();
    let japan = CLIENT.exchange(&server, &CLIENT.code(&server, &[], &[JPY]).await, &[]).await.field("access_token");
    let businesses = CLIENT.get(&server, &japan, &format!("{API}/me/businesses")).await.json();
    let business = businesses["data"][0]["id"].as_str().unwrap();
    let list = CLIENT.get(&server, &japan, &format!("{API}/businesses/{business}/ad_accounts")).await.json();
    assert_eq!((&list["data"][0]["id"], list["data"].as_array().unwrap().len()), (&json!(JPY), 1));
    assert_eq!(CLIENT.get(&server, &japan, CAMPAIGNS).await.status, 403);
    assert_eq!(CLIENT.get(&server, &japan, &format!("{API}/campaigns/{id}")).await.status, 403);
    let made = server.control("accounts", json!({ "platform": "zeta_ads", "currency": "SEK" })).await;
    assert_eq!(made.json()["account"]["id"], "a2_h8rbr0005");
    let refused = server.control("accounts", json!({ "platform": "zeta_ads", "currency": "KWD" })).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn clients_can_follow_next_url_unchanged() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    for name in ["One", "Two", "Three"] {
        assert_eq!(create(&server, &access, name).await.status, 201);
    }
    let first = CLIENT.get(&server, &access, &format!("{CAMPAIGNS}?page.size=2")).await.json();
    assert_eq!((&first["data"][0]["name"], &first["data"][1]["name"]), (&json!("Three"), &json!("Two")));
    let next = first["pagination"]["next_url"].as_str().unwrap();
    let path = next.strip_prefix(server.running.url().as_str()).unwrap();
    let second = CLIENT.get(&server, &access, path).await.json();
    assert_eq!((&second["data"][0]["name"], &second["pagination"]["next_url"]), (&json!("One"), &Value::Null));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the system clock, as in the sandbox")]
async fn the_next_page_of_a_report_is_the_same_body_at_next_url() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    for name in ["One", "Two", "Three"] {
        assert_eq!(create(&server, &access, name).await.status, 201);
    }
    let end = jiff::Timestamp::now().as_second() / 3600 * 3600;
    let hour = |second: i64| jiff::Timestamp::from_second(second).unwrap().to_string();
    let body = json!({ "data": {
        "starts_at": hour(end - 86_400), "ends_at": hour(end),
        "fields": ["CAMPAIGN_ID", "SPEND"], "breakdowns": ["CAMPAIGN_ID"] } });
    let path = format!("{API}/ad_accounts/a2_h8rbr0001/reports?page.size=2");
    let first = CLIENT.call(&server, "POST", &access, &path, &body).await.unwrap().json();
    assert_eq!(first["data"]["metrics"].as_array().map(Vec::len), Some(2), "{first}");
    let next = first["pagination"]["next_url"].as_str().unwrap();
    let path = next.strip_prefix(server.running.url().as_str()).unwrap();
    let second = CLIENT.call(&server, "POST", &access, path, &body).await.unwrap().json();
    assert_eq!(
        (second["data"]["metrics"].as_array().map(Vec::len), &second["pagination"]["next_url"]),
        (Some(1), &Value::Null)
    );
}

#[tokio::test]
async fn a_throttle_is_429_with_nothing_remaining_and_the_seconds_to_wait() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let response = CLIENT.get(&server, &access, CAMPAIGNS).await;
    assert!(
        response.headers["ratelimit"].ends_with("r=399;t=60") && response.headers["ratelimit-policy"].ends_with("w=60")
    );
    CLIENT.set_fault(&server, "list", "throttle").await;
    let response = CLIENT.get(&server, &access, CAMPAIGNS).await;
    assert_eq!((response.status, &response.json()["error"]["message"]), (429, &json!("Too Many Requests")));
    assert!(response.headers["ratelimit"].ends_with("r=0;t=30"), "{:?}", response.headers);
    CLIENT.set_fault(&server, "create", "throttle").await;
    let response = create(&server, &access, "Sale").await;
    assert_eq!((response.status, response.headers["ratelimit"].ends_with("r=0;t=30")), (429, true));
    CLIENT.set_fault(&server, "refresh", "throttle").await;
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 429);
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.json()["data"], json!([]));
}

#[tokio::test]
async fn faults_hit_their_own_operation_only() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let id = create(&server, &access, "Sale").await.json()["data"]["id"].as_str().unwrap().to_owned();
    let one = format!("{API}/campaigns/{id}");
    for operation in ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"] {
        CLIENT.set_fault(&server, operation, "error").await;
    }
    let account = format!("{API}/ad_accounts/a2_h8rbr0001");
    let body = json!({ "data": {
        "starts_at": "2026-01-01T00:00:00Z", "ends_at": "2026-01-02T00:00:00Z", "fields": ["SPEND"] } });
    assert_eq!(CLIENT.call(&server, "POST", &access, &format!("{account}/reports"), &body).await.unwrap().status, 200);
    assert_eq!(CLIENT.get(&server, &access, &format!("{account}/pixels")).await.status, 200);
    let broken = create(&server, &access, "Other").await;
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (500, &json!(500)));
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 500);
    assert_eq!(CLIENT.get(&server, &access, &one).await.status, 500);
    assert_eq!(CLIENT.get(&server, &access, &format!("{API}/me/businesses")).await.status, 500);
    assert_eq!(patch(&server, &access, &one, json!({ "name": "New" })).await.status, 500);
    assert_eq!(patch(&server, &access, &one, json!({ "configured_status": "ARCHIVED" })).await.status, 500);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.json()["error"], 500);
    assert_eq!(CLIENT.post(&server, REVOKE, &[("token", "x")]).await.status, 500);
    let code = CLIENT.code(&server, &[], &[]).await;
    assert_eq!(CLIENT.exchange(&server, &code, &[]).await.status, 500);
    assert!(CLIENT.exchange(&server, &code, &[]).await.json()["access_token"].is_string());
    assert_eq!(CLIENT.get(&server, &access, &one).await.json()["data"]["name"], "Sale");
}

#[tokio::test]
async fn a_revoked_grant_is_invalid_until_a_new_consent() {
    let server = TestServer::new().await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "list", "revoked").await;
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 401);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 400);
    let (access, refresh_token) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "refresh", "revoked").await;
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 400);
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 401);
    let (access, _) = CLIENT.connect(&server).await;
    assert_eq!(CLIENT.get(&server, &access, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
async fn state_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let id = create(&server, &access, "Kept").await.json()["data"]["id"].clone();
    let spend = |amount: Value| json!({ "platform": "zeta_ads", "campaign_id": id, "amount": amount });
    assert_eq!(server.control("spend", spend(json!(0.1))).await.status, 200);
    assert_eq!(server.control("spend", spend(json!("0.2"))).await.json()["spent"], "0.30");
    assert_eq!(server.control("spend", spend(json!("0.0000001"))).await.status, 400);
    // The first sandbox still runs: a response is sent only after the state is on disk.
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(CLIENT.get(&again, &access, CAMPAIGNS).await.json()["data"][0]["name"], "Kept");
    assert_eq!(CLIENT.refresh(&again, &refresh_token).await.status, 200);
    let held = again.get("/_sandbox/campaigns?platform=zeta_ads").await.json();
    let campaign = &held["campaigns"][0];
    assert_eq!((&campaign["spent"], &campaign["budget"]), (&json!("0.30"), &json!("50.00")));
    assert_eq!((&campaign["budget_period"], &campaign["account"]), (&json!("DAILY"), &json!("a2_h8rbr0001")));
}

#[tokio::test]
async fn a_robust_client_works_with_every_quirk() {
    let server = TestServer::new().await;
    let switched = json!({ "platform": "zeta_ads", "quirk": "all", "on": true });
    let quirks = server.control("quirks", switched).await.json()["quirks"].clone();
    assert!(quirks.as_array().unwrap().iter().all(|one| one["on"] == true && one["what"].is_string()), "{quirks}");
    let (access, refresh_token) = CLIENT.connect(&server).await;
    let made = create(&server, &access, "Sale").await.json()["data"].clone();
    assert_eq!((&made["use_catalog"], &made["invoice_label"]), (&json!(false), &Value::Null));
    let one = format!("{API}/campaigns/{}", made["id"].as_str().unwrap());
    for (field, value) in
        [("name", json!("New")), ("goal_value", json!(60_000_000)), ("configured_status", json!("ACTIVE"))]
    {
        assert_eq!(patch(&server, &access, &one, json!({ field: value })).await.status, 200);
        assert_eq!(CLIENT.get(&server, &access, &one).await.json()["data"][field], value);
    }
    let list = CLIENT.get(&server, &access, CAMPAIGNS).await.json();
    assert_eq!(list["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(patch(&server, &access, &one, json!({ "configured_status": "ARCHIVED" })).await.status, 200);
    assert_eq!(CLIENT.refresh(&server, &refresh_token).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    assert_connects_ten_usd_accounts("zeta_ads", &CLIENT.authorize(&[])).await;
}
