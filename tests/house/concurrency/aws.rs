//! The documented rules of API Gateway and Lambda for requests that come too fast, in virtual milliseconds.
//!
//! - API Gateway counts a request against its route's throttle first, then against the account's:
//!   <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html>.
//! - A function with reserved concurrency can use exactly its reserve; all others share the rest. Ten requests a second
//!   for each unit of concurrency are the limit, however short they are:
//!   <https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html>.
//! - A synchronous request over a limit is refused, not queued.

use super::deployment::{Deployment, Throttle};
use std::collections::BTreeMap;

/// Lambda's default limit of an account.
pub(super) const ACCOUNT_CONCURRENCY: u64 = 1_000;
/// Requests a second for each unit of concurrency.
pub(super) const RATE_PER_CONCURRENCY: u64 = 10;
/// API Gateway's default limit of an account.
pub(super) const ACCOUNT_THROTTLE: Throttle = Throttle { rate: 10_000, burst: 5_000 };

/// A token bucket. It counts thousandths of tokens, so that a millisecond adds a whole number.
#[derive(Debug)]
struct Bucket {
    throttle: Throttle,
    tokens: u64,
    at: u64,
}

impl Bucket {
    fn new(throttle: Throttle) -> Bucket {
        Bucket { throttle, tokens: throttle.burst * 1_000, at: 0 }
    }

    /// Admits as many of `count` requests as there are tokens.
    fn take(&mut self, now: u64, count: u64) -> u64 {
        let filled = self.tokens + (now - self.at) * self.throttle.rate;
        (self.tokens, self.at) = (filled.min(self.throttle.burst * 1_000), now);
        let taken = count.min(self.tokens / 1_000);
        self.tokens -= taken * 1_000;
        taken
    }
}

/// Concurrency of one function, or of all without a reserve.
#[derive(Debug)]
struct Pool {
    concurrency: u64,
    running: u64,
    starts: Bucket,
    /// Executions by their end.
    ends: BTreeMap<u64, u64>,
}

impl Pool {
    fn new(concurrency: u64) -> Pool {
        let rate = concurrency * RATE_PER_CONCURRENCY;
        let starts = Bucket::new(Throttle { rate, burst: rate });
        Pool { concurrency, running: 0, starts, ends: BTreeMap::new() }
    }

    /// Starts as many of `count` executions as there is room for.
    fn start(&mut self, now: u64, count: u64, duration: u64) -> u64 {
        while let Some(end) = self.ends.first_entry().filter(|end| *end.key() <= now) {
            self.running -= end.remove();
        }
        let started = self.starts.take(now, count.min(self.concurrency - self.running));
        if started > 0 {
            self.running += started;
            *self.ends.entry(now + duration).or_default() += started;
        }
        started
    }
}

/// The requests of one route: its throttle and its pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    throttle: usize,
    pool: usize,
}

/// API Gateway and Lambda in one account.
#[derive(Debug)]
pub(super) struct Account {
    gateway: Bucket,
    throttles: Vec<Bucket>,
    pools: Vec<Pool>,
}

/// All routes without a throttle of their own. They share one bucket here, which is the least that AWS promises.
const SHARED: usize = 0;

impl Account {
    pub(super) fn new(deployment: &Deployment) -> Account {
        let reserves: Vec<u64> = deployment.functions.values().filter_map(|limits| limits.reserve).collect();
        let mut pools = vec![Pool::new(ACCOUNT_CONCURRENCY - reserves.iter().sum::<u64>())];
        pools.extend(reserves.into_iter().map(Pool::new));
        let default = deployment.default_throttle.unwrap_or(ACCOUNT_THROTTLE);
        let mut throttles = vec![Bucket::new(default)];
        throttles.extend(deployment.throttles.values().copied().map(Bucket::new));
        Account { gateway: Bucket::new(ACCOUNT_THROTTLE), throttles, pools }
    }

    /// The way of a route through the account.
    pub(super) fn path(deployment: &Deployment, route: &str) -> Path {
        let throttle = deployment.throttles.keys().position(|key| key == route).map_or(SHARED, |index| index + 1);
        Path { throttle, pool: Self::pool(deployment, &deployment.routes[route]) }
    }

    /// Sends requests at once; returns the number that a function answers.
    pub(super) fn request(&mut self, path: Path, now: u64, count: u64, duration: u64) -> u64 {
        let admitted = self.throttles[path.throttle].take(now, count);
        let admitted = self.gateway.take(now, admitted);
        self.pools[path.pool].start(now, admitted, duration)
    }

    /// Invokes a function without API Gateway, as a schedule does.
    pub(super) fn invoke(&mut self, deployment: &Deployment, function: &str, now: u64) -> bool {
        let duration = deployment.functions[function].timeout_ms;
        self.pools[Self::pool(deployment, function)].start(now, 1, duration) == 1
    }

    fn pool(deployment: &Deployment, function: &str) -> usize {
        let mut reserved = deployment.functions.iter().filter(|(_, limits)| limits.reserve.is_some());
        reserved.position(|(name, _)| name == function).map_or(SHARED, |index| index + 1)
    }
}
