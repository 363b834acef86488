//! Each word of the platform with its meaning, listed a second time: after the enums of facebook-business 26.0.3, and
//! for the states of an account after other programs.

use super::{AdRow, ad_of, node};
use crate::domain::{AdReview, AdState, Effect, Hold, Level};
use crate::platforms::beta::ads::wire::AccountState;
use crate::platforms::beta::ads::{account_hold, words};
use serde_json::{Value, json};

fn shown(hold: &Hold) -> (Effect, &'static str, Level, &str) {
    (hold.effect, hold.reason.as_str(), hold.level, hold.word.as_deref().unwrap_or_default())
}

#[test]
fn each_status_of_a_campaign_holds_what_it_says() {
    let cases = [
        ("ACTIVE", None),
        ("PAUSED", Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
        ("ARCHIVED", Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
        ("DELETED", Some((Effect::SwitchesOff, "CAMPAIGN_STATUS"))),
        ("IN_PROCESS", Some((Effect::Waits, "PROCESSING"))),
        ("WITH_ISSUES", Some((Effect::Limits, "OTHER"))),
    ];
    assert_eq!(cases.len(), words::CAMPAIGNS.len());
    for (word, expected) in cases.into_iter().chain([("FUTURE", Some((Effect::IsUnknown, "OTHER")))]) {
        let found = node(json!(word), json!(null));
        let expected: Vec<_> =
            expected.into_iter().map(|(effect, reason)| (effect, reason, Level::Campaign, word)).collect();
        assert_eq!((found.verdict, found.holds.iter().map(shown).collect::<Vec<_>>()), (None, expected), "{word}");
    }
    assert_eq!(node(json!(null), json!(null)).holds, []);
}

#[test]
fn each_status_of_an_ad_is_its_state_and_its_review() {
    use AdReview::{Approved, InReview, Rejected, Unknown};
    let off = Some((Effect::SwitchesOff, "ADS_OFF"));
    let cases = [
        ("ACTIVE", AdState::CanRun, Approved, None),
        ("PAUSED", AdState::Off, Unknown, off),
        ("ADSET_PAUSED", AdState::Off, Unknown, off),
        ("CAMPAIGN_PAUSED", AdState::Off, Unknown, off),
        ("IN_PROCESS", AdState::Waiting, Unknown, Some((Effect::Waits, "PROCESSING"))),
        ("PENDING_REVIEW", AdState::Waiting, InReview, Some((Effect::Waits, "ADS_IN_REVIEW"))),
        ("PREAPPROVED", AdState::Waiting, Approved, Some((Effect::Waits, "OTHER"))),
        ("DISAPPROVED", AdState::Blocked, Rejected, Some((Effect::Blocks, "ADS_REJECTED"))),
        ("PENDING_BILLING_INFO", AdState::Blocked, Unknown, Some((Effect::Blocks, "BILLING"))),
        ("WITH_ISSUES", AdState::CanRun, Unknown, Some((Effect::Limits, "OTHER"))),
        ("FUTURE", AdState::Unknown, Unknown, Some((Effect::IsUnknown, "OTHER"))),
    ];
    for (word, state, review, hold) in cases {
        let ad = ad_of(&AdRow { status: json!(word), ..AdRow::default() }).unwrap();
        assert_eq!((ad.state(), ad.review, ad.verdict), (state, review, None), "{word}");
        let expected: Vec<_> = hold.into_iter().map(|(effect, reason)| (effect, reason, Level::Ad, word)).collect();
        assert_eq!(ad.holds.iter().map(shown).collect::<Vec<_>>(), expected, "{word}");
    }
    let removed = ["ARCHIVED", "DELETED"];
    for word in removed {
        assert_eq!(ad_of(&AdRow { status: json!(word), ..AdRow::default() }), None, "{word}");
    }
    assert_eq!(cases.len() - 1 + removed.len(), words::ADS.len(), "and FUTURE is not known");
    let silent = ad_of(&AdRow { status: json!(null), ..AdRow::default() }).unwrap();
    assert_eq!(silent.state(), AdState::Unknown, "silence is not that all is well");
}

fn account(status: Value, reason: Value) -> Option<Hold> {
    let state: AccountState =
        serde_json::from_value(json!({"account_status": status, "disable_reason": reason, "id": "act_1"})).unwrap();
    account_hold(&state)
}

#[test]
fn each_state_of_an_account_holds_what_it_says() {
    let cases = [
        (1, None),
        (2, Some((Effect::Blocks, "ACCOUNT"))),
        (101, Some((Effect::Blocks, "ACCOUNT"))),
        (7, Some((Effect::Waits, "ACCOUNT"))),
        (8, Some((Effect::Blocks, "BILLING"))),
        (3, Some((Effect::Limits, "BILLING"))),
        (9, Some((Effect::Limits, "BILLING"))),
        (100, Some((Effect::Limits, "ACCOUNT"))),
    ];
    assert_eq!(cases.len(), words::ACCOUNTS.len());
    for (state, expected) in cases.into_iter().chain([(99, Some((Effect::IsUnknown, "OTHER")))]) {
        let (found, word) = (account(json!(state), json!(0)), state.to_string());
        let expected = expected.map(|(effect, reason)| (effect, reason, Level::Account, word.as_str()));
        assert_eq!(found.as_ref().map(shown), expected, "{state}");
    }
    assert_eq!(account(json!(null), json!(null)), None);
}

#[test]
fn a_disabled_account_says_why() {
    let text = |status: i64, reason: Value| account(json!(status), reason).unwrap().message.unwrap();
    assert_eq!(text(2, json!(0)), "DISABLED");
    assert_eq!(text(2, json!(null)), "DISABLED");
    assert_eq!(text(2, json!(3)), "DISABLED, RISK_PAYMENT");
    assert_eq!(text(101, json!("7")), "CLOSED, PERMANENT_CLOSE");
    assert_eq!(text(2, json!(99)), "DISABLED, disable_reason 99");
    assert_eq!(account(json!(1), json!(3)), None, "it was disabled once");
    assert_eq!(words::DISABLE_REASONS.len(), 9);
}

#[test]
fn an_issue_counts_by_its_type_and_its_level() {
    let issue = |level: &str, kind: &str| json!([{"error_code": 2446446, "level": level, "error_type": kind}]);
    let of = |holds: &[Hold]| holds.iter().map(|hold| (hold.effect, hold.level)).collect::<Vec<_>>();
    for (level, kind, campaign, ad) in [
        ("CAMPAIGN", "HARD_ERROR", (Effect::Blocks, Level::Campaign), (Effect::Blocks, Level::Campaign)),
        ("CAMPAIGN", "SOFT_ERROR", (Effect::Limits, Level::Campaign), (Effect::Limits, Level::Campaign)),
        ("AD_SET", "HARD_ERROR", (Effect::Limits, Level::Ad), (Effect::Blocks, Level::Ad)),
        ("AD", "HARD_ERROR", (Effect::Limits, Level::Ad), (Effect::Blocks, Level::Ad)),
        ("CREATIVE", "HARD_ERROR", (Effect::Limits, Level::Ad), (Effect::Blocks, Level::Ad)),
        ("FUTURE", "HARD_ERROR", (Effect::Blocks, Level::Campaign), (Effect::Blocks, Level::Ad)),
        ("CAMPAIGN", "FUTURE", (Effect::Limits, Level::Campaign), (Effect::Limits, Level::Campaign)),
    ] {
        let found = node(json!("WITH_ISSUES"), issue(level, kind)).holds;
        assert_eq!(of(&found), [campaign], "{level} {kind}");
        assert_eq!(shown(&found[0]).3, "2446446");
        let row = AdRow { status: json!("WITH_ISSUES"), issues: issue(level, kind), ..AdRow::default() };
        assert_eq!(of(&ad_of(&row).unwrap().holds), [ad], "{level} {kind}");
    }
    assert_eq!(words::ISSUE_LEVELS.len(), 4);
    assert_eq!(node(json!("ACTIVE"), issue("CAMPAIGN", "HARD_ERROR")).holds, [], "the status is not about it");
}
