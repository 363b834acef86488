//! `epsilon_ads` over HTTP: consent, tokens, faults, and what is kept.

use serde_json::{Value, json};

use crate::client::{Answer, REDIRECT, Scene, basic, form, varied};

const USD: &str = "549755813001";
const JPY: &str = "549755813002";
const CAMPAIGNS: &str = "/epsilon_ads/v5/ad_accounts/549755813001/campaigns";
const TOKEN: &str = "/epsilon_ads/v5/oauth/token";
const REVOKE: &str = "/epsilon_ads/v5/oauth/token/revoke";

/// The authorize address, some parameters changed; an empty one is left out.
fn authorize(changes: &[(&str, &str)]) -> String {
    let usual = [
        ("client_id", sandbox::client("epsilon_ads").unwrap().id),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", "ads:read,ads:write"),
        ("state", "st&te"),
    ];
    format!("/epsilon_ads/oauth/?{}", varied(&usual, changes))
}

/// Posts a form as the registered client.
async fn post(scene: &Scene, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let authorization = basic("epsilon_ads", sandbox::client("epsilon_ads").unwrap().secret);
    let kind = "application/x-www-form-urlencoded";
    let headers = [("content-type", kind), ("authorization", authorization.as_str())];
    scene.send("POST", path, &headers, &form(pairs)).await.unwrap()
}

async fn code(scene: &Scene, changes: &[(&str, &str)], accounts: &[&str]) -> String {
    scene.approve_at(&authorize(changes), accounts).await.remove("code").unwrap()
}

async fn exchange(scene: &Scene, code: &str) -> Answer {
    let pairs = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", REDIRECT)];
    post(scene, TOKEN, &pairs).await
}

async fn refresh(scene: &Scene, token: &str) -> Answer {
    post(scene, TOKEN, &[("grant_type", "refresh_token"), ("refresh_token", token)]).await
}

fn tokens(answer: &Answer) -> (String, String) {
    let body = answer.json();
    let token = |name: &str| body[name].as_str().unwrap().to_owned();
    (token("access_token"), token("refresh_token"))
}

/// Access and refresh token of a new consent to the first account.
async fn connect(scene: &Scene) -> (String, String) {
    tokens(&exchange(scene, &code(scene, &[], &[]).await).await)
}

async fn call(scene: &Scene, method: &str, token: &str, path: &str, body: &Value) -> reqwest::Result<Answer> {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    scene.send(method, path, &headers, &body).await
}

async fn get(scene: &Scene, token: &str, path: &str) -> Answer {
    call(scene, "GET", token, path, &Value::Null).await.unwrap()
}

async fn create(scene: &Scene, token: &str, name: &str) -> reqwest::Result<Answer> {
    let item = json!({
        "ad_account_id": USD,
        "name": name,
        "objective_type": "AWARENESS",
        "status": "PAUSED",
        "is_campaign_budget_optimization": true,
        "daily_spend_cap": 50_000_000,
    });
    call(scene, "POST", token, CAMPAIGNS, &json!([item])).await
}

async fn patch(scene: &Scene, token: &str, changes: Value) -> Answer {
    call(scene, "PATCH", token, CAMPAIGNS, &json!([changes])).await.unwrap()
}

fn refused(answer: &Answer) -> (u16, u64) {
    (answer.status, answer.json()["code"].as_u64().unwrap())
}

async fn fault(scene: &Scene, operation: &str, fault: &str) {
    let order = json!({ "platform": "epsilon_ads", "operation": operation, "fault": fault, "times": 1 });
    assert_eq!(scene.control("faults", order).await.status, 200);
}

#[tokio::test]
async fn scopes_separated_by_comma_or_by_space_are_both_accepted_at_consent() {
    let scene = Scene::new().await;
    for scopes in ["ads:read,ads:write", "ads:read ads:write", "ads:read, ads:write"] {
        let page = scene.get(&authorize(&[("scope", scopes)])).await;
        assert!(page.status == 200 && page.text.contains("Harbour Coffee Japan"), "{}", page.text);
        let code = code(&scene, &[("scope", scopes)], &[]).await;
        assert_eq!(exchange(&scene, &code).await.json()["scope"], "ads:read ads:write", "{scopes}");
    }
}

