//! Fault injection. A point is one call of a process to the store or to a platform, numbered in order; a plan decides
//! the delays and the fault of each.

use crate::random::Random;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::time::Duration;

/// A fault at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The process dies before it sends the call.
    KilledBefore,
    /// The call is applied; the process dies before it sees the response.
    KilledAfter,
    /// The store or the platform responds with a server error; nothing is applied.
    ServerError,
    /// The platform throttles in its own form, or the store responds with a server error; nothing is applied.
    Throttled,
    /// A gateway in front of the platform answers with an HTML page and a client error, or the store responds with a
    /// server error; nothing is applied.
    Refused,
    /// The connection could not be opened; nothing is applied.
    NotSent,
    /// The call is applied; the connection breaks before the response.
    ResponseLost,
    /// The call is applied; no response ever comes.
    NoResponse,
    /// The call never arrives; no response ever comes.
    RequestLost,
    /// The connection breaks at once; the call is applied later.
    LateDisconnected,
    /// No response ever comes; the call is applied later.
    LateNoResponse,
    /// The connection breaks at once; the call is applied after reconciliation has ruled it out, beyond the known
    /// limit.
    TooLate,
    /// The call is applied; the process is suspended before it sees the response.
    Suspended,
    /// The platform confirms an update or a removal, and does not make it.
    Ignored,
}

impl Fault {
    /// Whether only a platform has the fault.
    pub(crate) fn is_of_platforms(self) -> bool {
        matches!(self, Fault::Throttled | Fault::Refused)
    }

    /// Those that meet any call.
    pub(crate) const ALL: [Fault; 12] = [
        Fault::KilledBefore,
        Fault::KilledAfter,
        Fault::ServerError,
        Fault::Throttled,
        Fault::Refused,
        Fault::NotSent,
        Fault::ResponseLost,
        Fault::NoResponse,
        Fault::RequestLost,
        Fault::LateDisconnected,
        Fault::LateNoResponse,
        Fault::Suspended,
    ];
}

/// A system that the service calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependency {
    Store,
    Platform,
}

/// Delays and fault of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery {
    pub(crate) fault: Option<Fault>,
    /// Time until the call is applied.
    pub(crate) request_delay: Duration,
    /// Time until the response arrives after that.
    pub(crate) response_delay: Duration,
    /// Time until a late call is applied.
    pub(crate) late_delay: Duration,
    /// Time for which a suspended process stops.
    pub(crate) suspension: Duration,
}

/// A recorded call.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) dependency: Dependency,
    pub(crate) name: String,
    pub(crate) fault: Option<Fault>,
}

/// The faults of one process, and the calls that it has made.
#[derive(Clone)]
pub(crate) struct FaultPlan(Arc<Mutex<Inner>>);

struct Inner {
    points: Vec<Point>,
    source: Source,
}

enum Source {
    /// These faults, by the number of the point.
    Planned(BTreeMap<usize, Fault>),
    Random(RandomFaults),
}

/// The random source and the fault rates of a run, shared by its processes.
#[derive(Clone)]
pub(crate) struct RandomFaults {
    pub(crate) random: Arc<Mutex<Random>>,
    pub(crate) rates: Arc<Mutex<FaultRates>>,
}

/// Fault rates, per thousand calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultRates {
    pub(crate) store_faults: u64,
    pub(crate) platform_faults: u64,
    /// Platform calls that take up to 40 s.
    pub(crate) slow: u64,
}

impl FaultPlan {
    pub(crate) fn planned(faults: BTreeMap<usize, Fault>) -> FaultPlan {
        FaultPlan::of(Source::Planned(faults))
    }

    /// No faults.
    pub(crate) fn none() -> FaultPlan {
        FaultPlan::planned(BTreeMap::new())
    }

    pub(crate) fn random(faults: &RandomFaults) -> FaultPlan {
        FaultPlan::of(Source::Random(faults.clone()))
    }

    fn of(source: Source) -> FaultPlan {
        FaultPlan(Arc::new(Mutex::new(Inner { points: Vec::new(), source })))
    }

    /// Records the next call; returns its number and its delivery.
    pub(crate) fn next(&self, dependency: Dependency, name: &str) -> (usize, Delivery) {
        let mut inner = self.0.lock().expect("the fault plan");
        let number = inner.points.len();
        let delivery = match &inner.source {
            Source::Planned(faults) => short_delivery(dependency, faults.get(&number).copied()),
            Source::Random(faults) => faults.delivery(dependency),
        };
        inner.points.push(Point { dependency, name: name.to_owned(), fault: delivery.fault });
        (number, delivery)
    }

    /// A random number; constant in a planned schedule.
    pub(crate) fn draw(&self) -> u64 {
        match &self.0.lock().expect("the fault plan").source {
            Source::Planned(_) => 1_000_000,
            Source::Random(faults) => faults.random.lock().expect("the random source").below(u64::MAX),
        }
    }

    /// The calls so far.
    pub(crate) fn points(&self) -> Vec<Point> {
        self.0.lock().expect("the fault plan").points.clone()
    }
}

/// Short delays, so that only a fault takes long.
fn short_delivery(dependency: Dependency, fault: Option<Fault>) -> Delivery {
    let delay = Duration::from_millis(match dependency {
        Dependency::Store => 2,
        Dependency::Platform => 40,
    });
    Delivery {
        fault,
        request_delay: delay,
        response_delay: delay,
        late_delay: Duration::from_secs(20),
        suspension: Duration::from_secs(100),
    }
}

impl RandomFaults {
    fn delivery(&self, dependency: Dependency) -> Delivery {
        let rates = *self.rates.lock().expect("the fault rates");
        let mut random = self.random.lock().expect("the random source");
        let rate = match dependency {
            Dependency::Store => rates.store_faults,
            Dependency::Platform => rates.platform_faults,
        };
        let kind = random.below(u64::try_from(Fault::ALL.len()).unwrap_or(1));
        let kind = Fault::ALL[usize::try_from(kind).unwrap_or_default()];
        let fault = random.chance(rate).then_some(kind);
        let is_slow = random.chance(rates.slow);
        let request_delay = match dependency {
            Dependency::Store => random.millis(1, 8),
            Dependency::Platform if is_slow => random.millis(2_000, 40_000),
            Dependency::Platform => random.millis(100, 1_500),
        };
        let response_delay = random.millis(1, if dependency == Dependency::Store { 5 } else { 300 });
        Delivery {
            fault,
            request_delay,
            response_delay,
            late_delay: random.millis(0, 28_000),
            suspension: random.millis(30_000, 400_000),
        }
    }
}
