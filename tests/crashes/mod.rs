//! Crashes.

mod chance;
mod client;
mod enumerate;
mod point;
mod process;
mod schedule;
mod story;
mod truth;
mod wires;
mod world;

use enumerate::Field;
use shared::domain::Platform;

/// The platforms that are tried.
const PLATFORMS: [Platform; 3] = [Platform::Alpha, Platform::Beta, Platform::Gamma];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// Plays every `step`th seed from `first` on. Two tests share the seeds, for two cores.
fn try_seeds(first: u64, step: u64) {
    let seeds: Vec<u64> = match number("CRASH_SEED") {
        Some(seed) if seed % step == first => vec![seed],
        Some(_) => Vec::new(),
        None => (first..number("CRASH_SEEDS").unwrap_or(500)).step_by(usize::try_from(step).expect("small")).collect(),
    };
    let (mut creates, mut calls, mut wrong) = (0, 0, Vec::new());
    let began = std::time::Instant::now();
    for seed in &seeds {
        let outcome = chance::play(*seed, seeds.len() == 1);
        outcome.words.iter().for_each(|line| println!("{line}"));
        creates += outcome.creates;
        calls += outcome.calls;
        if !outcome.wrong.is_empty() {
            println!("seed {seed}: {:#?}", outcome.wrong);
            wrong.push(*seed);
        }
    }
    println!("{} seeds, {creates} creates, {calls} calls, {:?}", seeds.len(), began.elapsed());
    assert!(wrong.is_empty(), "seeds {wrong:?}\nAgain, in words: CRASH_SEED=n cargo test -p tests crashes -- --nocapture");
}

#[test]
fn chance_even() {
    try_seeds(0, 2);
}
#[test]
fn chance_odd() {
    try_seeds(1, 2);
}
#[test]
fn same() {
    for seed in [1, 2, 3, 5, 13] {
        assert_eq!(chance::play(seed, false).trace, chance::play(seed, false).trace, "seed {seed}");
    }
}
#[test]
fn alpha_two() {
    Field::new(&[(Platform::Alpha, 2)]).each_point();
}
#[test]
fn gamma_settle() {
    Field::new(&[(Platform::Gamma, 1)]).every(3).each_point_of_settling();
}
#[test]
fn beta_settle() {
    Field::new(&[(Platform::Beta, 1)]).every(3).each_point_of_settling();
}
#[test]
fn three() {
    Field::new(&[(Platform::Alpha, 1), (Platform::Beta, 1), (Platform::Gamma, 1)]).every(7).each_point();
}
#[test]
fn timing() {
    let rt = || tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let setting = world::Setting { accounts: vec![(Platform::Beta, 1)], store_attempts: 1, in_words: false };
    let began = std::time::Instant::now();
    for _ in 0..50 { rt().block_on(async { crate::simulation::service::table(); }) }
    println!("table {:?}", began.elapsed() / 50);
    let began = std::time::Instant::now();
    for _ in 0..50 { rt().block_on(async { world::World::new(&setting).await; }) }
    println!("world {:?}", began.elapsed() / 50);
    rt().block_on(async {
        let w = std::sync::Arc::new(world::World::new(&setting).await);
        let began = std::time::Instant::now();
        for _ in 0..200 { w.clean(); }
        println!("clean {:?}", began.elapsed() / 200);
        let began = std::time::Instant::now();
        for _ in 0..200 { w.upkeep().await; }
        println!("upkeep {:?}", began.elapsed() / 200);
        let s = w.clean();
        let began = std::time::Instant::now();
        for _ in 0..200 { s.app.store.links(w.customer, w.now()).await.unwrap(); }
        println!("links {:?}", began.elapsed() / 200);
    });
}
