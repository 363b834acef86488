use super::super::Zeta;
use super::super::tests::session;
use super::super::translate::campaign;
use super::*;
use crate::domain::AdState;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};

/// A word, its reason and its effect, as Reddit's OpenAPI description of the Ads API v3 explains it: `-` for none.
const OF_CAMPAIGN: &str = "
ACTIVE - nothing
PAUSED CAMPAIGN_STATUS off
CAMPAIGN_PAUSED CAMPAIGN_STATUS off
AD_GROUP_PAUSED ADS_OFF blocks
COMPLETED CAMPAIGN_STATUS off
ARCHIVED CAMPAIGN_STATUS off
DELETED CAMPAIGN_STATUS off
PENDING_APPROVAL ADS_IN_REVIEW waits
REJECTED ADS_REJECTED blocks
PENDING_BILLING_INFO BILLING blocks
PENDING_ID_VERIFICATION ACCOUNT blocks
PROCESSING PROCESSING waits";

const OF_AD: &str = "
ACTIVE - nothing
PAUSED ADS_OFF off
CAMPAIGN_PAUSED ADS_OFF off
AD_GROUP_PAUSED ADS_OFF off
COMPLETED ENDED blocks
ARCHIVED - skip
DELETED - skip
PENDING_APPROVAL ADS_IN_REVIEW waits
REJECTED ADS_REJECTED blocks
PENDING_BILLING_INFO BILLING blocks
PENDING_ID_VERIFICATION ACCOUNT blocks
PROCESSING PROCESSING waits
MISSING_PERMISSIONS ASSET blocks";

const OF_ACCOUNT: &str = "
VALID - nothing
TRUSTED - nothing
ADMIN - nothing
BANNED ACCOUNT blocks
SUSPENDED ACCOUNT blocks
NEEDS_ID_VERIFICATION ACCOUNT blocks
PENDING ACCOUNT waits
SUSPICIOUS ACCOUNT limits";

fn active(id: u64, effective: &str) -> PlatformCampaign {
    let row = json!({"id": id.to_string(), "configured_status": "ACTIVE", "effective_status": effective});
    let account = session(&Fake::unreachable()).account;
    campaign(&account, &RawValue::from_string(row.to_string()).unwrap()).unwrap()
}

fn row(effective: &str) -> Value {
    json!({"id": "9", "ad_account_id": "a2_example", "campaign_id": "5", "ad_group_id": "8", "name": "Ad",
        "configured_status": "ACTIVE", "effective_status": effective, "delivery_status": null, "rejection_reason": null})
}

fn page(rows: &[Value], next: Option<&str>) -> ScriptedResponse {
    let next = next.map(|token| format!("/api/v3/ad_accounts/a2_example/ads?page.token={token}"));
    ok(json!({"data": rows, "pagination": {"next_url": next, "previous_url": null}}))
}

fn approval(word: &str) -> ScriptedResponse {
    ok(json!({"data": {"id": "a2_example", "admin_approval": word, "suspension_reason": null}}))
}

fn is_of_ads(request: &ReceivedRequest) -> bool {
    request.line.contains("/ads?")
}

async fn report(fake: &Fake, campaigns: &[PlatformCampaign]) -> Result<AdsReport, Error> {
    Zeta.read_ads(&session(fake), AdsRequest { campaigns, with_rejections: true }).await
}

/// The only ad of campaign 5.
async fn read(row: Value) -> PlatformAd {
    let fake = Fake::new(
        move |request| {
            if is_of_ads(request) { page(std::slice::from_ref(&row), None) } else { approval("VALID") }
        },
    );
    let report = report(&fake, &[active(5, "ACTIVE")]).await.unwrap();
    assert!(report.account.is_empty());
    report.of("5").unwrap()[0].clone()
}

/// What Reddit holds against an account.
async fn of_account(account: Value) -> Vec<Hold> {
    let fake =
        Fake::new(move |request| if is_of_ads(request) { page(&[], None) } else { ok(json!({ "data": account })) });
    report(&fake, &[active(5, "ACTIVE")]).await.unwrap().account
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
            ("limits", Some([hold])) => (hold, Effect::Limits),
            _ => panic!("{line}: {holds:?}"),
        };
        assert_eq!((meant.0.effect, meant.0.reason.as_str(), meant.0.word.as_deref()), (meant.1, reason, Some(word)));
    }
}

