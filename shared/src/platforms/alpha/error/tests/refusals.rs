//! Tests of refusals that are the operator's to end, and of the hint at the smallest budget.

use super::super::*;
use http::HeaderMap;
use serde_json::{Value, json};

const RETIRED: &str = include_str!("../../fixtures/errors/version-retired.json");
/// `requestError.UNKNOWN` with this message is live: googleads/google-ads-python, issue #332, 2020-10-30.
const RETIRED_UNNAMED: &str = include_str!("../../fixtures/errors/version-retired-unnamed.json");
const UNKNOWN_FIELD: &str = include_str!("../../fixtures/errors/query-field-unknown.json");
const PROHIBITED_FIELD: &str = include_str!("../../fixtures/errors/query-field-prohibited.json");

fn read(status: u16, body: &str) -> Error {
    let status = StatusCode::from_u16(status).unwrap();
    error_of(&OutboundResponse { status, headers: HeaderMap::new(), body: body.to_owned().into() })
}

#[test]
fn a_retired_version_is_the_operators_fault() {
    for (body, code) in [(RETIRED, "requestError.UNSUPPORTED_VERSION"), (RETIRED_UNNAMED, "requestError.UNKNOWN")] {
        let error = read(400, body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{code}");
        assert!(error.message.contains("version") && error.message.contains("its operator"), "{}", error.message);
        assert_eq!(error.platform_error.unwrap().code.as_deref(), Some(code));
    }
}

#[test]
fn a_refused_query_is_the_operators_fault() {
    for body in [UNKNOWN_FIELD, PROHIBITED_FIELD] {
        let error = read(400, body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{body}");
        assert!(error.message.contains("its operator has to look into it"), "{}", error.message);
    }
}

#[test]
fn a_failure_of_the_platform_stays_retryable_whatever_its_code() {
    for body in [RETIRED, UNKNOWN_FIELD] {
        let error = read(503, body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{body}");
    }
    let other = RETIRED_UNNAMED.replace("is deprecated", "is odd");
    assert_eq!(read(400, &other).kind, Kind::PlatformRefused, "an unknown error of the request");
}

#[test]
fn an_error_in_an_array_of_pages_is_read() {
    for body in [format!("[{RETIRED}]"), format!(r#"[{{"results":[]}}, null, {RETIRED}]"#)] {
        let code = read(400, &body).platform_error.and_then(|error| error.code);
        assert_eq!(code.as_deref(), Some("requestError.UNSUPPORTED_VERSION"), "{body}");
    }
}

/// The hint in the refusal of a small budget with these details.
fn hint(details: Value) -> String {
    let body = include_str!("../../fixtures/errors/budget-below-minimum.json");
    let mut body: Value = serde_json::from_str(body).unwrap();
    body["error"]["details"][0]["errors"][0]["details"] = json!({ "budgetPerDayMinimumErrorDetails": details });
    let error = read(400, &body.to_string());
    assert_eq!(error.platform_error.unwrap().field.as_deref(), Some("budget_amount"));
    let words = error.message.to_string();
    let (_, hint) = words.split_once("per-day minimum.").unwrap();
    hint.trim().to_owned()
}

#[test]
fn a_smallest_budget_is_named_without_an_empty_currency() {
    let bare = "The smallest daily budget that it takes here is 417.84.";
    for currency in [json!(null), json!(""), json!(" "), json!({}), json!([])] {
        assert_eq!(hint(json!({"minimumBudgetAmountMicros": "417840000", "currencyCode": currency})), bare);
    }
    assert_eq!(hint(json!({"minimumBudgetAmountMicros": 417_840_000})), bare);
    let total = hint(json!({"minimumBudgetTotalAmountMicros": "417840000"}));
    assert_eq!(total, "The smallest total budget that it takes here is 417.84.");
}

#[test]
fn a_smallest_budget_is_read_in_its_old_spelling_too() {
    let expected = "The smallest daily budget that it takes here is 4.5 EUR.";
    assert_eq!(hint(json!({"minimumBugdetAmountMicros": "4500000", "currencyCode": "EUR"})), expected);
    let both = json!({"minimumBugdetAmountMicros": "1", "minimumBudgetAmountMicros": "4500000", "currencyCode": "EUR"});
    assert_eq!(hint(both), expected);
}

#[test]
fn malformed_details_cost_neither_the_code_nor_the_message() {
    for malformed in [json!(7), json!([]), json!({"minimumBudgetAmountMicros": "x"}), json!({}), json!(null)] {
        assert_eq!(hint(malformed.clone()), "", "{malformed}");
    }
}

/// A refusal by Google's API gateway.
fn of_gateway(status: u16, canonical: &str, reason: &str) -> Error {
    let info =
        json!({"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"});
    let help = json!({"@type": "type.googleapis.com/google.rpc.Help", "links": []});
    let body = json!({"error": {"code": status, "status": canonical, "message": "No.", "details": [help, info]}});
    read(status, &body.to_string())
}

#[test]
fn a_project_that_is_not_set_up_is_the_operators_fault() {
    for (status, canonical, reason) in [
        (403, "PERMISSION_DENIED", "SERVICE_DISABLED"),
        (403, "PERMISSION_DENIED", "BILLING_DISABLED"),
        (403, "PERMISSION_DENIED", "CONSUMER_INVALID"),
        (403, "PERMISSION_DENIED", "CONSUMER_SUSPENDED"),
        (403, "PERMISSION_DENIED", "USER_PROJECT_DENIED"),
        (400, "INVALID_ARGUMENT", "API_KEY_INVALID"),
        (403, "PERMISSION_DENIED", "API_KEY_SERVICE_BLOCKED"),
        (403, "PERMISSION_DENIED", "API_KEY_HTTP_REFERRER_BLOCKED"),
        (403, "PERMISSION_DENIED", "API_KEY_IP_ADDRESS_BLOCKED"),
    ] {
        let error = of_gateway(status, canonical, reason);
        assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false), "{reason}");
        assert_eq!(error.platform_code(), Some(reason));
        assert!(error.message.contains("Contact the operator of this service"), "{reason}: {error}");
        assert!(!error.message.contains("authorize") && !error.message.contains("role"), "{reason}: {error}");
    }
}

#[test]
fn a_reason_that_is_about_the_user_is_not_the_operators_fault() {
    for reason in ["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "USER_BLOCKED_BY_ADMIN", "SOMETHING_NEW"] {
        let error = of_gateway(403, "PERMISSION_DENIED", reason);
        assert_eq!((error.kind, error.platform_code()), (Kind::Forbidden, Some("PERMISSION_DENIED")), "{reason}");
        assert!(error.message.contains("authorize again"), "{reason}: {error}");
    }
    let expired = of_gateway(401, "UNAUTHENTICATED", "SERVICE_DISABLED");
    assert_eq!(expired.kind, Kind::TokenExpired, "the status of a token stays one of a token");
}
