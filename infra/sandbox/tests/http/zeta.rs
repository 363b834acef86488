//! `zeta_ads` over HTTP: its sample, and what no other platform does.

use crate::client::{REDIRECT, TestServer, basic, form};
use crate::oauth_client::{Call, ClientAuthentication, FORM, OAuthClient, Renewal, Revocation, STANDARD};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::{Value, json};

const API: &str = "/zeta_ads/api/v3";
const CAMPAIGNS: &str = "/zeta_ads/api/v3/ad_accounts/a2_h8rbr0001/campaigns";
const TOKEN: &str = "/zeta_ads/api/v1/access_token";
const REVOKE: &str = "/zeta_ads/api/v1/revoke_token";
const AGENT: (&str, &str) = ("user-agent", "web:example.campaigns:v1 (by /u/example)");

const CLIENT: OAuthClient = OAuthClient {
    platform: "zeta_ads",
    authorize: "/zeta_ads/api/v1/authorize",
    token: TOKEN,
    revoke: Revocation::Post(REVOKE, "token"),
    authentication: ClientAuthentication::Basic,
    names: STANDARD,
    renewal: Renewal::RefreshToken,
    issued: "",
    consent: &[("scope", "adsread adsedit"), ("duration", "permanent")],
    exchange: &[],
    token_header: "authorization",
    headers: &[AGENT],
};

pub(crate) const SAMPLE: Sample = Sample {
    oauth: CLIENT,
    accounts: &["a2_h8rbr0001", "a2_h8rbr0002"],
    new_account: ["SEK", "a2_h8rbr0005"],
    unknown_currency: "KWD",
    statuses: ["PAUSED", "ACTIVE", "ARCHIVED"],
    prepare: None,
    create: |account, name| {
        let campaign = json!({
            "name": name,
            "objective": "BRAND_AWARENESS",
            "configured_status": "PAUSED",
            "is_campaign_budget_optimization": true,
            "goal_type": "DAILY_SPEND",
            "goal_value": if account == SAMPLE.accounts[0] { 50_000_000 } else { 5_000_000_000_i64 },
            "start_time": "2099-01-01T00:00:00Z",
            "bid_strategy": "BIDLESS",
            "bid_type": "CPM",
            "conversion_pixel_id": account.replace("a2_", "a2_px"),
        });
        Call::post(format!("{API}/ad_accounts/{account}/campaigns"), json!({ "data": campaign }))
    },
    created: |response| response.json()["data"]["id"].as_str().unwrap().to_owned(),
    get: |_, id| Call::get(format!("{API}/campaigns/{id}")),
    list: |account| Call::get(format!("{API}/ad_accounts/{account}/campaigns")),
    next: |_, page| page["pagination"]["next_url"].as_str().map(Call::follow),
    update: |_, id, change| {
        let change = match change {
            Change::Name(name) => json!({ "name": name }),
            Change::Budget => json!({ "goal_value": 60_000_000 }),
            Change::Run => json!({ "configured_status": "ACTIVE" }),
        };
        update(id, &change)
    },
    delete: |_, id| update(id, &json!({ "configured_status": "ARCHIVED" })),
    report: |account, id, [first, last], by_day| {
        let breakdowns = if by_day { json!(["CAMPAIGN_ID", "DATE"]) } else { json!(["CAMPAIGN_ID"]) };
        let data = json!({
            "starts_at": format!("{first}T00:00:00Z"),
            "ends_at": format!("{last}T23:00:00Z"),
            "fields": ["SPEND", "IMPRESSIONS", "CLICKS", "KEY_CONVERSION_TOTAL_COUNT",
                "CONVERSION_PURCHASE_TOTAL_VALUE"],
            "breakdowns": breakdowns,
            "filter": format!("campaign:id=={id}"),
        });
        Call::post(format!("{API}/ad_accounts/{account}/reports?page.size=1000"), json!({ "data": data }))
    },
    has_report_operation: true,
    account_list: "/zeta_ads/api/v3/me/businesses",
    places: Places {
        rows: "/data",
        id: "/id",
        name: "/name",
        newest_first: true,
        report: "/data/metrics",
        spend: "/spend",
        spend_is_micros: true,
        numbers: &["/impressions", "/clicks", "/key_conversion_total_count", "/conversion_purchase_total_value"],
        checks_deliveries: true,
    },
    words: Words {
        unknown_token: "401 401",
        expired_token: "401 401",
        revoked_token: "401 401",
        foreign_account: "403 403",
        unknown_campaign: "404 404",
        failed: ["500 500"; 2],
        throttled: ["429 429"; 2],
        wait: Some(("ratelimit", "r=0;t=30")),
        page: &["a2_h8rbr0003 · EUR · not set"],
        denied: "?error=access_denied&state=st%26te",
        untrusted: &[
            ("client_id", "other", 400),
            ("client_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
        ],
        bad_exchanges: &[
            ("redirect_uri", "http://127.0.0.1:9999/other", "200 invalid_grant"),
            ("code", "unknown", "200 invalid_grant"),
            ("grant_type", "client_credentials", "200 unsupported_grant_type"),
        ],
        revocation: "",
        used_code: "200 invalid_grant",
        dead_renewal: "400 400",
    },
    refusal: |response| {
        let body = response.body();
        let error = body.get("error")?;
        let code = error.get("code").unwrap_or(error);
        Some(format!("{} {}", response.status, code.as_str().map_or_else(|| code.to_string(), str::to_owned)))
    },
};

fn update(id: &str, change: &Value) -> Call {
    Call::patch(format!("{API}/campaigns/{id}"), json!({ "data": change }))
}

#[tokio::test]
async fn an_invalid_parameter_of_a_verified_client_redirects_with_an_error() {
    let server = TestServer::new().await;
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
}

#[tokio::test]
async fn a_token_lives_for_a_day() {
    let server = TestServer::new().await;
    let response = CLIENT.exchange(&server, &CLIENT.code(&server, &[], &[]).await, &[]).await;
    let body = response.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(86_400)));
    assert_eq!(
        (&body["scope"], &response.headers["cache-control"]),
        (&json!("adsread adsedit"), &"no-store".to_owned())
    );
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
    assert_eq!(
        CLIENT
            .ask(&server, &response.field("access_token"), &(SAMPLE.create)(SAMPLE.accounts[0], "Sale"))
            .await
            .unwrap()
            .status,
        403
    );
}
