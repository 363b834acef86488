//! Meta in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::ScriptedResponse;
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Beta,
    currency: "USD",
    draft: || fixtures::draft(Goal::Conversions, "10.50"),
    row,
    page,
    token: "c=1&",
    turn: ["", "&after=c%3D1%26"],
    no_pages: &["{}", r#"{"data":[],"paging":{"next":"x"}}"#],
    report: Some(["/insights?", r#"{"data":[]}"#]),
    name: "/name",
    amount: "/daily_budget",
    amounts: &["\"1050\"", "1050"],
    wrong_amounts: &["10.5", "\"10.5\"", "\"-1\"", "-1", "\"1e3\"", "true", "{}", "\"+5\""],
    is_dated: true,
    others: &[
        &[Set("/daily_budget", "\"1051\"")],
        &[Set("/daily_budget", "\"0\""), Set("/lifetime_budget", "\"1050\"")],
        &[Set("/daily_budget", "\"0\""), Set("/lifetime_budget", "\"0\"")],
        &[Set("/daily_budget", "0"), Set("/lifetime_budget", "0")],
    ],
    unclear: &[
        &[Set("/daily_budget", "\"10.5\"")],
        &[Set("/lifetime_budget", "{}")],
        &[Set("/daily_budget", "null")],
        &[Set("/daily_budget", "\"0\""), Set("/lifetime_budget", "null")],
        &[Set("/daily_budget", "null"), Set("/lifetime_budget", "0")],
    ],
    hidden: &[&[Set("/created_time", "null")], &[Set("/created_time", "\"today\"")], &[Set("/created_time", "7")]],
    malformed: &[&[Set("/id", "null")], &[Set("/id", "\"../1\"")], &[Set("/id", "\"12a\"")]],
    elsewhere: Some((&[Set("/account_id", "\"9\"")], Some(Kind::Forbidden))),
    optional: &[
        "/name",
        "/status",
        "/effective_status",
        "/issues_info",
        "/objective",
        "/created_time",
        "/updated_time",
        "/start_time",
        "/stop_time",
    ],
    without_budget: (&[Set("/daily_budget", "\"0\"")], Kind::Conflict),
    words: &[
        (CampaignStatus::Active, "ACTIVE"),
        (CampaignStatus::Paused, "PAUSED"),
        (CampaignStatus::Archived, "ARCHIVED"),
    ],
    wrong_positions: &["1", "-1.7.", "+1.7.", "1.", ".7.c", "201.7.c", "1.x.c", "1.7.a b", "1.7.é"],
    never: &[CampaignStatus::Draft, CampaignStatus::ScheduledForDeletion, CampaignStatus::Unspecified],
    wrong_ids: &["me", "7/insights", "act_7", "777777777777777777777777777777777"],
    expired: Reply::File(400, "token-expired"),
    missing: Reply::File(400, "not-found"),
    missing_at_create: Kind::Forbidden,
    table: REFUSALS,
    logged: "AbC1dEfGhIjKlMnOp",
    saying,
    blaming: &[
        |field| invalid(&json!({"blame_field_specs": [["campaign", field]]})),
        |field| invalid(&json!({"blame_field_specs": [["campaign", field]]}).to_string().into()),
        |field| invalid(&json!({"blame_field": format!("campaign.{field}")})),
        |field| saying(&format!("(#100) The parameter {field} is required")),
        |field| saying(&format!("(#100) Param {field} must be one of {{A, B}}")),
        |field| saying(&format!("(#100) Param campaign[{field}] must be an integer")),
    ],
    fields: &[
        ("name", Some("name")),
        ("objective", Some("goal")),
        ("daily_budget", Some("budget_amount")),
        ("lifetime_budget", Some("budget_amount")),
        ("start_time", Some("start_at")),
        ("stop_time", Some("end_at")),
        ("end_time", Some("end_at")),
        ("status", Some("status")),
    ],
    silent: &[r#"{"error":"invalid_grant"}"#, r#"{"error":{"code":"190"}}"#, r#"{"error":{"message":"no code"}}"#],
    deep: &[r#"{"error":"#],
    by_status: &[(401, Kind::PlatformFailed, false)],
    throttle: Throttle { reply: Reply::File(400, "burst-limit"), usual: 60, after_ten: 10 },
    before_create: |_| None,
    unclear_creates: &[
        Reply::File(500, "unknown"),
        Reply::File(503, "service-unavailable"),
        Reply::File(500, "name-blamed"),
        Reply::File(400, "transient-validation"),
        Reply::File(500, "token-expired"),
        Reply::File(500, "profile-not-linked"),
        Reply::File(503, "version-retired"),
        Reply::Text(200, r#"{"id":7"#),
        Reply::Text(200, r#"{"id":"../7"}"#),
        Reply::Text(200, r#"{"error":"malformed"}"#),
        Reply::Text(400, r#"{"error":{"code":0,"message":"?"}}"#),
        Reply::Text(200, r#"{"error":{"code":-1,"message":"?"}}"#),
    ],
};

fn row(id: u64, created: Timestamp) -> Value {
    json!({"id": id.to_string(), "account_id": "111222333", "name": "Winter", "status": "PAUSED",
        "daily_budget": "1050", "created_time": created.strftime("%Y-%m-%dT%H:%M:%S+0000").to_string()})
}

/// The address of the next page is never called.
fn page(rows: Vec<Value>, next: Option<&str>) -> Value {
    let address = next.map(|_| "http://127.0.0.1:1/elsewhere");
    json!({"data": rows, "paging": {"cursors": {"before": "b", "after": next.unwrap_or("z")}, "next": address}})
}

fn saying(message: &str) -> ScriptedResponse {
    (400, json!({"error": {"code": 100, "message": message}}).to_string())
}

fn invalid(data: &Value) -> ScriptedResponse {
    (400, json!({"error": {"code": 100, "message": "Invalid parameter", "error_data": data}}).to_string())
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
400 | token-expired | TokenExpired | 190/463
400 | token-app-removed | TokenExpired | 190/458
400 | token-checkpoint | TokenExpired | 190/459
400 | token-password-changed | TokenExpired | 190/460
400 | token-unconfirmed | TokenExpired | 190/464
400 | token-revoked | TokenExpired | 190/467
400 | token-malformed | TokenExpired | 190
400 | session-error | TokenExpired | 102
400 | permission-denied | Forbidden | 10
400 | permission-ads-management | Forbidden | 200
400 | permission-ads-extended | Forbidden | 294
400 | budget-blamed-in-text | PlatformRefused | 100/1885272 | budget_amount
400 | budget-blamed-in-object | PlatformRefused | 100/1885272 | budget_amount
400 | budget-too-low-unblamed | PlatformRefused | 100/1885272 | budget_amount
400 | budget-of-ad-sets | PlatformRefused | 100/1885621 | budget_amount
400 | bad-end-date | PlatformRefused | 100/1885407 | end_at
400 | end-blamed | PlatformRefused | 100 | end_at
400 | start-blamed | PlatformRefused | 100 | start_at
400 | name-blamed | PlatformRefused | 100 | name
400 | objective-blamed | PlatformRefused | 100 | goal
400 | status-blamed | PlatformRefused | 100 | status
400 | categories-missing | PlatformRefused | 100 | special_ad_categories
400 | path-blamed | PlatformRefused | 100 | promoted_object.page_id
400 | data-of-wrong-type | PlatformRefused | 100
400 | data-of-malformed-text | PlatformRefused | 100
400 | not-found | NotFound | 100/33
400 | alias-not-found | NotFound | 803
400 | app-limit | RateLimited | 4 | - | 300
400 | user-limit | RateLimited | 17/2446079 | - | 300
400 | page-limit | RateLimited | 32 | - | 300
400 | application-limit | RateLimited | 341 | - | 300
400 | ads-management-limit | RateLimited | 80004/2446079 | - | 300
400 | insights-limit | RateLimited | 80000/2446079 | - | 300
400 | burst-limit | RateLimited | 613/1487742 | - | 60
400 | unknown | PlatformFailed | 1
400 | service-unavailable | PlatformFailed | 2/1504044
400 | transient-validation | PlatformFailed | 100/1487390
400 | policy-block | PlatformRefused | 368
"#;
