//! A user with a limit, whose campaigns are activated and raised by keys without one while the gateway is killed; and
//! while platforms confirm what they do not do, or do what they do not confirm. By the sandbox's books the user's campaigns
//! may never spend more than the limit: neither at one moment, nor together on one day.

use crate::kill::harness::Harness;
use crate::kill::requests::{ClientResponse, Random};
use crate::kill::users::USER_HEADER;
use crate::kill::{
    CONCURRENT_REQUESTS, KILLS, LATENCY_MS, LOAD, MAX_ATTEMPTS, join, join_with_advanced_clock, kill, reconcile, start,
    start_again, variable,
};
use futures_util::{StreamExt, stream};
use http::{HeaderValue, Method};
use jiff::SignedDuration;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;

const USER: &str = "shop42";
const USER_PATH: &str = "/v1/users/shop42";
const KEYS: u64 = 2;
const CAMPAIGNS_ON_PLATFORM: usize = 4;
/// The first budget of each campaign in dollars, and the end of those that it is raised to.
const BUDGETS: (u64, u64) = (50, 120);
/// By how much the limit grows with each life of the gateway, so that each has something to give away.
const GROWTH: u64 = 60;
/// What platforms do to updates: they confirm what they do not do, they do it and say nothing, they do it late, and fail.
const LIES: [&str; 4] = ["ignored", "drop_after", "late", "error"];
/// Updates of a platform in a life of the gateway that meet a lie, and how late a late one is.
const LIES_EACH: u64 = 4;
const LATE_MS: u64 = 300;
/// In every time zone, a day ends at the end of a quarter of an hour. In seconds.
const QUARTER: i64 = 900;
/// The day of each ad account is over.
const NEXT_DAY: SignedDuration = SignedDuration::from_hours(26);

struct Stage {
    harness: Harness,
    keys: Vec<String>,
    campaigns: Vec<String>,
    /// The highest limit so far, in dollars.
    limit: AtomicU64,
}

/// How often something has happened to the requests.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    admitted: usize,
    /// By the limit of the user.
    refused: usize,
    interrupted: usize,
    other: usize,
}

impl Tally {
    fn count(&mut self, received: Option<&ClientResponse>) {
        let of = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default()["spending_limit"]["of"].clone();
        let counted = match received {
            None => &mut self.interrupted,
            Some(received) if received.status == 200 => &mut self.admitted,
            Some(received) if received.status == 403 && of(&received.text) == "user" => &mut self.refused,
            Some(_) => &mut self.other,
        };
        *counted += 1;
    }

    fn plus(self, more: Tally) -> Tally {
        Tally {
            admitted: self.admitted + more.admitted,
            refused: self.refused + more.refused,
            interrupted: self.interrupted + more.interrupted,
            other: self.other + more.other,
        }
    }
}

impl Stage {
    /// A user with paused campaigns on every platform.
    async fn new(harness: Harness) -> Stage {
        for platform in sandbox::PLATFORMS {
            harness.connect_new(platform, USER).await;
        }
        let mut stage = Stage { harness, keys: Vec::new(), campaigns: Vec::new(), limit: AtomicU64::new(0) };
        stage.raise_limit().await;
        for number in 0..KEYS {
            let key = json!({"name": format!("Key {number}"), "scopes": ["read", "write"]});
            let made = stage.harness.ask(None, Method::POST, "/v1/api-keys", &key).await;
            stage.keys.push(made["api_key"].as_str().unwrap().to_owned());
        }
        let all =
            sandbox::PLATFORMS.iter().flat_map(|platform| (0..CAMPAIGNS_ON_PLATFORM).map(move |at| (platform, at)));
        let created = stream::iter(all).map(async |(platform, at)| {
            let draft = json!({"platform": platform, "name": format!("{USER} {at}"), "goal": "TRAFFIC",
                "budget_amount": BUDGETS.0, "budget_period": "DAILY"});
            let created = stage.harness.ask(Some(USER), Method::POST, "/v1/campaigns", &draft).await;
            created["id"].as_str().unwrap().to_owned()
        });
        let campaigns = created.buffer_unordered(CONCURRENT_REQUESTS).collect().await;
        Stage { campaigns, ..stage }
    }

    /// Gives the user a higher limit.
    async fn raise_limit(&self) {
        // Known before it holds: what runs is compared with it at any time.
        let daily = self.limit.fetch_add(GROWTH, Ordering::Relaxed) + GROWTH;
        let limit = json!({"amounts": [{"currency": "USD", "daily": daily}], "creates_per_day": 1_000});
        let body = json!({"spending_limit": limit});
        for _ in 0..MAX_ATTEMPTS {
            // Requests of all clients change the same record meanwhile.
            if self.harness.call(Method::PUT, USER_PATH, &body).await.unwrap().status == 200 {
                return;
            }
        }
        panic!("the limit cannot be raised");
    }

