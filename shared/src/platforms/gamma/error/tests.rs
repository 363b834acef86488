use super::*;
use crate::platforms::errors::MAX_MESSAGE_CHARS;
use Kind::{Conflict, Forbidden, NotFound, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};
use http::HeaderMap;

/// The meaning of a response: kind, field, seconds to wait.
type Meaning = (Kind, Option<&'static str>, Option<u64>);

fn now() -> Timestamp {
    "2026-11-20T23:00:00Z".parse().unwrap()
}

fn response(status: u16, body: &[u8]) -> OutboundResponse {
    OutboundResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.to_vec().into(),
    }
}

fn error_of(status: u16, body: &[u8]) -> Error {
    classify(&response(status, body), now()).unwrap_err()
}

macro_rules! published {
    ($($code:literal $name:literal => $kind:expr, $field:expr, $wait:expr;)*) => {
        &[$((
            $code,
            $name,
            include_bytes!(concat!("../fixtures/errors/", $name, ".json")),
            ($kind, $field, $wait),
        ),)*]
    };
}

/// Code, file, body, meaning. The bodies are written in the published form of responses; none was captured live.
const PUBLISHED: &[(&str, &str, &[u8], Meaning)] = published! {
    "40105" "token-revoked" => TokenExpired, None, None;
    "40102" "token-expired" => TokenExpired, None, None;
    "40104" "token-missing" => TokenExpired, None, None;
    "40106" "token-of-another-user" => TokenExpired, None, None;
    "40001" "no-permission" => Forbidden, None, None;
    "40125" "no-scope" => Forbidden, None, None;
    "40118" "no-scope-of-reports" => Forbidden, None, None;
    "40130" "no-permission-either" => Forbidden, None, None;
    "40130" "not-allowlisted" => PlatformRefused, None, None;
    "40101" "app-secret-wrong" => Forbidden, None, None;
    "40110" "code-used" => Forbidden, None, None;
    "40113" "app-unknown" => Forbidden, None, None;
    "40115" "app-mismatch" => Forbidden, None, None;
    "40002" "name-missing" => PlatformRefused, Some("name"), None;
    "40002" "name-taken" => PlatformRefused, Some("name"), None;
    "40002" "budget-below-minimum" => PlatformRefused, Some("budget_amount"), None;
    "40000" "budget-in-prose" => PlatformRefused, Some("budget_amount"), None;
    "40002" "budget-mode-invalid" => PlatformRefused, Some("budget_period"), None;
    "40002" "objective-invalid" => PlatformRefused, Some("goal"), None;
    "40002" "destination-missing" => PlatformRefused, Some("goal"), None;
    "40002" "status-invalid" => PlatformRefused, Some("status"), None;
    "40002" "field-unknown-here" => PlatformRefused, Some("special_industries"), None;
    "40002" "no-field" => PlatformRefused, None, None;
    "49876" "code-of-the-future" => PlatformRefused, None, None;
    "40007" "object-not-found" => NotFound, None, None;
    "40300" "advertiser-not-found" => NotFound, None, None;
    "40301" "advertiser-not-there" => NotFound, None, None;
    "40100" "too-frequent-qps" => RateLimited, None, Some(1);
    "40100" "too-frequent-qpm" => RateLimited, None, Some(300);
    "40016" "too-frequent-qpd" => RateLimited, None, Some(3_600);
    "40133" "too-frequent-advertiser" => RateLimited, None, Some(60);
    "40132" "too-frequent-value" => RateLimited, None, Some(60);
    "61000" "too-many" => RateLimited, None, Some(60);
    "40050" "duplicate-request" => Conflict, None, None;
    "40001" "advertiser-deleted" => Forbidden, None, None;
    "40200" "task-failed" => PlatformFailed, None, None;
    "40201" "task-not-ready" => PlatformFailed, None, None;
    "40202" "write-conflict" => PlatformFailed, None, None;
    "40700" "service-validation" => PlatformFailed, None, None;
    "50000" "system-error" => PlatformFailed, None, None;
    "50002" "system-busy" => PlatformFailed, None, None;
    "51021" "downstream" => PlatformFailed, None, None;
    "52001" "downstream-either" => PlatformFailed, None, None;
    "60001" "maintenance" => PlatformFailed, None, None;
};

