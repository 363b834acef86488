//! A gateway that is killed under load, again and again, while the platforms keep running. At the end every campaign at
//! the platforms belongs to exactly one create request, and the API reports it; every event has reached the endpoints of
//! the customer; a user runs no more than its limit; nothing is left of a user that is erased; and the sign-in of an
//! assistant, killed at each of its writes, leads to one key and no second set of tokens.
//!
//! `KILLS=40 cargo test -p gateway kill:: -- --nocapture` kills more often; `SEED=7` kills at other moments.

mod deliveries;
mod erasure;
pub(crate) mod harness;
mod invariants;
mod limits;
mod requests;
mod sign_in;
mod users;

use crate::gateway_process::GatewayProcess;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use gateway::{Options, SandboxChoice, Storage};
use harness::Harness;
use invariants::{Creates, StateCounts};
use jiff::SignedDuration;
use maintenance::RunResult;
use requests::{ClientResponse, Exchange, Random};
use shared::app::App;
use shared::clock::Clock;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// Default of the variable `KILLS`.
const KILLS: u64 = 4;
/// Clients that create campaigns at a time, and the shortest and longest life of a gateway in milliseconds.
const LOAD: Load = Load { clients: 16, life_ms: (300, 1_100) };
/// Most kills then find creates at the platforms, which carry them out all the same.
const LATENCY_MS: u64 = 60;
/// Number of concurrent requests of the checks.
const CONCURRENT_REQUESTS: usize = 16;
/// After this time the leases of a killed gateway have expired, and reconciliation may rule its creates out.
const CLOCK_ADVANCE: SignedDuration = SignedDuration::from_mins(2);
/// Most runs of maintenance until every create is reconciled.
const MAX_MAINTENANCE_RUNS: usize = 10;
/// Most attempts until a request has its final response, once the gateway stays up.
const MAX_ATTEMPTS: usize = 5;

/// How heavy a load is.
struct Load {
    clients: u64,
    life_ms: (u64, u64),
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().unwrap())
}

fn start(folder: &Path, sandbox: &str) -> GatewayProcess {
    GatewayProcess::start(&["--sandbox-url", sandbox, "--data", folder.to_str().unwrap()])
}

/// Kills the gateway.
fn kill(harness: &Harness, process: &mut GatewayProcess) {
    assert!(!process.signal("-KILL").success());
    harness.set_gateway(None);
}

/// Starts a gateway on the folder of one that was killed.
fn start_again(harness: &Harness, process: &mut GatewayProcess, folder: &Path, sandbox: &str) {
    *process = start(folder, sandbox);
    harness.set_gateway(Some(process.field("gateway")));
}

/// Runs all clients while the gateway is killed and restarted. Returns their exchanges.
async fn run_load(
    harness: &Arc<Harness>,
    load: &Load,
    process: &mut GatewayProcess,
    folder: &Path,
    sandbox: &str,
) -> Vec<Exchange> {
    let kills = variable("KILLS", KILLS);
    let seed = variable("SEED", 1);
    let mut random = Random::new(seed);
    let mut clients = JoinSet::new();
    for number in 0..load.clients {
        clients.spawn(Arc::clone(harness).run_client(number, Random::new(seed * 1_000 + number)));
    }
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(random.between(load.life_ms.0, load.life_ms.1))).await;
        kill(harness, process);
        start_again(harness, process, folder, sandbox);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    harness.stop();
    clients.join_all().await.concat()
}

/// The service over the same store, with a clock ahead of all leases.
async fn join_with_advanced_clock(folder: &Path) -> (gateway::Running, Arc<App>) {
    join(folder, Clock::from_fn(|| Clock::system().now() + CLOCK_ADVANCE)).await
}

/// The service over the same store, with another clock.
async fn join(folder: &Path, clock: Clock) -> (gateway::Running, Arc<App>) {
    let sandbox = SandboxChoice::Start { port: 0 };
    let options = Options { port: 0, sandbox, storage: Storage::Shared(folder.to_owned()) };
    let running = gateway::start(options).await.unwrap();
    let mut app = App::start(running.config.clone()).await.unwrap();
    app.clock = clock;
    (running, Arc::new(app))
}

