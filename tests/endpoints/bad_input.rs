//! Bad input: a 4xx that names the field, in the right shape, and nothing sent to a platform.

use crate::world::{TestResponse, World, campaign};
use serde_json::json;

/// Bodies that are no JSON objects.
const NO_OBJECTS: [&str; 12] =
    ["", "   ", "{", "null", "[]", "\"x\"", "7", "true", "{}{}", "{\"name\":\"n\",}", "{name:\"n\"}", "\u{feff}{}"];

/// Numbers outside JSON.
const NO_NUMBERS: [&str; 7] = ["NaN", "Infinity", "0x10", "1.", ".5", "+1", "01"];

/// JSON values that are no budget.
const NO_BUDGETS: [&str; 16] = [
    "0",
    "-1",
    "-0.01",
    "1e400",
    "1e-400",
    "1E+99999999999",
    "0.001",
    "50.005",
    "1e-3",
    "\"50\"",
    "null",
    "true",
    "[50]",
    "{\"amount\":50}",
    "99999999999999999999999999999999",
    "10000000000000",
];

/// Invalid values of other fields of a create.
const BAD_VALUES: [(&str, &str); 30] = [
    ("name", "\"\""),
    ("name", "\"   \""),
    ("name", "7"),
    ("name", "null"),
    ("name", "[\"n\"]"),
    ("name", "\"a\\u0000b\""),
    ("name", "\"a\\nb\""),
    ("name", "\"\\ud800\""),
    ("goal", "\"traffic\""),
    ("goal", "\"WEBSITE_TRAFFIC\""),
    ("goal", "null"),
    ("goal", "3"),
    ("budget_period", "\"MONTHLY\""),
    ("budget_period", "\"daily\""),
    ("budget_period", "{}"),
    ("platform", "\"google\""),
    ("platform", "\"Alpha_ads\""),
    ("platform", "1"),
    ("status", "\"ACTIVE\""),
    ("currency", "\"EUR\""),
    ("currency", "\"dollars\""),
    ("currency", "840"),
    ("id", "\"alpha_1_2\""),
    ("raw", "{}"),
    ("connection_id", "7"),
    ("start_at", "\"tomorrow\""),
    ("start_at", "\"2026-12-01T09:00:00\""),
    ("start_at", "1767225600"),
    ("end_at", "\"2026-02-30\""),
    ("end_at", "{}"),
];

/// A flat create with one field replaced or added, as text: the value need not be JSON.
fn with(field: &str, value: &str) -> String {
    let good = campaign("alpha_ads", "n");
    let fields = good.as_object().expect("an object").iter();
    let kept = fields.filter(|(name, _)| *name != field).map(|(name, value)| format!("\"{name}\":{value}"));
    let all: Vec<String> = kept.chain([format!("\"{field}\":{value}")]).collect();
    format!("{{{}}}", all.join(","))
}

/// Bodies of a flat create, and the field that the error must name.
fn malformed_creates() -> Vec<(String, &'static str)> {
    let mut cases: Vec<(String, &'static str)> = Vec::new();
    cases.extend(NO_OBJECTS.map(|body| (body.to_owned(), "body")));
    cases.extend(NO_NUMBERS.map(|amount| (with("budget_amount", amount), "body")));
    cases.extend(NO_BUDGETS.map(|amount| (with("budget_amount", amount), "budget_amount")));
    cases.extend(BAD_VALUES.map(|(field, value)| (with(field, value), field)));
    for character in ["x", "é", "\u{1F600}"] {
        cases.push((with("name", &format!("\"{}\"", character.repeat(256))), "name"));
    }
    cases.push((with("name", "\"n\",\"name\":\"again\""), "name"));
    cases.push((with("end_at", "\"2027-01-01\",\"start_at\":\"2027-01-02\""), "end_at"));
    cases
}

#[tokio::test]
async fn a_malformed_create_names_its_field_and_sends_nothing() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    let cases = malformed_creates();
    assert!(cases.len() >= 50, "{}", cases.len());
    for (body, field) in cases {
        let response = world.ask("POST", "/v1/campaigns").text("application/json", body.clone()).expect(400).await;
        assert_eq!(response.json()["code"], "VALIDATION_ERROR", "{body}");
        assert!(response.fields().iter().any(|named| named == field), "{body} should name {field}: {}", response.text);
        assert!(response.json()["request_id"].as_str().is_some_and(|id| id == response.header("x-request-id")));
    }
    assert_eq!(world.received("alpha_ads").await.len(), before, "nothing was sent");
}

#[tokio::test]
async fn every_missing_field_is_named_at_once() {
    let world = World::start().await;
    let response = world.ask("POST", "/v1/campaigns").json(&json!({})).expect(400).await;
    assert_eq!(response.fields(), ["name", "goal", "budget_amount", "budget_period", "platform"]);
}

