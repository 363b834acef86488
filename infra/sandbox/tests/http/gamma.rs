//! `gamma_ads` over HTTP: its sample, and what no other platform does.

use crate::client::{REDIRECT, TestServer, form};
use crate::oauth_client::{Call, ClientAuthentication, Names, OAuthClient, Renewal, Revocation};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::{Value, json};

const API: &str = "/gamma_ads/open_api/v1.3";
const TOKEN: &str = "/gamma_ads/open_api/v1.3/oauth2/access_token/";
const USD: &str = SAMPLE.accounts[0];

pub(crate) const CLIENT: OAuthClient = OAuthClient {
    platform: "gamma_ads",
    authorize: "/gamma_ads/portal/auth",
    token: TOKEN,
    revoke: Revocation::Call(|token| revocation(token, "sandbox-secret-gamma")),
    authentication: ClientAuthentication::Json,
    names: Names { client: "app_id", secret: "secret", code: "auth_code" },
    renewal: Renewal::Nothing,
    issued: "/data",
    consent: &[("response_type", "")],
    exchange: &[("grant_type", ""), ("redirect_uri", "")],
    token_header: "access-token",
    headers: &[],
};

pub(crate) const SAMPLE: Sample = Sample {
    oauth: CLIENT,
    accounts: &["7301002003004005001", "7301002003004005002", "7301002003004005003"],
    new_account: ["BHD", "7301002003004005005"],
    unknown_currency: "XXX",
    statuses: ["ENABLE", "ENABLE", "DELETE"],
    prepare: None,
    create: |account, name| Call::post(format!("{API}/campaign/create/"), campaign(account, name)),
    created: |response| response.json()["data"]["campaign_id"].as_str().unwrap().to_owned(),
    get: |account, id| {
        let filter = json!({ "campaign_ids": [id] }).to_string();
        list(account, &[("filtering", &filter)])
    },
    list: |account| list(account, &[]),
    next: |account, page| {
        let info = &page["data"]["page_info"];
        let next = info["page"].as_u64()? + 1;
        (next <= info["total_page"].as_u64()?).then(|| list(account, &[("page", &next.to_string())]))
    },
    update: |account, id, change| match change {
        Change::Name(name) => update(json!({ "advertiser_id": account, "campaign_id": id, "campaign_name": name })),
        Change::Budget => update(json!({ "advertiser_id": account, "campaign_id": id, "budget": 60 })),
        Change::Run => set_status(account, id, "ENABLE"),
    },
    delete: |account, id| set_status(account, id, "DELETE"),
    report: |account, id, [first, last], by_day| {
        let filter = json!([{ "field_name": "campaign_ids", "filter_type": "IN",
            "filter_value": json!([id]).to_string() }])
        .to_string();
        let dimensions = if by_day { r#"["campaign_id","stat_time_day"]"# } else { r#"["campaign_id"]"# };
        let query = form(&[
            ("advertiser_id", account),
            ("report_type", "BASIC"),
            ("data_level", "AUCTION_CAMPAIGN"),
            ("dimensions", dimensions),
            ("metrics", r#"["spend","impressions","clicks","conversion"]"#),
            ("start_date", first),
            ("end_date", last),
            ("filtering", &filter),
            ("page_size", "1000"),
        ]);
        Call::get(format!("{API}/report/integrated/get/?{query}"))
    },
    has_report_operation: true,
    account_list: "/gamma_ads/open_api/v1.3/oauth2/advertiser/get/?app_id=7300000000000000017&secret=sandbox-secret-gamma",
    places: Places {
        rows: "/data/list",
        id: "/campaign_id",
        name: "/campaign_name",
        newest_first: true,
        report: "/data/list",
        spend: "/metrics/spend",
        spend_is_micros: false,
        numbers: &["/metrics/impressions", "/metrics/clicks", "/metrics/conversion"],
        checks_deliveries: true,
    },
    words: Words {
        unknown_token: "200 40105",
        expired_token: "200 40102",
        revoked_token: "200 40105",
        foreign_account: "200 40001",
        unknown_campaign: "200 40007",
        failed: ["200 50000"; 2],
        throttled: ["200 40100"; 2],
        wait: None,
        page: &["value=\"7301002003004005001\" checked", "Harbour Coffee Japan", "KWD"],
        denied: "?error=access_denied&state=st%26te",
        untrusted: &[
            ("app_id", "other", 400),
            ("app_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
            ("redirect_uri", "", 400),
        ],
        bad_exchanges: &[
            ("secret", "wrong", "200 40101"),
            ("app_id", "1", "200 40101"),
            ("auth_code", "never", "200 40110"),
            ("auth_code", "", "200 40002"),
            ("secret", "", "200 40002"),
            ("redirect_uri", REDIRECT, "200 40002"),
        ],
        revocation: "",
        used_code: "200 40110",
        dead_renewal: "",
    },
    refusal: |response| {
        let code = response.body()["code"].as_u64();
        (code != Some(0)).then(|| format!("{} {}", response.status, code.unwrap_or_default()))
    },
};

fn revocation(token: &str, secret: &str) -> Call {
    let body = json!({ "app_id": "7300000000000000017", "secret": secret, "access_token": token });
    Call::post(format!("{API}/oauth2/revoke_token/"), body)
}

fn campaign(account: &str, name: &str) -> Value {
    json!({
        "advertiser_id": account,
        "campaign_name": name,
        "objective_type": "TRAFFIC",
        "budget_mode": "BUDGET_MODE_DAY",
        "budget": if account == USD { 50 } else { 5000 },
    })
}

fn list(account: &str, parameters: &[(&str, &str)]) -> Call {
    let query = form(&[&[("advertiser_id", account)], parameters].concat());
    Call::get(format!("{API}/campaign/get/?{query}"))
}

fn update(change: Value) -> Call {
    Call::post(format!("{API}/campaign/update/"), change)
}

fn set_status(account: &str, id: &str, status: &str) -> Call {
    let body = json!({ "advertiser_id": account, "campaign_ids": [id], "operation_status": status });
    Call::post(format!("{API}/campaign/status/update/"), body)
}

#[tokio::test]
async fn both_consent_paths_show_the_same_page() {
    let server = TestServer::new().await;
    let legacy = CLIENT.authorize(&[]).replace("/portal/auth", "/marketing_api/auth");
    assert_eq!(server.get(&legacy).await.text, server.get(&CLIENT.authorize(&[])).await.text);
}

#[tokio::test]
async fn a_token_response_has_numeric_scopes_and_no_expiry() {
    let server = TestServer::new().await;
    let chosen = [SAMPLE.accounts[1], USD];
    let code = CLIENT.code(&server, &[], &chosen).await;
    let response = CLIENT.exchange(&server, &code, &[]).await.json();
    assert_eq!((&response["code"], &response["message"]), (&json!(0), &json!("OK")));
    let data = response["data"].as_object().unwrap();
    assert_eq!(data.keys().collect::<Vec<_>>(), ["access_token", "advertiser_ids", "scope"]);
    assert_eq!(data["advertiser_ids"], json!(chosen));
    assert!(data["scope"].as_array().unwrap().iter().all(Value::is_u64), "{response}");
}

#[tokio::test]
async fn the_token_endpoint_rejects_a_form() {
    let server = TestServer::new().await;
    let response = server.submit(TOKEN, &[("auth_code", "x")]).await;
    assert_eq!((response.status, &response.json()["code"]), (200, &json!(40002)));
}

#[tokio::test]
async fn a_revocation_needs_the_secret_and_a_live_token() {
    let server = TestServer::new().await;
    let (token, _) = CLIENT.connect(&server).await;
    for (secret, code) in [("wrong", 40101), ("sandbox-secret-gamma", 0), ("sandbox-secret-gamma", 40105)] {
        let response = CLIENT.ask(&server, &token, &revocation(&token, secret)).await.unwrap();
        assert_eq!(response.json()["code"], code, "{secret}");
    }
}

#[tokio::test]
async fn a_request_id_deduplicates_a_create_without_response_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (token, _) = CLIENT.connect(&server).await;
    let mut create = (SAMPLE.create)(USD, "Unheard");
    create.body["request_id"] = json!("9007199254740993");
    CLIENT.set_fault(&server, "create", "drop_after").await;
    assert!(CLIENT.ask(&server, &token, &create).await.is_none());
    assert_eq!(CLIENT.ask(&server, &token, &create).await.unwrap().json()["code"], 40050);
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(CLIENT.ask(&again, &token, &create).await.unwrap().json()["code"], 40050);
    let listed = CLIENT.ask(&again, &token, &list(USD, &[])).await.unwrap().json();
    assert_eq!(listed["data"]["page_info"]["total_number"], 1);
}
