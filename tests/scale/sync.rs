//! `POST /v1/connections/sync` of a customer with 1,000 grants.

use super::platform::{Google, customer_of};
use crate::in_process::{World, json_of, respond};
use futures_util::StreamExt;
use serde_json::{Value, json};
use shared::app::App;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, Instant, sleep};

const GRANTS: usize = 1_000;
/// Any request ends by then.
const REQUEST_TIME: Duration = Duration::from_secs(28);
/// Calls in flight: the sockets of a function are fewer.
const MAX_IN_FLIGHT: usize = 100;

async fn sync(world: &World, app: &Arc<App>) -> Value {
    let response = respond(app, world.request("POST", "/v1/connections/sync", &[], "")).await;
    assert_eq!(response.status(), 200, "{:?}", response.body());
    json_of(response.body())
}

/// The number of connections that were never checked.
fn unchecked(body: &Value) -> usize {
    let connections = body["connections"].as_array().expect("a list");
    assert_eq!(connections.len(), GRANTS);
    connections.iter().filter(|known| known["last_synced_at"].is_null()).count()
}

/// Runs maintenance every minute until no customer has remaining checks; returns the number of runs.
async fn maintain(app: &Arc<App>) -> usize {
    let mut runs = 0;
    while app.store.due_checks(app.clock.now()).count().await > 0 {
        maintenance::run(app).await.expect("a report");
        runs += 1;
        assert!(runs < 10, "the remaining checks do not end");
        sleep(Duration::from_mins(1)).await;
    }
    runs
}

#[tokio::test(start_paused = true)]
async fn a_sync_of_1000_grants_is_continued_by_maintenance() {
    let google = Google::new(|_| 0, |_| None);
    let (world, app) = customer_of(&google, GRANTS, 1).await;
    let began = Instant::now();
    let synced = sync(&world, &app).await;
    let took = began.elapsed();
    let peak = google.peak();
    let remaining = unchecked(&synced);
    let runs = maintain(&app).await;
    eprintln!(
        "| sync of {GRANTS} grants | {:.1} s | {} | {remaining} | {peak} | {runs} |",
        took.as_secs_f64(),
        synced["synced"]
    );
    assert!(took < REQUEST_TIME, "{took:?}");
    assert!(peak <= MAX_IN_FLIGHT, "{peak} calls at a time");
    assert_eq!((&synced["synced"], &synced["remaining"]), (&json!(GRANTS - remaining), &json!(remaining)));
    assert!(remaining > 0 && runs > 0, "the test needs more grants than a request checks");
    assert_eq!(google.checks(), (0..GRANTS).map(|user| (user, 1)).collect::<BTreeMap<_, _>>());
    let listed = respond(&app, world.request("GET", "/v1/connections", &[], "")).await;
    assert_eq!(unchecked(&json_of(listed.body())), 0);
}

#[tokio::test(start_paused = true)]
async fn a_second_sync_replaces_what_the_first_left_to_maintenance() {
    let google = Google::new(|_| 0, |_| None);
    let (world, app) = customer_of(&google, GRANTS, 1).await;
    let (first, second) = (sync(&world, &app).await, sync(&world, &app).await);
    assert_eq!(first["remaining"], second["remaining"]);
    let remaining = usize::try_from(second["remaining"].as_u64().expect("a number")).expect("a number");
    maintain(&app).await;
    let twice = google.checks().values().filter(|checks| **checks == 2).count();
    assert_eq!(twice, GRANTS - remaining, "maintenance checks only what neither sync reached");
}
