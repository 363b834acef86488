//! Google Ads in the laws of adapters.

use crate::domain::{CampaignStatus, Goal, Platform};
use crate::error::Kind;
use crate::platforms::fake::ScriptedResponse;
use crate::platforms::fixtures;
use crate::platforms::laws::{Reply, Sample, Set, Throttle};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(in crate::platforms) static SAMPLE: Sample = Sample {
    platform: Platform::Alpha,
    currency: "EUR",
    draft: || fixtures::draft(Goal::Sales, "10.50"),
    row,
    page: |rows, next| json!({"results": rows, "fieldMask": "x", "nextPageToken": next}),
    token: "t",
    turn: ["", r#","pageToken":"t""#],
    no_pages: &["{}", r#"{"error":{"status":"UNAVAILABLE"}}"#, r#"{"nextPageToken":""}"#],
    report: None,
    name: "/campaign/name",
    amount: "/campaignBudget/amountMicros",
    amounts: &["\"10500000\"", "10500000"],
    wrong_amounts: &["\"1.5\"", "1.5", "true", "{}", "\"9223372036854775808\"", "1e20"],
    is_dated: false,
    others: &[
        &[Set("/campaignBudget/amountMicros", "\"10500001\"")],
        &[Set("/campaignBudget", r#"{"period":"CUSTOM_PERIOD","totalAmountMicros":"10500000"}"#)],
        &[Set("/campaignBudget", "{}")],
        // It was there before: a new campaign is paused and has spent nothing.
        &[Set("/campaign/status", "\"ENABLED\"")],
        &[Set("/metrics/costMicros", "\"1\"")],
    ],
    unclear: &[
        &[Set("/campaignBudget/amountMicros", "\"1.5\"")],
        &[Set("/campaignBudget/amountMicros", "{}")],
        &[Set("/campaignBudget", "7")],
    ],
    hidden: &[],
    malformed: &[
        &[Set("/campaign", "7")],
        &[Set("/campaign/id", "null")],
        &[Set("/campaign/id", "\"1.5\"")],
        &[Set("/campaign/id", "\"-4\"")],
    ],
    elsewhere: None,
    optional: &[
        "/campaign/name",
        "/campaign/status",
        "/campaign/primaryStatus",
        "/campaign/primaryStatusReasons",
        "/campaign/experimentType",
        "/campaign/advertisingChannelType",
        "/campaign/biddingStrategyType",
        "/campaign/startDateTime",
        "/campaign/endDateTime",
        "/customer",
        "/customer/currencyCode",
        "/customer/status",
        "/metrics",
        "/metrics/costMicros",
    ],
    without_budget: (&[Set("/campaignBudget/explicitlyShared", "true")], Kind::Conflict),
    words: &[
        (CampaignStatus::Active, "ENABLED"),
        (CampaignStatus::Paused, "PAUSED"),
        (CampaignStatus::Archived, "remove"),
    ],
    wrong_positions: &["7 OR 1=1", "-1", "1.5"],
    never: &[CampaignStatus::ScheduledForDeletion],
    wrong_ids: &["camp_5"],
    expired: Reply::File(401, "oauth-token-expired"),
    missing: Reply::File(404, "resource-not-found-as-404"),
    missing_at_create: Kind::PlatformRefused,
    table: REFUSALS,
    logged: "request id",
    saying,
    blaming: &[|path| {
        let elements: Vec<Value> = path.split('/').map(|name| json!({"fieldName": name})).collect();
        let error = json!({"errorCode": {"fieldError": "INVALID_VALUE"}, "message": "No.",
            "location": {"fieldPathElements": elements}});
        let failure =
            json!({"@type": "type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure", "errors": [error]});
        let error = json!({"code": 400, "status": "INVALID_ARGUMENT", "message": "No.", "details": [failure]});
        (400, json!({ "error": error }).to_string())
    }],
    fields: &[
        ("campaign_budget_operation/create/amount_micros", Some("budget_amount")),
        ("campaignBudgetOperation/create/totalAmountMicros", Some("budget_amount")),
        ("campaign_budget_operation/create/period", Some("budget_period")),
        ("campaign_operation/create/name", Some("name")),
        ("campaign_operation/update/status", Some("status")),
        ("campaign_operation/create/start_date_time", Some("start_at")),
        ("campaign_operation/create/endDateTime", Some("end_at")),
        ("campaign_operation/create/advertising_channel_type", Some("goal")),
        ("campaign_operation/name/value", Some("name")),
    ],
    silent: &[r#"{"error":"invalid_grant"}"#],
    deep: &[r#"{"error":"#, r#"{"error":{"details":["#],
    by_status: &[],
    throttle: Throttle { reply: Reply::File(429, "quota-burst"), usual: 45, after_ten: 45 },
    before_create: |_| None,
    unclear_creates: &[
        Reply::Text(503, r#"{"error":{"code":503,"status":"UNAVAILABLE"}}"#),
        Reply::File(500, "oauth-token-expired"),
        Reply::File(200, "duplicate-name"),
        Reply::Text(200, r#"{"mutateOperationResponses":[{"campaignBudgetRes"#),
        Reply::Text(200, r#"{"mutateOperationResponses":[{"campaignResult":{"resourceName":"x"}}]}"#),
    ],
};

fn row(id: u64, _: Timestamp) -> Value {
    json!({"campaign": {"id": id.to_string(), "name": "Winter", "status": "PAUSED"},
        "campaignBudget": {"resourceName": "customers/1234567890/campaignBudgets/13579", "explicitlyShared": false,
            "period": "DAILY", "amountMicros": "10500000"},
        "metrics": {"costMicros": "0"}})
}

fn saying(message: &str) -> ScriptedResponse {
    (400, json!({"error": {"status": "INVALID_ARGUMENT", "message": message}}).to_string())
}

/// The bodies are written in the published form of errors; none was captured live.
const REFUSALS: &str = r#"
401 | oauth-token-expired | TokenExpired | authenticationError.OAUTH_TOKEN_EXPIRED
401 | oauth-token-revoked | TokenExpired | authenticationError.OAUTH_TOKEN_REVOKED
400 | oauth-token-as-400 | TokenExpired | authenticationError.OAUTH_TOKEN_INVALID
401 | unauthenticated | TokenExpired | UNAUTHENTICATED
401 | not-ads-user | Forbidden | authenticationError.NOT_ADS_USER
401 | customer-not-found | Forbidden | authenticationError.CUSTOMER_NOT_FOUND
403 | user-permission-denied | Forbidden | authorizationError.USER_PERMISSION_DENIED
403 | customer-not-enabled | Forbidden | authorizationError.CUSTOMER_NOT_ENABLED
403 | project-not-approved | Forbidden | authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION
403 | service-disabled | Forbidden | SERVICE_DISABLED
400 | duplicate-name | PlatformRefused | campaignError.DUPLICATE_CAMPAIGN_NAME | name
400 | required-field | PlatformRefused | fieldError.REQUIRED | contains_eu_political_advertising
400 | end-date-required | PlatformRefused | campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET | end_at
400 | eu-declaration-required | PlatformRefused | mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED
400 | eu-declaration-of-customer | PlatformRefused | mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED
400 | start-in-the-past | PlatformRefused | dateError.EARLIER_THAN_MINIMUM_DATE | start_at
400 | goal-not-available | PlatformRefused | campaignError.CONVERSION_TRACKING_NOT_ENABLED | goal
400 | budget-below-minimum | PlatformRefused | campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM | budget_amount
400 | total-below-minimum | PlatformRefused | campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM | budget_amount
400 | not-a-multiple | PlatformRefused | campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT | budget_amount
400 | two-errors | PlatformRefused | campaignBudgetError.MONEY_AMOUNT_TOO_LARGE | budget_amount
400 | unknown-code | PlatformRefused | someFutureError.SOMETHING_NEW | some_future_field
400 | code-not-published | PlatformRefused | internalError.ERROR_CODE_NOT_PUBLISHED
400 | resource-not-found | NotFound | mutateError.RESOURCE_NOT_FOUND | resource_name
404 | resource-not-found-as-404 | NotFound | requestError.RESOURCE_NOT_FOUND
429 | quota-burst | RateLimited | quotaError.RESOURCE_TEMPORARILY_EXHAUSTED | - | 45
429 | quota-burst-silent | RateLimited | quotaError.RESOURCE_TEMPORARILY_EXHAUSTED | - | 30
429 | quota-daily | RateLimited | quotaError.RESOURCE_EXHAUSTED | - | 3600
429 | quota-prohibited | Forbidden | quotaError.ACCESS_PROHIBITED
429 | resource-exhausted | RateLimited | RESOURCE_EXHAUSTED | - | 30
500 | transient | PlatformFailed | internalError.TRANSIENT_ERROR
400 | concurrent-modification | PlatformFailed | databaseError.CONCURRENT_MODIFICATION
503 | unavailable | PlatformFailed | UNAVAILABLE
400 | unknown-json-name | PlatformRefused | INVALID_ARGUMENT
400 | details-of-wrong-types | PlatformRefused | INVALID_ARGUMENT
"#;
