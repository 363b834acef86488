use super::*;
use crate::platforms::delta::sample::SAMPLE;
use Kind::{PlatformFailed, PlatformRefused};
use http::StatusCode;

#[test]
fn a_path_needs_no_slashes_and_a_message_without_one_is_about_no_field() {
    let field = |response| SAMPLE.error(response).platform_error.unwrap().field;
    assert_eq!(field((SAMPLE.blaming[0])("Campaign.totalBudget.amount")).as_deref(), Some("budget_amount"));
    for message in ["See https://example.com/name for details", "The name is taken", "/someFutureField is wrong", ""] {
        assert_eq!(field((SAMPLE.saying)(message)), None, "{message}");
    }
}

#[test]
fn of_several_errors_that_about_a_field_of_ours_is_named() {
    let input = |code: &str, path: &str| serde_json::json!({"code": code, "input": {"inputPath": {"fieldPath": path}}});
    let inputs =
        [input("MISSING_FIELD", "/Campaign/politicalIntent"), input("FIELD_VALUE_TOO_LOW", "/totalBudget/amount")];
    let body =
        serde_json::json!({"message": "Multiple errors", "status": 400, "errorDetails": {"inputErrors": inputs}});
    let error = SAMPLE.error((400, body.to_string())).platform_error.unwrap();
    assert_eq!((error.code.as_deref(), error.field.as_deref()), (Some("FIELD_VALUE_TOO_LOW"), Some("budget_amount")));
}

#[test]
fn details_nested_ten_thousand_deep_do_not_hide_the_code() {
    let nested = "[".repeat(10_000) + &"]".repeat(10_000);
    let error = SAMPLE.error((400, format!(r#"{{"code":"PARAM_INVALID","errorDetails":{nested}}}"#)));
    assert_eq!((error.kind, error.platform_code()), (PlatformRefused, Some("PARAM_INVALID")));
}

#[test]
fn all_errors_of_a_refusal_are_in_the_message_each_once() {
    let several = SAMPLE.error_in(400, "several").message;
    assert!(several.contains("is too low") && several.contains("politicalIntent is required"), "{several}");
    let one = SAMPLE.error_in(400, "daily-too-low").message.to_string();
    assert_eq!(one.matches("cannot be lower than 10").count(), 1, "{one}");
}

#[test]
fn a_missing_or_retired_version_is_for_the_operator_and_never_our_500() {
    let errors = [SAMPLE.error_in(400, "version-missing"), SAMPLE.error_in(426, "version-gone")];
    for error in errors.into_iter().chain([SAMPLE.error((426, String::new()))]) {
        assert_eq!((error.kind, error.retryable), (PlatformFailed, false));
        assert!(error.message.contains("operator"), "{error}");
    }
}

#[test]
fn an_unpermitted_field_is_ours_and_no_missing_right_of_the_user() {
    for part in ["PARAMETER", "REQUEST_BODY"] {
        let message =
            format!("Unpermitted fields present in {part}: Data Processing Exception while processing fields");
        let body = serde_json::json!({"status": 403, "code": "ACCESS_DENIED", "message": message}).to_string();
        let error = SAMPLE.error((403, body));
        assert_eq!((error.kind, error.retryable), (PlatformFailed, false), "{part}");
        assert!(error.is_for_operator && error.keeps_connection_status, "{part}");
    }
}

#[test]
fn a_daily_limit_ends_at_midnight_utc_unless_a_header_says_more() {
    let body = include_bytes!("../fixtures/errors/throttled-by-day.json");
    let wait = |now: &str, headers: HeaderMap| {
        let throttled = OutboundResponse { status: StatusCode::TOO_MANY_REQUESTS, headers, body: body[..].into() };
        error_of(&throttled, now.parse().unwrap()).retry_after.unwrap().as_secs()
    };
    assert_eq!(wait("2026-12-31T23:59:59.25Z", HeaderMap::new()), 1);
    assert_eq!(wait("2026-12-31T00:00:00Z", HeaderMap::new()), 86_400);
    let header = (http::header::RETRY_AFTER, HeaderValue::from_static("7"));
    assert_eq!(wait("2026-12-31T00:00:00Z", HeaderMap::from_iter([header])), 7);
}

#[test]
fn only_a_name_in_capitals_is_a_code() {
    let code = |code: &str| {
        let body = serde_json::json!({"code": code, "message": "m", "serviceErrorCode": 7}).to_string();
        SAMPLE.error((400, body)).platform_error.unwrap().code
    };
    assert_eq!(code("FIELD_VALUE_TOO_LOW_2").as_deref(), Some("FIELD_VALUE_TOO_LOW_2"));
    assert_eq!(code(&"X".repeat(5_000)).map(|code| code.len()), Some(errors::MAX_MESSAGE_CHARS));
    for prose in ["Invalid value", "ERROR :: /account", "too_low", "", "\u{c4}"] {
        assert_eq!(code(prose).as_deref(), Some("7"), "{prose}");
    }
}
