//! Every point of a create, and every fault at it. The points are what an undisturbed run comes to: none is listed by
//! hand, and a new call of the code is a new point.

use super::point::{Fault, Peer, Point};
use super::schedule::{Manner, Outcome, Schedule};
use super::world::Setting;
use shared::domain::Platform;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Where in a minute of the schedule a create ends. Schedules take them in turn.
const PHASES: [u64; 5] = [1, 13, 27, 40, 59];
/// So many schedules that went wrong are told.
const TOLD: usize = 3;

/// What a create is enumerated on.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// So many ad accounts on each of these platforms.
    pub(super) accounts: Vec<(Platform, usize)>,
    pub(super) manners: Vec<Manner>,
    /// Every so many schedules one is played.
    pub(super) every: usize,
}

/// What was played.
#[derive(Default)]
pub(super) struct Count {
    points: usize,
    schedules: usize,
    wrong: Vec<(Schedule, Outcome)>,
    turn: usize,
}

impl Field {
    pub(super) fn new(accounts: &[(Platform, usize)]) -> Field {
        Field { accounts: accounts.to_vec(), manners: Manner::ALL.to_vec(), every: 1 }
    }

    pub(super) fn every(self, every: usize) -> Field {
        Field { every, ..self }
    }

    pub(super) fn schedule(&self, manner: Manner, phase: u64, faults: &[BTreeMap<usize, Fault>]) -> Schedule {
        let setting = Setting { accounts: self.accounts.clone(), store_attempts: 1, in_words: false };
        Schedule { setting, manner, phase: Duration::from_secs(phase), faults: faults.to_vec() }
    }

    /// Each fault at each point of the create.
    pub(super) fn each_point(&self) {
        self.count("points of the create", |count| {
            for manner in &self.manners {
                let undisturbed = count.play(self.schedule(*manner, 1, &[BTreeMap::new()]));
                let points = undisturbed.points[0].len();
                count.points += points;
                for (point, fault) in each(&undisturbed.points[0]) {
                    let faults = [BTreeMap::from([(point, fault)])];
                    count.play_in_turn(self, |phase| self.schedule(*manner, phase, &faults));
                }
            }
        });
    }

    /// A create in doubt, and then each fault at each point of what follows: of the rest of the request, and of the
    /// process that comes next, which settles it.
    pub(super) fn each_point_of_settling(&self) {
        self.count("points of settling", |count| {
            for manner in &self.manners {
                let undisturbed = self.schedule(*manner, 1, &[BTreeMap::new()]).play();
                for sent in writes(&undisturbed.points[0]) {
                    for doubt in
                        [Fault::Lost, Fault::Unheard, Fault::KilledAfter, Fault::KilledBefore, Fault::LateBroken]
                    {
                        self.reconcile(count, *manner, BTreeMap::from([(sent, doubt)]));
                    }
                }
            }
        });
    }

    /// A create that is carried out when it is believed that nothing came of it, and a retry after that.
    pub(super) fn each_write_too_late(&self) {
        self.count("writes too late", |count| {
            let undisturbed = self.schedule(Manner::ComesBack, 1, &[BTreeMap::new()]).play();
            for point in writes(&undisturbed.points[0]) {
                count.points += 1;
                let faults = [BTreeMap::from([(point, Fault::TooLate)])];
                count.play(self.schedule(Manner::ComesBack, 1, &faults));
            }
        });
    }

    /// Each fault at each point of a create with a key, and a client that comes back when a day has passed.
    pub(super) fn each_point_before_the_next_day(&self) {
        Field { manners: vec![Manner::ComesBackNextDay], ..self.clone() }.each_point();
    }

    /// A create with a key that was surely not sent, or is carried out when nothing is expected of it any more, and then
    /// each fault at each point of the retry, which looks once more before it sends.
    pub(super) fn each_point_of_a_keyed_retry(&self) {
        self.count("points of a keyed retry", |count| {
            let undisturbed = self.schedule(Manner::ComesBack, 1, &[BTreeMap::new()]).play();
            for sent in writes(&undisturbed.points[0]) {
                for first in [Fault::NotSent, Fault::TooLate] {
                    self.retry(count, BTreeMap::from([(sent, first)]));
                }
            }
        });
    }

    /// Maintenance runs in between: the processes start in the same order in every schedule.
    fn retry(&self, count: &mut Count, first: BTreeMap<usize, Fault>) {
        let mut faults = vec![BTreeMap::new(); 8];
        faults[0] = first;
        let base = count.play(self.schedule(Manner::ComesBack, 1, &faults));
        let is_retry = |points: &Vec<Point>| points.iter().any(|point| point.name.contains("IDEMPOTENCY"));
        let retry = base.points.iter().skip(1).position(is_retry).expect("a retry") + 1;
        for (point, fault) in each(&base.points[retry]) {
            let mut faults = faults.clone();
            faults[retry] = BTreeMap::from([(point, fault)]);
            count.play_some(self, self.schedule(Manner::ComesBack, 1, &faults));
        }
        count.points += base.points[retry].len();
    }

