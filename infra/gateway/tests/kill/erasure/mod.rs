//! The erasure of a user in processes that are killed: the request, maintenance, and the gateway below both. Whatever was
//! killed, it goes on and ends, what ran is paused, nothing in the table of the data folder names the user, and another
//! user keeps everything.

mod user;
mod worker;

use crate::gateway_process::GatewayProcess;
use crate::kill::harness::Harness;
use crate::kill::requests::Random;
use crate::kill::{KILLS, LATENCY_MS, kill, start, start_again, variable};
use crate::receiver::{PATHS, Receiver};
use http::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use user::{TestUser, is_grant, key_of, table};
use worker::{Worker, work};

const NAME: &str = "kill::erasure::after_any_kill_an_erasure_ends_and_leaves_nothing";
const LEAVING: &str = "shop-that-leaves";
const STAYING: &str = "shop-that-stays";
/// The user who stays has an ad account on the first of them, too.
const PLATFORMS: [&str; 4] = ["alpha_ads", "beta_ads", "gamma_ads", "delta_ads"];
const OF_OTHER: [&str; 2] = ["alpha_ads", "zeta_ads"];
/// The steps of an erasure, in their order.
const STEPS: [&str; 4] = ["pausing", "closing", "disconnecting", "erasing"];
const LAST: usize = STEPS.len() - 1;
/// Minutes after which the last step begins to erase: until then late events arrive.
const QUIET: i64 = 14;
/// Longest time until the erasure is at a step.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest life in milliseconds of a gateway after a request that it erases the user, and of a process at a step.
const REQUEST_LIFE_MS: u64 = 60;
const STEP_LIFE_MS: u64 = 250;

/// The processes and the users.
struct Stage {
    folder: PathBuf,
    sandbox: String,
    harness: Harness,
    process: GatewayProcess,
    /// By how many minutes the clock of the latest worker was ahead.
    minute: Arc<AtomicI64>,
    random: Random,
    /// The minute in which the last step began.
    erasing_since: Option<i64>,
    /// Kills while connections were removed, each of which may have lost one revocation.
    while_disconnecting: usize,
}

impl Stage {
    /// The place of the erasure's step; that after the last one if the user is not found.
    async fn step(&self) -> usize {
        let read = self.harness.call(Method::GET, &format!("/v1/users/{LEAVING}"), &Value::Null).await.unwrap();
        let user: Value = serde_json::from_str(&read.text).unwrap();
        match read.status {
            404 => STEPS.len(),
            _ => STEPS.iter().position(|step| user["erasure"]["state"] == *step).unwrap_or_else(|| panic!("{user}")),
        }
    }

    /// Waits until a new worker works, and the erasure is at a step or behind it. Returns where it is, and the worker.
    async fn work_until(&mut self, wanted: usize) -> (usize, Worker) {
        let before = self.minute.load(Ordering::Relaxed);
        let worker = Worker::start(NAME, &self.folder, &self.minute);
        let started = Instant::now();
        loop {
            let (step, minute) = (self.step().await, self.minute.load(Ordering::Relaxed));
            let is_quiet = step == LAST && minute < *self.erasing_since.get_or_insert(minute) + QUIET;
            if step >= wanted && minute > before && !is_quiet {
                return (step, worker);
            }
            assert!(started.elapsed() < PATIENCE, "{:?} in minute {minute}", STEPS.get(step));
            sleep(Duration::from_millis(15)).await;
        }
    }

    /// Asks for the erasure while the gateway is killed, and then until it has begun.
    async fn begin(&mut self, kills: u64) {
        for _ in 0..kills {
            let life = Duration::from_millis(self.random.between(0, REQUEST_LIFE_MS));
            let (harness, process) = (&self.harness, &mut self.process);
            let asked = erase(harness);
            let killed = async {
                sleep(life).await;
                kill(harness, process);
            };
            let (asked, ()) = tokio::join!(asked, killed);
            println!("killed {life:?} after the request, which was answered with {asked:?}");
            start_again(&self.harness, &mut self.process, &self.folder, &self.sandbox);
        }
        assert_eq!(erase(&self.harness).await, Some(202));
    }

    /// Lets maintenance do the erasure, and kills it at each step: alone, or with the gateway.
    async fn go_on(&mut self, kills: u64) -> BTreeSet<usize> {
        let mut met = BTreeSet::new();
        for number in 0..kills {
            let wanted = usize::try_from(number * STEPS.len() as u64 / kills).unwrap();
            let (step, worker) = self.work_until(wanted).await;
            let life = Duration::from_millis(self.random.between(0, STEP_LIFE_MS));
            sleep(life).await;
            let with_gateway = number % 2 == 0;
            if with_gateway {
                kill(&self.harness, &mut self.process);
            }
            drop(worker);
            let minute = self.minute.load(Ordering::Relaxed);
            if with_gateway {
                start_again(&self.harness, &mut self.process, &self.folder, &self.sandbox);
            }
            let after = self.step().await;
            let [from, to] = [step, after].map(|step| STEPS.get(step).unwrap_or(&"over"));
            println!("killed in minute {minute} between {from} and {to}, with the gateway: {with_gateway}");
            // Connections may be removed a moment after each earlier step.
            self.while_disconnecting += usize::from(step <= 2 && after >= 2);
            met.insert(after);
        }
        self.work_until(STEPS.len()).await;
        met
    }
}