    /// Sets what happens to the next updates on each platform.
    async fn lie(&self, random: &mut Random) {
        for platform in sandbox::PLATFORMS {
            let lie = LIES[pick(random, LIES.len())];
            let fault = json!({"platform": platform, "operation": "update", "fault": lie, "times": LIES_EACH,
                "ms": LATE_MS});
            self.harness.control("faults", &fault).await;
        }
    }

    /// Activates, raises, lowers and pauses campaigns until the harness stops.
    async fn spend(self: Arc<Stage>, mut random: Random) -> Tally {
        let mut tally = Tally::default();
        while !self.harness.is_stopped() {
            let body = match random.between(0, 6) {
                0..3 => json!({"status": "ACTIVE"}),
                3..5 => json!({"budget_amount": random.between(BUDGETS.0, BUDGETS.1)}),
                _ => json!({"status": "PAUSED"}),
            };
            let path = format!("/v1/campaigns/{}", self.campaigns[pick(&mut random, self.campaigns.len())]);
            let headers = [("x-api-key", self.keys[pick(&mut random, self.keys.len())].as_str()), (USER_HEADER, USER)];
            // The limit holds as well for a request that does not name the user.
            let headers = &headers[..=pick(&mut random, 2)];
            let received = self.harness.call_with(headers, Method::PATCH, &path, &body).await;
            tally.count(received.as_ref());
        }
        tally
    }

    /// The budgets that run by the sandbox's books, by platform and id.
    async fn running(&self) -> BTreeMap<String, u64> {
        let campaigns = self.harness.platform_campaigns().await;
        let text = |campaign: &Value, name: &str| campaign[name].as_str().unwrap_or_default().to_owned();
        let runs = |campaign: &&Value| ["ENABLED", "ACTIVE", "ENABLE"].contains(&text(campaign, "status").as_str());
        let own = campaigns.iter().filter(|campaign| text(campaign, "name").starts_with(USER)).filter(runs);
        own.map(|one| (format!("{} {}", text(one, "platform"), text(one, "id")), whole(&text(one, "budget")))).collect()
    }

    /// Compares what runs with the limit until the harness stops. Returns the violations.
    async fn watch(self: Arc<Stage>) -> Vec<String> {
        let (mut violations, mut spent, mut looks) = (Vec::new(), BTreeMap::<(i64, String), u64>::new(), 0);
        while !self.harness.is_stopped() {
            let running = self.running().await;
            let limit = self.limit.load(Ordering::Relaxed);
            let quarter = Clock::system().now().as_second().div_euclid(QUARTER);
            for (campaign, budget) in &running {
                let most = spent.entry((quarter, campaign.clone())).or_default();
                *most = *budget.max(most);
            }
            let now: u64 = running.values().sum();
            let day: u64 = spent.iter().filter(|((at, _), _)| *at == quarter).map(|(_, most)| most).sum();
            if now.max(day) > limit {
                violations.push(format!("{now} runs and {day} has run, but the limit is {limit}: {running:?}"));
            }
            looks += 1;
            sleep(Duration::from_millis(10)).await;
        }
        println!("the books were read {looks} times; at last {:?} ran", self.running().await.values().sum::<u64>());
        violations
    }

    /// What counts against the limit of the user today.
    async fn reserved(&self) -> u64 {
        let user = self.harness.ask(None, Method::GET, USER_PATH, &Value::Null).await;
        user["limits"]["amounts"][0]["daily"]["reserved"].as_u64().unwrap_or_else(|| panic!("{user}"))
    }

    /// Pauses what runs on some platforms. The first one may confirm it and not do it.
    async fn pause(&self, has_lies: bool) {
        let first = sandbox::PLATFORMS[0];
        if has_lies {
            let fault = json!({"platform": first, "operation": "update", "fault": "ignored", "times": 1_000});
            self.harness.control("faults", &fault).await;
        }
        for campaign in self.campaigns.iter().step_by(2) {
            let path = format!("/v1/campaigns/{campaign}");
            self.harness.call(Method::PATCH, &path, &json!({"status": "PAUSED"})).await.unwrap();
        }
        self.harness.control("reset", &json!({})).await;
    }

