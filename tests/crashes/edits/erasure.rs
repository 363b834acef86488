//! The erasure of a user whose campaign runs: whatever crashes, it goes on and ends, the campaign is paused, and nothing in the
//! table names the user.

use super::client::{Client, Edit};
use super::prepared::{Prepared, prepared};
use super::spending_limit::Limited;
use crate::crashes::environment::run_paused;
use crate::crashes::runs::{LARGE, Outcome, Runs, Scheduled};
use crate::crashes::settle::settle;
use crate::in_process::engine::items;
use crate::in_process::faults::{Dependency, Fault, FaultPlan, Point};
use serde_json::Value;
use shared::domain::{ExternalRef, Platform};
use std::collections::BTreeMap;
use tokio::time::{Duration, sleep};

/// The user of the prepared connection, and the name of its campaign.
const USER: &str = "shop42";
const CAMPAIGN: &str = "Spring";
/// Attempts to ask for the erasure, and the wait between two.
const MAX_ATTEMPTS: usize = 10;
const RETRY_DELAY: Duration = Duration::from_secs(31);
/// The request and the runs of maintenance that may have faults: more than an erasure takes.
const PROCESSES: usize = 45;

/// An erasure, with faults of its processes: the request, and runs of maintenance.
#[derive(Clone, Debug)]
struct ErasureSchedule {
    platform: Platform,
    faults: BTreeMap<usize, BTreeMap<usize, Fault>>,
    keeps_log: bool,
}

impl Scheduled for ErasureSchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> ErasureSchedule {
        ErasureSchedule { keeps_log: true, ..self.clone() }
    }
}

impl ErasureSchedule {
    async fn run_async(&self) -> Outcome {
        // The key with a limit activates the campaign, so that the erasure also waits until nothing of it counts.
        let Prepared { client, owner, .. } =
            prepared(self.platform, Limited::KeyAndUser, &Value::Null, self.keeps_log).await;
        client.send_until_final(Edit::Status, None).await;
        let environment = &client.environment;
        let of_process = |number| FaultPlan::planned(self.faults.get(&number).cloned().unwrap_or_default());
        let plans: Vec<FaultPlan> = (0..PROCESSES).map(of_process).collect();
        environment.plan(plans.clone());
        ask(&client, &owner).await;
        let user = ExternalRef::parse(USER).expect("a name");
        let is_over = async || {
            let store = &environment.start_without_faults().app.store;
            store.known_user(environment.customer, &user).await.expect("a read").is_none()
        };
        if !settle(environment, is_over).await {
            client.history.report("the erasure does not end".to_owned());
        }
        check(&client).await;
        let violations = client.history.violations.lock().expect("the history").clone();
        Outcome { violations, log: environment.log.lines(), points: plans.iter().map(FaultPlan::points).collect() }
    }
}

/// Asks for the erasure until the response says that it goes on, or that it is over.
async fn ask(client: &Client, owner: &str) {
    for _ in 0..MAX_ATTEMPTS {
        let service = client.environment.start("erase");
        let mut request = client.environment.request("DELETE", &format!("/v1/users/{USER}?erase=true"), None, "");
        request.headers_mut().insert("x-api-key", owner.parse().expect("a header"));
        let response = client.history.exchange(&service, request).await;
        if response.is_some_and(|response| [202, 404].contains(&response.status().as_u16())) {
            return;
        }
        sleep(RETRY_DELAY).await;
    }
    client.history.report("the erasure was not accepted".to_owned());
}

/// Checks what is left; violations are added to the client's history.
async fn check(client: &Client) {
    let environment = &client.environment;
    let account = environment.targets[0].1.as_str();
    let table = items(&environment.in_process.database);
    for item in &table {
        let text = item.to_string();
        let named = [USER, CAMPAIGN, account, &client.campaign].into_iter().find(|name| text.contains(name));
        if let Some(name) = named {
            client.history.report(format!("{name} is left: {text}"));
        }
    }
    let has_tombstone = |item: &Value| item["sk"]["S"].as_str().is_some_and(|sk| sk.starts_with("ERASED#"));
    if !table.iter().any(has_tombstone) {
        client.history.report("the customer has no record of what was".to_owned());
    }
    let states = environment.books.states();
    if states.last().is_none_or(|last| last.status == "ACTIVE") {
        client.history.report(format!("the campaign runs: {states:?}"));
    }
}

/// The calls that write to the table.
fn writes(points: &[Point]) -> Vec<usize> {
    points.iter().enumerate().filter(|(_, point)| is_write(point)).map(|(number, _)| number).collect()
}

fn is_write(point: &Point) -> bool {
    let is_read = ["GetItem ", "BatchGetItem ", "Query "].iter().any(|read| point.name.starts_with(read));
    point.dependency == Dependency::Store && !is_read
}

/// The process of the erasure killed before and after each write to the table.
fn killed_on(platform: Platform) {
    Runs::of("writes of an erasure", platform.as_str(), LARGE, |runs| {
        let schedule = |faults| ErasureSchedule { platform, faults, keeps_log: false };
        let base = runs.run(schedule(BTreeMap::new()));
        for (process, points) in base.points.iter().enumerate() {
            for point in writes(points) {
                runs.points += 1;
                for fault in [Fault::KilledBefore, Fault::KilledAfter] {
                    runs.run_sampled(schedule(BTreeMap::from([(process, BTreeMap::from([(point, fault)]))])));
                }
            }
        }
    });
}

/// The test of each platform.
macro_rules! killed {
    ($platform:expr) => {
        #[test]
        fn an_erasure_ends_and_leaves_nothing_despite_crashes() {
            crate::crashes::edits::erasure::killed_on($platform);
        }
    };
}
use killed;

crate::platforms::each_platform! { killed }