#[tokio::test]
async fn a_person_approves_or_denies_and_what_cannot_be_trusted_stays_on_a_page() {
    let scene = Scene::new().await;
    let page = scene.get(&authorize(&[])).await;
    assert!(page.text.contains("549755813004 · GBP · Europe/London · analyst account"), "{}", page.text);
    let approved = scene.submit(&authorize(&[]), &[("decision", "approve")]).await.redirect();
    assert_eq!(approved["state"], "st&te");
    let denied = scene.submit(&authorize(&[]), &[("decision", "deny")]).await;
    assert_eq!(denied.headers["location"], format!("{REDIRECT}?error=access_denied&state=st%26te"));
    for (changes, status) in [
        ([("client_id", "other")], 401),
        ([("client_id", "")], 400),
        ([("redirect_uri", "http://app.example/cb")], 400),
        ([("response_type", "token")], 400),
        ([("scope", "")], 400),
        ([("scope", "ads:all")], 400),
    ] {
        let answer = scene.submit(&authorize(&changes), &[("decision", "approve")]).await;
        assert_eq!((answer.status, answer.headers.get("location")), (status, None), "{changes:?}");
    }
    let odd = scene.submit(&authorize(&[]), &[("decision", "approve"), ("account", "1")]).await;
    assert_eq!(odd.status, 400);
    assert_eq!(scene.get("/epsilon_ads/oauth").await.status, 404);
}

#[tokio::test]
async fn the_client_is_known_by_basic_authentication_only_and_a_secret_in_the_body_is_refused() {
    let scene = Scene::new().await;
    let code = code(&scene, &[], &[]).await;
    let client = sandbox::client("epsilon_ads").unwrap();
    let pairs = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", REDIRECT)];
    let in_body = [&pairs[..], &[("client_id", client.id), ("client_secret", client.secret)]].concat();
    assert_eq!(refused(&scene.submit(TOKEN, &in_body).await), (401, 2));
    assert_eq!(refused(&scene.submit(TOKEN, &pairs).await), (401, 2));
    assert_eq!(refused(&post(&scene, TOKEN, &in_body).await), (400, 1));
    let wrong = basic("epsilon_ads", "wrong");
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let answer = scene.send("POST", TOKEN, &[kind, ("authorization", &wrong)], &form(&pairs)).await.unwrap();
    assert_eq!(refused(&answer), (401, 2));
    let good = basic("epsilon_ads", client.secret);
    let json = ("content-type", "application/json");
    let answer = scene.send("POST", TOKEN, &[json, ("authorization", &good)], &form(&pairs)).await.unwrap();
    assert_eq!(refused(&answer), (400, 1));
    assert_eq!(exchange(&scene, &code).await.status, 200);
}

#[tokio::test]
async fn a_code_becomes_tokens_once_and_for_its_own_address() {
    let scene = Scene::new().await;
    let code = code(&scene, &[], &[]).await;
    let other = format!("{REDIRECT}/");
    let elsewhere = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", other.as_str())];
    assert_eq!(refused(&post(&scene, TOKEN, &elsewhere).await), (401, 283));
    let answer = exchange(&scene, &code).await;
    let body = answer.json();
    assert!(body["access_token"].as_str().unwrap().starts_with("pina_"));
    assert!(body["refresh_token"].as_str().unwrap().starts_with("pinr."));
    assert_eq!((&body["token_type"], &body["response_type"]), (&json!("bearer"), &json!("authorization_code")));
    assert_eq!((&body["expires_in"], &body["refresh_token_expires_in"]), (&json!(2_592_000), &json!(5_184_000)));
    assert!(body["refresh_token_expires_at"].as_i64().unwrap() > 1_700_000_000);
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert_eq!(refused(&exchange(&scene, &code).await), (401, 283));
    let (access, renew) = tokens(&answer);
    assert_eq!(refused(&get(&scene, &access, CAMPAIGNS).await), (401, 2));
    assert_eq!(refused(&refresh(&scene, &renew).await), (401, 283));
    assert_eq!(refused(&post(&scene, TOKEN, &[("grant_type", "client_credentials")]).await), (400, 1));
    assert_eq!(refused(&post(&scene, TOKEN, &[]).await), (400, 1));
}

#[tokio::test]
async fn a_dead_grant_and_a_wrong_secret_are_both_401_and_differ_by_code() {
    let scene = Scene::new().await;
    let dead = json!({ "code": 283, "message": "The authorization grant is invalid" });
    for answer in [exchange(&scene, "unknown").await, refresh(&scene, "pinr.unknown").await] {
        assert_eq!((answer.status, answer.json()), (401, dead.clone()));
    }
    let wrong = basic("epsilon_ads", "wrong");
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("authorization", wrong.as_str())];
    let pairs = form(&[("grant_type", "refresh_token"), ("refresh_token", "pinr.unknown")]);
    let answer = scene.send("POST", TOKEN, &headers, &pairs).await.unwrap();
    assert_eq!((answer.status, &answer.json()["code"]), (401, &json!(2)));
}

