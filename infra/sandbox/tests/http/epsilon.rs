//! `epsilon_ads` over HTTP: its sample, and what no other platform does.

use crate::client::{REDIRECT, Response, TestServer, basic, form};
use crate::oauth_client::{Call, ClientAuthentication, FORM, OAuthClient, Renewal, Revocation, STANDARD};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::{Value, json};

const API: &str = "/epsilon_ads/v5/ad_accounts";
const CAMPAIGNS: &str = "/epsilon_ads/v5/ad_accounts/549755813001/campaigns";
const TOKEN: &str = "/epsilon_ads/v5/oauth/token";
const REVOKE: &str = "/epsilon_ads/v5/oauth/token/revoke";

pub(crate) const CLIENT: OAuthClient = OAuthClient {
    platform: "epsilon_ads",
    authorize: "/epsilon_ads/oauth/",
    token: TOKEN,
    revoke: Revocation::Post(REVOKE, "token"),
    authentication: ClientAuthentication::Basic,
    names: STANDARD,
    renewal: Renewal::RefreshToken,
    issued: "",
    consent: &[("scope", "ads:read,ads:write")],
    exchange: &[],
    token_header: "authorization",
    headers: &[],
};

pub(crate) const SAMPLE: Sample = Sample {
    oauth: CLIENT,
    accounts: &["549755813001", "549755813002"],
    new_account: ["SEK", "549755813005"],
    unknown_currency: "KWD",
    statuses: ["PAUSED", "ACTIVE", "ARCHIVED"],
    prepare: None,
    create: |account, name| {
        let item = json!({
            "ad_account_id": account,
            "name": name,
            "objective_type": "AWARENESS",
            "status": "PAUSED",
            "is_campaign_budget_optimization": true,
            "daily_spend_cap": if account == SAMPLE.accounts[0] { 50_000_000 } else { 5_000_000_000_i64 },
        });
        Call::post(format!("{API}/{account}/campaigns"), json!([item]))
    },
    created: |response| response.json()["items"][0]["data"]["id"].as_str().unwrap().to_owned(),
    get: |account, id| Call::get(format!("{API}/{account}/campaigns/{id}")),
    list: |account| Call::get(format!("{API}/{account}/campaigns")),
    next: |account, page| {
        let bookmark = page["bookmark"].as_str()?;
        Some(Call::get(format!("{API}/{account}/campaigns?bookmark={bookmark}")))
    },
    update: |account, id, change| {
        let (field, value) = match change {
            Change::Name(name) => ("name", json!(name)),
            Change::Budget => ("daily_spend_cap", json!(60_000_000)),
            Change::Run => ("status", json!("ACTIVE")),
        };
        update(account, id, field, &value)
    },
    delete: |account, id| update(account, id, "status", &json!("ARCHIVED")),
    report: |account, id, [first, last], by_day| {
        let granularity = if by_day { "DAY" } else { "TOTAL" };
        Call::get(format!(
            "{API}/{account}/campaigns/analytics?start_date={first}&end_date={last}&campaign_ids={id}\
             &granularity={granularity}&columns=SPEND_IN_MICRO_DOLLAR,IMPRESSION_1,CLICKTHROUGH_1,TOTAL_CONVERSIONS,\
             TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR"
        ))
    },
    has_report_operation: true,
    account_list: API,
    places: Places {
        rows: "/items",
        id: "/id",
        name: "/name",
        newest_first: false,
        report: "",
        spend: "/SPEND_IN_MICRO_DOLLAR",
        spend_is_micros: true,
        numbers: &["/IMPRESSION_1", "/CLICKTHROUGH_1", "/TOTAL_CONVERSIONS", "/TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR"],
        checks_deliveries: true,
    },
    words: Words {
        unknown_token: "401 2",
        expired_token: "401 2",
        revoked_token: "401 2",
        foreign_account: "403 7",
        unknown_campaign: "200 30",
        failed: ["500 12"; 2],
        throttled: ["429 8"; 2],
        wait: Some(("x-ratelimit-reset", "30")),
        page: &["549755813004 · GBP · Europe/London · analyst account", "Harbour Coffee Japan"],
        denied: "?error=access_denied&state=st%26te",
        untrusted: &[
            ("client_id", "other", 401),
            ("client_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
            ("response_type", "token", 400),
            ("scope", "", 400),
            ("scope", "ads:all", 400),
        ],
        bad_exchanges: &[
            ("redirect_uri", "http://127.0.0.1:9999/other", "401 283"),
            ("code", "unknown", "401 283"),
            ("grant_type", "client_credentials", "400 1"),
            ("grant_type", "", "400 1"),
        ],
        revocation: "403 29",
        used_code: "401 283",
        dead_renewal: "401 283",
    },
    refusal: |response| {
        let body = response.body();
        let code = body.get("code").or_else(|| body.pointer("/items/0/exceptions/0/code"))?;
        Some(format!("{} {code}", response.status))
    },
};

fn update(account: &str, id: &str, field: &str, value: &Value) -> Call {
    let item = json!({ "id": id, "ad_account_id": account, field: value });
    Call::patch(format!("{API}/{account}/campaigns"), json!([item]))
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
async fn the_consent_address_ends_with_a_slash() {
    let server = TestServer::new().await;
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
async fn a_token_response_has_two_lifetimes() {
    let server = TestServer::new().await;
    let response = CLIENT.exchange(&server, &CLIENT.code(&server, &[], &[]).await, &[]).await;
    let body = response.json();
    assert!(body["access_token"].as_str().unwrap().starts_with("pina_"));
    assert!(body["refresh_token"].as_str().unwrap().starts_with("pinr."));
    assert_eq!((&body["token_type"], &body["response_type"]), (&json!("bearer"), &json!("authorization_code")));
    assert_eq!((&body["expires_in"], &body["refresh_token_expires_in"]), (&json!(2_592_000), &json!(5_184_000)));
    assert!(body["refresh_token_expires_at"].as_i64().unwrap() > 1_700_000_000);
    assert_eq!(response.headers["cache-control"], "no-store");
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
async fn only_a_throttled_read_has_a_reset_header() {
    let server = TestServer::new().await;
    let (access, _) = CLIENT.connect(&server).await;
    CLIENT.set_fault(&server, "create", "throttle").await;
    let response = CLIENT.ask(&server, &access, &(SAMPLE.create)(SAMPLE.accounts[0], "Sale")).await.unwrap();
    assert_eq!((error(&response), response.headers.get("x-ratelimit-reset")), ((429, 8), None));
}
