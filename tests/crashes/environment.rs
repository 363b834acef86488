//! The environment of one run: a table, the platforms, a customer with connected ad accounts, and any number of
//! processes.

use super::edits::Books;
use super::invariants::FAR_FUTURE;
use super::network::{PlatformTransport, StoreConnector};
use super::outage::OutageState;
use super::snapshots::Snapshots;
use crate::in_process;
use crate::in_process::engine::{TABLE, client_over};
use crate::in_process::event_log::EventLog;
use crate::in_process::faults::FaultPlan;
use crate::in_process::process::Process;
use jiff::Timestamp;
use lambda_http::{Body, Context, RequestExt, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::maintenance_schedule::INTERVAL;
use shared::domain::{CustomerId, Plan, Platform};
use shared::store::table_keys;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

/// An ad account on a platform.
pub(super) type Target = (Platform, String);

/// State that outlives a process.
pub(super) struct Environment {
    pub(super) log: EventLog,
    pub(super) targets: Vec<Target>,
    pub(super) customer: CustomerId,
    pub(super) in_process: in_process::World,
    /// The platforms' books after each write, once a run watches them.
    pub(super) books: Books,
    /// The outage of the run, from its beginning on.
    pub(super) outage: Mutex<Option<OutageState>>,
    /// Attempts of a process's DynamoDB client.
    store_attempts: u32,
    /// Faults of the processes, in the order in which they start; a process without a plan has none.
    plans: Mutex<FaultPlans>,
    /// Requests so far.
    requests: AtomicU64,
}

/// Fault plans of a run's processes.
#[derive(Default)]
struct FaultPlans {
    listed: Vec<FaultPlan>,
    /// Plan of every process beyond the list.
    others: Option<FaultPlan>,
    started: usize,
}

/// A process and its instance of the service.
pub(super) struct Service {
    pub(super) process: Process,
    pub(super) app: Arc<App>,
}

/// Options of an environment.
#[derive(Clone, Debug)]
pub(super) struct EnvironmentOptions {
    /// Number of ad accounts on each platform.
    pub(super) accounts: Vec<(Platform, usize)>,
    pub(super) store_attempts: u32,
    pub(super) keeps_log: bool,
}

/// Environments with connected ad accounts.
static CONNECTED: Snapshots<Snapshot> = Snapshots::new();

/// An environment in which no time passes any more.
pub(super) struct Snapshot {
    environment: Environment,
    at: Timestamp,
}

impl Snapshot {
    pub(super) fn of(environment: Environment) -> Snapshot {
        Snapshot { at: environment.now(), environment }
    }

    /// An environment that continues from here.
    pub(super) fn fork(&self, keeps_log: bool) -> Environment {
        let Environment { targets, customer, in_process, store_attempts, requests, .. } = &self.environment;
        Environment {
            log: EventLog::new(keeps_log),
            targets: targets.clone(),
            customer: *customer,
            in_process: in_process.fork(self.at),
            books: Books::default(),
            outage: Mutex::default(),
            store_attempts: *store_attempts,
            plans: Mutex::default(),
            requests: AtomicU64::new(requests.load(Ordering::Relaxed)),
        }
    }
}

impl Environment {
    /// A copy of an environment with these ad accounts, which is prepared once.
    pub(super) fn connected(options: &EnvironmentOptions) -> Environment {
        let EnvironmentOptions { accounts, store_attempts, keeps_log } = options;
        let prepare = async || Snapshot::of(Environment::new(options).await);
        CONNECTED.copy(&format!("{accounts:?} {store_attempts}"), prepare, |snapshot| snapshot.fork(*keeps_log))
    }

    /// Starts an environment and connects all its ad accounts.
    pub(super) async fn new(options: &EnvironmentOptions) -> Environment {
        let in_process = in_process::World::new(in_process::clock(1), Plan::Enterprise).await;
        let log = EventLog::new(options.keeps_log);
        let store_attempts = options.store_attempts;
        let customer = in_process.customer;
        let targets = Vec::new();
        let outage = Mutex::default();
        let plans = Mutex::default();
        let requests = AtomicU64::default();
        let books = Books::default();
        let mut environment =
            Environment { log, targets, customer, in_process, books, outage, store_attempts, plans, requests };
        let setup = environment.service("set-up", FaultPlan::none());
        for (platform, count) in &options.accounts {
            let connected = environment.in_process.connect(&setup.app, *platform, *count).await;
            environment.targets.extend(connected.into_iter().map(|account| (*platform, account)));
        }
        environment
    }

    pub(super) fn now(&self) -> Timestamp {
        self.in_process.clock.now()
    }

    /// Sets the plans of the next processes.
    pub(super) fn plan(&self, listed: Vec<FaultPlan>) {
        *self.plans.lock().expect("the fault plans") = FaultPlans { listed, others: None, started: 0 };
    }

    /// Sets one plan for all further processes.
    pub(super) fn plan_all(&self, others: FaultPlan) {
        *self.plans.lock().expect("the fault plans") =
            FaultPlans { listed: Vec::new(), others: Some(others), started: 0 };
    }

    fn has_plan_for_next(&self) -> bool {
        let plans = self.plans.lock().expect("the fault plans");
        plans.others.is_some() || plans.started < plans.listed.len()
    }

    /// Whether maintenance has nothing to do at this moment.
    pub(super) fn is_idle(&self) -> bool {
        self.due(self.now(), |kind| ![table_keys::DUE_EVENT, table_keys::DUE_DELIVERY].contains(&kind)).is_empty()
    }

    /// What of these kinds is due at any time.
    pub(super) fn still_due(&self, kinds: &[&str]) -> Vec<Value> {
        self.due(self.now() + FAR_FUTURE, |kind| kinds.contains(&kind))
    }

    /// The records that are due by then, of some kinds.
    fn due(&self, until: Timestamp, is_wanted: impl Fn(&str) -> bool) -> Vec<Value> {
        let scan = json!({"TableName": TABLE, "IndexName": table_keys::DUE_INDEX, "FilterExpression": "due_at <= :until",
            "ExpressionAttributeValues": {":until": {"N": until.as_second().to_string()}}});
        let found = self.in_process.database.scan(serde_json::from_value(scan).expect("a scan")).expect("a response");
        let found = serde_json::to_value(found).expect("JSON");
        // A kind is in several partitions, such as `CHANGE#03`.
        let kind = |item: &Value| item["due_kind"]["S"].as_str().expect("a kind").split('#').next().map(str::to_owned);
        let items = found["Items"].as_array().cloned().unwrap_or_default();
        items.into_iter().filter(|item| kind(item).is_some_and(|kind| is_wanted(&kind))).collect()
    }

    /// Number of calls by processes with the shared plan.
    pub(super) fn calls(&self) -> usize {
        self.plans.lock().expect("the fault plans").others.as_ref().map_or(0, |faults| faults.points().len())
    }

    /// Starts the next process of the run.
    pub(super) fn start(&self, name: &str) -> Service {
        let (number, faults) = {
            let mut plans = self.plans.lock().expect("the fault plans");
            plans.started += 1;
            let number = plans.started - 1;
            (number, plans.listed.get(number).or(plans.others.as_ref()).cloned())
        };
        self.service(&format!("{name} {number}"), faults.unwrap_or_else(FaultPlan::none))
    }

    /// Starts a process without faults, outside the order of plans.
    pub(super) fn start_without_faults(&self) -> Service {
        self.service("clean", FaultPlan::none())
    }

    pub(super) fn service(&self, name: &str, faults: FaultPlan) -> Service {
        let process = Process::new(name, faults, &self.log);
        let database = self.in_process.database.clone();
        let attempts = self.store_attempts;
        let store = client_over(StoreConnector { process: process.clone(), database, attempts });
        let (sandbox, books) = (self.in_process.sandbox.clone(), self.books.clone());
        let network = PlatformTransport { process: process.clone(), sandbox, books };
        Service { process, app: Arc::new(self.in_process.app(store, Arc::new(network))) }
    }

    /// A request of the customer to the service. Its id follows from its number, because the ids of changes decide the
    /// order in which maintenance meets them.
    pub(super) fn request(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> lambda_http::Request {
        let headers: Vec<_> = key.iter().map(|key| ("idempotency-key", *key)).collect();
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let mut context = Context::default();
        context.request_id = Uuid::from_u128(u128::from(number)).to_string();
        self.in_process.request(method, path, &headers, body).with_lambda_context(context)
    }

    /// All campaigns at the platforms.
    pub(super) async fn campaigns(&self) -> Vec<Value> {
        let listed = self.in_process.control("GET", "campaigns", &Value::Null).await;
        listed["campaigns"].as_array().expect("a list").clone()
    }

    /// Runs maintenance once, in its own process. A run without a plan does nothing while nothing is due, which
    /// [`super::idle`] proves; so it is left out.
    pub(super) async fn maintenance(&self) {
        if !self.has_plan_for_next() && self.is_idle() {
            self.log.record(|| "maintenance has nothing to do".to_owned());
            return;
        }
        let service = self.start("maintenance");
        // A run is stopped after one interval.
        let run = service.process.run(maintenance::run(&service.app));
        let outcome = tokio::time::timeout(Duration::from_secs(60), run).await;
        self.log.record(|| format!("maintenance ends: {outcome:?}"));
    }

    /// Starts maintenance at its interval. A suspended run does not delay the next one.
    pub(super) fn schedule_maintenance(
        self: &Arc<Environment>,
        phase: Duration,
        runs: usize,
        at_once: usize,
    ) -> JoinHandle<()> {
        let environment = Arc::clone(self);
        tokio::spawn(async move {
            sleep(phase).await;
            for _ in 0..runs {
                for _ in 0..at_once {
                    let environment = Arc::clone(&environment);
                    tokio::spawn(async move { environment.maintenance().await });
                }
                sleep(INTERVAL.unsigned_abs()).await;
            }
        })
    }

    /// Sort keys of the customer's records.
    pub(super) fn sort_keys(&self) -> Vec<String> {
        let request = json!({
            "TableName": TABLE,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": table_keys::customer(self.customer)}},
        });
        let found =
            self.in_process.database.query(serde_json::from_value(request).expect("a query")).expect("a response");
        let found = serde_json::to_value(found).expect("JSON");
        let items = found["Items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["sk"]["S"].as_str().expect("a key").to_owned()).collect()
    }
}

/// Runs a schedule on a new runtime with a paused clock.
pub(super) fn run_paused<T>(schedule: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(schedule)
}

/// The body of a response as text.
pub(super) fn text_of(response: &Response<Body>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}
