use super::*;
use Kind::{Forbidden, NotFound, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};
use http::{HeaderMap, StatusCode};

/// The meaning of a response: kind, code, field, seconds to wait.
type Meaning = (Kind, Option<&'static str>, Option<&'static str>, Option<u64>);

fn now() -> Timestamp {
    "2026-11-20T21:30:00.5Z".parse().unwrap()
}

fn response(status: u16, body: &[u8]) -> OutboundResponse {
    OutboundResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.to_vec().into(),
    }
}

fn meaning(error: &Error) -> (Kind, Option<&str>, Option<&str>, Option<u64>) {
    let reported = error.platform_error.as_ref();
    let code = reported.and_then(|reported| reported.code.as_deref());
    let field = reported.and_then(|reported| reported.field.as_deref());
    (error.kind, code, field, error.retry_after.map(|wait| wait.as_secs()))
}

macro_rules! published {
    ($($status:literal $name:literal => $kind:expr, $code:expr, $field:expr, $wait:expr;)*) => {
        &[$((
            $status,
            $name,
            include_bytes!(concat!("../fixtures/errors/", $name, ".json")),
            ($kind, $code, $field, $wait),
        ),)*]
    };
}

/// Status, file, body, meaning. The bodies are written in the published form of errors; none was captured live.
const PUBLISHED: &[(u16, &str, &[u8], Meaning)] = published! {
    401 "token-expired" => TokenExpired, Some("EXPIRED_ACCESS_TOKEN"), None, None;
    401 "token-revoked" => TokenExpired, Some("REVOKED_ACCESS_TOKEN"), None, None;
    401 "token-invalid" => TokenExpired, Some("INVALID_ACCESS_TOKEN"), None, None;
    400 "token-expired-as-400" => TokenExpired, Some("65602"), None, None;
    403 "access-denied" => Forbidden, Some("ACCESS_DENIED"), None, None;
    403 "forbidden-without-code" => PlatformFailed, None, None, None;
    404 "not-found" => NotFound, Some("NOT_FOUND"), None, None;
    400 "missing-field" => PlatformRefused, Some("MISSING_FIELD"), Some("campaignGroup"), None;
    400 "daily-too-low" => PlatformRefused, Some("FIELD_VALUE_TOO_LOW"), Some("budget_amount"), None;
    400 "total-below-daily" => PlatformRefused, Some("CONDITIONAL_VALUE_TOO_LOW"), Some("budget_amount"), None;
    400 "total-too-high" => PlatformRefused, Some("FIELD_VALUE_TOO_HIGH"), Some("budget_amount"), None;
    400 "currency-mismatch" => PlatformRefused, Some("CURRENCY_MISMATCH"), Some("currency"), None;
    400 "currency-mismatch-without-details" => PlatformRefused, Some("CURRENCY_MISMATCH"), Some("currency"), None;
    400 "start-in-the-past" => PlatformRefused, Some("FIELD_VALUE_TOO_LOW"), Some("start_at"), None;
    400 "end-missing" => PlatformRefused, Some("MISSING_FIELD"), Some("end_at"), None;
    400 "name-too-long" => PlatformRefused, Some("FIELD_LENGTH_TOO_LONG"), Some("name"), None;
    400 "status-change" => PlatformRefused, Some("STATUS_CHANGE_NOT_ALLOWED"), Some("status"), None;
    400 "objective-immutable" => PlatformRefused, Some("IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE"), Some("goal"), None;
    400 "group-budget" => PlatformRefused, Some("INSUFFICIENT_CAMPAIGN_GROUP_BUDGET"), Some("budget_amount"), None;
    400 "several" => PlatformRefused, Some("FIELD_VALUE_TOO_LOW"), Some("budget_amount"), None;
    400 "param-invalid" => PlatformRefused, Some("PARAM_INVALID"), Some("search"), None;
    400 "param-not-allowed" => PlatformRefused, Some("QUERY_PARAM_NOT_ALLOWED"), None, None;
    400 "old-schema" => PlatformRefused, Some("10007"), Some("budget_amount"), None;
    400 "details-of-wrong-types" => PlatformRefused, Some("SOMETHING_NEW"), None, None;
    400 "unknown-field" => PlatformRefused, Some("SOMETHING_NEW"), Some("someFutureField"), None;
    409 "conflict" => PlatformRefused, Some("CONFLICT"), None, None;
    422 "unprocessable" => PlatformRefused, Some("UNPROCESSABLE_ENTITY"), None, None;
    414 "too-long" => PlatformRefused, Some("URI_TOO_LONG"), None, None;
    429 "throttled-by-day" => RateLimited, Some("TOO_MANY_REQUESTS"), None, Some(9_000);
    429 "throttled" => RateLimited, Some("101"), None, Some(60);
    400 "version-missing" => PlatformFailed, Some("VERSION_MISSING"), None, None;
    426 "version-gone" => PlatformFailed, Some("NONEXISTENT_VERSION"), None, None;
    500 "internal" => PlatformFailed, None, None, None;
    503 "unavailable" => PlatformFailed, Some("SERVICE_UNAVAILABLE"), None, None;
    504 "gateway-timeout" => PlatformFailed, None, None, None;
};

