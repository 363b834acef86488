//! TikTok's words for the states of campaigns and ads, and what they mean: one row for each word.
//!
//! <https://business-api.tiktok.com/portal/docs?id=1757239620352002> and the enums of the platform's SDK
//! (`yml_files/smart_plus_campaign_get.yml`, `yml_files/smart_plus_ad_get.yml`). GOOD, BAD, OK, EXPLORING and UNEXPLORED
//! are named there without a word of what they mean, so they have no row.

use crate::domain::DeliveryReason::{
    Account, AdsInReview, AdsLimited, AdsOff, AdsRejected, Asset, Billing, BudgetSpent, CampaignStatus, Ended,
    NoEligibleAds, NotStarted, Other, Processing,
};
use crate::domain::{AdReview, DeliveryReason, Effect, Hold, Level, Signals};
use crate::platforms::engine::words::meaning;

/// What a word means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// Nothing is held against it.
    Fine,
    /// The ad is removed.
    Removed,
    Held(Effect, DeliveryReason, Level),
    /// The campaign's budget is spent: a daily one until the next day.
    CampaignBudgetSpent,
}

use Meaning::{CampaignBudgetSpent, Fine, Removed};

const fn blocks(reason: DeliveryReason, level: Level) -> Meaning {
    Meaning::Held(Effect::Blocks, reason, level)
}

const fn waits(reason: DeliveryReason, level: Level) -> Meaning {
    Meaning::Held(Effect::Waits, reason, level)
}

const fn limits(reason: DeliveryReason, level: Level) -> Meaning {
    Meaning::Held(Effect::Limits, reason, level)
}

const fn off(reason: DeliveryReason, level: Level) -> Meaning {
    Meaning::Held(Effect::SwitchesOff, reason, level)
}

/// `secondary_status` of a campaign.
pub(super) const OF_CAMPAIGN: [(&str, Meaning); 21] = [
    ("CAMPAIGN_STATUS_ENABLE", Fine),
    ("CAMPAIGN_STATUS_DISABLE", off(CampaignStatus, Level::Campaign)),
    ("CAMPAIGN_STATUS_DELETE", off(CampaignStatus, Level::Campaign)),
    ("CAMPAIGN_STATUS_ADVERTISER_AUDIT", waits(Account, Level::Account)),
    ("CAMPAIGN_STATUS_ADVERTISER_AUDIT_DENY", blocks(Account, Level::Account)),
    ("ADVERTISER_ACCOUNT_PUNISH", blocks(Account, Level::Account)),
    ("ADVERTISER_CONTRACT_PENDING", blocks(Account, Level::Account)),
    ("CAMPAIGN_STATUS_BUDGET_EXCEED", CampaignBudgetSpent),
    ("CAMPAIGN_STATUS_TTS_ACCOUNT_BALANCE_INSUFFICIENT", blocks(Billing, Level::Account)),
    ("CAMPAIGN_STATUS_REVIEW_DISAPPROVED", blocks(AdsRejected, Level::Ad)),
    ("CAMPAIGN_STATUS_AD_UNAVAILABLE", blocks(NoEligibleAds, Level::Campaign)),
    ("CAMPAIGN_STATUS_TTS_TT_ASSET_UNAVAILABLE", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_TTS_TT_IDENTITY_UNAVAILABLE", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_TIKTOK_SHOP_UNAVAILABLE", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_PRODUCT_UNAVAILABLE", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_IDENTITY_USED_BY_GMV_MAX_AD", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_IDENTITY_USED_BY_LIVE_GMV_MAX", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_PRODUCT_USED_BY_PRODUCT_GMV_MAX", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_LIVE_GMV_MAX_AUTHORIZATION_CANCEL", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_PRODUCT_GMV_MAX_AUTHORIZATION_CANCEL", blocks(Asset, Level::Campaign)),
    ("CAMPAIGN_STATUS_AWAITING_RELEASE", blocks(Other, Level::Campaign)),
];

