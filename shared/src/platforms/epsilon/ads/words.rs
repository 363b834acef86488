//! Pinterest's words for whether campaigns, ad groups and ads are shown: `summary_status` and `review_status` of
//! <https://github.com/pinterest/api-description>, version 5.23.0.

use crate::domain::DeliveryReason::{Account, AdsInReview, AdsOff, AdsRejected, CampaignStatus, Ended, NotStarted};
use crate::domain::Effect::{Blocks, SwitchesOff, Waits};
use crate::domain::{AdReview, Hold, Level};
use crate::platforms::engine::words::Meaning::{Held, Nothing, Removed};
use crate::platforms::engine::words::{self, Words};

const CAMPAIGN: Words = &[
    ("RUNNING", Nothing),
    ("PAUSED", Held(SwitchesOff, CampaignStatus)),
    ("DRAFT", Held(SwitchesOff, CampaignStatus)),
    ("NOT_STARTED", Held(Waits, NotStarted)),
    ("COMPLETED", Held(SwitchesOff, CampaignStatus)),
    ("ADVERTISER_DISABLED", Held(Blocks, Account)),
    ("ARCHIVED", Held(SwitchesOff, CampaignStatus)),
    ("DELETED_DRAFT", Held(SwitchesOff, CampaignStatus)),
];

const GROUP: Words = &[
    ("RUNNING", Nothing),
    ("PAUSED", Held(SwitchesOff, AdsOff)),
    ("DRAFT", Held(SwitchesOff, AdsOff)),
    ("NOT_STARTED", Held(Waits, NotStarted)),
    ("COMPLETED", Held(Blocks, Ended)),
    ("ADVERTISER_DISABLED", Held(Blocks, Account)),
    ("ARCHIVED", Removed),
    ("DELETED_DRAFT", Removed),
];

const AD: Words = &[
    ("APPROVED", Nothing),
    ("PAUSED", Held(SwitchesOff, AdsOff)),
    ("DRAFT", Held(SwitchesOff, AdsOff)),
    ("PENDING", Held(Waits, AdsInReview)),
    ("REJECTED", Held(Blocks, AdsRejected)),
    ("ADVERTISER_DISABLED", Held(Blocks, Account)),
    ("ARCHIVED", Removed),
    ("DELETED_DRAFT", Removed),
];

const REVIEW: &[(&str, AdReview)] = &[
    ("APPROVED", AdReview::Approved),
    ("REJECTED", AdReview::Rejected),
    ("PENDING", AdReview::InReview),
    ("OTHER", AdReview::Unknown),
];

/// What a campaign's word holds against it.
pub(in crate::platforms::epsilon) fn of_campaign(word: Option<&str>) -> Vec<Hold> {
    words::holds(CAMPAIGN, Level::Campaign, word).unwrap_or_default()
}

/// What the word of an ad group holds against its ads; `None` for a removed group.
pub(super) fn of_group(word: Option<&str>) -> Option<Vec<Hold>> {
    words::holds(GROUP, Level::Ad, word)
}

/// What an ad's own word holds against it; `None` for a removed ad.
pub(super) fn of_ad(word: Option<&str>) -> Option<Vec<Hold>> {
    words::holds(AD, Level::Ad, word)
}

/// What the review of an ad has found.
pub(super) fn review(word: Option<&str>) -> AdReview {
    let row = REVIEW.iter().find(|(known, _)| word == Some(known));
    row.map_or(AdReview::Unknown, |(_, review)| *review)
}
