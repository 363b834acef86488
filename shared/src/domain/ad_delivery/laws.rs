//! Laws of the judgement, on random campaigns.

use super::*;
use crate::domain::CampaignStatus;
use crate::domain::is_hidden;
use crate::domain::test_random::TestRandom;

const RUNS: u64 = 3_000;
/// Texts of platforms, some of which hide, break or run on.
const TEXTS: [&str; 5] = ["Misleading claim", " a\n\tb ", "\u{202e}x\u{0}", "\u{2060}", "ü"];

/// All that a judgement depends on.
#[derive(Clone, Debug)]
struct Facts {
    status: CampaignStatus,
    outside: Vec<Hold>,
    signals: Signals,
    ads: Result<Vec<PlatformAd>, AdsUnread>,
}

impl Facts {
    fn judge(&self) -> AdDelivery {
        AdDelivery::of(self.status, &self.outside, &self.signals, self.ads.as_deref().map_err(|reason| *reason))
    }

    fn ads(&self) -> &[PlatformAd] {
        self.ads.as_deref().unwrap_or_default()
    }

    /// What is held against the campaign, its ad account and its parent.
    fn above(&self) -> impl Iterator<Item = &Hold> {
        self.outside.iter().chain(&self.signals.holds)
    }
}

/// A text of any length, at times longer than what is shown.
fn text(numbers: &mut TestRandom) -> String {
    let times = numbers.one_of(&[0, 1, 1, 1, 1, 1, 30]);
    numbers.one_of(&TEXTS).repeat(times)
}

/// A word that no other hold has.
fn new_word(numbers: &mut TestRandom) -> String {
    format!("NEW_{}", numbers.below(1 << 30))
}

fn hold(numbers: &mut TestRandom, level: Level) -> Hold {
    if numbers.once_in(5) {
        return Hold::unknown(level, &new_word(numbers));
    }
    let effect = numbers.one_of(&[Effect::Blocks, Effect::Waits, Effect::SwitchesOff, Effect::Limits]);
    // NO_ADS is no word of a platform: the judgement alone concludes it.
    let said = DeliveryReason::ALL.into_iter().filter(|reason| *reason != DeliveryReason::NoAds);
    let reason = numbers.one_of(&said.collect::<Vec<_>>());
    let word = text(numbers);
    Hold::new(effect, reason, level, &word).saying(Some(&text(numbers)))
}

fn holds(numbers: &mut TestRandom, levels: &[Level]) -> Vec<Hold> {
    let count = numbers.one_of(&[0, 0, 0, 1, 1, 2, 7]);
    (0..count)
        .map(|_| {
            let level = numbers.one_of(levels);
            hold(numbers, level)
        })
        .collect()
}

fn ad(numbers: &mut TestRandom) -> PlatformAd {
    let text = text(numbers);
    PlatformAd {
        campaign: "1".to_owned(),
        id: new_word(numbers),
        name: None,
        group_id: None,
        group_name: None,
        verdict: numbers.once_in(4).then(|| numbers.one_of(&AdState::ALL)),
        review: numbers.one_of(&AdReview::ALL),
        holds: holds(numbers, &[Level::Ad]),
        rejections: vec![Rejection::new(Some(&new_word(numbers)), Some(&text))],
    }
}

/// An ad that its review has rejected, in one of the ways in which platforms say it.
fn rejected(numbers: &mut TestRandom) -> PlatformAd {
    let named = Hold::new(Effect::Blocks, DeliveryReason::AdsRejected, Level::Ad, "REJECTED");
    let off = Hold::new(Effect::SwitchesOff, DeliveryReason::AdsOff, Level::Ad, "PAUSED");
    let (verdict, holds) = match numbers.below(4) {
        0 => (None, vec![named]),
        1 => (None, vec![named, off]),
        2 => (Some(AdState::Blocked), Vec::new()),
        _ => (Some(AdState::Blocked), vec![named]),
    };
    PlatformAd { verdict, holds, review: AdReview::Rejected, ..ad(numbers) }
}

