use super::*;
use Kind::{Forbidden, NotFound, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};
use http::StatusCode;

/// Status, body, and what it has to mean: kind, code, field.
type Case = (u16, &'static str, Kind, Option<&'static str>, Option<&'static str>);

fn response(status: u16, body: &[u8]) -> OutboundResponse {
    OutboundResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.to_vec().into(),
    }
}

fn meant(response: &OutboundResponse) -> Error {
    classify(response, "2026-11-20T12:00:00Z".parse().unwrap()).unwrap_err()
}

/// The bodies are written in the published form of errors; none was captured live.
const PUBLISHED: &[Case] = &[
    (401, r#"{"code":2,"message":"Authentication failed."}"#, TokenExpired, Some("2"), None),
    (401, r#"{"code":1,"message":"Invalid token."}"#, TokenExpired, Some("1"), None),
    (401, r#"{"code":3,"message":"Your application lacks a scope."}"#, Forbidden, Some("3"), None),
    (401, r#"{"code":29,"message":"You are not permitted to access that resource."}"#, Forbidden, Some("29"), None),
    (403, r#"{"code":29,"message":"You are not permitted to access that resource."}"#, Forbidden, Some("29"), None),
    (403, r#"{"code":7,"message":"You have no role in this account."}"#, Forbidden, Some("7"), None),
    (403, r#"{"code":2,"message":"Anything."}"#, Forbidden, Some("2"), None),
    (404, r#"{"code":2,"message":"AdAccount not found."}"#, NotFound, Some("2"), None),
    (404, r#"{"code":30,"message":"Campaign not found."}"#, NotFound, Some("30"), None),
    (404, r#"{"code":40,"message":"Not found."}"#, NotFound, Some("40"), None),
    (404, r#"{"code":8,"message":"Not found."}"#, NotFound, Some("8"), None),
    (400, r#"{"code":400,"message":"Invalid ad account campaign parameters."}"#, PlatformRefused, Some("400"), None),
    (400, r#"{"code":1,"message":"'name' is too long"}"#, PlatformRefused, Some("1"), Some("name")),
    (
        400,
        r#"{"code":1,"message":"Parameter 'daily_spend_cap' is invalid"}"#,
        PlatformRefused,
        Some("1"),
        Some("budget_amount"),
    ),
    (
        400,
        r#"{"code":1,"message":"lifetime_spend_cap below minimum"}"#,
        PlatformRefused,
        Some("1"),
        Some("budget_amount"),
    ),
    (400, r#"{"code":1,"message":"start_time is in the past"}"#, PlatformRefused, Some("1"), Some("start_at")),
    (400, r#"{"code":1,"message":"[0].end_time must be later"}"#, PlatformRefused, Some("1"), Some("end_at")),
    (400, r#"{"code":1,"message":"Invalid objective_type"}"#, PlatformRefused, Some("1"), Some("goal")),
    (400, r#"{"code":1,"message":"status cannot be changed"}"#, PlatformRefused, Some("1"), Some("status")),
    (400, r#"{"code":1,"message":"username unknown"}"#, PlatformRefused, Some("1"), None),
    (400, r#"{"code":8,"message":"Not a throttle, whatever the number."}"#, PlatformRefused, Some("8"), None),
    (400, r#"{"code":2,"message":"Not a token, whatever the number."}"#, PlatformRefused, Some("2"), None),
    (400, r#"{"code":"E7","message":"a code that is text"}"#, PlatformRefused, Some("E7"), None),
    (400, r#"{"message":"no code"}"#, PlatformRefused, None, None),
    (400, r#"{"code":5}"#, PlatformRefused, Some("5"), None),
    (409, r#"{"code":12,"message":"A campaign with this name exists."}"#, PlatformRefused, Some("12"), Some("name")),
    (422, r#"{"code":1,"message":"Unprocessable."}"#, PlatformRefused, Some("1"), None),
    (429, r#"{"code":8,"message":"You have exceeded your rate limit."}"#, RateLimited, Some("8"), None),
    (500, r#"{"code":0,"message":"Something went wrong."}"#, PlatformFailed, Some("0"), None),
    (502, r#"{"code":2,"message":"Upstream."}"#, PlatformFailed, Some("2"), None),
    (503, r#"{"code":8,"message":"Unavailable."}"#, PlatformFailed, Some("8"), None),
    (504, r#"{"code":1,"message":"Timed out."}"#, PlatformFailed, Some("1"), None),
];

#[test]
fn an_answer_is_classified_by_its_status_because_codes_are_ambiguous() {
    assert!(PUBLISHED.len() >= 30);
    for (status, body, kind, code, field) in PUBLISHED {
        let error = meant(&response(*status, body.as_bytes()));
        let reported = error.platform_error.as_ref().unwrap();
        assert_eq!((error.kind, reported.code.as_deref(), reported.field.as_deref()), (*kind, *code, *field), "{body}");
        assert_eq!(error.platform, Some(Platform::Epsilon), "{body}");
        assert_eq!(error.retryable, matches!(kind, PlatformFailed | RateLimited), "{status} {body}");
        assert!(!error.message.to_string().is_empty() && error.details.is_empty() && error.source.is_some(), "{body}");
    }
}

#[test]
fn a_message_about_a_field_of_ours_names_our_field() {
    for (message, ours) in [
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
    ] {
        let body = serde_json::json!({"code": 1, "message": message}).to_string();
        let error = meant(&response(400, body.as_bytes())).platform_error.unwrap();
        assert_eq!(error.field.as_deref(), ours, "{message}");
    }
}

#[test]
fn an_answer_that_says_nothing_goes_by_its_status() {
    let nested = |open: &str| [open.as_bytes(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"}"].concat();
    let (deep, deep_code) = (nested(r#"{"error":"#), nested(r#"{"message":"#));
    let page = include_bytes!("../fixtures/error-page.html");
    let bodies: [&[u8]; 10] = [
        b"",
        b" ",
        page,
        b"null",
        b"7",
        b"[]",
        b"{}",
        b"\xff\xfe",
        br#"{"code":400,"mess"#,
        br#"{"code":400,"message":["wrong type"]}"#,
    ];
    let meanings = [
        (400, PlatformFailed, false),
        (401, TokenExpired, false),
        (403, PlatformFailed, false),
        (404, PlatformFailed, false),
        (408, PlatformFailed, true),
        (418, PlatformFailed, false),
        (429, RateLimited, true),
        (500, PlatformFailed, true),
        (503, PlatformFailed, true),
        (302, PlatformFailed, false),
        (101, PlatformFailed, false),
    ];
    for body in bodies.into_iter().chain([deep.as_slice(), deep_code.as_slice()]) {
        for (status, kind, retryable) in meanings {
            let error = meant(&response(status, body));
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {:?}", body.get(..40));
        }
    }
}

#[test]
fn a_throttle_waits_as_long_as_the_platform_says_else_a_minute() {
    let wait =
        |headers: &[(&'static str, &str)]| {
            let mut throttled = response(429, br#"{"code":8,"message":"Slow down."}"#);
            throttled.headers.extend(headers.iter().map(|(name, value)| {
                (http::HeaderName::from_static(name), value.parse::<http::HeaderValue>().unwrap())
            }));
            meant(&throttled).retry_after.map(|wait| wait.as_secs())
        };
    assert_eq!(wait(&[]), Some(60));
    assert_eq!(wait(&[("x-ratelimit-reset", "17")]), Some(17));
    assert_eq!(wait(&[("x-ratelimit-reset", "soon")]), Some(60));
    assert_eq!(wait(&[("retry-after", "5")]), Some(5));
    assert_eq!(wait(&[("x-ratelimit-reset", "17"), ("retry-after", "90")]), Some(90), "never too early");
    assert_eq!(wait(&[("x-ratelimit-reset", "99999999999")]), Some(7 * 86_400));
}

#[test]
fn an_exception_is_a_refusal_whatever_its_number() {
    let error_of = |body: &str| refusal(&serde_json::from_str::<Vec<wire::Failure>>(body).unwrap());
    assert!(error_of("[]").is_none());
    for code in [1, 2, 8, 29, 500] {
        let body = format!(r#"[{{"code":{code},"message":"Bad end_time."}},{{"code":1,"message":"And more."}}]"#);
        let error = error_of(&body).unwrap();
        assert_eq!((error.kind, error.retryable), (PlatformRefused, false), "{code}");
        assert!(error.message.contains("Bad end_time. And more."), "{error}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.code, reported.field.as_deref()), (Some(code.to_string()), Some("end_at")));
    }
    assert_eq!(error_of("[{}]").unwrap().kind, PlatformRefused, "one that says nothing is one too");
}

#[test]
fn a_window_of_which_nothing_remains_asks_for_a_pause_until_its_end() {
    let pause = |headers: &[(&'static str, &str)]| {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        requested_pause(&headers.collect(), "2026-11-20T12:00:00Z".parse().unwrap()).map(|wait| wait.as_secs())
    };
    assert_eq!(pause(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "42")]), Some(42));
    assert_eq!(pause(&[("x-ratelimit-remaining", "0, 0;w=60"), ("x-ratelimit-reset", "42")]), Some(42));
    assert_eq!(pause(&[("x-ratelimit-remaining", "7"), ("x-ratelimit-reset", "42")]), None);
    assert_eq!(pause(&[("x-ratelimit-reset", "42")]), None, "a window ends whether or not anything remains");
    assert_eq!(pause(&[("retry-after", "5")]), Some(5));
}
