//! A thousand histories of subscriptions, told by webhooks that come one to five times, in any order, at the same
//! time, and again when their answer was lost: under a paused clock, over the real function, in a table and at a
//! provider that are slow and fail at times. Whatever happens, in the end we believe what the provider says.
//!
//! `HISTORY_SEED=4711 cargo test -p tests billing_histories` tells one of them again.

use crate::billing::webhooks::signed;
use crate::in_process::engine::{TABLE, client_over, serve, table};
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::Database;
use http::{HeaderMap, StatusCode};
use jiff::{SignedDuration, Timestamp};
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, Plan};
use shared::metrics::Metrics;
use shared::outbound::{Answer, Failure, Outbound, Outgoing, Transport};
use shared::payments::Provider;
use shared::secrets::ReloadingVault;
use shared::store::{Account, Store};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

const HISTORIES: u64 = 1_000;
const SECRET: &str = "whsec_of_the_histories";
const PAYER: &str = "cus_of_the_history";
const MONTH_S: i64 = 30 * 24 * 60 * 60;
const KINDS: [&str; 5] = [
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "checkout.session.completed",
    "invoice.paid",
];

/// xorshift64*: everything that happens follows from the seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % end
    }

    fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.below(most))
    }

    /// Of a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).expect("an index")]
    }
}

/// A subscription at the provider.
#[derive(Clone, Debug)]
struct Subscription {
    id: String,
    created: i64,
    status: &'static str,
    plan: &'static str,
    periods: i64,
    cancels: bool,
}

impl Subscription {
    fn is_over(&self) -> bool {
        self.status == "canceled"
    }

    fn plan_had(&self) -> &'static str {
        if matches!(self.status, "active" | "trialing" | "past_due") { self.plan } else { "starter" }
    }

    fn start(&self) -> i64 {
        self.created + self.periods * MONTH_S
    }

    fn object(&self) -> Value {
        json!({
            "id": self.id, "object": "subscription", "customer": PAYER, "status": self.status, "created": self.created,
            "cancel_at_period_end": self.cancels, "metadata": {}, "items": {"object": "list", "has_more": false,
                "data": [{"id": "si_1", "price": {"id": format!("price_{}", self.plan)},
                    "current_period_start": self.start(), "current_period_end": self.start() + MONTH_S}]},
        })
    }
}

/// What a history is made of.
struct Story {
    random: Random,
    subscriptions: Vec<Subscription>,
    reads: usize,
    events: Vec<String>,
    faults: bool,
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Story>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Story> {
        self.0.lock().expect("the story")
    }

    fn below(&self, end: u64) -> u64 {
        self.lock().random.below(end)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

impl Story {
    /// Something happens to the customer, and one or two events tell of it.
    fn turn(&mut self, now: i64) {
        let going = self.subscriptions.last().is_some_and(|last| !last.is_over());
        if going {
            self.change();
        } else {
            let number = self.subscriptions.len();
            // Two begin in the same second at times.
            let created = self.subscriptions.last().map_or(now, |last| now.max(last.created + 1));
            self.subscriptions.push(Subscription {
                id: format!("sub_{number}"),
                created,
                status: self.random.pick(&["active", "trialing", "incomplete"]),
                plan: self.random.pick(&["starter", "pro", "enterprise"]),
                periods: 0,
                cancels: false,
            });
        }
        let last = self.subscriptions.last().expect("a subscription").object();
        for _ in 0..=self.random.below(2) {
            let id = format!("evt_{}", self.events.len());
            let kind = self.random.pick(&KINDS);
            let event = json!({"id": id, "object": "event", "type": kind, "created": now, "data": {"object": last}});
            self.events.push(event.to_string());
        }
    }

    fn change(&mut self) {
        let (what, plan) = (self.random.below(7), self.random.pick(&["starter", "pro", "enterprise"]));
        let last = self.subscriptions.last_mut().expect("a subscription");
        match what {
            0 => last.plan = plan,
            1 => last.status = "past_due",
            2 => last.status = "active",
            3 => last.status = "unpaid",
            4 => last.cancels = !last.cancels,
            5 => last.periods += 1,
            _ => last.status = "canceled",
        }
    }
}

/// The provider: it tells how things stood at some moment between question and answer.
#[async_trait]
impl Transport for Shared {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let there = self.lock().random.millis(100);
        sleep(there).await;
        assert!(outgoing.url.starts_with("http://provider/v1/subscriptions?customer="), "{}", outgoing.url);
        let (data, back, weather) = {
            let mut story = self.lock();
            story.reads += 1;
            let faults = story.faults;
            let data: Vec<Value> = story.subscriptions.iter().rev().map(Subscription::object).collect();
            // Some answers are old news by the time they arrive.
            let most = if story.random.chance(25) { 7_000 } else { 100 };
            (data, story.random.millis(most), if faults { story.random.below(100) } else { 99 })
        };
        sleep(back).await;
        let body = json!({"object": "list", "has_more": false, "url": "/v1/subscriptions", "data": data}).to_string();
        let answer = |status: StatusCode, body: String| Answer { status, headers: HeaderMap::new(), body: body.into() };
        match weather {
            0..3 => Err(Failure::Broken),
            3..6 => Ok(answer(StatusCode::INTERNAL_SERVER_ERROR, "{}".to_owned())),
            6..8 => Ok(answer(StatusCode::TOO_MANY_REQUESTS, "{}".to_owned())),
            _ => Ok(answer(StatusCode::OK, body)),
        }
    }
}

/// The way to the table.
#[derive(Clone, Debug)]
struct Wire {
    story: Shared,
    database: DebuglessDatabase,
}

#[derive(Clone)]
struct DebuglessDatabase(Database);

impl std::fmt::Debug for DebuglessDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

impl HttpConnector for Wire {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let wire = self.clone();
        HttpConnectorFuture::new(async move { wire.carry(request).await })
    }
}

