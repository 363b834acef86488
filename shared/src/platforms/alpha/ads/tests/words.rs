//! Each word of the platform with its meaning, listed a second time: after the enums of google-ads 34.0.0, v26.

use super::{AdRow, ad_of};
use crate::domain::{AdReview, AdState, DeliveryReason, DeliveryState, Effect, Hold, Level, Platform, Signals};
use crate::platforms::alpha::ads::words;
use crate::platforms::alpha::translate::campaign;
use crate::platforms::fixtures;
use serde_json::{Value, json};

const CAMPAIGN_REASONS: &str = "
CAMPAIGN_STATUS: CAMPAIGN_REMOVED CAMPAIGN_PAUSED CAMPAIGN_ENDED CAMPAIGN_DRAFT
NOT_STARTED: CAMPAIGN_PENDING
PARENT_OFF: CAMPAIGN_GROUP_PAUSED CAMPAIGN_GROUP_ALL_GROUP_BUDGETS_ENDED
NO_ELIGIBLE_ADS: NO_AD_GROUPS NO_AD_GROUP_ADS NO_ASSET_GROUPS
ADS_OFF: AD_GROUPS_PAUSED AD_GROUP_ADS_PAUSED ASSET_GROUPS_PAUSED
ADS_REJECTED: HAS_ADS_DISAPPROVED HAS_ASSET_GROUPS_DISAPPROVED
ADS_LIMITED: HAS_ADS_LIMITED_BY_POLICY HAS_ASSET_GROUPS_LIMITED_BY_POLICY
ADS_IN_REVIEW: MOST_ADS_UNDER_REVIEW MOST_ASSET_GROUPS_UNDER_REVIEW
BUDGET: BUDGET_CONSTRAINED BUDGET_MISCONFIGURED
LEARNING: BIDDING_STRATEGY_LEARNING
BIDDING: BIDDING_STRATEGY_MISCONFIGURED BIDDING_STRATEGY_LIMITED BIDDING_STRATEGY_CONSTRAINED
TARGETING: NO_KEYWORDS KEYWORDS_PAUSED SEARCH_VOLUME_LIMITED MISSING_LOCATION_TARGETING
TARGETING: NO_MOBILE_APPLICATION_AD_GROUP_CRITERIA
ASSET: MISSING_LEAD_FORM_EXTENSION MISSING_CALL_EXTENSION LEAD_FORM_EXTENSION_UNDER_REVIEW
ASSET: LEAD_FORM_EXTENSION_DISAPPROVED CALL_EXTENSION_UNDER_REVIEW CALL_EXTENSION_DISAPPROVED
ASSET: APP_NOT_RELEASED APP_PARTIALLY_RELEASED
OTHER: CAMPAIGN_NOT_BOOKED BOOKING_HOLD_EXPIRING BOOKING_HOLD_EXPIRED BOOKING_CANCELLED
";

const AD_REASONS: &str = "
CAMPAIGN_STATUS SwitchesOff: CAMPAIGN_REMOVED CAMPAIGN_PAUSED CAMPAIGN_ENDED
NOT_STARTED Waits: CAMPAIGN_PENDING
ADS_OFF SwitchesOff: AD_GROUP_PAUSED AD_GROUP_REMOVED AD_GROUP_AD_PAUSED AD_GROUP_AD_REMOVED
ADS_REJECTED Blocks: AD_GROUP_AD_DISAPPROVED
ADS_IN_REVIEW Waits: AD_GROUP_AD_UNDER_REVIEW
ADS_LIMITED Limits: AD_GROUP_AD_POOR_QUALITY AD_GROUP_AD_APPROVED_LABELED AD_GROUP_AD_AREA_OF_INTEREST_ONLY
OTHER Waits: AD_GROUP_AD_NO_ADS
";

/// The words of a list, each with what is before the colon.
fn rows(list: &'static str) -> Vec<(&'static str, &'static str)> {
    let lines = list.lines().filter_map(|line| line.split_once(": "));
    lines.flat_map(|(meaning, words)| words.split(' ').map(move |word| (word, meaning))).collect()
}

fn signals(state: Value, reasons: Value, customer: Value) -> Signals {
    let found = json!({"id": "7", "status": "ENABLED", "primaryStatus": state, "primaryStatusReasons": reasons});
    let row = json!({"campaign": found, "customer": {"status": customer}});
    campaign(&fixtures::account(Platform::Alpha, "EUR", "Europe/Berlin"), &row.to_string()).unwrap().signals
}

fn of_state(state: &str, reasons: Value) -> Signals {
    signals(json!(state), reasons, json!("ENABLED"))
}

fn shown(hold: &Hold) -> (Effect, &'static str, Level, &str) {
    (hold.effect, hold.reason.as_str(), hold.level, hold.word.as_deref().unwrap_or_default())
}