    /// A throttle at each call to the platform, and a client that sends again at once.
    pub(super) fn each_throttle_retried(&self) {
        self.count("throttles retried at once", |count| {
            let undisturbed = self.schedule(Manner::RetriesAtOnce, 1, &[BTreeMap::new()]).play();
            for (point, fault) in each(&undisturbed.points[0]).filter(|(_, fault)| *fault == Fault::Throttled) {
                count.points += 1;
                count.play_in_turn(self, |phase| {
                    self.schedule(Manner::RetriesAtOnce, phase, &[BTreeMap::from([(point, fault)])])
                });
            }
        });
    }

    /// Two creates that cannot be told apart, and the same fault at the same point of both.
    pub(super) fn each_point_of_twins(&self) {
        self.count("points of twins", |count| {
            let undisturbed = self.schedule(Manner::Once, 1, &[BTreeMap::new()]).play();
            let points = undisturbed.points[0].len();
            count.points += points;
            for point in 0..points {
                for fault in Fault::ALL {
                    let faults = vec![BTreeMap::from([(point, fault)]); 2];
                    count.play_in_turn(self, |phase| self.schedule(Manner::Twins, phase, &faults));
                }
            }
        });
    }

    /// A create that ends before anything is sent, and then each fault at each point of the next process: the client's
    /// repeat, where it was told that this is safe.
    pub(super) fn each_point_of_a_repeat(&self) {
        self.count("points of a repeat", |count| {
            let undisturbed = self.schedule(Manner::Once, 1, &[BTreeMap::new()]).play();
            let sent = writes(&undisturbed.points[0]).first().copied().unwrap_or_default();
            for begin in 0..sent {
                for fault in [Fault::Error, Fault::Lost, Fault::LateBroken] {
                    let first = BTreeMap::from([(begin, fault)]);
                    let base = count.play(self.schedule(Manner::Once, 1, &[first.clone(), BTreeMap::new()]));
                    for point in 0..base.points[1].len() {
                        for fault in Fault::ALL {
                            let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                            count.play_some(self, self.schedule(Manner::Once, 1, &faults));
                        }
                    }
                    count.points += base.points[1].len();
                }
            }
        });
    }

    fn reconcile(&self, count: &mut Count, manner: Manner, first: BTreeMap<usize, Fault>) {
        let (sent, _) = first.first_key_value().expect("one fault");
        for phase in [1, 40] {
            let base = count.play(self.schedule(manner, phase, &[first.clone(), BTreeMap::new()]));
            let (rest, next) = (base.points[0].len(), base.points[1].len());
            count.points += rest - sent - 1 + next;
            for fault in Fault::ALL {
                for point in sent + 1..rest {
                    let mut both = first.clone();
                    both.insert(point, fault);
                    count.play_some(self, self.schedule(manner, phase, &[both, BTreeMap::new()]));
                }
                for point in 0..next {
                    let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                    count.play_some(self, self.schedule(manner, phase, &faults));
                }
            }
        }
    }

    fn count(&self, what: &str, play: impl FnOnce(&mut Count)) {
        let (mut count, began) = (Count::default(), Instant::now());
        play(&mut count);
        let on: Vec<String> = self.accounts.iter().map(|(platform, n)| format!("{n} x {platform}")).collect();
        let (points, schedules, wrong) = (count.points, count.schedules, count.wrong.len());
        let (on, seconds) = (on.join(", "), began.elapsed().as_secs_f64());
        println!("{what}, {on}: {points} points, {schedules} schedules, {wrong} wrong, {seconds:.1} s");
        for (schedule, outcome) in count.wrong.iter().take(TOLD) {
            let mut told = schedule.clone();
            told.setting.in_words = true;
            let again = told.play();
            println!("{schedule:?}\n{:#?}\n{}", outcome.wrong, again.words.join("\n"));
        }
        assert!(count.wrong.is_empty(), "{wrong} of {schedules} schedules went wrong on {on}");
    }
}

/// Each point with each fault that it can meet: the store has no throttle of its own here.
fn each(points: &[Point]) -> impl Iterator<Item = (usize, Fault)> {
    points.iter().enumerate().flat_map(|(number, point)| {
        let is_one = |fault: &Fault| *fault != Fault::Throttled || point.peer == Peer::Platform;
        Fault::ALL.into_iter().filter(is_one).map(move |fault| (number, fault))
    })
}

/// The calls by which something may come to be at a platform.
fn writes(points: &[Point]) -> Vec<usize> {
    let is_write = |point: &Point| point.peer == Peer::Platform && !point.name.starts_with("GET");
    points.iter().enumerate().filter(|(_, point)| is_write(point)).map(|(number, _)| number).collect()
}

impl Count {
    fn play(&mut self, schedule: Schedule) -> Outcome {
        let outcome = schedule.play();
        self.schedules += 1;
        if !outcome.wrong.is_empty() {
            let Outcome { wrong, words, points } = &outcome;
            let copy = Outcome { wrong: wrong.clone(), words: words.clone(), points: points.clone() };
            self.wrong.push((schedule, copy));
        }
        outcome
    }

    fn play_in_turn(&mut self, field: &Field, schedule: impl FnOnce(u64) -> Schedule) {
        // By turns that have nothing to do with the number of faults, so that each meets each.
        let phase = PHASES[(self.turn + self.turn / Fault::ALL.len()) % PHASES.len()];
        self.play_some(field, schedule(phase));
    }

    fn play_some(&mut self, field: &Field, schedule: Schedule) {
        self.turn += 1;
        if self.turn.is_multiple_of(field.every) {
            self.play(schedule);
        }
    }
}
