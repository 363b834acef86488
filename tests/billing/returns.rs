//! `GET /v1/billing/return`: a public page. It calls the provider only for checkouts of this service, and with a
//! short deadline. A process that crashes during a checkout loses none.

use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::ask;
use crate::in_process::{World, clock, json_of, location, respond};
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{CustomerId, Plan};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use shared::store::Checkout;
use std::collections::BTreeSet;
use std::future::pending;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use tokio::time::{Duration, Instant, sleep};

const CHECKOUT: &str = "/v1/billing/create-checkout-session";
/// A claim on an `Idempotency-Key` has ended by then.
const LEASE: Duration = Duration::from_secs(60);

/// The outgoing calls of a process, which stops at one of them.
#[derive(Clone)]
struct Calls(Arc<CallLog>);

struct CallLog {
    database: Straight,
    sandbox: sandbox::InProcess,
    state: Mutex<CallState>,
    stopped: Notify,
}

#[derive(Default)]
struct CallState {
    count: usize,
    /// The call at which the process stops, and whether the call takes effect.
    stop: Option<(usize, bool)>,
    /// The paths at the provider.
    provider: Vec<String>,
    /// The checkout sessions that the provider created.
    sessions: BTreeSet<String>,
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Calls")
    }
}

impl Calls {
    fn new(world: &World, stop: Option<(usize, bool)>) -> Calls {
        let database = Straight(world.database.clone());
        let sandbox = world.sandbox.clone();
        let state = Mutex::new(CallState { stop, ..CallState::default() });
        Calls(Arc::new(CallLog { database, sandbox, state, stopped: Notify::new() }))
    }

    fn app(&self, world: &World) -> Arc<App> {
        Arc::new(world.app(client_over(self.clone()), Arc::new(self.clone())))
    }

    /// Whether the process stops at this call, and if so, whether the call takes effect.
    fn begin(&self) -> Option<bool> {
        let mut state = self.0.state.lock().expect("the calls");
        state.count += 1;
        let (stop, takes_effect) = state.stop?;
        (state.count == stop).then_some(takes_effect)
    }

    async fn stop<T>(&self) -> T {
        self.0.stopped.notify_one();
        pending().await
    }

    fn provider(&self) -> Vec<String> {
        self.0.state.lock().expect("the calls").provider.clone()
    }
}

impl HttpConnector for Calls {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let calls = self.clone();
        HttpConnectorFuture::new(async move {
            let stop = calls.begin();
            if stop == Some(false) {
                return calls.stop().await;
            }
            let response = calls.0.database.call(request).await;
            if stop.is_some() { calls.stop().await } else { response }
        })
    }
}

#[async_trait]
impl Transport for Calls {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let stop = self.begin();
        if stop == Some(false) {
            return self.stop().await;
        }
        self.0.state.lock().expect("the calls").provider.push(request.url.clone());
        let is_checkout = request.url.ends_with("/v1/checkout/sessions");
        let response = ask(&self.0.sandbox, request).await.ok_or(Failure::Broken)?;
        if is_checkout {
            let id = json_of(&response.body)["id"].as_str().expect("an id").to_owned();
            self.0.state.lock().expect("the calls").sessions.insert(id);
        }
        if stop.is_some() { self.stop().await } else { Ok(response) }
    }
}

async fn world() -> World {
    let world = World::new(clock(1), Plan::Starter).await;
    world.control("POST", "stripe/webhook", &json!({})).await;
    world
}

async fn checkout(world: &World, app: &Arc<App>) -> (u16, Value) {
    let body = json!({"plan": "pro"}).to_string();
    let response = respond(app, world.request("POST", CHECKOUT, &[("idempotency-key", "k")], &body)).await;
    (response.status().as_u16(), json_of(response.body()))
}

/// Pays for a session; returns the path of its return page.
async fn pay(world: &World, session: &Value) -> String {
    let page = session["checkout_url"].as_str().expect("an address");
    location(&world.post_form(page, "decision=pay".to_owned()).await)
}

