//! Every fault at every point of a create. A run without faults records the points, so a new call in the code is a new
//! point.

use super::environment::EnvironmentOptions;
use super::outage::Outage;
use super::runs::{LARGE, PAIRS, Runs, Scheduled, each, writes};
use super::schedule::{ClientPolicy, Schedule};
use crate::in_process::faults::{Fault, Point};
use shared::domain::Platform;
use std::collections::BTreeMap;
use std::time::Duration;

/// The creates whose points are enumerated.
#[derive(Clone, Debug)]
pub(super) struct Enumeration {
    /// Number of ad accounts on each platform.
    pub(super) accounts: Vec<(Platform, usize)>,
    pub(super) policies: Vec<ClientPolicy>,
}

impl Enumeration {
    pub(super) fn new(accounts: &[(Platform, usize)]) -> Enumeration {
        Enumeration { accounts: accounts.to_vec(), policies: ClientPolicy::ALL.to_vec() }
    }

    pub(super) fn schedule(&self, policy: ClientPolicy, phase: u64, faults: &[BTreeMap<usize, Fault>]) -> Schedule {
        let options = EnvironmentOptions { accounts: self.accounts.clone(), store_attempts: 1, keeps_log: false };
        Schedule { options, policy, phase: Duration::from_secs(phase), faults: faults.to_vec() }
    }

    /// Each fault at each point of the create.
    pub(super) fn each_point(&self) {
        self.run_all("points of the create", 1, |runs| {
            for policy in &self.policies {
                let without_faults = runs.run(self.schedule(*policy, 1, &[BTreeMap::new()]));
                let points = without_faults.points[0].len();
                runs.points += points;
                for (point, fault) in each(&without_faults.points[0]) {
                    let faults = [BTreeMap::from([(point, fault)])];
                    runs.run_in_rotation(|phase| self.schedule(*policy, phase, &faults));
                }
            }
        });
    }

    /// An unknown create, and then each fault at each point of the rest of the request and of the next process, which
    /// reconciles it.
    pub(super) fn each_point_of_reconciliation(&self) {
        self.run_all("points of reconciliation", PAIRS, |runs| {
            for policy in &self.policies {
                let without_faults = self.schedule(*policy, 1, &[BTreeMap::new()]).run();
                for sent in writes(&without_faults.points[0]) {
                    for fault in [
                        Fault::ResponseLost,
                        Fault::RequestLost,
                        Fault::KilledAfter,
                        Fault::KilledBefore,
                        Fault::LateDisconnected,
                    ] {
                        self.reconcile(runs, *policy, BTreeMap::from([(sent, fault)]));
                    }
                }
            }
        });
    }

    /// A create that is applied after reconciliation has ruled it out, and then a retry.
    pub(super) fn each_write_too_late(&self) {
        self.run_all("writes applied too late", 1, |runs| {
            let without_faults = self.schedule(ClientPolicy::RetriesLater, 1, &[BTreeMap::new()]).run();
            for point in writes(&without_faults.points[0]) {
                runs.points += 1;
                let faults = [BTreeMap::from([(point, Fault::TooLate)])];
                runs.run(self.schedule(ClientPolicy::RetriesLater, 1, &faults));
            }
        });
    }

    /// Each fault at each point of a create with a key, and a client that retries a day later.
    pub(super) fn each_point_before_a_retry_next_day(&self) {
        Enumeration { policies: vec![ClientPolicy::RetriesNextDay], ..self.clone() }.each_point();
    }

    /// Each fault at each point of a create with a key, and then retries while one of its connections is unusable.
    pub(super) fn each_point_before_an_outage(&self, outage: Outage) {
        Enumeration { policies: vec![ClientPolicy::RetriesDuring(outage)], ..self.clone() }.each_point();
    }

    /// A create with a key that was not sent to one target, and then each fault at each point of its retry while one of
    /// the connections is unusable.
    pub(super) fn each_point_of_a_retry_during_an_outage(&self, outage: Outage) {
        self.run_all("points of a retry during an outage", PAIRS, |runs| {
            let policy = ClientPolicy::RetriesDuring(outage);
            let without_faults = self.schedule(policy, 1, &[BTreeMap::new()]).run();
            for sent in writes(&without_faults.points[0]) {
                let first = BTreeMap::from([(sent, Fault::NotSent)]);
                let clean = BTreeMap::new();
                let Some(base) = runs.begin(self.schedule(policy, 1, &[first.clone(), clean])) else { continue };
                for (point, fault) in each(&base.points[1]) {
                    let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                    runs.run_sampled(self.schedule(policy, 1, &faults));
                }
                runs.points += base.points[1].len();
            }
        });
    }