#[tokio::test]
async fn refresh_rotates_and_the_old_refresh_token_is_dead_after_use() {
    let scene = Scene::new().await;
    let (first, old) = connect(&scene).await;
    let answer = refresh(&scene, &old).await;
    assert_eq!((answer.status, &answer.json()["response_type"]), (200, &json!("refresh_token")));
    let (second, new) = tokens(&answer);
    assert!(first != second && old != new);
    assert_eq!(refused(&refresh(&scene, &old).await), (401, 283));
    assert_eq!(get(&scene, &second, CAMPAIGNS).await.status, 200);
    let again = [("grant_type", "refresh_token"), ("refresh_token", new.as_str()), ("continuous_refresh", "true")];
    assert_eq!(post(&scene, TOKEN, &again).await.status, 200);
    let (_, newest) = connect(&scene).await;
    let more = [("grant_type", "refresh_token"), ("refresh_token", newest.as_str()), ("scope", "pins:read")];
    assert_eq!(refused(&post(&scene, TOKEN, &more).await), (400, 1));
    assert_eq!(refresh(&scene, &newest).await.status, 200);
}

#[tokio::test]
async fn revoking_is_for_system_users_only_and_so_403_with_code_29() {
    let scene = Scene::new().await;
    let (access, renew) = connect(&scene).await;
    for (token, hint) in [(&access, "access_token"), (&renew, "refresh_token")] {
        let pairs = [("token", token.as_str()), ("token_type_hint", hint)];
        assert_eq!(refused(&post(&scene, REVOKE, &pairs).await), (403, 29));
    }
    assert_eq!(refused(&scene.submit(REVOKE, &[("token", &access)]).await), (401, 2));
    assert_eq!(refused(&post(&scene, REVOKE, &[]).await), (400, 1));
    assert_eq!(get(&scene, &access, CAMPAIGNS).await.status, 200);
    assert_eq!(refresh(&scene, &renew).await.status, 200);
}

