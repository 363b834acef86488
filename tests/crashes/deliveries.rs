//! Deliveries in a process that dies, or whose store fails, at any point: each endpoint receives every event at least
//! once, and no other.

use super::environment::{Environment, EnvironmentOptions, run_paused};
use super::invariants::FAR_FUTURE;
use super::runs::{Outcome, Runs, Scheduled, each};
use crate::in_process::faults::{Fault, FaultPlan};
use crate::in_process::json_of;
use crate::in_process::receivers::Behaviour;
use futures_util::StreamExt;
use serde_json::json;
use shared::domain::{EventFilters, EventKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::time::{Duration, sleep, timeout};

/// An endpoint that accepts at once, one that refuses at first, and one that says nothing at first.
const URLS: [&str; 3] = ["https://one.example.com/", "https://two.example.com/", "https://three.example.com/"];
/// Further runs, and the time between two. The slow endpoints have accepted everything by then.
const RUNS: usize = 12;
const INTERVAL: Duration = Duration::from_mins(2);
/// Events, each the creation of a key.
const EVENTS: usize = 2;

/// Faults of the first run of deliveries.
#[derive(Clone, Debug)]
struct DeliverySchedule {
    faults: BTreeMap<usize, Fault>,
    keeps_log: bool,
}

impl Scheduled for DeliverySchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> DeliverySchedule {
        DeliverySchedule { keeps_log: true, ..self.clone() }
    }
}

impl DeliverySchedule {
    async fn run_async(&self) -> Outcome {
        let options = EnvironmentOptions { accounts: Vec::new(), store_attempts: 1, keeps_log: self.keeps_log };
        let environment = Environment::connected(&options);
        for url in URLS {
            ask(&environment, "/v1/webhook-endpoints", &json!({"url": url, "types": ["api_key.created"]}).to_string())
                .await;
        }
        for number in 0..EVENTS {
            ask(&environment, "/v1/api-keys", &json!({"name": format!("{number}"), "scopes": ["read"]}).to_string())
                .await;
        }
        let receivers = &environment.in_process.receivers;
        receivers.set(URLS[1], Behaviour::Answers(500, None));
        receivers.set(URLS[2], Behaviour::Hangs);
        let faults = FaultPlan::planned(self.faults.clone());
        environment.plan(vec![faults.clone()]);
        run(&environment).await;
        URLS.iter().for_each(|url| receivers.set(url, Behaviour::Answers(204, None)));
        for _ in 0..RUNS {
            sleep(INTERVAL).await;
            run(&environment).await;
        }
        Outcome {
            violations: violations(&environment).await,
            log: environment.log.lines(),
            points: vec![faults.points()],
        }
    }
}

async fn ask(environment: &Environment, path: &str, body: &str) {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(200)).await;
    let service = environment.start_without_faults();
    let response = crate::in_process::respond(&service.app, environment.request("POST", path, None, body)).await;
    assert_eq!(response.status(), 201, "{}", json_of(response.body()));
}

/// A run in its own process, as Lambda would end it.
async fn run(environment: &Environment) {
    let service = environment.start("deliveries");
    let ended = timeout(Duration::from_secs(60), service.process.run(deliveries::run(&service.app))).await;
    environment.log.record(|| format!("deliveries end: {ended:?}"));
}

async fn violations(environment: &Environment) -> Vec<String> {
    let app = Arc::clone(&environment.start_without_faults().app);
    let (store, until) = (&app.store, environment.now() + FAR_FUTURE);
    let mut violations = Vec::new();
    let due = store.due_events(until).count().await + store.due_deliveries(until).count().await;
    if due > 0 {
        violations.push(format!("{due} records are still due"));
    }
    let told = store
        .events(environment.customer, &EventFilters::default(), None, 100, environment.now())
        .await
        .expect("the table")
        .events;
    // The first key is older than the endpoints.
    if told.len() != EVENTS + 1 || told.iter().any(|event| event.kind != EventKind::ApiKeyCreated) {
        violations.push(format!("other events than those of the keys: {told:?}"));
    }
    let happened: BTreeSet<String> = told.iter().take(EVENTS).map(|event| event.id.to_string()).collect();
    for url in URLS {
        let received = environment.in_process.receivers.received(url);
        let heard: BTreeSet<String> = received.iter().map(|one| one.header("webhook-id").to_owned()).collect();
        if heard != happened {
            violations.push(format!("{url} heard {heard:?} of {happened:?}"));
        }
    }
    let endpoints = store.webhook_endpoints(environment.customer).await.expect("the table");
    for endpoint in endpoints {
        let page = store.deliveries(environment.customer, &endpoint.id, None, 100).await.expect("the table");
        let open = page.deliveries.iter().filter(|one| one.status.as_str() != "delivered");
        violations.extend(open.map(|one| format!("not delivered: {one:?}")));
    }
    violations
}

#[test]
fn every_event_is_delivered_despite_crashes() {
    Runs::of("points of a run of deliveries", "three endpoints", 1, |runs| {
        let schedule = |faults| DeliverySchedule { faults, keeps_log: false };
        let base = runs.run(schedule(BTreeMap::new()));
        let points = base.points.first().expect("the points of the run");
        runs.points += points.len();
        for (point, fault) in each(points) {
            runs.run_in_rotation(|_| schedule(BTreeMap::from([(point, fault)])));
        }
    });
}