/// `secondary_status` of an ad.
pub(super) const OF_AD: [(&str, Meaning); 52] = [
    ("AD_STATUS_DELIVERY_OK", Fine),
    ("AD_STATUS_PARTIAL_AUDIT_DELIVERY_OK", limits(AdsLimited, Level::Ad)),
    ("AD_STATUS_REVIEW_PARTIALLY_APPROVED", limits(AdsLimited, Level::Ad)),
    ("AD_STATUS_DELIVERY_AND_REAUDIT", limits(AdsLimited, Level::Ad)),
    ("AD_STATUS_DELIVERY_AND_TRANSCODING_FAIL", limits(AdsLimited, Level::Ad)),
    ("AD_STATUS_DISABLE", off(AdsOff, Level::Ad)),
    ("AD_STATUS_ADGROUP_DISABLE", off(AdsOff, Level::Ad)),
    ("AD_STATUS_CAMPAIGN_DISABLE", off(AdsOff, Level::Ad)),
    ("AD_STATUS_COLLECTION_TOGGLED_OFF", off(AdsOff, Level::Ad)),
    ("AD_STATUS_DELETE", Removed),
    ("AD_STATUS_ADGROUP_DELETE", Removed),
    ("AD_STATUS_CAMPAIGN_DELETE", Removed),
    ("AD_STATUS_AUDIT", waits(AdsInReview, Level::Ad)),
    ("AD_STATUS_REAUDIT", waits(AdsInReview, Level::Ad)),
    ("AD_STATUS_PARTIAL_AUDIT_NO_DELIVERY", waits(AdsInReview, Level::Ad)),
    ("AD_STATUS_ADGROUP_PARTIAL_AUDIT_NO_DELIVERY", waits(AdsInReview, Level::Ad)),
    ("AD_STATUS_PRIVACY_POLICY_AUDIT", waits(AdsInReview, Level::Ad)),
    ("AD_STATUS_AUDIT_DENY", blocks(AdsRejected, Level::Ad)),
    ("AD_STATUS_ADGROUP_AUDIT_DENY", blocks(AdsRejected, Level::Ad)),
    ("AD_STATUS_PRIVACY_POLICY_REJECTED", blocks(AdsRejected, Level::Ad)),
    ("AD_STATUS_PROMOTE_AD_OFFLINE_AUDIT", blocks(AdsRejected, Level::Ad)),
    ("AD_STATUS_ADGROUP_INDUSTRY_QUALIFICATION_DENY", blocks(AdsRejected, Level::Ad)),
    ("AD_STATUS_ADVERTISER_AUDIT", waits(Account, Level::Account)),
    ("AD_STATUS_ADVERTISER_AUDIT_DENY", blocks(Account, Level::Account)),
    ("ADVERTISER_ACCOUNT_PUNISH", blocks(Account, Level::Account)),
    ("ADVERTISER_CONTRACT_PENDING", blocks(Account, Level::Account)),
    ("AD_STATUS_ADGROUP_INDUSTRY_QUALIFICATION_MISSING", blocks(Account, Level::Account)),
    ("AD_STATUS_ADGROUP_INDUSTRY_QUALIFICATION_EXPIRED", blocks(Account, Level::Account)),
    ("AD_STATUS_BALANCE_EXCEED", blocks(Billing, Level::Account)),
    // The budget of its group, whose period is not read.
    ("AD_STATUS_BUDGET_EXCEED", blocks(BudgetSpent, Level::Ad)),
    ("AD_STATUS_CAMPAIGN_EXCEED", CampaignBudgetSpent),
    // Outside of its schedule.
    ("AD_STATUS_NOT_START", waits(NotStarted, Level::Ad)),
    ("AD_STATUS_PROCESS_AUDIO", waits(Processing, Level::Ad)),
    ("AD_STATUS_DONE", blocks(Ended, Level::Ad)),
    ("AD_STATUS_RF_ADGROUP_CLOSED", blocks(Ended, Level::Ad)),
    ("AD_STATUS_PROMOTE_ADGROUP_CLOSED", blocks(Ended, Level::Ad)),
    ("AD_STATUS_ADGROUP_CLOSED", blocks(Ended, Level::Ad)),
    ("AD_STATUS_CLOSED_OTHERS", blocks(Ended, Level::Ad)),
    ("AD_STATUS_TRANSCODING_FAIL", blocks(Asset, Level::Ad)),
    ("AD_STATUS_MUSIC_AUTHORIZATION_MISSING", blocks(Asset, Level::Ad)),
    ("AD_STATUS_ASSET_AUTHORIZATION_LOST", blocks(Asset, Level::Ad)),
    ("AD_STATUS_ADGROUP_ASSET_AUTHORIZATION_LOST", blocks(Asset, Level::Ad)),
    ("AD_STATUS_SHOWCASE_AUTHORIZATION_LOST", blocks(Asset, Level::Ad)),
    ("AD_STATUS_NO_AUTHORIZATION_OF_SHOWCASE", blocks(Asset, Level::Ad)),
    ("AD_STATUS_PIXEL_UNBIND", blocks(Asset, Level::Ad)),
    // The page spells it like this.
    ("AD_STAUS_PIXEL_UNBIND", blocks(Asset, Level::Ad)),
    ("AD_STATUS_PRODUCT_UNAVAILABLE", blocks(Asset, Level::Ad)),
    ("AD_STATUS_ANCHOR_UNAVAILABLE", blocks(Asset, Level::Ad)),
    ("AD_STATUS_LIVE_OFFLINE", blocks(Other, Level::Ad)),
    ("AD_STATUS_AD_QUOTA_LIMIT", blocks(Other, Level::Ad)),
    ("AD_STATUS_AD_PRE_ONLINE", blocks(Other, Level::Ad)),
    ("ADGROUP_STATUS_FROZEN", blocks(Other, Level::Ad)),
];