    /// A create with a key that was not sent, or that is applied after reconciliation has ruled it out, and then each
    /// fault at each point of the retry, which searches the platform again before it sends.
    pub(super) fn each_point_of_a_keyed_retry(&self) {
        self.run_all("points of a keyed retry", LARGE, |runs| {
            let without_faults = self.schedule(ClientPolicy::RetriesLater, 1, &[BTreeMap::new()]).run();
            for sent in writes(&without_faults.points[0]) {
                for first in [Fault::NotSent, Fault::TooLate] {
                    self.retry(runs, BTreeMap::from([(sent, first)]));
                }
            }
        });
    }

    /// Maintenance runs before the retry. The processes start in the same order in every schedule.
    fn retry(&self, runs: &mut Runs<Schedule>, first: BTreeMap<usize, Fault>) {
        let mut faults = vec![BTreeMap::new(); 8];
        faults[0] = first;
        let base = runs.run(self.schedule(ClientPolicy::RetriesLater, 1, &faults));
        let is_retry = |points: &Vec<Point>| points.iter().any(|point| point.name.contains("IDEMPOTENCY"));
        let retry = base.points.iter().skip(1).position(is_retry).expect("a retry") + 1;
        for (point, fault) in each(&base.points[retry]) {
            let mut faults = faults.clone();
            faults[retry] = BTreeMap::from([(point, fault)]);
            runs.run_sampled(self.schedule(ClientPolicy::RetriesLater, 1, &faults));
        }
        runs.points += base.points[retry].len();
    }

    /// A throttle at each call to the platform, and a client that retries at once.
    pub(super) fn each_throttle_retried_at_once(&self) {
        self.run_all("throttles retried at once", 1, |runs| {
            let without_faults = self.schedule(ClientPolicy::RetriesAtOnce, 1, &[BTreeMap::new()]).run();
            for (point, fault) in each(&without_faults.points[0]).filter(|(_, fault)| *fault == Fault::Throttled) {
                runs.points += 1;
                runs.run_in_rotation(|phase| {
                    self.schedule(ClientPolicy::RetriesAtOnce, phase, &[BTreeMap::from([(point, fault)])])
                });
            }
        });
    }

    /// Two identical creates, with the same fault at the same point of both.
    pub(super) fn each_point_of_identical_creates(&self) {
        self.run_all("points of identical creates", 1, |runs| {
            let without_faults = self.schedule(ClientPolicy::SendsOnce, 1, &[BTreeMap::new()]).run();
            let points = without_faults.points[0].len();
            runs.points += points;
            for point in 0..points {
                for fault in Fault::ALL {
                    let faults = vec![BTreeMap::from([(point, fault)]); 2];
                    runs.run_in_rotation(|phase| self.schedule(ClientPolicy::IdenticalCreates, phase, &faults));
                }
            }
        });
    }

    /// A create that ends before anything is sent, and then each fault at each point of the next process: the client's
    /// repetition, where the response says that it is safe.
    pub(super) fn each_point_of_a_repeat(&self) {
        self.run_all("points of a repeat", PAIRS, |runs| {
            let without_faults = self.schedule(ClientPolicy::SendsOnce, 1, &[BTreeMap::new()]).run();
            let sent = writes(&without_faults.points[0]).first().copied().unwrap_or_default();
            for early in 0..sent {
                for fault in [Fault::ServerError, Fault::ResponseLost, Fault::LateDisconnected] {
                    let first = BTreeMap::from([(early, fault)]);
                    let both = [first.clone(), BTreeMap::new()];
                    let Some(base) = runs.begin(self.schedule(ClientPolicy::SendsOnce, 1, &both)) else { continue };
                    for point in 0..base.points[1].len() {
                        for fault in Fault::ALL {
                            let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                            runs.run_sampled(self.schedule(ClientPolicy::SendsOnce, 1, &faults));
                        }
                    }
                    runs.points += base.points[1].len();
                }
            }
        });
    }

    fn reconcile(&self, runs: &mut Runs<Schedule>, policy: ClientPolicy, first: BTreeMap<usize, Fault>) {
        let (sent, _) = first.first_key_value().expect("one fault");
        for phase in [1, 40] {
            let clean = BTreeMap::new();
            let Some(base) = runs.begin(self.schedule(policy, phase, &[first.clone(), clean])) else { continue };
            let (rest, next) = (base.points[0].len(), base.points[1].len());
            runs.points += rest - sent - 1 + next;
            for fault in Fault::ALL {
                for point in sent + 1..rest {
                    let mut both = first.clone();
                    both.insert(point, fault);
                    runs.run_sampled(self.schedule(policy, phase, &[both, BTreeMap::new()]));
                }
                for point in 0..next {
                    let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                    runs.run_sampled(self.schedule(policy, phase, &faults));
                }
            }
        }
    }

    fn run_all(&self, what: &str, rarer: u64, enumerate: impl FnOnce(&mut Runs<Schedule>)) {
        let on: Vec<String> = self.accounts.iter().map(|(platform, n)| format!("{n} x {platform}")).collect();
        Runs::of(what, &on.join(", "), rarer, enumerate);
    }
}
