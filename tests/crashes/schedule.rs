//! One schedule: a create, what befalls it, and what is done about it afterwards.

use super::client::{Memory, Order, Seen, Verdict};
use super::invariants::{SETTLED_AFTER, check, is_settled};
use super::point::{Fates, Fault, Point};
use super::world::{Setting, World};
use shared::domain::maintenance::INTERVAL;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio::time::{Duration, sleep, sleep_until};

/// Longer than a key was once remembered after its first use.
const NEXT_DAY: Duration = Duration::from_secs(25 * 3_600);
/// A final answer is replayed for longer than this.
const ALMOST_A_DAY: Duration = Duration::from_secs(23 * 3_600);

/// What the client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Sends it once, and again only when the answer says that this is safe.
    Once,
    /// Has a key, and insists.
    Insists,
    /// Has a key, sends twice at the same time, and insists.
    InsistsTwice,
    /// Has a key, and comes back after some minutes.
    ComesBack,
    /// Has a key, and comes back after a day in which the schedule did not run.
    ComesBackNextDay,
    /// Has a key, sends again at once whatever it is told, and then insists.
    RetriesAtOnce,
    /// There are two, who want the same at the same time, each of them once.
    Twins,
}

impl Manner {
    pub(super) const ALL: [Manner; 3] = [Manner::Once, Manner::Insists, Manner::InsistsTwice];
}

/// A schedule.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) setting: Setting,
    pub(super) manner: Manner,
    /// When the schedule's first run begins, after the create's end.
    pub(super) phase: Duration,
    /// What the processes meet, in the order in which they start, by the number of the point.
    pub(super) faults: Vec<BTreeMap<usize, Fault>>,
}

/// What came of it.
pub(super) struct Outcome {
    pub(super) wrong: Vec<String>,
    pub(super) words: Vec<String>,
    /// The points that each of the processes with a plan came to.
    pub(super) points: Vec<Vec<Point>>,
}

impl Schedule {
    /// Plays it.
    pub(super) fn play(&self) -> Outcome {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(self.tell())
    }

    async fn tell(&self) -> Outcome {
        let world = Arc::new(World::new(&self.setting).await);
        let fates: Vec<Fates> = self.faults.iter().cloned().map(Fates::planned).collect();
        world.plan(fates.clone());
        let memory = Memory::default();
        let key = (![Manner::Once, Manner::Twins].contains(&self.manner)).then(|| "key".to_owned());
        let order = Order { name: "Spring".to_owned(), budget: 50, targets: world.targets.clone(), key };
        let mut orders = vec![order.clone()];
        let first = if self.manner == Manner::Twins {
            orders.push(order.clone());
            let (one, other) = (world.start("create"), world.start("create"));
            tokio::join!(memory.send(&world, &one, &order), memory.send(&world, &other, &order)).0
        } else {
            memory.send(&world, &world.start("create"), &order).await
        };
        if self.manner == Manner::ComesBackNextDay {
            come_back_next_day(&world, &memory, &order, first.as_ref()).await;
        }
        let runs = self.schedule_maintenance(&world);
        self.go_on(&world, &memory, &order, first).await;
        runs.await.expect("no panic");
        check(&world, &memory, &orders).await;
        let wrong = memory.wrong.lock().expect("the memory").clone();
        Outcome { wrong, words: world.story.words(), points: fates.iter().map(Fates::points).collect() }
    }

    /// The client's part after its first answer.
    async fn go_on(&self, world: &World, memory: &Memory, order: &Order, first: Option<Seen>) {
        match self.manner {
            Manner::Twins | Manner::ComesBackNextDay => return,
            Manner::Once => return self.wait(world, memory, order, first).await,
            Manner::RetriesAtOnce => {
                let again = memory.send(world, &world.start("retry"), order).await;
                stays_throttled(memory, first.as_ref(), again.as_ref());
            }
            Manner::ComesBack => sleep(Duration::from_secs(200)).await,
            Manner::Insists => {}
            Manner::InsistsTwice => {
                let (one, other) = (world.start("retry"), world.start("retry"));
                tokio::join!(memory.send(world, &one, order), memory.send(world, &other, order));
            }
        }
        insist(world, memory, order).await;
    }