/// What a campaign's word holds against it. Without a word TikTok says nothing: its sandbox never does.
pub(in crate::platforms::gamma) fn of_campaign(word: Option<&str>, has_daily_budget: bool) -> Signals {
    let Some(word) = word else { return Signals::default() };
    let hold = match meaning(&OF_CAMPAIGN, word) {
        Some(meaning) => hold(meaning, word, has_daily_budget),
        None => Some(Hold::unknown(Level::Campaign, word)),
    };
    Signals::of(Vec::from_iter(hold))
}

/// What an ad's word says of its review, and holds against it; `None` for a removed ad.
pub(super) fn of_ad(word: Option<&str>, has_daily_budget: bool) -> Option<(AdReview, Option<Hold>)> {
    let word = word.unwrap_or_default();
    match meaning(&OF_AD, word) {
        Some(Removed) => None,
        Some(meaning) => Some((review(word, meaning), hold(meaning, word, has_daily_budget))),
        None => Some((AdReview::Unknown, Some(Hold::unknown(Level::Ad, word)))),
    }
}

fn hold(meaning: Meaning, word: &str, has_daily_budget: bool) -> Option<Hold> {
    match meaning {
        Fine | Removed => None,
        Meaning::Held(effect, reason, level) => Some(Hold::new(effect, reason, level, word)),
        CampaignBudgetSpent => {
            let effect = if has_daily_budget { Effect::Waits } else { Effect::Blocks };
            Some(Hold::new(effect, BudgetSpent, Level::Campaign, word))
        }
    }
}

/// The outcome of the review, as far as the only word says it: any other fault hides it.
fn review(word: &str, meaning: Meaning) -> AdReview {
    match (word, meaning) {
        ("AD_STATUS_DELIVERY_OK", _) => AdReview::Approved,
        ("AD_STATUS_DELIVERY_AND_REAUDIT", _) => AdReview::InReview,
        ("AD_STATUS_DELIVERY_AND_TRANSCODING_FAIL", _) => AdReview::Unknown,
        (_, Meaning::Held(_, AdsLimited, _)) => AdReview::Limited,
        (_, Meaning::Held(_, AdsInReview, _)) => AdReview::InReview,
        (_, Meaning::Held(_, AdsRejected, _)) => AdReview::Rejected,
        _ => AdReview::Unknown,
    }
}
