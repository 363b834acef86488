//! Simulation of token refresh: the service's real code for leases and refreshes, in several processes over one table,
//! under a paused clock. Calls are slow, fail or get lost, and processes die. Every event follows from a seed.
//!
//! `cargo test -p tests refreshes` runs 100 seeds, and `.ci/run` 100 others for each commit. More, or one with a log of
//! its events:
//!
//! ```sh
//! REFRESH_SEEDS=20000 cargo test -p tests refreshes
//! REFRESH_SEED=4711 cargo test -p tests refreshes -- --nocapture
//! ```

mod events;
mod leases;
mod network;
mod platform;
mod run;
mod service;
mod state;
mod store;

use crate::sample::{env_number, seeds};
use run::{Scenario, simulate};

/// Number of seeds unless `REFRESH_SEEDS` is set.
const SEEDS: u64 = 100;

/// Runs the seeds with this remainder of a division by two. Two tests share the seeds, so that they run on two cores.
fn run_seeds(remainder: u64) {
    let all = seeds(env_number("REFRESH_SEED"), env_number("REFRESH_SEEDS").unwrap_or(SEEDS));
    let seeds: Vec<u64> = all.filter(|seed| seed % 2 == remainder).collect();
    let keeps_log = seeds.len() == 1;
    let (mut refreshes, mut lost) = (0, 0);
    for seed in &seeds {
        let outcome = simulate(*seed, keeps_log);
        outcome.log.iter().for_each(|line| println!("{line}"));
        assert!(
            outcome.violations.is_empty(),
            "seed {seed}, {:?}: {:#?}\nLog of this seed: REFRESH_SEED={seed} cargo test -p tests refreshes -- --nocapture",
            Scenario::of(*seed),
            outcome.violations
        );
        refreshes += outcome.refreshes;
        lost += u64::from(outcome.is_lost);
    }
    println!(
        "{} seeds, {refreshes} refreshes, {lost} connections lost with a response that never arrived",
        seeds.len()
    );
}

#[test]
fn no_connection_with_stored_tokens_is_lost_even_seeds() {
    run_seeds(0);
}

#[test]
fn no_connection_with_stored_tokens_is_lost_odd_seeds() {
    run_seeds(1);
}

#[test]
fn two_runs_of_one_seed_have_the_same_trace() {
    for seed in [1, 2, 3, 5, 13, 17] {
        assert_eq!(simulate(seed, false).trace, simulate(seed, false).trace, "seed {seed}");
    }
}
