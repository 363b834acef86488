//! Grants: the tokens of an OAuth consent.

use super::{Platform, maintenance_schedule};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Access tokens are refreshed this long before they expire, or after four fifths of their life if that is later.
const REFRESH_MARGIN_S: i64 = 15 * 60;
/// Maintenance refreshes this long before requests do, so that requests find fresh tokens.
const MAINTENANCE_HEAD_START: SignedDuration = SignedDuration::from_secs(2 * maintenance_schedule::INTERVAL.as_secs());

/// Maintenance refreshes a repeatable grant that was not refreshed for this long. It is half of the six months after
/// which Google ends an unused refresh token; the other platforms publish no such limit.
const MAX_IDLE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Due times that are months away are whole days: a refresh at use then changes the index at most once a day.
const DAY_S: i64 = 24 * 60 * 60;

/// When the tokens of a grant with a refresh token are refreshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshTiming {
    /// Maintenance refreshes ahead of every expiry, and before other grants: each refresh replaces the refresh token,
    /// so requests leave it to maintenance.
    Rotating,
    /// Maintenance refreshes ahead of every expiry: the refresh token ends with the access token.
    BeforeExpiry,
    /// Requests refresh at use. Maintenance refreshes only a grant that nothing uses for [`MAX_IDLE`].
    AtUse,
}

/// The queue of maintenance that a grant waits in. Rotating grants have their own, so that they never wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantQueue {
    /// Grants whose refresh token rotates.
    Rotating,
    Other,
}

/// When maintenance handles a grant next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantDue {
    pub queue: GrantQueue,
    /// The time, in whole seconds.
    pub at: Timestamp,
}

/// Identifies a grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrantId(pub String);

impl GrantId {
    /// A new random id.
    pub fn generate() -> GrantId {
        GrantId(format!("grant_{}", Uuid::new_v4().simple()))
    }
}

/// The sealed tokens of one consent of one user at one platform.
///
/// All connections of the consent share the record, because a rotating refresh token may exist only once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Identifier. The seals are bound to it.
    pub id: GrantId,
    /// The platform that issued the tokens.
    pub platform: Platform,
    /// Sealed access token.
    pub access_token: String,
    /// Expiry of the access token.
    pub access_expires_at: Timestamp,
    /// Lifetime of the access token when issued, in seconds. The refresh margin derives from it.
    pub access_ttl_s: i64,
    /// Sealed refresh token, on platforms that issue one.
    pub refresh_token: Option<String>,
    /// Counts the stored token pairs. A lease attempt names the version that it read.
    pub version: i64,
    /// Earliest retry of a failed refresh while the access token is still valid.
    pub retry_at: Option<Timestamp>,
    /// The number of connections that use the grant.
    pub connections: u32,
    /// `true` if the platform has ended the grant. Its connections keep it until a new authorization or their removal.
    pub ended: bool,
    /// When maintenance handles the grant next; `None` if it is never due.
    pub due: Option<GrantDue>,
}

impl Grant {
    /// A grant whose tokens are still to be sealed.
    pub fn without_tokens(id: GrantId, platform: Platform, now: Timestamp) -> Grant {
        Grant {
            id,
            platform,
            access_token: String::new(),
            access_expires_at: now,
            access_ttl_s: 0,
            refresh_token: None,
            version: 0,
            retry_at: None,
            connections: 0,
            ended: false,
            due: None,
        }
    }

    /// The time from which requests refresh the access token.
    pub fn refresh_from(&self) -> Timestamp {
        self.access_expires_at - SignedDuration::from_secs(REFRESH_MARGIN_S.min(self.access_ttl_s / 5))
    }

    /// When maintenance has to handle the grant: to refresh it, to repeat a refresh that failed, or to revoke the
    /// connections of a grant that cannot be refreshed.
    pub fn schedule(&self, timing: RefreshTiming) -> GrantDue {
        let queue = if timing == RefreshTiming::Rotating { GrantQueue::Rotating } else { GrantQueue::Other };
        let at = match (&self.refresh_token, self.retry_at, timing) {
            (None, _, _) => self.access_expires_at,
            (Some(_), Some(retry_at), _) => retry_at,
            (Some(_), None, RefreshTiming::AtUse) => self.idle_from(),
            (Some(_), None, _) => self.refresh_from() - MAINTENANCE_HEAD_START,
        };
        GrantDue { queue, at }
    }

    /// The start of the day on which the grant has been idle for [`MAX_IDLE`].
    fn idle_from(&self) -> Timestamp {
        let at = self.access_expires_at - SignedDuration::from_secs(self.access_ttl_s) + MAX_IDLE;
        at - SignedDuration::from_secs(at.as_second().rem_euclid(DAY_S))
    }

    /// Whether maintenance has to handle the grant now.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.due.is_some_and(|due| due.at <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::constant(1_790_000_000, 0);
    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    fn grant(refresh_token: Option<&str>) -> Grant {
        let refresh_token = refresh_token.map(str::to_owned);
        let empty = Grant::without_tokens(GrantId("grant".to_owned()), Platform::Alpha, NOW);
        Grant { access_expires_at: NOW + HOUR, access_ttl_s: 3_600, refresh_token, ..empty }
    }

    #[test]
    fn rotating_grants_are_due_ahead_of_their_expiry_in_their_own_queue() {
        let ahead = NOW + SignedDuration::from_mins(60 - 12 - 2);
        let rotating = grant(Some("token")).schedule(RefreshTiming::Rotating);
        assert_eq!(rotating, GrantDue { queue: GrantQueue::Rotating, at: ahead });
        let ending = grant(Some("token")).schedule(RefreshTiming::BeforeExpiry);
        assert_eq!(ending, GrantDue { queue: GrantQueue::Other, at: ahead });
    }

    #[test]
    fn a_repeatable_grant_is_due_when_idle_for_months_or_after_a_failure() {
        let due = |grant: &Grant| grant.schedule(RefreshTiming::AtUse).at;
        let idle = grant(Some("token"));
        let wait = due(&idle).duration_since(NOW);
        assert!(wait <= MAX_IDLE && wait > MAX_IDLE - SignedDuration::from_hours(24), "{wait}");
        assert_eq!(due(&idle).as_second() % DAY_S, 0);
        let hour_later = Grant { access_expires_at: idle.access_expires_at + HOUR, ..idle.clone() };
        assert_eq!(due(&hour_later), due(&idle), "a refresh on the same day leaves the index as it is");
        let failed = Grant { retry_at: Some(NOW + HOUR), ..idle };
        assert_eq!(due(&failed), NOW + HOUR);
    }

    #[test]
    fn a_grant_without_a_refresh_token_is_due_at_its_expiry() {
        assert_eq!(grant(None).schedule(RefreshTiming::AtUse).at, NOW + HOUR);
    }
}
