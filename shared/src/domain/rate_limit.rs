//! The rate limit per customer: GCRA, the generic cell rate algorithm.
//!
//! GCRA is a token bucket in a single number, the theoretical arrival time (TAT) in microseconds: the time at which the
//! next request arrives if all keep the emission interval. A request is allowed while the TAT is at most `burst - 1`
//! intervals ahead of now, and moves the TAT by one interval.

use super::PlanLimits;
use std::time::Duration;

const MICROS_PER_MINUTE: i64 = 60_000_000;

/// A rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Time between two requests at the sustained rate.
    emission_interval_us: i64,
    /// Requests at once after idle time.
    burst: i64,
}

impl PlanLimits {
    /// The rate limit of the plan.
    pub fn rate_limit(&self) -> RateLimit {
        RateLimit::per_minute(i64::from(self.requests_per_minute), i64::from(self.burst))
    }
}

impl RateLimit {
    /// A limit of so many requests a minute, and of these at once after idle time.
    pub const fn per_minute(requests: i64, burst: i64) -> RateLimit {
        RateLimit { emission_interval_us: MICROS_PER_MINUTE / requests, burst }
    }

    /// The emission interval: time between two requests at the sustained rate, in microseconds.
    pub fn emission_interval_us(self) -> i64 {
        self.emission_interval_us
    }

    /// The latest TAT at which a request is allowed.
    pub fn latest_us(self, now_us: i64) -> i64 {
        now_us + (self.burst - 1) * self.emission_interval_us
    }

    /// Time until a request is allowed; `None` if it is allowed now.
    pub fn wait(self, tat_us: i64, now_us: i64) -> Option<Duration> {
        let early = tat_us - self.latest_us(now_us);
        (early > 0).then(|| Duration::from_micros(early.unsigned_abs()))
    }

    /// Requests that are allowed at once.
    pub fn remaining(self, tat_us: i64, now_us: i64) -> u64 {
        let room = (now_us + self.burst * self.emission_interval_us - tat_us.max(now_us)) / self.emission_interval_us;
        u64::try_from(room).unwrap_or_default()
    }

    /// Time until a whole burst is allowed.
    pub fn time_to_full(self, tat_us: i64, now_us: i64) -> Duration {
        Duration::from_micros(u64::try_from(tat_us - now_us).unwrap_or_default())
    }

    /// Time in which an empty bucket becomes full.
    pub fn window(self) -> Duration {
        Duration::from_micros((self.burst * self.emission_interval_us).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Plan;

    /// The reference: a token bucket. A token is one emission interval of drops, and one drop falls per microsecond.
    struct Bucket {
        drops: i64,
        at: i64,
    }

    impl Bucket {
        fn fill(&mut self, rate: RateLimit, now: i64) {
            self.drops = (self.drops + now - self.at).min(rate.burst * rate.emission_interval_us);
            self.at = now;
        }

        fn take(&mut self, rate: RateLimit, now: i64) -> bool {
            self.fill(rate, now);
            let is_enough = self.drops >= rate.emission_interval_us;
            if is_enough {
                self.drops -= rate.emission_interval_us;
            }
            is_enough
        }
    }

    /// SplitMix64.
    fn next(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Time to the next request: mostly short, sometimes one emission interval, sometimes long.
    fn gap(rate: RateLimit, seed: &mut u64) -> i64 {
        let interval = rate.emission_interval_us.unsigned_abs();
        let gap = match next(seed) % 8 {
            0..4 => next(seed) % (interval / 10),
            4 => interval,
            5 => interval - 1 + next(seed) % 3,
            6 => next(seed) % (3 * interval),
            _ if next(seed).is_multiple_of(rate.burst.unsigned_abs()) => {
                next(seed) % (2 * rate.window().as_micros() as u64)
            }
            _ => 0,
        };
        i64::try_from(gap).unwrap()
    }

    #[test]
    fn every_result_equals_that_of_a_token_bucket() {
        for (seed, plan) in Plan::ALL.into_iter().enumerate() {
            let rate = plan.limits().rate_limit();
            let mut seed = seed as u64;
            let mut now = 1_700_000_000_000_000;
            let mut tat = 0;
            let mut bucket = Bucket { drops: rate.burst * rate.emission_interval_us, at: now };
            let mut taken = 0;
            for _ in 0..100_000 {
                now += gap(rate, &mut seed);
                bucket.fill(rate, now);
                let tokens = bucket.drops / rate.emission_interval_us;
                assert_eq!(rate.remaining(tat, now), tokens.unsigned_abs(), "{plan:?} at {now}");
                let lacking = rate.burst * rate.emission_interval_us - bucket.drops;
                assert_eq!(rate.time_to_full(tat, now).as_micros(), u128::from(lacking.unsigned_abs()));
                let wait = rate.wait(tat, now);
                assert_eq!(bucket.take(rate, now), wait.is_none(), "{plan:?} at {now}");
                match wait {
                    None => {
                        tat = tat.max(now) + rate.emission_interval_us();
                        taken += 1;
                    }
                    Some(wait) => {
                        let wait = i64::try_from(wait.as_micros()).unwrap();
                        assert_eq!(
                            wait,
                            rate.emission_interval_us - bucket.drops,
                            "the wait ends exactly at the next token"
                        );
                        assert_eq!(rate.wait(tat, now + wait), None);
                        assert!(rate.wait(tat, now + wait - 1).is_some());
                    }
                }
            }
            assert!((10_000..90_000).contains(&taken), "{plan:?}: both results are common, {taken} taken");
        }
    }

    #[test]
    fn the_interval_of_every_plan_is_in_whole_microseconds() {
        for plan in Plan::ALL {
            let limits = plan.limits();
            let interval = limits.rate_limit().emission_interval_us();
            let a_minute = i64::from(limits.requests_per_minute);
            assert_eq!(interval * a_minute, MICROS_PER_MINUTE, "{plan:?}");
            assert_eq!(limits.burst * 10, limits.requests_per_minute);
        }
    }
}
