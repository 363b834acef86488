//! Runs of schedules: counts them, runs a sample, and prints those that fail.

use crate::in_process::faults::{Dependency, Fault, Point};
use crate::sample::Sample;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Debug;
use std::time::Instant;

/// Seconds between a request's end and the next run of maintenance. Schedules use them in rotation.
const PHASES: [u64; 5] = [1, 13, 27, 40, 59];
/// How much rarer than the sample says the schedules of the larger enumerations are: those with a fault in one of many
/// runs, and those with two faults, which are four fifths of all.
pub(super) const LARGE: u64 = 5;
pub(super) const PAIRS: u64 = 50;
/// Failed schedules that are printed with their log.
const MAX_PRINTED: usize = 3;

/// A request, its faults, and what happens afterwards.
pub(super) trait Scheduled: Clone + Debug {
    /// Runs the schedule in a new environment.
    fn run(&self) -> Outcome;
    /// The same schedule with a log of its events.
    fn logged(&self) -> Self;
}

/// Result of a schedule.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) violations: Vec<String>,
    pub(super) log: Vec<String>,
    /// The calls of each process that has a plan.
    pub(super) points: Vec<Vec<Point>>,
}

/// The number of a schedule in its enumeration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Number {
    /// The schedule that it follows from; 0 if it follows from none of the sample.
    first: u64,
    /// Its place among those.
    turn: u64,
}

impl Number {
    /// Parses `3.17`.
    fn parse(text: &str) -> Option<Number> {
        let (first, turn) = text.split_once('.')?;
        Some(Number { first: first.parse().ok()?, turn: turn.parse().ok()? })
    }
}

/// Schedules that ran.
pub(super) struct Runs<S> {
    pub(super) points: usize,
    /// One in so many times as many runs as the sample says: for enumerations with two faults in each schedule.
    rarer: u64,
    /// The number of the only schedule that runs.
    only: Option<Number>,
    schedules: usize,
    failed: Vec<(String, S, Outcome)>,
    /// The number of the latest schedule that belongs to a class of the sample.
    latest: Number,
    total: u64,
    name: String,
}

impl<S: Scheduled> Runs<S> {
    /// Enumerates schedules; fails if any of them violates an invariant.
    pub(super) fn of(what: &str, on: &str, rarer: u64, enumerate: impl FnOnce(&mut Runs<S>)) {
        let name = format!("{what}, {on}");
        let wanted = env::var("SCHEDULE").ok();
        let only =
            wanted.as_deref().and_then(|wanted| wanted.strip_prefix(&name)?.strip_prefix(" #").and_then(Number::parse));
        if wanted.is_some_and(|wanted| wanted != name && only.is_none()) {
            return;
        }
        let (failed, latest) = (Vec::new(), Number::default());
        let mut runs = Runs { points: 0, rarer, only, schedules: 0, failed, latest, total: 0, name };
        let began = Instant::now();
        enumerate(&mut runs);
        let Runs { name, points, schedules, total, failed, .. } = runs;
        let seconds = began.elapsed().as_secs_f64();
        let number = failed.len();
        println!("{name}: {points} points, {schedules} schedules of {total}, {number} failed, {seconds:.1} s");
        for (place, schedule, outcome) in failed.iter().take(MAX_PRINTED) {
            let again = schedule.logged().run();
            println!("{schedule:?}\n{:#?}\n{}", outcome.violations, again.log.join("\n"));
            println!("Repeat it: SCHEDULE='{place}' cargo test -p tests crashes -- --nocapture");
        }
        assert!(failed.is_empty(), "{number} of {schedules} schedules failed: {name}");
    }

    /// Runs a schedule in every sample: others follow from its points.
    pub(super) fn run(&mut self, schedule: S) -> Outcome {
        self.run_as(self.name.clone(), schedule)
    }

    /// Runs a schedule from whose points others follow, if it is in the sample. `None` leaves them out with it.
    pub(super) fn begin(&mut self, schedule: S) -> Option<Outcome> {
        self.latest = Number { first: self.latest.first + 1, turn: 0 };
        let first = self.latest.first;
        let is_wanted = self.only.map_or_else(|| Sample::of_run().has(first, 1), |only| only.first == first);
        is_wanted.then(|| self.run_as(format!("{} #{first}.0", self.name), schedule))
    }

    fn run_as(&mut self, place: String, schedule: S) -> Outcome {
        let outcome = schedule.run();
        self.schedules += 1;
        if !outcome.violations.is_empty() {
            self.failed.push((place, schedule, outcome.clone()));
        }
        outcome
    }

    pub(super) fn run_in_rotation(&mut self, schedule: impl FnOnce(u64) -> S) {
        // The rotation is independent of the number of faults, so that every phase meets every fault.
        let turn = usize::try_from(self.latest.turn).expect("a small number");
        let phase = PHASES[(turn + turn / Fault::ALL.len()) % PHASES.len()];
        self.run_sampled(schedule(phase));
    }

    pub(super) fn run_sampled(&mut self, schedule: S) {
        self.latest.turn += 1;
        self.total += 1;
        let Number { first, turn } = self.latest;
        let is_sampled = || match first {
            0 => Sample::of_run().has(turn, self.rarer),
            _ => Sample::of_run().has_among(turn, self.rarer),
        };
        if self.only.map_or_else(is_sampled, |only| only == self.latest) {
            self.run_as(format!("{} #{first}.{turn}", self.name), schedule);
        }
    }
}

/// Each point with each fault that applies to it.
pub(super) fn each(points: &[Point]) -> impl Iterator<Item = (usize, Fault)> {
    points.iter().enumerate().flat_map(|(number, point)| {
        let applies = |fault: &Fault| !fault.is_of_platforms() || point.dependency == Dependency::Platform;
        let ignored = may_write(point).then_some(Fault::Ignored);
        Fault::ALL.into_iter().filter(applies).chain(ignored).map(move |fault| (number, fault))
    })
}

fn may_write(point: &Point) -> bool {
    point.dependency == Dependency::Platform && !point.name.starts_with("GET")
}

/// The calls that may write at a platform.
pub(super) fn writes(points: &[Point]) -> Vec<usize> {
    points.iter().enumerate().filter(|(_, point)| may_write(point)).map(|(number, _)| number).collect()
}

/// Runs of maintenance after a request with these faults, for each process in the order in which they start.
pub(super) fn runs_after(faults: &[BTreeMap<usize, Fault>]) -> usize {
    let meets = |wanted: Fault| faults.iter().flat_map(BTreeMap::values).any(|fault| *fault == wanted);
    match faults.len() {
        // A throttled search, or read after a write, waits as long as the platform asks, an hour at most.
        _ if meets(Fault::Throttled) => 65,
        2.. => 5,
        _ if meets(Fault::Suspended) => 5,
        _ => 3,
    }
}