    /// Runs of the schedule, at its interval. A run that is held up does not hold up the next.
    fn schedule_maintenance(&self, world: &Arc<World>) -> JoinHandle<()> {
        let meets = |wanted: Fault| self.faults.iter().flat_map(BTreeMap::values).any(|fault| *fault == wanted);
        let runs = match self.faults.len() {
            // A throttled look waits as long as the platform asks, an hour at most.
            2.. if meets(Fault::Throttled) => 65,
            2.. => 5,
            _ if meets(Fault::StandsStill) => 5,
            _ => 3,
        };
        let at_once = if self.manner == Manner::Twins { 2 } else { 1 };
        let (phase, world) = (self.phase, Arc::clone(world));
        tokio::spawn(async move {
            sleep(phase).await;
            for _ in 0..runs {
                for _ in 0..at_once {
                    let world = Arc::clone(&world);
                    tokio::spawn(async move { world.maintenance().await });
                }
                sleep(INTERVAL.unsigned_abs()).await;
            }
        })
    }

    async fn wait(&self, world: &World, memory: &Memory, order: &Order, first: Option<Seen>) {
        let Some(first) = first else { return };
        if first.is_safe_to_repeat() {
            memory.send(world, &world.start("repeat"), order).await;
        }
        // With more than one fault it may have been the second that made it late.
        let faults: usize = self.faults.iter().map(BTreeMap::len).sum();
        if first.is_doubtful() && faults == 1 {
            sleep_until(first.at + SETTLED_AFTER).await;
            if !is_settled(world).await {
                memory.object("not settled within a minute after a doubtful answer".to_owned());
            }
        }
    }
}

/// A client that was told that its create was throttled, and asks at once, is told the same: nothing came to be in doubt.
fn stays_throttled(memory: &Memory, first: Option<&Seen>, again: Option<&Seen>) {
    let was_throttled = first.is_some_and(|first| first.status == 429 && !first.is_doubtful());
    if was_throttled && !again.is_some_and(|again| again.status == 429 && again.retry_after.is_some()) {
        memory.object(format!("a throttled create is throttled no more: {again:?}"));
    }
}

/// A final answer is promised for a day, and a create in doubt for as long as it is.
async fn come_back_next_day(world: &World, memory: &Memory, order: &Order, first: Option<&Seen>) {
    let is_answered = is_settled(world).await || first.is_some_and(Seen::is_final);
    sleep(if is_answered { ALMOST_A_DAY } else { NEXT_DAY }).await;
    insist(world, memory, order).await;
    if !is_answered {
        sleep(ALMOST_A_DAY).await;
        still_replays(world, memory, order).await;
    }
}

/// A final answer is replayed for a day from when it was given, not from the first use of its key.
async fn still_replays(world: &World, memory: &Memory, order: &Order) {
    let seen = memory.insist(world, order).await;
    if !seen.as_ref().is_some_and(|seen| seen.is_replay) {
        memory.object(format!("a final answer is replayed no more: {seen:?}"));
    }
}

/// The client insists, and once it has a final answer it gets that one for ever.
async fn insist(world: &World, memory: &Memory, order: &Order) {
    let Some(last) = memory.insist(world, order).await else { return };
    let all_made = last.verdicts().iter().all(|verdict| matches!(verdict, Verdict::Created(_)));
    if !all_made {
        memory.object(format!("the final answer lacks something: {}", last.text));
    }
    let mut before = last;
    // The last answer may not have been kept; the next one is.
    for _ in 0..2 {
        let Some(next) = memory.insist(world, order).await else { return };
        if next.is_replay {
            if next.text != before.text {
                memory.object(format!("{} is replayed as {}", before.text, next.text));
            }
            return;
        }
        before = next;
    }
    memory.object("a final answer is not replayed".to_owned());
}