fn facts(numbers: &mut TestRandom) -> Facts {
    let status = if numbers.once_in(3) { numbers.one_of(&CampaignStatus::ALL) } else { CampaignStatus::Active };
    let verdict = numbers.once_in(3).then(|| numbers.one_of(&DeliveryState::ALL));
    let of_campaign = [Level::Account, Level::Parent, Level::Campaign, Level::Ad, Level::Service];
    let signals = Signals { verdict, holds: holds(numbers, &of_campaign) };
    let count = numbers.one_of(&[0, 1, 1, 2, 3, 9]);
    let ads = match numbers.once_in(4) {
        true => Err(numbers.one_of(&AdsUnread::ALL)),
        false => Ok((0..count).map(|_| ad(numbers)).collect()),
    };
    Facts { status, outside: holds(numbers, &[Level::Account]), signals, ads }
}

/// Checks a law on random facts and their judgement.
fn check(law: impl Fn(&Facts, &AdDelivery) -> bool) {
    let numbers = &mut TestRandom(0xad);
    for _ in 0..RUNS {
        let facts = facts(numbers);
        let judged = facts.judge();
        assert!(law(&facts, &judged), "{judged:#?}\nof {facts:#?}");
    }
}

#[test]
fn random_campaigns_come_to_every_state_and_every_reason() {
    let numbers = &mut TestRandom(0xad);
    let judged: Vec<AdDelivery> = (0..RUNS).map(|_| facts(numbers).judge()).collect();
    for state in DeliveryState::ALL {
        assert!(judged.iter().filter(|judged| judged.state == state).count() > 30, "{state:?}");
    }
    for reason in DeliveryReason::ALL {
        let has_it = |judged: &&AdDelivery| judged.reasons.iter().any(|group| group.reason == reason);
        assert!(judged.iter().filter(has_it).count() > 15, "{reason:?}");
    }
}

#[test]
fn a_campaign_is_off_exactly_if_it_is_not_active() {
    check(|facts, judged| (judged.state == DeliveryState::Off) == (facts.status != CampaignStatus::Active));
}

#[test]
fn only_an_eligible_campaign_has_no_reason() {
    check(|_, judged| match judged.state {
        DeliveryState::Eligible => judged.reasons.is_empty(),
        DeliveryState::Unknown => true,
        DeliveryState::Limited | DeliveryState::Waiting | DeliveryState::Blocked | DeliveryState::Off => {
            !judged.reasons.is_empty()
        }
    });
}

#[test]
fn an_unknown_word_is_kept_as_other_and_as_no_known_reason() {
    check(|facts, judged| {
        let can_run = facts.ads().iter().any(|ad| ad.state() == AdState::CanRun);
        let of_ads = facts.ads().iter().filter(|_| !can_run && judged.state != DeliveryState::Off);
        let unknown = facts.above().chain(of_ads.flat_map(|ad| &ad.holds));
        let mut unknown = unknown.filter(|hold| hold.effect == Effect::IsUnknown);
        unknown.all(|hold| {
            let word = hold.word.as_ref().unwrap();
            let its = |group: &&ReasonGroup| group.reason == DeliveryReason::Other && group.level == hold.level;
            let group = judged.reasons.iter().find(its).unwrap();
            let elsewhere = judged.reasons.iter().filter(|group| group.reason != DeliveryReason::Other);
            (group.words.contains(word) || group.words.len() == 5)
                && elsewhere.into_iter().all(|group| !group.words.contains(word))
        })
    });
}

#[test]
fn an_unknown_word_of_a_campaign_never_lets_it_seem_to_run() {
    check(|facts, judged| {
        let has_unknown = facts.above().any(|hold| hold.effect == Effect::IsUnknown);
        !has_unknown || !matches!(judged.state, DeliveryState::Eligible | DeliveryState::Limited)
    });
}

