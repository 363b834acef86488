//! Requests that reach no handler: unknown paths, wrong methods, and unknown shapes. With a valid key they count.

use crate::in_process::engine::{Straight, client_over, operation};
use crate::in_process::network::Network;
use crate::in_process::{self, World, json_of, respond};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use lambda_http::{Body, Request, Response};
use serde_json::json;
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::domain::{CustomerId, Plan};
use shared::serve::PostResponseWork;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use uuid::Uuid;

/// Method, path, `X-API-Shape` and status.
const REQUESTS: [(&str, &str, &str, u16); 4] = [
    ("GET", "/v1/nothing", "flat", 404),
    ("PUT", "/v1/campaigns", "flat", 405),
    ("GET", "/v1/campaigns", "odd", 400),
    ("GET", "/v1/nothing", "odd", 404),
];

/// Records the operations of a store client.
#[derive(Clone)]
struct Recorded {
    inner: Straight,
    operations: Arc<Mutex<Vec<String>>>,
}

impl std::fmt::Debug for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recorded")
    }
}

impl HttpConnector for Recorded {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.operations.lock().expect("the operations").push(operation(&request).to_owned());
        self.inner.call(request)
    }
}

impl Recorded {
    fn new(world: &World) -> Recorded {
        Recorded { inner: Straight(world.database.clone()), operations: Arc::default() }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.operations.lock().expect("the operations"))
    }
}

async fn starter() -> (World, Recorded, Arc<App>) {
    let world = World::new(in_process::clock(1), Plan::Starter).await;
    let store = Recorded::new(&world);
    let app = Arc::new(world.app(client_over(store.clone()), Arc::new(Network(world.sandbox.clone()))));
    (world, store, app)
}

fn request(world: &World, (method, path, shape, _): (&str, &str, &str, u16)) -> Request {
    world.request(method, path, &[("x-api-shape", shape)], "")
}

fn with_key(mut request: Request, key: &ApiKey) -> Request {
    request.headers_mut().insert("x-api-key", key.reveal().parse().expect("a header"));
    request
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("text"))
}

async fn used(world: &World, app: &App) -> u64 {
    let account = app.store.account(world.customer, app.clock.now()).await.expect("a read");
    account.expect("an account").usage.requests_used
}

#[tokio::test(start_paused = true)]
async fn a_request_without_a_handler_counts_against_the_rate() {
    for case @ (.., status) in REQUESTS {
        let (world, _, app) = starter().await;
        let burst = Plan::Starter.limits().burst;
        for number in 0..burst {
            let admitted = respond(&app, request(&world, case)).await;
            assert_eq!(admitted.status(), status, "{case:?}, {number}");
            assert!(header(&admitted, "ratelimit").contains("quota"), "{case:?}: {admitted:?}");
        }
        let refused = respond(&app, request(&world, case)).await;
        assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (429, "1"), "{case:?}");
        assert_eq!(json_of(refused.body())["code"], "RATE_LIMITED", "{case:?}");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(respond(&app, request(&world, case)).await.status(), status, "{case:?}, a second later");
        assert_eq!(used(&world, &app).await, u64::from(burst) + 1, "{case:?}: 429 does not count");
    }
}

#[tokio::test(start_paused = true)]
async fn every_admitted_or_refused_request_is_in_the_usage_log_once() {
    for case in REQUESTS {
        let (world, store, app) = starter().await;
        for _ in 0..=Plan::Starter.limits().burst {
            store.take();
            let mut response = respond(&app, request(&world, case)).await;
            let before = store.take();
            assert!(before.iter().all(|operation| operation == "UpdateItem" || operation == "Query"), "{before:?}");
            PostResponseWork::take_from(&mut response).expect("an entry").run().await;
            assert_eq!(store.take(), ["PutItem"], "{case:?}: {response:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_key_on_an_unknown_path_is_404_and_costs_one_update() {
    let (world, store, app) = starter().await;
    let strangers = [world.customer, CustomerId(Uuid::from_u128(8))];
    for (case, customer) in REQUESTS.into_iter().flat_map(|case| strangers.map(|customer| (case, customer))) {
        let wrong = ApiKey::generate(customer, Mode::Test).expect("a key");
        let before = used(&world, &app).await;
        let expected = if case.3 == 400 { 401 } else { case.3 };
        store.take();
        let mut response = respond(&app, with_key(request(&world, case), &wrong)).await;
        assert_eq!((response.status().as_u16(), header(&response, "ratelimit")), (expected, ""), "{case:?}");
        if let Some(work) = PostResponseWork::take_from(&mut response) {
            work.run().await;
        }
        let operations = store.take();
        if expected != 401 {
            assert_eq!(operations, ["UpdateItem"], "{case:?}");
        }
        assert_eq!(used(&world, &app).await, before);
    }
}

#[tokio::test(start_paused = true)]
async fn a_malformed_or_missing_key_on_an_unknown_path_costs_nothing() {
    let (world, store, app) = starter().await;
    for key in ["", "uac_test_odd"] {
        for case in REQUESTS {
            let mut request = request(&world, case);
            request.headers_mut().insert("x-api-key", key.parse().expect("a header"));
            store.take();
            let mut response = respond(&app, request).await;
            assert_eq!(response.status(), if case.3 == 400 { 401 } else { case.3 }, "{case:?}");
            assert!(PostResponseWork::take_from(&mut response).is_none(), "{case:?}");
            assert!(store.take().is_empty(), "{case:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_path_reports_an_exhausted_quota_or_a_disabled_account() {
    let (world, store, app) = starter().await;
    let quota = json!({"TableName": in_process::engine::TABLE,
        "Key": {"pk": {"S": shared::store::table_keys::customer(world.customer)}, "sk": {"S": "ACCOUNT"}},
        "UpdateExpression": "SET used = :used", "ExpressionAttributeValues": {":used": {"N": "10000"}}});
    world.database.update_item(serde_json::from_value(quota).expect("a request")).expect("a write");
    let refused = respond(&app, request(&world, REQUESTS[0])).await;
    assert_eq!(json_of(refused.body())["code"], "RATE_LIMIT_EXCEEDED", "{refused:?}");
    app.store.set_disabled(world.customer, true).await.expect("a write");
    store.take();
    assert_eq!(respond(&app, request(&world, REQUESTS[0])).await.status(), 403);
}
