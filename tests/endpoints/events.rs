//! API Gateway's own events (HTTP API, payload 2.0), through each function's handler, as Lambda invokes it.

use crate::world::World;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Context, LambdaEvent, Response};
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::serve::PostResponseWork;

const EVENT: &str = include_str!("fixtures/event_v2.json");

/// The event of a request as API Gateway writes it.
fn event(world: &World, method: &str, path: &str, query: &str, body: Option<(&str, bool)>) -> Value {
    let mut event: Value = serde_json::from_str(EVENT).expect("the fixture");
    event["rawPath"] = json!(path);
    event["rawQueryString"] = json!(query);
    event["requestContext"]["http"]["method"] = json!(method);
    event["requestContext"]["http"]["path"] = json!(path);
    event["headers"]["x-api-key"] = json!(world.gateway.api_key);
    if let Some((text, is_base64)) = body {
        event["headers"]["content-type"] = json!("application/json");
        event["body"] = json!(text);
        event["isBase64Encoded"] = json!(is_base64);
    }
    event
}

async fn respond(world: &World, event: &Value) -> Response<Body> {
    let payload = serde_json::from_value(event.clone()).expect("an event of API Gateway");
    let request = shared::lambda::event::request(LambdaEvent::new(payload, Context::default()));
    let app = world.gateway.app.clone();
    match event["rawPath"].as_str().expect("a path") {
        path if path.starts_with("/v1/campaigns") => campaigns::handle(app, request).await,
        path if path.starts_with("/v1/redirect-uris") => redirect_uris::handle(app, request).await,
        path if path.starts_with("/v1/webhook-endpoints") => webhook_endpoints::handle(app, request).await,
        path if path.starts_with("/v1/usage-logs") => usage_logs::handle(app, request).await,
        "/v1/billing/webhook" => webhooks::handle(app, request).await,
        path if path.starts_with("/v1/billing") || path.starts_with("/v1/customer") => {
            billing::handle(app, request).await
        }
        _ => connections::handle(app, request).await,
    }
}

fn json_of(response: &Response<Body>) -> Value {
    serde_json::from_slice(response.body()).expect("JSON")
}

