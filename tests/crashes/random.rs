//! Random schedules: concurrent creates of the same names in the same accounts, with and without keys; slow, failing
//! and lost calls; processes that die or are suspended; overlapping runs of maintenance; connections that are unusable
//! for a while. All of it follows from a seed.

use super::client::{ClientHistory, ClientResponse, CreateRequest, TargetResult};
use super::environment::{Environment, EnvironmentOptions, Target};
use super::invariants::{check, is_reconciled};
use super::outage::Outage;
use crate::in_process::faults::{FaultPlan, FaultRates, RandomFaults};
use crate::random::Random;
use futures_util::future::join_all;
use shared::domain::Platform;
use shared::domain::maintenance_schedule::INTERVAL;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};

/// Period with faults.
const FAULT_PERIOD: Duration = Duration::from_secs(240);
/// Suspended processes continue, late calls arrive, and maintenance reconciles after the faults.
const RECOVERY_PERIOD: Duration = Duration::from_secs(600);
/// Reconciliation asks a throttled ad account again after an hour at the latest, in the next run of maintenance.
const MAX_THROTTLE: Duration = Duration::from_secs(3_900);
/// Repetitions by a client without a key, where the response says that they are safe.
const MAX_REPETITIONS: usize = 3;

/// Result of a seed.
pub(super) struct Outcome {
    pub(super) violations: Vec<String>,
    pub(super) log: Vec<String>,
    pub(super) trace: u64,
    pub(super) creates: usize,
    pub(super) calls: usize,
}

/// One random schedule.
struct Run {
    environment: Environment,
    history: ClientHistory,
    faults: RandomFaults,
    requests: Vec<CreateRequest>,
    outage: Option<Outage>,
}

pub(super) fn run(seed: u64, keeps_log: bool) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(run_seed(seed, keeps_log))
}

async fn run_seed(seed: u64, keeps_log: bool) -> Outcome {
    let mut random = Random::new(seed);
    let options = options(&mut random, keeps_log);
    let environment = Environment::new(&options).await;
    let requests = requests(&mut random, &environment.targets);
    let outage = random.chance(500).then(|| random.pick(&Outage::each(&options.accounts)));
    let rates =
        FaultRates { store_faults: random.below(60), platform_faults: random.below(300), slow: random.below(300) };
    environment.log.record(|| format!("{options:?} {rates:?}"));
    let (random, rates) = (Arc::new(Mutex::new(random)), Arc::new(Mutex::new(rates)));
    let faults = RandomFaults { random, rates };
    environment.plan_all(FaultPlan::random(&faults));
    let run = Arc::new(Run { environment, history: ClientHistory::default(), faults, requests, outage });
    let clients = join_all(run.requests.iter().map(|request| Arc::clone(&run).client(request.clone())));
    let maintenance = tokio::spawn(Arc::clone(&run).run_maintenance());
    tokio::join!(clients, run.end_faults(), run.outage());
    sleep(RECOVERY_PERIOD).await;
    let until = Instant::now() + MAX_THROTTLE;
    while Instant::now() < until && !is_reconciled(&run.environment).await {
        sleep(INTERVAL.unsigned_abs()).await;
    }
    maintenance.abort();
    check(&run.environment, &run.history, &run.requests).await;
    let violations = run.history.violations.lock().expect("the history").clone();
    let log = run.environment.log.lines();
    let trace = run.environment.log.trace();
    let calls = run.environment.calls();
    Outcome { violations, log, trace, creates: run.requests.len(), calls }
}

fn options(random: &mut Random, keeps_log: bool) -> EnvironmentOptions {
    let mut accounts: Vec<(Platform, usize)> = Vec::new();
    for _ in 0..=random.below(3) {
        let platform = random.pick(&Platform::ALL);
        if accounts.iter().all(|(known, _)| *known != platform) {
            accounts.push((platform, 1 + usize::try_from(random.below(2)).expect("small")));
        }
    }
    // Half of the schedules have a store client that retries, as the deployed one does.
    let store_attempts = if random.chance(500) { 1 } else { 3 };
    EnvironmentOptions { accounts, store_attempts, keeps_log }
}

