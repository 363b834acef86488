//! Schedules by chance: several creates at once, of the same names in the same accounts, with and without keys; calls
//! that are slow, fail and get lost; processes that die and that stand still and go on; two runs of the schedule at a
//! time. All of it follows from a seed.

use super::client::{Memory, Order, Seen, Verdict};
use super::invariants::{check, is_settled};
use super::point::{Climate, Fates, Weather};
use super::world::{Setting, Target, World};
use crate::crashes::simulation::random::Random;
use futures_util::future::join_all;
use shared::domain::Platform;
use shared::domain::maintenance::INTERVAL;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};

/// How long things go wrong.
const TROUBLE: Duration = Duration::from_secs(240);
/// Then what stands still goes on, what is late comes, and all is settled.
const PEACE: Duration = Duration::from_secs(600);
/// A throttled ad account is asked again after an hour at the latest, and then settled by the next run.
const THROTTLED: Duration = Duration::from_secs(3_900);
/// So often a client without a key sends again where it is told that this is safe.
const REPEATS: usize = 3;

/// What came of a seed.
pub(super) struct Outcome {
    pub(super) wrong: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) trace: u64,
    pub(super) creates: usize,
    pub(super) calls: usize,
}

/// A run by chance.
struct Run {
    world: World,
    memory: Memory,
    weather: Weather,
    orders: Vec<Order>,
}

pub(super) fn play(seed: u64, in_words: bool) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(tell(seed, in_words))
}

async fn tell(seed: u64, in_words: bool) -> Outcome {
    let mut random = Random::new(seed);
    let setting = setting(&mut random, in_words);
    let world = World::new(&setting).await;
    let orders = orders(&mut random, &world.targets);
    let climate =
        Climate { store_faults: random.below(60), platform_faults: random.below(300), slow: random.below(300) };
    world.story.note(|| format!("{setting:?} {climate:?}"));
    let (random, climate) = (Arc::new(Mutex::new(random)), Arc::new(Mutex::new(climate)));
    let weather = Weather { random, climate };
    world.plan_all(Fates::by_chance(&weather));
    let run = Arc::new(Run { world, memory: Memory::default(), weather, orders });
    let clients = join_all(run.orders.iter().map(|order| Arc::clone(&run).client(order.clone())));
    let maintenance = tokio::spawn(Arc::clone(&run).keep_up());
    tokio::join!(clients, run.clear_up());
    sleep(PEACE).await;
    let until = Instant::now() + THROTTLED;
    while Instant::now() < until && !is_settled(&run.world).await {
        sleep(INTERVAL.unsigned_abs()).await;
    }
    maintenance.abort();
    check(&run.world, &run.memory, &run.orders).await;
    let wrong = run.memory.wrong.lock().expect("the memory").clone();
    let (words, trace, calls) = (run.world.story.words(), run.world.story.trace(), run.world.calls());
    Outcome { wrong, words, trace, creates: run.orders.len(), calls }
}

fn setting(random: &mut Random, in_words: bool) -> Setting {
    let mut accounts: Vec<(Platform, usize)> = Vec::new();
    for _ in 0..=random.below(3) {
        let platform = pick(random, &super::PLATFORMS);
        if accounts.iter().all(|(known, _)| *known != platform) {
            accounts.push((platform, 1 + usize::try_from(random.below(2)).expect("small")));
        }
    }
    // Now and then the store's client tries again by itself, as the real one does.
    let store_attempts = if random.chance(500) { 1 } else { 3 };
    Setting { accounts, store_attempts, in_words }
}

fn pick<T: Clone>(random: &mut Random, from: &[T]) -> T {
    from[usize::try_from(random.below(from.len() as u64)).expect("small")].clone()
}

fn orders(random: &mut Random, accounts: &[Target]) -> Vec<Order> {
    let count = 1 + random.below(4);
    let order = |number: u64| {
        let mut targets: Vec<Target> = accounts.iter().filter(|_| random.chance(600)).cloned().collect();
        if targets.is_empty() {
            targets.push(pick(random, accounts));
        }
        Order {
            name: pick(random, &["Spring", "Spring", "Spring", "Summer"]).to_owned(),
            // Most platforms keep nothing else by which two creates of one name could be told apart.
            budget: 50 + 10 * number,
            targets,
            key: random.chance(500).then(|| format!("key-{number}")),
        }
    };
    (0..count).map(order).collect()
}

impl Run {
    fn millis(&self, from: u64, to: u64) -> Duration {
        self.weather.random.lock().expect("the chance").millis(from, to)
    }

    fn chance(&self, per_mille: u64) -> bool {
        self.weather.random.lock().expect("the chance").chance(per_mille)
    }

    async fn client(self: Arc<Run>, order: Order) {
        let late = if self.chance(600) { 3_000 } else { 90_000 };
        sleep(self.millis(0, late)).await;
        if order.key.is_none() {
            for _ in 0..=REPEATS {
                let seen = self.memory.send(&self.world, &self.world.start("create"), &order).await;
                let Some(seen) = seen.filter(Seen::is_safe_to_repeat) else { return };
                sleep(seen.retry_after.unwrap_or(Duration::from_secs(1))).await;
            }
            return;
        }
        if self.chance(400) {
            let (one, other) = (self.world.start("create"), self.world.start("create"));
            let second = async {
                sleep(self.millis(0, 4_000)).await;
                self.memory.send(&self.world, &other, &order).await
            };
            tokio::join!(self.memory.send(&self.world, &one, &order), second);
        }
        let Some(last) = self.memory.insist(&self.world, &order).await else { return };
        self.all_is_made_or_refused(&order, &last);
        sleep(self.millis(0, 100_000)).await;
        self.memory.insist(&self.world, &order).await;
    }

    /// Where nobody else wants a campaign of that name no platform refuses.
    fn all_is_made_or_refused(&self, order: &Order, last: &Seen) {
        for (verdict, target) in last.verdicts().iter().zip(&order.targets) {
            let others = self.orders.iter().filter(|other| other.name == order.name && other.targets.contains(target));
            let is_contested = target.0 == Platform::Alpha && others.count() > 1;
            if !is_contested && !matches!(verdict, Verdict::Created(_)) {
                self.memory.object(format!("the final answer lacks {target:?}: {}", last.text));
            }
        }
    }

    /// The schedule, in which now and then two runs overlap.
    async fn keep_up(self: Arc<Run>) {
        sleep(self.millis(0, 60_000)).await;
        loop {
            let runs = if self.chance(300) { 2 } else { 1 };
            for _ in 0..runs {
                let (run, later) = (Arc::clone(&self), self.millis(0, 3_000));
                tokio::spawn(async move {
                    sleep(later).await;
                    run.world.maintenance().await;
                });
            }
            sleep(INTERVAL.unsigned_abs()).await;
        }
    }

    async fn clear_up(&self) {
        sleep(TROUBLE).await;
        self.world.story.note(|| "nothing goes wrong any more".to_owned());
        *self.weather.climate.lock().expect("the climate") = Climate { store_faults: 0, platform_faults: 0, slow: 0 };
    }
}
