//! Which schedules of an enumeration run, and which seeds.
//!
//! Each schedule has a number in its enumeration, and belongs to one of as many classes as the sample says. A run takes
//! one class, so the runs of all classes together have run every schedule. `SAMPLE=5:3fddc33c` takes one schedule in
//! five, and the class and the seeds follow from the rest, such as the hash of a commit. Of the large enumerations it
//! takes fewer. `SAMPLE=all` takes every schedule.

use crate::random::Random;
use std::collections::BTreeSet;
use std::env;
use std::ops::Range;
use std::sync::OnceLock;

/// Without `SAMPLE`: a newcomer's run is short, and the same each time.
const DEFAULT: &str = "50:0";

/// A part of the schedules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// `None` takes all.
    one_in: Option<u64>,
    /// Decides the class and the seeds.
    number: u64,
}

impl Sample {
    /// The sample of this run.
    pub(crate) fn of_run() -> &'static Sample {
        static SAMPLE: OnceLock<Sample> = OnceLock::new();
        SAMPLE.get_or_init(|| {
            let text = env::var("SAMPLE").unwrap_or_else(|_| DEFAULT.to_owned());
            Sample::parse(&text).unwrap_or_else(|| panic!("SAMPLE={text} is neither all nor such as 5:3fddc33c"))
        })
    }

    /// Parses `all` or `5:3fddc33c`. The second part is hexadecimal; only its last 16 digits count.
    fn parse(text: &str) -> Option<Sample> {
        if text == "all" {
            return Some(Sample { one_in: None, number: 0 });
        }
        let (one_in, digits) = text.split_once(':')?;
        let last = digits.get(digits.len().saturating_sub(16)..)?;
        let (one_in, number) = (one_in.parse().ok()?, u64::from_str_radix(last, 16).ok()?);
        (one_in > 0).then_some(Sample { one_in: Some(one_in), number })
    }

    /// Whether every schedule runs.
    pub(crate) fn is_all(&self) -> bool {
        self.one_in.is_none()
    }

    /// Whether the schedule with this number runs, in an enumeration of which one in `rarer` times as many does.
    pub(crate) fn has(&self, schedule: u64, rarer: u64) -> bool {
        let classes = self.one_in.map_or(1, |one_in| one_in * self.rarer(rarer));
        // Not the number itself: the faults of a point follow one another, and each class has all of them.
        Random::new(schedule).below(classes) == self.number % classes
    }

    /// Whether a schedule runs that follows from one in the sample: one in `rarer` does.
    pub(crate) fn has_among(&self, schedule: u64, rarer: u64) -> bool {
        let Some(one_in) = self.one_in else { return true };
        let rarer = self.rarer(rarer);
        // Another part of the number, so that every schedule follows from every first one in some run.
        Random::new(schedule).below(rarer) == (self.number / one_in) % rarer
    }

    /// A night, such as `1:3fddc33c`, has time for five times as many of those that are rarer.
    fn rarer(&self, rarer: u64) -> u64 {
        if self.one_in == Some(1) { rarer.div_ceil(5) } else { rarer }
    }

    /// The first of the seeds. Two numbers share hardly any of the thousands that follow.
    pub(crate) fn first_seed(&self) -> u64 {
        if self.number == 0 { 0 } else { Random::new(self.number).below(1 << 40) }
    }
}

/// The number in an environment variable.
pub(crate) fn env_number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// The only seed of a run, or a number of them from the first of the sample.
pub(crate) fn seeds(only: Option<u64>, number: u64) -> Range<u64> {
    let first = Sample::of_run().first_seed();
    only.map_or(first..first + number, |seed| seed..seed + 1)
}

#[test]
fn the_classes_of_a_sample_share_the_schedules() {
    let samples: Vec<Sample> = (0..5).map(|class| Sample { one_in: Some(5), number: 1_000 + class }).collect();
    for schedule in 0..10_000 {
        assert_eq!(samples.iter().filter(|sample| sample.has(schedule, 1)).count(), 1, "schedule {schedule}");
    }
    let faults: BTreeSet<u64> =
        (0..1_000).filter(|schedule| samples[0].has(*schedule, 1)).map(|schedule| schedule % 10).collect();
    assert_eq!(faults.len(), 10, "one class has every fault");
    let night = Sample::parse("1:ff").expect("a sample");
    assert!((0..1_000).all(|schedule| night.has(schedule, 5)), "a night has the large enumerations whole");
    let pairs = (0..10_000).filter(|schedule| night.has(*schedule, 50)).count();
    assert!((900..1_100).contains(&pairs), "{pairs}: and one in ten of those with two faults");
    let all = Sample::parse("all").expect("a sample");
    assert!((0..1_000).all(|schedule| all.has(schedule, 50)), "all are all, of large enumerations too");
}

#[test]
fn a_sample_is_a_number_and_hexadecimal_digits() {
    assert_eq!(Sample::parse("5:ff"), Some(Sample { one_in: Some(5), number: 255 }));
    let of_commit = Sample::parse("5:3fddc33c7a6718e67cc646a06d45b1d5f0a1b2c3").expect("a sample");
    assert_eq!(of_commit.number, 0x6d45_b1d5_f0a1_b2c3);
    for wrong in ["", "5", "0:1", "5:", "5:xyz", "five:1"] {
        assert_eq!(Sample::parse(wrong), None, "{wrong}");
    }
}
