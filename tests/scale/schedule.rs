//! Many scheduled changes that are due in the same minute, at a platform that takes time and fails now and then.

use super::size;
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use crate::in_process::{self, World, json_of, respond};
use crate::random::Random;
use async_trait::async_trait;
use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::maintenance_schedule::INTERVAL;
use shared::domain::{Action, CampaignChanges, CampaignId, Change, ChangeId, ChangeState, Plan, Platform};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep};
use uuid::Uuid;

/// Time of a platform's call.
const LATENCY: Duration = Duration::from_millis(300);
/// Calls of 1,000 that fail: before they reach the platform, or on the way back.
const FAILURES: u64 = 5;
/// Ad accounts of the customer.
const ACCOUNTS: usize = 10;
/// The latest change may be this late.
const LATEST: SignedDuration = SignedDuration::from_mins(20);

/// A platform that takes time, and whose calls fail by chance once it is due.
#[derive(Debug)]
struct Slow {
    network: Network,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    random: Random,
    is_failing: bool,
    calls: u64,
    failed: u64,
    /// Writes that reached each campaign.
    writes: BTreeMap<String, usize>,
}

#[async_trait]
impl Transport for Slow {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let (is_lost_before, is_lost_after) = {
            let mut state = self.state.lock().expect("a lock");
            let fails = state.is_failing && state.random.chance(FAILURES);
            let is_before = state.random.chance(500);
            state.calls += u64::from(state.is_failing);
            state.failed += u64::from(fails);
            if state.is_failing && request.method == Method::POST && !(fails && is_before) {
                *state.writes.entry(request.url.clone()).or_default() += 1;
            }
            (fails && is_before, fails && !is_before)
        };
        sleep(LATENCY).await;
        if is_lost_before {
            let (headers, body) = (http::HeaderMap::new(), "<html>".into());
            return Ok(OutboundResponse { status: StatusCode::SERVICE_UNAVAILABLE, headers, body });
        }
        let response = self.network.send(request).await;
        if is_lost_after { Err(Failure::Broken) } else { response }
    }
}

#[tokio::test(start_paused = true)]
async fn of_many_changes_due_at_once_all_are_made_and_none_twice() {
    let count = usize::try_from(size("SCALE_CHANGES", 200)).expect("a number");
    let began = std::time::Instant::now();
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let random = Random::new(size("SCALE_SEED", 16));
    let state = State { random, is_failing: false, calls: 0, failed: 0, writes: BTreeMap::new() };
    let slow = Arc::new(Slow { network: Network(world.sandbox.clone()), state: Mutex::new(state) });
    let app = Arc::new(world.app(client_over(Straight(world.database.clone())), slow.clone()));
    let accounts = world.connect(&app, Platform::Beta, ACCOUNTS).await;
    let template = template(&world, &app, &accounts[0]).await;
    let due_at = world.clock.now() + SignedDuration::from_hours(24);
    let mut changes = Vec::new();
    for number in 0..count {
        let id = campaign(&world, &app, &accounts[number % ACCOUNTS], &format!("Before {number}")).await;
        changes.push(schedule(&app, &template, &id, due_at, number).await);
    }
    sleep(Duration::try_from(due_at.duration_since(world.clock.now())).expect("a time ahead")).await;
    slow.state.lock().expect("a lock").is_failing = true;
    let mut waiting = changes.len();
    let mut runs = 0;
    while waiting > 0 && runs < 60 {
        maintenance::run(&app).await.expect("a run to its end");
        sleep(INTERVAL.unsigned_abs()).await;
        runs += 1;
        waiting = 0;
        for change in &changes {
            let now = app.store.change(world.customer, *change).await.expect("the table").expect("a change");
            waiting += usize::from(now.state != ChangeState::Applied);
        }
    }
    assert_eq!(waiting, 0, "after {runs} runs");
    let mut latest = SignedDuration::ZERO;
    for change in &changes {
        let change = app.store.change(world.customer, *change).await.expect("the table").expect("a change");
        latest = latest.max(change.settled_at.expect("a time").duration_since(due_at));
    }
    let books = world.control("GET", "campaigns?platform=beta_ads", &Value::Null).await;
    let names = books["campaigns"].as_array().expect("a list").iter().map(|one| one["name"].as_str().expect("a name"));
    assert_eq!(names.filter(|name| name.starts_with("After ")).count(), count, "all are made");
    let state = slow.state.lock().expect("a lock");
    let twice = state.writes.values().filter(|writes| **writes > 1).count();
    println!(
        "{count} changes due at once: the last {:.0} s late, after {runs} runs; {} calls, {} failed; {:.0} s of real time",
        latest.as_secs_f64(),
        state.calls,
        state.failed,
        began.elapsed().as_secs_f64()
    );
    assert_eq!((state.writes.len(), twice), (count, 0), "none is made twice");
    assert!(latest < LATEST, "the last is {latest} late");
}

/// A change that the service has scheduled.
pub(super) async fn template(world: &World, app: &Arc<App>, account: &str) -> Change {
    let id = campaign(world, app, account, "Template").await;
    let at = (world.clock.now() + SignedDuration::from_hours(300 * 24)).as_second();
    let at = jiff::Timestamp::from_second(at).expect("a time");
    let path = format!("/v1/campaigns/{id}?apply_at={at}");
    let response = respond(app, world.request("PATCH", &path, &[], r#"{"name":"Never"}"#)).await;
    let change = json_of(response.body());
    let change = ChangeId::parse(change["id"].as_str().expect("an id")).expect("an id");
    app.store.change(world.customer, change).await.expect("the table").expect("a change")
}

async fn campaign(world: &World, app: &Arc<App>, account: &str, name: &str) -> CampaignId {
    sleep(Duration::from_secs(1)).await;
    let body = json!({"platform": "BETA", "organization_id": account, "name": name, "goal": "WEBSITE_TRAFFIC",
        "budget_amount": 50, "budget_period": "DAILY"});
    let response = respond(app, world.request("POST", "/v1/campaigns", &[], &body.to_string())).await;
    let made = json_of(response.body());
    CampaignId::parse(made["data"]["id"].as_str().unwrap_or_else(|| panic!("{made}"))).expect("an id")
}

/// Stores a change as a request does, but for more of them than one customer may schedule.
async fn schedule(
    app: &Arc<App>,
    template: &Change,
    campaign: &CampaignId,
    at: jiff::Timestamp,
    number: usize,
) -> ChangeId {
    let name = Some(format!("After {number}"));
    let account_id = campaign.possible_accounts().next().expect("an account").to_owned();
    let id = ChangeId::new(app.clock.now(), Uuid::from_u128(7), number);
    let action = Action::Update(CampaignChanges { name, ..CampaignChanges::default() });
    let apply_at = Some(at);
    let change = Change { id, account_id, campaign: Some(campaign.clone()), action, apply_at, ..template.clone() };
    app.store.schedule_change(&change, None, app.clock.now()).await.expect("the table");
    id
}
