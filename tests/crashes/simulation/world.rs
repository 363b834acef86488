//! What all processes of a run share, and the processes.

use super::platform::Platform;
use super::random::Random;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::{Duration, Instant};

/// Handle to the world of a run.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<World>>);

/// The world of a run.
pub(super) struct World {
    pub(super) random: Random,
    pub(super) platform: Platform,
    /// Whether anything goes wrong in this run.
    pub(super) faults: bool,
    /// The next call to the table that says so is held up for so long.
    pub(super) hold_up: Option<(&'static str, Duration)>,
    /// The platform refuses the next refresh by mistake.
    pub(super) refuse_next: bool,
    start: Instant,
    trace: DefaultHasher,
    /// The trace in words, when it was asked for.
    pub(super) words: Option<Vec<String>>,
}

/// What befalls a call to the table.
pub(super) struct StoreWeather {
    pub(super) delay: Duration,
    /// The process dies before anything is done.
    pub(super) kills_before: bool,
    /// Nothing is done, and an error answered.
    pub(super) fails: bool,
    /// It is done, and the process dies before it knows.
    pub(super) kills_after: bool,
    /// It is done, and an error answered.
    pub(super) loses_answer: bool,
}

/// A process of the service. When it is dead nothing reaches it any more, and nothing of it reaches others.
#[derive(Clone)]
pub(super) struct Process(Arc<Parts>);

struct Parts {
    is_dead: AtomicBool,
    /// The newest tokens that it was given; 0 for none.
    given: AtomicUsize,
}

impl Shared {
    pub(super) fn new(seed: u64, faults: bool, rotates: bool, in_words: bool) -> Shared {
        let random = Random::new(seed);
        let words = in_words.then(Vec::new);
        let (platform, start, trace) = (Platform::new(rotates), Instant::now(), DefaultHasher::new());
        let (hold_up, refuse_next) = (None, false);
        Shared(Arc::new(Mutex::new(World { random, platform, faults, hold_up, refuse_next, start, trace, words })))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().expect("the world")
    }
}

impl World {
    /// Adds to the trace, by which two runs of one seed are compared.
    pub(super) fn note(&mut self, what: &str) {
        let at = self.start.elapsed().as_millis();
        (at, what).hash(&mut self.trace);
        if let Some(words) = &mut self.words {
            words.push(format!("{:>9.3} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }

    /// The trace so far.
    pub(super) fn trace(&self) -> u64 {
        self.trace.finish()
    }

    /// What befalls a call to the table.
    pub(super) fn store_weather(&mut self, call: &str) -> StoreWeather {
        // Now and then a process is frozen, as Lambda does it, and its call leaves when it thaws.
        let is_frozen = self.random.chance(8) && self.faults;
        let delay = match self.hold_up {
            Some((marker, delay)) if call.contains(marker) => {
                self.hold_up = None;
                delay
            }
            _ if is_frozen => self.random.millis(60_000, 400_000),
            _ => self.random.millis(1, 8),
        };
        let mut chance = |per_mille| self.random.chance(per_mille) && self.faults;
        StoreWeather {
            delay,
            kills_before: chance(2),
            fails: chance(10),
            kills_after: chance(4),
            loses_answer: chance(5),
        }
    }
}

impl Process {
    pub(super) fn new() -> Process {
        Process(Arc::new(Parts { is_dead: AtomicBool::new(false), given: AtomicUsize::new(0) }))
    }

    pub(super) fn kill(&self, world: &Shared) {
        world.lock().note("a process dies");
        self.0.is_dead.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_dead(&self) -> bool {
        self.0.is_dead.load(Ordering::Relaxed)
    }

    /// Tokens of this number have reached it.
    pub(super) fn is_given(&self, number: usize) {
        self.0.given.store(number, Ordering::Relaxed);
    }

    /// What it was given is in the table now.
    pub(super) fn tokens_are_stored(&self, world: &Shared) {
        world.lock().platform.stored(self.0.given.load(Ordering::Relaxed));
    }
}