#[test]
fn a_message_about_a_field_of_ours_names_our_field() {
    for (message, ours) in [
        ("budget: The campaign budget must be at least 50.00 USD.", "budget_amount"),
        ("campaign.budget: Not a valid number.", "budget_amount"),
        ("Invalid value for 'budget': too low", "budget_amount"),
        ("Invalid value for campaign_name: too long", "name"),
        ("The campaign name is taken.", "name"),
        ("budget_mode: Not a valid choice.", "budget_period"),
        ("objective_type: Not a valid choice.", "goal"),
        ("operation_status: Not a valid choice.", "status"),
        ("schedule_end_time: must be later", "end_at"),
        ("schedule_start_time: must be later", "start_at"),
    ] {
        let body = serde_json::json!({"code": 40_002, "message": message, "data": {}}).to_string();
        let field = error_of(200, body.as_bytes()).platform_error.unwrap().field;
        assert_eq!(field.as_deref(), Some(ours), "{message}");
    }
}

#[test]
fn an_error_comes_with_http_status_200_and_its_code_says_what_it_means() {
    assert!(PUBLISHED.len() >= 30);
    for (code, name, body, expected) in PUBLISHED {
        let error = error_of(200, body);
        let reported = error.platform_error.as_ref().unwrap();
        let wait = error.retry_after.map(|wait| wait.as_secs());
        assert_eq!((error.kind, reported.field.as_deref(), wait), *expected, "{name}");
        assert_eq!(reported.code.as_deref(), Some(*code), "{name}");
        assert_eq!(error.platform, Some(Platform::Gamma), "{name}");
        assert_eq!(error.retryable, matches!(error.kind, PlatformFailed | RateLimited), "{name}");
        assert!(!error.message.to_string().is_empty() && error.details.is_empty(), "{name}");
        assert!(format!("{:?}", error.source).contains("20260301"), "{name}: the log gets the request id");
    }
}

