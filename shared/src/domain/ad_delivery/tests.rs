use super::*;
use crate::domain::CampaignStatus;

fn hold(effect: Effect, reason: DeliveryReason, level: Level) -> Hold {
    Hold::new(effect, reason, level, reason.as_str())
}

fn ad(review: AdReview, holds: &[(Effect, DeliveryReason)]) -> PlatformAd {
    PlatformAd {
        campaign: "1".to_owned(),
        id: "2".to_owned(),
        name: None,
        group_id: None,
        group_name: None,
        verdict: None,
        review,
        holds: holds.iter().map(|(effect, reason)| hold(*effect, *reason, Level::Ad)).collect(),
        rejections: Vec::new(),
    }
}

fn running() -> PlatformAd {
    ad(AdReview::Approved, &[])
}

fn in_review() -> PlatformAd {
    ad(AdReview::InReview, &[(Effect::Waits, DeliveryReason::AdsInReview)])
}

fn rejected() -> PlatformAd {
    ad(AdReview::Rejected, &[(Effect::Blocks, DeliveryReason::AdsRejected)])
}

fn off() -> PlatformAd {
    ad(AdReview::Unknown, &[(Effect::SwitchesOff, DeliveryReason::AdsOff)])
}

fn unclear() -> PlatformAd {
    PlatformAd { holds: vec![Hold::unknown(Level::Ad, "NEW")], ..running() }
}

fn judged(above: &[Hold], ads: Ads<'_>) -> (DeliveryState, Vec<(DeliveryReason, Option<usize>)>) {
    let delivery = AdDelivery::of(CampaignStatus::Active, &[], &Signals::of(above.to_vec()), ads);
    (delivery.state, delivery.reasons.iter().map(|group| (group.reason, group.count)).collect())
}

/// Ads, the state, and the reasons with numbers of ads.
type Case<'a> = (&'a [PlatformAd], DeliveryState, &'a [(DeliveryReason, Option<usize>)]);

#[test]
fn ads_decide_where_nothing_above_them_does() {
    use DeliveryReason::{AdsInReview, AdsOff, AdsRejected, NoAds, Other};
    use DeliveryState::{Blocked, Eligible, Limited, Unknown, Waiting};
    let cases: [Case<'_>; 9] = [
        (&[], Blocked, &[(NoAds, None)]),
        (&[running()], Eligible, &[]),
        (&[running(), off(), in_review()], Eligible, &[]),
        (&[running(), rejected()], Limited, &[(AdsRejected, Some(1))]),
        (&[rejected(), rejected()], Blocked, &[(AdsRejected, Some(2))]),
        (&[in_review(), rejected()], Waiting, &[(AdsRejected, Some(1)), (AdsInReview, Some(1))]),
        (&[off()], Blocked, &[(AdsOff, Some(1))]),
        (&[unclear(), in_review()], Unknown, &[(AdsInReview, Some(1)), (Other, Some(1))]),
        (&[unclear(), running()], Eligible, &[]),
    ];
    for (ads, state, reasons) in cases {
        assert_eq!(judged(&[], Ok(ads)), (state, reasons.to_vec()), "{ads:?}");
    }
}

#[test]
fn what_stops_the_campaign_stops_it_whatever_its_ads_are() {
    let levels = [Level::Account, Level::Parent, Level::Campaign];
    for level in levels {
        for (effect, state) in [(Effect::Blocks, DeliveryState::Blocked), (Effect::Waits, DeliveryState::Waiting)] {
            let above = [hold(effect, DeliveryReason::Account, level)];
            for ads in [Ok([running()].as_slice()), Ok([rejected()].as_slice()), Err(AdsUnread::NotRead)] {
                assert_eq!(judged(&above, ads).0, state, "{level:?} {ads:?}");
            }
        }
    }
}

#[test]
fn a_campaign_that_is_on_here_and_off_there_is_blocked() {
    let above = [hold(Effect::SwitchesOff, DeliveryReason::CampaignStatus, Level::Campaign)];
    let expected = (DeliveryState::Blocked, vec![(DeliveryReason::CampaignStatus, None)]);
    assert_eq!(judged(&above, Ok(&[running()])), expected);
    assert_eq!(judged(&above, Ok(&[])), expected, "its ads are not what is missing");
}

#[test]
fn without_its_ads_a_campaign_is_unknown_or_limited() {
    assert_eq!(judged(&[], Err(AdsUnread::NotOffered)), (DeliveryState::Unknown, Vec::new()));
    let above = [hold(Effect::Limits, DeliveryReason::Billing, Level::Account)];
    assert_eq!(judged(&above, Err(AdsUnread::TooMany)).0, DeliveryState::Limited);
}