#[test]
fn each_word_of_a_campaign_an_ad_and_an_account_has_its_meaning() {
    walk(OF_CAMPAIGN, |word| Some(active(5, word).signals.holds));
    walk(OF_AD, |word| words::of_ad(Some(word)));
    walk(OF_ACCOUNT, |word| Some(words::of_account(word)));
}

#[test]
fn an_unknown_word_is_kept_at_each_level() {
    let kept = |holds: Vec<Hold>, level| assert_eq!(holds, [Hold::unknown(level, "NEW_WORD")]);
    kept(active(5, "NEW_WORD").signals.holds, Level::Campaign);
    kept(words::of_ad(Some("NEW_WORD")).unwrap(), Level::Ad);
    kept(words::of_account("NEW_WORD"), Level::Account);
    let silent = words::of_ad(None).unwrap();
    assert_eq!((silent[0].effect, &silent[0].word), (Effect::IsUnknown, &None), "no word is no permission");
}

#[test]
fn a_campaigns_word_lies_where_it_is_to_be_mended() {
    let levels = [
        ("AD_GROUP_PAUSED", Level::Ad),
        ("REJECTED", Level::Ad),
        ("PENDING_ID_VERIFICATION", Level::Account),
        ("PENDING_BILLING_INFO", Level::Campaign),
    ];
    for (word, level) in levels {
        assert_eq!(active(5, word).signals.holds[0].level, level, "{word}");
    }
}

#[tokio::test]
async fn the_ads_of_campaigns_and_the_account_are_one_read_each() {
    let fake = Fake::new(|request| if is_of_ads(request) { page(&[], None) } else { approval("VALID") });
    let read = report(&fake, &[active(5, "ACTIVE"), active(6, "ACTIVE")]).await.unwrap();
    assert_eq!((read.of("5"), read.of("6")), (Ok([].as_slice()), Ok([].as_slice())));
    let mut lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    lines.sort();
    let base = "GET /api/v3/ad_accounts/a2_example";
    assert_eq!(
        lines,
        [format!("{base} HTTP/1.1"), format!("{base}/ads?campaign_id=5,6&page.size=100 HTTP/1.1")],
        "ids are parted by commas, as Reddit's example has them"
    );
}

#[tokio::test]
async fn an_ad_has_the_state_and_the_review_that_its_word_says() {
    for (word, state, review) in [
        ("ACTIVE", AdState::CanRun, AdReview::Approved),
        ("PAUSED", AdState::Off, AdReview::Unknown),
        ("PENDING_APPROVAL", AdState::Waiting, AdReview::InReview),
        ("REJECTED", AdState::Blocked, AdReview::Rejected),
        ("MISSING_PERMISSIONS", AdState::Blocked, AdReview::Unknown),
        ("NEW_WORD", AdState::Unknown, AdReview::Unknown),
    ] {
        let ad = read(row(word)).await;
        assert_eq!((ad.state(), ad.review), (state, review), "{word}");
        assert_eq!((ad.id.as_str(), ad.name.as_deref(), ad.group_id.as_deref()), ("9", Some("Ad"), Some("8")));
    }
}

#[tokio::test]
async fn remarks_count_where_their_word_is_known() {
    let with = |remarks: Value| {
        let mut row = row("ACTIVE");
        row["delivery_status"] = remarks;
        read(row)
    };
    let in_review = with(json!(["PENDING_REVIEW"])).await;
    assert_eq!((in_review.state(), in_review.review), (AdState::Waiting, AdReview::InReview));
    assert_eq!(with(json!(["AD_GROUP_PAUSED"])).await.state(), AdState::Off);
    for silent in [json!(["AD_GROUP_IN_LIMITED_LEARNING", "NEW", "DELETED"]), json!([]), json!("ACTIVE"), json!([7])] {
        let ad = with(silent.clone()).await;
        assert_eq!((ad.state(), ad.holds.len()), (AdState::CanRun, 0), "{silent}");
    }
    let mut same = row("PAUSED");
    same["delivery_status"] = json!(["PAUSED", "CAMPAIGN_PAUSED"]);
    let words: Vec<Option<String>> = read(same).await.holds.into_iter().map(|hold| hold.word).collect();
    assert_eq!(words, [Some("PAUSED".to_owned()), Some("CAMPAIGN_PAUSED".to_owned())], "each once");
}

