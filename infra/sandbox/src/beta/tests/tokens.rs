//! Valid and invalid tokens.

use super::{CLIENT, Session, error, request};
use crate::beta::auth;
use jiff::ToSpan as _;
use serde_json::{Value, json};

fn exchange(old: &str) -> String {
    let client = format!("client_id={}&client_secret={}", CLIENT.id, CLIENT.secret);
    format!("/v26.0/oauth/access_token?grant_type=fb_exchange_token&{client}&fb_exchange_token={old}")
}

#[test]
fn only_a_live_token_can_be_exchanged_for_one_of_sixty_days() {
    let mut session = Session::new();
    let long = session.get(&exchange("token"));
    assert_eq!((&long["token_type"], &long["expires_in"]), (&json!("bearer"), &json!(5_184_000)));
    let long = long["access_token"].as_str().unwrap().to_owned();
    session.now = session.now.checked_add(59 * 24.hours()).unwrap();
    assert_eq!(session.get(&exchange(&long))["expires_in"], 5_184_000);
    session.now = session.now.checked_add(24.hours()).unwrap();
    assert_eq!(session.call_error("GET", &exchange(&long), &Value::Null), (190, 463, String::new()));
}

#[test]
fn the_lifetime_setting_applies_to_exchanged_tokens() {
    let mut session = Session::new();
    session.settings.access_token_ttl_s = Some(60);
    assert_eq!(session.get(&exchange("token"))["expires_in"], 60);
}

#[test]
fn a_missing_token_is_104_and_the_token_may_be_a_parameter() {
    let mut session = Session::new();
    let mut odd = request("GET", "/v26.0/me", &Value::Null);
    odd.headers.remove("authorization");
    assert_eq!(error(&serde_json::from_str(&session.send(&odd).body).unwrap()).0, 104);
    odd.query = "access_token=token".to_owned();
    assert_eq!(session.send(&odd).status, 200);
    assert_eq!(session.call("DELETE", "/v26.0/me/permissions", &Value::Null).1, json!({ "success": true }));
}

#[test]
fn a_sent_appsecret_proof_has_to_be_valid() {
    let mut session = Session::new();
    let proof = auth::proof("token");
    assert_eq!(session.get(&format!("/v26.0/me?appsecret_proof={proof}"))["name"], "Robin Harbour");
    session.get("/v26.0/me");
    for wrong in [auth::proof("other"), "x".to_owned(), proof.to_uppercase()] {
        let path = format!("/v26.0/me?appsecret_proof={wrong}");
        assert_eq!(session.call_error("GET", &path, &Value::Null), (100, 0, String::new()));
    }
}

#[test]
fn the_app_can_debug_a_token() {
    let mut session = Session::new();
    let mut look = |token: &str, input: &str| {
        let mut request = request("GET", "/debug_token", &Value::Null);
        request.headers.remove("authorization");
        request.query = format!("access_token={token}&input_token={input}");
        let response = session.send(&request);
        (response.status, serde_json::from_str::<Value>(&response.body).unwrap())
    };
    let app = format!("{}%7C{}", CLIENT.id, CLIENT.secret);
    let (_, body) = look(&app, "token");
    assert_eq!((&body["data"]["is_valid"], &body["data"]["expires_at"]), (&json!(true), &json!(1_772_456_400)));
    assert_eq!(body["data"]["scopes"], json!(["ads_management", "ads_read"]));
    let (status, body) = look(&app, "never");
    assert_eq!((status, &body["data"]["is_valid"], &body["data"]["error"]["code"]), (200, &json!(false), &json!(190)));
    assert_eq!(look("other%7Csecret", "token").0, 401);
}

#[test]
fn the_granted_permissions_can_be_read() {
    let body = Session::new().get("/v26.0/me/permissions");
    assert_eq!(body["data"][0], json!({ "permission": "ads_management", "status": "granted" }));
}
