//! `beta_ads` over HTTP: its sample, and what no other platform does.

use crate::client::{TestServer, form};
use crate::oauth_client::{Call, ClientAuthentication, OAuthClient, Renewal, Revocation, STANDARD};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::json;

const API: &str = "/beta_ads/v26.0";

pub(crate) const SAMPLE: Sample = Sample {
    oauth: OAuthClient {
        platform: "beta_ads",
        authorize: "/beta_ads/v26.0/dialog/oauth",
        token: "/beta_ads/v26.0/oauth/access_token",
        revoke: Revocation::Call(|_| Call { method: "DELETE", ..Call::get(format!("{API}/me/permissions")) }),
        authentication: ClientAuthentication::Body,
        names: STANDARD,
        renewal: Renewal::AccessToken("fb_exchange_token"),
        issued: "",
        consent: &[("scope", "ads_management,ads_read")],
        exchange: &[],
        token_header: "authorization",
        headers: &[],
    },
    accounts: &["act_1203004005006001", "act_1203004005006002", "act_1203004005006003"],
    new_account: ["HUF", "act_1203004005006006"],
    unknown_currency: "XXX",
    statuses: ["PAUSED", "ACTIVE", "DELETED"],
    prepare: None,
    create: |account, name| {
        let campaign = json!({
            "name": name,
            "objective": "OUTCOME_SALES",
            "status": "PAUSED",
            "special_ad_categories": [],
            "daily_budget": 5000,
        });
        Call::post(format!("{API}/{account}/campaigns"), campaign)
    },
    created: |response| response.field("id"),
    get: |_, id| Call::get(format!("{API}/{id}?fields=id,name")),
    list: |account| Call::get(format!("{API}/{account}/campaigns?fields=id,name")),
    next: |_, page| page["paging"]["next"].as_str().map(Call::follow),
    update: |_, id, change| {
        let change = match change {
            Change::Name(name) => json!({ "name": name }),
            Change::Budget => json!({ "daily_budget": 6000 }),
            Change::Run => json!({ "status": "ACTIVE" }),
        };
        Call::post(format!("{API}/{id}"), change)
    },
    delete: |_, id| Call { method: "DELETE", ..Call::get(format!("{API}/{id}")) },
    report: |_, id, [since, until], by_day| {
        let range = json!({ "since": since, "until": until }).to_string();
        let increment = if by_day { "1" } else { "all_days" };
        let fields = "spend,impressions,clicks,actions,action_values";
        let query = [("time_range", range.as_str()), ("time_increment", increment), ("fields", fields)];
        Call::get(format!("{API}/{id}/insights?limit=100&{}", form(&query)))
    },
    has_report_operation: true,
    account_list: "/beta_ads/v26.0/me/adaccounts",
    places: Places {
        rows: "/data",
        id: "/id",
        name: "/name",
        newest_first: true,
        report: "/data",
        spend: "/spend",
        spend_is_micros: false,
        // The first action is a click, the second a purchase.
        numbers: &["/impressions", "/clicks", "/actions/1/value", "/action_values/0/value"],
        checks_deliveries: false,
    },
    words: Words {
        unknown_token: "401 190",
        expired_token: "400 190 463",
        revoked_token: "401 190 458",
        foreign_account: "403 200",
        unknown_campaign: "400 100 33",
        failed: ["500 2"; 2],
        throttled: ["400 80004 2446079", "400 4"],
        wait: Some(("x-business-use-case-usage", "\"estimated_time_to_regain_access\":5")),
        page: &["act_1203004005006004", "COP", "BHD", "Manage ads"],
        denied: "?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied\
                 &state=st%26te",
        untrusted: &[
            ("client_id", "other", 400),
            ("client_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
            ("redirect_uri", "", 400),
            ("response_type", "token", 400),
            ("scope", "ads_management,ads_everything", 400),
        ],
        bad_exchanges: &[
            ("redirect_uri", "http://127.0.0.1:9999/other", "400 100 36008"),
            ("redirect_uri", "", "400 191"),
            ("client_secret", "wrong", "400 1"),
            ("client_id", "1", "400 101"),
        ],
        revocation: "",
        used_code: "400 100 36009",
        dead_renewal: "401 190 458",
    },
    refusal: |response| {
        let body = response.body();
        let error = body.get("error")?;
        let subcode = error["error_subcode"].as_u64().map_or_else(String::new, |subcode| format!(" {subcode}"));
        Some(format!("{} {}{subcode}", response.status, error["code"]))
    },
};

#[tokio::test]
async fn a_code_gives_a_token_for_an_hour_and_no_refresh_token() {
    let server = TestServer::new().await;
    let code = SAMPLE.oauth.code(&server, &[], &[]).await;
    let body = SAMPLE.oauth.exchange(&server, &code, &[("grant_type", "")]).await.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(3600)));
    assert_eq!(body.get("refresh_token"), None);
}
