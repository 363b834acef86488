use super::super::Epsilon;
use super::super::tests::support::{campaign, session};
use super::super::translate::found;
use super::*;
use crate::domain::{AdDelivery, AdState, DeliveryState, Effect};
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};

/// A word, its reason and its effect, as Pinterest's OpenAPI description 5.23.0 explains it: `-` for none.
const OF_CAMPAIGN: &str = "
RUNNING - nothing
PAUSED CAMPAIGN_STATUS off
DRAFT CAMPAIGN_STATUS off
NOT_STARTED NOT_STARTED waits
COMPLETED CAMPAIGN_STATUS off
ADVERTISER_DISABLED ACCOUNT blocks
ARCHIVED CAMPAIGN_STATUS off
DELETED_DRAFT CAMPAIGN_STATUS off";

const OF_GROUP: &str = "
RUNNING - nothing
PAUSED ADS_OFF off
DRAFT ADS_OFF off
NOT_STARTED NOT_STARTED waits
COMPLETED ENDED blocks
ADVERTISER_DISABLED ACCOUNT blocks
ARCHIVED - skip
DELETED_DRAFT - skip";

const OF_AD: &str = "
APPROVED - nothing
PAUSED ADS_OFF off
DRAFT ADS_OFF off
PENDING ADS_IN_REVIEW waits
REJECTED ADS_REJECTED blocks
ADVERTISER_DISABLED ACCOUNT blocks
ARCHIVED - skip
DELETED_DRAFT - skip";

fn active(id: u64, summary: &str, objective: &str) -> PlatformCampaign {
    let mut row = campaign(id, "ACTIVE");
    row["summary_status"] = json!(summary);
    row["objective_type"] = json!(objective);
    let session = session(&Fake::unreachable());
    found(&session.account, &row.to_string(), session.call.now).unwrap().unwrap()
}

fn group(id: &str, summary: &str) -> Value {
    json!({"id": id, "campaign_id": "5", "name": "Group", "summary_status": summary, "status": "ACTIVE"})
}

fn row(id: &str, summary: &str, review: &str) -> Value {
    json!({"id": id, "ad_account_id": "549755885175", "campaign_id": "5", "ad_group_id": "8", "name": "Ad",
        "status": "ACTIVE", "summary_status": summary, "review_status": review})
}

fn page(rows: &[Value]) -> ScriptedResponse {
    ok(json!({"items": rows, "bookmark": null}))
}

fn is_of_groups(request: &ReceivedRequest) -> bool {
    request.line.contains("/ad_groups?")
}

async fn report(fake: &Fake, campaigns: &[PlatformCampaign]) -> Result<AdsReport, Error> {
    Epsilon.read_ads(&session(fake), AdsRequest { campaigns, with_rejections: true }).await
}

/// The ads of campaign 5 with these rows.
async fn ads_of(groups: Vec<Value>, ads: Vec<Value>) -> Vec<PlatformAd> {
    let fake = Fake::new(move |request| page(if is_of_groups(request) { &groups } else { &ads }));
    report(&fake, &[active(5, "RUNNING", "AWARENESS")]).await.unwrap().of("5").unwrap().to_vec()
}

/// Walks a table: the reason and the effect of what a word holds; nothing for one that holds nothing, `None` for a removed
/// thing.
fn walk(table: &str, said: impl Fn(&str) -> Option<Vec<Hold>>) {
    for line in table.trim().lines() {
        let [word, reason, effect] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let holds = said(word);
        let meant = match (effect, holds.as_deref()) {
            ("skip", None) | ("nothing", Some([])) => continue,
            ("off", Some([hold])) => (hold, Effect::SwitchesOff),
            ("waits", Some([hold])) => (hold, Effect::Waits),
            ("blocks", Some([hold])) => (hold, Effect::Blocks),
            _ => panic!("{line}: {holds:?}"),
        };
        assert_eq!((meant.0.effect, meant.0.reason.as_str(), meant.0.word.as_deref()), (meant.1, reason, Some(word)));
    }
}

#[test]
fn each_word_of_a_campaign_an_ad_group_and_an_ad_has_its_meaning() {
    walk(OF_CAMPAIGN, |word| Some(active(5, word, "AWARENESS").signals.holds));
    walk(OF_GROUP, |word| words::of_group(Some(word)));
    walk(OF_AD, |word| words::of_ad(Some(word)));
    for (word, review) in [
        (Some("APPROVED"), AdReview::Approved),
        (Some("REJECTED"), AdReview::Rejected),
        (Some("PENDING"), AdReview::InReview),
        (Some("OTHER"), AdReview::Unknown),
        (Some("NEW"), AdReview::Unknown),
        (None, AdReview::Unknown),
    ] {
        assert_eq!(words::review(word), review, "{word:?}");
    }
}