#[test]
fn the_counts_of_ads_add_up() {
    check(|facts, judged| {
        let Some(counts) = judged.ads else { return facts.ads.is_err() };
        let AdCounts { total, can_run, waiting, blocked, off, unknown, rejected } = counts;
        let of_reasons = judged.reasons.iter().filter_map(|group| group.count);
        let is_sum = can_run + waiting + blocked + off + unknown == total && total == facts.ads().len();
        is_sum && rejected <= total && of_reasons.max().is_none_or(|count| count <= total)
    });
}

#[test]
fn no_ads_stands_on_a_whole_and_empty_list() {
    check(|facts, judged| {
        let is_said = judged.reasons.iter().any(|group| group.reason == DeliveryReason::NoAds);
        !is_said || facts.ads == Ok(Vec::new())
    });
}

#[test]
fn one_more_rejected_ad_never_improves_a_state() {
    let numbers = &mut TestRandom(0xad);
    for _ in 0..RUNS {
        let facts = facts(numbers);
        let mut more = facts.clone();
        if let Ok(ads) = &mut more.ads {
            ads.push(rejected(numbers));
        }
        let (before, after) = (facts.judge().state, more.judge().state);
        assert!(after >= before, "{before:?}, {after:?}: {facts:#?}");
    }
}

#[test]
fn an_ad_that_is_rejected_later_never_improves_a_state() {
    let numbers = &mut TestRandom(0xad);
    for _ in 0..RUNS {
        let facts = facts(numbers);
        let mut later = facts.clone();
        if let Some(ad) = later.ads.iter_mut().flatten().next() {
            let verdict = ad.verdict.map(|state| if state == AdState::Off { state } else { AdState::Blocked });
            let its = PlatformAd { verdict, review: AdReview::Rejected, ..ad.clone() };
            let named = Hold::new(Effect::Blocks, DeliveryReason::AdsRejected, Level::Ad, "REJECTED");
            *ad = PlatformAd { holds: its.holds.iter().cloned().chain([named]).collect(), ..its };
        }
        let (before, after) = (facts.judge().state, later.judge().state);
        assert!(after >= before, "{before:?}, {after:?}: {facts:#?}");
    }
}

#[test]
fn a_rejected_ad_that_is_on_is_always_a_reason() {
    check(|facts, judged| {
        let is_on = |ad: &PlatformAd| ad.is_rejected() && ad.state() != AdState::Off;
        let is_said = judged.reasons.iter().any(|group| group.reason == DeliveryReason::AdsRejected);
        judged.state == DeliveryState::Off || is_said || !facts.ads().iter().any(is_on)
    });
}

#[test]
fn texts_are_cleaned_and_cut() {
    let is_clean = |text: &String| {
        let is_shown = |c: char| !c.is_control() && !is_hidden(c);
        let count = text.chars().count();
        (1..=MAX_DELIVERY_TEXT).contains(&count)
            && text.chars().all(is_shown)
            && text.split(' ').all(|word| !word.is_empty())
    };
    check(|facts, judged| {
        let of_reasons = judged.reasons.iter().flat_map(|group| group.words.iter().chain(&group.message));
        let rejections = facts.ads().iter().flat_map(|ad| &ad.rejections);
        of_reasons.chain(rejections.flat_map(|rejection| rejection.code.iter().chain(&rejection.text))).all(is_clean)
    });
}

#[test]
fn ads_are_unread_exactly_if_they_are_not_counted() {
    check(|facts, judged| {
        judged.ads.is_none() == judged.ads_unread.is_some() && judged.ads_unread == facts.ads.clone().err()
    });
}

#[test]
fn a_reason_has_at_most_five_words_and_each_once() {
    check(|_, judged| {
        let is_new = |words: &[String]| words.iter().enumerate().all(|(at, word)| !words[..at].contains(word));
        judged.reasons.iter().all(|group| group.words.len() <= 5 && is_new(&group.words))
    });
}

#[test]
fn each_reason_is_named_once_at_a_level() {
    check(|_, judged| {
        let names: Vec<_> = judged.reasons.iter().map(|group| (group.reason, group.level)).collect();
        names.iter().enumerate().all(|(at, name)| !names[..at].contains(name))
    });
}