impl Wire {
    /// Slow, and one answer in thirty is lost after the work was done.
    async fn carry(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let (there, is_lost) = {
            let mut story = self.story.lock();
            let faults = story.faults;
            (story.random.millis(60), faults && story.random.chance(3))
        };
        sleep(there).await;
        let answer = serve(&self.database.0, &request);
        if is_lost {
            return Err(ConnectorError::io("the answer was lost".into()));
        }
        Ok(answer)
    }
}

fn store(story: &Shared) -> Store {
    let wire = Wire { story: story.clone(), database: DebuglessDatabase(table()) };
    Store::new(client_over(wire), TABLE)
}

fn service(story: &Shared) -> Arc<App> {
    let outbound = Outbound::with_transport(Arc::new(story.clone()));
    let credentials = json!({
        "secret_key": "sk_test_1", "webhook_secrets": [SECRET],
        "prices": {"starter": "price_starter", "pro": "price_pro", "enterprise": "price_enterprise"},
    });
    let credentials = serde_json::from_value(credentials).expect("credentials");
    let provider = Provider::new(outbound.clone(), credentials, "http://provider").expect("a provider");
    let ring = json!({"active": "k1", "keys": {"k1": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}});
    let ring = serde_json::from_value(ring).expect("a key ring");
    let (began, first) = (Instant::now(), Timestamp::from_second(1_795_166_130).expect("a time"));
    Arc::new(App {
        store: store(story),
        vault: ReloadingVault::fixed(&ring).expect("a key ring"),
        outbound,
        clock: Clock::from_fn(move || first + SignedDuration::try_from(began.elapsed()).expect("a time")),
        platform_timeout: Duration::from_secs(25),
        public_base_url: None,
        platforms: BTreeMap::new(),
        payments: Some(provider),
        metrics: Metrics::default(),
    })
}

/// Delivers an event until it is taken; a fifth of the answers never arrive.
async fn deliver(app: Arc<App>, story: Shared, body: String, wait: Duration) {
    sleep(wait).await;
    for _ in 0..200 {
        let signature = signed(SECRET, app.clock.now().as_second(), &body);
        let request = http::Request::post("http://service/v1/billing/webhook").header("stripe-signature", signature);
        let request: Request = request.body(Body::Text(body.clone())).expect("a request");
        let taken = billing::answer(app.clone(), request).await.status() == StatusCode::OK;
        let (is_lost, pause) = {
            let mut story = story.lock();
            (story.faults && story.random.chance(20), story.random.millis(5_000))
        };
        if taken && !is_lost {
            return;
        }
        sleep(pause).await;
    }
    panic!("an event is never taken: {body}");
}

