use super::*;
use http::StatusCode;

/// Kind, code, field, and whether the same may be sent again.
type Meaning = (Kind, Option<&'static str>, Option<&'static str>, bool);

fn meaning(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> (Error, Option<u64>) {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(*name, value.parse().unwrap());
    }
    let response =
        OutboundResponse { status: StatusCode::from_u16(status).unwrap(), headers: map, body: body.to_vec().into() };
    let error = error_of(&response, "2026-11-20T12:00:00Z".parse().unwrap());
    let wait = error.retry_after.map(|wait| wait.as_secs());
    (error, wait)
}

fn check(cases: &[(u16, &str, Meaning)]) {
    for (status, body, (kind, code, field, retryable)) in cases {
        let (error, _) = meaning(*status, &[], body.as_bytes());
        let reported = error.platform_error.as_ref();
        assert_eq!(error.kind, *kind, "{status} {body}");
        assert_eq!(reported.and_then(|reported| reported.code.as_deref()), *code, "{status} {body}");
        assert_eq!(reported.and_then(|reported| reported.field.as_deref()), *field, "{status} {body}");
        assert_eq!(error.retryable, *retryable, "{status} {body}");
        assert_eq!(error.platform, Some(Platform::Zeta));
    }
}

const REFUSED: Kind = Kind::PlatformRefused;
const FAILED: Kind = Kind::PlatformFailed;

#[test]
fn validations_name_our_field() {
    let with = |field: &str| {
        format!(r#"{{"error":{{"code":400,"message":"Invalid","fields":[{{"field":"{field}","message":"is bad"}}]}}}}"#)
    };
    for (theirs, ours) in [
        ("data/name", "name"),
        ("name", "name"),
        ("data/objective", "goal"),
        ("data/optimization_goal", "goal"),
        ("data/goal_value", "budget_amount"),
        ("data/goal_type", "budget_period"),
        ("data/start_time", "start_at"),
        ("data/end_time", "end_at"),
        ("data/configured_status", "status"),
        ("data/conversion_pixel_id", "conversion_pixel_id"),
        ("conversion_pixel_id", "conversion_pixel_id"),
        ("data/fields/6", "fields"),
        ("data/0/goal_value", "budget_amount"),
        ("data/goal_value/amount", "budget_amount"),
        ("data.goal_value", "budget_amount"),
        ("data.campaigns[0].end_time", "end_at"),
        ("data/bid_type", "goal"),
        ("page.size", "page.size"),
        ("data.campaigns[0].label", "label"),
        ("6", "6"),
    ] {
        let (error, _) = meaning(400, &[], with(theirs).as_bytes());
        let reported = error.platform_error.unwrap();
        assert_eq!((error.kind, reported.field.as_deref()), (REFUSED, Some(ours)));
        assert!(error.message.contains("is bad"), "{}", error.message);
    }
}

#[test]
fn of_several_fields_one_of_ours_is_named() {
    let body = r#"{"error":{"code":400,"message":"Invalid","fields":[{"field":"data/conversion_pixel_id","message":"a"},
        {"field":"data/goal_value","message":"b"}]}}"#;
    let (error, _) = meaning(400, &[], body.as_bytes());
    assert_eq!(error.platform_error.unwrap().field.as_deref(), Some("budget_amount"));
}

