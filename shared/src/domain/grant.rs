//! Grants: the tokens of an OAuth consent.

use super::{Platform, maintenance};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// Access tokens are refreshed this long before they expire, or after four fifths of their life if that is later.
const REFRESH_MARGIN_S: i64 = 15 * 60;
/// Maintenance refreshes this long before requests do, so that requests find fresh tokens.
const MAINTENANCE_HEAD_START: SignedDuration = SignedDuration::from_secs(2 * maintenance::INTERVAL.as_secs());

/// Identifies a grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// `true` if the platform has ended the grant. Its connections keep it until a new authorization or their removal.
    pub ended: bool,
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
            ended: false,
        }
    }

    /// The time from which requests refresh the access token.
    pub fn refresh_from(&self) -> Timestamp {
        self.access_expires_at - SignedDuration::from_secs(REFRESH_MARGIN_S.min(self.access_ttl_s / 5))
    }

    /// The time at which maintenance handles the grant: to refresh it, or to revoke the connections of one without a
    /// refresh token.
    pub fn due_at(&self) -> Timestamp {
        if self.refresh_token.is_some() { self.refresh_from() - MAINTENANCE_HEAD_START } else { self.access_expires_at }
    }
}
