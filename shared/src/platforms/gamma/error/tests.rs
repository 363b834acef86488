use super::*;
use crate::platforms::gamma::sample::SAMPLE;
use Kind::{Forbidden, PlatformFailed, PlatformRefused, TokenExpired};
use http::HeaderMap;

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

#[test]
fn the_code_decides_but_a_failing_server_refuses_nothing() {
    let kinds = |name| [400, 500].map(|status| SAMPLE.error_in(status, name).kind);
    assert_eq!(kinds("token-revoked"), [TokenExpired, TokenExpired]);
    assert_eq!(kinds("name-missing"), [PlatformRefused, PlatformFailed]);
    let unheard_of = SAMPLE.error_in(200, "code-of-no-family");
    assert_eq!((unheard_of.kind, unheard_of.retryable), (PlatformFailed, false), "never a success");
    for code in ["0", "20001"] {
        let body = format!(r#"{{"code":{code},"message":"OK","data":{{}}}}"#);
        assert!(classify(&response(200, body.as_bytes()), now()).is_ok());
        for status in [502, 302] {
            let kind = SAMPLE.error((status, body.clone())).kind;
            assert_eq!(kind, PlatformFailed, "a success with a status of failure is a failure");
        }
    }
}

#[test]
fn the_words_of_a_refusal_are_passed_on() {
    assert_eq!(
        SAMPLE.error_in(200, "budget-below-minimum").message.to_string(),
        "TikTok refused the request: budget: The campaign budget must be at least 50.00 USD."
    );
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
        let error = SAMPLE.error((200, serde_json::json!({"code": code, "message": message}).to_string()));
        assert_eq!((error.kind, error.retryable), (Forbidden, false), "{message}");
        assert!(error.message.contains(part) && error.message.to_string().ends_with(message), "{error}");
        assert_eq!(error.message.contains("authorize again"), part == again, "{error}");
    }
}

#[test]
fn a_token_of_another_app_is_not_a_fault_of_the_content() {
    let message = "The app_id is inconsistent with the token's app information";
    for code in [40_000, 40_001, 40_002] {
        let error = SAMPLE.error((200, serde_json::json!({"code": code, "message": message}).to_string()));
        assert_eq!((error.kind, error.retryable), (Forbidden, false), "{code}");
        assert!(error.message.contains("authorize") && error.message.contains("operator"), "{error}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.message.as_str(), reported.field), (message, None));
    }
    let content = (SAMPLE.saying)("app_id: Not a valid integer.");
    assert_eq!(SAMPLE.error(content).kind, PlatformRefused);
}
