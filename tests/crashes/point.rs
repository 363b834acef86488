//! Points: every call of a process to the store or to a platform, numbered as the code comes to them, and what befalls
//! a call there.

use crate::crashes::simulation::random::Random;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::time::Duration;

/// What goes wrong at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The process dies, and the call has not left it.
    KilledBefore,
    /// It was carried out, and the process dies before it knows.
    KilledAfter,
    /// Store or platform answer that they are broken; nothing was done.
    Error,
    /// The platform answers, in its own form, that there are too many requests, or the store that it is broken;
    /// nothing was done.
    Throttled,
    /// Nobody could be reached; nothing was done.
    NotSent,
    /// It was carried out, and the connection breaks before the answer.
    Lost,
    /// It was carried out, and the answer never comes.
    Silent,
    /// It never arrives, and nothing comes back.
    Unheard,
    /// The connection breaks at once, and it is carried out some time later.
    LateBroken,
    /// No answer ever comes, and it is carried out some time later.
    LateSilent,
    /// The connection breaks at once, and it is carried out when nobody waits for that any more: beyond the known limit.
    TooLate,
    /// It was carried out, and the process stands still before it sees the answer.
    StandsStill,
}

impl Fault {
    pub(super) const ALL: [Fault; 11] = [
        Fault::KilledBefore,
        Fault::KilledAfter,
        Fault::Error,
        Fault::Throttled,
        Fault::NotSent,
        Fault::Lost,
        Fault::Silent,
        Fault::Unheard,
        Fault::LateBroken,
        Fault::LateSilent,
        Fault::StandsStill,
    ];
}

/// Who is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    Store,
    Platform,
}

/// What befalls one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fate {
    pub(super) fault: Option<Fault>,
    /// The way there and what is done there.
    pub(super) there: Duration,
    /// The way back.
    pub(super) back: Duration,
    /// When it is carried out late: how late.
    pub(super) late: Duration,
    /// When the process stands still: for how long.
    pub(super) still: Duration,
}

/// A point that a process came to.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) peer: Peer,
    pub(super) name: String,
}

/// What befalls the calls of one process, and a list of them.
#[derive(Clone)]
pub(super) struct Fates(Arc<Mutex<Inner>>);

struct Inner {
    points: Vec<Point>,
    source: Source,
}

enum Source {
    /// At these points these faults, and nothing else.
    Planned(BTreeMap<usize, Fault>),
    /// By chance.
    Chance(Weather),
}

/// The chance of a run, which all its processes share.
#[derive(Clone)]
pub(super) struct Weather {
    pub(super) random: Arc<Mutex<Random>>,
    pub(super) climate: Arc<Mutex<Climate>>,
}

/// How often things go wrong, in a thousand calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climate {
    pub(super) store_faults: u64,
    pub(super) platform_faults: u64,
    /// Of a thousand platform calls so many take up to 40 s.
    pub(super) slow: u64,
}

impl Fates {
    pub(super) fn planned(faults: BTreeMap<usize, Fault>) -> Fates {
        Fates::of(Source::Planned(faults))
    }

    /// Nothing goes wrong.
    pub(super) fn clean() -> Fates {
        Fates::planned(BTreeMap::new())
    }

    pub(super) fn by_chance(weather: &Weather) -> Fates {
        Fates::of(Source::Chance(weather.clone()))
    }

    fn of(source: Source) -> Fates {
        Fates(Arc::new(Mutex::new(Inner { points: Vec::new(), source })))
    }

    /// The number and the fate of the next call.
    pub(super) fn next(&self, peer: Peer, name: &str) -> (usize, Fate) {
        let mut inner = self.0.lock().expect("the fates");
        let number = inner.points.len();
        inner.points.push(Point { peer, name: name.to_owned() });
        let fate = match &inner.source {
            Source::Planned(faults) => usual(peer, faults.get(&number).copied()),
            Source::Chance(weather) => weather.fate(peer),
        };
        (number, fate)
    }

    /// A number by chance; always the same where nothing is left to chance.
    pub(super) fn draw(&self) -> u64 {
        match &self.0.lock().expect("the fates").source {
            Source::Planned(_) => 1_000_000,
            Source::Chance(weather) => weather.random.lock().expect("the chance").below(u64::MAX),
        }
    }

    /// The points that the process came to so far.
    pub(super) fn points(&self) -> Vec<Point> {
        self.0.lock().expect("the fates").points.clone()
    }
}

/// Quick, so that what takes long is what the fault makes long.
fn usual(peer: Peer, fault: Option<Fault>) -> Fate {
    let way = Duration::from_millis(match peer {
        Peer::Store => 2,
        Peer::Platform => 40,
    });
    Fate { fault, there: way, back: way, late: Duration::from_secs(20), still: Duration::from_secs(100) }
}

impl Weather {
    fn fate(&self, peer: Peer) -> Fate {
        let climate = *self.climate.lock().expect("the climate");
        let mut random = self.random.lock().expect("the chance");
        let often = match peer {
            Peer::Store => climate.store_faults,
            Peer::Platform => climate.platform_faults,
        };
        let kind = random.below(u64::try_from(Fault::ALL.len()).unwrap_or(1));
        let kind = Fault::ALL[usize::try_from(kind).unwrap_or_default()];
        let fault = random.chance(often).then_some(kind);
        let is_slow = random.chance(climate.slow);
        let there = match peer {
            Peer::Store => random.millis(1, 8),
            Peer::Platform if is_slow => random.millis(2_000, 40_000),
            Peer::Platform => random.millis(100, 1_500),
        };
        let back = random.millis(1, if peer == Peer::Store { 5 } else { 300 });
        Fate { fault, there, back, late: random.millis(0, 28_000), still: random.millis(30_000, 400_000) }
    }
}