    /// Activates everything at once with a service in this process. Returns how many requests it has admitted.
    async fn activate_all(&self, app: &Arc<App>) -> usize {
        let activated = stream::iter(&self.campaigns).map(async |campaign| {
            let mut request = Request::new(Body::Text(json!({"status": "ACTIVE"}).to_string()));
            *request.method_mut() = Method::PATCH;
            *request.uri_mut() = format!("/v1/campaigns/{campaign}").parse().unwrap();
            request.headers_mut().insert("x-api-key", HeaderValue::from_str(&self.keys[0]).unwrap());
            let response = campaigns::handle(Arc::clone(app), request).await;
            usize::from(response.status() == 200)
        });
        activated.buffer_unordered(CONCURRENT_REQUESTS).fold(0, async |sum, one| sum + one).await
    }
}

fn pick(random: &mut Random, count: usize) -> usize {
    usize::try_from(random.between(0, count as u64)).unwrap()
}

/// A budget in whole dollars.
fn whole(budget: &str) -> u64 {
    let (dollars, cents) = budget.split_once('.').unwrap_or((budget, "0"));
    assert_eq!(cents.trim_end_matches('0'), "", "{budget}");
    dollars.parse().unwrap()
}

/// Runs all clients while the limit grows and the gateway is killed. Returns what they have met, and the violations.
async fn run_load(stage: &Arc<Stage>, has_lies: bool, life: &mut impl AsyncFnMut(Duration)) -> (Tally, Vec<String>) {
    let seed = variable("SEED", 1);
    let mut random = Random::new(seed);
    let watch = tokio::spawn(Arc::clone(stage).watch());
    let mut clients = JoinSet::new();
    for number in 0..LOAD.clients {
        clients.spawn(Arc::clone(stage).spend(Random::new(seed * 1_000 + number)));
    }
    for _ in 0..variable("KILLS", KILLS) {
        if has_lies {
            stage.lie(&mut random).await;
        }
        life(Duration::from_millis(random.between(LOAD.life_ms.0, LOAD.life_ms.1))).await;
        stage.raise_limit().await;
    }
    sleep(Duration::from_millis(500)).await;
    stage.harness.stop();
    let tally = clients.join_all().await.into_iter().fold(Tally::default(), Tally::plus);
    (tally, watch.await.unwrap())
}

/// On the next day, only what runs counts: whatever was paused makes room, and nothing else.
async fn check_next_day(stage: &Stage, folder: &Path) {
    let (joined, app) = join(folder, Clock::from_fn(|| Clock::system().now() + NEXT_DAY)).await;
    reconcile(&app).await;
    let before = stage.running().await;
    let admitted = stage.activate_all(&app).await;
    let (after, limit) = (stage.running().await, stage.limit.load(Ordering::Relaxed));
    println!("on the next day {} of {} campaigns run; {admitted} were admitted", before.len(), stage.campaigns.len());
    assert!(after.values().sum::<u64>() <= limit, "the limit is {limit}: {after:?}, before {before:?}");
    assert!(after.len() > before.len(), "there was no room on the next day: {before:?}");
    joined.stop().await;
}

async fn check_limit(has_lies: bool) {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
    let mut process = start(folder.path(), &sandbox.url());
    let stage = Arc::new(Stage::new(Harness::without_accounts(&process, &sandbox.url())).await);
    stage.harness.set_latency(LATENCY_MS).await;
    let mut life = async |time: Duration| {
        sleep(time).await;
        kill(&stage.harness, &mut process);
        start_again(&stage.harness, &mut process, folder.path(), &sandbox.url());
    };
    let (tally, mut violations) = run_load(&stage, has_lies, &mut life).await;
    println!("{tally:?}");
    stage.harness.control("reset", &json!({})).await;

    let (joined, app) = join_with_advanced_clock(folder.path()).await;
    reconcile(&app).await;
    joined.stop().await;
    let (running, reserved) = (stage.running().await.values().sum::<u64>(), stage.reserved().await);
    let limit = stage.limit.load(Ordering::Relaxed);
    if running > reserved || reserved > limit {
        violations.push(format!("{running} runs, {reserved} counts, and the limit is {limit}"));
    }
    assert!(violations.is_empty(), "{} violations, first {:#?}", violations.len(), &violations[..1]);
    stage.pause(has_lies).await;
    check_next_day(&stage, folder.path()).await;
    // Without these the load was too light to prove anything.
    assert!(tally.admitted > 0 && tally.refused > 0 && tally.interrupted > 0, "{tally:?}");
    drop(process);
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_kill_a_user_runs_no_more_than_its_limit() {
    check_limit(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_kill_a_user_keeps_its_limit_although_platforms_lie() {
    check_limit(true).await;
}