#[test]
fn an_unknown_word_is_kept_at_each_level() {
    let kept = |holds: Option<Vec<Hold>>, level| assert_eq!(holds, Some(vec![Hold::unknown(level, "NEW_WORD")]));
    kept(Some(active(5, "NEW_WORD", "AWARENESS").signals.holds), Level::Campaign);
    kept(words::of_group(Some("NEW_WORD")), Level::Ad);
    kept(words::of_ad(Some("NEW_WORD")), Level::Ad);
    let silent = words::of_ad(None).unwrap();
    assert_eq!((silent[0].effect, &silent[0].word), (Effect::IsUnknown, &None), "no word is no permission");
}

#[tokio::test]
async fn two_lists_are_read_with_one_filter_of_ids_each() {
    let fake = Fake::new(|_| page(&[]));
    report(&fake, &[active(5, "RUNNING", "AWARENESS"), active(6, "RUNNING", "LEADS")]).await.unwrap();
    let mut lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    lines.sort();
    let base = "GET /v5/ad_accounts/549755885175";
    let [of_groups, of_ads] = [
        "ad_groups?campaign_ids=5&campaign_ids=6&entity_statuses=ACTIVE&entity_statuses=PAUSED&entity_statuses=DRAFT\
         &entity_statuses=ARCHIVED&page_size=250",
        "ads?campaign_ids=5&campaign_ids=6&entity_statuses=ACTIVE&entity_statuses=PAUSED&entity_statuses=DRAFT\
         &page_size=250",
    ];
    assert_eq!(lines, [of_groups, of_ads].map(|query| format!("{base}/{query} HTTP/1.1")));
}

#[tokio::test]
async fn an_approved_ad_runs_if_its_ad_group_does() {
    let cases = [
        ("RUNNING", AdState::CanRun),
        ("PAUSED", AdState::Off),
        ("NOT_STARTED", AdState::Waiting),
        ("COMPLETED", AdState::Blocked),
        ("NEW_WORD", AdState::Unknown),
    ];
    for (summary, state) in cases {
        let ads = ads_of(vec![group("8", summary)], vec![row("9", "APPROVED", "APPROVED")]).await;
        assert_eq!((ads[0].state(), ads[0].review), (state, AdReview::Approved), "{summary}");
        assert_eq!((ads[0].group_id.as_deref(), ads[0].group_name.as_deref()), (Some("8"), Some("Group")));
        assert_eq!((ads[0].id.as_str(), ads[0].name.as_deref(), ads[0].campaign.as_str()), ("9", Some("Ad"), "5"));
    }
    let ads = ads_of(vec![group("7", "RUNNING")], vec![row("9", "APPROVED", "APPROVED")]).await;
    assert_eq!(ads[0].state(), AdState::Unknown, "nothing says that its own ad group runs");
}

#[tokio::test]
async fn ads_that_are_removed_with_or_without_their_group_are_left_out() {
    let archived = vec![row("9", "ARCHIVED", "APPROVED"), row("10", "DELETED_DRAFT", "OTHER")];
    assert!(ads_of(vec![group("8", "RUNNING")], archived).await.is_empty());
    assert!(ads_of(vec![group("8", "ARCHIVED")], vec![row("9", "APPROVED", "APPROVED")]).await.is_empty());
}

#[tokio::test]
async fn a_rejection_has_its_codes_and_its_texts() {
    let rejected = |codes: Value, texts: Value| {
        let mut row = row("9", "REJECTED", "REJECTED");
        (row["rejected_reasons"], row["rejection_labels"]) = (codes, texts);
        ads_of(vec![group("8", "RUNNING")], vec![row])
    };
    let ads = rejected(json!(["HASHTAGS"]), json!(["Too many\nhashtags"])).await;
    let text = "Too many hashtags";
    assert_eq!((ads[0].state(), ads[0].review), (AdState::Blocked, AdReview::Rejected));
    assert_eq!(ads[0].rejections, [Rejection::new(Some("HASHTAGS"), Some(text))]);
    assert_eq!(ads[0].holds[0].message.as_deref(), Some(text));
    let apart = rejected(json!(["HASHTAGS", "URGENCY"]), json!([text])).await;
    let expected = [
        Rejection::new(Some("HASHTAGS"), None),
        Rejection::new(Some("URGENCY"), None),
        Rejection::new(None, Some(text)),
    ];
    assert_eq!(apart[0].rejections, expected, "which of them the text explains is not known");
    let silent = rejected(Value::Null, json!(7)).await;
    assert_eq!((silent[0].review, silent[0].rejections.len()), (AdReview::Rejected, 0));
}

