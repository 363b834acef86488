use super::*;
use crate::platforms::errors::MAX_MESSAGE_CHARS;
use Kind::{Forbidden, NotFound, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};

/// The expected error: kind, code, field, seconds to wait. Throttling and failures are retryable.
type Meaning = (Kind, Option<&'static str>, Option<&'static str>, Option<u64>);

const NOW: &str = "2026-11-20T00:00:00Z";

fn response(status: u16, body: &[u8]) -> OutboundResponse {
    OutboundResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.to_vec().into(),
    }
}

fn read(response: &OutboundResponse) -> Error {
    error_of(response, NOW.parse().unwrap())
}

fn meaning_of(error: &Error) -> (Kind, Option<&str>, Option<&str>, Option<u64>) {
    let reported = error.platform_error.as_ref();
    let code = reported.and_then(|reported| reported.code.as_deref());
    let field = reported.and_then(|reported| reported.field.as_deref());
    (error.kind, code, field, error.retry_after.map(|wait| wait.as_secs()))
}

macro_rules! published {
    ($($name:literal => $kind:expr, $code:literal, $field:expr, $wait:expr;)*) => {
        &[$((
            $name,
            include_bytes!(concat!("../fixtures/errors/", $name, ".json")),
            ($kind, Some($code), $field, $wait),
        ),)*]
    };
}

/// File, body, meaning. The bodies are written in the published form of errors; none was captured live.
const PUBLISHED: &[(&str, &[u8], Meaning)] = published! {
    "token-expired" => TokenExpired, "190/463", None, None;
    "token-app-removed" => TokenExpired, "190/458", None, None;
    "token-checkpoint" => TokenExpired, "190/459", None, None;
    "token-password-changed" => TokenExpired, "190/460", None, None;
    "token-unconfirmed" => TokenExpired, "190/464", None, None;
    "token-revoked" => TokenExpired, "190/467", None, None;
    "token-malformed" => TokenExpired, "190", None, None;
    "session-error" => TokenExpired, "102", None, None;
    "permission-denied" => Forbidden, "10", None, None;
    "permission-ads-management" => Forbidden, "200", None, None;
    "permission-ads-extended" => Forbidden, "294", None, None;
    "budget-blamed-in-text" => PlatformRefused, "100/1885272", Some("budget_amount"), None;
    "budget-blamed-in-object" => PlatformRefused, "100/1885272", Some("budget_amount"), None;
    "budget-too-low-unblamed" => PlatformRefused, "100/1885272", Some("budget_amount"), None;
    "budget-of-ad-sets" => PlatformRefused, "100/1885621", Some("budget_amount"), None;
    "bad-end-date" => PlatformRefused, "100/1885407", Some("end_at"), None;
    "end-blamed" => PlatformRefused, "100", Some("end_at"), None;
    "start-blamed" => PlatformRefused, "100", Some("start_at"), None;
    "name-blamed" => PlatformRefused, "100", Some("name"), None;
    "objective-blamed" => PlatformRefused, "100", Some("goal"), None;
    "status-blamed" => PlatformRefused, "100", Some("status"), None;
    "categories-missing" => PlatformRefused, "100", Some("special_ad_categories"), None;
    "path-blamed" => PlatformRefused, "100", Some("promoted_object.page_id"), None;
    "data-of-wrong-type" => PlatformRefused, "100", None, None;
    "data-of-malformed-text" => PlatformRefused, "100", None, None;
    "not-found" => NotFound, "100/33", None, None;
    "alias-not-found" => NotFound, "803", None, None;
    "app-limit" => RateLimited, "4", None, Some(300);
    "user-limit" => RateLimited, "17/2446079", None, Some(300);
    "page-limit" => RateLimited, "32", None, Some(300);
    "application-limit" => RateLimited, "341", None, Some(300);
    "ads-management-limit" => RateLimited, "80004/2446079", None, Some(300);
    "insights-limit" => RateLimited, "80000/2446079", None, Some(300);
    "burst-limit" => RateLimited, "613/1487742", None, Some(60);
    "unknown" => PlatformFailed, "1", None, None;
    "service-unavailable" => PlatformFailed, "2/1504044", None, None;
    "transient-validation" => PlatformFailed, "100/1487390", None, None;
    "policy-block" => PlatformRefused, "368", None, None;
};

