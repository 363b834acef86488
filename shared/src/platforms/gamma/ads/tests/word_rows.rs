//! Every word of the platform, as `words.txt` has it from the platform's pages.

use super::*;
use crate::domain::Hold;
use words::{OF_AD, OF_CAMPAIGN};

/// Level, field, word, reason and effect of each word.
fn sheet() -> impl Iterator<Item = [&'static str; 5]> {
    let rows = include_str!("words.txt").lines();
    rows.map(|row| <[&str; 5]>::try_from(row.split(" | ").collect::<Vec<_>>()).unwrap())
}

/// Effect and reason.
fn shown(hold: Option<&Hold>) -> (&'static str, &'static str) {
    let Some(hold) = hold else { return ("nothing", "-") };
    let effect = match hold.effect {
        Effect::Blocks => "blocks",
        Effect::Waits => "waits",
        Effect::SwitchesOff => "off",
        Effect::Limits => "limits",
        Effect::IsUnknown => "unknown",
    };
    (effect, hold.reason.as_str())
}

fn of(level: &str, word: &str, has_daily_budget: bool) -> Option<Option<Hold>> {
    match level {
        "campaign" => Some(words::of_campaign(Some(word), has_daily_budget).holds.pop()),
        _ => words::of_ad(Some(word), has_daily_budget).map(|(_, hold)| hold),
    }
}

#[test]
fn every_word_means_what_the_sheet_says() {
    for [level, field, word, reason, effect] in sheet() {
        assert_eq!(field, "secondary_status");
        for has_daily_budget in [false, true] {
            let effect = match effect {
                "blocks or waits" if has_daily_budget => "waits",
                "blocks or waits" => "blocks",
                effect => effect,
            };
            let Some(hold) = of(level, word, has_daily_budget) else {
                assert_eq!(effect, "removed", "{word}");
                continue;
            };
            assert_eq!(shown(hold.as_ref()), (effect, reason), "{level} {word}");
            assert!(hold.is_none_or(|hold| hold.word.as_deref() == Some(word)), "{word}");
        }
    }
}

#[test]
fn every_row_is_a_word_of_the_sheet_and_stands_once() {
    let of_campaign = OF_CAMPAIGN.map(|(word, _)| ("campaign", word)).to_vec();
    let mut rows = [of_campaign, OF_AD.map(|(word, _)| ("ad", word)).to_vec()].concat();
    let known = sheet().filter(|[.., effect]| *effect != "unknown").map(|[level, _, word, ..]| (level, word));
    let mut known: Vec<(&str, &str)> = known.collect();
    rows.sort_unstable();
    known.sort_unstable();
    assert_eq!(rows, known);
}

#[test]
fn an_unknown_word_is_kept_and_no_word_says_nothing_of_a_campaign() {
    let new = words::of_campaign(Some("CAMPAIGN_STATUS_NEW"), false);
    assert_eq!(new.holds, [Hold::unknown(Level::Campaign, "CAMPAIGN_STATUS_NEW")]);
    assert_eq!(words::of_campaign(None, true), Signals::default(), "its sandbox leaves the word out");
    let new = words::of_ad(Some("AD_STATUS_NEW"), false);
    assert_eq!(new, Some((AdReview::Unknown, Some(Hold::unknown(Level::Ad, "AD_STATUS_NEW")))));
    let silent = words::of_ad(None, false).unwrap().1.unwrap();
    assert_eq!((silent.effect, silent.word), (Effect::IsUnknown, None), "silence is unknown");
}

#[test]
fn the_word_of_an_ad_says_its_review_unless_another_fault_hides_it() {
    for (word, review) in [
        ("AD_STATUS_DELIVERY_OK", AdReview::Approved),
        ("AD_STATUS_REVIEW_PARTIALLY_APPROVED", AdReview::Limited),
        ("AD_STATUS_DELIVERY_AND_REAUDIT", AdReview::InReview),
        ("AD_STATUS_DELIVERY_AND_TRANSCODING_FAIL", AdReview::Unknown),
        ("AD_STATUS_REAUDIT", AdReview::InReview),
        ("AD_STATUS_PRIVACY_POLICY_REJECTED", AdReview::Rejected),
        ("AD_STATUS_ADVERTISER_AUDIT_DENY", AdReview::Unknown),
        ("AD_STATUS_CAMPAIGN_DISABLE", AdReview::Unknown),
    ] {
        assert_eq!(words::of_ad(Some(word), false).unwrap().0, review, "{word}");
    }
}

#[test]
fn a_word_says_where_its_reason_lies() {
    for (level, word, expected) in [
        ("campaign", "ADVERTISER_ACCOUNT_PUNISH", Level::Account),
        ("campaign", "CAMPAIGN_STATUS_BUDGET_EXCEED", Level::Campaign),
        ("campaign", "CAMPAIGN_STATUS_REVIEW_DISAPPROVED", Level::Ad),
        ("ad", "AD_STATUS_BALANCE_EXCEED", Level::Account),
        ("ad", "AD_STATUS_CAMPAIGN_EXCEED", Level::Campaign),
        ("ad", "AD_STATUS_DONE", Level::Ad),
    ] {
        assert_eq!(of(level, word, false).unwrap().unwrap().level, expected, "{word}");
    }
}

#[tokio::test]
async fn the_budget_of_the_campaign_decides_how_its_end_is_read() {
    let daily = PlatformCampaign { budget_period: Some(BudgetPeriod::Daily), ..manual(2) };
    let rows = [row(11, 1, "AD_STATUS_CAMPAIGN_EXCEED"), row(12, 2, "AD_STATUS_CAMPAIGN_EXCEED")];
    let fake = Fake::new(move |_| page(&rows, 1, 1));
    let report = read_of(&fake, &[manual(1), daily], false).await.unwrap();
    assert_eq!((only(&report, "1").state(), only(&report, "2").state()), (AdState::Blocked, AdState::Waiting));
}
