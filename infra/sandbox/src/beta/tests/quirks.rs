//! Quirks: error bodies that were recorded live, and the accounts that they come from.

use serde_json::{Value, json};

use super::{CLIENT, JPY, Scene, USD, draft, refusal};
use crate::platform::Platform as _;
use crate::quirks::{ALL, switch};

fn error_of(scene: &mut Scene, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let (status, body) = scene.call(method, path, body);
    (status, body["error"].clone())
}

#[test]
fn a_missing_right_is_200_or_100_with_missing_permissions() {
    let mut scene = Scene::open_to(&[JPY], &["ads_management"]);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(scene.fails("GET", &path, &Value::Null).0, 200);
    scene.quirk("missing_permissions");
    for (method, body) in [("GET", Value::Null), ("POST", draft(json!({})))] {
        let (status, error) = error_of(&mut scene, method, &path, &body);
        assert_eq!((status, &error["code"], &error["error_subcode"]), (400, &json!(100), &Value::Null));
        assert_eq!(error["message"], "(#100) Missing permissions");
    }
}

#[test]
fn a_lost_right_is_refused_as_missing_permissions() {
    let mut scene = Scene::new();
    scene.quirk("missing_permissions");
    scene.beta.grants.set_access(USD, true);
    let (_, error) = error_of(&mut scene, "GET", &format!("/v26.0/{USD}?fields=currency"), &Value::Null);
    assert_eq!(error["message"], "(#100) Missing permissions");
    scene.beta.grants.set_access(USD, false);
    scene.campaign(USD, json!({}));
}

#[test]
fn a_broken_rule_may_come_as_code_1_that_is_not_transient() {
    let mut scene = Scene::new();
    scene.quirk("code_1_refusals");
    let path = format!("/v26.0/{USD}/campaigns");
    let (_, error) = error_of(&mut scene, "POST", &path, &draft(json!({ "daily_budget": 1 })));
    assert_eq!((&error["code"], &error["error_subcode"]), (&json!(1), &json!(2_853_001)));
    assert_eq!((&error["is_transient"], &error["error_user_title"]), (&json!(false), &json!("Budget is too low")));
    assert!(error["error_user_msg"].as_str().unwrap().contains("0.50 USD"), "{error}");
    assert_eq!(error["error_data"], Value::Null);
    // A parameter that cannot be read is still told by the parser.
    assert_eq!(scene.refuses(json!({ "objective": null })), refusal(0, ""));
    assert_eq!(scene.get(&path), json!({ "data": [] }));
}

#[test]
fn one_account_answers_190_without_subcode_and_the_grant_lives() {
    let mut scene = Scene::new();
    scene.get("/v26.0/me");
    assert_eq!(scene.beta.accounts().len(), 5);
    scene.quirk("bare_190");
    scene.get("/v26.0/me");
    let card = scene.beta.accounts().pop().unwrap();
    assert_eq!((card.id.as_str(), card.marks.as_slice()), ("act_1203004005000190", &["quirk"][..]));
    scene.beta.grants.open(CLIENT.id, vec![USD.to_owned(), card.id.clone()], &["ads_management"], 1_772_452_800, 60);
    let campaigns = format!("/v26.0/{}/campaigns", card.id);
    for (method, path, body) in [
        ("GET", campaigns.clone(), Value::Null),
        ("POST", campaigns, draft(json!({}))),
        ("GET", format!("/v26.0/{}/insights", card.id), Value::Null),
    ] {
        let (_, error) = error_of(&mut scene, method, &path, &body);
        assert_eq!((&error["code"], &error["error_subcode"]), (&json!(190), &Value::Null), "{method} {path}");
    }
    scene.get(&format!("/v26.0/{}?fields=currency", card.id));
    scene.campaign(USD, json!({}));
    scene.get("/v26.0/me");
    assert_eq!(scene.beta.accounts().len(), 6, "it opens once");
}

#[test]
fn a_dead_version_is_2635_and_nothing_is_done() {
    let mut scene = Scene::new();
    scene.quirk("dead_versions");
    for path in ["/v24.0/me", "/v19.0/me/adaccounts", "/v24.0/oauth/access_token"] {
        assert_eq!(scene.fails("GET", path, &Value::Null), (2635, 0, String::new()), "{path}");
    }
    assert_eq!(scene.fails("POST", &format!("/v24.0/{USD}/campaigns"), &draft(json!({}))).0, 2635);
    assert_eq!(scene.get(&format!("/v25.0/{USD}/campaigns")), json!({ "data": [] }));
}

#[test]
fn a_wrong_proof_is_100_or_104() {
    let mut scene = Scene::new();
    let path = "/v26.0/me?appsecret_proof=x";
    assert_eq!(scene.fails("GET", path, &Value::Null), refusal(0, ""));
    scene.quirk("proof_104");
    assert_eq!(scene.fails("GET", path, &Value::Null), (104, 0, String::new()));
    let proof = crate::beta::auth::proof("token");
    scene.get(&format!("/v26.0/me?appsecret_proof={proof}"));
}

#[test]
fn with_every_quirk_on_a_campaign_is_made_changed_and_deleted() {
    let mut scene = Scene::new();
    switch(scene.beta.quirks(), &mut scene.settings.quirks, ALL, true).unwrap();
    let id = scene.campaign(USD, json!({ "bid_strategy": "LOWEST_COST_WITHOUT_CAP" }));
    let path = format!("/v26.0/{id}");
    for change in [json!({ "name": "Other" }), json!({ "daily_budget": 7000 }), json!({ "status": "ACTIVE" })] {
        assert_eq!(scene.call("POST", &path, &change).0, 200, "{change}");
    }
    let read = scene.get(&format!("{path}?fields=name,status,daily_budget"));
    assert_eq!(read, json!({ "id": id, "name": "Other", "status": "ACTIVE", "daily_budget": "7000" }));
    assert_eq!(scene.ids(&format!("/v26.0/{USD}/campaigns")), [id.as_str()]);
    assert_eq!(scene.call("DELETE", &path, &Value::Null).0, 200);
}
