//! A gateway that is killed under load, again and again, while the platforms live on: at the end every campaign that
//! they hold is what exactly one create wanted, and whoever asks is told so.
//!
//! `KILLS=40 cargo test -p gateway --test kill -- --nocapture` kills oftener, `SEED=7` at other moments.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod books;
mod orders;
#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../served/mod.rs"]
mod served;
mod shop;

use books::{Books, States};
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use gateway::{Options, SandboxChoice, Storage};
use jiff::SignedDuration;
use maintenance::Report;
use orders::{Dealing, Random};
use served::Served;
use shared::app::App;
use shared::clock::Clock;
use shop::Shop;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// Unless `KILLS` says otherwise.
const KILLS: u64 = 4;
const CLIENTS: u64 = 16;
/// Before a platform looks at a request: most kills find some creates there, and it carries them out all the same.
const LATENCY_MS: u64 = 60;
/// How many requests are under way at a time where it is only to be seen what there is.
const AT_ONCE: usize = 16;
/// By then every turn of a killed gateway is over, and it is believed that nothing of it comes any more.
const LATER: SignedDuration = SignedDuration::from_mins(2);
/// So many runs of maintenance find everything out.
const MOST_RUNS: usize = 10;
/// And so many requests lead to a final answer then.
const MOST_TRIES: usize = 5;

fn said(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().unwrap())
}

fn start(folder: &Path, sandbox: &str) -> Served {
    Served::start(&["--sandbox-url", sandbox, "--data", folder.to_str().unwrap()])
}

/// Lets all clients order while the gateway is killed and started again, and answers what they have then.
async fn load(shop: &Arc<Shop>, served: &mut Served, folder: &Path, sandbox: &str) -> Vec<Dealing> {
    let (kills, seed) = (said("KILLS", KILLS), said("SEED", 1));
    let mut random = Random::new(seed);
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        clients.spawn(Arc::clone(shop).serve(number, Random::new(seed * 1_000 + number)));
    }
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(random.between(300, 1_100))).await;
        assert!(!served.signal("-KILL").success());
        shop.moves(None);
        *served = start(folder, sandbox);
        shop.moves(Some(served.said("gateway")));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    shop.close();
    clients.join_all().await.concat()
}

/// The service over the same store, as it will be when all that was under way is over.
async fn later(folder: &Path) -> (gateway::Running, Arc<App>) {
    let sandbox = SandboxChoice::Start { port: 0 };
    let options = Options { port: 0, sandbox, storage: Storage::Shared(folder.to_owned()) };
    let running = gateway::start(options).await.unwrap();
    let mut app = App::start(running.config.clone()).await.unwrap();
    app.clock = Clock::from_fn(|| Clock::system().now() + LATER);
    (running, Arc::new(app))
}

/// Maintenance, until nothing is due.
async fn settle(app: &Arc<App>) -> usize {
    let mut settled = 0;
    for _ in 0..MOST_RUNS {
        let report = maintenance::run(app).await.unwrap();
        if report == Report::default() {
            return settled;
        }
        settled += report.intents;
    }
    panic!("maintenance still finds something due");
}

/// Sends what has no final answer yet until it has one.
async fn finish(app: &Arc<App>, shop: &Shop, dealings: &mut [Dealing]) -> usize {
    let open = dealings.iter_mut().filter(|dealing| dealing.is_open());
    let finished = stream::iter(open).map(async |dealing| {
        for _ in 0..MOST_TRIES {
            if !dealing.is_open() {
                break;
            }
            let answer = campaigns::answer(Arc::clone(app), shop.request(&dealing.order)).await;
            dealing.heard.push(shop::heard(&answer));
        }
    });
    finished.buffer_unordered(AT_ONCE).count().await
}

fn tell(dealings: &[Dealing], left: &States, settled: &States, finished: usize) {
    let requests: usize = dealings.iter().map(|dealing| dealing.heard.len() + dealing.broken).sum();
    let broken: usize = dealings.iter().map(|dealing| dealing.broken).sum();
    println!(
        "{} kills, {} orders in {requests} requests, {broken} of them broken off; {finished} orders answered only after \
         the load; targets: {} created, {} in doubt after the load, of which maintenance adopted {} and found {} not created",
        said("KILLS", KILLS),
        dealings.len(),
        left.created,
        left.unknown,
        settled.created - left.created,
        settled.not_created - left.not_created,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whenever_the_gateway_is_killed_every_campaign_is_what_one_create_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let mut served = start(folder.path(), &sandbox.url());
    let shop = Arc::new(Shop::open(&served, &sandbox.url()).await);
    shop.hurry(LATENCY_MS).await;
    let mut dealings = load(&shop, &mut served, folder.path(), &sandbox.url()).await;

    let (joined, app) = later(folder.path()).await;
    let left = Books::read(&app, &joined.config).await.states();
    settle(&app).await;
    let settled = Books::read(&app, &joined.config).await.states();
    let finished = finish(&app, &shop, &mut dealings).await;
    settle(&app).await;
    let books = Books::read(&app, &joined.config).await;
    books::let_the_rate_be_of_now(&joined.config).await;
    joined.stop().await;
    tell(&dealings, &left, &settled, finished);

    // What was acknowledged outlives one more kill.
    assert!(!served.signal("-KILL").success());
    served = start(folder.path(), &sandbox.url());
    shop.moves(Some(served.said("gateway")));
    shop.hurry(0).await;
    let mut faults = books.against(&shop.made().await);
    faults.extend(books.as_the_service_shows_them(&shop).await);
    faults.extend(dealings.iter().flat_map(|dealing| books.of(dealing)));
    let replays = stream::iter(&dealings).map(|dealing| shop.replay(dealing)).buffer_unordered(AT_ONCE);
    faults.extend(replays.filter_map(ready).collect::<Vec<_>>().await);
    let first: Vec<&str> = faults.iter().take(10).map(|fault| fault.get(..1_000).unwrap_or(fault)).collect();
    assert!(first.is_empty(), "{} faults, the first of them:\n{}", faults.len(), first.join("\n"));
    // Else this tells nothing.
    assert!(left.unknown > 0 && settled.created > left.created && finished > 0);
    drop(served);
    sandbox.stop().await;
}
