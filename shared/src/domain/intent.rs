//! Intents: what a create wants in one ad account. One is kept before anything is sent, until it is known what became
//! of it, so that money is never spent twice and nothing is made that nobody knows of.

use super::{Campaign, CampaignDraft, CampaignId, CustomerId, Platform};
use crate::digest::sha256_hex;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use uuid::Uuid;

/// A platform's clock may be behind ours by so much.
const SKEW: SignedDuration = SignedDuration::from_mins(2);
/// How long after the last moment at which a create could be sent it is believed that a platform still carries it out.
const BELATED: SignedDuration = SignedDuration::from_secs(30);

/// Identifies an intent: the request that it came with, and its place among that request's targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntentId {
    /// The first request that wanted it; retries under the same `Idempotency-Key` want the same.
    pub request: Uuid,
    /// Place among the targets, from 0.
    pub target: u8,
}

impl fmt::Display for IntentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{:02}", self.request, self.target)
    }
}

impl IntentId {
    /// Reads the text form.
    pub fn parse(text: &str) -> Option<IntentId> {
        let (request, target) = text.split_once('#')?;
        let id = IntentId { request: request.parse().ok()?, target: target.parse().ok()? };
        (id.to_string() == text).then_some(id)
    }

    /// What the campaign that comes of it is known by at its platform, when nothing is sent before `since`.
    pub fn marker(&self, since: Timestamp) -> Marker {
        let digest = sha256_hex(&self.to_string());
        let number = u64::from_str_radix(digest.get(..16).unwrap_or_default(), 16).unwrap_or_default();
        Marker { number: number & i64::MAX.unsigned_abs() | 1, since }
    }
}

/// What becomes of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntentState {
    /// A create may have been sent, and it is not known what became of it.
    Unknown,
    /// This campaign came of it.
    Created(CampaignId),
    /// The platform refused it, in words that are kept for later answers.
    Refused(Refused),
    /// Nothing came of it; it may be sent again.
    NotCreated,
}

/// A platform's refusal of a create's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// For the caller.
    pub message: String,
    /// The platform's own code.
    pub code: Option<String>,
    /// The platform's own words.
    pub words: Option<String>,
    /// The field that it is about.
    pub field: Option<String>,
}

/// What a create wants in one ad account.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// Identifier.
    pub id: IntentId,
    /// Who wants it.
    pub customer: CustomerId,
    /// Where.
    pub platform: Platform,
    /// In which ad account.
    pub account_id: String,
    /// What.
    pub draft: CampaignDraft,
    /// The digest of its request's `Idempotency-Key`, which has to live as long as the intent is unknown.
    pub key_digest: Option<String>,
    /// What became of it.
    pub state: IntentState,
    /// Counts the attempts; only the latest one may send.
    pub attempt: i64,
    /// When the first attempt began: no campaign that came of it is older.
    pub since: Timestamp,
    /// From then on the latest attempt sends nothing any more.
    pub until: Timestamp,
    /// Until then it is kept, unless it is renewed.
    pub kept_until: Timestamp,
}

/// How long an intent can be asked for, at least as long as the usage log has its request.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// An intent that is still of use is renewed when it is older than this.
const RENEWED_AFTER: SignedDuration = SignedDuration::from_hours(24);

impl Intent {
    /// Until when an intent is kept that begins, or is renewed, at some time.
    pub fn kept_from(now: Timestamp) -> Timestamp {
        now + RETENTION
    }

    /// Whether an intent that is still of use should be renewed now: about once a day.
    pub fn is_to_be_renewed(&self, now: Timestamp) -> bool {
        self.kept_until < Intent::kept_from(now) - RENEWED_AFTER
    }

    /// What its campaign is known by at its platform.
    pub fn marker(&self) -> Marker {
        self.id.marker(self.since)
    }

    /// From when on it is believed that nothing came of it when nothing is found.
    pub fn believed_from(&self) -> Timestamp {
        self.until + BELATED
    }
}

/// What a campaign is known by at its platform before its id is known here.
///
/// A platform with a place for it gets it with the create. Elsewhere a campaign is known by the account, its exact
/// name, its budget, and that it was made since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    number: u64,
    since: Timestamp,
}

impl Marker {
    /// As a positive number of 63 bits, the same for every attempt at the same intent.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// As a short text of word characters and a dash.
    pub fn label(&self) -> String {
        format!("ua-{:016x}", self.number)
    }

    /// The earliest time at which the platform's clock can have made the campaign.
    pub fn earliest(&self) -> Timestamp {
        self.since - SKEW
    }

    /// Whether a campaign may have come of a create of this draft: its name but for spaces around it, its budget, and
    /// not older than the intent, where the platform says how old it is.
    pub fn fits(&self, campaign: &Campaign, draft: &CampaignDraft) -> bool {
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
    fn an_id_comes_back_as_it_was_written() {
        let id = IntentId { request: Uuid::from_u128(7), target: 3 };
        assert_eq!(IntentId::parse(&id.to_string()), Some(id));
        let upper = id.to_string().replace("0007", "000A");
        for text in ["", "#00", "x#00", upper.as_str(), "00000000-0000-0000-0000-000000000007#3"] {
            assert_eq!(IntentId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_marker_is_the_same_for_every_attempt_and_another_for_every_target() {
        let id = |target| IntentId { request: Uuid::from_u128(7), target };
        let (now, later) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + SKEW);
        assert_eq!(id(0).marker(now).number(), id(0).marker(later).number());
        assert_ne!(id(0).marker(now).number(), id(1).marker(now).number());
        let marker = id(0).marker(now);
        assert!(marker.number() > 0 && i64::try_from(marker.number()).is_ok());
        assert_eq!(marker.label().len(), 19);
    }
}
