//! Quirks, with error bodies recorded live, and the calls that still work with all of them on.

use super::{CLIENT, JPY, Session, USD, campaign_params, parameter_error};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

fn error_of(session: &mut Session, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let (status, body) = session.call(method, path, body);
    (status, body["error"].clone())
}

#[test]
fn a_missing_permission_is_200_or_100_with_missing_permissions() {
    let mut session = Session::with_access(&[JPY], &["ads_management"]);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(session.call_error("GET", &path, &Value::Null).0, 200);
    session.quirk("missing_permissions");
    for (method, body) in [("GET", Value::Null), ("POST", campaign_params(json!({})))] {
        let (status, error) = error_of(&mut session, method, &path, &body);
        assert_eq!((status, &error["code"], &error["error_subcode"]), (400, &json!(100), &Value::Null));
        assert_eq!(error["message"], "(#100) Missing permissions");
    }
}

#[test]
fn a_lost_account_access_is_missing_permissions() {
    let mut session = Session::new();
    session.quirk("missing_permissions");
    session.platform.grants.set_access(USD, true);
    let (_, error) = error_of(&mut session, "GET", &format!("/v26.0/{USD}?fields=currency"), &Value::Null);
    assert_eq!(error["message"], "(#100) Missing permissions");
    session.platform.grants.set_access(USD, false);
    session.campaign(USD, json!({}));
}

#[test]
fn a_rule_violation_may_have_code_1_without_being_transient() {
    let mut session = Session::new();
    session.quirk("code_1_refusals");
    let path = format!("/v26.0/{USD}/campaigns");
    let (_, error) = error_of(&mut session, "POST", &path, &campaign_params(json!({ "daily_budget": 1 })));
    assert_eq!((&error["code"], &error["error_subcode"]), (&json!(1), &json!(2_853_001)));
    assert_eq!((&error["is_transient"], &error["error_user_title"]), (&json!(false), &json!("Budget is too low")));
    assert!(error["error_user_msg"].as_str().unwrap().contains("0.50 USD"), "{error}");
    assert_eq!(error["error_data"], Value::Null);
    // A parameter that cannot be parsed keeps code 100.
    assert_eq!(session.create_error(json!({ "objective": null })), parameter_error(0, ""));
    assert_eq!(session.get(&path), json!({ "data": [] }));
}

#[test]
fn one_account_fails_with_190_without_subcode_and_the_grant_lives() {
    let mut session = Session::new();
    session.get("/v26.0/me");
    assert_eq!(session.platform.accounts().len(), 5);
    session.quirk("bare_190");
    session.get("/v26.0/me");
    let card = session.platform.accounts().pop().unwrap();
    assert_eq!((card.id.as_str(), card.marks.as_slice()), ("act_1203004005000190", &["quirk"][..]));
    session.platform.grants.open(
        CLIENT.id,
        vec![USD.to_owned(), card.id.clone()],
        &["ads_management"],
        1_772_452_800,
        60,
    );
    let campaigns = format!("/v26.0/{}/campaigns", card.id);
    for (method, path, body) in [
        ("GET", campaigns.clone(), Value::Null),
        ("POST", campaigns, campaign_params(json!({}))),
        ("GET", format!("/v26.0/{}/insights", card.id), Value::Null),
    ] {
        let (_, error) = error_of(&mut session, method, &path, &body);
        assert_eq!((&error["code"], &error["error_subcode"]), (&json!(190), &Value::Null), "{method} {path}");
    }
    session.get(&format!("/v26.0/{}?fields=currency", card.id));
    session.campaign(USD, json!({}));
    session.get("/v26.0/me");
    assert_eq!(session.platform.accounts().len(), 6, "it is added once");
}

#[test]
fn a_deprecated_version_is_2635_and_writes_nothing() {
    let mut session = Session::new();
    session.quirk("dead_versions");
    for path in ["/v24.0/me", "/v19.0/me/adaccounts", "/v24.0/oauth/access_token"] {
        assert_eq!(session.call_error("GET", path, &Value::Null), (2635, 0, String::new()), "{path}");
    }
    assert_eq!(session.call_error("POST", &format!("/v24.0/{USD}/campaigns"), &campaign_params(json!({}))).0, 2635);
    assert_eq!(session.get(&format!("/v25.0/{USD}/campaigns")), json!({ "data": [] }));
}

#[test]
fn a_wrong_proof_is_100_or_104() {
    let mut session = Session::new();
    let path = "/v26.0/me?appsecret_proof=x";
    assert_eq!(session.call_error("GET", path, &Value::Null), parameter_error(0, ""));
    session.quirk("proof_104");
    assert_eq!(session.call_error("GET", path, &Value::Null), (104, 0, String::new()));
    let proof = crate::beta::auth::proof("token");
    session.get(&format!("/v26.0/me?appsecret_proof={proof}"));
}
