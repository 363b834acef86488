//! Platforms that fail during a run. A call to a platform that hangs blocks one of the concurrent steps until its timeout.
//! So after a few failures in a row the run leaves the platform's other grants to the next run.

use shared::domain::Platform;
use shared::error::{Error, Kind};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Consecutive failures after which a run calls a platform no more. The calls in flight continue.
const MAX_FAILURES: u32 = 5;

/// Consecutive failures of each platform.
#[derive(Debug, Default)]
pub(crate) struct FailingPlatforms(Mutex<BTreeMap<Platform, u32>>);

impl FailingPlatforms {
    /// Whether the run leaves the platform's grants to the next run.
    pub(crate) fn contains(&self, platform: Platform) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&platform).is_some_and(|count| *count >= MAX_FAILURES)
    }

    /// Counts an outcome, unless it is a throttle: that is mostly of one ad account, whose others must not wait for it.
    pub(crate) fn record_unless_throttled(&self, platform: Platform, error: Option<&Error>) {
        if error.is_none_or(|error| error.kind != Kind::RateLimited) {
            self.record(platform, error);
        }
    }

    /// Counts a failure of the platform itself. Any other outcome resets the count.
    pub(crate) fn record(&self, platform: Platform, error: Option<&Error>) {
        let is_failure = error.is_some_and(|error| {
            matches!(error.kind, Kind::PlatformFailed | Kind::PlatformTimeout | Kind::RateLimited)
        });
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(platform).or_default();
        *count = if is_failure { *count + 1 } else { 0 };
        if *count == MAX_FAILURES {
            tracing::warn!(%platform, "the platform fails; its other due grants wait for the next run");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_in_a_row_and_of_the_platform_itself_count() {
        let failing = FailingPlatforms::default();
        let timeout = Error::new(Kind::PlatformTimeout, "no response");
        let revoked = Error::new(Kind::TokenExpired, "revoked");
        let record =
            |errors: &[Option<&Error>]| errors.iter().for_each(|error| failing.record(Platform::Alpha, *error));
        record(&[Some(&timeout), Some(&timeout), Some(&timeout), Some(&timeout), None, Some(&revoked)]);
        record(&[Some(&timeout), Some(&timeout), Some(&timeout), Some(&timeout)]);
        assert!(!failing.contains(Platform::Alpha));
        record(&[Some(&timeout)]);
        assert!(failing.contains(Platform::Alpha) && !failing.contains(Platform::Beta));
    }
}
