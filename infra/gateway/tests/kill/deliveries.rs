//! Events of a gateway that is killed while it delivers them. At the end every endpoint has accepted every event, and
//! none reports what did not happen.

use crate::kill::harness::Harness;
use crate::kill::requests::Exchange;
use crate::kill::{LATENCY_MS, Load, run_load, start};
use crate::receiver::{PATHS, ReceivedRequest, Receiver};
use crate::signature::is_signed_by;
use http::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Each campaign is an event for each endpoint. Fewer clients leave the gateway time for deliveries.
const LOAD: Load = Load { clients: 3, life_ms: (800, 2_500) };
/// Longest time until all is delivered. A delivery of a killed gateway has a lease of 30 seconds.
const PATIENCE: Duration = Duration::from_secs(180);
/// Longest time in seconds between an attempt's timestamp and its arrival.
const MAX_AGE: i64 = 15;

/// A webhook endpoint: its path, its id and its secret.
struct Endpoint {
    path: &'static str,
    id: String,
    secret: String,
    created_at: String,
}

/// What the API and the receiver say once nothing is pending.
struct FinalState {
    /// The changes that were applied before the events were read.
    applied: BTreeSet<String>,
    /// The events, by id.
    events: BTreeMap<String, Value>,
    /// The requests that had arrived before the events were read.
    heard: Vec<ReceivedRequest>,
}

/// A type of event, and the id of what it is about: a campaign or a key.
type Fact = (&'static str, String);

impl Endpoint {
    async fn create(harness: &Harness, receiver: &Receiver, path: &'static str) -> Endpoint {
        let body = json!({"url": format!("{}{path}", receiver.url), "types": ["*"]});
        let created = harness.call(Method::POST, "/v1/webhook-endpoints", &body).await.unwrap();
        let created: Value = serde_json::from_str(&created.text).unwrap();
        let text = |name: &str| created[name].as_str().unwrap().to_owned();
        Endpoint { path, id: text("id"), secret: text("secret"), created_at: text("created_at") }
    }

    fn url(&self) -> String {
        format!("/v1/webhook-endpoints/{}", self.id)
    }

    /// Whether a request is signed as Standard Webhooks says, at the time of its arrival.
    fn has_signed(&self, heard: &ReceivedRequest) -> bool {
        let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| heard.header(name));
        let age = heard.at - headers[1].parse::<i64>().unwrap();
        (0..=MAX_AGE).contains(&age) && is_signed_by(&self.secret, headers, &heard.body)
    }
}

