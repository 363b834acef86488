//! Creates that crash: the service's real code, with the sandbox and the table in this process under a paused clock.
//! Whatever breaks at whatever moment, in the end every campaign at a platform is of one create that says so, nothing
//! is made twice, it is known of every create what became of it, and whoever was answered was told the truth.
//!
//! Every call to the table or to a platform is a point. First each fault at each point of a create, and of what settles
//! it; then schedules by chance, each from a seed. `cargo test -p tests crashes` tries a part of the first on every
//! platform, and some hundred seeds. All of it, and one seed again with its story in words:
//!
//! ```sh
//! export CARGO_PROFILE_DEV_OPT_LEVEL=1      # takes a minute more to build, and runs three times as fast
//! CRASHES=all cargo test -p tests crashes -- --nocapture
//! CRASH_SEEDS=10000 cargo test -p tests crashes::chance -- --nocapture
//! CRASH_SEED=4711 cargo test -p tests crashes::chance -- --nocapture
//! ```

mod chance;
mod client;
mod enumerate;
mod invariants;
mod network;
mod point;
mod process;
mod scenario;
mod schedule;
pub(crate) mod simulation;
mod world;

use enumerate::Field;
use shared::domain::Platform;
use std::env;
use std::time::Instant;

/// Seeds that are tried unless `CRASH_SEEDS` says another number.
const SEEDS: u64 = 100;
/// The platforms that are tried.
const PLATFORMS: [Platform; 6] = Platform::ALL;

/// Whether everything is tried, or what is quick.
fn is_all() -> bool {
    env::var("CRASHES").is_ok_and(|which| which == "all")
}

/// Creates on one platform. What is quick thins out, by a number that has nothing in common with the faults', so that
/// every point and every fault has its turn.
fn on(platform: Platform) {
    if !is_all() {
        Field::new(&[(platform, 1)]).every(13).each_point();
        Field::new(&[(platform, 1)]).every(401).each_point_of_settling();
        Field::new(&[(platform, 1)]).every(101).each_point_of_a_repeat();
        Field::new(&[(platform, 2)]).every(37).each_point();
        match platform {
            Platform::Beta => Field::new(&[(platform, 3)]).every(67).each_point(),
            Platform::Zeta => Field::new(&[(platform, 10)]).every(501).each_point(),
            _ => {}
        }
        return;
    }
    for targets in [1, 2, 3, 10] {
        Field::new(&[(platform, targets)]).each_point();
    }
    Field::new(&[(platform, 1)]).each_point_of_settling();
    Field::new(&[(platform, 1)]).each_point_of_a_repeat();
    Field::new(&[(platform, 2)]).every(11).each_point_of_settling();
}

#[test]
fn on_alpha_nothing_is_lost_or_made_twice() {
    on(Platform::Alpha);
}

#[test]
fn on_beta_nothing_is_lost_or_made_twice() {
    on(Platform::Beta);
}

#[test]
fn on_gamma_nothing_is_lost_or_made_twice() {
    on(Platform::Gamma);
}

#[test]
fn on_delta_nothing_is_lost_or_made_twice() {
    on(Platform::Delta);
}

#[test]
fn on_epsilon_nothing_is_lost_or_made_twice() {
    on(Platform::Epsilon);
}

#[test]
fn on_zeta_nothing_is_lost_or_made_twice() {
    on(Platform::Zeta);
}

#[test]
fn on_all_platforms_at_once_nothing_is_lost_or_made_twice() {
    let each: Vec<(Platform, usize)> = PLATFORMS.iter().map(|platform| (*platform, 1)).collect();
    Field::new(&each).every(if is_all() { 1 } else { 37 }).each_point();
}

#[test]
fn what_is_made_too_late_is_found_by_a_retry_with_the_key() {
    for platform in PLATFORMS {
        Field::new(&[(platform, 1)]).each_write_too_late();
    }
}

#[test]
fn a_create_in_doubt_is_not_sent_blindly_when_its_day_is_over() {
    for platform in PLATFORMS {
        Field::new(&[(platform, 1)]).every(if is_all() { 1 } else { 5 }).each_point_before_the_next_day();
    }
}

#[test]
fn a_retry_that_crashes_makes_nothing_twice() {
    for platform in PLATFORMS {
        Field::new(&[(platform, 1)]).every(if is_all() { 1 } else { 13 }).each_point_of_a_keyed_retry();
    }
}

#[test]
fn a_throttled_create_that_is_retried_at_once_stays_throttled() {
    for platform in PLATFORMS {
        Field::new(&[(platform, 1)]).each_throttle_retried();
    }
}

/// Google Ads refuses a second campaign of the same name; the others make both.
#[test]
fn of_two_creates_that_cannot_be_told_apart_each_gets_one_campaign() {
    for platform in PLATFORMS.into_iter().filter(|platform| *platform != Platform::Alpha) {
        Field::new(&[(platform, 1)]).every(if is_all() { 1 } else { 7 }).each_point_of_twins();
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// Plays every `step`th seed from `first` on. Two tests share the seeds, for two cores.
fn try_seeds(first: u64, step: u64) {
    let seeds: Vec<u64> = match number("CRASH_SEED") {
        Some(seed) if seed % step == first => vec![seed],
        Some(_) => Vec::new(),
        None => {
            (first..number("CRASH_SEEDS").unwrap_or(SEEDS)).step_by(usize::try_from(step).expect("small")).collect()
        }
    };
    let (mut creates, mut calls, mut wrong) = (0, 0, Vec::new());
    let began = Instant::now();
    for seed in &seeds {
        let outcome = chance::play(*seed, number("CRASH_SEED").is_some());
        outcome.words.iter().for_each(|line| println!("{line}"));
        creates += outcome.creates;
        calls += outcome.calls;
        if !outcome.wrong.is_empty() {
            println!("seed {seed}: {:#?}", outcome.wrong);
            wrong.push(*seed);
        }
    }
    println!("{} seeds, {creates} creates, {calls} calls, {:.1?}", seeds.len(), began.elapsed());
    assert!(
        wrong.is_empty(),
        "seeds {wrong:?}\nAgain, in words: CRASH_SEED=n cargo test -p tests crashes::chance -- --nocapture"
    );
}

#[test]
fn chance_does_not_lose_a_campaign_or_make_one_twice_even_seeds() {
    try_seeds(0, 2);
}

#[test]
fn chance_does_not_lose_a_campaign_or_make_one_twice_odd_seeds() {
    try_seeds(1, 2);
}

#[test]
fn chance_tells_the_same_story_every_time() {
    for seed in [1, 2, 3, 5, 13] {
        assert_eq!(chance::play(seed, false).trace, chance::play(seed, false).trace, "seed {seed}");
    }
}
