//! Maintenance of many grants with one-hour access tokens.

use super::fleet::{Fleet, UsedGrant};
use super::size;
use super::token_endpoint::{Class, Figures, TOKEN_LIFE};
use crate::random::Random;
use shared::domain::CustomerId;
use shared::domain::maintenance_schedule::INTERVAL;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

/// Bounds of the wait between two requests that use a grant, in milliseconds.
const REQUEST_INTERVAL_MS: [u64; 2] = [5 * 60_000, 60 * 60_000];
/// Most calls for a token that is replaced.
const MAX_CALLS_PER_EXPIRY: f64 = 1.02;

/// The size of a run.
#[derive(Clone, Copy, Debug)]
struct Size {
    seed: u64,
    customers: u64,
    /// Connections of a customer: a third each rotating, idle, and used, but at most 10 used.
    connections: u64,
    hours: u64,
}

/// Connections of each class.
fn connections_of(class: Class, all: u64) -> u64 {
    let used = (all / 10).min(10);
    match class {
        Class::Used => used,
        Class::Idle => (all - used) / 2,
        Class::Rotating => all - used - (all - used) / 2,
        Class::Hanging => 0,
    }
}

#[tokio::test(start_paused = true)]
async fn maintenance_keeps_many_grants_alive_and_leaves_idle_ones_alone() {
    let size = Size {
        seed: size("SCALE_SEED", 16),
        customers: size("SCALE_CUSTOMERS", 10),
        connections: size("SCALE_CONNECTIONS", 100),
        hours: size("SCALE_HOURS", 3),
    };
    let fleet = Fleet::new(size.seed);
    let began = std::time::Instant::now();
    let mut random = Random::new(size.seed);
    for customer in 0..size.customers {
        let customer = CustomerId(Uuid::from_u128(u128::from(customer)));
        for class in [Class::Rotating, Class::Idle, Class::Used] {
            let grants = fleet.connect(customer, class, connections_of(class, size.connections), &mut random).await;
            for used in grants.into_iter().filter(|_| class == Class::Used) {
                tokio::spawn(use_grant(fleet.clone(), used, Random::new(random.below(u64::MAX))));
            }
        }
    }
    let stored = fleet.table.calls();
    run_maintenance(&fleet, Duration::from_secs(size.hours * 3_600)).await;
    println!("{size:?}, {:.0} s of real time", began.elapsed().as_secs_f64());
    let calls = [Class::Rotating, Class::Used, Class::Idle].map(|class| report(class, fleet.endpoint.figures(class)));
    println!("store calls for each refresh: {:.2}", per(fleet.table.calls() - stored, calls.iter().sum()));
    check(&fleet, size);
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_hangs_does_not_keep_the_others_waiting() {
    const GRANTS: u64 = 150;
    let fleet = Fleet::new(1);
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

fn check(fleet: &Fleet, size: Size) {
    let [rotating, used, idle] = [Class::Rotating, Class::Used, Class::Idle].map(|class| fleet.endpoint.figures(class));
    assert_eq!((rotating.ended, used.ended, idle.ended), (0, 0, 0), "no grant ends by our fault");
    assert_eq!(idle.calls, 0, "no call for a grant that nothing uses");
    let grants = size.customers * connections_of(Class::Rotating, size.connections);
    assert!(rotating.refreshed >= grants * size.hours, "every rotating grant is refreshed each hour: {rotating:?}");
    assert!(rotating.latest > Duration::ZERO, "no rotating token expires: {rotating:?}");
    assert!(per(rotating.calls, rotating.refreshed) <= MAX_CALLS_PER_EXPIRY, "{rotating:?}");
    assert!(used.refreshed > 0 && per(used.calls, used.refreshed) <= MAX_CALLS_PER_EXPIRY, "{used:?}");
}

/// Prints the figures of a class; returns its calls.
fn report(class: Class, figures: Figures) -> u64 {
    let Figures { calls, refreshed, ended, latest } = figures;
    let latest = if refreshed == 0 { TOKEN_LIFE } else { latest };
    println!(
        "{class:?}: {calls} calls, {refreshed} tokens replaced, {:.4} calls each, {ended} grants ended, latest {} s before expiry",
        per(calls, refreshed),
        latest.as_secs()
    );
    calls
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
fn per(count: u64, of: u64) -> f64 {
    count as f64 / of.max(1) as f64
}
