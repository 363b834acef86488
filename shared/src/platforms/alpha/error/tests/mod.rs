mod refusals;

use super::*;
use crate::platforms::errors::MAX_MESSAGE_CHARS;
use Kind::{Forbidden, NotFound, PlatformFailed, PlatformRefused, RateLimited, TokenExpired};
use http::HeaderMap;

/// The expected error: kind, code, field, seconds to wait. Waiting and failing are retryable, as noted.
type Meaning = (Kind, Option<&'static str>, Option<&'static str>, Option<u64>);

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
    ($($status:literal $name:literal => $kind:expr, $code:literal, $field:expr, $wait:expr;)*) => {
        &[$((
            $status,
            $name,
            include_bytes!(concat!("../../fixtures/errors/", $name, ".json")),
            ($kind, Some($code), $field, $wait),
        ),)*]
    };
}

/// Status, file, body, meaning. The bodies are written in the published form of errors; none was captured live.
const PUBLISHED: &[(u16, &str, &[u8], Meaning)] = published! {
    401 "oauth-token-expired" => TokenExpired, "authenticationError.OAUTH_TOKEN_EXPIRED", None, None;
    401 "oauth-token-revoked" => TokenExpired, "authenticationError.OAUTH_TOKEN_REVOKED", None, None;
    400 "oauth-token-as-400" => TokenExpired, "authenticationError.OAUTH_TOKEN_INVALID", None, None;
    401 "unauthenticated" => TokenExpired, "UNAUTHENTICATED", None, None;
    401 "not-ads-user" => Forbidden, "authenticationError.NOT_ADS_USER", None, None;
    401 "customer-not-found" => Forbidden, "authenticationError.CUSTOMER_NOT_FOUND", None, None;
    403 "user-permission-denied" => Forbidden, "authorizationError.USER_PERMISSION_DENIED", None, None;
    403 "customer-not-enabled" => Forbidden, "authorizationError.CUSTOMER_NOT_ENABLED", None, None;
    403 "project-not-approved" => Forbidden,
        "authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION", None, None;
    403 "service-disabled" => Forbidden, "SERVICE_DISABLED", None, None;
    400 "duplicate-name" => PlatformRefused, "campaignError.DUPLICATE_CAMPAIGN_NAME", Some("name"), None;
    400 "required-field" => PlatformRefused, "fieldError.REQUIRED",
        Some("contains_eu_political_advertising"), None;
    400 "end-date-required" => PlatformRefused,
        "campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET", Some("end_at"), None;
    400 "eu-declaration-required" => PlatformRefused,
        "mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED", None, None;
    400 "eu-declaration-of-customer" => PlatformRefused,
        "mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED", None, None;
    400 "start-in-the-past" => PlatformRefused, "dateError.EARLIER_THAN_MINIMUM_DATE", Some("start_at"), None;
    400 "goal-not-available" => PlatformRefused,
        "campaignError.CONVERSION_TRACKING_NOT_ENABLED", Some("goal"), None;
    400 "budget-below-minimum" => PlatformRefused,
        "campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM", Some("budget_amount"), None;
    400 "total-below-minimum" => PlatformRefused,
        "campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM", Some("budget_amount"), None;
    400 "not-a-multiple" => PlatformRefused,
        "campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", Some("budget_amount"), None;
    400 "two-errors" => PlatformRefused,
        "campaignBudgetError.MONEY_AMOUNT_TOO_LARGE", Some("budget_amount"), None;
    400 "unknown-code" => PlatformRefused, "someFutureError.SOMETHING_NEW", Some("some_future_field"), None;
    400 "code-not-published" => PlatformRefused, "internalError.ERROR_CODE_NOT_PUBLISHED", None, None;
    400 "resource-not-found" => NotFound, "mutateError.RESOURCE_NOT_FOUND", Some("resource_name"), None;
    404 "resource-not-found-as-404" => NotFound, "requestError.RESOURCE_NOT_FOUND", None, None;
    429 "quota-burst" => RateLimited, "quotaError.RESOURCE_TEMPORARILY_EXHAUSTED", None, Some(45);
    429 "quota-burst-silent" => RateLimited, "quotaError.RESOURCE_TEMPORARILY_EXHAUSTED", None, Some(30);
    429 "quota-daily" => RateLimited, "quotaError.RESOURCE_EXHAUSTED", None, Some(3_600);
    429 "quota-prohibited" => Forbidden, "quotaError.ACCESS_PROHIBITED", None, None;
    429 "resource-exhausted" => RateLimited, "RESOURCE_EXHAUSTED", None, Some(30);
    500 "transient" => PlatformFailed, "internalError.TRANSIENT_ERROR", None, None;
    400 "concurrent-modification" => PlatformFailed, "databaseError.CONCURRENT_MODIFICATION", None, None;
    503 "unavailable" => PlatformFailed, "UNAVAILABLE", None, None;
    400 "unknown-json-name" => PlatformRefused, "INVALID_ARGUMENT", None, None;
    400 "details-of-wrong-types" => PlatformRefused, "INVALID_ARGUMENT", None, None;
};

