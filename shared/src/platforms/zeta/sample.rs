//! Reddit in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::{ScriptedResponse, ok};
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Zeta,
    currency: "USD",
    draft: || fixtures::draft(Goal::WebsiteTraffic, "50"),
    row,
    page,
    token: "t%26",
    turn: ["", "&page.token=t%26"],
    no_pages: &[
        r#"{"pagination":{}}"#,
        r#"{"data":[],"pagination":{"next_url":"https://evil.example/?page.token=t"}}"#,
        r#"{"data":[],"pagination":{"next_url":"//evil.example/?page.token=t"}}"#,
        r#"{"data":[],"pagination":{"next_url":"http://169.254.169.254/?page.token=t"}}"#,
        r#"{"data":[],"pagination":{"next_url":"/api/v3/x"}}"#,
    ],
    report: Some(["/reports?", r#"{"data":{"metrics":[]}}"#]),
    name: "/name",
    amount: "/goal_value",
    amounts: &["50000000", "\"50000000\""],
    wrong_amounts: &["1.5", "\"12.50\"", "\"\"", "0", "-5000000", "true", "null", "1e30", "[]"],
    is_dated: true,
    others: &[
        &[Set("/goal_value", "50000001")],
        &[Set("/goal_type", "\"LIFETIME_SPEND\"")],
        &[Set("/goal_type", "null"), Set("/is_campaign_budget_optimization", "false")],
    ],
    unclear: &[
        &[Set("/goal_type", "null")],
        &[Set("/goal_type", "\"NEW\"")],
        &[Set("/goal_value", "null")],
        &[Set("/goal_value", "0")],
        &[Set("/goal_value", "0"), Set("/is_campaign_budget_optimization", "\"no\"")],
    ],
    hidden: &[
        &[Set("/goal_value", "50.5")],
        &[Set("/goal_type", "1")],
        &[Set("/created_at", "\"today\"")],
        &[Set("/invoice_label", "7")],
        &[Set("/name", "null"), Set("/created_at", "null")],
    ],
    malformed: &[&[Set("/id", "null")], &[Set("/id", "10")], &[Set("/id", "\"1/1\"")], &[Set("/ad_account_id", "9")]],
    elsewhere: Some((&[Set("/ad_account_id", "\"a2_other\"")], Some(Kind::PlatformFailed))),
    optional: &[
        "/name",
        "/objective",
        "/configured_status",
        "/effective_status",
        "/start_time",
        "/end_time",
        "/created_at",
        "/modified_at",
        "/use_catalog",
    ],
    without_budget: (&[Set("/goal_type", "null"), Set("/goal_value", "null")], Kind::Validation),
    words: &[
        (CampaignStatus::Active, "ACTIVE"),
        (CampaignStatus::Paused, "PAUSED"),
        (CampaignStatus::Archived, "ARCHIVED"),
    ],
    wrong_positions: &["101:", "-1:", ":t", "1:\n"],
    never: &[CampaignStatus::Draft, CampaignStatus::ScheduledForDeletion, CampaignStatus::Unspecified],
    wrong_ids: &["1/2", "1?x", "1;2"],
    expired: Reply::Text(401, r#"{"error":{"code":401,"message":"Bad bearer token provided."}}"#),
    missing: Reply::Text(404, r#"{"error":{"code":404,"message":"Not Found"}}"#),
    missing_at_create: Kind::PlatformRefused,
    table: REFUSALS,
    logged: "status",
    saying,
    blaming: &[|path| {
        let error = json!({"code": 400, "message": "Invalid", "fields": [{"field": path, "message": "is bad"}]});
        (400, json!({ "error": error }).to_string())
    }],
    fields: &[
        ("data/name", Some("name")),
        ("name", Some("name")),
        ("data/objective", Some("goal")),
        ("data/optimization_goal", Some("goal")),
        ("data/bid_type", Some("goal")),
        ("data/goal_value", Some("budget_amount")),
        ("data/0/goal_value", Some("budget_amount")),
        ("data/goal_value/amount", Some("budget_amount")),
        ("data.goal_value", Some("budget_amount")),
        ("data/goal_type", Some("budget_period")),
        ("data/start_time", Some("start_at")),
        ("data/end_time", Some("end_at")),
        ("data.campaigns[0].end_time", Some("end_at")),
        ("data/configured_status", Some("status")),
        ("data/conversion_pixel_id", Some("conversion_pixel_id")),
        ("conversion_pixel_id", Some("conversion_pixel_id")),
        ("data/fields/6", Some("fields")),
        ("page.size", Some("page.size")),
        ("data.campaigns[0].label", Some("label")),
        ("6", Some("6")),
    ],
    silent: &[r#"{"error":"text"}"#, r#"{"message":"Bad Request","error":400}"#],
    deep: &[],
    // Its failures are all retryable, and a missing right goes by the status.
    by_status: &[
        (101, Kind::PlatformFailed, true),
        (302, Kind::PlatformFailed, true),
        (400, Kind::PlatformFailed, true),
        (403, Kind::Forbidden, false),
        (404, Kind::PlatformFailed, true),
        (409, Kind::PlatformFailed, true),
        (418, Kind::PlatformFailed, true),
    ],
    throttle: Throttle { reply: Reply::Text(429, "Too Many Requests"), usual: 60, after_ten: 10 },
    before_create: |request| request.line.contains("/pixels?").then(|| ok(json!({"data": [{"id": "px_1"}]}))),
    unclear_creates: &[
        Reply::Text(503, r#"{"error":{"code":503,"message":"Unavailable"}}"#),
        Reply::Text(201, r#"{"data":null}"#),
        Reply::Text(201, r#"{"data":{"name":"Winter"}}"#),
        Reply::Text(201, r#"{"data":{"id":"1/2"}}"#),
        Reply::Text(201, r#"{"data":{"id":"7","ad_account_id":"a2_other"}}"#),
    ],
};

fn row(id: u64, created: Timestamp) -> Value {
    json!({"id": id.to_string(), "ad_account_id": "a2_example", "name": "Winter", "configured_status": "PAUSED",
        "goal_type": "DAILY_SPEND", "goal_value": 50_000_000, "created_at": created.to_string()})
}

fn page(rows: Vec<Value>, next: Option<&str>) -> Value {
    let next = next.map(|token| format!("/api/v3/ad_accounts/a2_example/campaigns?page.token={token}"));
    json!({"data": rows, "pagination": {"next_url": next, "previous_url": null}})
}

fn saying(message: &str) -> ScriptedResponse {
    (400, json!({"error": {"code": 400, "message": message}}).to_string())
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
401 | {"error":{"code":401,"message":"Bad bearer token provided."}} | TokenExpired | 401
403 | {"error":{"code":403,"message":"Forbidden"}} | Forbidden | 403
403 | {"success":false,"error":{"reason":"NOT_ALLOWED"}} | Forbidden | NOT_ALLOWED
404 | {"error":{"code":404,"message":"Not Found"}} | NotFound | 404
404 | {"success":false,"error":{"reason":"NOT_FOUND","explanation":"no such campaign"}} | NotFound | NOT_FOUND
404 | {"error":{"message":"The specified resource was not found"}} | NotFound | -
409 | {"error":{"code":409,"message":"Conflict"}} | PlatformRefused | 409
400 | {"error":{"code":400,"message":"Invalid"}} | PlatformRefused | 400
400 | {"error":{"message":"Invalid","fields":[{"message":"no field"}]}} | PlatformRefused | -
400 | {"error":{"code":"400","message":null,"fields":null}} | PlatformRefused | 400
400 | {"success":false,"error":{"reason":"BAD_REQUEST","explanation":"Unknown name format"}} | PlatformRefused | BAD_REQUEST
400 | {"error":{"code":400,"reason":"X","explanation":["malformed"]}} | PlatformRefused | 400
400 | {"error":{}} | PlatformRefused | -
429 | {"error":{"code":429,"message":"Slow down."}} | RateLimited | 429 | - | 60
500 | {"error":{"code":500,"message":"Oops"}} | PlatformFailed | 500
503 | {"error":{"code":503,"message":"Unavailable"}} | PlatformFailed | 503
"#;
