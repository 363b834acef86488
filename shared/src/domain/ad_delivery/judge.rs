//! The judgement: from what a platform holds against a campaign to its state and reasons.

use super::{AdState, Ads, AdsUnread, DeliveryReason, DeliveryState, Effect, Hold, Level, PlatformAd, Signals};
use crate::domain::CampaignStatus;

/// Most words of a platform for one reason.
pub const MAX_WORDS: usize = 5;

/// Whether the ads of a campaign are shown, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdDelivery {
    pub state: DeliveryState,
    /// The gravest first. ELIGIBLE has none; LIMITED, WAITING and BLOCKED have at least one.
    pub reasons: Vec<ReasonGroup>,
    /// How many ads there are; `None` if they were not read.
    pub ads: Option<AdCounts>,
    /// Why the ads were not read; `None` if they were.
    pub ads_unread: Option<AdsUnread>,
}

/// The holds with the same reason at the same level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonGroup {
    pub effect: Effect,
    pub reason: DeliveryReason,
    pub level: Level,
    /// The number of ads; `None` above the ads.
    pub count: Option<usize>,
    /// The platform's words, at most five.
    pub words: Vec<String>,
    /// The platform's first text for people.
    pub message: Option<String>,
}

/// How many ads are in each state. They add up to `total`; `rejected` ones are counted in their state too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdCounts {
    pub total: usize,
    pub can_run: usize,
    pub waiting: usize,
    pub blocked: usize,
    pub off: usize,
    pub unknown: usize,
    pub rejected: usize,
}

impl AdCounts {
    /// Counts ads.
    pub fn of(ads: &[PlatformAd]) -> AdCounts {
        let mut counts = AdCounts { total: ads.len(), ..AdCounts::default() };
        for ad in ads {
            counts.rejected += usize::from(ad.is_rejected());
            let in_state = match ad.state() {
                AdState::CanRun => &mut counts.can_run,
                AdState::Waiting => &mut counts.waiting,
                AdState::Blocked => &mut counts.blocked,
                AdState::Off => &mut counts.off,
                AdState::Unknown => &mut counts.unknown,
            };
            *in_state += 1;
        }
        counts
    }
}

impl AdDelivery {
    /// Judges a campaign by its own status, by what this service and its ad account hold against it, by what the platform
    /// says of the campaign, and by its ads.
    pub fn of(status: CampaignStatus, outside: &[Hold], signals: &Signals, ads: Ads<'_>) -> AdDelivery {
        let above: Vec<&Hold> = outside.iter().chain(&signals.holds).collect();
        let counts = ads.ok().map(AdCounts::of);
        let state = match signals.verdict {
            _ if status != CampaignStatus::Active => DeliveryState::Off,
            Some(verdict) => state_by_verdict(verdict, outside),
            None => state_by_holds(&above, ads, counts),
        };
        let state = match state {
            DeliveryState::Eligible | DeliveryState::Limited if has(&above, Effect::IsUnknown) => {
                DeliveryState::Unknown
            }
            state => state,
        };
        let mut reasons = reasons(state, &above, ads.unwrap_or_default());
        if let Some(missing) = missing_reason(state, &reasons, signals, ads) {
            reasons.insert(0, missing);
        }
        // A platform may conclude that nothing is wrong, and name a fault all the same.
        let state = match state {
            DeliveryState::Eligible if !reasons.is_empty() => DeliveryState::Limited,
            state => state,
        };
        AdDelivery { state, reasons, ads: counts, ads_unread: ads.err() }
    }
}

fn has(holds: &[&Hold], effect: Effect) -> bool {
    holds.iter().any(|hold| hold.effect == effect)
}

/// What the platform concludes decides, unless the ad account or this service stops it. A campaign that is ACTIVE here and
/// off at its platform is blocked.
fn state_by_verdict(verdict: DeliveryState, outside: &[Hold]) -> DeliveryState {
    let outside: Vec<&Hold> = outside.iter().collect();
    match verdict {
        DeliveryState::Off => DeliveryState::Blocked,
        _ if has(&outside, Effect::Blocks) => DeliveryState::Blocked,
        DeliveryState::Blocked => DeliveryState::Blocked,
        _ if has(&outside, Effect::Waits) => DeliveryState::Waiting,
        verdict => verdict,
    }
}

fn state_by_holds(above: &[&Hold], ads: Ads<'_>, counts: Option<AdCounts>) -> DeliveryState {
    // Its status is ACTIVE: a platform that calls it off has switched it off itself.
    if has(above, Effect::Blocks) || has(above, Effect::SwitchesOff) {
        return DeliveryState::Blocked;
    }
    if has(above, Effect::Waits) {
        return DeliveryState::Waiting;
    }
    match (ads, counts) {
        (Ok(ads), Some(counts)) => state_by_ads(above, ads, counts),
        _ if has(above, Effect::Limits) => DeliveryState::Limited,
        _ => DeliveryState::Unknown,
    }
}

fn state_by_ads(above: &[&Hold], ads: &[PlatformAd], counts: AdCounts) -> DeliveryState {
    if counts.can_run > 0 {
        let is_faulty = has(above, Effect::Limits) || ads.iter().any(is_faulty);
        return if is_faulty { DeliveryState::Limited } else { DeliveryState::Eligible };
    }
    match counts {
        AdCounts { unknown, .. } if unknown > 0 => DeliveryState::Unknown,
        AdCounts { waiting, .. } if waiting > 0 => DeliveryState::Waiting,
        _ => DeliveryState::Blocked,
    }
}