#[tokio::test]
async fn a_malformed_enveloped_create_names_its_field_in_the_message() {
    let world = World::connected("alpha_ads").await;
    let good = json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 5, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": "1"});
    let cases = [
        ("organization_id", json!("")),
        ("organization_id", json!(7)),
        ("platform", json!("alpha_ads")),
        ("goal", json!("TRAFFIC")),
        ("goal", json!("UNSPECIFIED")),
        ("budget_period", json!("WEEKLY")),
        ("currency", json!("usd")),
        ("currency", json!("XXX")),
        ("connection_id", json!("conn_1")),
        ("budget_amount", json!("5")),
    ];
    for (field, value) in cases {
        let mut body = good.clone();
        body[field] = value.clone();
        let response = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
        let error = &response.json()["error"];
        assert_eq!(error["code"], "BAD_REQUEST", "{field} {value}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(field)), "{field}: {error}");
        assert_eq!(error["retryable"], false);
        assert_eq!(error["requestId"].as_str(), Some(response.header("x-request-id")));
    }
}

#[tokio::test]
async fn a_bad_query_names_its_parameter() {
    let world = World::connected("alpha_ads").await;
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e1", "limit"),
        ("limit=", "limit"),
        ("limit=10&limit=10", "limit"),
        ("platform=google", "platform"),
        ("platform=", "platform"),
        ("status=RUNNING", "status"),
        ("status=ARCHIVED", "status"),
        ("cursor=%00", "cursor"),
        ("cursor=eyJwIjoiYWxwaGFfYWRzIn0", "cursor"),
        ("page=2", "page"),
        ("Limit=2", "Limit"),
    ] {
        let response = world.ask("GET", &format!("/v1/campaigns?{query}")).expect(400).await;
        assert_eq!(response.fields(), [field], "{query}");
        let error = response.json()["error"].as_str().expect("a message").to_owned();
        assert!(error.starts_with(&format!("{field} ")), "{query}: clients show the message alone: {error}");
    }
}

#[tokio::test]
async fn a_create_with_a_query_or_a_bad_key_is_refused_and_sends_nothing() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    let body = campaign("alpha_ads", "n");
    for (query, field) in [("validate=true", "validate"), ("limit=1", "limit")] {
        let response = world.ask("POST", &format!("/v1/campaigns?{query}")).json(&body).expect(400).await;
        assert_eq!(response.fields(), [field]);
    }
    for key in ["", "two words", "\u{fc}", &"k".repeat(256)] {
        let ask = world.ask("POST", "/v1/campaigns").header("idempotency-key", key);
        assert_eq!(ask.json(&body).expect(400).await.fields(), ["Idempotency-Key"], "{key:?}");
    }
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test]
async fn a_body_with_thousands_of_fields_is_one_fault() {
    let world = World::start().await;
    let fields: Vec<String> = (0..20_000).map(|number| format!("\"f{number}\":0")).collect();
    let body = format!("{{{}}}", fields.join(","));
    let response = world.ask("POST", "/v1/campaigns").text("application/json", body).expect(400).await;
    assert_eq!(response.fields(), ["body"]);
}

#[tokio::test]
async fn a_body_of_another_type_is_415_and_one_over_the_limit_is_413() {
    let world = World::start().await;
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json-patch+json", "*/*"] {
        let response = world.ask("POST", "/v1/campaigns").text(content_type, "{}").expect(415).await;
        assert_eq!(response.json()["code"], "BAD_REQUEST");
    }
    world.ask("POST", "/v1/campaigns").text("Application/JSON; charset=utf-8", "{}").expect(400).await;
    for size in [256 * 1024 + 1, 2 * 1024 * 1024] {
        let response = world.ask("POST", "/v1/campaigns").text("application/json", vec![b' '; size]).expect(413).await;
        assert_eq!(response.json()["code"], "BAD_REQUEST", "{size}");
    }
    let just_fits = format!("{}{}", " ".repeat(256 * 1024 - 2), "{}");
    world.ask("POST", "/v1/campaigns").text("application/json", just_fits).expect(400).await;
}

#[tokio::test]
async fn a_broken_character_in_a_body_is_a_fault_of_the_body() {
    let world = World::start().await;
    let response =
        world.ask("POST", "/v1/campaigns").text("application/json", vec![b'{', 0xff, b'}']).expect(400).await;
    assert_eq!(response.fields(), ["body"]);
}

#[tokio::test]
async fn a_wrong_path_or_method_is_answered_in_our_shape() {
    let world = World::start().await;
    let not_found = |response: TestResponse| assert_eq!(response.json()["code"], "NOT_FOUND", "{response:?}");
    for path in ["/v1/nothing", "/v1/campaigns/", "/v1/campaigns/alpha_1_2/x", "/v2/campaigns", "/v1"] {
        not_found(world.ask("GET", path).expect(404).await);
    }
    for (method, path, allow) in [
        ("PUT", "/v1/campaigns", "POST, GET, HEAD"),
        ("QUERY", "/v1/campaigns", "POST, GET, HEAD"),
        ("TRACE", "/v1/campaigns/alpha_1_2", "GET, HEAD, PATCH, DELETE"),
        ("POST", "/v1/campaigns/alpha_1_2", "GET, HEAD, PATCH, DELETE"),
        ("POST", "/v1/connections", "GET, HEAD"),
        ("DELETE", "/v1/oauth/callback/alpha_ads", "GET"),
    ] {
        let response = world.ask(method, path).expect(405).await;
        assert_eq!(response.header("allow"), allow, "{method} {path}");
        assert_eq!(response.json()["code"], "BAD_REQUEST");
    }
    let response = world.ask("GET", "/v1/nothing").header("x-api-shape", "enveloped").expect(404).await;
    assert_eq!(response.json()["error"]["code"], "NOT_FOUND");
}
