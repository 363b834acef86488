use super::*;
use crate::platforms::zeta::sample::SAMPLE;
use http::HeaderName;

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
}

#[test]
fn of_several_fields_one_of_ours_is_named() {
    let body = r#"{"error":{"code":400,"message":"Invalid","fields":[{"field":"data/conversion_pixel_id","message":"a"},
        {"field":"data/goal_value","message":"b"}]}}"#;
    let error = SAMPLE.error((400, body.to_owned()));
    assert!(error.message.contains("conversion_pixel_id: a; goal_value: b"), "{}", error.message);
    assert_eq!(error.platform_error.unwrap().field.as_deref(), Some("budget_amount"));
}

#[test]
fn a_404_in_another_form_does_not_say_that_a_campaign_is_gone() {
    let deep = format!("{}{}", r#"{"error":"#.repeat(10_000), "}".repeat(10_000));
    for body in
        [&deep, r#"{"message":"Not Found","error":404}"#, r#"{"error":{}}"#, r#"{"error":{"code":null,"message":" "}}"#]
    {
        assert_eq!(SAMPLE.error((404, body.to_owned())).kind, Kind::PlatformFailed, "{body}");
    }
}

#[test]
fn the_page_of_a_gateway_says_nothing_about_the_connection() {
    let form = r#"{"error":{"code":403,"message":"Forbidden"}}"#;
    let scope = [("www-authenticate", r#"Bearer realm="reddit", error="insufficient_scope""#)];
    for (headers, body, spares) in [
        (&[][..], "<html>blocked</html>", true),
        (&[], r#"{"error": 403}"#, true),
        (&[], form, false),
        (&scope, r#"{"error": 403}"#, false),
    ] {
        assert_eq!(SAMPLE.error_of(403, self::headers(headers), body.into()).keeps_connection_status, spares, "{body}");
    }
}

#[test]
fn a_throttle_says_how_long_to_wait() {
    for (pairs, expected) in [
        (vec![("ratelimit", "\"write\";r=0;t=17")], 17),
        (vec![("ratelimit", "\"read\";r=4;t=3, \"write\";r=0;t=41")], 41),
        (vec![("retry-after", "Fri, 20 Nov 2026 12:01:30 GMT"), ("ratelimit", "\"write\";r=0;t=17")], 90),
        (vec![("ratelimit", "nonsense")], 60),
    ] {
        let wait = SAMPLE.error_of(429, headers(&pairs), Vec::new()).retry_after.map(|wait| wait.as_secs());
        assert_eq!(wait, Some(expected), "{pairs:?}");
    }
}

#[test]
fn a_window_of_which_nothing_remains_asks_for_a_pause_until_the_next() {
    let pause = |name: &'static str, value: &str| {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        requested_pause(&headers, "2026-11-20T12:00:00Z".parse().unwrap()).map(|wait| wait.as_secs())
    };
    assert_eq!(pause("ratelimit", r#""ads-campaign-management-read";r=0;t=17"#), Some(17));
    assert_eq!(pause("ratelimit", r#""ads-campaign-management-read";r=399;t=60"#), None);
    assert_eq!(pause("ratelimit", r#""read";r=3;t=60, "write"; r=0; t=9"#), Some(9), "the one that is used up");
    assert_eq!(pause("ratelimit", "soon"), None);
    assert_eq!(pause("retry-after", "Fri, 20 Nov 2026 12:00:30 GMT"), Some(30));
}

#[test]
fn a_window_of_reports_pauses_no_other_call() {
    let pause = |values: &[&str], retry_after: Option<&str>| {
        let values = values.iter().map(|value| ("ratelimit", *value));
        let headers = values.chain(retry_after.map(|value| ("retry-after", value)));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        requested_pause(&map, "2026-11-20T12:00:00Z".parse().unwrap()).map(|wait| wait.as_secs())
    };
    assert_eq!(pause(&[r#""ads-reporting";r=0;t=17"#], None), None);
    assert_eq!(pause(&[r#""ads-reporting";r=0;t=17"#], Some("17")), None, "the wait is of that window");
    assert_eq!(pause(&[r#""Ads-Reports";r=0;t=40, "ads-campaign-management-write";r=0;t=9"#], None), Some(9));
    assert_eq!(pause(&[r#""ads-reporting";r=0;t=40"#, r#""ads-campaign-management-write";r=0;t=9"#], None), Some(9));
    assert_eq!(pause(&[r#""something-new";r=0;t=9"#], None), Some(9), "an unknown window may be of all calls");
    assert_eq!(pause(&["r=0;t=9"], None), Some(9), "so may one without a name");
    assert_eq!(pause(&[r#""ads-reporting";r=3;t=40"#], Some("5")), Some(5));
}