/// Lives through one history and says what is wrong with its end.
async fn live(seed: u64) -> Result<(), String> {
    let random = Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let story = Story { random, subscriptions: Vec::new(), reads: 0, events: Vec::new(), faults: false };
    let story = Shared(Arc::new(Mutex::new(story)));
    let app = service(&story);
    let customer = open_account(&app).await;
    story.lock().faults = true;

    let mut deliveries = JoinSet::new();
    let turns = 2 + story.below(5);
    for _ in 0..turns {
        let first = {
            let mut story = story.lock();
            let first = story.events.len();
            story.turn(app.clock.now().as_second());
            first
        };
        let told = story.lock().events[first..].to_vec();
        for event in told {
            let copies = 1 + story.below(5);
            for _ in 0..copies {
                let wait = Duration::from_millis(story.below(3_000));
                deliveries.spawn(deliver(app.clone(), story.clone(), event.clone(), wait));
            }
        }
        let pause = Duration::from_millis(story.below(3_000));
        sleep(pause).await;
    }
    while let Some(delivered) = deliveries.join_next().await {
        delivered.map_err(|error| error.to_string())?;
    }
    story.lock().faults = false;
    end_is_right(&app, &story, customer).await?;
    nothing_is_taken_twice(&app, &story, customer).await
}

async fn open_account(app: &App) -> CustomerId {
    let id = CustomerId(Uuid::from_u128(7));
    let email = "buyer@example.com".to_owned();
    let customer = Customer { id, email, plan: Plan::Starter, created_at: app.clock.now(), disabled: false };
    app.store.create_account(&Account::new(customer, String::new())).await.expect("an account");
    app.store.bind_payment_customer(id, PAYER).await.expect("a payer");
    id
}

async fn end_is_right(app: &App, story: &Shared, customer: CustomerId) -> Result<(), String> {
    let last = story.lock().subscriptions.last().expect("a subscription").clone();
    let billing = app.store.billing(customer).await.expect("billing");
    let state = billing.state.ok_or("nothing is stored")?;
    let account = app.store.account(customer, app.clock.now()).await.expect("an account").expect("an account");
    let (account, usage) = (account.customer, account.usage);
    let said = (last.id.as_str(), last.status, last.plan_had(), last.start(), last.cancels);
    let ours = (
        state.subscription_id.as_str(),
        state.status.as_str(),
        state.plan.as_str(),
        state.period_start.as_second(),
        state.cancel_at_period_end,
    );
    if ours != said {
        return Err(format!("the provider says {said:?}, we say {ours:?}"));
    }
    if account.plan.as_str() != last.plan_had() {
        return Err(format!("the account has plan {}, {said:?}", account.plan.as_str()));
    }
    if state.status.grants_access() && usage.period_start.as_second() != last.start() {
        return Err(format!("the account counts from {}, {said:?}", usage.period_start));
    }
    Ok(())
}

/// Every event comes once more: the provider is not asked, and nothing is written.
async fn nothing_is_taken_twice(app: &Arc<App>, story: &Shared, customer: CustomerId) -> Result<(), String> {
    let before = app.store.billing(customer).await.expect("billing");
    let (reads, events) = {
        let story = story.lock();
        (story.reads, story.events.clone())
    };
    for event in events {
        deliver(app.clone(), story.clone(), event, Duration::ZERO).await;
    }
    let after = app.store.billing(customer).await.expect("billing");
    let read_again = story.lock().reads - reads;
    if after != before || read_again > 0 {
        return Err(format!("events were taken twice: {read_again} reads, {before:?} {after:?}"));
    }
    Ok(())
}

#[test]
fn in_the_end_we_believe_what_the_provider_says_even_seeds() {
    live_all(0);
}

#[test]
fn in_the_end_we_believe_what_the_provider_says_odd_seeds() {
    live_all(1);
}

/// Every second history, so that two halves run side by side.
fn live_all(first: u64) {
    let one: Option<u64> = std::env::var("HISTORY_SEED").ok().and_then(|text| text.parse().ok());
    let is_asked_for = |seed: &u64| one.is_none_or(|one| one == *seed);
    for seed in (first..HISTORIES.max(one.unwrap_or_default() + 1)).step_by(2).filter(is_asked_for) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        if let Err(fault) = runtime.expect("a runtime").block_on(live(seed)) {
            panic!("HISTORY_SEED={seed}: {fault}");
        }
    }
}
