//! LinkedIn's words for what holds back campaigns and creatives, and what they mean: one row for each word.
//!
//! `servingStatuses` of a campaign:
//! <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>;
//! `servingHoldReasons`, `intendedStatus` and `review` of a creative:
//! <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-creatives>

use crate::domain::DeliveryReason::{
    Account, AdsInReview, AdsOff, AdsRejected, Asset, Billing, BudgetSpent, Ended, NotStarted, Other, ParentOff,
    Processing, Targeting,
};
use crate::domain::{AdReview, CampaignStatus, DeliveryReason, Effect, Hold, Level, Signals};
use crate::platforms::engine::words::meaning;

type Row = (&'static str, Effect, DeliveryReason, Level);

/// A campaign that may be shown has this word alone.
const RUNNABLE: &str = "RUNNABLE";
/// Not active; a creative says it of itself.
const STOPPED: &str = "STOPPED";

/// What holds back a campaign. Its creatives repeat it.
pub(super) const OF_CAMPAIGN: [Row; 12] = [
    ("CAMPAIGN_START_DATE_HOLD", Effect::Waits, NotStarted, Level::Campaign),
    ("CAMPAIGN_GROUP_START_DATE_HOLD", Effect::Waits, NotStarted, Level::Parent),
    ("CAMPAIGN_END_DATE_HOLD", Effect::Blocks, Ended, Level::Campaign),
    ("CAMPAIGN_GROUP_END_DATE_HOLD", Effect::Blocks, Ended, Level::Parent),
    ("ACCOUNT_END_DATE_HOLD", Effect::Blocks, Ended, Level::Account),
    ("CAMPAIGN_TOTAL_BUDGET_HOLD", Effect::Blocks, BudgetSpent, Level::Campaign),
    ("CAMPAIGN_GROUP_TOTAL_BUDGET_HOLD", Effect::Blocks, BudgetSpent, Level::Parent),
    ("ACCOUNT_TOTAL_BUDGET_HOLD", Effect::Blocks, BudgetSpent, Level::Account),
    ("CAMPAIGN_AUDIENCE_COUNT_HOLD", Effect::Blocks, Targeting, Level::Campaign),
    ("CAMPAIGN_GROUP_STATUS_HOLD", Effect::Blocks, ParentOff, Level::Parent),
    ("ACCOUNT_SERVING_HOLD", Effect::Blocks, Account, Level::Account),
    // Seen live on accounts and campaign groups (2023-10). The page does not list it for campaigns.
    ("BILLING_HOLD", Effect::Blocks, Billing, Level::Account),
];

/// What holds back a creative alone.
pub(super) const OF_CREATIVE: [Row; 10] = [
    (STOPPED, Effect::SwitchesOff, AdsOff, Level::Ad),
    ("CAMPAIGN_STOPPED", Effect::SwitchesOff, DeliveryReason::CampaignStatus, Level::Campaign),
    ("UNDER_REVIEW", Effect::Waits, AdsInReview, Level::Ad),
    ("PROCESSING", Effect::Waits, Processing, Level::Ad),
    ("REJECTED", Effect::Blocks, AdsRejected, Level::Ad),
    ("PROCESSING_FAILED", Effect::Blocks, Asset, Level::Ad),
    ("FORM_HOLD", Effect::Blocks, Asset, Level::Ad),
    ("REFERRED_CONTENT_QUALITY_HOLD", Effect::Blocks, Asset, Level::Ad),
    ("JOB_POSTING_ON_HOLD", Effect::Blocks, Asset, Level::Ad),
    ("JOB_POSTING_INVALID", Effect::Blocks, Asset, Level::Ad),
];

/// What the advertiser chose for a creative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    On,
    Off,
    Removed,
}

pub(super) const INTENTS: [(&str, Intent); 7] = [
    ("ACTIVE", Intent::On),
    ("PAUSED", Intent::Off),
    ("DRAFT", Intent::Off),
    ("ARCHIVED", Intent::Removed),
    ("CANCELED", Intent::Removed),
    ("PENDING_DELETION", Intent::Removed),
    ("REMOVED", Intent::Removed),
];

/// `review.status` of a creative.
pub(super) const REVIEWS: [(&str, AdReview); 4] = [
    ("APPROVED", AdReview::Approved),
    ("REJECTED", AdReview::Rejected),
    ("PENDING", AdReview::InReview),
    ("NEEDS_REVIEW", AdReview::InReview),
];

/// What LinkedIn holds against a campaign. Without RUNNABLE it is not shown, whatever a word of the open list means.
pub(in crate::platforms::delta) fn of_campaign(status: CampaignStatus, words: &[String]) -> Signals {
    let is_runnable = words.iter().any(|word| word == RUNNABLE);
    let hold = |word: &String| match word.as_str() {
        RUNNABLE => None,
        STOPPED if status != CampaignStatus::Active => {
            Some(Hold::new(Effect::SwitchesOff, DeliveryReason::CampaignStatus, Level::Campaign, word))
        }
        _ => Some(known(&OF_CAMPAIGN, word).unwrap_or_else(|| other(word, !is_runnable))),
    };
    Signals::of(words.iter().filter_map(hold).collect())
}

/// What a word holds against a creative that is shown, is not, or may be either.
pub(super) fn of_creative(word: &str, is_serving: Option<bool>) -> Hold {
    let known = known(&OF_CREATIVE, word).or_else(|| known(&OF_CAMPAIGN, word));
    known.unwrap_or_else(|| other(word, is_serving == Some(false)))
}

/// What the advertiser holds against a creative; `None` for a removed one.
pub(super) fn of_intent(word: Option<&str>) -> Option<Option<Hold>> {
    let Some(word) = word else { return Some(None) };
    match meaning(&INTENTS, word) {
        Some(Intent::On) => Some(None),
        Some(Intent::Off) => Some(Some(Hold::new(Effect::SwitchesOff, AdsOff, Level::Ad, word))),
        Some(Intent::Removed) => None,
        None => Some(Some(Hold::unknown(Level::Ad, word))),
    }
}

/// The outcome of a review.
pub(super) fn of_review(word: Option<&str>) -> AdReview {
    word.and_then(|word| meaning(&REVIEWS, word)).unwrap_or(AdReview::Unknown)
}

/// What holds back a creative that is not shown, and of which LinkedIn says no reason: its review, or else nothing known.
pub(super) fn of_silence(review: Option<&str>) -> Hold {
    let word = review.unwrap_or_default();
    match of_review(review) {
        AdReview::Rejected => Hold::new(Effect::Blocks, AdsRejected, Level::Ad, word),
        AdReview::InReview => Hold::new(Effect::Waits, AdsInReview, Level::Ad, word),
        AdReview::Approved | AdReview::Limited | AdReview::Unknown => Hold::unknown(Level::Ad, ""),
    }
}

fn known(table: &[Row], word: &str) -> Option<Hold> {
    let row = table.iter().find(|(known, ..)| *known == word);
    row.map(|(_, effect, reason, level)| Hold::new(*effect, *reason, *level, word))
}

/// A word without a row. Where nothing is shown, it holds back.
fn other(word: &str, holds_back: bool) -> Hold {
    let level = match word {
        _ if word.starts_with("CAMPAIGN_GROUP_") => Level::Parent,
        _ if word.starts_with("ACCOUNT_") => Level::Account,
        _ => Level::Campaign,
    };
    if holds_back { Hold::new(Effect::Blocks, Other, level, word) } else { Hold::unknown(level, word) }
}
