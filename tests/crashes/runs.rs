//! Runs of schedules: counts them, runs a sample, and prints those that fail.

use super::faults::{Dependency, Fault, Point};
use std::fmt::Debug;
use std::time::Instant;

/// Seconds between a request's end and the next run of maintenance. Schedules use them in rotation.
const PHASES: [u64; 5] = [1, 13, 27, 40, 59];
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

/// Schedules that ran.
pub(super) struct Runs<S> {
    pub(super) points: usize,
    /// Sampling: one schedule in this many runs.
    one_in: usize,
    schedules: usize,
    failed: Vec<(S, Outcome)>,
    turn: usize,
}

impl<S: Scheduled> Runs<S> {
    /// Enumerates schedules; fails if any of them violates an invariant.
    pub(super) fn of(what: &str, on: &str, one_in: usize, enumerate: impl FnOnce(&mut Runs<S>)) {
        let mut runs = Runs { points: 0, one_in, schedules: 0, failed: Vec::new(), turn: 0 };
        let began = Instant::now();
        enumerate(&mut runs);
        let Runs { points, schedules, .. } = runs;
        let failed = runs.failed.len();
        let seconds = began.elapsed().as_secs_f64();
        println!("{what}, {on}: {points} points, {schedules} schedules, {failed} failed, {seconds:.1} s");
        for (schedule, outcome) in runs.failed.iter().take(MAX_PRINTED) {
            let again = schedule.logged().run();
            println!("{schedule:?}\n{:#?}\n{}", outcome.violations, again.log.join("\n"));
        }
        assert!(runs.failed.is_empty(), "{failed} of {schedules} schedules failed on {on}");
    }

    pub(super) fn run(&mut self, schedule: S) -> Outcome {
        let outcome = schedule.run();
        self.schedules += 1;
        if !outcome.violations.is_empty() {
            self.failed.push((schedule, outcome.clone()));
        }
        outcome
    }

    pub(super) fn run_in_rotation(&mut self, schedule: impl FnOnce(u64) -> S) {
        // The rotation is independent of the number of faults, so that every phase meets every fault.
        let phase = PHASES[(self.turn + self.turn / Fault::ALL.len()) % PHASES.len()];
        self.run_sampled(schedule(phase));
    }

    pub(super) fn run_sampled(&mut self, schedule: S) {
        self.turn += 1;
        if self.turn.is_multiple_of(self.one_in) {
            self.run(schedule);
        }
    }
}

/// Each point with each fault that applies to it.
pub(super) fn each(points: &[Point]) -> impl Iterator<Item = (usize, Fault)> {
    points.iter().enumerate().flat_map(|(number, point)| {
        let applies = |fault: &Fault| !fault.is_of_platforms() || point.dependency == Dependency::Platform;
        Fault::ALL.into_iter().filter(applies).map(move |fault| (number, fault))
    })
}

/// The calls that may write at a platform.
pub(super) fn writes(points: &[Point]) -> Vec<usize> {
    let is_write = |point: &Point| point.dependency == Dependency::Platform && !point.name.starts_with("GET");
    points.iter().enumerate().filter(|(_, point)| is_write(point)).map(|(number, _)| number).collect()
}
