//! The world of one run: a table, the platforms, a customer with connected ad accounts, and as many processes as it
//! takes.

use super::point::Fates;
use super::process::Process;
use super::story::Story;
use super::wires::{PlatformWire, StoreWire, ask};
use crate::simulation::engine::client_over;
use crate::simulation::service::{TABLE, table};
use bytes::Bytes;
use dynoxide::Database;
use http::{HeaderMap, Method};
use jiff::{SignedDuration, Timestamp};
use lambda_http::{Body, Response};
use sandbox::Inside;
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, Plan, Platform};
use shared::metrics::Metrics;
use shared::outbound::{Outbound, Outgoing};
use shared::platforms::settings::Settings;
use shared::platforms::site::{Client, Site};
use shared::secrets::Keys;
use shared::store::{Account, Store};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant};
use uuid::Uuid;

/// An ad account.
pub(super) type Target = (Platform, String);

/// Everything that outlives a process.
pub(super) struct World {
    pub(super) story: Story,
    pub(super) targets: Vec<Target>,
    pub(super) customer: CustomerId,
    pub(super) api_key: String,
    database: Database,
    sandbox: Inside,
    clock: Clock,
    /// How often a process's client of the table tries.
    store_attempts: u32,
    /// What each process is to meet, in the order in which they start; those without a plan meet nothing.
    plans: Mutex<Plans>,
}

/// What the processes of a run are to meet.
#[derive(Default)]
struct Plans {
    fates: Vec<Fates>,
    /// What those beyond meet.
    others: Option<Fates>,
    started: usize,
}

/// A process and the service in it.
pub(super) struct Service {
    pub(super) process: Process,
    pub(super) app: Arc<App>,
}

/// How a world is made.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// So many ad accounts on each of these platforms.
    pub(super) accounts: Vec<(Platform, usize)>,
    pub(super) store_attempts: u32,
    pub(super) in_words: bool,
}

