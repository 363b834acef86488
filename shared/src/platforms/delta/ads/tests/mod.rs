use super::*;
use crate::domain::{AdReview, DeliveryReason, Effect, Level};
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::delta::Delta;
use crate::platforms::delta::translate::campaign;
use crate::platforms::delta::translate::tests::account;
use crate::platforms::fake::{Fake, ok};
use serde_json::{Value, json};

mod word_rows;

fn of(id: usize) -> PlatformCampaign {
    let row = json!({"id": id, "status": "ACTIVE", "servingStatuses": ["RUNNABLE"]});
    campaign(&account(), &row.to_string()).unwrap().unwrap()
}

/// A creative with further fields.
fn creative(id: u64, campaign: usize, fields: Value) -> Value {
    let mut creative = json!({"id": format!("urn:li:sponsoredCreative:{id}"),
        "campaign": format!("urn:li:sponsoredCampaign:{campaign}"), "intendedStatus": "ACTIVE", "isServing": false});
    creative.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    creative
}

fn page(rows: &[Value]) -> Value {
    json!({"elements": rows, "metadata": {}})
}

async fn read_of(fake: &Fake, campaigns: &[PlatformCampaign]) -> Result<AdsReport, Error> {
    let session = fake.session_of(Platform::Delta, account());
    Delta.read_ads(&session, AdsRequest { campaigns, with_rejections: true }).await
}

/// The only ad of campaign 1, which has one creative with these fields.
async fn only(fields: Value) -> PlatformAd {
    let body = page(&[creative(7, 1, fields)]);
    let fake = Fake::new(move |_| ok(body.clone()));
    let report = read_of(&fake, &[of(1)]).await.unwrap();
    let [ad] = report.of("1").unwrap() else { panic!("{report:?}") };
    ad.clone()
}

#[tokio::test]
async fn the_creatives_of_campaigns_are_found_page_by_page() {
    let rows = [
        creative(71, 1, json!({"isServing": true, "name": "First", "review": {"status": "APPROVED"}})),
        creative(72, 2, json!({"servingHoldReasons": ["UNDER_REVIEW"], "review": {"status": "PENDING"}})),
    ];
    let first = json!({"elements": [rows[0]], "metadata": {"nextPageToken": "a+b"}});
    let fake = Fake::answering(vec![ok(first), ok(page(&rows[1..]))]);
    let report = read_of(&fake, &[of(1), of(2), of(3)]).await.unwrap();
    let shown = |campaign: &str| {
        let [ad] = report.of(campaign).unwrap() else { panic!("{report:?}") };
        (ad.id.clone(), ad.name.clone(), ad.state(), ad.review)
    };
    assert_eq!(shown("1"), ("71".to_owned(), Some("First".to_owned()), AdState::CanRun, AdReview::Approved));
    assert_eq!(shown("2"), ("72".to_owned(), None, AdState::Waiting, AdReview::InReview));
    assert_eq!(report.of("3"), Ok([].as_slice()), "its list is whole and empty");
    let urns = [1, 2, 3].map(|id| format!("urn%3Ali%3AsponsoredCampaign%3A{id}")).join(",");
    let search = format!("/creatives?q=criteria&campaigns=List({urns})&sortOrder=ASCENDING&pageSize=100");
    let expected = format!("GET /rest/adAccounts/512345678{search}");
    let requests = fake.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.line.trim_end_matches(" HTTP/1.1")).collect();
    assert_eq!(lines, [expected.clone(), format!("{expected}&pageToken=a%2Bb")]);
    assert!(requests.iter().all(|request| request.headers.contains("x-restli-method: finder")), "{requests:?}");
}

#[tokio::test]
async fn sixty_four_campaigns_are_asked_for_at_a_time() {
    let fake = Fake::new(|_| ok(page(&[])));
    let campaigns: Vec<PlatformCampaign> = (1..=65).map(of).collect();
    let report = read_of(&fake, &campaigns).await.unwrap();
    let asked: Vec<usize> =
        fake.requests().iter().map(|request| request.line.matches("sponsoredCampaign").count()).collect();
    assert_eq!(asked, [64, 1]);
    assert!(campaigns.iter().all(|campaign| report.of(&campaign.remote_id) == Ok(&[])));
}