async fn load(world: &World, app: &Arc<App>, path: &str) -> (u16, String) {
    let mut request = world.request("GET", path, &[], "");
    request.headers_mut().remove("x-api-key");
    let response: Response<Body> = respond(app, request).await;
    (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
}

async fn plan_of(world: &World) -> Plan {
    let account = world.straight().store.account(world.customer, world.clock.now()).await.expect("an account");
    account.expect("an account").customer.plan
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_not_ours_never_reaches_the_provider() {
    let world = world().await;
    let (calls, stranger) = (Calls::new(&world, None), Calls::new(&world, None));
    let (status, session) = checkout(&world, &calls.app(&world)).await;
    assert_eq!(status, 200, "{session}");
    let path = pay(&world, &session).await;
    let app = stranger.app(&world);
    for path in ["/v1/billing/return?session_id=cs_test_invented", &format!("{path}x")] {
        let (status, page) = load(&world, &app, path).await;
        assert!(status == 400 && page.contains("Checkout not found"), "{path}: {status} {page}");
        assert!(page.contains("nothing is lost"), "{page}");
    }
    assert_eq!((stranger.provider(), plan_of(&world).await), (Vec::new(), Plan::Starter));

    // A week later the record has expired, and the webhook has long applied the plan.
    sleep(Duration::from_secs(7 * 24 * 60 * 60)).await;
    assert_eq!(load(&world, &app, &path).await.0, 400);
    assert_eq!(stranger.provider(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_session_of_another_payment_customer_changes_nothing() {
    let world = world().await;
    let calls = Calls::new(&world, None);
    let app = calls.app(&world);
    let (_, session) = checkout(&world, &app).await;
    let path = pay(&world, &session).await;
    let id = session["session_id"].as_str().expect("an id");
    let stranger =
        Checkout { customer: CustomerId(uuid::Uuid::from_u128(8)), payment_customer: "cus_other".to_owned() };
    app.store.put_checkout(id, &stranger, world.clock.now()).await.expect("a write");
    let (status, page) = load(&world, &app, &path).await;
    assert!(status == 400 && page.contains("Checkout not found"), "{status} {page}");
    assert_eq!(plan_of(&world).await, Plan::Starter);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_provider_holds_the_page_for_five_seconds() {
    let world = world().await;
    let calls = Calls::new(&world, None);
    let app = calls.app(&world);
    let (_, session) = checkout(&world, &app).await;
    let path = pay(&world, &session).await;
    for operation in ["checkout", "subscription"] {
        let fault = |times| json!({"platform": "stripe", "operation": operation, "fault": "slow", "times": times, "ms": 60_000});
        world.control("POST", "faults", &fault(9)).await;
        let began = Instant::now();
        let (status, page) = load(&world, &app, &path).await;
        assert!(status == 502 && page.contains("Not confirmed yet"), "{status} {page}");
        assert!(page.contains("nothing is lost") && !page.contains("Nothing was charged"), "{page}");
        assert_eq!(began.elapsed().as_secs(), 5, "{operation}");
        world.control("POST", "faults", &fault(0)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_checkout_that_crashes_at_any_point_continues_under_its_key() {
    let reference = world().await;
    let calls = Calls::new(&reference, None);
    assert_eq!(checkout(&reference, &calls.app(&reference)).await.0, 200);
    let count = calls.0.state.lock().expect("the calls").count;
    assert!(count > 8, "{count} calls");
    for stop in (1..=count).flat_map(|call| [(call, false), (call, true)]) {
        let world = world().await;
        let stopping = Calls::new(&world, Some(stop));
        let app = stopping.app(&world);
        tokio::select! {
            biased;
            () = stopping.0.stopped.notified() => {}
            answered = checkout(&world, &app) => panic!("{stop:?} does not stop it: {answered:?}"),
        }
        sleep(LEASE).await;
        let retry = Calls::new(&world, None);
        let app = retry.app(&world);
        let (status, session) = checkout(&world, &app).await;
        assert_eq!(status, 200, "{stop:?}: {session}");
        let replayed = checkout(&world, &app).await;
        assert_eq!((status, &session), (replayed.0, &replayed.1), "{stop:?}");
        let sessions: BTreeSet<String> = [&stopping, &retry]
            .iter()
            .flat_map(|calls| calls.0.state.lock().expect("the calls").sessions.clone())
            .collect();
        assert!(sessions.len() <= 1, "{stop:?} creates {sessions:?}");
        let (status, page) = load(&world, &app, &pay(&world, &session).await).await;
        assert!(status == 200 && page.contains("Your plan is pro"), "{stop:?}: {status} {page}");
        assert_eq!(plan_of(&world).await, Plan::Pro, "{stop:?}");
    }
}