fn requests(random: &mut Random, accounts: &[Target]) -> Vec<CreateRequest> {
    let count = 1 + random.below(4);
    let request = |number: u64| {
        let mut targets: Vec<Target> = accounts.iter().filter(|_| random.chance(600)).cloned().collect();
        if targets.is_empty() {
            targets.push(random.pick(accounts));
        }
        CreateRequest {
            name: random.pick(&["Spring", "Spring", "Spring", "Summer"]).to_owned(),
            // On most platforms only the budget distinguishes two creates of one name.
            budget: 50 + 10 * number,
            targets,
            key: random.chance(500).then(|| format!("key-{number}")),
        }
    };
    (0..count).map(request).collect()
}

impl Run {
    fn millis(&self, from: u64, to: u64) -> Duration {
        self.faults.random.lock().expect("the random source").millis(from, to)
    }

    fn chance(&self, per_mille: u64) -> bool {
        self.faults.random.lock().expect("the random source").chance(per_mille)
    }

    async fn client(self: Arc<Run>, request: CreateRequest) {
        let late = if self.chance(600) { 3_000 } else { 90_000 };
        sleep(self.millis(0, late)).await;
        if request.key.is_none() {
            for _ in 0..=MAX_REPETITIONS {
                let response = self.history.send(&self.environment, &self.environment.start("create"), &request).await;
                let Some(response) = response.filter(ClientResponse::is_safe_to_repeat) else { return };
                sleep(response.retry_after.unwrap_or(Duration::from_secs(1))).await;
            }
            return;
        }
        if self.chance(400) {
            let (one, other) = (self.environment.start("create"), self.environment.start("create"));
            let second = async {
                sleep(self.millis(0, 4_000)).await;
                self.history.send(&self.environment, &other, &request).await
            };
            tokio::join!(self.history.send(&self.environment, &one, &request), second);
        }
        let Some(mut last) = self.history.send_until_final(&self.environment, &request).await else { return };
        if !last.results().iter().all(|result| matches!(result, TargetResult::Created(_))) {
            self.environment.wait_for_end_of_outage().await;
            let Some(complete) = self.history.send_until_final(&self.environment, &request).await else { return };
            last = complete;
        }
        self.every_target_is_settled(&request, &last);
        sleep(self.millis(0, 100_000)).await;
        self.history.send_until_final(&self.environment, &request).await;
    }

    /// No platform refuses a campaign of a name that no other request uses. Gateways do.
    fn every_target_is_settled(&self, request: &CreateRequest, last: &ClientResponse) {
        for (result, target) in last.results().iter().zip(&request.targets) {
            let others =
                self.requests.iter().filter(|other| other.name == request.name && other.targets.contains(target));
            let is_contested = target.0 == Platform::Alpha && others.count() > 1;
            if !is_contested && !result.is_settled() {
                self.history.report(format!("the final response lacks {target:?}: {}", last.text));
            }
        }
    }

    /// One connection is unusable for a while.
    async fn outage(&self) {
        let Some(outage) = self.outage else { return };
        sleep(self.millis(0, 90_000)).await;
        self.environment.begin_outage(outage).await;
        sleep(self.millis(1_000, 120_000)).await;
        self.environment.end_outage(outage).await;
    }

    /// Maintenance at its interval; some runs overlap.
    async fn run_maintenance(self: Arc<Run>) {
        sleep(self.millis(0, 60_000)).await;
        loop {
            let runs = if self.chance(300) { 2 } else { 1 };
            for _ in 0..runs {
                let run = Arc::clone(&self);
                let later = self.millis(0, 3_000);
                tokio::spawn(async move {
                    sleep(later).await;
                    run.environment.maintenance().await;
                });
            }
            sleep(INTERVAL.unsigned_abs()).await;
        }
    }

    async fn end_faults(&self) {
        sleep(FAULT_PERIOD).await;
        self.environment.log.record(|| "faults end".to_owned());
        *self.faults.rates.lock().expect("the fault rates") =
            FaultRates { store_faults: 0, platform_faults: 0, slow: 0 };
    }
}
