//! What answers say of ads.

use super::{body, session};
use crate::domain::{AdReview, AdState, PlatformAd};
use crate::platforms::beta::Beta;
use crate::platforms::fake::ok;
use crate::platforms::{AdPlatform, AdsRequest};
use serde_json::{Value, json};

pub(super) const REPLAYED: &[&str] = &[WITH_ISSUES, FEEDBACK];

/// Of v3.2, one ad, read by its id; the type of the issue is newer.
const WITH_ISSUES: &str = "ad-with-issues.json";
/// Of 2017, two fields of an ad.
const FEEDBACK: &str = "ad-review-feedback.json";

/// The ad that a list of one campaign gives for a published ad, which has the ids of its place.
async fn listed(name: &str) -> PlatformAd {
    let mut row: Value = serde_json::from_str(&body(name)).unwrap();
    (row["id"], row["campaign_id"]) = (json!("70"), json!("7"));
    let campaign = ok(json!({"id": "7", "account_id": "1", "status": "ACTIVE"}));
    let campaign = Beta.read_campaign(&session("1", "USD", campaign, ok(json!({}))), "7").await.unwrap();
    let session = session("1", "USD", ok(json!({"data": [row], "account_status": 1})), ok(json!({})));
    let request = AdsRequest { campaigns: &[campaign], with_rejections: true };
    let report = Beta.read_ads(&session, request).await.unwrap();
    let [ad] = report.of("7").unwrap() else { panic!("{name} is not one ad") };
    ad.clone()
}

#[tokio::test]
async fn the_published_issue_is_told_and_has_no_type() {
    let ad = listed(WITH_ISSUES).await;
    assert_eq!((ad.state(), ad.review, ad.holds.len()), (AdState::CanRun, AdReview::Unknown, 1));
    assert_eq!(ad.holds[0].word.as_deref(), Some("1815869"));
    assert!(ad.holds[0].message.as_deref().unwrap().starts_with("The Facebook post associated with your ad is not"));
}

#[tokio::test]
async fn the_published_feedback_is_the_reason_of_a_rejection() {
    let ad = listed(FEEDBACK).await;
    assert_eq!((ad.state(), ad.review), (AdState::Blocked, AdReview::Rejected));
    assert_eq!(ad.rejections[0].code.as_deref(), Some("HOUSING_OR_CREDIT"));
    let text = ad.rejections[0].text.as_deref().unwrap();
    assert!(text.starts_with("It looks like your ad may be for housing, employment or credit"), "{text}");
    assert_eq!((text.chars().count(), ad.holds[0].message.as_deref()), (300, Some(text)), "a longer one is cut");
}
