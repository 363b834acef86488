//! Crash tests for changes that are stored before they are made: scheduled ones, which maintenance makes, and bulk ones,
//! which the request makes as far as it has time.
//!
//! Every fault meets every point of the request, or of the process after it: the run of maintenance that makes the
//! change, or a retry. When the schedule ends, each change is made exactly once, canceled or never stored, and the
//! history tells what the sandbox's books say.

mod invariants;
mod schedule;

use super::client::Edit;
use super::spending_limit::Limited;
use super::writes;
use crate::crashes::runs::{LARGE, PAIRS, Runs, Scheduled, each};
use crate::in_process::faults::Fault;
pub(super) use invariants::is_settled;
use schedule::{DeferredPolicy, DeferredSchedule, Request};
use shared::domain::Platform;
use std::collections::BTreeMap;
use std::time::Duration;

/// The requests whose points are enumerated.
const REQUESTS: [Request; 5] = [
    Request::Scheduled(Edit::Everything),
    Request::Scheduled(Edit::Removal),
    Request::Bulk,
    Request::Budgets,
    Request::Undo,
];
/// What happens after the request.
const POLICIES: [DeferredPolicy; 2] = [DeferredPolicy::SendsOnce, DeferredPolicy::Retries];
/// Faults of a bulk change's write that leave its outcome unknown for the service.
const UNKNOWN: [Fault; 3] = [Fault::KilledAfter, Fault::KilledBefore, Fault::LateNoResponse];

fn schedule(
    platform: Platform,
    request: Request,
    policy: DeferredPolicy,
    phase: u64,
    faults: &[BTreeMap<usize, Fault>],
) -> DeferredSchedule {
    let phase = Duration::from_secs(phase);
    let limited = Limited::Nobody;
    DeferredSchedule { platform, request, policy, phase, faults: faults.to_vec(), limited, keeps_log: false }
}

/// Each fault at each point of the request.
fn each_point(runs: &mut Runs<DeferredSchedule>, platform: Platform, request: Request, policy: DeferredPolicy) {
    let without_faults = runs.run(schedule(platform, request, policy, 1, &[BTreeMap::new()]));
    runs.points += without_faults.points[0].len();
    for (point, fault) in each(&without_faults.points[0]) {
        let faults = [BTreeMap::from([(point, fault)])];
        runs.run_in_rotation(|phase| schedule(platform, request, policy, phase, &faults));
    }
}

/// Each fault at each point of the process after the request. Before it, the request met the first faults.
fn each_point_after(
    runs: &mut Runs<DeferredSchedule>,
    platform: Platform,
    request: Request,
    policy: DeferredPolicy,
    first: &BTreeMap<usize, Fault>,
    limited: Limited,
) {
    let schedule = |phase: u64, faults: &[BTreeMap<usize, Fault>]| DeferredSchedule {
        limited,
        ..schedule(platform, request, policy, phase, faults)
    };
    let Some(base) = runs.begin(schedule(1, &[first.clone(), BTreeMap::new()])) else { return };
    runs.points += base.points[1].len();
    for (point, fault) in each(&base.points[1]) {
        let faults = [first.clone(), BTreeMap::from([(point, fault)])];
        runs.run_in_rotation(|phase| schedule(phase, &faults));
    }
}

/// A scheduled change without an outcome after its first attempt, and then each fault at each point of the next run.
fn each_point_of_settling(runs: &mut Runs<DeferredSchedule>, platform: Platform, edit: Edit) {
    let (request, policy) = (Request::Scheduled(edit), DeferredPolicy::SendsOnce);
    let clean = BTreeMap::new();
    let without_faults = schedule(platform, request, policy, 1, &[clean.clone(), clean.clone()]).run();
    for sent in writes(&without_faults.points[1]) {
        for fault in UNKNOWN {
            let first = BTreeMap::from([(sent, fault)]);
            let base = [clean.clone(), first.clone(), clean.clone()];
            let Some(base) = runs.begin(schedule(platform, request, policy, 1, &base)) else { continue };
            runs.points += base.points[2].len();
            for (point, fault) in each(&base.points[2]) {
                let faults = [clean.clone(), first.clone(), BTreeMap::from([(point, fault)])];
                runs.run_in_rotation(|phase| schedule(platform, request, policy, phase, &faults));
            }
        }
    }
}

/// Scheduled and bulk changes on one platform.
pub(super) fn deferred_on(platform: Platform) {
    let run_all = |what: &str, rarer: u64, enumerate: &dyn Fn(&mut Runs<DeferredSchedule>)| {
        Runs::of(what, platform.as_str(), rarer, |runs| enumerate(runs));
    };
    run_all("points of scheduling and of bulk requests", 1, &|runs| {
        for request in REQUESTS {
            POLICIES.into_iter().for_each(|policy| each_point(runs, platform, request, policy));
        }
    });
    run_all("points of scheduled changes", LARGE, &|runs| {
        for edit in [Edit::Everything, Edit::Status, Edit::Removal] {
            for policy in [DeferredPolicy::SendsOnce, DeferredPolicy::RunsTwice, DeferredPolicy::Cancels] {
                let request = Request::Scheduled(edit);
                each_point_after(runs, platform, request, policy, &BTreeMap::new(), Limited::Nobody);
            }
        }
    });
    run_all("points of settling scheduled changes", PAIRS, &|runs| {
        [Edit::Everything, Edit::Status].into_iter().for_each(|edit| each_point_of_settling(runs, platform, edit));
    });
    run_all("points after a bulk request", PAIRS, &|runs| {
        for request in [Request::Bulk, Request::Budgets] {
            let without_faults = schedule(platform, request, DeferredPolicy::SendsOnce, 1, &[BTreeMap::new()]).run();
            for sent in 0..without_faults.points[0].len() {
                for fault in UNKNOWN {
                    let first = BTreeMap::from([(sent, fault)]);
                    for policy in POLICIES {
                        each_point_after(runs, platform, request, policy, &first, Limited::Nobody);
                    }
                }
            }
        }
    });
}

/// Scheduled changes for a user with a limit, by a key with one and by a key without: it has room for them.
pub(super) fn limited_on(platform: Platform) {
    for limited in [Limited::User, Limited::KeyAndUser] {
        let what = format!("points of scheduled changes, {limited:?}");
        Runs::of(&what, platform.as_str(), LARGE, |runs| {
            for edit in [Edit::Everything, Edit::Status] {
                for policy in [DeferredPolicy::SendsOnce, DeferredPolicy::RunsTwice] {
                    let request = Request::Scheduled(edit);
                    each_point_after(runs, platform, request, policy, &BTreeMap::new(), limited);
                }
            }
        });
    }
}

/// The tests of each platform.
macro_rules! deferred {
    ($platform:expr) => {
        #[test]
        fn a_deferred_change_is_applied_exactly_once() {
            crate::crashes::edits::deferred::deferred_on($platform);
        }

        #[test]
        fn a_deferred_change_of_a_limited_user_is_applied_exactly_once() {
            crate::crashes::edits::deferred::limited_on($platform);
        }
    };
}
use deferred;

crate::platforms::each_platform! { deferred }