/// Runs maintenance until it finds nothing due.
async fn reconcile(app: &Arc<App>) {
    for _ in 0..MAX_MAINTENANCE_RUNS {
        if maintenance::run(app).await.unwrap() == RunResult::default() {
            return;
        }
    }
    panic!("maintenance still finds something due");
}

/// Retries the open requests until each has its final response. Returns their number.
async fn finish(app: &Arc<App>, harness: &Harness, exchanges: &mut [Exchange]) -> usize {
    let open = exchanges.iter_mut().filter(|exchange| exchange.is_open());
    let finished = stream::iter(open).map(async |exchange| {
        for _ in 0..MAX_ATTEMPTS {
            if !exchange.is_open() {
                break;
            }
            let response = campaigns::handle(Arc::clone(app), harness.function_request(&exchange.request)).await;
            exchange.responses.push(ClientResponse::from(&response));
        }
    });
    finished.buffer_unordered(CONCURRENT_REQUESTS).count().await
}

fn print_summary(exchanges: &[Exchange], after_load: &StateCounts, reconciled: &StateCounts, finished: usize) {
    let attempts: usize = exchanges.iter().map(|exchange| exchange.responses.len() + exchange.interrupted).sum();
    let interrupted: usize = exchanges.iter().map(|exchange| exchange.interrupted).sum();
    println!(
        "{} kills; {} create requests in {attempts} attempts, {interrupted} of them interrupted; {finished} requests \
         finished only after the load; targets after the load: {} created, {} of unknown outcome, of which maintenance \
         adopted {} and ruled {} out",
        variable("KILLS", KILLS),
        exchanges.len(),
        after_load.created,
        after_load.unknown,
        reconciled.created - after_load.created,
        reconciled.not_created - after_load.not_created,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_kill_every_campaign_belongs_to_one_create_request() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let mut process = start(folder.path(), &sandbox.url());
    let harness = Arc::new(Harness::start(&process, &sandbox.url()).await);
    harness.set_latency(LATENCY_MS).await;
    let mut exchanges = run_load(&harness, &LOAD, &mut process, folder.path(), &sandbox.url()).await;

    let (joined, app) = join_with_advanced_clock(folder.path()).await;
    let after_load = Creates::read(&app, &joined.config).await.count_states();
    reconcile(&app).await;
    let reconciled = Creates::read(&app, &joined.config).await.count_states();
    let finished = finish(&app, &harness, &mut exchanges).await;
    reconcile(&app).await;
    let creates = Creates::read(&app, &joined.config).await;
    invariants::reset_rate_limits(&joined.config).await;
    joined.stop().await;
    print_summary(&exchanges, &after_load, &reconciled, finished);

    // Acknowledged writes survive one more kill.
    kill(&harness, &mut process);
    start_again(&harness, &mut process, folder.path(), &sandbox.url());
    harness.set_latency(0).await;
    let mut violations = creates.check_platforms(&harness.platform_campaigns().await);
    violations.extend(creates.check_api(&harness).await);
    violations.extend(exchanges.iter().flat_map(|exchange| creates.check_exchange(exchange)));
    let replays = stream::iter(&exchanges).map(|exchange| harness.replay(exchange));
    violations.extend(replays.buffer_unordered(CONCURRENT_REQUESTS).filter_map(ready).collect::<Vec<_>>().await);
    let first: Vec<&str> = violations.iter().take(10).map(|text| text.get(..1_000).unwrap_or(text)).collect();
    assert!(first.is_empty(), "{} violations, the first of them:\n{}", violations.len(), first.join("\n"));
    // Without these the load was too light to prove anything.
    assert!(after_load.unknown > 0 && reconciled.created > after_load.created && finished > 0);
    drop(process);
    sandbox.stop().await;
}
