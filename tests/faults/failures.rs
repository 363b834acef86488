//! Responses while the store or a platform is down or does not respond.

use crate::world::{World, campaign};
use lambda_http::http::{Request, StatusCode};
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use std::sync::Arc;
use std::time::Duration;

async fn ask(world: &World, app: Arc<App>, method: &str, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path).header("x-api-key", &world.gateway.api_key);
    let body = if body.is_null() { Body::Empty } else { Body::Text(body.to_string()) };
    let response: Response<Body> = campaigns::handle(app, request.body(body).expect("a request")).await;
    (response.status(), serde_json::from_slice(response.body()).expect("JSON"))
}

#[tokio::test]
async fn a_store_that_is_down_is_500_and_nothing_is_sent() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    // Port 9 is the discard service, usually without a listener.
    let app = world.another(|config| config.aws.dynamodb_endpoint = Some("http://127.0.0.1:9".to_owned())).await;
    let body = campaign("alpha_ads", "n");
    let (status, error) = ask(&world, app, "POST", "/v1/campaigns", &body).await;
    assert_eq!((status, &error["code"]), (StatusCode::INTERNAL_SERVER_ERROR, &json!("INTERNAL_ERROR")));
    assert_eq!(error["retryable"], true);
    assert!(!error.to_string().contains("127.0.0.1"), "internal details belong in the log: {error}");
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test]
async fn a_hanging_store_is_500_before_the_gateway_times_out() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    // The backlog accepts connections; no server responds.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", silent.local_addr().expect("an address"));
    let app = world.another(|config| config.aws.dynamodb_endpoint = Some(endpoint)).await;
    let body = campaign("alpha_ads", "n");
    let response = ask(&world, app, "POST", "/v1/campaigns", &body);
    let (status, error) = tokio::time::timeout(Duration::from_secs(28), response).await.expect("a response in time");
    assert_eq!((status, &error["code"]), (StatusCode::INTERNAL_SERVER_ERROR, &json!("INTERNAL_ERROR")));
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test]
async fn a_platform_timeout_is_504_and_its_create_is_reconciled() {
    let world = World::connected("alpha_ads").await;
    let app = world.another(|config| config.platform_timeout = Duration::from_secs(3)).await;
    world.slow_fault("alpha_ads", "list", "late", 1, 60_000).await;
    let (status, error) = ask(&world, app.clone(), "GET", "/v1/campaigns", &Value::Null).await;
    assert_eq!((status, &error["code"]), (StatusCode::GATEWAY_TIMEOUT, &json!("PLATFORM_ERROR")));
    assert_eq!((&error["retryable"], &error["platform"]), (&json!(true), &json!("alpha_ads")));

    world.slow_fault("alpha_ads", "create", "slow", 1, 60_000).await;
    let body = campaign("alpha_ads", "Response lost");
    let (status, created) = ask(&world, app.clone(), "POST", "/v1/campaigns", &body).await;
    assert_eq!(
        (status, &created["name"]),
        (StatusCode::CREATED, &json!("Response lost")),
        "only the response was lost"
    );
    world.slow_fault("alpha_ads", "create", "late", 1, 60_000).await;
    let body = campaign("alpha_ads", "Unsent");
    let (status, error) = ask(&world, app, "POST", "/v1/campaigns", &body).await;
    assert_eq!((status, &error["retryable"]), (StatusCode::GATEWAY_TIMEOUT, &json!(false)));
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(
        (page["unified"].as_array().map(Vec::len), &page["unified"][0]["name"]),
        (Some(1), &json!("Response lost"))
    );
}

#[tokio::test]
async fn a_slow_platform_delays_a_list_no_longer_than_its_deadline() {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    world.create("beta_ads", "Quick").await;
    let app = world.another(|config| config.platform_timeout = Duration::from_secs(4)).await;
    world.slow_fault("alpha_ads", "list", "late", 1, 60_000).await;
    let (status, page) = ask(&world, app, "GET", "/v1/campaigns", &Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!((page["unified"].as_array().map(Vec::len), &page["unified"][0]["name"]), (Some(1), &json!("Quick")));
    assert_eq!(page["errors"][0]["platform"], "alpha_ads");
    assert_eq!((&page["errors"][0]["code"], &page["errors"][0]["retryable"]), (&json!("PLATFORM_ERROR"), &json!(true)));
}