impl World {
    /// A world in which all accounts are connected.
    pub(super) async fn new(setting: &Setting) -> World {
        let began = Instant::now();
        // A day behind the real time: a start that an adapter takes from that one is never in the past here.
        let today = Timestamp::from_second(Timestamp::now().as_second() / 60 * 60).expect("a time");
        let first = today - SignedDuration::from_hours(24);
        let clock = Clock::reading(move || first + SignedDuration::try_from(began.elapsed()).expect("a time"));
        let of_sandbox = clock.clone();
        let customer = CustomerId(Uuid::from_u128(7));
        let key = ApiKey::generate(customer, Mode::Test).expect("a key");
        let mut world = World {
            story: Story::new(setting.in_words),
            targets: Vec::new(),
            customer,
            api_key: key.reveal().to_owned(),
            database: table(),
            sandbox: Inside::new(move || of_sandbox.now()),
            clock,
            store_attempts: setting.store_attempts,
            plans: Mutex::default(),
        };
        let setup = world.service("set-up", Fates::clean());
        let (email, plan, now) = ("crash@example.com".to_owned(), Plan::Enterprise, world.clock.now());
        let owner = Customer { id: customer, email, plan, created_at: now, disabled: false };
        setup.app.store.create_account(&Account::new(owner, key.hash())).await.expect("an account");
        for (platform, count) in &setting.accounts {
            world.connect(&setup, *platform, *count).await;
        }
        world
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What the next processes are to meet.
    pub(super) fn plan(&self, fates: Vec<Fates>) {
        *self.plans.lock().expect("the plans") = Plans { fates, others: None, started: 0 };
    }

    /// All further processes meet this.
    pub(super) fn plan_all(&self, others: Fates) {
        *self.plans.lock().expect("the plans") = Plans { fates: Vec::new(), others: Some(others), started: 0 };
    }

    /// How many calls those made.
    pub(super) fn calls(&self) -> usize {
        self.plans.lock().expect("the plans").others.as_ref().map_or(0, |fates| fates.points().len())
    }

    /// The next process of the run.
    pub(super) fn start(&self, what: &str) -> Service {
        let (number, fates) = {
            let mut plans = self.plans.lock().expect("the plans");
            plans.started += 1;
            let number = plans.started - 1;
            (number, plans.fates.get(number).or(plans.others.as_ref()).cloned())
        };
        self.service(&format!("{what} {number}"), fates.unwrap_or_else(Fates::clean))
    }

    /// A process that meets nothing and is not counted.
    pub(super) fn clean(&self) -> Service {
        self.service("clean", Fates::clean())
    }

    pub(super) fn service(&self, name: &str, fates: Fates) -> Service {
        let process = Process::new(name, fates, &self.story);
        let (database, attempts) = (self.database.clone(), self.store_attempts);
        let store = client_over(StoreWire { process: process.clone(), database, attempts });
        let network = PlatformWire { process: process.clone(), sandbox: self.sandbox.clone() };
        let ring = json!({"active": "k1", "keys": {"k1": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}});
        let ring = serde_json::from_value(ring).expect("a key ring");
        let app = App {
            store: Store::new(store, TABLE),
            keys: Keys::fixed(&ring).expect("keys"),
            outbound: Outbound::over(Arc::new(network)),
            clock: self.clock.clone(),
            platform_timeout: Duration::from_secs(25),
            public_base_url: Some("https://service.example".to_owned()),
            sites: Platform::ALL.map(|platform| (platform, Arc::new(site(platform)))).into(),
            payments: None,
            metrics: Metrics::default(),
        };
        Service { process, app: Arc::new(app) }
    }

    /// Opens ad accounts and connects them with one consent.
    async fn connect(&mut self, setup: &Service, platform: Platform, count: usize) {
        let mut form = "decision=approve".to_owned();
        for _ in 0..count {
            let order = json!({"platform": platform.word(), "currency": "USD"});
            let opened = self.sandbox(Method::POST, "/_sandbox/accounts", &order.to_string()).await;
            let id = json_of(&opened)["account"]["id"].as_str().expect("an id").to_owned();
            form.push_str(&format!("&account={id}"));
            self.targets.push((platform, id.trim_start_matches("act_").to_owned()));
        }
        let path = format!("/v1/connections/{platform}/authorize");
        let answer = connections::answer(Arc::clone(&setup.app), self.request("GET", &path, None, "")).await;
        let url = json_of(answer.body())["authorize_url"].as_str().expect("an address").to_owned();
        let path = url.trim_start_matches("http://sandbox").to_owned();
        let sent_back = self.outgoing(Method::POST, &path, form);
        let sent_back = ask(&self.sandbox, sent_back).await.expect("an answer");
        let said = String::from_utf8_lossy(&sent_back.body).into_owned();
        assert_eq!(sent_back.status, 302, "{path}: {said}");
        let back = sent_back.headers["location"].to_str().expect("an address").to_owned();
        let back = back.trim_start_matches("https://service.example").to_owned();
        let page = connections::answer(Arc::clone(&setup.app), self.request("GET", &back, None, "")).await;
        assert_eq!(page.status(), 200, "{:?}", page.body());
    }

    /// A request to the service.
    pub(super) fn request(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> lambda_http::Request {
        let request = http::Request::builder().method(method).uri(path).header("x-api-key", &self.api_key);
        let request = key.iter().fold(request, |request, key| request.header("idempotency-key", *key));
        request.body(Body::from(body)).expect("a request")
    }

    fn outgoing(&self, method: Method, path: &str, body: String) -> Outgoing {
        let mut headers = HeaderMap::new();
        let form = "application/x-www-form-urlencoded".parse().expect("a header");
        headers.insert(http::header::CONTENT_TYPE, form);
        Outgoing { method, url: format!("http://sandbox{path}"), headers, body: Bytes::from(body) }
    }

    /// A request to the sandbox itself, which nothing befalls.
    async fn sandbox(&self, method: Method, path: &str, body: &str) -> Bytes {
        let outgoing = self.outgoing(method, path, body.to_owned());
        let answer = ask(&self.sandbox, outgoing).await.expect("an answer");
        assert!(answer.status.is_success(), "{answer:?}");
        answer.body
    }

    /// All campaigns that the platforms hold.
    pub(super) async fn campaigns(&self) -> Vec<Value> {
        let held = json_of(&self.sandbox(Method::GET, "/_sandbox/campaigns", "").await);
        held["campaigns"].as_array().expect("a list").clone()
    }

    /// One run of the schedule, in a process of its own.
    pub(super) async fn upkeep(&self) {
        let service = self.start("upkeep");
        // A process of the schedule is ended after a minute.
        let run = service.process.live(upkeep::run(&service.app));
        let outcome = tokio::time::timeout(Duration::from_secs(60), run).await;
        self.story.note(|| format!("upkeep ends: {outcome:?}"));
    }

    /// What the sort keys of the customer's records are.
    pub(super) fn sort_keys(&self) -> Vec<String> {
        let request = json!({
            "TableName": TABLE,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": shared::store::keys::customer(self.customer)}},
        });
        let found = self.database.query(serde_json::from_value(request).expect("a query")).expect("an answer");
        let found = serde_json::to_value(found).expect("JSON");
        let items = found["Items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["sk"]["S"].as_str().expect("a key").to_owned()).collect()
    }
}

fn site(platform: Platform) -> Site {
    let client = sandbox::client(platform.word()).expect("a client");
    let client = Client { client_id: client.id.into(), client_secret: client.secret.into(), developer_token: None };
    Site::new(platform, client, Settings::default(), Some("http://sandbox/{platform}"))
}

/// A body as JSON.
pub(super) fn json_of(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(body)))
}

/// A whole answer as one value, to be compared.
pub(super) fn text_of(response: &Response<Body>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}