#[test]
fn every_published_error_has_its_meaning() {
    assert!(PUBLISHED.len() >= 30);
    for (status, name, body, expected) in PUBLISHED {
        let error = error_of(&response(*status, body), now());
        assert_eq!(meaning(&error), *expected, "{name}");
        assert_eq!(error.platform, Some(Platform::Delta), "{name}");
        let may_help = error.kind == RateLimited || *status >= 500;
        assert_eq!(error.retryable, may_help, "{name}");
        assert!(!error.message.to_string().is_empty() && error.details.is_empty() && error.source.is_some(), "{name}");
    }
}

/// The field of an error with one input error at this path.
fn field_at(path: &str) -> Option<String> {
    let input = serde_json::json!({"code": "FIELD_INVALID", "input": {"inputPath": {"fieldPath": path}}});
    let body = serde_json::json!({"message": "No.", "status": 400, "errorDetails": {"inputErrors": [input]}});
    error_of(&response(400, body.to_string().as_bytes()), now()).platform_error.unwrap().field
}

/// The field of an error that has only a message.
fn field_of(message: &str) -> Option<String> {
    let body = serde_json::json!({"message": message, "status": 422});
    error_of(&response(422, body.to_string().as_bytes()), now()).platform_error.unwrap().field
}

#[test]
fn a_path_to_a_field_of_ours_names_our_field() {
    for (path, ours) in [
        ("/Campaign/totalBudget/amount", "budget_amount"),
        ("/Campaign/dailyBudget/amount", "budget_amount"),
        ("/campaign/totalBudget", "budget_amount"),
        ("/elements/0/dailyBudget/amount", "budget_amount"),
        ("Campaign.totalBudget.amount", "budget_amount"),
        ("/Campaign/name", "name"),
        ("/Campaign/objectiveType", "goal"),
        ("/Campaign/optimizationTargetType", "goal"),
        ("/Campaign/runSchedule/start", "start_at"),
        ("/Campaign/runSchedule/end", "end_at"),
        ("/patch/$set/status", "status"),
    ] {
        assert_eq!(field_at(path).as_deref(), Some(ours), "{path}");
        if !path.starts_with('/') {
            continue;
        }
        for message in [
            format!("ERROR :: {path} :: field is required but not found and has no default value\n"),
            format!("{path} cannot be set to 5; it cannot be lower than 10"),
            format!("Validation failed ({path})."),
        ] {
            assert_eq!(field_of(&message).as_deref(), Some(ours), "{message}");
        }
    }
    for message in ["See https://example.com/name for details", "The name is taken", "/someFutureField is wrong", ""] {
        assert_eq!(field_of(message), None, "{message}");
    }
}

#[test]
fn of_several_errors_that_about_a_field_of_ours_is_named() {
    let input = |code: &str, path: &str| serde_json::json!({"code": code, "input": {"inputPath": {"fieldPath": path}}});
    let inputs =
        [input("MISSING_FIELD", "/Campaign/politicalIntent"), input("FIELD_VALUE_TOO_LOW", "/totalBudget/amount")];
    let body =
        serde_json::json!({"message": "Multiple errors", "status": 400, "errorDetails": {"inputErrors": inputs}});
    let error = error_of(&response(400, body.to_string().as_bytes()), now());
    assert_eq!((error.platform_code(), meaning(&error).2), (Some("FIELD_VALUE_TOO_LOW"), Some("budget_amount")));
}

