//! Recorded and published lists of ad groups and ads.

use super::*;
use crate::domain::{AdReview, AdState, DeliveryReason, Effect, Level, PlatformAd};
use crate::platforms::{AdsReport, AdsRequest};

/// The ads of one campaign of an account, from a list of ad groups and the pages of its ads.
async fn read(account: &str, campaign: PlatformCampaign, groups: ScriptedResponse, ads: &[&str]) -> Vec<PlatformAd> {
    let mut pages = ads.iter().map(|name| recorded(name)).collect::<Vec<_>>().into_iter();
    let fake = Fake::new(move |request| match request.line.contains("/ad_groups?") {
        true => groups.clone(),
        false => pages.next().unwrap(),
    });
    let request = AdsRequest { campaigns: std::slice::from_ref(&campaign), with_rejections: false };
    let report: AdsReport = Epsilon.read_ads(&session(&fake, account), request).await.unwrap();
    report.of(&campaign.remote_id).unwrap().to_vec()
}

#[tokio::test]
async fn a_disabled_advertiser_holds_back_its_campaigns() {
    for campaign in listed("campaigns-page.json").await.rows {
        let [hold] = campaign.signals.holds.as_slice() else { panic!("{:?}", campaign.signals) };
        assert_eq!((hold.effect, hold.reason, hold.level), (Effect::Blocks, DeliveryReason::Account, Level::Account));
        assert_eq!(hold.word.as_deref(), Some("ADVERTISER_DISABLED"));
    }
}

#[tokio::test]
async fn ad_groups_without_ads_make_no_ads() {
    let campaign = read_one("spend-empty.json").await;
    let ads = read(SEED, campaign, recorded("ad-groups-page.json"), &["ads-empty.json"]).await;
    assert!(ads.is_empty());
}

#[tokio::test]
async fn an_ad_in_review_has_no_rejections_whatever_its_example_says() {
    let campaign = PlatformCampaign { remote_id: "626735565838".into(), ..read_one("spend-empty.json").await };
    let group = recorded("ad-groups-page.json").1.replace("2680091388706", "2680059592705");
    let pages = ["ads-page-example.json", "ads-empty.json"];
    let ads = read(EXAMPLE, campaign, (200, group), &pages).await;
    let [ad] = ads.as_slice() else { panic!("{ads:?}") };
    assert_eq!((ad.id.as_str(), ad.review, ad.state()), ("687195134316", AdReview::InReview, AdState::Blocked));
    assert_eq!(ad.group_name.as_deref(), Some("Nango Seed Ad Group Keep"));
    assert!(ad.rejections.is_empty(), "its review is not REJECTED");
}
