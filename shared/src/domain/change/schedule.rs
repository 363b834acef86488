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
/// The wait between two attempts to pause a campaign: the next run of maintenance makes the next one.
const BETWEEN_PAUSES: SignedDuration = SignedDuration::from_secs(30);

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

impl Change {
    /// How late a due change is.
    pub fn lateness(&self, now: Timestamp) -> SignedDuration {
        self.apply_at.map_or(SignedDuration::ZERO, |apply_at| now.duration_since(apply_at).max(SignedDuration::ZERO))
    }

    /// The time of the next attempt: the wait equals the lateness, so it doubles, from a minute up to an hour. A pause is
    /// safe to repeat, and until it is made the campaign spends: its wait does not double. A platform may ask for a longer
    /// wait, up to an hour.
    pub fn next_attempt(&self, now: Timestamp, requested: SignedDuration) -> Timestamp {
        let own = if self.pauses() { BETWEEN_PAUSES } else { self.lateness(now).max(MIN_PAUSE) };
        now + own.max(requested).min(MAX_PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::maintenance_schedule::INTERVAL;
    use crate::domain::stop::{StopPhase, StopTarget};
    use crate::domain::{
        Action, CampaignChanges, CampaignId, CampaignStatus, ConnectionId, Currency, CustomerId, KeyId, Platform,
        Requester, Stop,
    };
    use uuid::Uuid;

    #[test]
    fn the_wait_doubles_and_that_of_a_pause_does_not() {
        let (at, seconds) = (Timestamp::from_second(1_000).unwrap(), SignedDuration::from_secs);
        let by = Requester::ApiKey { id: KeyId("key_1".to_owned()), name: String::new() };
        let target = StopTarget {
            campaign: CampaignId::new(Platform::Delta, "7", "1"),
            account_id: "7".to_owned(),
            connection: ConnectionId("conn_1".to_owned()),
            currency: Currency::from_code("USD").unwrap(),
            external_ref: None,
        };
        let stop = Stop::new(CustomerId(Uuid::nil()), KeyId("key_2".to_owned()), by, Uuid::nil(), at);
        let stop = stop.pause(StopPhase::PauseAll, &target);
        let pause = Change { stops: None, ..stop.clone() };
        let status = Some(CampaignStatus::Active);
        let action = Action::Update(CampaignChanges { status, ..CampaignChanges::default() });
        let other = Change { action, ..pause.clone() };
        let wait = |change: &Change, late: i64, requested: i64| {
            let now = at + seconds(late);
            change.next_attempt(now, seconds(requested)).duration_since(now).as_secs()
        };
        assert_eq!([5, 90, 300, 9_000].map(|late| wait(&other, late, 0)), [60, 90, 300, 3_600]);
        assert!(BETWEEN_PAUSES < INTERVAL, "the next run finds it due");
        for pause in [&stop, &pause, &Change { is_held: true, ..pause.clone() }] {
            assert_eq!([5, 90, 300, 9_000].map(|late| wait(pause, late, 0)), [30; 4]);
            assert_eq!([120, 9_000].map(|requested| wait(pause, 90, requested)), [120, 3_600], "a throttle counts");
        }
    }
}