#[tokio::test]
async fn a_grant_reaches_only_the_accounts_that_were_chosen() {
    let scene = Scene::new().await;
    let (access, _) = connect(&scene).await;
    let (japan, _) = tokens(&exchange(&scene, &code(&scene, &[], &[JPY]).await).await);
    let list = get(&scene, &japan, "/epsilon_ads/v5/ad_accounts").await.json();
    assert_eq!((&list["items"][0]["id"], list["items"].as_array().unwrap().len()), (&json!(JPY), 1));
    assert_eq!(refused(&get(&scene, &japan, CAMPAIGNS).await), (403, 7));
    assert_eq!(get(&scene, &access, CAMPAIGNS).await.status, 200);
    let made = scene.control("accounts", json!({ "platform": "epsilon_ads", "currency": "SEK" })).await;
    assert_eq!(made.json()["account"]["id"], "549755813005");
    let refused = scene.control("accounts", json!({ "platform": "epsilon_ads", "currency": "KWD" })).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn a_throttle_is_429_with_code_8_and_sometimes_says_when_to_come_back() {
    let scene = Scene::new().await;
    let (access, renew) = connect(&scene).await;
    fault(&scene, "list", "throttle").await;
    let answer = get(&scene, &access, CAMPAIGNS).await;
    assert_eq!((refused(&answer), answer.headers["x-ratelimit-reset"].as_str()), ((429, 8), "30"));
    fault(&scene, "create", "throttle").await;
    let answer = create(&scene, &access, "Sale").await.unwrap();
    assert_eq!((refused(&answer), answer.headers.get("x-ratelimit-reset")), ((429, 8), None));
    fault(&scene, "refresh", "throttle").await;
    assert_eq!(refused(&refresh(&scene, &renew).await), (429, 8));
    assert_eq!(get(&scene, &access, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the system clock, as in the sandbox")]
async fn faults_meet_their_own_operation_only() {
    let scene = Scene::new().await;
    let (access, renew) = connect(&scene).await;
    let made = create(&scene, &access, "Sale").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].as_str().unwrap();
    let one = format!("{CAMPAIGNS}/{id}");
    let change = |more: Value| {
        let mut item = json!({ "id": id, "ad_account_id": USD });
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    for operation in ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"] {
        fault(&scene, operation, "error").await;
    }
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let report = format!(
        "{CAMPAIGNS}/analytics?start_date={today}&end_date={today}&campaign_ids={id}\
         &columns=SPEND_IN_MICRO_DOLLAR&granularity=TOTAL"
    );
    assert_eq!(get(&scene, &access, &report).await.json(), json!([]));
    assert_eq!(refused(&create(&scene, &access, "Other").await.unwrap()), (500, 12));
    assert_eq!(get(&scene, &access, CAMPAIGNS).await.status, 500);
    assert_eq!(get(&scene, &access, &one).await.status, 500);
    assert_eq!(get(&scene, &access, "/epsilon_ads/v5/ad_accounts").await.status, 500);
    assert_eq!(patch(&scene, &access, change(json!({ "name": "New" }))).await.status, 500);
    assert_eq!(patch(&scene, &access, change(json!({ "status": "ARCHIVED" }))).await.status, 500);
    assert_eq!(refresh(&scene, &renew).await.status, 500);
    assert_eq!(post(&scene, REVOKE, &[("token", "x")]).await.status, 500);
    let code = code(&scene, &[], &[]).await;
    assert_eq!(exchange(&scene, &code).await.status, 500);
    assert_eq!(exchange(&scene, &code).await.status, 200);
    assert_eq!(get(&scene, &access, &one).await.json()["name"], "Sale");
}

#[tokio::test]
async fn a_revoked_grant_is_dead_until_a_new_consent() {
    let scene = Scene::new().await;
    let (access, renew) = connect(&scene).await;
    fault(&scene, "list", "revoked").await;
    assert_eq!(refused(&get(&scene, &access, CAMPAIGNS).await), (401, 2));
    assert_eq!(refused(&refresh(&scene, &renew).await), (401, 283));
    let (access, renew) = connect(&scene).await;
    fault(&scene, "refresh", "revoked").await;
    assert_eq!(refused(&refresh(&scene, &renew).await), (401, 283));
    assert_eq!(refused(&get(&scene, &access, CAMPAIGNS).await), (401, 2));
    let (access, _) = connect(&scene).await;
    assert_eq!(get(&scene, &access, CAMPAIGNS).await.status, 200);
}

#[tokio::test]
async fn grants_campaigns_and_spend_outlive_a_kill_and_an_older_file_loads() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sandbox.json"), "{\"epsilon_ads\":{}}").unwrap();
    let scene = Scene::start(Some(folder.path())).await;
    let (access, renew) = connect(&scene).await;
    let made = create(&scene, &access, "Kept").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].clone();
    let spend = |amount: Value| json!({ "platform": "epsilon_ads", "campaign_id": id, "amount": amount });
    assert_eq!(scene.control("spend", spend(json!(0.1))).await.status, 200);
    assert_eq!(scene.control("spend", spend(json!("0.2"))).await.json()["spent"], "0.30");
    assert_eq!(scene.control("spend", spend(json!("0.0000001"))).await.status, 400);
    // Not stopped: what was acknowledged has to be there already.
    let again = Scene::start(Some(folder.path())).await;
    assert_eq!(get(&again, &access, CAMPAIGNS).await.json()["items"][0]["name"], "Kept");
    assert_eq!(refresh(&again, &renew).await.status, 200);
    let held = again.get("/_sandbox/campaigns?platform=epsilon_ads").await.json();
    let shown = &held["campaigns"][0];
    assert_eq!((&shown["spent"], &shown["budget"]), (&json!("0.30"), &json!("50.00")));
    assert_eq!((&shown["budget_period"], &shown["account"]), (&json!("DAILY"), &json!(USD)));
}

#[tokio::test]
async fn a_careful_client_gets_along_with_every_quirk() {
    let scene = Scene::new().await;
    let switched = json!({ "platform": "epsilon_ads", "quirk": "all", "on": true });
    let quirks = scene.control("quirks", switched).await.json()["quirks"].clone();
    assert!(quirks.as_array().unwrap().iter().all(|one| one["on"] == true && one["what"].is_string()), "{quirks}");
    let (access, renew) = connect(&scene).await;
    let made = create(&scene, &access, "Sale").await.unwrap().json();
    let id = made["items"][0]["data"]["id"].clone();
    for (field, value) in [("name", json!("New")), ("daily_spend_cap", json!(60_000_000)), ("status", json!("ACTIVE"))]
    {
        let changed = patch(&scene, &access, json!({ "id": id, "ad_account_id": USD, field: value })).await.json();
        assert_eq!(changed["items"][0]["data"][field], value, "{changed}");
    }
    let list = get(&scene, &access, CAMPAIGNS).await.json();
    assert_eq!((&list["items"][0]["name"], list["items"].as_array().map(Vec::len)), (&json!("New"), Some(1)));
    let archive = json!({ "id": id, "ad_account_id": USD, "status": "ARCHIVED" });
    assert_eq!(patch(&scene, &access, archive).await.json()["items"][0]["data"]["status"], "ARCHIVED");
    assert_eq!(refresh(&scene, &renew).await.status, 200);
}