#[tokio::test]
async fn a_campaign_from_create_to_delete_in_gateway_events() {
    let world = World::connected("alpha_ads").await;
    let body = crate::world::campaign("alpha_ads", "Event").to_string();
    let created = respond(&world, &event(&world, "POST", "/v1/campaigns", "", Some((&body, false)))).await;
    assert_eq!(created.status(), StatusCode::CREATED);
    assert!(created.headers().contains_key("x-request-id"));
    let path = format!("/v1/campaigns/{}", json_of(&created)["id"].as_str().expect("an id"));

    let listed = respond(&world, &event(&world, "GET", "/v1/campaigns", "limit=1&status=PAUSED", None)).await;
    // What is read says whether it is shown; the answer to a write does not.
    let without_delivery = |mut campaign: Value| {
        campaign["delivery"] = Value::Null;
        campaign
    };
    assert_eq!(without_delivery(json_of(&listed)["unified"][0].clone()), json_of(&created));
    let read = respond(&world, &event(&world, "GET", &path, "", None)).await;
    assert_eq!(without_delivery(json_of(&read)), json_of(&created));
    let patched = respond(&world, &event(&world, "PATCH", &path, "", Some((r#"{"status":"ACTIVE"}"#, false)))).await;
    assert_eq!(json_of(&patched)["status"], "ACTIVE");
    let deleted = respond(&world, &event(&world, "DELETE", &path, "", None)).await;
    assert_eq!((deleted.status(), deleted.body().is_empty()), (StatusCode::NO_CONTENT, true));
}

#[tokio::test]
async fn a_body_in_base64_is_the_same_body() {
    use base64::Engine;
    let world = World::connected("alpha_ads").await;
    let body = crate::world::campaign("alpha_ads", "Grüße").to_string();
    let body = base64::engine::general_purpose::STANDARD.encode(body);
    let created = respond(&world, &event(&world, "POST", "/v1/campaigns", "", Some((&body, true)))).await;
    assert_eq!(json_of(&created)["name"], "Grüße");
}

#[tokio::test]
async fn a_query_in_an_event_is_read_as_it_was_sent() {
    let world = World::start().await;
    let twice = respond(&world, &event(&world, "GET", "/v1/campaigns", "limit=1&limit=2", None)).await;
    assert_eq!(twice.status(), StatusCode::BAD_REQUEST);
    assert_eq!(json_of(&twice)["details"][0]["field"], "limit");
    let encoded = respond(&world, &event(&world, "GET", "/v1/campaigns", "%6cimit=1&status=ACT%49VE", None)).await;
    assert_eq!(encoded.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_connections_function_answers_its_events() {
    let world = World::start().await;
    let authorize = respond(&world, &event(&world, "GET", "/v1/connections/alpha_ads/authorize", "", None)).await;
    assert_eq!(json_of(&authorize)["platform"], "alpha_ads");
    let listed = respond(&world, &event(&world, "GET", "/v1/connections", "", None)).await;
    assert_eq!(json_of(&listed)["connections"][0]["status"], "PENDING");
    let mut keyless = event(&world, "GET", "/v1/oauth/callback/alpha_ads", "state=x", None);
    keyless["headers"].as_object_mut().expect("headers").remove("x-api-key");
    assert_eq!(respond(&world, &keyless).await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_redirect_uris_function_answers_its_events() {
    let world = World::start().await;
    let body = Some((r#"{"uri":"https://example.com/cb"}"#, false));
    let made = respond(&world, &event(&world, "POST", "/v1/redirect-uris", "", body)).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    let listed = respond(&world, &event(&world, "GET", "/v1/redirect-uris", "", None)).await;
    assert_eq!(json_of(&listed)["data"][0], json_of(&made)["data"]);
    let path = format!("/v1/redirect-uris/{}", json_of(&made)["data"]["id"].as_str().expect("an id"));
    let removed = respond(&world, &event(&world, "DELETE", &path, "", None)).await;
    assert_eq!((removed.status(), removed.body().is_empty()), (StatusCode::NO_CONTENT, true));
}

#[tokio::test]
async fn a_response_carries_its_post_response_work_to_the_usage_log() {
    let world = World::start().await;
    let list = event(&world, "GET", "/v1/usage-logs", "", None);
    let mut first = respond(&world, &list).await;
    let rest = PostResponseWork::take_from(&mut first).expect("an entry to write");
    assert_eq!(json_of(&first)["usage_logs"], json!([]));
    assert_eq!(json_of(&respond(&world, &list).await)["usage_logs"], json!([]), "nobody has written it yet");
    rest.run().await;
    let entry = &json_of(&respond(&world, &list).await)["usage_logs"][0];
    assert_eq!((&entry["path"], &entry["request_id"]), (&json!("/v1/usage-logs"), &json!(request_id(&first))));
}

fn request_id(response: &Response<Body>) -> &str {
    response.headers()["x-request-id"].to_str().expect("text")
}

#[tokio::test]
async fn the_billing_function_answers_its_events() {
    let world = World::start().await;
    let path = "/v1/billing/create-checkout-session";
    let made = respond(&world, &event(&world, "POST", path, "", Some((r#"{"plan":"pro"}"#, false)))).await;
    let url = json_of(&made)["checkout_url"].as_str().expect("an address").to_owned();
    world.request("POST", &url).form("decision=pay").expect(303).await;
    let query = format!("session_id={}", json_of(&made)["session_id"].as_str().expect("an id"));
    let page = respond(&world, &event(&world, "GET", "/v1/billing/return", &query, None)).await;
    assert!(String::from_utf8_lossy(page.body()).contains("Your plan is pro"));
    let status = respond(&world, &event(&world, "GET", "/v1/billing/status", "", None)).await;
    assert_eq!(json_of(&status)["plan"], "pro");
    let me = respond(&world, &event(&world, "GET", "/v1/customer/me", "", None)).await;
    assert_eq!(json_of(&me)["plan"], "pro");
}

#[tokio::test]
async fn a_webhook_in_base64_is_signed_over_the_bytes_inside() {
    use base64::Engine;
    let world = World::start().await;
    let body = r#"{"id":"evt_1","object":"event","type":"customer.created","data":{"object":{"name":"Grüße"}}}"#;
    let now = Clock::system().now().as_second();
    let signature = crate::billing::webhooks::signed(&world.gateway.webhook_secret, now, body);
    let encoded = base64::engine::general_purpose::STANDARD.encode(body);
    for (text, is_base64, status) in [
        (encoded.as_str(), true, StatusCode::OK),
        (body, false, StatusCode::OK),
        (&encoded, false, StatusCode::BAD_REQUEST),
    ] {
        let mut event = event(&world, "POST", "/v1/billing/webhook", "", Some((text, is_base64)));
        event["headers"]["stripe-signature"] = json!(signature);
        event["headers"].as_object_mut().expect("headers").remove("x-api-key");
        assert_eq!(respond(&world, &event).await.status(), status, "base64: {is_base64}");
    }
}

#[tokio::test]
async fn an_event_that_matches_no_route_gets_our_404() {
    let world = World::start().await;
    let lost = respond(&world, &event(&world, "GET", "/v1/campaigns/a/b/c", "", None)).await;
    assert_eq!((lost.status(), json_of(&lost)["code"].clone()), (StatusCode::NOT_FOUND, json!("NOT_FOUND")));
}
