//! Crash tests for creates, and in [`edits`] for updates and removals: the service's real code, with the sandbox and the
//! table in this process under a paused clock.
//!
//! A schedule injects faults into a create. When the schedule ends, every campaign at a platform belongs to exactly one
//! create, no campaign is duplicated, every create is final, and every response that a client received is true.
//!
//! A *point* is one call to the table or a platform. Enumerated schedules try every fault at every point of a create
//! and of its reconciliation. Random schedules follow from a seed. `cargo test -p tests crashes` runs a small sample of
//! the enumerated schedules on every platform, and 20 seeds. The sample of a commit, the full run, and one seed with a
//! log of its events:
//!
//! ```sh
//! SAMPLE=20:$(git rev-parse HEAD) cargo test -p tests crashes
//! SAMPLE=all cargo test -p tests crashes -- --nocapture
//! CRASH_SEEDS=10000 cargo test -p tests crashes::random -- --nocapture
//! CRASH_SEED=4711 cargo test -p tests crashes::random -- --nocapture
//! ```

mod client;
mod deliveries;
mod edits;
mod enumerate;
mod environment;
mod events;
mod idle;
mod invariants;
mod network;
mod outage;
mod random;
mod refreshes;
mod runs;
mod schedule;
mod settle;
mod snapshots;

use crate::platforms::case;
use crate::sample::{Sample, env_number, seeds};
use enumerate::Enumeration;
use outage::Outage;
use shared::domain::Platform;
use std::panic::catch_unwind;
use std::time::Instant;

/// Number of seeds unless `CRASH_SEEDS` is set.
const SEEDS: u64 = 20;
/// Creates on many targets. One platform for each number of targets is enough, unless every schedule runs.
const MANY_TARGETS: [(Platform, usize); 2] = [(Platform::Beta, 3), (Platform::Zeta, 10)];

/// Creates on one platform.
fn create_on(platform: Platform) {
    Enumeration::new(&[(platform, 1)]).each_point();
    Enumeration::new(&[(platform, 2)]).each_point();
    for (of, targets) in MANY_TARGETS {
        if of == platform || Sample::of_run().is_all() {
            Enumeration::new(&[(platform, targets)]).each_point();
        }
    }
    Enumeration::new(&[(platform, 1)]).each_point_of_reconciliation();
    Enumeration::new(&[(platform, 1)]).each_point_of_a_repeat();
}

/// The test of each platform.
macro_rules! creates {
    ($platform:expr) => {
        #[test]
        fn no_campaign_is_lost_or_duplicated() {
            crate::crashes::create_on($platform);
        }
    };
}
use creates;

crate::platforms::each_platform! { creates }

#[test]
fn on_all_platforms_at_once_no_campaign_is_lost_or_duplicated() {
    let each: Vec<(Platform, usize)> = Platform::ALL.iter().map(|platform| (*platform, 1)).collect();
    Enumeration::new(&each).each_point();
}

#[test]
fn a_retry_with_the_key_finds_a_campaign_created_too_late() {
    for platform in Platform::ALL {
        Enumeration::new(&[(platform, 1)]).each_write_too_late();
    }
}

#[test]
fn a_retry_next_day_duplicates_no_unknown_create() {
    for platform in Platform::ALL {
        Enumeration::new(&[(platform, 1)]).each_point_before_a_retry_next_day();
    }
}

#[test]
fn a_retry_that_crashes_duplicates_no_campaign() {
    for platform in Platform::ALL {
        Enumeration::new(&[(platform, 1)]).each_point_of_a_keyed_retry();
    }
}

#[test]
fn a_throttled_create_stays_throttled_on_an_immediate_retry() {
    for platform in Platform::ALL {
        Enumeration::new(&[(platform, 1)]).each_throttle_retried_at_once();
    }
}

/// The connections of a create whose retries meet an outage: on three platforms, and two that share a grant.
const OUTAGES: [&[(Platform, usize)]; 2] =
    [&[(Platform::Alpha, 1), (Platform::Beta, 1), (Platform::Epsilon, 1)], &[(Platform::Beta, 2), (Platform::Zeta, 1)]];

#[test]
fn a_retry_without_one_connection_creates_the_other_targets() {
    for accounts in OUTAGES {
        for outage in Outage::each(accounts) {
            Enumeration::new(accounts).each_point_before_an_outage(outage);
            Enumeration::new(accounts).each_point_of_a_retry_during_an_outage(outage);
        }
    }
}

/// A platform that refuses a second campaign of the same name is skipped. The others create both.
#[test]
fn each_of_two_identical_creates_gets_one_campaign() {
    for platform in Platform::ALL.into_iter().filter(|platform| case(*platform).names_repeat) {
        Enumeration::new(&[(platform, 1)]).each_point_of_identical_creates();
    }
}

/// Runs the seeds with this remainder of a division by two. Two tests share the seeds, so that they run on two cores.
fn run_seeds(remainder: u64) {
    let all = seeds(env_number("CRASH_SEED"), env_number("CRASH_SEEDS").unwrap_or(SEEDS));
    let seeds: Vec<u64> = all.filter(|seed| seed % 2 == remainder).collect();
    let mut creates = 0;
    let mut calls = 0;
    let mut failed = Vec::new();
    let began = Instant::now();
    for seed in &seeds {
        let run = || random::run(*seed, env_number("CRASH_SEED").is_some());
        let outcome = catch_unwind(run).unwrap_or_else(|_| panic!("seed {seed} panicked"));
        outcome.log.iter().for_each(|line| println!("{line}"));
        creates += outcome.creates;
        calls += outcome.calls;
        if !outcome.violations.is_empty() {
            println!("seed {seed}: {:#?}", outcome.violations);
            failed.push(*seed);
        }
    }
    println!("{} seeds, {creates} creates, {calls} calls, {:.1?}", seeds.len(), began.elapsed());
    assert!(
        failed.is_empty(),
        "seeds {failed:?}\nLog of one seed: CRASH_SEED=n cargo test -p tests crashes::random -- --nocapture"
    );
}

#[test]
fn random_schedules_lose_and_duplicate_no_campaign_even_seeds() {
    run_seeds(0);
}

#[test]
fn random_schedules_lose_and_duplicate_no_campaign_odd_seeds() {
    run_seeds(1);
}

/// Regression: a process, suspended until maintenance had emitted the in-doubt event of its create, emitted it again.
#[test]
fn a_resumed_process_emits_no_second_in_doubt_event() {
    assert_eq!(random::run(597_642_291_182, false).violations, Vec::<String>::new());
}

#[test]
fn random_schedules_of_one_seed_have_the_same_trace() {
    for seed in [1, 2, 4, 5, 13] {
        assert_eq!(random::run(seed, false).trace, random::run(seed, false).trace, "seed {seed}");
    }
}