#[test]
fn an_unknown_word_is_unknown_unless_another_one_is_clear() {
    let unknown = Hold::unknown(Level::Campaign, "NEW");
    let blocks = hold(Effect::Blocks, DeliveryReason::Billing, Level::Campaign);
    assert_eq!(judged(std::slice::from_ref(&unknown), Ok(&[running()])).0, DeliveryState::Unknown);
    assert_eq!(judged(&[unknown, blocks], Ok(&[running()])).0, DeliveryState::Blocked);
}

#[test]
fn a_rejected_ad_that_is_off_is_no_fault_of_running_ones() {
    let off = PlatformAd { review: AdReview::Rejected, ..off() };
    assert_eq!(judged(&[], Ok(&[running(), off.clone()])), (DeliveryState::Eligible, Vec::new()));
    let alone = judged(&[], Ok(&[off])).1;
    let both = [(DeliveryReason::AdsRejected, Some(1)), (DeliveryReason::AdsOff, Some(1))];
    assert_eq!(alone, both, "switched on it would still be rejected");
}

#[test]
fn a_rejection_without_a_word_of_its_own_is_a_reason_with_its_text() {
    let rejections = vec![Rejection::new(Some("X"), None), Rejection::new(None, Some(" Too\nloud "))];
    let silent = PlatformAd { verdict: Some(AdState::Blocked), rejections, ..ad(AdReview::Rejected, &[]) };
    let delivery = AdDelivery::of(CampaignStatus::Active, &[], &Signals::default(), Ok(&[silent, running()]));
    let [group] = delivery.reasons.as_slice() else { panic!("{delivery:?}") };
    assert_eq!((group.reason, group.count), (DeliveryReason::AdsRejected, Some(1)));
    assert_eq!(group.message.as_deref(), Some("Too loud"));
}

#[test]
fn a_campaigns_word_about_its_ads_joins_their_count() {
    let above = [hold(Effect::Blocks, DeliveryReason::AdsRejected, Level::Ad)];
    let expected = (DeliveryState::Blocked, vec![(DeliveryReason::AdsRejected, Some(2))]);
    assert_eq!(judged(&above, Ok(&[rejected(), rejected()])), expected);
}

#[test]
fn a_verdict_stands_above_ads_and_below_the_ad_account() {
    let of = |verdict, outside: &[Hold], ads: &[PlatformAd]| {
        let signals = Signals { verdict: Some(verdict), holds: Vec::new() };
        AdDelivery::of(CampaignStatus::Active, outside, &signals, Ok(ads)).state
    };
    let suspended = [hold(Effect::Blocks, DeliveryReason::Account, Level::Account)];
    assert_eq!(of(DeliveryState::Eligible, &[], &[running()]), DeliveryState::Eligible);
    assert_eq!(of(DeliveryState::Eligible, &suspended, &[running()]), DeliveryState::Blocked);
    assert_eq!(of(DeliveryState::Blocked, &[], &[running()]), DeliveryState::Blocked);
    assert_eq!(of(DeliveryState::Off, &[], &[running()]), DeliveryState::Blocked, "its status here is ACTIVE");
    assert_eq!(of(DeliveryState::Eligible, &[], &[]), DeliveryState::Eligible, "some have no ads in their list");
}

#[test]
fn a_campaign_that_is_off_has_that_reason_first_and_none_of_its_ads() {
    for status in CampaignStatus::ALL.into_iter().filter(|status| *status != CampaignStatus::Active) {
        let outside = [hold(Effect::Blocks, DeliveryReason::Billing, Level::Account)];
        let delivery = AdDelivery::of(status, &outside, &Signals::default(), Ok(&[rejected()]));
        let reasons: Vec<DeliveryReason> = delivery.reasons.iter().map(|group| group.reason).collect();
        assert_eq!(delivery.state, DeliveryState::Off, "{status}");
        assert_eq!(reasons, [DeliveryReason::CampaignStatus, DeliveryReason::Billing], "{status}");
    }
}

#[test]
fn a_text_is_one_line_without_hidden_characters() {
    let said = |text: &str| Hold::unknown(Level::Ad, "X").saying(Some(text)).message;
    assert_eq!(said(" two\n\twords \u{200b} three\u{202e} ").as_deref(), Some("two words three"));
    assert_eq!(said("\u{2060} \u{0}"), None);
    let long = "ü".repeat(400);
    assert_eq!(said(&long).map(|text| text.chars().count()), Some(MAX_DELIVERY_TEXT));
}