#[test]
fn every_other_answer_has_its_meaning() {
    let deep = format!("{}{}", r#"{"error":"#.repeat(10_000), "}".repeat(10_000));
    let cases: Vec<(u16, &str, Meaning)> = vec![
        (
            401,
            r#"{"error":{"code":401,"message":"Bad bearer token provided."}}"#,
            (Kind::TokenExpired, Some("401"), None, false),
        ),
        (401, "", (Kind::TokenExpired, None, None, false)),
        (403, r#"{"error":{"code":403,"message":"Forbidden"}}"#, (Kind::Forbidden, Some("403"), None, false)),
        (404, r#"{"error":{"code":404,"message":"Not Found"}}"#, (Kind::NotFound, Some("404"), None, false)),
        (409, r#"{"error":{"code":409,"message":"Conflict"}}"#, (REFUSED, Some("409"), None, false)),
        (400, r#"{"error":{"code":400,"message":"Invalid"}}"#, (REFUSED, Some("400"), None, false)),
        (400, r#"{"error":{"message":"Invalid","fields":[{"message":"no field"}]}}"#, (REFUSED, None, None, false)),
        (400, r#"{"error":{"code":"400","message":null,"fields":null}}"#, (REFUSED, Some("400"), None, false)),
        (400, r#"{"error":{}}"#, (REFUSED, None, None, false)),
        (400, r#"{"error":"text"}"#, (FAILED, None, None, false)),
        (400, r#"{"message":"Bad Request","error":400}"#, (FAILED, None, None, false)),
        (400, "", (FAILED, None, None, false)),
        (400, "{", (FAILED, None, None, false)),
        (400, "[]", (FAILED, None, None, false)),
        (400, &deep, (FAILED, None, None, false)),
        (429, "Too Many Requests", (Kind::RateLimited, None, None, true)),
        (408, "", (FAILED, None, None, true)),
        (500, r#"{"error":{"code":500,"message":"Oops"}}"#, (FAILED, Some("500"), None, true)),
        (502, "<html>Bad Gateway</html>", (FAILED, None, None, true)),
        (503, "", (FAILED, None, None, true)),
        (504, "", (FAILED, None, None, true)),
        (302, "", (FAILED, None, None, false)),
        (304, "", (FAILED, None, None, false)),
    ];
    check(&cases);
}

#[test]
fn a_missing_right_goes_by_the_status() {
    check(&[
        (403, "<html>blocked</html>", (Kind::Forbidden, None, None, false)),
        (403, "", (Kind::Forbidden, None, None, false)),
        (403, r#"{"message":"Forbidden","error":403}"#, (Kind::Forbidden, None, None, false)),
    ]);
}

#[test]
fn the_page_of_a_gateway_says_nothing_about_the_connection() {
    let form: &[u8] = br#"{"error":{"code":403,"message":"Forbidden"}}"#;
    let scope = [("www-authenticate", r#"Bearer realm="reddit", error="insufficient_scope""#)];
    for (headers, body, spares) in [
        (&[][..], &b"<html>blocked</html>"[..], true),
        (&[], br#"{"error": 403}"#, true),
        (&[], form, false),
        (&scope, br#"{"error": 403}"#, false),
    ] {
        assert_eq!(meaning(403, headers, body).0.spares_connection, spares, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_missing_campaign_takes_the_words_of_reddit() {
    let named = r#"{"success":false,"error":{"reason":"NOT_FOUND","explanation":"no such campaign"}}"#;
    let worded = r#"{"error":{"message":"The specified resource was not found"}}"#;
    check(&[
        (404, named, (Kind::NotFound, Some("NOT_FOUND"), None, false)),
        (404, worded, (Kind::NotFound, None, None, false)),
        (404, "<html></html>", (FAILED, None, None, false)),
        (404, "", (FAILED, None, None, false)),
        (404, r#"{"message":"Not Found","error":404}"#, (FAILED, None, None, false)),
        (404, r#"{"error":{}}"#, (FAILED, None, None, false)),
        (404, r#"{"error":{"code":null,"message":" "}}"#, (FAILED, None, None, false)),
    ]);
}

#[test]
fn a_reason_is_a_code_where_there_is_no_number() {
    let form = |inner: &str| format!(r#"{{"success":false,"error":{{{inner}}}}}"#);
    let explained = form(r#""reason":"BAD_REQUEST","explanation":"Unknown Ad Account name format""#);
    let (named, both) =
        (form(r#""reason":"NOT_ALLOWED""#), form(r#""code":400,"reason":"X","explanation":["malformed"]"#));
    check(&[
        (403, &named, (Kind::Forbidden, Some("NOT_ALLOWED"), None, false)),
        (400, &explained, (REFUSED, Some("BAD_REQUEST"), None, false)),
        (400, &both, (REFUSED, Some("400"), None, false)),
    ]);
}

#[test]
fn a_throttle_says_how_long_to_wait() {
    for (headers, expected) in [
        (vec![], 60),
        (vec![("ratelimit", "\"write\";r=0;t=17")], 17),
        (vec![("ratelimit", "\"read\";r=4;t=3, \"write\";r=0;t=41")], 41),
        (vec![("retry-after", "5")], 5),
        (vec![("retry-after", "Fri, 20 Nov 2026 12:01:30 GMT"), ("ratelimit", "\"write\";r=0;t=17")], 90),
        (vec![("ratelimit", "nonsense")], 60),
    ] {
        let (error, wait) = meaning(429, &headers, b"");
        assert_eq!((error.kind, wait), (Kind::RateLimited, Some(expected)), "{headers:?}");
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
