//! Reddit's words for whether campaigns, ads and ad accounts are shown: `effective_status`, `delivery_status` and
//! `admin_approval` of the Reddit Ads API v3.

use crate::domain::DeliveryReason::{
    Account, AdsInReview, AdsOff, AdsRejected, Asset, Billing, CampaignStatus, Ended, Processing,
};
use crate::domain::Effect::{Blocks, Limits, SwitchesOff, Waits};
use crate::domain::{Hold, Level};
use crate::platforms::engine::words::Meaning::{Held, Nothing, Removed};
use crate::platforms::engine::words::{self, Words};

const CAMPAIGN: Words = &[
    ("ACTIVE", Nothing),
    ("PAUSED", Held(SwitchesOff, CampaignStatus)),
    ("CAMPAIGN_PAUSED", Held(SwitchesOff, CampaignStatus)),
    ("AD_GROUP_PAUSED", Held(Blocks, AdsOff)),
    ("COMPLETED", Held(SwitchesOff, CampaignStatus)),
    ("ARCHIVED", Held(SwitchesOff, CampaignStatus)),
    ("DELETED", Held(SwitchesOff, CampaignStatus)),
    ("PENDING_APPROVAL", Held(Waits, AdsInReview)),
    ("REJECTED", Held(Blocks, AdsRejected)),
    ("PENDING_BILLING_INFO", Held(Blocks, Billing)),
    ("PENDING_ID_VERIFICATION", Held(Blocks, Account)),
    ("PROCESSING", Held(Waits, Processing)),
];

const AD: Words = &[
    ("ACTIVE", Nothing),
    ("PAUSED", Held(SwitchesOff, AdsOff)),
    ("CAMPAIGN_PAUSED", Held(SwitchesOff, AdsOff)),
    ("AD_GROUP_PAUSED", Held(SwitchesOff, AdsOff)),
    ("COMPLETED", Held(Blocks, Ended)),
    ("ARCHIVED", Removed),
    ("DELETED", Removed),
    ("PENDING_APPROVAL", Held(Waits, AdsInReview)),
    ("REJECTED", Held(Blocks, AdsRejected)),
    ("PENDING_BILLING_INFO", Held(Blocks, Billing)),
    ("PENDING_ID_VERIFICATION", Held(Blocks, Account)),
    ("PROCESSING", Held(Waits, Processing)),
    ("MISSING_PERMISSIONS", Held(Blocks, Asset)),
];

/// The one published example of `delivery_status` that `effective_status` does not have.
const REMARK: Words = &[("PENDING_REVIEW", Held(Waits, AdsInReview))];

const APPROVAL: Words = &[
    ("VALID", Nothing),
    ("TRUSTED", Nothing),
    ("ADMIN", Nothing),
    ("BANNED", Held(Blocks, Account)),
    ("SUSPENDED", Held(Blocks, Account)),
    ("NEEDS_ID_VERIFICATION", Held(Blocks, Account)),
    ("PENDING", Held(Waits, Account)),
    ("SUSPICIOUS", Held(Limits, Account)),
];

/// What the `effective_status` of a campaign holds against it.
pub(in crate::platforms::zeta) fn of_campaign(word: Option<&str>) -> Vec<Hold> {
    words::holds(CAMPAIGN, Level::Campaign, word).unwrap_or_default()
}

/// What the `effective_status` of an ad holds against it; `None` for a removed ad.
pub(super) fn of_ad(word: Option<&str>) -> Option<Vec<Hold>> {
    words::holds(AD, Level::Ad, word)
}

/// What a word of an ad's `delivery_status` holds against it. The list is open, and names what keeps no ad from being
/// shown, such as learning: a word that neither table has says nothing.
pub(super) fn of_remark(word: &str) -> Vec<Hold> {
    let known = [AD, REMARK].into_iter().find(|words| words.iter().any(|(known, _)| *known == word));
    known.and_then(|words| words::holds(words, Level::Ad, Some(word))).unwrap_or_default()
}

/// What the `admin_approval` of an ad account holds against it.
pub(super) fn of_account(word: &str) -> Vec<Hold> {
    words::holds(APPROVAL, Level::Account, Some(word)).unwrap_or_default()
}