#[test]
fn the_code_in_the_body_decides_and_not_the_http_status() {
    assert!(PUBLISHED.len() >= 30);
    for (name, body, expected) in PUBLISHED {
        for status in [200, 400, 401, 403, 404, 500, 503] {
            let error = read(&response(status, body));
            assert_eq!(meaning_of(&error), *expected, "{name} with {status}");
            assert_eq!(error.platform, Some(Platform::Beta), "{name}");
            let may_help = matches!(error.kind, PlatformFailed | RateLimited);
            assert_eq!(error.retryable, may_help, "{name}");
            assert!(!error.message.to_string().is_empty() && error.details.is_empty(), "{name}");
            assert!(error.source.as_ref().unwrap().to_string().contains("AbC1dEfGhIjKlMnOp"), "{name}");
        }
    }
}

#[test]
fn a_parameter_of_ours_is_named_whether_blamed_or_told() {
    let field = |error: serde_json::Value| {
        let body = serde_json::json!({ "error": error }).to_string();
        read(&response(400, body.as_bytes())).platform_error.unwrap().field
    };
    for (theirs, ours) in [
        ("name", "name"),
        ("objective", "goal"),
        ("daily_budget", "budget_amount"),
        ("lifetime_budget", "budget_amount"),
        ("start_time", "start_at"),
        ("stop_time", "end_at"),
        ("end_time", "end_at"),
        ("status", "status"),
    ] {
        let specs = serde_json::json!({"blame_field_specs": [["campaign", theirs]]});
        let blamed =
            [specs.clone(), specs.to_string().into(), serde_json::json!({"blame_field": format!("campaign.{theirs}")})];
        for data in blamed {
            let error = serde_json::json!({"code": 100, "message": "Invalid parameter", "error_data": data});
            assert_eq!(field(error).as_deref(), Some(ours), "{data}");
        }
        for message in [
            format!("(#100) The parameter {theirs} is required"),
            format!("(#100) Param {theirs} must be one of {{A, B}}"),
            format!("(#100) Param campaign[{theirs}] must be an integer"),
        ] {
            assert_eq!(field(serde_json::json!({"code": 100, "message": message})).as_deref(), Some(ours), "{message}");
        }
    }
    for message in
        ["(#100) The name is taken", "(#100) Param pixel_id must be an id", "Invalid parameter", "(#100) Param"]
    {
        assert_eq!(field(serde_json::json!({"code": 100, "message": message})), None, "{message}");
    }
}

#[test]
fn an_unknown_code_goes_by_its_status() {
    let body = include_bytes!("../fixtures/errors/future-code.json");
    let kind = |status| {
        let error = read(&response(status, body));
        (error.kind, error.retryable)
    };
    assert_eq!(kind(400), (PlatformRefused, false));
    assert_eq!(kind(500), (PlatformFailed, true));
}