#[tokio::test]
async fn a_list_that_is_too_long_says_nothing_of_its_campaigns() {
    let mut pages = 0;
    let fake = Fake::new(move |_| {
        pages += 1;
        ok(json!({"elements": [creative(pages, 1, json!({}))], "metadata": {"nextPageToken": pages.to_string()}}))
    });
    assert_eq!(read_of(&fake, &[of(1)]).await.unwrap().of("1"), Err(AdsUnread::TooMany));
    assert_eq!(fake.requests().len(), 20);
}

#[tokio::test]
async fn a_creative_that_serves_can_run_whatever_its_words() {
    let serving = only(json!({"isServing": true, "servingHoldReasons": ["NEW_HOLD"]})).await;
    assert_eq!((serving.state(), serving.review), (AdState::CanRun, AdReview::Unknown));
    assert_eq!(serving.holds, [Hold::unknown(Level::Campaign, "NEW_HOLD")], "the word is kept");
}

#[tokio::test]
async fn a_creative_that_does_not_serve_is_held_by_its_words_or_its_review() {
    let unknown = only(json!({"servingHoldReasons": ["NEW_HOLD"]})).await;
    assert_eq!(unknown.state(), AdState::Blocked, "LinkedIn does not show it");
    let hold = &unknown.holds[0];
    assert_eq!((hold.reason, hold.word.as_deref()), (DeliveryReason::Other, Some("NEW_HOLD")));
    let unsaid = only(json!({"servingHoldReasons": ["NEW_HOLD"], "isServing": null})).await;
    assert_eq!(unsaid.state(), AdState::Unknown);
    for (review, state) in [
        (json!({"status": "REJECTED"}), AdState::Blocked),
        (json!({"status": "NEEDS_REVIEW"}), AdState::Waiting),
        (json!({"status": "APPROVED"}), AdState::Unknown),
        (json!(null), AdState::Unknown),
    ] {
        assert_eq!(only(json!({"review": review})).await.state(), state, "{review}");
    }
    let off = only(json!({"intendedStatus": "DRAFT", "servingHoldReasons": ["UNDER_REVIEW"]})).await;
    assert_eq!((off.state(), off.review), (AdState::Off, AdReview::Unknown), "a draft is never reviewed");
}

#[tokio::test]
async fn a_rejection_has_its_reasons() {
    let review = json!({"status": "REJECTED", "rejectionReasons": ["MISLEADING_CLAIM", "The text has an error."]});
    let ad = only(json!({"servingHoldReasons": ["REJECTED"], "review": review})).await;
    let expected =
        [Rejection::new(Some("MISLEADING_CLAIM"), None), Rejection::new(None, Some("The text has an error."))];
    assert_eq!((ad.is_rejected(), ad.state()), (true, AdState::Blocked));
    assert_eq!(ad.rejections, expected);
    assert_eq!((ad.holds.len(), ad.holds[0].effect), (1, Effect::Blocks));
}

#[tokio::test]
async fn a_failure_is_an_error_and_so_is_a_row_without_an_id() {
    let denied = include_str!("../../fixtures/errors/access-denied.json").to_owned();
    let missing = include_str!("../../fixtures/errors/not-found.json").to_owned();
    let unnamed = page(&[creative(7, 1, json!({"id": "7"}))]).to_string();
    let elsewhere = page(&[creative(7, 1, json!({"campaign": null}))]).to_string();
    for (status, body, kind) in [
        (403, denied, Kind::Forbidden),
        (404, missing, Kind::Forbidden),
        (200, unnamed, Kind::PlatformFailed),
        (200, elsewhere, Kind::PlatformFailed),
        (200, r#"{"elements":[]}"#.to_owned(), Kind::PlatformFailed),
    ] {
        let shown = body.clone();
        let fake = Fake::new(move |_| (status, body.clone()));
        assert_eq!(read_of(&fake, &[of(1)]).await.unwrap_err().kind, kind, "{shown}");
    }
}