#[tokio::test]
async fn an_empty_list_proves_nothing_for_campaigns_of_a_catalog() {
    for objective in ["SALES", "CATALOG_SALES"] {
        let campaigns = [active(5, "RUNNING", objective), active(6, "RUNNING", "AWARENESS")];
        let fake = Fake::new(|_| page(&[]));
        let empty = report(&fake, &campaigns).await.unwrap();
        assert_eq!((empty.of("5"), empty.of("6")), (Err(AdsUnread::NotOffered), Ok([].as_slice())), "{objective}");
        let ad = row("9", "APPROVED", "APPROVED");
        let fake =
            Fake::new(move |request| page(&[if is_of_groups(request) { group("8", "RUNNING") } else { ad.clone() }]));
        let read = report(&fake, &campaigns).await.unwrap();
        assert_eq!(read.of("5").map(<[PlatformAd]>::len), Ok(1), "{objective}");
    }
}

#[tokio::test]
async fn many_campaigns_are_read_in_parts_and_pages_to_the_end() {
    let campaigns: Vec<PlatformCampaign> = (1..=120).map(|id| active(id, "RUNNING", "AWARENESS")).collect();
    let fake = Fake::new(|request| {
        if is_of_groups(request) {
            return page(&[group("8", "RUNNING")]);
        }
        let next = (!request.line.contains("bookmark=")).then_some("b&c");
        let ad = row(if next.is_some() { "9" } else { "10" }, "APPROVED", "APPROVED");
        ok(json!({"items": [ad], "bookmark": next}))
    });
    let read = report(&fake, &campaigns).await.unwrap();
    assert_eq!(read.of("120"), Ok([].as_slice()));
    assert_eq!(read.of("5").map(<[PlatformAd]>::len), Ok(4), "two pages for each of two parts");
    let ids = |request: ReceivedRequest| request.line.matches("campaign_ids=").count();
    let mut parts: Vec<usize> = fake.requests().into_iter().map(ids).collect();
    parts.sort_unstable();
    assert_eq!(parts, [20, 20, 20, 100, 100, 100]);
}

#[tokio::test]
async fn a_list_that_is_too_long_says_nothing_of_any_ad() {
    let fake = Fake::new(|request| {
        if !is_of_groups(request) {
            return page(&[row("9", "APPROVED", "APPROVED")]);
        }
        let at = request.line.split("bookmark=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("0");
        let next: usize = at.parse::<usize>().unwrap() + 1;
        ok(json!({"items": [group("8", "RUNNING")], "bookmark": next.to_string()}))
    });
    let read = report(&fake, &[active(5, "RUNNING", "AWARENESS")]).await.unwrap();
    assert_eq!(read.of("5"), Err(AdsUnread::TooMany));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_fails_the_list() {
    for broken in [json!({"id": "9"}), json!({"id": 9, "campaign_id": "5"}), json!([])] {
        let fake =
            Fake::new(move |request| page(if is_of_groups(request) { &[] } else { std::slice::from_ref(&broken) }));
        let error = report(&fake, &[active(5, "RUNNING", "AWARENESS")]).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    }
    let missing = |_: &ReceivedRequest| (404, r#"{"code":2,"message":"AdAccount not found."}"#.to_owned());
    let error = report(&Fake::new(missing), &[active(5, "RUNNING", "AWARENESS")]).await.unwrap_err();
    assert_eq!(error.kind, Kind::Forbidden, "it is the ad account that is not found");
}

#[tokio::test]
async fn a_disabled_advertiser_blocks_whatever_its_ads_say() {
    let campaign = active(5, "ADVERTISER_DISABLED", "AWARENESS");
    let fake = Fake::new(|request| {
        let disabled = row("9", "ADVERTISER_DISABLED", "APPROVED");
        page(&[if is_of_groups(request) { group("8", "ADVERTISER_DISABLED") } else { disabled }])
    });
    let read = report(&fake, std::slice::from_ref(&campaign)).await.unwrap();
    let ads = read.of("5");
    assert_eq!(ads.unwrap()[0].holds.len(), 1, "the ad and its ad group say the same");
    let judged = AdDelivery::of(campaign.status, &read.account, &campaign.signals, ads);
    let reasons: Vec<_> =
        judged.reasons.iter().map(|group| (group.reason.as_str(), group.level, group.count)).collect();
    assert_eq!(judged.state, DeliveryState::Blocked);
    assert_eq!(reasons, [("ACCOUNT", Level::Account, None)], "the ad repeats what is held against the account");
}