#[tokio::test]
async fn a_rejection_has_its_code_while_the_ad_is_rejected() {
    let mut rejected = row("REJECTED");
    rejected["rejection_reason"] = json!("GAMBLING");
    let ad = read(rejected.clone()).await;
    let words: Vec<Option<&str>> = ad.holds.iter().map(|hold| hold.word.as_deref()).collect();
    assert_eq!(ad.rejections, [Rejection::new(Some("GAMBLING"), None)]);
    assert_eq!((ad.state(), words), (AdState::Blocked, vec![Some("REJECTED"), Some("GAMBLING")]));
    rejected["effective_status"] = json!("ACTIVE");
    let approved = read(rejected).await;
    assert_eq!((approved.state(), approved.review), (AdState::CanRun, AdReview::Approved));
    assert!(approved.rejections.is_empty(), "it may be of an earlier review");
}

#[tokio::test]
async fn an_account_is_held_by_its_approval_and_the_reason_of_a_suspension() {
    let suspended = of_account(json!({"admin_approval": "SUSPENDED", "suspension_reason": "FRAUD"})).await;
    let words: Vec<Option<&str>> = suspended.iter().map(|hold| hold.word.as_deref()).collect();
    assert_eq!(words, [Some("SUSPENDED"), Some("FRAUD")]);
    assert!(suspended.iter().all(|hold| (hold.effect, hold.level) == (Effect::Blocks, Level::Account)));
    let earlier = of_account(json!({"admin_approval": "VALID", "suspension_reason": "FRAUD"})).await;
    assert!(earlier.is_empty(), "a valid account is not suspended");
    assert!(of_account(json!({"id": "a2_example"})).await.is_empty(), "its campaigns and ads have words of their own");
}

#[tokio::test]
async fn many_campaigns_are_read_in_parts_and_pages_to_the_end() {
    let campaigns: Vec<PlatformCampaign> = (1..=201).map(|id| active(id, "ACTIVE")).collect();
    let fake = Fake::new(|request| match (is_of_ads(request), request.line.contains("page.token=t")) {
        (false, _) => approval("VALID"),
        (true, false) => page(&[row("ACTIVE")], Some("t")),
        (true, true) => page(&[row("PAUSED")], None),
    });
    let read = report(&fake, &campaigns).await.unwrap();
    assert_eq!(read.of("5").map(<[PlatformAd]>::len), Ok(4), "two pages for each of two parts");
    assert_eq!(read.of("201"), Ok([].as_slice()));
    let requests = fake.requests();
    let ids = |request: &ReceivedRequest| request.line.matches(',').count() + 1;
    let mut parts: Vec<usize> = requests.iter().filter(|request| is_of_ads(request)).map(ids).collect();
    parts.sort_unstable();
    assert_eq!(parts, [1, 1, 200, 200]);
}

#[tokio::test]
async fn a_list_that_is_too_long_leaves_what_is_held_against_the_account() {
    let fake = Fake::new(|request| {
        if !is_of_ads(request) {
            return approval("SUSPICIOUS");
        }
        let at = request.line.split("page.token=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("0");
        let next = at.parse::<usize>().unwrap() + 1;
        page(&[row("ACTIVE")], Some(&next.to_string()))
    });
    let read = report(&fake, &[active(5, "ACTIVE")]).await.unwrap();
    assert_eq!(read.of("5"), Err(AdsUnread::TooMany));
    assert_eq!((read.account.len(), read.account[0].effect), (1, Effect::Limits));
}

#[tokio::test]
async fn a_read_that_fails_is_no_report() {
    let missing = r#"{"error":{"code":404,"message":"The specified resource was not found"}}"#;
    for of_ads in [true, false] {
        let fake = Fake::new(move |request| match (is_of_ads(request) == of_ads, of_ads) {
            (true, _) => (404, missing.to_owned()),
            (false, true) => approval("VALID"),
            (false, false) => page(&[], None),
        });
        let error = report(&fake, &[active(5, "ACTIVE")]).await.unwrap_err();
        assert_eq!(error.kind, Kind::Forbidden, "it is the ad account that is not found");
    }
    let fake =
        Fake::new(|request| if is_of_ads(request) { page(&[json!({"id": "9"})], None) } else { approval("VALID") });
    let error = report(&fake, &[active(5, "ACTIVE")]).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "without a row the list is not whole");
}