#[test]
fn every_answer_of_the_published_form_means_what_it_says() {
    assert!(PUBLISHED.len() >= 30);
    for (status, name, body, expected) in PUBLISHED {
        let error = error_of(&response(*status, body));
        assert_eq!(meaning(&error), *expected, "{name}");
        assert_eq!(error.platform, Some(Platform::Alpha), "{name}");
        let may_help = matches!(error.kind, PlatformFailed | RateLimited);
        assert_eq!(error.retryable, may_help, "{name}");
        assert!(!error.message.to_string().is_empty() && error.details.is_empty(), "{name}");
        assert!(error.source.is_some(), "{name}: the log gets the request id");
    }
}

#[test]
fn an_answer_without_readable_json_goes_by_its_status() {
    let deep = [b"{\"error\":".as_slice(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"}"].concat();
    let deep_detail =
        [br#"{"error":{"details":["#.as_slice(), &b"[".repeat(10_000), &b"]".repeat(10_000), b"]}}"].concat();
    let truncated = &include_bytes!("../../fixtures/errors/duplicate-name.json")[..200];
    let page = include_bytes!("../../fixtures/errors/not-found-page.html");
    let bodies: [&[u8]; 9] =
        [b"", b" ", page, b"null", b"7", b"[]", b"\xff\xfe", br#"{"error":"invalid_grant"}"#, truncated];
    let meanings = [
        (400, PlatformFailed, false),
        (401, TokenExpired, false),
        (403, PlatformFailed, false),
        (404, PlatformFailed, false),
        (408, PlatformFailed, true),
        (409, PlatformFailed, false),
        (418, PlatformFailed, false),
        (429, RateLimited, true),
        (500, PlatformFailed, true),
        (502, PlatformFailed, true),
        (504, PlatformFailed, true),
        (302, PlatformFailed, false),
        (101, PlatformFailed, false),
    ];
    for body in bodies.into_iter().chain([deep.as_slice(), deep_detail.as_slice()]) {
        for (status, kind, retryable) in meanings {
            let error = error_of(&response(status, body));
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {:?}", body.get(..40));
        }
    }
}

#[test]
fn the_smallest_budget_is_named_to_the_last_digit() {
    let message = |body: &[u8]| error_of(&response(400, body)).message.to_string();
    let daily = message(include_bytes!("../../fixtures/errors/budget-below-minimum.json"));
    assert!(daily.ends_with("The smallest daily budget that it takes here is 1.43 EUR."), "{daily}");
    let total = message(include_bytes!("../../fixtures/errors/total-below-minimum.json"));
    assert!(total.ends_with("The smallest total budget that it takes here is 4500 JPY."), "{total}");
}

#[test]
fn all_errors_of_a_refusal_are_in_the_message() {
    let error = error_of(&response(400, include_bytes!("../../fixtures/errors/two-errors.json")));
    assert!(error.message.contains("greater than the maximum") && error.message.contains("not found"), "{error}");
}

#[test]
fn a_retry_after_header_can_only_lengthen_the_wait() {
    let burst = include_bytes!("../../fixtures/errors/quota-burst.json");
    for (header, expected) in [("10", 45), ("90", 90), ("Wed, 21 Oct 2026 07:28:00 GMT", 45), ("-5", 45)] {
        let mut throttled = response(429, burst);
        throttled.headers.insert("retry-after", header.parse().unwrap());
        assert_eq!(error_of(&throttled).retry_after, Some(Duration::from_secs(expected)), "{header}");
    }
    let mut refused = response(400, include_bytes!("../../fixtures/errors/duplicate-name.json"));
    refused.headers.insert("retry-after", "5".parse().unwrap());
    assert_eq!(error_of(&refused).retry_after, None, "nothing to wait for");
}

#[test]
fn a_delay_is_never_cut_short_and_never_absurd() {
    let cases = [("30s", Some(30)), ("1.5s", Some(2)), ("1.000s", Some(1)), ("30", Some(30)), ("0s", Some(0))];
    let malformed = [
        ("", None),
        ("s", None),
        ("-1s", None),
        ("1m", None),
        ("1.5.5s", None),
        ("9".repeat(40).leak(), Some(604_800)),
    ];
    for (text, expected) in cases.into_iter().chain(malformed) {
        assert_eq!(seconds(text).map(|wait| wait.as_secs()), expected, "{text}");
    }
}

#[test]
fn the_platforms_words_are_bounded() {
    let long = serde_json::json!({"error": {"status": "INVALID_ARGUMENT", "message": "ä\n".repeat(5_000)}}).to_string();
    let error = error_of(&response(400, long.as_bytes()));
    assert_eq!(error.message.to_string().chars().count(), MAX_MESSAGE_CHARS);
    let reported = error.platform_error.unwrap();
    assert_eq!(reported.message, "ä".repeat(MAX_MESSAGE_CHARS), "and without control characters");
}
