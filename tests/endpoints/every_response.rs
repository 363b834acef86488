//! The headers of every response, whichever function gives it: the request id, and HTTPS from then on.

use crate::in_process::{self, World, json_of, respond};
use crate::world;
use lambda_http::{Body, Context, Request, RequestExt, Response};
use shared::app::App;
use shared::domain::Plan;
use shared::serve::PostResponseWork;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Lambda's id of an invocation.
const INVOCATION: &str = "4b1f0c9e-6d1d-4c55-9a3e-0f1d2c3b4a59";

/// A page, JSON, an empty body, errors of both kinds, and paths that no endpoint has.
const REQUESTS: [(&str, &str, u16); 12] = [
    ("GET", "/v1/docs", 200),
    ("GET", "/v1/docs/campaigns", 200),
    ("GET", "/v1/docs/nothing", 404),
    ("GET", "/dashboard/", 303),
    ("GET", "/v1/openapi.json", 200),
    ("GET", "/v1/connections", 200),
    ("DELETE", "/v1/connections/unknown", 404),
    ("GET", "/v1/campaigns?limit=0", 400),
    ("GET", "/v1/oauth/callback/alpha_ads?state=unknown", 400),
    ("PUT", "/v1/campaigns", 405),
    ("GET", "/v1/nothing", 404),
    ("GET", "/wp-login.php", 404),
];

async fn world() -> World {
    World::new(in_process::clock(1), Plan::Pro).await
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().expect("text"))
}

/// Answers a request of an invocation.
async fn invoke(app: &Arc<App>, request: Request, invocation: &str) -> Response<Body> {
    let mut context = Context::default();
    invocation.clone_into(&mut context.request_id);
    respond(app, request.with_lambda_context(context)).await
}

#[tokio::test]
async fn the_request_id_is_the_id_of_the_invocation() {
    let world = world().await;
    let app = Arc::new(world.straight());
    for (method, path, status) in REQUESTS {
        let response = invoke(&app, world.request(method, path, &[], ""), INVOCATION).await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "x-request-id")),
            (status, Some(INVOCATION)),
            "{path}"
        );
    }
    let error = invoke(&app, world.request("GET", "/", &[], ""), INVOCATION).await;
    assert_eq!(json_of(error.body())["request_id"], INVOCATION);
}

#[tokio::test]
async fn a_runtime_without_unique_ids_gets_new_ones() {
    let world = world().await;
    let app = Arc::new(world.straight());
    let nil = "00000000-0000-0000-0000-000000000000";
    let mut seen = BTreeSet::from([nil.to_owned()]);
    for invocation in ["", "7", "local", nil, nil, "7"] {
        let response = invoke(&app, world.request("GET", "/", &[], ""), invocation).await;
        let id = header(&response, "x-request-id").expect("an id").to_owned();
        assert!(id.len() == INVOCATION.len() && seen.insert(id), "{invocation}: {response:?}");
    }
}

#[tokio::test]
async fn a_public_address_with_https_demands_https_everywhere() {
    let world = world().await;
    let app = Arc::new(world.straight());
    for (method, path, status) in REQUESTS {
        let response = respond(&app, world.request(method, path, &[("x-forwarded-proto", "http")], "")).await;
        let demand = header(&response, "strict-transport-security");
        assert_eq!((response.status().as_u16(), demand), (status, Some("max-age=31536000")), "{method} {path}");
    }
}

#[tokio::test]
async fn without_a_public_address_the_header_of_api_gateway_decides() {
    let world = world().await;
    let mut app = world.straight();
    app.public_base_url = None;
    let app = Arc::new(app);
    for (headers, is_https) in
        [(&[("x-forwarded-proto", "https")][..], true), (&[("x-forwarded-proto", "http")], false), (&[], false)]
    {
        let response = respond(&app, world.request("GET", "/v1/docs", headers, "")).await;
        assert_eq!(header(&response, "strict-transport-security").is_some(), is_https, "{headers:?}");
    }
}

#[tokio::test]
async fn a_server_on_http_never_demands_https() {
    let world = world::World::start().await;
    for (method, path, status) in REQUESTS {
        let request = world.ask(method, path).header("x-forwarded-proto", "https");
        let response = request.expect(status).await;
        assert!(!response.headers.contains_key("strict-transport-security"), "{method} {path}: {response:?}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_in_the_usage_log_only_below_v1() {
    let world = world().await;
    let app = Arc::new(world.straight());
    for (method, path, is_logged) in [
        ("GET", "/v1/nothing", true),
        ("PUT", "/v1/campaigns", true),
        ("POST", "/v1/docs", false),
        ("GET", "/", false),
        ("GET", "/v1", false),
        ("GET", "/nothing", false),
    ] {
        let mut response = respond(&app, world.request(method, path, &[], "")).await;
        assert_eq!(PostResponseWork::take_from(&mut response).is_some(), is_logged, "{method} {path}");
    }
}
