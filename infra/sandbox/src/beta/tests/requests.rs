//! Request formats, permissions and fault responses.

use super::{JPY, Session, USD, parameter_error, request};
use crate::faults::{Operation, RequestKind};
use crate::http::Request;
use crate::service::Service as _;
use serde_json::{Value, json};

#[test]
fn parameters_may_be_in_query_form_or_json_body() {
    let mut session = Session::new();
    let form = "name=Sale&objective=OUTCOME_SALES&status=PAUSED&special_ad_categories=%5B%5D&daily_budget=5000";
    let path = format!("/v26.0/{USD}/campaigns");
    let mut by_form = request("POST", &path, &Value::Null);
    by_form.headers.insert("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned());
    by_form.body = form.to_owned();
    assert_eq!(session.send(&by_form).status, 200);
    assert_eq!(session.send(&request("POST", &format!("{path}?{form}"), &Value::Null)).status, 200);
    // A body of any other type is ignored.
    by_form.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(session.send(&by_form).status, 400);
    let named = session.campaign(USD, json!({ "name": "null" }));
    assert_eq!(session.field(&named, "name"), "null");
    let mut broken = request("POST", &path, &json!({}));
    broken.body = "{".to_owned();
    assert_eq!(session.send(&broken).status, 400);
}

#[test]
fn an_unknown_field_is_rejected_and_an_unknown_parameter_ignored() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({ "colour": "blue" }));
    // Official clients send `summary` with every list.
    assert_eq!(session.ids(&format!("/v26.0/{USD}/campaigns?summary=true")), [id.as_str()]);
    assert_eq!(
        session.call_error("GET", &format!("/v26.0/{id}?fields=id,budget"), &Value::Null),
        parameter_error(0, "")
    );
    assert_eq!(session.call_error("GET", "/v26.0/me/adaccounts?fields=limits", &Value::Null), parameter_error(0, ""));
}

#[test]
fn an_unsupported_parameter_is_rejected() {
    let mut session = Session::new();
    for name in ["spend_cap", "promoted_object", "pacing_type"] {
        assert_eq!(session.create_error(json!({ name: "1" })).0, 3, "{name}");
    }
}

#[test]
fn a_campaign_outside_the_consent_is_not_found() {
    let mut all = Session::new();
    let id = all.campaign(USD, json!({}));
    let mut session = Session::with_access(&[JPY], &["ads_management"]);
    session.platform.accounts = all.platform.accounts;
    for unseen in [id.as_str(), "5", "0120210000000000001", "x"] {
        for method in ["GET", "POST", "DELETE"] {
            let path = format!("/v26.0/{unseen}");
            assert_eq!(session.call_error(method, &path, &Value::Null), parameter_error(33, ""), "{method} {unseen}");
        }
    }
    let denied = session.call_error("GET", &format!("/v26.0/{USD}/campaigns"), &Value::Null);
    assert_eq!(denied, (200, 0, String::new()));
    assert_eq!(session.call_error("GET", "/v26.0/act_5/campaigns", &Value::Null), parameter_error(33, ""));
    assert_eq!(session.call_error("PATCH", &format!("/v26.0/{id}"), &Value::Null), parameter_error(33, ""));
}

#[test]
fn reads_need_either_permission_and_writes_ads_management() {
    let mut session = Session::with_access(&[USD], &["ads_read"]);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(session.get(&path), json!({ "data": [] }));
    assert_eq!(session.call_error("POST", &path, &super::campaign_params(json!({}))).0, 200);
    let mut session = Session::with_access(&[USD], &["public_profile"]);
    assert_eq!(session.call_error("GET", "/v26.0/me/adaccounts", &Value::Null).0, 200);
}

#[test]
fn a_deprecated_version_is_upgraded_and_a_future_one_rejected() {
    let mut session = Session::new();
    let response = session.send(&request("GET", "/v19.0/me", &Value::Null));
    assert_eq!(response.status, 200);
    assert!(response.headers.contains(&("facebook-api-version", "v26.0".to_owned())));
    for path in ["/v27.0/me", "/me", &format!("/v26.0/{USD}/adimages")] {
        assert_eq!(session.call_error("GET", path, &Value::Null).0, 2500, "{path}");
    }
}

#[test]
fn the_limit_depends_on_the_kind_of_call() {
    let session = Session::new();
    let response = session.platform.rate_limited(&request("GET", &format!("/v26.0/{USD}/insights"), &Value::Null));
    assert!(response.body.contains("80000"), "{}", response.body);
    let response = session.platform.rate_limited(&request("GET", "/v26.0/me/adaccounts", &Value::Null));
    assert!(response.headers.iter().any(|(name, _)| *name == "x-app-usage"));
}

#[test]
fn an_internal_error_is_transient() {
    let response = Session::new().platform.internal_error(&Request::default());
    let body: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!((response.status, &body["error"]["is_transient"]), (500, &json!(true)));
}

#[test]
fn a_call_is_classified_by_what_it_does() {
    let session = Session::new();
    let call = |method: &str, path: &str, body: Value| session.platform.request_kind(&request(method, path, &body));
    for (method, path, body, operation) in [
        ("GET", "/v26.0/me/permissions", Value::Null, Operation::Permissions),
        ("GET", "/v26.0/oauth/access_token?fb_exchange_token=EAASx", Value::Null, Operation::Token),
        ("POST", "/v26.0/120", json!({ "status": "DELETED" }), Operation::Delete),
    ] {
        assert_eq!(call(method, path, body), RequestKind::Operation(operation), "{method} {path}");
    }
    assert_eq!(call("GET", "/v26.0/dialog/oauth", Value::Null), RequestKind::Page);
}