/// Asks for the erasure. Returns the status of the response, if there was one.
async fn erase(harness: &Harness) -> Option<u16> {
    let path = format!("/v1/users/{LEAVING}?erase=true");
    Some(harness.call(Method::DELETE, &path, &Value::Null).await?.status)
}

/// What the user who stays has, by the sandbox's books and by the API.
async fn state_of(user: &TestUser, harness: &Harness) -> Value {
    json!({
        "books": user.books(harness).await,
        "campaigns": user.listed(harness, "campaigns", &["id", "name", "status", "budget_amount"]).await,
        "changes": user.listed(harness, "changes", &["id", "state"]).await,
        "connections": user.listed(harness, "connections", &["id", "status", "remote_account_id"]).await,
        "label": harness.ask(None, Method::GET, &format!("/v1/users/{}", user.name), &Value::Null).await["label"],
    })
}

/// What is left of the user in the table of the folder, and what is missing. Returns the violations.
async fn check_table(folder: &Path, user: &TestUser, of_other: &BTreeSet<String>, other: &TestUser) -> Vec<String> {
    let table = table(folder).await;
    let mut violations: Vec<String> = user.records(&table).iter().map(|key| format!("{key} is left")).collect();
    let kept = other.records(&table);
    violations.extend(of_other.difference(&kept).map(|key| format!("{key} of the other user is gone")));
    let keys: BTreeSet<String> = table.iter().map(key_of).collect();
    let has_tombstone = |change: &String| keys.iter().any(|key| key.ends_with(&format!(" ERASED#{change}")));
    // Sealed tokens name nothing.
    let grants = table.iter().filter(|item| is_grant(item)).count();
    if grants != OF_OTHER.len() {
        violations.push(format!("{grants} grants are left"));
    }
    let unknown = user.changes.iter().filter(|change| !has_tombstone(change));
    violations.extend(unknown.map(|change| format!("the customer has no record that {change} was")));
    violations
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_kill_an_erasure_ends_and_leaves_nothing() {
    if let Some(folder) = std::env::var_os(worker::FOLDER) {
        return work(Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let process = start(folder.path(), &sandbox.url());
    let harness = Harness::without_accounts(&process, &sandbox.url());
    let receiver = Receiver::start().await;
    let endpoint = json!({"url": format!("{}{}", receiver.url, PATHS[0]), "types": ["*"]});
    harness.ask(None, Method::POST, "/v1/webhook-endpoints", &endpoint).await;
    let leaving = TestUser::new(&harness, LEAVING, &PLATFORMS).await;
    let staying = TestUser::new(&harness, STAYING, &OF_OTHER).await;
    harness.set_latency(LATENCY_MS).await;
    let (random, minute) = (Random::new(variable("SEED", 1)), Arc::default());
    let (path, url) = (folder.path().to_owned(), sandbox.url());
    let (erasing_since, while_disconnecting) = (None, 0);
    let mut stage =
        Stage { folder: path, sandbox: url, harness, process, minute, random, erasing_since, while_disconnecting };

    let before = state_of(&staying, &stage.harness).await;
    let records = table(&stage.folder).await;
    // The deliveries of an event go once it has arrived.
    let of_other = staying.records(&records).into_iter().filter(|key| !key.contains(" DELIVERY#")).collect();
    assert!(leaving.records(&records).len() > 50, "the user has records of each kind: {:?}", leaving.records(&records));
    let kills = variable("KILLS", KILLS);
    stage.begin(kills.div_ceil(2)).await;
    let met = stage.go_on(kills).await;

    // Acknowledged writes survive one more kill.
    kill(&stage.harness, &mut stage.process);
    start_again(&stage.harness, &mut stage.process, &stage.folder, &stage.sandbox);
    stage.harness.set_latency(0).await;
    let violations = check_table(&stage.folder, &leaving, &of_other, &staying).await;
    assert!(violations.is_empty(), "{violations:#?}");
    let books = leaving.books(&stage.harness).await;
    let is_paused = |campaign: &Value| ["PAUSED", "DISABLE"].contains(&campaign["status"].as_str().unwrap());
    assert!(books.len() == PLATFORMS.len() && books.iter().all(is_paused), "{books:#?}");
    assert_eq!(state_of(&staying, &stage.harness).await, before);
    // Where the customer has another grant, the service revokes none.
    let mut readable = leaving.readable(&stage.harness).await;
    readable.retain(|platform| !OF_OTHER.contains(platform));
    println!("{} kills may have lost a revocation; lost on {readable:?}", stage.while_disconnecting);
    assert!(readable.len() <= stage.while_disconnecting, "the tokens are not revoked on {readable:?}");
    // Otherwise the kills came too late to prove anything.
    assert!(met.len() > 1, "all kills at one step: {met:?}");
    drop(stage);
    sandbox.stop().await;
}
