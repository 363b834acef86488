//! The sample of `alpha_ads`. Its own tests are in `consent`, `tokens` and `faults`.

use crate::client::{CHALLENGE, VERIFIER};
use crate::oauth_client::{Call, ClientAuthentication, OAuthClient, Renewal, Revocation, STANDARD};
use crate::sample::{Change, Places, Sample, Words};
use serde_json::{Value, json};

pub(crate) const CLIENT: OAuthClient = OAuthClient {
    platform: "alpha_ads",
    authorize: "/alpha_ads/o/oauth2/v2/auth",
    token: "/alpha_ads/token",
    revoke: Revocation::Post("/alpha_ads/revoke", "token"),
    authentication: ClientAuthentication::Body,
    names: STANDARD,
    renewal: Renewal::RefreshToken,
    issued: "",
    consent: &[
        ("scope", "https://www.googleapis.com/auth/adwords"),
        ("access_type", "offline"),
        ("prompt", "consent"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ],
    exchange: &[("code_verifier", VERIFIER)],
    token_header: "authorization",
    headers: &[],
};

pub(crate) const SAMPLE: Sample = Sample {
    oauth: CLIENT,
    accounts: &["1002003001", "1002003002", "1002003003"],
    new_account: ["BHD", "1002004000"],
    unknown_currency: "XXX",
    statuses: ["PAUSED", "ENABLED", "REMOVED"],
    prepare: None,
    create: |account, name| Call::post(mutate(account, "googleAds"), creation(account, name)),
    created: |response| {
        let made = &response.json()["mutateOperationResponses"][1]["campaignResult"]["resourceName"];
        made.as_str().unwrap().rsplit('/').next().unwrap().to_owned()
    },
    get: |account, id| search(account, &format!("campaign.id, campaign.name FROM campaign WHERE campaign.id = {id}")),
    list,
    next: |account, page| {
        let token = page.get("nextPageToken")?;
        let mut call = list(account);
        call.body["pageToken"] = token.clone();
        Some(call)
    },
    update: |account, id, change| match change {
        Change::Name(name) => update(account, &json!({ "resourceName": campaign(account, id), "name": name }), "name"),
        Change::Run => {
            update(account, &json!({ "resourceName": campaign(account, id), "status": "ENABLED" }), "status")
        }
        Change::Budget => {
            // A create makes a budget and a campaign, and both kinds are numbered alike.
            let budget = id.parse::<u64>().unwrap() - 6_000_000_000;
            let name = format!("customers/{account}/campaignBudgets/{budget}");
            let update = json!({ "resourceName": name, "amountMicros": "60000000" });
            let operation = json!({ "update": update, "updateMask": "amountMicros" });
            Call::post(mutate(account, "campaignBudgets"), json!({ "operations": [operation] }))
        }
    },
    delete: |account, id| {
        let operation = json!({ "remove": campaign(account, id) });
        Call::post(mutate(account, "campaigns"), json!({ "operations": [operation] }))
    },
    report: |account, id, [first, last], by_day| {
        let day = if by_day { "segments.date, " } else { "" };
        search(
            account,
            &format!(
                "{day}campaign.id, metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions \
                 FROM campaign WHERE campaign.id = {id} AND segments.date BETWEEN '{first}' AND '{last}'"
            ),
        )
    },
    has_report_operation: false,
    account_list: "/alpha_ads/v26/customers:listAccessibleCustomers",
    places: Places {
        rows: "/results",
        id: "/campaign/id",
        name: "/campaign/name",
        newest_first: false,
        report: "/results",
        spend: "/metrics/costMicros",
        spend_is_micros: true,
        numbers: &["/metrics/impressions", "/metrics/clicks", "/metrics/conversions"],
        checks_deliveries: false,
    },
    words: Words {
        unknown_token: "401 OAUTH_TOKEN_INVALID",
        expired_token: "401 OAUTH_TOKEN_EXPIRED",
        revoked_token: "401 OAUTH_TOKEN_REVOKED",
        foreign_account: "403 USER_PERMISSION_DENIED",
        unknown_campaign: "400 RESOURCE_NOT_FOUND",
        failed: ["500 INTERNAL_ERROR", "500 internal_failure"],
        throttled: ["429 RESOURCE_TEMPORARILY_EXHAUSTED", "429 rate_limit_exceeded"],
        wait: None,
        page: &["value=\"1002003001\" checked", "1002003999 · USD · America/New_York · manager account"],
        denied: "?error=access_denied&state=st%26te",
        untrusted: &[
            ("client_id", "other", 401),
            ("client_id", "", 400),
            ("redirect_uri", "http://app.example/cb", 400),
            ("redirect_uri", "", 400),
            ("response_type", "token", 400),
            ("scope", "", 400),
            ("scope", "https://www.googleapis.com/auth/drive", 400),
            ("access_type", "forever", 400),
            ("prompt", "none", 400),
            ("code_challenge_method", "plain", 400),
            ("code_challenge_method", "", 400),
            ("code_challenge", "short", 400),
            ("code_challenge", "", 400),
        ],
        bad_exchanges: &[
            ("redirect_uri", "http://127.0.0.1:9999/other", "400 redirect_uri_mismatch"),
            ("redirect_uri", "", "400 invalid_request"),
            ("code_verifier", "", "400 invalid_grant"),
            ("code_verifier", CHALLENGE, "400 invalid_grant"),
            ("client_secret", "wrong", "401 invalid_client"),
            ("client_id", "wrong", "401 invalid_client"),
            ("client_secret", "", "400 invalid_request"),
            ("grant_type", "password", "400 unsupported_grant_type"),
            ("grant_type", "", "400 invalid_request"),
            ("code", "4/0Anever", "400 invalid_grant"),
        ],
        revocation: "",
        used_code: "400 invalid_grant",
        dead_renewal: "400 invalid_grant",
    },
    refusal: |response| {
        let body = response.body();
        let error = body.get("error")?;
        let codes = error["details"][0]["errors"][0]["errorCode"].as_object();
        let code = codes.and_then(|codes| codes.values().next()).or(Some(error))?;
        Some(format!("{} {}", response.status, code.as_str().unwrap_or_default()))
    },
};

fn mutate(account: &str, service: &str) -> String {
    format!("/alpha_ads/v26/customers/{account}/{service}:mutate")
}

fn campaign(account: &str, id: &str) -> String {
    format!("customers/{account}/campaigns/{id}")
}

fn search(account: &str, query: &str) -> Call {
    let path = format!("/alpha_ads/v26/customers/{account}/googleAds:search");
    Call::post(path, json!({ "query": format!("SELECT {query}") }))
}

fn list(account: &str) -> Call {
    search(account, "campaign.id, campaign.name FROM campaign WHERE campaign.status != 'REMOVED'")
}

fn update(account: &str, update: &Value, mask: &str) -> Call {
    let operation = json!({ "update": update, "updateMask": mask });
    Call::post(mutate(account, "campaigns"), json!({ "operations": [operation] }))
}

/// A mutation that creates a campaign with its budget.
pub(crate) fn creation(account: &str, name: &str) -> Value {
    let budget = format!("customers/{account}/campaignBudgets/-1");
    let amount = if account == SAMPLE.accounts[0] { "50000000" } else { "5000000000" };
    json!({ "mutateOperations": [
        { "campaignBudgetOperation": { "create": {
            "resourceName": budget, "amountMicros": amount, "explicitlyShared": false } } },
        { "campaignOperation": { "create": {
            "name": name,
            "status": "PAUSED",
            "advertisingChannelType": "SEARCH",
            "campaignBudget": budget,
            "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
            "networkSettings": {
                "targetGoogleSearch": true, "targetSearchNetwork": false,
                "targetContentNetwork": false, "targetPartnerSearchNetwork": false },
            "targetSpend": {} } } },
    ] })
}
