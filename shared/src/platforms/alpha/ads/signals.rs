//! What the platform says of a campaign itself, and of its customer.

use super::words;
use crate::domain::{DeliveryReason, DeliveryState, Effect, Hold, Level};
use crate::platforms::alpha::wire;
use crate::platforms::engine::words::meaning;
use crate::platforms::prelude::*;

/// The signals of a campaign's row. A row without a primary status says nothing, which is not that all is well.
pub(in crate::platforms::alpha) fn signals(campaign: &wire::Campaign, customer: Option<&wire::Customer>) -> Signals {
    let word = campaign.primary_status.as_deref();
    let known = word.and_then(|word| meaning(words::CAMPAIGN_STATES, word));
    let verdict = known.map_or(DeliveryState::Unknown, |(verdict, _)| verdict);
    let mut holds: Vec<Hold> = campaign.primary_status_reasons.iter().map(|word| hold(verdict, word)).collect();
    match (word, known) {
        (Some(word), None) => holds.push(Hold::unknown(Level::Campaign, word)),
        (Some(word), Some((verdict, reason))) if holds.is_empty() && verdict != DeliveryState::Eligible => {
            holds.push(Hold::new(effect(verdict, reason), reason, Level::Campaign, word));
        }
        _ => {}
    }
    let account = customer.and_then(|customer| account(customer.status.as_deref()?));
    let is_blocked = account.as_ref().is_some_and(|hold| hold.effect == Effect::Blocks);
    holds.extend(account);
    let verdict = if is_blocked && verdict != DeliveryState::Off { DeliveryState::Blocked } else { verdict };
    Signals { verdict: Some(verdict), holds }
}

/// A reason has the effect that the platform concludes from all of them.
fn hold(verdict: DeliveryState, word: &str) -> Hold {
    match (meaning(words::CAMPAIGN_REASONS, word), verdict) {
        (Some(reason), verdict) => Hold::new(effect(verdict, reason), reason, level(reason), word),
        (None, DeliveryState::Eligible | DeliveryState::Unknown | DeliveryState::Off) => {
            Hold::unknown(Level::Campaign, word)
        }
        (None, verdict) => {
            let reason = DeliveryReason::Other;
            Hold::new(effect(verdict, reason), reason, Level::Campaign, word)
        }
    }
}

fn effect(verdict: DeliveryState, reason: DeliveryReason) -> Effect {
    match (reason, verdict) {
        (DeliveryReason::CampaignStatus, _) => Effect::SwitchesOff,
        (_, DeliveryState::Blocked) => Effect::Blocks,
        (_, DeliveryState::Waiting) => Effect::Waits,
        (_, DeliveryState::Eligible | DeliveryState::Limited | DeliveryState::Unknown | DeliveryState::Off) => {
            Effect::Limits
        }
    }
}

/// What speaks of ads joins with the counts of ads.
fn level(reason: DeliveryReason) -> Level {
    match reason {
        DeliveryReason::ParentOff => Level::Parent,
        DeliveryReason::AdsOff
        | DeliveryReason::AdsInReview
        | DeliveryReason::AdsRejected
        | DeliveryReason::AdsLimited => Level::Ad,
        _ => Level::Campaign,
    }
}

/// What the status of a customer holds against all of its campaigns.
fn account(word: &str) -> Option<Hold> {
    match meaning(words::ACCOUNTS, word) {
        Some(held) => held.map(|(effect, reason)| Hold::new(effect, reason, Level::Account, word)),
        None => Some(Hold::unknown(Level::Account, word)),
    }
}
