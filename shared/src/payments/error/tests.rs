use super::*;
use http::{HeaderName, HeaderValue};

fn response(status: u16, headers: &[(&'static str, &'static str)], body: &'static str) -> CallOutcome {
    let header =
        |(name, value): &(&'static str, &'static str)| (HeaderName::from_static(name), HeaderValue::from_static(value));
    let headers = headers.iter().map(header).collect();
    let status = StatusCode::from_u16(status).unwrap();
    classify(Ok(OutboundResponse { status, headers, body: Bytes::from_static(body.as_bytes()) }))
}

fn is_retryable(outcome: &CallOutcome) -> bool {
    matches!(outcome, CallOutcome::Retryable(_))
}

fn error_of(outcome: CallOutcome) -> CallError {
    match outcome {
        CallOutcome::Retryable(error) | CallOutcome::Permanent(error) => error,
        CallOutcome::Success(_) => panic!("a success"),
    }
}

#[test]
fn the_header_decides_on_retries_and_otherwise_the_status() {
    for (status, expected) in [(400, false), (401, false), (402, false), (404, false), (409, true), (429, false)] {
        assert_eq!(is_retryable(&response(status, &[], "{}")), expected, "{status}");
        assert!(is_retryable(&response(status, &[("stripe-should-retry", "true")], "{}")), "{status}");
    }
    for status in [500, 502, 503] {
        assert!(is_retryable(&response(status, &[], "<html>")), "{status}");
        assert!(!is_retryable(&response(status, &[("stripe-should-retry", "false")], "{}")), "{status}");
        assert!(!is_retryable(&response(status, &[("idempotent-replayed", "true")], "{}")), "{status}");
    }
    for failure in [Failure::NotSent, Failure::TimedOut, Failure::Broken] {
        assert!(is_retryable(&classify(Err(failure))));
    }
}

#[test]
fn only_an_executed_failure_is_stored_under_its_key() {
    let other = r#"{"error":{"type":"idempotency_error","message":"other parameters"}}"#;
    let in_use = r#"{"error":{"type":"idempotency_error","code":"idempotency_key_in_use","message":"busy"}}"#;
    assert!(error_of(response(500, &[], "{}")).is_stored);
    assert!(error_of(response(400, &[], other)).is_stored);
    assert!(!error_of(response(409, &[], in_use)).is_stored);
    assert!(!error_of(response(400, &[], "{}")).is_stored);
    assert!(!error_of(classify(Err(Failure::TimedOut))).is_stored);
}

#[test]
fn the_providers_message_never_reaches_the_caller() {
    let body = r#"{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_x"}}"#;
    for status in [400, 401, 403, 404, 429, 500] {
        let error = error_of(response(status, &[("request-id", "req_1")], body)).error;
        let shown = format!("{} {:?}", error.message, error.source);
        assert!(!shown.contains("sk_test") && shown.contains("req_1"), "{shown}");
    }
}

#[test]
fn a_refused_api_key_is_502_and_not_retryable() {
    let error = error_of(response(401, &[], "{}")).error;
    assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformFailed, false, None));
    let error = error_of(response(429, &[("retry-after", "7")], "{}")).error;
    assert_eq!((error.kind, error.retry_after), (Kind::RateLimited, Some(Duration::from_secs(7))));
    assert_eq!(error_of(classify(Err(Failure::TimedOut))).error.kind, Kind::PlatformTimeout);
}
