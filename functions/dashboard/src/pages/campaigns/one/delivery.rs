//! Whether a campaign is shown, and its ads, as its platform says it now.

use crate::kit::delivery::{
    ReasonRow, ad_word, platform_word, review_word, state_meaning, state_word, tone, unread_words,
};
use crate::kit::text::readable;
use shared::domain::{AdState, DeliveryReason, DeliveryState, PlatformAd};
use shared::envelope::CampaignDelivery;

/// Ads that the page shows, rejected ones first.
const MAX_ADS: usize = 20;

/// The part of the page.
pub(super) struct DeliveryPart {
    pub(super) delivery: DeliveryState,
    pub(super) state: &'static str,
    pub(super) tone: &'static str,
    pub(super) meaning: String,
    /// Whether it is said to wait for its start.
    pub(super) is_before_start: bool,
    pub(super) reasons: Vec<ReasonRow>,
    /// `12 ads, 9 of them can run.`
    pub(super) counts: Option<String>,
    /// Why the ads were not read.
    pub(super) unread: Option<&'static str>,
    pub(super) ads: Vec<AdRow>,
    pub(super) more_ads: usize,
    pub(super) read_at: String,
}

/// An ad.
pub(super) struct AdRow {
    pub(super) name: String,
    pub(super) group: String,
    pub(super) state: &'static str,
    pub(super) review: &'static str,
    /// What the platform says of it.
    pub(super) said: Vec<String>,
}

impl DeliveryPart {
    /// The part of a campaign; `None` for one that is switched off, whose status says it.
    pub(super) fn of(read: CampaignDelivery) -> Option<DeliveryPart> {
        let CampaignDelivery { campaign: _, delivery, mut ads, read_at } = read;
        if delivery.state == DeliveryState::Off {
            return None;
        }
        ads.sort_by_key(|ad| (!ad.is_rejected(), ad.state() == AdState::CanRun));
        Some(DeliveryPart {
            delivery: delivery.state,
            state: state_word(delivery.state),
            tone: tone(delivery.state),
            meaning: state_meaning(delivery.state).to_owned(),
            is_before_start: delivery.reasons.iter().any(|group| group.reason == DeliveryReason::NotStarted),
            reasons: delivery.reasons.iter().map(ReasonRow::from).collect(),
            counts: delivery.ads.map(|counts| count_words(counts.total, counts.can_run)),
            unread: delivery.ads_unread.map(unread_words),
            more_ads: ads.len().saturating_sub(MAX_ADS),
            ads: ads.iter().take(MAX_ADS).map(AdRow::from).collect(),
            read_at: readable(read_at),
        })
    }

    /// The same of a campaign that has spent this today, which contradicts a platform that says it has not started.
    pub(super) fn after_spend(self, today: &str) -> DeliveryPart {
        if self.delivery != DeliveryState::Waiting || !self.is_before_start {
            return self;
        }
        let meaning = format!("It has spent {today} today, although its platform says that it has not started:");
        DeliveryPart { state: "Spends", tone: "good", meaning, ..self }
    }

    /// What is said of a campaign in this state, without reasons and ads.
    #[cfg(test)]
    pub(super) fn sample(state: DeliveryState) -> DeliveryPart {
        DeliveryPart {
            delivery: state,
            state: state_word(state),
            tone: tone(state),
            meaning: state_meaning(state).to_owned(),
            is_before_start: false,
            reasons: Vec::new(),
            counts: None,
            unread: None,
            ads: Vec::new(),
            more_ads: 0,
            read_at: String::new(),
        }
    }
}

/// `12 ads, 9 of them can run.`
fn count_words(total: usize, can_run: usize) -> String {
    match total {
        0 => "No ads.".to_owned(),
        1 => format!("1 ad, which {} run.", if can_run == 1 { "can" } else { "cannot" }),
        total => format!("{total} ads, {can_run} of them can run."),
    }
}

impl From<&PlatformAd> for AdRow {
    fn from(ad: &PlatformAd) -> AdRow {
        let rejections = ad
            .rejections
            .iter()
            .filter_map(|rejection| rejection.text.clone().or(rejection.code.as_deref().map(platform_word)));
        let holds = ad.holds.iter().filter_map(|hold| hold.message.clone().or(hold.word.as_deref().map(platform_word)));
        let mut said: Vec<String> = rejections.collect();
        if said.is_empty() {
            said = holds.collect();
        }
        AdRow {
            name: ad.name.clone().unwrap_or_else(|| ad.id.clone()),
            group: ad.group_name.clone().unwrap_or_default(),
            state: ad_word(ad.state()),
            review: review_word(ad.review),
            said,
        }
    }
}
