//! Changes that wait for a time.

use super::Change;
use jiff::{SignedDuration, Timestamp};

/// Least time from a request to the change that it schedules.
const MIN_AHEAD: SignedDuration = SignedDuration::from_mins(1);
/// Longest time from a request to the change that it schedules.
const MAX_AHEAD: SignedDuration = SignedDuration::from_hours(365 * 24);
/// A due change that cannot be applied, such as on a connection that is down, fails after this time.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Shortest wait between two attempts.
const MIN_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// Longest wait between two attempts.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// Most changes of a customer that wait for their time.
pub const MAX_SCHEDULED: usize = 1_000;

/// Whether a change may be scheduled for this time: at least a minute and at most a year ahead.
pub fn is_schedulable(apply_at: Timestamp, now: Timestamp) -> bool {
    (now + MIN_AHEAD..=now + MAX_AHEAD).contains(&apply_at)
}

impl Change {
    /// Whether the change is scheduled work, tried again until it holds or is refused. The end of a campaign that the
    /// service holds, and the pause of a stop, are tried without an end.
    pub fn is_retried(&self, now: Timestamp) -> bool {
        let stops = self.is_held && self.pauses() || self.stops.is_some();
        stops || self.apply_at.is_some_and(|apply_at| now < apply_at + GIVE_UP_AFTER)
    }
}

impl<A> Change<A> {
    /// How late a due change is.
    pub fn lateness(&self, now: Timestamp) -> SignedDuration {
        self.apply_at.map_or(SignedDuration::ZERO, |apply_at| now.duration_since(apply_at).max(SignedDuration::ZERO))
    }

    /// The time of the next attempt: the wait equals the lateness, so it doubles, from a minute up to an hour. A platform
    /// may ask for a longer wait, up to an hour.
    pub fn next_attempt(&self, now: Timestamp, requested: SignedDuration) -> Timestamp {
        now + self.lateness(now).max(requested).clamp(MIN_PAUSE, MAX_PAUSE)
    }
}
