//! TikTok in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::ScriptedResponse;
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Gamma,
    currency: "USD",
    draft: || fixtures::draft(Goal::Leads, "75.10"),
    row,
    page,
    token: "2",
    turn: ["&page=1&", "&page=2&"],
    no_pages: &[r#"{"code":0,"data":{}}"#, r#"{"code":0}"#],
    report: Some(["/report/", r#"{"code":0,"data":{"list":[]}}"#]),
    name: "/campaign_name",
    amount: "/budget",
    amounts: &["75.1", "75.10", "\"75.10\""],
    wrong_amounts: &["\"-\"", "\"\"", "\"ten\"", "null", "true", "[50]", "-5"],
    is_dated: true,
    others: &[
        &[Set("/budget", "75.11")],
        &[Set("/budget_mode", "\"BUDGET_MODE_TOTAL\"")],
        &[Set("/budget_mode", "\"BUDGET_MODE_INFINITE\""), Set("/budget", "0.0")],
    ],
    unclear: &[&[Set("/budget", "null")], &[Set("/budget", "\"-\"")], &[Set("/budget", "true")]],
    hidden: &[&[Set("/create_time", "\"soon\"")], &[Set("/create_time", "null")]],
    malformed: &[
        &[Set("/campaign_id", "null")],
        &[Set("/campaign_id", "\"x\"")],
        &[Set("/campaign_id", "\"0\"")],
        &[Set("/advertiser_id", "[]")],
    ],
    elsewhere: Some((&[Set("/advertiser_id", "\"8\"")], Some(Kind::PlatformFailed))),
    optional: &["/campaign_name", "/objective_type", "/operation_status", "/secondary_status", "/modify_time"],
    without_budget: (&[Set("/budget_mode", "\"BUDGET_MODE_INFINITE\""), Set("/budget", "0.0")], Kind::NotSupported),
    words: &[
        (CampaignStatus::Active, "ENABLE"),
        (CampaignStatus::Paused, "DISABLE"),
        (CampaignStatus::Archived, "DELETE"),
    ],
    wrong_positions: &[
        "5",
        "5.1",
        "1.5.",
        "1..5",
        ".5.1",
        "x.5.1",
        "1.x.1",
        "1.5.x",
        "1.5.-1",
        "1.5.+1",
        "01.5.1",
        "1.05.1",
        "1.5.1.1",
        "+1.5.1",
        "-0.5.1",
        "--.5.1",
        "1.5.99999999999",
        "99999999999999999.5.1",
        "1801234567890123.0",
        "1801234567890123.4711",
    ],
    never: &[CampaignStatus::Ended, CampaignStatus::Draft, CampaignStatus::ScheduledForDeletion],
    wrong_ids: &["camp_5", "5\"]", "05", "0", "99999999999999999999"],
    expired: Reply::File(200, "token-revoked"),
    missing: Reply::File(200, "advertiser-not-found"),
    missing_at_create: Kind::PlatformRefused,
    table: REFUSALS,
    logged: "20260301",
    saying,
    blaming: &[saying],
    fields: &[
        ("budget: The campaign budget must be at least 50.00 USD.", Some("budget_amount")),
        ("campaign.budget: Not a valid number.", Some("budget_amount")),
        ("Invalid value for 'budget': too low", Some("budget_amount")),
        ("Invalid value for campaign_name: too long", Some("name")),
        ("The campaign name is taken.", Some("name")),
        ("budget_mode: Not a valid choice.", Some("budget_period")),
        ("Invalid value for budget_mode: must be one of BUDGET_MODE_DAY", Some("budget_period")),
        ("objective_type: Not a valid choice.", Some("goal")),
        ("Invalid value for 'objective_type': no such choice", Some("goal")),
        ("operation_status: Not a valid choice.", Some("status")),
        ("invalid value for operation_status", Some("status")),
        ("schedule_end_time: must be later", Some("end_at")),
        ("schedule_start_time: must be later", Some("start_at")),
        ("Invalid value for special_industries: not a list", Some("special_industries")),
        ("Invalid value for the request: no", None),
        ("Invalid value for : no", None),
    ],
    silent: &["{}", r#"{"code":"0"}"#, r#"{"code":0.5,"data":{}}"#],
    deep: &[r#"{"data":"#, r#"{"code":"#],
    by_status: &[(200, Kind::PlatformFailed, true), (201, Kind::PlatformFailed, true)],
    throttle: Throttle { reply: Reply::File(200, "too-many"), usual: 60, after_ten: 60 },
    before_create: |_| None,
    unclear_creates: &[
        Reply::Text(200, r#"{"code":0,"message":"OK","data":{"campaign_id":"18"#),
        Reply::Text(200, r#"{"code":0,"message":"OK"}"#),
        Reply::Text(200, r#"{"code":0,"message":"OK","data":{}}"#),
        Reply::Text(200, r#"{"code":7,"message":"?","data":{}}"#),
        Reply::Text(401, r#"{"code":0,"message":"OK","data":{"campaign_id":"1801234567890123"}}"#),
        Reply::Text(429, r#"{"code":0,"message":"OK","data":{"campaign_id":"1801234567890123"}}"#),
        Reply::File(200, "system-error"),
        Reply::File(200, "task-failed"),
        Reply::File(200, "task-not-ready"),
        Reply::File(200, "write-conflict"),
        Reply::File(200, "service-validation"),
        Reply::File(200, "duplicate-request"),
        Reply::File(502, "name-missing"),
        Reply::File(500, "token-revoked"),
    ],
};

fn row(id: u64, created: Timestamp) -> Value {
    json!({"campaign_id": id.to_string(), "advertiser_id": "7000000000000000001", "campaign_name": "Winter",
        "campaign_automation_type": "UPGRADED_SMART_PLUS", "budget_mode": "BUDGET_MODE_DAY", "budget": 75.1,
        "operation_status": "DISABLE", "create_time": created.strftime("%Y-%m-%d %H:%M:%S").to_string()})
}

fn page(rows: Vec<Value>, next: Option<&str>) -> Value {
    let pages = next.map_or(1, |_| 1_000_000);
    json!({"code": 0, "data": {"list": rows, "page_info": {"total_page": pages}}})
}

fn saying(message: &str) -> ScriptedResponse {
    (200, json!({"code": 40_002, "message": message, "data": {}}).to_string())
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
200 | token-revoked | TokenExpired | 40105
200 | token-expired | TokenExpired | 40102
200 | token-missing | TokenExpired | 40104
200 | token-of-another-user | TokenExpired | 40106
200 | no-permission | Forbidden | 40001
200 | no-scope | Forbidden | 40125
200 | no-scope-of-reports | Forbidden | 40118
200 | no-permission-either | Forbidden | 40130
200 | not-allowlisted | PlatformRefused | 40130
200 | app-secret-wrong | Forbidden | 40101
200 | code-used | Forbidden | 40110
200 | app-unknown | Forbidden | 40113
200 | app-mismatch | Forbidden | 40115
200 | name-missing | PlatformRefused | 40002 | name
200 | name-taken | PlatformRefused | 40002 | name
200 | budget-below-minimum | PlatformRefused | 40002 | budget_amount
200 | budget-in-prose | PlatformRefused | 40000 | budget_amount
200 | budget-mode-invalid | PlatformRefused | 40002 | budget_period
200 | objective-invalid | PlatformRefused | 40002 | goal
200 | destination-missing | PlatformRefused | 40002 | goal
200 | status-invalid | PlatformRefused | 40002 | status
200 | field-unknown-here | PlatformRefused | 40002 | special_industries
200 | no-field | PlatformRefused | 40002
200 | code-of-the-future | PlatformRefused | 49876
200 | object-not-found | NotFound | 40007
200 | advertiser-not-found | NotFound | 40300
200 | advertiser-not-there | NotFound | 40301
200 | too-frequent-qps | RateLimited | 40100 | - | 1
200 | too-frequent-qpm | RateLimited | 40100 | - | 300
200 | too-frequent-qpd | RateLimited | 40016 | - | 43200
200 | too-frequent-advertiser | RateLimited | 40133 | - | 60
200 | too-frequent-value | RateLimited | 40132 | - | 60
200 | too-many | RateLimited | 61000 | - | 60
200 | duplicate-request | Conflict | 40050
200 | advertiser-deleted | Forbidden | 40001
200 | task-failed | PlatformFailed | 40200
200 | task-not-ready | PlatformFailed | 40201
200 | write-conflict | PlatformFailed | 40202
200 | service-validation | PlatformFailed | 40700
200 | system-error | PlatformFailed | 50000
200 | system-busy | PlatformFailed | 50002
200 | downstream | PlatformFailed | 51021
200 | downstream-either | PlatformFailed | 52001
200 | maintenance | PlatformFailed | 60001
"#;
