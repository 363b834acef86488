//! What to do about a reason, in a sentence for people and agents.

use super::{DeliveryReason, DeliveryState};

impl DeliveryReason {
    /// What it means, and the next step.
    pub fn advice(self) -> &'static str {
        match self {
            DeliveryReason::CampaignStatus => "The campaign is switched off. Activate it to run it.",
            DeliveryReason::ParentOff => {
                "The group of campaigns above it is off, or its budget is used up. Switch the group on at the platform."
            }
            DeliveryReason::AdsOff => {
                "Its ads, or the groups that hold them, are switched off. Switch one on at the platform."
            }
            DeliveryReason::HeldByService => {
                "This service has paused it: the amount of its month is spent, or its activation waits for its start. \
                 Raise the monthly amount, or move the start."
            }
            DeliveryReason::NotStarted => "Its dates or hours have not begun. Wait, or move the start.",
            DeliveryReason::Ended => "Its dates are over. Move the end to run it again.",
            DeliveryReason::NoAds => {
                "It has no ad. Make one at the platform: this service makes campaigns without ads."
            }
            DeliveryReason::NoEligibleAds => {
                "The platform counts no ad that it could show. Look at the ads: they may all be rejected, paused or in \
                 review."
            }
            DeliveryReason::AdsInReview => "The platform reviews its ads. Wait: most reviews end within a day.",
            DeliveryReason::Processing => "The platform is still preparing it. Wait some minutes.",
            DeliveryReason::Learning => "The platform is still learning whom to show it. Wait, and change little.",
            DeliveryReason::AdsRejected => {
                "A review has rejected ads. Mend them at the platform by the text of the rejection, or appeal there."
            }
            DeliveryReason::AdsLimited => {
                "Ads are shown to a part of the audience only. Mend them at the platform by its text."
            }
            DeliveryReason::BudgetSpent => {
                "Its budget is used up. Raise it, or wait for the next day if it is a daily one."
            }
            DeliveryReason::Budget => "Its budget limits it, or is not valid. Raise it.",
            DeliveryReason::Billing => "The ad account cannot pay. Mend its payment method or balance at the platform.",
            DeliveryReason::Account => {
                "The ad account is suspended, in review, or not verified. Open the account at the platform: it says what \
                 it needs."
            }
            DeliveryReason::Targeting => {
                "Its audience, keywords or locations reach too few people. Widen them at the platform."
            }
            DeliveryReason::Bidding => "Its bid limits it. Change the bid or the bidding strategy at the platform.",
            DeliveryReason::Asset => {
                "Something that its ads need is missing: a pixel, identity, product, app, form or permission. Mend it at \
                 the platform."
            }
            DeliveryReason::Other => "The platform says why in its own words. Look them up at the platform.",
        }
    }
}

impl DeliveryState {
    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            DeliveryState::Eligible => {
                "It may be shown, and the platform holds nothing against it. That it spends is not said: see insights."
            }
            DeliveryState::Limited => "It may be shown, but the platform names a fault.",
            DeliveryState::Waiting => "It is not shown yet. That passes without a change.",
            DeliveryState::Blocked => "It is not shown, and that does not pass by itself.",
            DeliveryState::Off => "It is not active, so it is not shown.",
            DeliveryState::Unknown => "The platform does not say whether it is shown.",
        }
    }
}
