//! The world of one run: a table, the platforms, a customer with connected ad accounts, and as many processes as it
//! takes.

use super::network::{PlatformWire, StoreWire};
use super::point::Fates;
use super::process::Process;
use super::scenario::Story;
use crate::in_process;
use crate::in_process::engine::{TABLE, client_over};
use jiff::Timestamp;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{CustomerId, Plan, Platform};
use std::sync::{Arc, Mutex};
use tokio::time::Duration;

/// An ad account.
pub(super) type Target = (Platform, String);

/// Everything that outlives a process.
pub(super) struct World {
    pub(super) story: Story,
    pub(super) targets: Vec<Target>,
    pub(super) customer: CustomerId,
    in_process: in_process::World,
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
        let in_process = in_process::World::new(in_process::clock(1), Plan::Enterprise).await;
        let (story, store_attempts) = (Story::new(setting.in_words), setting.store_attempts);
        let customer = in_process.customer;
        let mut world =
            World { story, targets: Vec::new(), customer, in_process, store_attempts, plans: Mutex::default() };
        let setup = world.service("set-up", Fates::clean());
        for (platform, count) in &setting.accounts {
            let connected = world.in_process.connect(&setup.app, *platform, *count).await;
            world.targets.extend(connected.into_iter().map(|account| (*platform, account)));
        }
        world
    }

    pub(super) fn now(&self) -> Timestamp {
        self.in_process.clock.now()
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
        let (database, attempts) = (self.in_process.database.clone(), self.store_attempts);
        let store = client_over(StoreWire { process: process.clone(), database, attempts });
        let network = PlatformWire { process: process.clone(), sandbox: self.in_process.sandbox.clone() };
        Service { process, app: Arc::new(self.in_process.app(store, Arc::new(network))) }
    }

    /// A request to the service.
    pub(super) fn request(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> lambda_http::Request {
        let headers: Vec<_> = key.iter().map(|key| ("idempotency-key", *key)).collect();
        self.in_process.request(method, path, &headers, body)
    }

    /// All campaigns that the platforms hold.
    pub(super) async fn campaigns(&self) -> Vec<Value> {
        let held = self.in_process.control("GET", "campaigns", &Value::Null).await;
        held["campaigns"].as_array().expect("a list").clone()
    }

    /// One run of the schedule, in a process of its own.
    pub(super) async fn maintenance(&self) {
        let service = self.start("maintenance");
        // A process of the schedule is ended after a minute.
        let run = service.process.live(maintenance::run(&service.app));
        let outcome = tokio::time::timeout(Duration::from_secs(60), run).await;
        self.story.note(|| format!("maintenance ends: {outcome:?}"));
    }

    /// What the sort keys of the customer's records are.
    pub(super) fn sort_keys(&self) -> Vec<String> {
        let request = json!({
            "TableName": TABLE,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": shared::store::table_keys::customer(self.customer)}},
        });
        let found =
            self.in_process.database.query(serde_json::from_value(request).expect("a query")).expect("an answer");
        let found = serde_json::to_value(found).expect("JSON");
        let items = found["Items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["sk"]["S"].as_str().expect("a key").to_owned()).collect()
    }
}

/// A whole answer as one value, to be compared.
pub(super) fn text_of(response: &Response<Body>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}
