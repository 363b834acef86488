//! Errors of the Marketing API, recorded live by others: unit tests of Airbyte's connector source-facebook-marketing.

use super::*;

const MISSING_PERMISSIONS: &str = include_str!("../fixtures/errors/missing-permissions.json");
const BEFORE_PAGE: &str = include_str!("../fixtures/errors/permission-before-page.json");
const OF_BUSINESS: &str = include_str!("../fixtures/errors/permission-of-business.json");
const NOT_LINKED: &str = include_str!("../fixtures/errors/profile-not-linked.json");
const UNKNOWN: &str = include_str!("../fixtures/errors/unknown-with-subcode.json");
const TOO_MUCH_DATA: &str = include_str!("../fixtures/errors/too-much-data.json");

fn read(status: u16, body: &str) -> Error {
    let status = StatusCode::from_u16(status).unwrap();
    let response = OutboundResponse { status, headers: HeaderMap::new(), body: body.to_owned().into() };
    error_of(&response, "2026-11-20T00:00:00Z".parse().unwrap())
}

fn code_of(error: &Error) -> Option<&str> {
    error.platform_error.as_ref().and_then(|reported| reported.code.as_deref())
}

#[test]
fn a_missing_permission_is_forbidden_under_each_of_its_codes() {
    for (status, body, code) in
        [(400, MISSING_PERMISSIONS, "100"), (403, OF_BUSINESS, "200"), (400, BEFORE_PAGE, "190")]
    {
        let error = read(status, body);
        assert_eq!((error.kind, code_of(&error), error.retryable), (Kind::Forbidden, Some(code), false), "{body}");
        let message = error.platform_error.unwrap().message;
        assert!(error.message.to_string().ends_with(&message), "{}", error.message);
    }
}

#[test]
fn a_missing_parameter_is_no_missing_permission() {
    for message in ["(#100) Missing permissions_list", "(#100) The parameter permissions is required", "Missing"] {
        let body = serde_json::json!({"error": {"code": 100, "message": message}}).to_string();
        assert_eq!(read(400, &body).kind, Kind::PlatformRefused, "{message}");
    }
}

#[test]
fn a_token_error_ends_the_grant_unless_it_is_about_a_page() {
    let body = |message: &str, subcode: &str| {
        format!(r#"{{"error":{{"code":190,"message":"{message}","error_subcode":{subcode}}}}}"#)
    };
    for message in [
        "Invalid OAuth access token - Cannot parse access token",
        "Invalid OAuth 2.0 Access Token",
        "The access token could not be decrypted",
        "Malformed access token EAAB",
        "Odd token",
        "",
    ] {
        assert_eq!(read(401, &body(message, "null")).kind, Kind::TokenExpired, "{message}");
    }
    let of_page = "A page access token is required to request this resource.";
    for (subcode, kind) in
        [("null", Kind::Forbidden), ("492", Kind::Forbidden), ("2069032", Kind::Forbidden), ("463", Kind::TokenExpired)]
    {
        assert_eq!(read(400, &body(of_page, subcode)).kind, kind, "{subcode}");
    }
}

#[test]
fn a_refusal_of_the_app_is_for_the_operator_and_spares_the_connection() {
    for (code, message) in [
        (3, "(#3) Application does not have the capability to make this API call."),
        (5, "(#5) Unauthorized source IP address"),
        (11, "(#11) This method is deprecated"),
        (12, "(#12) bid_amount field is deprecated for versions v25.0 and higher"),
        (101, "Error validating application. Cannot get application info due to a system error."),
        (190, "Error validating application. Application has been deleted."),
        (270, "(#270) This Ads API request is not allowed for apps with development access level"),
    ] {
        let body = serde_json::json!({"error": {"code": code, "message": message}}).to_string();
        let error = read(400, &body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{message}");
        assert!(error.is_for_operator && error.keeps_connection_status, "{message}");
    }
}

#[test]
fn a_subcode_is_read_from_a_number_or_a_text() {
    let body =
        |code: i64, subcode: &str| format!(r#"{{"error":{{"code":{code},"message":"m","error_subcode":{subcode}}}}}"#);
    for subcode in ["463", r#""463""#] {
        let error = read(400, &body(190, subcode));
        assert_eq!((error.kind, code_of(&error)), (Kind::TokenExpired, Some("190/463")), "{subcode}");
    }
    for subcode in [r#""soon""#, r#""""#, "{}", "[463]", "true", "1.5"] {
        let error = read(400, &body(190, subcode));
        assert_eq!((error.kind, code_of(&error)), (Kind::TokenExpired, Some("190")), "{subcode}");
    }
    assert_eq!(code_of(&read(400, &body(190, "null"))), Some("190"), "null is no subcode");
    assert_eq!(read(400, &body(100, r#""33""#)).kind, Kind::NotFound);
    let missing_permission = body(100, "{}").replace("\"m\"", "\"(#100) Missing permissions\"");
    assert_eq!(read(400, &missing_permission).kind, Kind::Forbidden, "its message decides");
}

#[test]
fn an_unknown_error_with_words_for_the_user_is_a_refusal() {
    let error = read(400, NOT_LINKED);
    assert_eq!((error.kind, code_of(&error)), (Kind::PlatformRefused, Some("1/2853001")));
    assert!(
        error.message.to_string().ends_with("profile should always be linked to delegate page"),
        "{}",
        error.message
    );
}

#[test]
fn an_unknown_error_without_such_words_is_a_failure() {
    let silent = r#"{"error":{"code":1,"message":"An unknown error occurred","is_transient":false}}"#;
    let blank = r#"{"error":{"code":1,"message":"m","is_transient":false,"error_user_msg":" "}}"#;
    let passing = r#"{"error":{"code":1,"message":"m","is_transient":true,"error_user_msg":"Try later"}}"#;
    for body in [UNKNOWN, TOO_MUCH_DATA, silent, blank, passing] {
        let error = read(500, body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{body}");
    }
}

#[test]
fn a_retired_version_and_a_wrong_proof_are_the_operators_fault() {
    for body in [
        include_str!("../fixtures/errors/version-retired.json"),
        include_str!("../fixtures/errors/signature-wrong.json"),
        include_str!("../fixtures/errors/proof-wrong.json"),
    ] {
        let error = read(400, body);
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{body}");
        assert!(error.message.contains("its operator has to look into it"), "{}", error.message);
    }
}

#[test]
fn an_unreadable_field_of_an_error_hides_neither_code_nor_words() {
    let base = serde_json::json!({"code": 100, "error_subcode": 33, "message": "Gone", "is_transient": false,
        "error_user_title": "t", "error_user_msg": "m", "error_data": {}, "fbtrace_id": "x"});
    for field in ["message", "is_transient", "error_user_title", "error_user_msg", "error_data", "fbtrace_id"] {
        for malformed in [serde_json::json!(null), serde_json::json!(7), serde_json::json!(["a"])] {
            let mut error = base.clone();
            error[field] = malformed;
            let read = read(400, &serde_json::json!({ "error": error }).to_string());
            assert_eq!((read.kind, code_of(&read)), (Kind::NotFound, Some("100/33")), "{error}");
        }
    }
}