/// Creates and deletes keys until the harness stops. Returns what the API has confirmed.
async fn change_keys(harness: &Harness) -> Vec<Fact> {
    const KEYS: &str = "/v1/api-keys";
    let mut confirmed = Vec::new();
    while !harness.is_stopped() {
        let key = json!({"name": "Reader", "scopes": ["read"]});
        if let Some(created) = harness.call(Method::POST, KEYS, &key).await
            && created.status == 201
        {
            let created: Value = serde_json::from_str(&created.text).unwrap();
            confirmed.push(("api_key.created", created["id"].as_str().unwrap().to_owned()));
        }
        // Also a key whose response was lost.
        let Some(listed) = harness.call(Method::GET, KEYS, &Value::Null).await else { continue };
        let listed: Value = serde_json::from_str(&listed.text).unwrap();
        for known in listed["api_keys"].as_array().unwrap().iter().filter(|known| known["name"] == "Reader") {
            let id = known["id"].as_str().unwrap();
            let deleted = harness.call(Method::DELETE, &format!("{KEYS}/{id}"), &Value::Null).await;
            if deleted.is_some_and(|deleted| deleted.status == 204) {
                confirmed.push(("api_key.revoked", id.to_owned()));
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
    confirmed
}

/// The ids of the changes that were applied.
async fn applied(harness: &Harness) -> BTreeSet<String> {
    let changes = harness.list("/v1/changes?state=applied&", "changes").await;
    changes.iter().map(|change| change["id"].as_str().unwrap().to_owned()).collect()
}

/// Waits until every event is accepted and nothing is pending.
async fn settle(harness: &Harness, receiver: &Receiver, endpoints: &[Endpoint]) -> FinalState {
    let started = Instant::now();
    let created_at = endpoints.iter().map(|endpoint| endpoint.created_at.as_str()).max().unwrap();
    loop {
        let (applied, heard) = (applied(harness).await, receiver.heard());
        let accepted = heard.iter().filter(|one| one.is_accepted());
        let accepted: BTreeSet<(&str, &str)> = accepted.map(|one| (one.path.as_str(), one.id())).collect();
        let events = harness.list("/v1/events?", "events").await.into_iter();
        let events = events.filter(|event| event["timestamp"].as_str().unwrap() > created_at);
        let events: BTreeMap<String, Value> =
            events.map(|event| (event["id"].as_str().unwrap().to_owned(), event)).collect();
        let mut open: Vec<String> = Vec::new();
        for endpoint in endpoints {
            let missing = events.keys().filter(|id| !accepted.contains(&(endpoint.path, id.as_str())));
            open.extend(missing.map(|id| format!("{id} is not accepted at {}", endpoint.path)));
            let pending = harness.list(&format!("{}/deliveries?status=pending&", endpoint.url()), "deliveries").await;
            open.extend(pending.iter().map(|delivery| format!("pending at {}: {delivery}", endpoint.path)));
        }
        if open.is_empty() {
            println!("{} events delivered {:?} after the load", events.len(), started.elapsed());
            return FinalState { applied, events, heard };
        }
        assert!(
            started.elapsed() < PATIENCE,
            "of {} events {} deliveries are open: {open:#?}",
            events.len(),
            open.len()
        );
        // A request that may have changed something makes the gateway look for what is due. This one is no event.
        let looked = harness.call(Method::PATCH, &endpoints[0].url(), &json!({"description": "Log"})).await.unwrap();
        assert_eq!(looked.status, 200);
        sleep(Duration::from_secs(1)).await;
    }
}

impl FinalState {
    /// Every confirmed fact and every applied change has an event. Returns the violations.
    fn missing(&self, confirmed: &[Fact]) -> Vec<String> {
        let fact = |event: &Value| {
            let about = [&event["data"]["api_key"]["id"], &event["data"]["change"]["campaign_id"]];
            let about = about.into_iter().find_map(Value::as_str).unwrap_or_default();
            (event["type"].as_str().unwrap().to_owned(), about.to_owned())
        };
        let told: BTreeSet<(String, String)> = self.events.values().map(fact).collect();
        let untold = confirmed.iter().filter(|(kind, about)| !told.contains(&((*kind).to_owned(), about.clone())));
        let mut violations: Vec<String> = untold.map(|fact| format!("no event tells {fact:?}")).collect();
        let told = self.applied_changes();
        violations.extend(self.applied.difference(&told).map(|id| format!("no event tells that {id} is applied")));
        violations
    }

    /// The changes that events report as applied.
    fn applied_changes(&self) -> BTreeSet<String> {
        let applied = self.events.values().filter(|event| event["type"] == "change.applied");
        applied.map(|event| event["data"]["change"]["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Every request is a signed event of the list. Returns the violations.
    fn wrong(&self, endpoints: &[Endpoint]) -> Vec<String> {
        let check = |heard: &ReceivedRequest| {
            let endpoint = endpoints.iter().find(|endpoint| endpoint.path == heard.path).unwrap();
            let body: Value = serde_json::from_slice(&heard.body).unwrap();
            if !endpoint.has_signed(heard) {
                Some(format!("wrong signature or time: {heard:?}"))
            } else if self.events.get(heard.id()) != Some(&body) {
                Some(format!("not the event of the list: {heard:?}"))
            } else {
                None
            }
        };
        self.heard.iter().filter_map(check).collect()
    }
}

/// Each event has one delivery at each endpoint, whose last attempt was accepted. Returns the violations.
async fn undelivered(harness: &Harness, endpoints: &[Endpoint], told: &FinalState) -> Vec<String> {
    let mut violations = Vec::new();
    for endpoint in endpoints {
        let listed = harness.list(&format!("{}/deliveries?", endpoint.url()), "deliveries").await;
        let is_right = |delivery: &Value| {
            let last = delivery["attempts"].as_array().unwrap().last().map(|attempt| &attempt["status_code"]);
            delivery["status"] == "delivered" && last == Some(&json!(204))
        };
        let wrong = listed.iter().filter(|delivery| !is_right(delivery));
        violations.extend(wrong.map(|delivery| format!("not delivered to {}: {delivery}", endpoint.path)));
        let of_events: BTreeSet<&str> = listed.iter().map(|delivery| delivery["event_id"].as_str().unwrap()).collect();
        let missing = told.events.keys().filter(|id| !of_events.contains(id.as_str()));
        violations.extend(missing.map(|id| format!("{id} has no delivery at {}", endpoint.path)));
    }
    violations
}

/// Without these the load was too light to prove anything.
fn assert_load_was_heavy(heard: &[ReceivedRequest], confirmed: &[Fact]) {
    let count = |is_counted: &dyn Fn(&ReceivedRequest) -> bool| heard.iter().filter(|one| is_counted(one)).count();
    let interrupted = count(&|one| one.answered.is_none());
    let refused = count(&|one| one.answered.is_some() && !one.is_accepted());
    let keys = confirmed.iter().filter(|(kind, _)| kind.starts_with("api_key")).count();
    println!(
        "{} requests arrived, {interrupted} of them interrupted by a kill, {refused} refused; {} facts confirmed to \
         clients, {keys} of them of keys",
        heard.len(),
        confirmed.len()
    );
    assert!(interrupted > 0 && refused > 0 && keys > 0 && confirmed.len() > keys);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_kill_every_endpoint_has_accepted_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let url = sandbox.url();
    let mut process = start(folder.path(), &url);
    let harness = Arc::new(Harness::start(&process, &url).await);
    harness.set_latency(LATENCY_MS).await;
    let receiver = Receiver::start().await;
    let mut endpoints = Vec::new();
    for path in PATHS {
        endpoints.push(Endpoint::create(&harness, &receiver, path).await);
    }
    let load = run_load(&harness, &LOAD, &mut process, folder.path(), &url);
    let (exchanges, mut confirmed) = tokio::join!(load, change_keys(&harness));
    let created = exchanges.iter().flat_map(|Exchange { responses, .. }| responses);
    confirmed.extend(created.flat_map(|received| received.campaigns()).map(|campaign| ("change.applied", campaign)));

    receiver.recover();
    let told = settle(&harness, &receiver, &endpoints).await;
    let mut violations = told.missing(&confirmed);
    violations.extend(told.wrong(&endpoints));
    let applied = applied(&harness).await;
    violations.extend(told.applied_changes().difference(&applied).map(|id| format!("{id} is not applied")));
    violations.extend(undelivered(&harness, &endpoints, &told).await);
    assert!(violations.is_empty(), "{} violations: {:#?}", violations.len(), &violations[..violations.len().min(10)]);
    assert_load_was_heavy(&told.heard, &confirmed);
    drop(process);
    sandbox.stop().await;
}
