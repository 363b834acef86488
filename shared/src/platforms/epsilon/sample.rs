//! Pinterest in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::ScriptedResponse;
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Epsilon,
    currency: "EUR",
    draft: || fixtures::draft(Goal::Sales, "10"),
    row,
    page: |rows, next| json!({"items": rows, "bookmark": next}),
    token: "b&c=",
    turn: ["", "&bookmark=b%26c%3D"],
    no_pages: &[r#"{"bookmark":null}"#, "[]"],
    report: Some(["/analytics?", "[]"]),
    name: "/name",
    amount: "/daily_spend_cap",
    amounts: &["10000000", "\"10000000\""],
    wrong_amounts: &["1.5", "\"12.50 EUR\"", "\"\"", "-12500000", "true", "1e30", "{}"],
    is_dated: true,
    others: &[
        &[Set("/daily_spend_cap", "10000001")],
        &[Set("/daily_spend_cap", "null"), Set("/lifetime_spend_cap", "10000000")],
        &[Set("/is_campaign_budget_optimization", "false")],
        &[Set("/status", "\"DELETED_DRAFT\"")],
    ],
    unclear: &[
        &[Set("/is_campaign_budget_optimization", "null")],
        &[Set("/daily_spend_cap", "null")],
        &[Set("/lifetime_spend_cap", "10000000")],
    ],
    hidden: &[
        &[Set("/daily_spend_cap", "1.5")],
        &[Set("/is_campaign_budget_optimization", "\"yes\"")],
        &[Set("/created_time", "9223372036854775807")],
        &[Set("/name", "null"), Set("/created_time", "null")],
    ],
    malformed: &[
        &[Set("/id", "null")],
        &[Set("/id", "7")],
        &[Set("/id", "\"1/2\"")],
        &[Set("/ad_account_id", "549755885175")],
    ],
    elsewhere: Some((&[Set("/ad_account_id", "\"1\"")], None)),
    optional: &["/name", "/status", "/objective_type", "/created_time", "/updated_time"],
    without_budget: (&[Set("/is_campaign_budget_optimization", "false")], Kind::Conflict),
    words: &[
        (CampaignStatus::Active, "ACTIVE"),
        (CampaignStatus::Paused, "PAUSED"),
        (CampaignStatus::Archived, "ARCHIVED"),
    ],
    wrong_positions: &["5", "1.2", "x.2.", "0.2.", "251.2.", "1.x.", "1.0.", "1.2.a\nb", "-1.2."],
    never: &[CampaignStatus::Unspecified, CampaignStatus::ScheduledForDeletion],
    wrong_ids: &["camp_5", "05", "0", "99999999999999999999"],
    expired: Reply::Text(401, r#"{"code":2,"message":"Authentication failed."}"#),
    missing: Reply::Text(404, r#"{"code":2,"message":"AdAccount not found."}"#),
    missing_at_create: Kind::Forbidden,
    table: REFUSALS,
    logged: "status",
    saying,
    blaming: &[saying],
    fields: &[
        ("[0].daily_spend_cap: must be at least 1000000", Some("budget_amount")),
        ("Invalid value for dailySpendCap", Some("budget_amount")),
        ("The lifetime spend cap is too low", Some("budget_amount")),
        ("/items/0/lifetime_spend_cap is invalid", Some("budget_amount")),
        ("startTime is in the past", Some("start_at")),
        ("'end_time' must be after 'start_time'", Some("end_at")),
        ("objectiveType is not supported", Some("goal")),
        ("entity_status: not allowed; status is ARCHIVED", Some("status")),
        ("is_campaign_budget_optimization is required", None),
        ("tracking_urls is invalid", None),
    ],
    silent: &["{}", r#"{"code":400,"message":["wrong type"]}"#],
    deep: &[r#"{"error":"#, r#"{"message":"#],
    by_status: &[],
    throttle: Throttle { reply: Reply::Text(429, r#"{"code":8,"message":"Slow down."}"#), usual: 60, after_ten: 10 },
    before_create: |_| None,
    unclear_creates: &[
        Reply::Text(503, r#"{"code":8,"message":"Unavailable."}"#),
        Reply::Text(200, r#"{"items":[]}"#),
        Reply::Text(200, r#"{"items":[{"data":null,"exceptions":[]}]}"#),
        Reply::Text(200, r#"{"items":[{"data":{"name":"Winter"},"exceptions":null}]}"#),
        Reply::Text(200, r#"{"items":[{"data":{"id":"1"}},{"data":{"id":"2"}}]}"#),
        Reply::Text(200, r#"{"items":[{"data":{"id":"626744528401","ad_acc"#),
    ],
};

fn row(id: u64, created: Timestamp) -> Value {
    json!({"id": id.to_string(), "ad_account_id": "549755885175", "name": "Winter", "status": "PAUSED",
        "is_campaign_budget_optimization": true, "daily_spend_cap": 10_000_000, "lifetime_spend_cap": null,
        "objective_type": "SALES", "created_time": created.as_second()})
}

fn saying(message: &str) -> ScriptedResponse {
    (400, json!({"code": 1, "message": message}).to_string())
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
401 | {"code":2,"message":"Authentication failed."} | TokenExpired | 2
401 | {"code":1,"message":"Invalid token."} | TokenExpired | 1
401 | {"code":3,"message":"Your application lacks a scope."} | Forbidden | 3
401 | {"code":29,"message":"You are not permitted to access that resource."} | Forbidden | 29
403 | {"code":29,"message":"You are not permitted to access that resource."} | Forbidden | 29
403 | {"code":7,"message":"You have no role in this account."} | Forbidden | 7
403 | {"code":2,"message":"Anything."} | Forbidden | 2
404 | {"code":2,"message":"AdAccount not found."} | NotFound | 2
404 | {"code":30,"message":"Campaign not found."} | NotFound | 30
404 | {"code":40,"message":"Not found."} | NotFound | 40
404 | {"code":8,"message":"Not found."} | NotFound | 8
400 | {"code":400,"message":"Invalid ad account campaign parameters."} | PlatformRefused | 400
400 | {"code":1,"message":"'name' is too long"} | PlatformRefused | 1 | name
400 | {"code":1,"message":"Parameter 'daily_spend_cap' is invalid"} | PlatformRefused | 1 | budget_amount
400 | {"code":1,"message":"lifetime_spend_cap below minimum"} | PlatformRefused | 1 | budget_amount
400 | {"code":1,"message":"start_time is in the past"} | PlatformRefused | 1 | start_at
400 | {"code":1,"message":"[0].end_time must be later"} | PlatformRefused | 1 | end_at
400 | {"code":1,"message":"Invalid objective_type"} | PlatformRefused | 1 | goal
400 | {"code":1,"message":"status cannot be changed"} | PlatformRefused | 1 | status
400 | {"code":1,"message":"username unknown"} | PlatformRefused | 1
400 | {"code":8,"message":"Not a throttle, whatever the number."} | PlatformRefused | 8
400 | {"code":2,"message":"Not a token, whatever the number."} | PlatformRefused | 2
400 | {"code":"E7","message":"a code that is text"} | PlatformRefused | E7
400 | {"message":"no code"} | PlatformRefused | -
400 | {"code":5} | PlatformRefused | 5
409 | {"code":12,"message":"A campaign with this name exists."} | PlatformRefused | 12 | name
422 | {"code":1,"message":"Unprocessable."} | PlatformRefused | 1
429 | {"code":8,"message":"You have exceeded your rate limit."} | RateLimited | 8 | - | 60
500 | {"code":0,"message":"Something went wrong."} | PlatformFailed | 0
502 | {"code":2,"message":"Upstream."} | PlatformFailed | 2
503 | {"code":8,"message":"Unavailable."} | PlatformFailed | 8
504 | {"code":1,"message":"Timed out."} | PlatformFailed | 1
"#;
