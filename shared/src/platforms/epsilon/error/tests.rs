use super::*;
use crate::platforms::epsilon::sample::SAMPLE;
use http::HeaderName;

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    let headers = pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    headers.collect()
}

#[test]
fn a_throttle_waits_as_long_as_the_longer_header_says() {
    let wait = |pairs: &[(&'static str, &'static str)]| {
        let (status, body) = SAMPLE.scripted(&SAMPLE.throttle.reply);
        SAMPLE.error_of(status, headers(pairs), body.into()).retry_after.map(|wait| wait.as_secs())
    };
    assert_eq!(wait(&[("x-ratelimit-reset", "17")]), Some(17));
    assert_eq!(wait(&[("x-ratelimit-reset", "soon")]), Some(60));
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
        assert_eq!((error.kind, error.retryable), (Kind::PlatformRefused, false), "{code}");
        assert!(error.message.contains("Bad end_time. And more."), "{error}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.code, reported.field.as_deref()), (Some(code.to_string()), Some("end_at")));
    }
    assert_eq!(error_of("[{}]").unwrap().kind, Kind::PlatformRefused, "one that says nothing is one too");
}

#[test]
fn a_window_of_which_nothing_remains_asks_for_a_pause_until_its_end() {
    let pause = |pairs: &[(&'static str, &'static str)]| {
        requested_pause(&headers(pairs), "2026-11-20T12:00:00Z".parse().unwrap()).map(|wait| wait.as_secs())
    };
    assert_eq!(pause(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "42")]), Some(42));
    assert_eq!(pause(&[("x-ratelimit-remaining", "0, 0;w=60"), ("x-ratelimit-reset", "42")]), Some(42));
    assert_eq!(pause(&[("x-ratelimit-remaining", "7"), ("x-ratelimit-reset", "42")]), None);
    assert_eq!(pause(&[("x-ratelimit-reset", "42")]), None, "a window ends whether or not anything remains");
    assert_eq!(pause(&[("retry-after", "5")]), Some(5));
}
