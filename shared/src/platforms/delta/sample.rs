//! LinkedIn in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::{ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Delta,
    currency: "USD",
    draft: || fixtures::aimed_draft(Goal::Sales, "50"),
    row,
    page: |rows, next| json!({"elements": rows, "metadata": {"nextPageToken": next}}),
    token: "a+b",
    turn: ["", "&pageToken=a%2Bb"],
    no_pages: &[r#"{"elements":[]}"#, r#"{"elements":[],"metadata":null}"#, r#"{"metadata":{}}"#],
    report: Some(["/adAnalytics?", r#"{"elements":[]}"#]),
    name: "/name",
    amount: "/dailyBudget/amount",
    amounts: &["\"50\"", "\"50.00\"", "50"],
    wrong_amounts: &["\"ten\"", "\"\"", "null", "\"-5\"", "true", "{}", "\"1.00000000000000000000000000000001\""],
    is_dated: true,
    others: &[
        &[Set("/dailyBudget/amount", "\"51\"")],
        &[Set("/dailyBudget", "null"), Set("/totalBudget", r#"{"amount":"50","currencyCode":"USD"}"#)],
        &[Set("/status", "\"REMOVED\"")],
    ],
    unclear: &[
        &[Set("/dailyBudget", "null")],
        &[Set("/dailyBudget", "\"50\"")],
        &[Set("/dailyBudget", "{}")],
        &[Set("/dailyBudget/amount", "null")],
        &[Set("/dailyBudget/amount", "\"fifty\"")],
    ],
    hidden: &[&[Set("/changeAuditStamps", "{}")], &[Set("/changeAuditStamps/created/time", "4611686018427387903")]],
    malformed: &[
        &[Set("/id", "null")],
        &[Set("/id", "8.5")],
        &[Set("/id", "-4")],
        &[Set("/account", "7")],
        &[Set("/account", "{}")],
    ],
    elsewhere: Some((&[Set("/account", "\"urn:li:sponsoredAccount:1\"")], None)),
    optional: &["/name", "/status", "/objectiveType", "/totalBudget", "/changeAuditStamps"],
    without_budget: (&[Set("/dailyBudget", "null")], Kind::Conflict),
    words: &[
        (CampaignStatus::Active, "ACTIVE"),
        (CampaignStatus::Paused, "PAUSED"),
        (CampaignStatus::Archived, "ARCHIVED"),
        (CampaignStatus::ScheduledForDeletion, "PENDING_DELETION"),
    ],
    wrong_positions: &[".", "1", "x.", "0.t", "-1.t", "01.t"],
    never: &[CampaignStatus::Unspecified],
    wrong_ids: &["camp_5", "0", "05"],
    expired: Reply::File(401, "token-expired"),
    missing: Reply::File(404, "not-found"),
    missing_at_create: Kind::PlatformRefused,
    table: REFUSALS,
    logged: "status",
    saying,
    blaming: &[
        |path| {
            let input = json!({"code": "FIELD_INVALID", "input": {"inputPath": {"fieldPath": path}}});
            let body = json!({"message": "No.", "status": 400, "errorDetails": {"inputErrors": [input]}});
            (400, body.to_string())
        },
        |path| saying(&format!("ERROR :: {path} :: field is required but not found and has no default value\n")),
        |path| saying(&format!("{path} cannot be set to 5; it cannot be lower than 10")),
        |path| saying(&format!("Validation failed ({path}).")),
    ],
    fields: &[
        ("/Campaign/totalBudget/amount", Some("budget_amount")),
        ("/Campaign/dailyBudget/amount", Some("budget_amount")),
        ("/campaign/totalBudget", Some("budget_amount")),
        ("/elements/0/dailyBudget/amount", Some("budget_amount")),
        ("/Campaign/name", Some("name")),
        ("/Campaign/objectiveType", Some("goal")),
        ("/Campaign/optimizationTargetType", Some("goal")),
        ("/Campaign/runSchedule/start", Some("start_at")),
        ("/Campaign/runSchedule/end", Some("end_at")),
        ("/patch/$set/status", Some("status")),
    ],
    silent: &["{}", r#"{"message":7}"#, r#"{"serviceErrorCode":"100"}"#],
    deep: &[r#"{"message":"#],
    by_status: &[(426, Kind::PlatformFailed, false)],
    throttle: Throttle { reply: Reply::File(429, "throttled"), usual: 60, after_ten: 10 },
    before_create,
    unclear_creates: &[
        Reply::Text(503, r#"{"status":503,"message":"Service Unavailable"}"#),
        Reply::Text(408, r#"{"status":408,"message":"Timeout"}"#),
        Reply::Text(200, r#"{"id":141234567}"#),
        Reply::Text(201, ""),
    ],
};

fn row(id: u64, created: Timestamp) -> Value {
    json!({
        "id": id, "name": "Winter", "status": "PAUSED", "account": "urn:li:sponsoredAccount:512345678",
        "dailyBudget": {"amount": "50", "currencyCode": "USD"},
        "runSchedule": {"start": 1_764_633_600_000_i64},
        "changeAuditStamps": {"created": {"time": created.as_millisecond()}},
    })
}

fn saying(message: &str) -> ScriptedResponse {
    (400, json!({"status": 400, "code": "X", "message": message}).to_string())
}

/// The read of the ad account, and the search for the campaign group.
fn before_create(request: &ReceivedRequest) -> Option<ScriptedResponse> {
    let group = json!({"id": 601_234_567, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}});
    if request.line == "GET /rest/adAccounts/512345678 HTTP/1.1" {
        let page = "urn:li:organization:2414183";
        Some(ok(json!({"id": 512_345_678, "currency": "USD", "status": "ACTIVE", "reference": page})))
    } else if request.line.starts_with("GET /rest/adAccounts/512345678/adCampaignGroups?") {
        Some(ok(json!({"elements": [group], "metadata": {}})))
    } else {
        None
    }
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
401 | token-expired | TokenExpired | EXPIRED_ACCESS_TOKEN
401 | token-revoked | TokenExpired | REVOKED_ACCESS_TOKEN
401 | token-invalid | TokenExpired | INVALID_ACCESS_TOKEN
400 | token-expired-as-400 | TokenExpired | 65602
403 | access-denied | Forbidden | ACCESS_DENIED
403 | forbidden-without-code | PlatformFailed | - | - | never
404 | not-found | NotFound | NOT_FOUND
400 | missing-field | PlatformRefused | MISSING_FIELD | campaignGroup
400 | daily-too-low | PlatformRefused | FIELD_VALUE_TOO_LOW | budget_amount
400 | total-below-daily | PlatformRefused | CONDITIONAL_VALUE_TOO_LOW | budget_amount
400 | total-too-high | PlatformRefused | FIELD_VALUE_TOO_HIGH | budget_amount
400 | currency-mismatch | PlatformRefused | CURRENCY_MISMATCH | currency
400 | currency-mismatch-without-details | PlatformRefused | CURRENCY_MISMATCH | currency
400 | start-in-the-past | PlatformRefused | FIELD_VALUE_TOO_LOW | start_at
400 | end-missing | PlatformRefused | MISSING_FIELD | end_at
400 | name-too-long | PlatformRefused | FIELD_LENGTH_TOO_LONG | name
400 | status-change | PlatformRefused | STATUS_CHANGE_NOT_ALLOWED | status
400 | objective-immutable | PlatformRefused | IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE | goal
400 | group-budget | PlatformRefused | INSUFFICIENT_CAMPAIGN_GROUP_BUDGET | budget_amount
400 | several | PlatformRefused | FIELD_VALUE_TOO_LOW | budget_amount
400 | param-invalid | PlatformRefused | PARAM_INVALID | search
400 | param-not-allowed | PlatformRefused | QUERY_PARAM_NOT_ALLOWED
400 | old-schema | PlatformRefused | 10007 | budget_amount
400 | details-of-wrong-types | PlatformRefused | SOMETHING_NEW
400 | unknown-field | PlatformRefused | SOMETHING_NEW | someFutureField
409 | conflict | PlatformRefused | CONFLICT
422 | unprocessable | PlatformRefused | UNPROCESSABLE_ENTITY
414 | too-long | PlatformRefused | URI_TOO_LONG
429 | throttled-by-day | RateLimited | TOO_MANY_REQUESTS | - | 43200
429 | throttled | RateLimited | 101 | - | 60
400 | version-missing | PlatformFailed | VERSION_MISSING | - | never
426 | version-gone | PlatformFailed | NONEXISTENT_VERSION | - | never
500 | internal | PlatformFailed | -
503 | unavailable | PlatformFailed | SERVICE_UNAVAILABLE
504 | gateway-timeout | PlatformFailed | -
"#;