/// Whether an ad is a fault of a campaign that has ads to show. One that is switched off is none, even if it was rejected.
fn is_faulty(ad: &PlatformAd) -> bool {
    match ad.state() {
        AdState::CanRun => ad.is_rejected() || ad.holds.iter().any(|hold| hold.effect == Effect::Limits),
        AdState::Off => false,
        AdState::Waiting | AdState::Blocked | AdState::Unknown => ad.is_rejected(),
    }
}

/// The reasons of a state, the gravest first.
fn reasons(state: DeliveryState, above: &[&Hold], ads: &[PlatformAd]) -> Vec<ReasonGroup> {
    let mut groups: Vec<ReasonGroup> = Vec::new();
    for hold in above {
        add(&mut groups, hold, None);
    }
    let can_run = ads.iter().any(|ad| ad.state() == AdState::CanRun);
    for ad in ads.iter().filter(|_| state != DeliveryState::Off) {
        let mut counted: Vec<DeliveryReason> = Vec::new();
        for hold in ad.holds.iter().cloned().chain(unnamed_rejection(ad)).filter(|hold| is_reason(ad, hold, can_run)) {
            let is_new = !counted.contains(&hold.reason);
            counted.push(hold.reason);
            add(&mut groups, &Hold { level: Level::Ad, ..hold }, Some(usize::from(is_new)));
        }
    }
    // Ads repeat what is held against their campaign.
    let named: Vec<DeliveryReason> =
        groups.iter().filter(|group| group.level != Level::Ad).map(|group| group.reason).collect();
    let is_new = |group: &ReasonGroup| group.reason == DeliveryReason::Other || !named.contains(&group.reason);
    groups.retain(|group| group.level != Level::Ad || is_new(group));
    groups.sort_by_key(|group| {
        let is_switch_of_off = state == DeliveryState::Off && group.effect == Effect::SwitchesOff;
        // That a platform counts no ad says less than what is wrong with the ads.
        let is_count = group.reason == DeliveryReason::NoEligibleAds;
        (!is_switch_of_off, group.effect, is_count, group.level, group.reason)
    });
    groups
}

/// Whether what is held against an ad is a reason of its campaign. Where an ad can be shown, what keeps others from it is
/// none, but a rejection is.
fn is_reason(ad: &PlatformAd, hold: &Hold, can_run: bool) -> bool {
    let is_rejection = ad.is_rejected() && hold.reason == DeliveryReason::AdsRejected;
    match ad.state() {
        AdState::CanRun => is_rejection || hold.effect == Effect::Limits,
        AdState::Off => !can_run,
        AdState::Waiting | AdState::Blocked | AdState::Unknown => is_rejection || !can_run,
    }
}

/// The rejection of an ad whose platform says it in no word of its own.
fn unnamed_rejection(ad: &PlatformAd) -> Option<Hold> {
    let is_named = ad.holds.iter().any(|hold| hold.reason == DeliveryReason::AdsRejected);
    let message = ad.rejections.iter().find_map(|rejection| rejection.text.clone());
    let (effect, reason) = (Effect::Blocks, DeliveryReason::AdsRejected);
    (ad.is_rejected() && !is_named).then_some(Hold { effect, reason, level: Level::Ad, word: None, message })
}

/// Adds a hold to the group of its reason. `ads` is the number of further ads that have it.
fn add(groups: &mut Vec<ReasonGroup>, hold: &Hold, ads: Option<usize>) {
    let is_its = |group: &&mut ReasonGroup| group.reason == hold.reason && group.level == hold.level;
    let Some(group) = groups.iter_mut().find(is_its) else {
        let Hold { effect, reason, level, word, message } = hold.clone();
        groups.push(ReasonGroup { effect, reason, level, count: ads, words: Vec::from_iter(word), message });
        return;
    };
    group.effect = group.effect.min(hold.effect);
    group.count = ads.map(|ads| group.count.unwrap_or_default() + ads).or(group.count);
    let new_word = hold.word.as_ref().filter(|word| group.words.len() < MAX_WORDS && !group.words.contains(word));
    group.words.extend(new_word.cloned());
    group.message = group.message.take().or_else(|| hold.message.clone());
}

/// The reason that the holds leave out. NO_ADS stands on a whole and empty list.
fn missing_reason(
    state: DeliveryState,
    reasons: &[ReasonGroup],
    signals: &Signals,
    ads: Ads<'_>,
) -> Option<ReasonGroup> {
    let group = |effect, reason| ReasonGroup {
        effect,
        reason,
        level: Level::Campaign,
        count: None,
        words: Vec::new(),
        message: None,
    };
    let has = |effect| reasons.iter().any(|group| group.effect == effect);
    let is_named = |reason| reasons.iter().any(|group| group.reason == reason);
    match state {
        DeliveryState::Off if !has(Effect::SwitchesOff) && !is_named(DeliveryReason::CampaignStatus) => {
            Some(group(Effect::SwitchesOff, DeliveryReason::CampaignStatus))
        }
        DeliveryState::Blocked if has(Effect::Blocks) => None,
        DeliveryState::Blocked if signals.verdict.is_none() && ads == Ok(&[]) && !has(Effect::SwitchesOff) => {
            Some(group(Effect::Blocks, DeliveryReason::NoAds))
        }
        DeliveryState::Blocked if reasons.is_empty() => Some(group(Effect::Blocks, DeliveryReason::Other)),
        DeliveryState::Waiting if reasons.is_empty() => Some(group(Effect::Waits, DeliveryReason::Other)),
        DeliveryState::Limited if reasons.is_empty() => Some(group(Effect::Limits, DeliveryReason::Other)),
        _ => None,
    }
}
