//! Every word of the platform, as `words.txt` has it from the platform's pages.

use super::*;
use words::{INTENTS, OF_CAMPAIGN, OF_CREATIVE, REVIEWS};

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

fn of_campaign(status: CampaignStatus, word: &str) -> Option<Hold> {
    words::of_campaign(status, &[word.to_owned()]).holds.pop()
}

#[test]
fn every_word_means_what_the_sheet_says() {
    for [level, field, word, reason, effect] in sheet() {
        let hold = match (level, field) {
            ("campaign", "servingStatuses") if effect == "off, or OTHER" => {
                let active = of_campaign(CampaignStatus::Active, word);
                assert_eq!(shown(active.as_ref()), ("blocks", "OTHER"), "{word}");
                let paused = of_campaign(CampaignStatus::Paused, word);
                assert_eq!(shown(paused.as_ref()), ("off", reason), "{word}");
                continue;
            }
            ("campaign", "servingStatuses") => of_campaign(CampaignStatus::Active, word),
            ("ad", "servingHoldReasons") => Some(words::of_creative(word, Some(false))),
            ("ad", "review.status") => {
                assert_eq!(words::of_review(Some(word)).as_str(), effect, "{word}");
                continue;
            }
            ("ad", "intendedStatus") => match words::of_intent(Some(word)) {
                Some(hold) => {
                    let effect_of = |hold: Option<&Hold>| shown(hold).0;
                    assert_eq!(effect_of(hold.as_ref()), effect, "{word}");
                    assert!(hold.is_none_or(|hold| hold.reason == DeliveryReason::AdsOff));
                    continue;
                }
                None => {
                    assert_eq!(effect, "removed", "{word}");
                    continue;
                }
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(hold.as_ref()), (effect, reason), "{field} {word}");
        assert!(hold.is_none_or(|hold| hold.word.as_deref() == Some(word)), "{word}");
    }
}

#[test]
fn every_row_is_a_word_of_the_sheet_and_stands_once() {
    let names = |table: &[(&'static str, Effect, DeliveryReason, Level)]| -> Vec<&str> {
        table.iter().map(|(word, ..)| *word).collect()
    };
    let of_creative = [names(&OF_CAMPAIGN), names(&OF_CREATIVE)].concat();
    let intents = INTENTS.map(|(word, _)| word).to_vec();
    let reviews = REVIEWS.map(|(word, _)| word).to_vec();
    for (field, mut rows) in
        [("servingHoldReasons", of_creative), ("intendedStatus", intents), ("review.status", reviews)]
    {
        let mut words: Vec<&str> = sheet().filter(|[_, its, ..]| *its == field).map(|[_, _, word, ..]| word).collect();
        rows.retain(|word| *word != "BILLING_HOLD");
        rows.sort_unstable();
        words.sort_unstable();
        assert_eq!(rows, words, "{field}");
    }
}

#[test]
fn a_word_says_where_its_reason_lies() {
    for (word, level) in [
        ("CAMPAIGN_GROUP_STATUS_HOLD", Level::Parent),
        ("CAMPAIGN_AUDIENCE_COUNT_HOLD", Level::Campaign),
        ("ACCOUNT_END_DATE_HOLD", Level::Account),
        ("CAMPAIGN_GROUP_NEW_HOLD", Level::Parent),
        ("ACCOUNT_NEW_HOLD", Level::Account),
        ("NEW_HOLD", Level::Campaign),
    ] {
        assert_eq!(of_campaign(CampaignStatus::Active, word).unwrap().level, level, "{word}");
    }
}

#[test]
fn an_unknown_word_holds_a_campaign_back_unless_it_is_runnable() {
    let words = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        words::of_campaign(CampaignStatus::Active, &words).holds
    };
    let new = |effect| vec![Hold { effect, ..Hold::unknown(Level::Campaign, "NEW_HOLD") }];
    assert_eq!(words(&["NEW_HOLD"]), new(Effect::Blocks));
    assert_eq!(words(&["RUNNABLE", "NEW_HOLD"]), new(Effect::IsUnknown));
    assert_eq!(words(&[]), [], "silence");
    let billing = of_campaign(CampaignStatus::Active, "BILLING_HOLD");
    assert_eq!(shown(billing.as_ref()), ("blocks", "BILLING"));
}
