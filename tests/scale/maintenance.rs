//! Maintenance of many grants, with the token lives of their platforms.

use super::class::Class;
use super::fleet::{Fleet, UsedGrant};
use super::size;
use super::token_endpoint::Figures;
use crate::random::Random;
use shared::domain::CustomerId;
use shared::domain::maintenance_schedule::INTERVAL;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

/// Bounds of the wait between two requests that use a grant, in milliseconds.
const REQUEST_INTERVAL_MS: [u64; 2] = [5 * 60_000, 60 * 60_000];
/// Most calls for a token that is replaced.
const MAX_CALLS_PER_EXPIRY: f64 = 1.01;

/// The size of a run.
#[derive(Clone, Copy, Debug)]
struct Size {
    seed: u64,
    customers: u64,
    /// Connections of a customer, each with a grant of its own.
    connections: u64,
    /// Of a thousand grants, those whose tokens live for an hour and rotate.
    hourly: u64,
    hours: u64,
}

impl Size {
    /// A customer's grants of each class.
    fn mix(self) -> [(Class, u64); 5] {
        let per_mille = [
            (Class::Hourly, self.hourly),
            (Class::Rotating, 200),
            (Class::Exchanged, 200),
            (Class::Used, 5),
            (Class::Idle, 595 - self.hourly),
        ];
        per_mille.map(|(class, per_mille)| (class, self.connections * per_mille / 1_000))
    }
}

#[tokio::test(start_paused = true)]
async fn maintenance_keeps_many_grants_alive_and_leaves_idle_ones_alone() {
    let size = Size {
        seed: size("SCALE_SEED", 16),
        customers: size("SCALE_CUSTOMERS", 5),
        connections: size("SCALE_CONNECTIONS", 400),
        hourly: size("SCALE_HOURLY", 25),
        hours: size("SCALE_HOURS", 3),
    };
    let fleet = Fleet::new(size.seed).await;
    let began = std::time::Instant::now();
    let mut random = Random::new(size.seed);
    for customer in 0..size.customers {
        let customer = CustomerId(Uuid::from_u128(u128::from(customer)));
        for (class, count) in size.mix() {
            let grants = fleet.connect(customer, class, count, &mut random).await;
            for used in grants.into_iter().filter(|_| class == Class::Used) {
                tokio::spawn(use_grant(fleet.clone(), used, Random::new(random.below(u64::MAX))));
            }
        }
    }
    println!("{size:?}, connected after {:.0} s of real time", began.elapsed().as_secs_f64());
    let stored = fleet.table.calls();
    run_maintenance(&fleet, Duration::from_secs(size.hours * 3_600)).await;
    let figures = size.mix().map(|(class, _)| (class, fleet.endpoint.figures(class)));
    for (class, figures) in &figures {
        report(*class, figures);
    }
    let calls = figures.iter().map(|(_, figures)| figures.calls).sum();
    println!("store calls for each refresh: {:.2}", per(fleet.table.calls() - stored, calls));
    println!("done after {:.0} s of real time; {}", began.elapsed().as_secs_f64(), peak_memory());
    for (class, figures) in &figures {
        check(*class, figures);
    }
    let [(_, hourly), ..] = figures;
    let [(_, grants), ..] = size.mix();
    assert!(hourly.refreshed >= size.customers * grants * size.hours, "each hour: {hourly:?}");
    let refreshed = figures.iter().map(|(_, figures)| figures.refreshed).sum();
    assert!(per(calls, refreshed) <= MAX_CALLS_PER_EXPIRY, "{calls} calls for {refreshed} tokens");
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_hangs_does_not_keep_the_others_waiting() {
    const GRANTS: u64 = 150;
    let fleet = Fleet::new(1).await;
    let mut random = Random::new(1);
    let customer = CustomerId(Uuid::from_u128(1));
    fleet.connect(customer, Class::Hanging, GRANTS, &mut random).await;
    fleet.connect(customer, Class::Idle, GRANTS, &mut random).await;
    // Those of the platform that hangs have been due for longer.
    sleep(Duration::from_secs(91 * 24 * 3_600)).await;
    maintenance::run(&fleet.app).await.expect("a report");
    assert_eq!(fleet.endpoint.figures(Class::Idle).calls, GRANTS, "one run maintains all");
    let calls = fleet.endpoint.figures(Class::Hanging).calls;
    assert!((1..GRANTS / 2).contains(&calls), "{calls} calls to a platform that hangs");
}

/// Starts a run at each interval; runs may overlap.
async fn run_maintenance(fleet: &Fleet, time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        let app = fleet.app.clone();
        tokio::spawn(async move { maintenance::run(&app).await.expect("a report") });
        sleep(INTERVAL.unsigned_abs()).await;
    }
}

/// Requests that use a grant, for ever. None may fail without a failure of the platform.
async fn use_grant(fleet: Fleet, used: UsedGrant, mut random: Random) {
    loop {
        sleep(random.millis(REQUEST_INTERVAL_MS[0], REQUEST_INTERVAL_MS[1])).await;
        if let Err(error) = fleet.request(&used).await {
            assert!(error.retryable, "a request failed: {error:?}");
        }
    }
}

fn check(class: Class, figures: &Figures) {
    assert_eq!(figures.ended, 0, "no grant ends by our fault: {class:?}");
    assert_eq!(figures.forgotten, 0, "every token that is due is replaced: {class:?} {figures:?}");
    match class {
        Class::Hourly | Class::Rotating | Class::Exchanged => {
            assert!(figures.expected > 0 && figures.refreshed >= figures.expected, "{class:?} {figures:?}");
            assert!(
                figures.latest > Some(Duration::ZERO),
                "no token expires before it is replaced: {class:?} {figures:?}"
            );
        }
        Class::Used => assert!(figures.refreshed > 0, "{figures:?}"),
        Class::Idle | Class::Hanging => {
            assert_eq!(figures.refreshed, figures.expected, "no refresh before a grant was idle for long");
        }
    }
}

fn report(class: Class, figures: &Figures) {
    let Figures { calls, refreshed, ended, latest, expected, forgotten } = figures;
    println!(
        "{class:?}: {calls} calls, {refreshed} tokens replaced, {:.4} calls each, {ended} grants ended; of {expected} first tokens that were due {forgotten} are left; latest {} s before expiry",
        per(*calls, *refreshed),
        latest.unwrap_or_default().as_secs()
    );
}

/// The peak memory of the process, as Linux reports it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("peak memory unknown").to_owned()
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
fn per(count: u64, of: u64) -> f64 {
    count as f64 / of.max(1) as f64
}
