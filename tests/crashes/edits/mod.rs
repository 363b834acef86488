//! Crash tests for updates and removals.
//!
//! A campaign exists; then a client updates or removes it, and every fault meets every point of the request, or of the
//! maintenance after it. Every write that reaches the platform is recorded with the sandbox's books after it. When the
//! schedule ends, the history matches the books exactly, and every response agrees with it.

mod approval;
mod books;
mod client;
mod deferred;
mod erasure;
mod invariants;
mod key_stop;
mod prepared;
mod schedule;
mod spending_limit;

pub(super) use books::Books;

use super::runs::{PAIRS, Runs, Scheduled, each};
use crate::in_process::faults::{Dependency, Fault, Point};
use books::is_write;
use client::Edit;
use schedule::{EditPolicy, EditSchedule};
use shared::domain::Platform;
use spending_limit::Limited;
use std::collections::BTreeMap;
use std::time::Duration;

/// The requests whose points are enumerated.
const EDITS: [Edit; 3] = [Edit::Everything, Edit::Status, Edit::Removal];
/// What the client does after a request.
const POLICIES: [EditPolicy; 3] = [EditPolicy::SendsOnce, EditPolicy::Repeats, EditPolicy::Retries];
/// Updates that another request follows: it overwrites a part of them, or removes the campaign.
const CONTINUED: [(Edit, Edit); 3] =
    [(Edit::Everything, Edit::Others), (Edit::Everything, Edit::Removal), (Edit::Status, Edit::Removal)];
/// Faults at a write that leave its outcome unknown for the service.
const UNKNOWN: [Fault; 4] = [Fault::KilledAfter, Fault::KilledBefore, Fault::LateNoResponse, Fault::NoResponse];

fn schedule(
    platform: Platform,
    edit: Edit,
    policy: EditPolicy,
    phase: u64,
    faults: &[BTreeMap<usize, Fault>],
) -> EditSchedule {
    let phase = Duration::from_secs(phase);
    EditSchedule { platform, edit, policy, phase, faults: faults.to_vec(), limited: Limited::Nobody, keeps_log: false }
}

/// Each fault at each point of a request.
fn each_point(runs: &mut Runs<EditSchedule>, platform: Platform, edit: Edit, policy: EditPolicy) {
    let without_faults = runs.run(schedule(platform, edit, policy, 1, &[BTreeMap::new()]));
    runs.points += without_faults.points[0].len();
    for (point, fault) in each(&without_faults.points[0]) {
        let faults = [BTreeMap::from([(point, fault)])];
        runs.run_in_rotation(|phase| schedule(platform, edit, policy, phase, &faults));
    }
}

/// A request whose outcome is unknown, and then each fault at each point of the next process: maintenance, which settles
/// it, or the next request.
fn each_point_after(runs: &mut Runs<EditSchedule>, platform: Platform, edit: Edit, policy: EditPolicy) {
    let without_faults = schedule(platform, edit, policy, 1, &[BTreeMap::new()]).run();
    for sent in writes(&without_faults.points[0]) {
        for fault in UNKNOWN {
            let first = BTreeMap::from([(sent, fault)]);
            let clean = BTreeMap::new();
            let Some(base) = runs.begin(schedule(platform, edit, policy, 1, &[first.clone(), clean])) else { continue };
            runs.points += base.points[1].len();
            for (point, fault) in each(&base.points[1]) {
                let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                runs.run_in_rotation(|phase| schedule(platform, edit, policy, phase, &faults));
            }
        }
    }
}

/// The writes of a request: its calls to the platform that are no reads.
fn writes(points: &[Point]) -> Vec<usize> {
    let is_write = |point: &Point| point.dependency == Dependency::Platform && is_write(&point.name);
    points.iter().enumerate().filter(|(_, point)| is_write(point)).map(|(number, _)| number).collect()
}

/// Runs the schedules of one kind.
fn run_all(what: &str, platform: Platform, rarer: u64, enumerate: impl FnOnce(&mut Runs<EditSchedule>)) {
    Runs::of(what, platform.as_str(), rarer, enumerate);
}

/// Updates and removals on one platform.
fn edit_on(platform: Platform) {
    run_all("points of updates and removals", platform, 1, |runs| {
        for edit in EDITS {
            POLICIES.into_iter().for_each(|policy| each_point(runs, platform, edit, policy));
        }
    });
    run_all("points before another request", platform, 1, |runs| {
        for (edit, next) in CONTINUED {
            each_point(runs, platform, edit, EditPolicy::Continues(next));
        }
    });
    run_all("points of maintenance", platform, PAIRS, |runs| {
        EDITS.into_iter().for_each(|edit| each_point_after(runs, platform, edit, EditPolicy::SendsOnce));
    });
    run_all("points of the next request", platform, PAIRS, |runs| {
        let policies = [EditPolicy::Continues(Edit::Others), EditPolicy::Repeats];
        policies.into_iter().for_each(|policy| each_point_after(runs, platform, Edit::Everything, policy));
    });
}

/// The test of each platform.
macro_rules! edits {
    ($platform:expr) => {
        #[test]
        fn the_history_matches_the_books_of_the_platform() {
            crate::crashes::edits::edit_on($platform);
        }
    };
}
use edits;

crate::platforms::each_platform! { edits }