#[test]
fn the_code_decides_but_a_failing_server_refuses_nothing() {
    let kind = |status, body: &[u8]| error_of(status, body).kind;
    let revoked = include_bytes!("../fixtures/errors/token-revoked.json");
    let refused = include_bytes!("../fixtures/errors/name-missing.json");
    assert_eq!((kind(401, revoked), kind(500, revoked)), (TokenExpired, TokenExpired));
    assert_eq!((kind(400, refused), kind(500, refused)), (PlatformRefused, PlatformFailed));
    let unheard_of = error_of(200, include_bytes!("../fixtures/errors/code-of-no-family.json"));
    assert_eq!((unheard_of.kind, unheard_of.retryable), (PlatformFailed, false), "never a success");
    for code in ["0", "20001"] {
        let body = format!(r#"{{"code":{code},"message":"OK","data":{{}}}}"#);
        assert!(classify(&response(200, body.as_bytes()), now()).is_ok());
        assert_eq!(kind(502, body.as_bytes()), PlatformFailed, "a success with a status of failure is a failure");
        assert_eq!(kind(302, body.as_bytes()), PlatformFailed);
    }
}

/// Status, kind, and whether the request may be sent again.
const BY_STATUS: &[(u16, Kind, bool)] = &[
    (200, PlatformFailed, true),
    (201, PlatformFailed, true),
    (400, PlatformFailed, false),
    (401, TokenExpired, false),
    (403, PlatformFailed, false),
    (404, PlatformFailed, false),
    (408, PlatformFailed, true),
    (418, PlatformFailed, false),
    (429, RateLimited, true),
    (500, PlatformFailed, true),
    (502, PlatformFailed, true),
    (504, PlatformFailed, true),
    (302, PlatformFailed, false),
    (101, PlatformFailed, false),
];

#[test]
fn an_answer_without_readable_json_goes_by_its_status() {
    let nested = |key: &str| {
        [format!("{{\"{key}\":").into_bytes(), b"[".repeat(10_000), b"]".repeat(10_000), b"}".to_vec()].concat()
    };
    let (deep, deep_code) = (nested("data"), nested("code"));
    let truncated = &include_bytes!("../fixtures/errors/name-missing.json")[..60];
    let page = include_bytes!("../fixtures/errors/not-found-page.html");
    let bodies: [&[u8]; 13] = [
        b"",
        b" ",
        page,
        b"null",
        b"7",
        b"[]",
        b"\xff\xfe",
        truncated,
        b"{}",
        br#"{"code":"0"}"#,
        br#"{"code":0.5,"data":{}}"#,
        &deep,
        &deep_code,
    ];
    for body in bodies {
        for &(status, kind, retryable) in BY_STATUS {
            let error = error_of(status, body);
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {:?}", body.get(..40));
        }
    }
}

#[test]
fn a_retry_after_header_can_only_lengthen_the_wait() {
    let body = include_bytes!("../fixtures/errors/too-many.json");
    for (header, expected) in [("10", 60), ("90", 90), ("soon", 60)] {
        let mut throttled = response(200, body);
        throttled.headers.insert("retry-after", header.parse().unwrap());
        let error = classify(&throttled, now()).unwrap_err();
        assert_eq!(error.retry_after, Some(Duration::from_secs(expected)), "{header}");
    }
    let mut refused = response(200, include_bytes!("../fixtures/errors/name-missing.json"));
    refused.headers.insert("retry-after", "5".parse().unwrap());
    assert_eq!(classify(&refused, now()).unwrap_err().retry_after, None, "nothing to wait for");
}

#[test]
fn the_platforms_words_are_passed_on_and_bounded() {
    let error = error_of(200, include_bytes!("../fixtures/errors/budget-below-minimum.json"));
    assert_eq!(
        error.message.to_string(),
        "TikTok refused the request: budget: The campaign budget must be at least 50.00 USD."
    );
    let long = serde_json::json!({"code": 40_002, "message": "ä\n".repeat(5_000)}).to_string();
    let error = error_of(200, long.as_bytes());
    assert_eq!(error.message.to_string().chars().count(), MAX_MESSAGE_CHARS);
    assert_eq!(error.platform_error.unwrap().message, "ä".repeat(MAX_MESSAGE_CHARS), "and without control characters");
}

#[test]
fn a_failure_is_distinguished_from_a_refusal_at_any_status() {
    let is_broken = |status: u16, body: &str| is_broken(&response(status, body.as_bytes()));
    for (code, broken) in [
        (0, false),
        (40_002, false),
        (40_100, false),
        (40_202, false),
        (40_200, true),
        (40_201, true),
        (40_700, true),
        (50_000, true),
        (51_010, true),
        (60_001, true),
    ] {
        assert_eq!(is_broken(200, &format!(r#"{{"code":{code},"message":"","data":{{}}}}"#)), broken, "{code}");
    }
    assert!(is_broken(502, "<html>"));
    assert!(!is_broken(200, "<html>"), "an unreadable answer does not report a failure");
}

#[test]
fn the_words_decide_between_the_meanings_of_a_refused_access() {
    let again = "authorize again with all permissions";
    for (code, message, part) in [
        (40_001, "Permission error: The access token lacks the required scope for endpoint '/campaign/get/'.", again),
        (40_001, "advertiser does not grant you /file/video/ad/search/:GET permission", again),
        (40_001, "No permission to operate advertiser 7000000000000000001.", again),
        (40_118, "Scope permission denied.", again),
        (40_001, "advertiser 7 doesn't exist or has been deleted.", "cannot help"),
        (40_001, "Advertiser 7 does not exist.", "cannot help"),
        (40_001, "The app has no permission for this endpoint.", "operator"),
        (40_125, "The app has no permission for this endpoint.", "operator"),
        (40_101, "The app_id or secret is incorrect.", "operator"),
    ] {
        let error = error_of(200, serde_json::json!({"code": code, "message": message}).to_string().as_bytes());
        assert_eq!((error.kind, error.retryable), (Forbidden, false), "{message}");
        assert!(error.message.contains(part) && error.message.to_string().ends_with(message), "{error}");
        assert_eq!(error.message.contains("authorize again"), part == again, "{error}");
    }
}

#[test]
fn a_token_of_another_app_is_not_a_fault_of_the_content() {
    let message = "The app_id is inconsistent with the token's app information";
    for code in [40_000, 40_001, 40_002] {
        let error = error_of(200, serde_json::json!({"code": code, "message": message}).to_string().as_bytes());
        assert_eq!((error.kind, error.retryable), (Forbidden, false), "{code}");
        assert!(error.message.contains("authorize") && error.message.contains("operator"), "{error}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.message.as_str(), reported.field), (message, None));
    }
    let content = br#"{"code":40002,"message":"app_id: Not a valid integer."}"#;
    assert_eq!(error_of(200, content).kind, PlatformRefused);
}

#[test]
fn a_field_is_found_in_each_form_that_names_one() {
    for (message, field) in [
        ("budget: too low", Some("budget_amount")),
        ("Invalid value for budget_mode: must be one of BUDGET_MODE_DAY", Some("budget_period")),
        ("Invalid value for campaign_name: too long", Some("name")),
        ("Invalid value for 'objective_type': no such choice", Some("goal")),
        ("Invalid value for special_industries: not a list", Some("special_industries")),
        ("invalid value for operation_status", Some("status")),
        ("Invalid value for the request: no", None),
        ("Invalid value for : no", None),
    ] {
        let error = error_of(200, serde_json::json!({"code": 40_002, "message": message}).to_string().as_bytes());
        assert_eq!(error.platform_error.unwrap().field.as_deref(), field, "{message}");
    }
}
