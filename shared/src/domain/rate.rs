//! The rate: GCRA (the generic cell rate algorithm), a token bucket that is one number, in whole microseconds.
//!
//! That number is the theoretical arrival time ("tat"): when the next request would come if all kept their distance.
//! A request is taken as long as it is no more than a burst ahead of it, and moves it on by one distance.

use super::PlanLimits;
use std::time::Duration;

const MINUTE_US: i64 = 60_000_000;

/// How fast requests may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The distance between two requests that keep the rate.
    interval_us: i64,
    /// How many may come at once after a quiet time.
    burst: i64,
}

impl PlanLimits {
    /// The rate of the plan.
    pub fn rate(&self) -> Rate {
        Rate { interval_us: MINUTE_US / i64::from(self.requests_per_minute), burst: i64::from(self.burst) }
    }
}

impl Rate {
    /// The distance between two requests that keep the rate, in microseconds.
    pub fn interval_us(self) -> i64 {
        self.interval_us
    }

    /// The latest theoretical arrival time with which a request at `now_us` is taken.
    pub fn latest_us(self, now_us: i64) -> i64 {
        now_us + (self.burst - 1) * self.interval_us
    }

    /// How long a request at `now_us` has to wait until it is taken. `None`: it is taken now.
    pub fn wait(self, tat_us: i64, now_us: i64) -> Option<Duration> {
        let early = tat_us - self.latest_us(now_us);
        (early > 0).then(|| Duration::from_micros(early.unsigned_abs()))
    }

    /// How many requests at `now_us` would be taken.
    pub fn room(self, tat_us: i64, now_us: i64) -> u64 {
        let room = (now_us + self.burst * self.interval_us - tat_us.max(now_us)) / self.interval_us;
        u64::try_from(room).unwrap_or_default()
    }

    /// How long it is until a whole burst is taken.
    pub fn refill(self, tat_us: i64, now_us: i64) -> Duration {
        Duration::from_micros(u64::try_from(tat_us - now_us).unwrap_or_default())
    }

    /// How long a whole burst takes to come back.
    pub fn window(self) -> Duration {
        Duration::from_micros((self.burst * self.interval_us).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Plan;

    /// The reference: a bucket of tokens, each of `interval` drops, into which a drop falls every microsecond.
    struct Bucket {
        drops: i64,
        at: i64,
    }

    impl Bucket {
        fn fill(&mut self, rate: Rate, now: i64) {
            self.drops = (self.drops + now - self.at).min(rate.burst * rate.interval_us);
            self.at = now;
        }

        fn take(&mut self, rate: Rate, now: i64) -> bool {
            self.fill(rate, now);
            let is_enough = self.drops >= rate.interval_us;
            if is_enough {
                self.drops -= rate.interval_us;
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

    /// Mostly in a rush, sometimes at the rate to the microsecond, sometimes after a long time.
    fn gap(rate: Rate, seed: &mut u64) -> i64 {
        let interval = rate.interval_us.unsigned_abs();
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
    fn every_verdict_and_every_number_is_that_of_a_token_bucket() {
        for (seed, plan) in Plan::ALL.into_iter().enumerate() {
            let rate = plan.limits().rate();
            let (mut seed, mut now, mut tat) = (seed as u64, 1_700_000_000_000_000, 0);
            let mut bucket = Bucket { drops: rate.burst * rate.interval_us, at: now };
            let mut taken = 0;
            for _ in 0..100_000 {
                now += gap(rate, &mut seed);
                bucket.fill(rate, now);
                let tokens = bucket.drops / rate.interval_us;
                assert_eq!(rate.room(tat, now), tokens.unsigned_abs(), "{plan:?} at {now}");
                let lacking = rate.burst * rate.interval_us - bucket.drops;
                assert_eq!(rate.refill(tat, now).as_micros(), u128::from(lacking.unsigned_abs()));
                let wait = rate.wait(tat, now);
                assert_eq!(bucket.take(rate, now), wait.is_none(), "{plan:?} at {now}");
                match wait {
                    None => {
                        tat = tat.max(now) + rate.interval_us();
                        taken += 1;
                    }
                    Some(wait) => {
                        let wait = i64::try_from(wait.as_micros()).unwrap();
                        assert_eq!(wait, rate.interval_us - bucket.drops, "exactly until the next token");
                        assert_eq!(rate.wait(tat, now + wait), None);
                        assert!(rate.wait(tat, now + wait - 1).is_some());
                    }
                }
            }
            assert!((10_000..90_000).contains(&taken), "{plan:?}: both verdicts are common, {taken} taken");
        }
    }

    #[test]
    fn the_rate_of_every_plan_is_a_whole_number_of_microseconds() {
        for plan in Plan::ALL {
            let limits = plan.limits();
            let (interval, a_minute) = (limits.rate().interval_us(), i64::from(limits.requests_per_minute));
            assert_eq!(interval * a_minute, MINUTE_US, "{plan:?}");
            assert_eq!(limits.burst * 10, limits.requests_per_minute);
        }
    }
}