#[test]
fn an_unreadable_error_is_a_failure_and_never_an_expired_token() {
    let deep = [b"{\"error\":".as_slice(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"}"].concat();
    let truncated = &include_bytes!("../fixtures/errors/budget-blamed-in-text.json")[..100];
    let page = include_bytes!("../fixtures/errors/not-found-page.html");
    let bodies: [&[u8]; 12] = [
        b"",
        b" ",
        page,
        b"null",
        b"7",
        b"[]",
        b"\xff\xfe",
        br#"{"error":"invalid_grant"}"#,
        br#"{"error":{"code":"190"}}"#,
        br#"{"error":{"message":"no code"}}"#,
        truncated,
        &deep,
    ];
    let meanings = [
        (302, PlatformFailed, false),
        (400, PlatformFailed, false),
        (401, PlatformFailed, false),
        (403, PlatformFailed, false),
        (404, PlatformFailed, false),
        (408, PlatformFailed, true),
        (418, PlatformFailed, false),
        (429, RateLimited, true),
        (500, PlatformFailed, true),
        (502, PlatformFailed, true),
        (504, PlatformFailed, true),
    ];
    for body in bodies {
        for (status, kind, retryable) in meanings {
            let error = read(&response(status, body));
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {:?}", body.get(..40));
        }
    }
}

#[test]
fn deeply_nested_error_data_is_ignored() {
    let nested = "[".repeat(10_000) + &"]".repeat(10_000);
    let body = format!(r#"{{"error":{{"code":100,"message":"m","error_data":{{"blame_field_specs":{nested}}}}}}}"#);
    assert_eq!(meaning_of(&read(&response(400, body.as_bytes()))), (PlatformRefused, Some("100"), None, None));
}

#[test]
fn the_wait_is_read_in_minutes_from_the_usage_header() {
    let wait = |usage: &str| {
        let mut throttled = response(400, include_bytes!("../fixtures/errors/ads-management-limit.json"));
        throttled.headers.insert("X-Business-Use-Case-Usage", usage.parse().unwrap());
        read(&throttled).retry_after.unwrap().as_secs()
    };
    let entry = |minutes: &str| {
        format!(r#"{{"type":"ads_management","call_count":100,"estimated_time_to_regain_access":{minutes}}}"#)
    };
    assert_eq!(wait(&format!(r#"{{"111222333":[{}]}}"#, entry("5"))), 300);
    assert_eq!(wait(&format!(r#"{{"1":[{}],"2":[{},{}]}}"#, entry("1"), entry("0"), entry("12"))), 720);
    assert_eq!(wait(&format!(r#"{{"1":[{}]}}"#, entry("0"))), 300, "not throttled by this, so the usual wait");
    assert_eq!(wait(&format!(r#"{{"1":[{}]}}"#, entry("18446744073709551615"))), 604_800, "capped at 7 days");
    for malformed in
        ["", "{}", "[]", "x", r#"{"1":{}}"#, r#"{"1":[{}]}"#, r#"{"1":[{"estimated_time_to_regain_access":-1}]}"#]
    {
        assert_eq!(wait(malformed), 300, "{malformed}");
    }
}

#[test]
fn a_longer_retry_after_header_is_respected() {
    let mut throttled = response(400, include_bytes!("../fixtures/errors/burst-limit.json"));
    throttled.headers.insert("retry-after", "Fri, 20 Nov 2026 00:02:00 GMT".parse().unwrap());
    assert_eq!(read(&throttled).retry_after, Some(Duration::from_secs(120)));
    let mut refused = response(400, include_bytes!("../fixtures/errors/name-blamed.json"));
    refused.headers.insert("retry-after", "5".parse().unwrap());
    assert_eq!(read(&refused).retry_after, None, "nothing to wait for");
}

#[test]
fn messages_for_users_come_first_and_are_bounded() {
    let error = read(&response(400, include_bytes!("../fixtures/errors/budget-blamed-in-text.json")));
    let message = "Your budget is too low: Your budget must be at least $1.00.";
    assert_eq!(error.message.to_string(), format!("Meta refused the request: {message}"));
    assert_eq!(error.platform_error.unwrap().message, message);
    let long = serde_json::json!({"error": {"code": 100, "message": "ä\n".repeat(5_000)}}).to_string();
    let error = read(&response(400, long.as_bytes()));
    assert_eq!(error.message.to_string().chars().count(), MAX_MESSAGE_CHARS);
    assert_eq!(error.platform_error.unwrap().message, "ä".repeat(MAX_MESSAGE_CHARS), "and without control characters");
}