#[test]
fn each_reason_of_a_campaign_has_the_effect_of_its_status() {
    let rows = rows(CAMPAIGN_REASONS);
    assert_eq!((rows.len(), words::CAMPAIGN_REASONS.len()), (42, 42));
    for (word, reason) in rows {
        for (state, effect) in [
            ("NOT_ELIGIBLE", Effect::Blocks),
            ("PENDING", Effect::Waits),
            ("LIMITED", Effect::Limits),
            ("ELIGIBLE", Effect::Limits),
            ("PAUSED", Effect::Limits),
        ] {
            let effect = if reason == "CAMPAIGN_STATUS" { Effect::SwitchesOff } else { effect };
            let level = match reason {
                "PARENT_OFF" => Level::Parent,
                "ADS_OFF" | "ADS_REJECTED" | "ADS_LIMITED" | "ADS_IN_REVIEW" => Level::Ad,
                _ => Level::Campaign,
            };
            let holds = of_state(state, json!([word])).holds;
            assert_eq!(holds.iter().map(shown).collect::<Vec<_>>(), [(effect, reason, level, word)], "{state}");
        }
    }
}

#[test]
fn each_status_of_a_campaign_is_a_verdict_and_explains_itself() {
    use DeliveryState::{Blocked, Eligible, Limited, Off, Waiting};
    let cases = [
        ("ELIGIBLE", Eligible, None),
        ("LIMITED", Limited, Some((Effect::Limits, "OTHER"))),
        ("LEARNING", Limited, Some((Effect::Limits, "LEARNING"))),
        ("MISCONFIGURED", Limited, Some((Effect::Limits, "OTHER"))),
        ("PENDING", Waiting, Some((Effect::Waits, "OTHER"))),
        ("NOT_ELIGIBLE", Blocked, Some((Effect::Blocks, "OTHER"))),
        ("PAUSED", Off, Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
        ("REMOVED", Off, Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
        ("ENDED", Off, Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
    ];
    assert_eq!(cases.len(), words::CAMPAIGN_STATES.len());
    for (word, verdict, unexplained) in cases {
        let found = of_state(word, json!([]));
        assert_eq!(found.verdict, Some(verdict), "{word}");
        let expected: Vec<_> =
            unexplained.into_iter().map(|(effect, reason)| (effect, reason, Level::Campaign, word)).collect();
        assert_eq!(found.holds.iter().map(shown).collect::<Vec<_>>(), expected, "{word}");
        let explained = of_state(word, json!(["NO_KEYWORDS"])).holds;
        assert_eq!((explained.len(), explained[0].reason), (1, DeliveryReason::Targeting), "{word}");
    }
}

#[test]
fn an_unknown_word_of_a_campaign_is_kept_and_never_guessed() {
    for (state, effect) in [
        ("NOT_ELIGIBLE", Effect::Blocks),
        ("PENDING", Effect::Waits),
        ("LIMITED", Effect::Limits),
        ("ELIGIBLE", Effect::IsUnknown),
        ("PAUSED", Effect::IsUnknown),
    ] {
        for (reason, word) in [(json!("FUTURE"), "FUTURE"), (json!(57), "57")] {
            let holds = of_state(state, json!([reason])).holds;
            let expected = [(effect, "OTHER", Level::Campaign, word)];
            assert_eq!(holds.iter().map(shown).collect::<Vec<_>>(), expected, "{state}");
        }
    }
    for word in ["FUTURE", "UNKNOWN", "UNSPECIFIED"] {
        let found = of_state(word, json!(["FUTURE"]));
        assert_eq!(found.verdict, Some(DeliveryState::Unknown));
        let expected = ["FUTURE", word].map(|word| (Effect::IsUnknown, "OTHER", Level::Campaign, word));
        assert_eq!(found.holds.iter().map(shown).collect::<Vec<_>>(), expected);
    }
    let silent = signals(json!(null), json!(null), json!(null));
    assert_eq!(
        silent,
        Signals { verdict: Some(DeliveryState::Unknown), holds: vec![] },
        "silence is not that all is well"
    );
}

#[test]
fn a_customer_that_may_not_advertise_blocks_its_campaigns() {
    let of = |status: &str, customer: &str| {
        let Signals { verdict, holds } = signals(json!(status), json!([]), json!(customer));
        let account = holds.into_iter().find(|hold| hold.level == Level::Account);
        (verdict.unwrap(), account.map(|hold| (hold.effect, hold.reason, hold.word.unwrap())))
    };
    assert_eq!(words::ACCOUNTS.len(), 4);
    assert_eq!(of("ELIGIBLE", "ENABLED"), (DeliveryState::Eligible, None));
    for word in ["CANCELED", "SUSPENDED", "CLOSED"] {
        let held = Some((Effect::Blocks, DeliveryReason::Account, word.to_owned()));
        assert_eq!(of("ELIGIBLE", word), (DeliveryState::Blocked, held.clone()));
        assert_eq!(of("PAUSED", word), (DeliveryState::Off, held));
    }
    let unknown = Some((Effect::IsUnknown, DeliveryReason::Other, "FUTURE".to_owned()));
    assert_eq!(of("ELIGIBLE", "FUTURE"), (DeliveryState::Eligible, unknown));
}

#[test]
fn each_status_of_an_ad_is_its_state() {
    let cases = [
        ("ELIGIBLE", Some(AdState::CanRun), None),
        ("LIMITED", Some(AdState::CanRun), Some((Effect::Limits, "OTHER"))),
        ("PENDING", Some(AdState::Waiting), Some((Effect::Waits, "OTHER"))),
        ("NOT_ELIGIBLE", Some(AdState::Blocked), Some((Effect::Blocks, "OTHER"))),
        ("PAUSED", Some(AdState::Off), Some((Effect::SwitchesOff, "ADS_OFF"))),
        ("REMOVED", None, None),
    ];
    assert_eq!(cases.len(), words::AD_STATES.len());
    for (word, state, unexplained) in cases {
        let ad = ad_of(&AdRow { state: json!(word), ..AdRow::default() });
        assert_eq!(ad.as_ref().map(|ad| ad.state()), state, "{word}");
        let holds = ad.map(|ad| ad.holds).unwrap_or_default();
        let expected: Vec<_> =
            unexplained.into_iter().map(|(effect, reason)| (effect, reason, Level::Ad, word)).collect();
        assert_eq!(holds.iter().map(shown).collect::<Vec<_>>(), expected, "{word}");
    }
    let unknown = ad_of(&AdRow { state: json!("FUTURE"), ..AdRow::default() }).unwrap();
    assert_eq!(unknown.state(), AdState::Unknown);
    assert_eq!(shown(&unknown.holds[0]), (Effect::IsUnknown, "OTHER", Level::Ad, "FUTURE"));
    assert_eq!(ad_of(&AdRow { state: json!(null), ..AdRow::default() }).unwrap().state(), AdState::Unknown);
}

#[test]
fn each_reason_of_an_ad_explains_its_state_and_never_changes_it() {
    let rows = rows(AD_REASONS);
    assert_eq!((rows.len() + 1, words::AD_REASONS.len()), (15, 15), "an appeal changes nothing");
    for (word, meaning) in rows {
        for (state, expected) in [("NOT_ELIGIBLE", AdState::Blocked), ("ELIGIBLE", AdState::CanRun)] {
            let ad = ad_of(&AdRow { state: json!(state), reasons: json!([word]), ..AdRow::default() }).unwrap();
            let found = format!("{} {:?}", ad.holds[0].reason.as_str(), ad.holds[0].effect);
            assert_eq!((found.as_str(), ad.holds[0].word.as_deref()), (meaning, Some(word)), "{state}");
            assert_eq!((ad.holds.len(), ad.state()), (1, expected), "{word}");
        }
    }
    let appeal = json!(["AD_GROUP_AD_UNDER_APPEAL"]);
    assert_eq!(ad_of(&AdRow { reasons: appeal, ..AdRow::default() }).unwrap().holds, []);
    for (state, effect) in [
        ("NOT_ELIGIBLE", Effect::Blocks),
        ("PENDING", Effect::Waits),
        ("LIMITED", Effect::Limits),
        ("ELIGIBLE", Effect::IsUnknown),
        ("PAUSED", Effect::IsUnknown),
    ] {
        let ad = ad_of(&AdRow { state: json!(state), reasons: json!(["FUTURE"]), ..AdRow::default() }).unwrap();
        assert_eq!(ad.holds.iter().map(shown).collect::<Vec<_>>(), [(effect, "OTHER", Level::Ad, "FUTURE")], "{state}");
    }
}

#[test]
fn a_review_is_the_first_word_that_fits() {
    let cases = [
        ("DISAPPROVED", "REVIEWED", AdReview::Rejected),
        ("DISAPPROVED", "UNDER_APPEAL", AdReview::Rejected),
        ("APPROVED", "REVIEW_IN_PROGRESS", AdReview::InReview),
        ("APPROVED_LIMITED", "UNDER_APPEAL", AdReview::InReview),
        ("APPROVED_LIMITED", "REVIEWED", AdReview::Limited),
        ("AREA_OF_INTEREST_ONLY", "REVIEWED", AdReview::Limited),
        ("APPROVED", "REVIEWED", AdReview::Approved),
        ("", "REVIEWED", AdReview::Unknown),
        ("", "ELIGIBLE_MAY_SERVE", AdReview::Unknown),
        ("FUTURE", "FUTURE", AdReview::Unknown),
        ("APPROVED", "FUTURE", AdReview::Approved),
    ];
    for (approval, review, expected) in cases {
        let policy = json!({"approvalStatus": approval, "reviewStatus": review});
        let ad = ad_of(&AdRow { policy, ..AdRow::default() }).unwrap();
        assert_eq!(ad.review, expected, "{approval} {review}");
    }
    assert_eq!(words::REVIEWS.len(), 8);
}
