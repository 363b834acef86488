//! Ads and their reviews.

use super::*;
use crate::domain::{AdReview, AdState, PlatformAd, PlatformCampaign};
use crate::platforms::gamma::translate::campaign;
use crate::platforms::{AdPlatform, AdsRequest};
use serde_json::json;

/// The ads of campaigns of a kind, which this account has: id, name, state and review.
async fn read(fake: &Fake, account: &str, kind: &str, campaigns: &[u64]) -> Vec<PlatformAd> {
    let session = session(fake, account);
    let of = |id: &u64| {
        let row = json!({"campaign_id": id.to_string(), "campaign_automation_type": kind});
        campaign(&session.account, &row.to_string(), false).unwrap()
    };
    let campaigns: Vec<PlatformCampaign> = campaigns.iter().map(of).collect();
    let request = AdsRequest { campaigns: &campaigns, with_rejections: true };
    let report = Gamma.read_ads(&session, request).await.unwrap();
    campaigns.iter().flat_map(|campaign| report.of(&campaign.remote_id).unwrap().to_vec()).collect()
}

fn seen(ad: &PlatformAd) -> (&str, Option<&str>, AdState, AdReview) {
    (&ad.id, ad.name.as_deref(), ad.state(), ad.review)
}

pub(super) async fn ad_rows_with_ids_as_numbers_are_read(body: &str) {
    let fake = by_path([("/ad/get/", enveloped(body))]);
    let ads = read(&fake, "7002238017842757633", "MANUAL", &[1_728_545_382_536_225, 1_714_124_576_938_033]).await;
    let (off, unknown) = (AdState::Off, AdReview::Unknown);
    let names = [
        "AdPerson-Optimized Version 3_202203281449_2022-03-28 05:03:44",
        "1200x1200 logo_1634667070143.png_2021-10-20 10:54:51",
    ];
    let expected =
        [("1728545390695442", Some(names[0]), off, unknown), ("1714124564763650", Some(names[1]), off, unknown)];
    assert_eq!(ads.iter().map(seen).collect::<Vec<_>>(), expected);
    assert_eq!(ads[0].group_name.as_deref(), Some("AdGroupPerson"));
    assert_eq!(ads[0].group_id.as_deref(), Some("1728545385226289"));
}

pub(super) async fn smart_plus_ads_have_an_id_of_their_own(body: &str) {
    let fake = by_path([("/smart_plus/ad/get/", body.to_owned())]);
    let ads = read(&fake, "7000000000000000001", "UPGRADED_SMART_PLUS", &[1001, 1002]).await;
    let name = Some("{{ad_name}}");
    let expected = [
        ("3001", None, AdState::Blocked, AdReview::Unknown),
        ("3002", name, AdState::Waiting, AdReview::InReview),
        ("3003", name, AdState::Waiting, AdReview::InReview),
    ];
    assert_eq!(ads.iter().map(seen).collect::<Vec<_>>(), expected);
}

pub(super) async fn a_review_without_a_rejection_has_no_text(body: &str) {
    let row = json!([{"smart_plus_ad_id": "3001", "campaign_id": "1001", "secondary_status": "AD_STATUS_AUDIT_DENY"}]);
    let responses = [("/ad/review_info/", body.to_owned()), ("/ad/get/", enveloped(&row.to_string()))];
    let ads = read(&by_path(responses), "7000000000000000001", "UPGRADED_SMART_PLUS", &[1001]).await;
    assert_eq!((ads[0].review, ads[0].rejections.len()), (AdReview::Rejected, 0), "the word decides");
}

pub(super) async fn a_rejection_has_its_reason_and_the_advice(body: &str) {
    let row = json!([{"ad_id": "3001", "campaign_id": "1001", "secondary_status": "AD_STATUS_AUDIT_DENY"}]);
    let responses = [("/ad/review_info/", body.to_owned()), ("/ad/get/", enveloped(&row.to_string()))];
    let ads = read(&by_path(responses), "7000000000000000001", "MANUAL", &[1001]).await;
    let [rejection] = ads[0].rejections.as_slice() else { panic!("{ads:?}") };
    let text = rejection.text.as_deref().unwrap();
    let start = "The ad or video has no background audio or the background audio is incoherent/unclear. Please add";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(ads[0].holds[0].message.as_deref(), Some(text));
}
