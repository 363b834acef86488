use crate::error::Kind::{PlatformFailed, PlatformRefused};
use crate::platforms::beta::sample::SAMPLE;
use crate::platforms::laws::Reply;
use http::HeaderMap;

#[test]
fn the_code_in_the_body_decides_and_not_the_http_status() {
    for refusal in SAMPLE.refusals() {
        let (_, body) = SAMPLE.scripted(&refusal.reply);
        for status in [200, 400, 401, 403, 404, 500, 503] {
            let error = SAMPLE.error((status, body.clone()));
            assert_eq!((error.kind, error.retryable), (refusal.kind, refusal.retryable), "{body} with {status}");
        }
    }
}

#[test]
fn a_message_that_names_no_parameter_of_ours_is_about_no_field() {
    for message in
        ["(#100) The name is taken", "(#100) Param pixel_id must be an id", "Invalid parameter", "(#100) Param"]
    {
        let field = SAMPLE.error((SAMPLE.saying)(message)).platform_error.unwrap().field;
        assert_eq!(field, None, "{message}");
    }
}

#[test]
fn an_unknown_code_goes_by_its_status() {
    for (status, kind) in [(400, PlatformRefused), (500, PlatformFailed)] {
        assert_eq!(SAMPLE.error_in(status, "future-code").kind, kind);
    }
}

#[test]
fn deeply_nested_error_data_is_ignored() {
    let nested = "[".repeat(10_000) + &"]".repeat(10_000);
    let body = format!(r#"{{"error":{{"code":100,"message":"m","error_data":{{"blame_field_specs":{nested}}}}}}}"#);
    let error = SAMPLE.error((400, body));
    assert_eq!((error.kind, error.platform_code()), (PlatformRefused, Some("100")));
}

#[test]
fn the_wait_is_read_in_minutes_from_the_usage_header() {
    let wait = |usage: &str| {
        let (status, body) = SAMPLE.scripted(&Reply::File(400, "ads-management-limit"));
        let name = http::HeaderName::from_static("x-business-use-case-usage");
        let headers = HeaderMap::from_iter([(name, usage.parse().unwrap())]);
        SAMPLE.error_of(status, headers, body.into()).retry_after.unwrap().as_secs()
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
fn messages_for_users_come_first() {
    let error = SAMPLE.error_in(400, "budget-blamed-in-text");
    let message = "Your budget is too low: Your budget must be at least $1.00.";
    assert_eq!(error.message.to_string(), format!("Meta refused the request: {message}"));
    assert_eq!(error.platform_error.unwrap().message, message);
}
