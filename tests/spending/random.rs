//! Random requests of a key with a limit, in two processes at a time, with lost responses, maintenance, passing days and
//! a person who changes the limit and approves: by the sandbox's books, running budgets never grow beyond the limit.
//!
//! ```sh
//! SPENDING_SEEDS=1000 cargo test -p tests spending::random -- --nocapture
//! ```

use super::{Answer, Stage, daily, send_now};
use crate::random::Random;
use crate::sample::{env_number, seeds};
use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::Platform;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// Seeds unless `SPENDING_SEEDS` is set.
const SEEDS: u64 = 6;
const STEPS: usize = 60;
const CAMPAIGNS: usize = 6;
/// Faults that leave an outcome unknown, or none.
const FAULTS: [&str; 5] = ["drop_after", "drop", "error", "slow", "ignored"];

/// A random change of the key. TikTok's budgets begin at 50.
fn random_changes(random: &mut Random) -> Value {
    let amount = 50 + random.below(60);
    match random.below(6) {
        0 => json!({"status": "PAUSED"}),
        1 | 2 => json!({"status": "ACTIVE"}),
        3 => json!({"status": "ACTIVE", "budget_amount": amount}),
        _ => json!({"budget_amount": amount}),
    }
}

fn small(number: u64) -> i64 {
    i64::try_from(number).expect("a small number")
}

/// The limit of a seed. In some a person approves activations, or what adds more than an amount.
fn limit(seed: u64, connections: &[String], cap: i64) -> Value {
    let approval = match seed % 4 {
        0 => json!({"amounts": [{"currency": "USD", "amount": 60}]}),
        1 => json!({"activation": true}),
        _ => Value::Null,
    };
    let mut limit = daily(connections, cap);
    limit["approval"] = approval;
    limit
}

/// What a person has looked at: changes that wait, each with what they saw.
#[derive(Default)]
struct ReviewedChanges(Vec<(String, String)>);

impl ReviewedChanges {
    /// The person approves the changes of their last review, even if they changed since, and reviews those that wait now.
    async fn work(&mut self, stage: &Stage) {
        for (id, seen) in std::mem::take(&mut self.0) {
            // Much of it is refused: the campaign or the limit has changed.
            let _ = stage.approve_as_seen(&id, &seen).await;
        }
        for id in stage.app.store.awaiting_approval(stage.owner.customer).await.expect("a read").iter().take(4) {
            let id = id.to_string();
            let seen = stage.review(&id).await.version();
            self.0.push((id, seen));
        }
    }
}

/// Prints what happens in a seed that runs alone.
fn log(line: impl FnOnce() -> String) {
    if std::env::var_os("SPENDING_SEED").is_some() {
        println!("{}", line());
    }
}

fn log_answers(step: usize, requests: &[(String, Value, &Arc<App>)], answers: &[Answer]) {
    for ((path, body, _), answer) in requests.iter().zip(answers) {
        log(|| format!("{step}: PATCH {path} {body}: {answer:?}"));
    }
}

/// Runs a seed. Returns the number of changes that were applied.
async fn run(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let platforms = [random.pick(&Platform::ALL), random.pick(&Platform::ALL)];
    let platforms = if platforms[0] == platforms[1] { &platforms[..1] } else { &platforms[..] };
    let mut cap: i64 = 150;
    let stage = Stage::with(platforms, |connections| limit(seed, connections, cap)).await;
    let mut reviewed = ReviewedChanges::default();
    let processes = [Arc::clone(&stage.app), Arc::new(stage.owner.straight())];
    let mut campaigns = Vec::new();
    for number in 0..CAMPAIGNS {
        let platform = platforms[number % platforms.len()];
        campaigns.push(stage.campaign(platform, &format!("Campaign {number}"), 50).await);
    }
    let (mut ran, mut applied) = (Decimal::ZERO, 0);
    for step in 0..STEPS {
        sleep(Duration::from_secs(2)).await;
        match random.below(13) {
            12 => reviewed.work(&stage).await,
            0 => {
                cap = 50 + small(random.below(150));
                let limit = json!({"spending_limit": limit(seed, &stage.connections, cap)});
                stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
                ran = stage.running().await;
            }
            1 => stage.minutes(3).await,
            2 => stage.hours(small(random.below(30))).await,
            3 => {
                let (platform, fault) = (random.pick(platforms), random.pick(&FAULTS));
                log(|| format!("{step}: {fault} on {platform}"));
                stage.fault(platform, "update", fault, 1).await;
            }
            _ => {
                let mut requests: Vec<(String, Value, &Arc<App>)> = Vec::new();
                for process in &processes {
                    let path = format!("/v1/campaigns/{}", random.pick(&campaigns));
                    requests.push((path, random_changes(&mut random), process));
                }
                let sends = requests.iter().map(|(path, body, app)| send_now(app, &stage.limited, "PATCH", path, body));
                let answers = join_all(sends).await;
                log_answers(step, &requests, &answers);
                applied += answers.iter().filter(|answer| answer.status == 200).count();
            }
        }
        let running = stage.running().await;
        log(|| format!("{step}: {running} of {cap} runs"));
        assert!(running <= ran.max(cap.into()), "seed {seed}, step {step}: {running} of {cap} runs, {ran} before");
        ran = running;
        let counted: i64 = stage.reserved_and_left().await.0;
        assert!(Decimal::from(counted) >= running, "seed {seed}, step {step}: {running} runs, and {counted} counts");
    }
    // An outcome that is left unknown is settled.
    stage.owner.control("POST", "reset", &json!({})).await;
    stage.minutes(90).await;
    let spending = stage.spending().await;
    let is_settled = spending.contributions.values().all(|one| one.pending.is_none());
    assert!(is_settled, "seed {seed}: {spending:?}");
    applied
}

#[tokio::test(start_paused = true)]
async fn no_random_sequence_runs_more_than_the_limit() {
    let seeds = seeds(env_number("SPENDING_SEED"), env_number("SPENDING_SEEDS").unwrap_or(SEEDS));
    let number = seeds.end - seeds.start;
    let mut applied = 0;
    for seed in seeds {
        applied += run(seed).await;
    }
    println!("{number} seeds of {STEPS} steps, {applied} changes applied");
    assert!(small(number) * 5 < i64::try_from(applied).expect("a number"), "{applied} changes were applied");
}
