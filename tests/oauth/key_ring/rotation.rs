//! A complete key rotation while clients send requests to several processes.

use super::{NEW, OLD, Process, add_new_key, remove_old_key};
use crate::world::{World, campaign};
use futures_util::future::join_all;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// A client that sends requests to one process in a loop.
struct LoadClient<'a> {
    process: Process<'a>,
    rounds: watch::Sender<usize>,
}

impl LoadClient<'_> {
    /// Creates, lists and syncs until `is_done`; returns the failures.
    async fn run(&self, platforms: &[&str], is_done: &AtomicBool) -> Vec<String> {
        let mut failures = Vec::new();
        while !is_done.load(Ordering::Relaxed) {
            for platform in platforms {
                let body = campaign(platform, &format!("{platform} {}", unique()));
                let (status, text) = self.process.send("POST", "/v1/campaigns", Some(&body)).await;
                failures.extend((status != 201).then(|| format!("create: {status} {text}")));
            }
            let (status, text) = self.process.send("GET", "/v1/campaigns?limit=3", None).await;
            failures.extend((status != 200 || text.contains("\"errors\"")).then(|| format!("list: {status} {text}")));
            let (status, text) = self.process.send("POST", "/v1/connections/sync", None).await;
            let synced = format!("\"synced\":{}", platforms.len());
            failures.extend((status != 200 || !text.contains(&synced)).then(|| format!("sync: {status} {text}")));
            self.rounds.send_modify(|rounds| *rounds += 1);
        }
        failures
    }
}

/// A unique suffix for campaign names.
fn unique() -> String {
    shared::domain::ConnectionId::generate().0
}

/// Waits until each client has completed more rounds. After two, every request sent before this call has ended.
async fn wait_for_rounds(clients: &[LoadClient<'_>], more: usize) {
    join_all(clients.iter().map(|client| async move {
        let mut seen = client.rounds.subscribe();
        let target = *seen.borrow() + more;
        seen.wait_for(|rounds| *rounds >= target).await.map(|_| ()).expect("a running client");
    }))
    .await;
}

/// Rotates the key under load.
async fn rotate(world: &World, clients: &[LoadClient<'_>]) {
    wait_for_rounds(clients, 1).await;
    add_new_key(world);
    // Processes with the old ring still refresh; one with the new ring seals values that they open next.
    world.let_refreshable_tokens_run_out().await;
    Process::start(world).await.sync().await;
    let mut attempts = 0;
    while world.table_dump().await.contains(OLD) {
        attempts += 1;
        assert!(attempts < 20, "some values are still sealed with the old key");
        wait_for_rounds(clients, 2).await;
    }
    world.let_refreshable_tokens_run_out().await;
    wait_for_rounds(clients, 2).await;
    let dump = world.table_dump().await;
    assert!(dump.contains(NEW) && !dump.contains(OLD));

    remove_old_key(world);
    let late = Process::start(world).await;
    late.sync().await;
    world.let_refreshable_tokens_run_out().await;
    wait_for_rounds(clients, 2).await;
    late.sync().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_rotation_under_load_fails_no_request_and_reseals_everything() {
    let world = World::start().await;
    // A platform whose refresh token stays, one whose access token never expires, one whose refresh token rotates.
    let platforms = ["alpha_ads", "gamma_ads", "epsilon_ads"];
    for platform in platforms {
        world.connect(platform, &[]).await;
    }
    let app = Process::start(&world).await;
    let second = Process { world: &world, app: app.app.clone() };
    let processes = [Process::gateway(&world), Process::gateway(&world), app, second];
    let clients = processes.map(|process| LoadClient { process, rounds: watch::Sender::new(0) });
    let is_done = AtomicBool::new(false);
    let operator = async {
        rotate(&world, &clients).await;
        is_done.store(true, Ordering::Relaxed);
    };
    let requests = join_all(clients.iter().map(|client| client.run(&platforms, &is_done)));
    let ((), failures) = futures_util::future::join(operator, requests).await;
    assert_eq!(failures.concat(), Vec::<String>::new());
    let dump = world.table_dump().await;
    assert!(dump.contains(NEW) && !dump.contains(OLD));
}
