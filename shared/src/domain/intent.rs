//! Intents: the record of a campaign create in one ad account.
//!
//! An intent is stored before the create is sent and kept until its outcome is known. So a create is never sent twice,
//! and no campaign exists without a record here.

use super::{CampaignDraft, CampaignId, Currency, CustomerId, Platform, PlatformCampaign};
use crate::digest::sha256_hex;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use uuid::Uuid;

/// Maximum lag of a platform's clock behind ours.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(2);
/// Time after the send deadline in which a platform may still carry out a create.
const RECONCILE_GRACE: SignedDuration = SignedDuration::from_secs(30);
/// Retention of an intent, at least as long as that of its request in the usage log.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// An intent in use is renewed once it is older than this.
const RENEWAL_AGE: SignedDuration = SignedDuration::from_hours(24);

/// Identifies an intent: the first request that asked for it, and its index among that request's targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntentId {
    /// The first request. Retries with the same `Idempotency-Key` share its intents.
    pub request: Uuid,
    /// Index among the targets, from 0.
    pub target: u8,
}

impl fmt::Display for IntentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{:02}", self.request, self.target)
    }
}

impl IntentId {
    /// Parses the text form.
    pub fn parse(text: &str) -> Option<IntentId> {
        let (request, target) = text.split_once('#')?;
        let id = IntentId { request: request.parse().ok()?, target: target.parse().ok()? };
        (id.to_string() == text).then_some(id)
    }

    /// The marker of the intent's campaign. Nothing was sent before `created_at`.
    pub fn marker(&self, created_at: Timestamp) -> Marker {
        let digest = sha256_hex(&self.to_string());
        let number = u64::from_str_radix(digest.get(..16).unwrap_or_default(), 16).unwrap_or_default();
        Marker { number: number & i64::MAX.unsigned_abs() | 1, intent_created_at: created_at }
    }
}

/// Outcome of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntentState {
    /// A create may have been sent, and its outcome is unknown.
    Unknown,
    /// The platform created this campaign.
    Created(CampaignId),
    /// The platform refused the create. The refusal is stored for retries.
    Refused(PlatformRefusal),
    /// The platform created nothing. The create may be sent again.
    NotCreated,
}

/// A platform's refusal of a create.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformRefusal {
    /// Message for the caller.
    pub message: String,
    /// Code from the platform.
    pub code: Option<String>,
    /// Message from the platform.
    pub platform_message: Option<String>,
    pub field: Option<String>,
}

/// A campaign create in one ad account.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    pub id: IntentId,
    pub customer: CustomerId,
    pub platform: Platform,
    pub account_id: String,
    /// Currency of the ad account, for a campaign that cannot be read.
    pub currency: Currency,
    pub draft: CampaignDraft,
    /// Digest of the request's `Idempotency-Key`. The key's record must outlive an unknown outcome.
    pub key_digest: Option<String>,
    pub state: IntentState,
    /// Number of the latest attempt, the only one that may send.
    pub attempt: i64,
    /// Start of the first attempt. No campaign of this intent is older.
    pub created_at: Timestamp,
    /// End of the latest attempt. It sends nothing from then on.
    pub send_deadline: Timestamp,
    /// Expiry of the record, unless it is renewed.
    pub expires_at: Timestamp,
}

impl Intent {
    /// Expiry of an intent that is stored or renewed now.
    pub fn expiry_from(now: Timestamp) -> Timestamp {
        now + RETENTION
    }

    /// Returns `true` if an intent in use needs a renewal: about once a day.
    pub fn needs_renewal(&self, now: Timestamp) -> bool {
        self.expires_at < Intent::expiry_from(now) - RENEWAL_AGE
    }

    /// The marker of the campaign.
    pub fn marker(&self) -> Marker {
        self.id.marker(self.created_at)
    }

    /// The time from which a search without a result proves that the platform created nothing.
    pub fn conclusive_from(&self) -> Timestamp {
        self.send_deadline + RECONCILE_GRACE
    }
}

/// Recognizes the campaign of an intent at its platform before its id is known.
///
/// Platforms with a field for it receive the marker in the create. On the others a campaign matches by ad account,
/// name, budget, and age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    number: u64,
    intent_created_at: Timestamp,
}

impl Marker {
    /// The marker as a positive number of 63 bits, equal for all attempts of an intent.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The marker as a text of 19 letters, digits and a dash.
    pub fn label(&self) -> String {
        format!("ua-{:016x}", self.number)
    }

    /// The earliest creation time that the platform can report.
    pub fn earliest(&self) -> Timestamp {
        self.intent_created_at - MAX_CLOCK_SKEW
    }

    /// Returns `true` if a campaign may be the result of this draft: same name without surrounding spaces, same budget,
    /// and not older than the intent if the platform reports its age.
    pub fn fits(&self, campaign: &PlatformCampaign, draft: &CampaignDraft) -> bool {
        campaign.name.trim() == draft.name.trim()
            && campaign.budget_amount == Some(draft.budget_amount)
            && campaign.budget_period.is_some_and(|period| period.means(draft.budget_period))
            && campaign.created_at.is_none_or(|made| made >= self.earliest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_a_round_trip() {
        let id = IntentId { request: Uuid::from_u128(7), target: 3 };
        assert_eq!(IntentId::parse(&id.to_string()), Some(id));
        let upper = id.to_string().replace("0007", "000A");
        for text in ["", "#00", "x#00", upper.as_str(), "00000000-0000-0000-0000-000000000007#3"] {
            assert_eq!(IntentId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_marker_is_equal_for_all_attempts_and_differs_by_target() {
        let id = |target| IntentId { request: Uuid::from_u128(7), target };
        let now = Timestamp::UNIX_EPOCH;
        let later = Timestamp::UNIX_EPOCH + MAX_CLOCK_SKEW;
        assert_eq!(id(0).marker(now).number(), id(0).marker(later).number());
        assert_ne!(id(0).marker(now).number(), id(1).marker(now).number());
        let marker = id(0).marker(now);
        assert!(marker.number() > 0 && i64::try_from(marker.number()).is_ok());
        assert_eq!(marker.label().len(), 19);
    }
}
