//! `delta_ads` over HTTP: its sample, and what no other platform does.

use crate::client::{TestServer, VERIFIER};
use crate::oauth_client::{Call, ClientAuthentication, OAuthClient, Renewal, Revocation, STANDARD};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::{Value, json};

const REST: &str = "/delta_ads/rest";
const REVOKE: &str = "/delta_ads/oauth/v2/revoke";
const YEAR: i64 = 31_536_000;
/// 1 January 2100, in Unix milliseconds.
const LATER: i64 = 4_102_444_800_000;

const CLIENT: OAuthClient = OAuthClient {
    platform: "delta_ads",
    authorize: "/delta_ads/oauth/v2/authorization",
    token: "/delta_ads/oauth/v2/accessToken",
    revoke: Revocation::Post(REVOKE, "token"),
    authentication: ClientAuthentication::Body,
    names: STANDARD,
    renewal: Renewal::RefreshToken,
    issued: "",
    consent: &[("scope", "r_ads rw_ads r_ads_reporting")],
    exchange: &[],
    token_header: "authorization",
    headers: &[("linkedin-version", "202607"), ("x-restli-protocol-version", "2.0.0")],
};

pub(crate) const SAMPLE: Sample = Sample {
    oauth: CLIENT,
    accounts: &["512300001", "512300002"],
    new_account: ["GBP", "512300006"],
    unknown_currency: "KWD",
    statuses: ["PAUSED", "ACTIVE", "ARCHIVED"],
    prepare: Some(|account| {
        let group = json!({
            "account": format!("urn:li:sponsoredAccount:{account}"),
            "name": "Ours",
            "status": "ACTIVE",
            "runSchedule": { "start": LATER },
        });
        Call::post(format!("{REST}/adAccounts/{account}/adCampaignGroups"), group)
    }),
    create: |account, name| Call::post(campaigns(account), campaign(account, name)),
    created: |response| response.headers["x-restli-id"].clone(),
    get: |account, id| Call::get(format!("{}/{id}", campaigns(account))),
    list: |account| Call::get(format!("{}?q=search", campaigns(account))),
    next: |account, page| {
        let token = page["metadata"]["nextPageToken"].as_str()?;
        Some(Call::get(format!("{}?q=search&pageToken={token}", campaigns(account))))
    },
    update: |account, id, change| {
        let change = match change {
            Change::Name(name) => json!({ "name": name }),
            Change::Budget => json!({ "dailyBudget": { "amount": "60.00", "currencyCode": "USD" } }),
            Change::Run => json!({ "status": "ACTIVE" }),
        };
        update(account, id, &change)
    },
    delete: |account, id| update(account, id, &json!({ "status": "ARCHIVED" })),
    report: |_, id, range, by_day| {
        let granularity = if by_day { "DAILY" } else { "ALL" };
        let [first, last] = range.map(|day| {
            let mut parts = day.split('-').map(|part| part.trim_start_matches('0'));
            let mut part = || parts.next().unwrap_or_default();
            format!("(year:{},month:{},day:{})", part(), part(), part())
        });
        Call::get(format!(
            "{REST}/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity={granularity}\
             &dateRange=(start:{first},end:{last})&campaigns=List(urn%3Ali%3AsponsoredCampaign%3A{id})\
             &fields=dateRange,pivotValues,impressions,clicks,costInLocalCurrency,externalWebsiteConversions,\
             conversionValueInLocalCurrency"
        ))
    },
    has_report_operation: true,
    account_list: "/delta_ads/rest/adAccounts?q=search",
    places: Places {
        rows: "/elements",
        id: "/id",
        name: "/name",
        newest_first: false,
        report: "/elements",
        spend: "/costInLocalCurrency",
        spend_is_micros: false,
        numbers: &["/impressions", "/clicks", "/externalWebsiteConversions", "/conversionValueInLocalCurrency"],
        checks_deliveries: true,
    },
    words: Words {
        unknown_token: "401 65600",
        expired_token: "401 65602",
        revoked_token: "401 65601",
        foreign_account: "403 100",
        unknown_campaign: "404 NOT_FOUND",
        failed: ["500 INTERNAL_SERVER_ERROR", "500 server_error"],
        throttled: ["429 101", "429 rate_limit_exceeded"],
        wait: None,
        page: &["512300001 · USD", "canceled account"],
        denied: "?error=user_cancelled_authorize&error_description=The+user+cancelled+the+authorization&state=st%26te",
        untrusted: &[
            ("client_id", "other", 400),
            ("client_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
            ("redirect_uri", "", 400),
        ],
        bad_exchanges: &[
            ("redirect_uri", "http://127.0.0.1:9999/other", "400 invalid_request"),
            ("client_id", "", "400 invalid_request"),
            ("client_secret", "", "400 invalid_request"),
            ("code_verifier", VERIFIER, "400 invalid_request"),
            ("client_secret", "wrong", "401 invalid_client"),
        ],
        revocation: "",
        used_code: "400 invalid_request",
        dead_renewal: "400 invalid_grant",
    },
    refusal: |response| {
        let body = response.body();
        let code = ["serviceErrorCode", "code", "error"].into_iter().find_map(|name| body.get(name))?;
        Some(format!("{} {}", response.status, code.as_str().map_or_else(|| code.to_string(), str::to_owned)))
    },
};

fn campaigns(account: &str) -> String {
    format!("{REST}/adAccounts/{account}/adCampaigns")
}

fn update(account: &str, id: &str, change: &Value) -> Call {
    let headers = &[("x-restli-method", "PARTIAL_UPDATE")];
    Call { headers, ..Call::post(format!("{}/{id}", campaigns(account)), json!({ "patch": { "$set": change } })) }
}

/// A campaign in the first group of a new sandbox for its account.
fn campaign(account: &str, name: &str) -> Value {
    let is_first = account == SAMPLE.accounts[0];
    let (group, organization) = if is_first { (365_000_001, 2_414_184) } else { (365_000_002, 2_414_185) };
    let (amount, currency) = if is_first { ("50.00", "USD") } else { ("5000", "JPY") };
    json!({
        "account": format!("urn:li:sponsoredAccount:{account}"),
        "campaignGroup": format!("urn:li:sponsoredCampaignGroup:{group}"),
        "name": name,
        "type": "SPONSORED_UPDATES",
        "objectiveType": "LEAD_GENERATION",
        "costType": "CPM",
        "status": "PAUSED",
        "dailyBudget": { "amount": amount, "currencyCode": currency },
        "runSchedule": { "start": LATER },
        "locale": { "country": "US", "language": "en" },
        "targetingCriteria": { "include": { "and": [
            { "or": { "urn:li:adTargetingFacet:locations": ["urn:li:geo:103644278"] } },
        ] } },
        "offsiteDeliveryEnabled": false,
        "politicalIntent": "NOT_POLITICAL",
        "optimizationTargetType": "MAX_CLICK",
        "associatedEntity": format!("urn:li:organization:{organization}"),
    })
}

#[tokio::test]
async fn an_unknown_scope_redirects_with_an_error() {
    let server = TestServer::new().await;
    let scope = server.get(&CLIENT.authorize(&[("scope", "w_everything")])).await.redirect();
    assert_eq!(scope["error"], "unauthorized_scope_error");
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
    assert_eq!(CLIENT.revoke(&server, &access).await.status, 200);
    assert_eq!(introspect(&token).await["status"], "revoked");
}