#[test]
fn an_answer_without_readable_json_goes_by_its_status() {
    let deep = [b"{\"message\":".as_slice(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"}"].concat();
    let truncated = &include_bytes!("../fixtures/errors/daily-too-low.json")[..120];
    let page = include_bytes!("../fixtures/errors/page.html");
    let bodies: [&[u8]; 11] = [
        b"",
        b" ",
        page,
        b"null",
        b"7",
        b"[]",
        b"{}",
        b"\xff\xfe",
        br#"{"message":7}"#,
        br#"{"serviceErrorCode":"100"}"#,
        truncated,
    ];
    let meanings = [
        (400, PlatformFailed, false),
        (401, TokenExpired, false),
        (403, PlatformFailed, false),
        (404, PlatformFailed, false),
        (408, PlatformFailed, true),
        (409, PlatformFailed, false),
        (426, PlatformFailed, false),
        (429, RateLimited, true),
        (500, PlatformFailed, true),
        (502, PlatformFailed, true),
        (504, PlatformFailed, true),
        (302, PlatformFailed, false),
        (101, PlatformFailed, false),
    ];
    for body in bodies.into_iter().chain([deep.as_slice()]) {
        for (status, kind, retryable) in meanings {
            let error = error_of(&response(status, body), now());
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {:?}", body.get(..40));
            assert_eq!(error.platform_error, None, "{status}");
        }
    }
}

#[test]
fn details_nested_ten_thousand_deep_do_not_hide_the_code() {
    let deep =
        [br#"{"code":"PARAM_INVALID","errorDetails":"#.as_slice(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"}"]
            .concat();
    let error = error_of(&response(400, &deep), now());
    assert_eq!(meaning(&error), (PlatformRefused, Some("PARAM_INVALID"), None, None));
}

#[test]
fn all_errors_of_a_refusal_are_in_the_message_each_once() {
    let message = |body: &[u8]| error_of(&response(400, body), now()).message.to_string();
    let several = message(include_bytes!("../fixtures/errors/several.json"));
    assert!(several.contains("is too low") && several.contains("politicalIntent is required"), "{several}");
    let one = message(include_bytes!("../fixtures/errors/daily-too-low.json"));
    assert_eq!(one.matches("cannot be lower than 10").count(), 1, "{one}");
}

#[test]
fn a_missing_or_retired_version_is_for_the_operator_and_never_our_500() {
    for (status, body) in [
        (400, include_bytes!("../fixtures/errors/version-missing.json").as_slice()),
        (426, include_bytes!("../fixtures/errors/version-gone.json")),
        (426, b""),
    ] {
        let error = error_of(&response(status, body), now());
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
        let error = error_of(&response(403, body.as_bytes()), now());
        assert_eq!((error.kind, error.retryable), (PlatformFailed, false), "{part}");
        assert!(error.is_for_operator && error.spares_connection, "{part}");
    }
}

#[test]
fn a_daily_limit_ends_at_midnight_utc_unless_a_header_says_more() {
    let body = include_bytes!("../fixtures/errors/throttled-by-day.json");
    let wait = |now: &str| error_of(&response(429, body), now.parse().unwrap()).retry_after.unwrap().as_secs();
    assert_eq!(wait("2026-12-31T23:59:59.25Z"), 1);
    assert_eq!(wait("2026-12-31T00:00:00Z"), 86_400);
    let mut throttled = response(429, body);
    throttled.headers.insert("retry-after", "7".parse().unwrap());
    assert_eq!(error_of(&throttled, now()).retry_after, Some(Duration::from_secs(7)));
}

#[test]
fn the_platforms_texts_are_bounded() {
    let long = serde_json::json!({"code": "X".repeat(5_000), "message": "ä\n".repeat(5_000)}).to_string();
    let error = error_of(&response(400, long.as_bytes()), now());
    assert_eq!(error.message.to_string().chars().count(), errors::MAX_MESSAGE_CHARS);
    let reported = error.platform_error.unwrap();
    assert_eq!(reported.message, "ä".repeat(errors::MAX_MESSAGE_CHARS), "and without control characters");
    assert_eq!(reported.code.unwrap().len(), errors::MAX_MESSAGE_CHARS);
}

#[test]
fn only_a_name_in_capitals_is_a_code() {
    let code = |code: &str| {
        let body = serde_json::json!({"code": code, "message": "m", "serviceErrorCode": 7}).to_string();
        error_of(&response(400, body.as_bytes()), now()).platform_error.unwrap().code
    };
    assert_eq!(code("FIELD_VALUE_TOO_LOW_2").as_deref(), Some("FIELD_VALUE_TOO_LOW_2"));
    for prose in ["Invalid value", "ERROR :: /account", "too_low", "", "\u{c4}"] {
        assert_eq!(code(prose).as_deref(), Some("7"), "{prose}");
    }
}
