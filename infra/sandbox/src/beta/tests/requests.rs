//! How calls are written, who may make them, and what faults look like.

use serde_json::{Value, json};

use super::{JPY, Scene, USD, error, refusal, request};
use crate::faults::{Call, Operation};
use crate::http::Request;
use crate::platform::Platform as _;

#[test]
fn form_query_and_json_body_mean_the_same() {
    let mut scene = Scene::new();
    let form = "name=Sale&objective=OUTCOME_SALES&status=PAUSED&special_ad_categories=%5B%5D&daily_budget=5000";
    let path = format!("/v26.0/{USD}/campaigns");
    let mut by_form = request("POST", &path, &Value::Null);
    by_form.headers.insert("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned());
    by_form.body = form.to_owned();
    assert_eq!(scene.send(&by_form).status, 200);
    assert_eq!(scene.send(&request("POST", &format!("{path}?{form}"), &Value::Null)).status, 200);
    // A body of another type is not read at all.
    by_form.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(scene.send(&by_form).status, 400);
    let named = scene.campaign(USD, json!({ "name": "null" }));
    assert_eq!(scene.field(&named, "name"), "null");
    let mut broken = request("POST", &path, &json!({}));
    broken.body = "{".to_owned();
    assert_eq!(scene.send(&broken).status, 400);
}

#[test]
fn a_field_that_does_not_exist_is_refused_and_an_unknown_parameter_ignored() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({ "colour": "blue" }));
    // Official clients send `summary` with every list.
    assert_eq!(scene.ids(&format!("/v26.0/{USD}/campaigns?summary=true")), [id.as_str()]);
    assert_eq!(scene.fails("GET", &format!("/v26.0/{id}?fields=id,budget"), &Value::Null), refusal(0, ""));
    assert_eq!(scene.fails("GET", "/v26.0/me/adaccounts?fields=limits", &Value::Null), refusal(0, ""));
}

#[test]
fn parameters_that_are_not_imitated_are_refused_and_not_ignored() {
    let mut scene = Scene::new();
    for name in ["spend_cap", "promoted_object", "pacing_type"] {
        assert_eq!(scene.refuses(json!({ name: "1" })).0, 3, "{name}");
    }
}

#[test]
fn what_is_out_of_reach_looks_like_what_is_not_there() {
    let mut all = Scene::new();
    let id = all.campaign(USD, json!({}));
    let mut scene = Scene::open_to(&[JPY], &["ads_management"]);
    scene.beta.accounts = all.beta.accounts;
    for unseen in [id.as_str(), "5", "0120210000000000001", "x"] {
        for method in ["GET", "POST", "DELETE"] {
            let path = format!("/v26.0/{unseen}");
            assert_eq!(scene.fails(method, &path, &Value::Null), refusal(33, ""), "{method} {unseen}");
        }
    }
    let denied = scene.fails("GET", &format!("/v26.0/{USD}/campaigns"), &Value::Null);
    assert_eq!(denied, (200, 0, String::new()));
    assert_eq!(scene.fails("GET", "/v26.0/act_5/campaigns", &Value::Null), refusal(33, ""));
    assert_eq!(scene.fails("PATCH", &format!("/v26.0/{id}"), &Value::Null), refusal(33, ""));
}

#[test]
fn reading_takes_either_permission_and_changing_takes_ads_management() {
    let mut scene = Scene::open_to(&[USD], &["ads_read"]);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(scene.get(&path), json!({ "data": [] }));
    assert_eq!(scene.fails("POST", &path, &super::draft(json!({}))).0, 200);
    let mut scene = Scene::open_to(&[USD], &["public_profile"]);
    assert_eq!(scene.fails("GET", "/v26.0/me/adaccounts", &Value::Null).0, 200);
}

#[test]
fn an_old_version_is_served_by_another_without_a_word_and_a_future_one_is_not() {
    let mut scene = Scene::new();
    let reply = scene.send(&request("GET", "/v19.0/me", &Value::Null));
    assert_eq!(reply.status, 200);
    assert!(reply.headers.contains(&("facebook-api-version", "v26.0".to_owned())));
    for path in ["/v27.0/me", "/me", &format!("/v26.0/{USD}/adimages")] {
        assert_eq!(scene.fails("GET", path, &Value::Null).0, 2500, "{path}");
    }
}

#[test]
fn a_throttle_is_80004_with_minutes_in_the_usage_header_and_no_retry_after() {
    let scene = Scene::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let reply = scene.beta.throttled(&request("GET", &path, &Value::Null));
    assert_eq!(error(&serde_json::from_str(&reply.body).unwrap()), (80_004, 2_446_079, String::new()));
    let header = |name: &str| reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    let usage: Value = serde_json::from_str(&header("x-business-use-case-usage").unwrap()).unwrap();
    let usage = &usage["1203004005006001"][0];
    assert_eq!((&usage["type"], &usage["estimated_time_to_regain_access"]), (&json!("ads_management"), &json!(5)));
    assert_eq!(header("retry-after"), None);
    let reply = scene.beta.throttled(&request("GET", &format!("/v26.0/{USD}/insights"), &Value::Null));
    assert!(reply.body.contains("80000"), "{}", reply.body);
    let reply = scene.beta.throttled(&request("GET", "/v26.0/me/adaccounts", &Value::Null));
    assert!(reply.headers.iter().any(|(name, _)| *name == "x-app-usage"));
}

#[test]
fn a_broken_platform_says_that_it_will_pass() {
    let reply = Scene::new().beta.broken(&Request::default());
    let body: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((reply.status, &body["error"]["is_transient"]), (500, &json!(true)));
}

#[test]
fn every_call_is_known_for_what_it_is() {
    let scene = Scene::new();
    let call = |method: &str, path: &str, body: Value| scene.beta.call(&request(method, path, &body));
    let campaigns = format!("/v26.0/{USD}/campaigns");
    for (method, path, operation) in [
        ("POST", campaigns.as_str(), Operation::Create),
        ("GET", campaigns.as_str(), Operation::List),
        ("GET", "/v26.0/120", Operation::Get),
        ("POST", "/v26.0/120", Operation::Update),
        ("DELETE", "/v26.0/120", Operation::Delete),
        ("GET", "/v26.0/me/adaccounts", Operation::Accounts),
        ("DELETE", "/v26.0/me/permissions", Operation::Revoke),
        ("GET", "/v26.0/oauth/access_token?code=x", Operation::Token),
        ("GET", "/v26.0/oauth/access_token?fb_exchange_token=EAASx", Operation::Token),
        ("GET", "/v26.0/oauth/access_token?fb_exchange_token=EAALx", Operation::Refresh),
    ] {
        assert_eq!(call(method, path, json!({})), Call::Known(operation), "{method} {path}");
    }
    assert_eq!(call("POST", "/v26.0/120", json!({ "status": "DELETED" })), Call::Known(Operation::Delete));
    assert_eq!(call("GET", "/v26.0/120/insights", Value::Null), Call::Other);
    assert_eq!(call("GET", "/v26.0/dialog/oauth", Value::Null), Call::Consent);
}
