mod words;

use super::*;
use crate::domain::DeliveryState;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::alpha::{Alpha, translate};
use crate::platforms::fake::{Fake, ok};
use crate::platforms::fixtures;
use serde_json::{Value, json};

/// What a row says of an ad.
struct AdRow {
    state: Value,
    reasons: Value,
    policy: Value,
}

impl Default for AdRow {
    fn default() -> AdRow {
        AdRow { state: json!("ELIGIBLE"), reasons: json!([]), policy: json!({}) }
    }
}

impl AdRow {
    fn json(&self, campaign: u32, id: u32) -> Value {
        let AdRow { state, reasons, policy } = self;
        json!({"campaign": {"resourceName": "x", "id": campaign.to_string()},
            "adGroup": {"resourceName": "x", "id": "5", "name": "Group"},
            "adGroupAd": {"resourceName": "x", "status": "ENABLED", "ad": {"resourceName": "x", "id": id.to_string()},
                "primaryStatus": state, "primaryStatusReasons": reasons, "policySummary": policy}})
    }
}

fn ad_of(row: &AdRow) -> Option<PlatformAd> {
    ad(&row.json(7, 70).to_string()).unwrap()
}

fn campaign(id: u32, channel: &str) -> PlatformCampaign {
    let row = json!({"campaign": {"id": id.to_string(), "status": "ENABLED", "advertisingChannelType": channel}});
    translate::campaign(&fixtures::account(Platform::Alpha, "EUR", "Europe/Berlin"), &row.to_string()).unwrap()
}

async fn read_of(fake: &Fake, campaigns: &[PlatformCampaign]) -> Result<AdsReport, Error> {
    Alpha.read_ads(&fake.session(), AdsRequest { campaigns, with_rejections: true }).await
}

fn ids(report: &AdsReport, campaign: &str) -> Result<Vec<String>, AdsUnread> {
    report.of(campaign).map(|ads| ads.iter().map(|ad| ad.id.clone()).collect())
}

#[tokio::test]
async fn the_ads_of_several_campaigns_are_one_search() {
    let row = AdRow::default();
    let rows =
        json!({"results": [row.json(7, 70), row.json(8, 80), row.json(7, 71), row.json(6, 60)], "fieldMask": "x"});
    let fake = Fake::answering(vec![ok(rows)]);
    let campaigns = [campaign(9, "SEARCH"), campaign(8, "DISPLAY"), campaign(7, "SEARCH")];
    let report = read_of(&fake, &campaigns).await.unwrap();
    assert_eq!(ids(&report, "7"), Ok(vec!["70".into(), "71".into()]));
    assert_eq!(ids(&report, "8"), Ok(vec!["80".into()]));
    assert_eq!(ids(&report, "9"), Ok(vec![]), "the search is whole, so it has none");
    assert_eq!(ids(&report, "6"), Err(AdsUnread::NotRead), "it was not asked for");
    assert_eq!(report.account, [], "the campaigns' own rows have it");
    let requests = fake.requests();
    assert_eq!(
        (requests.len(), requests[0].line.split(' ').nth(1)),
        (1, Some("/v26/customers/1234567890/googleAds:search"))
    );
    let query = requests[0].body["query"].as_str().unwrap();
    let expected = " FROM ad_group_ad WHERE campaign.id IN (9, 8, 7) AND ad_group.status != 'REMOVED' \
                    AND ad_group_ad.status != 'REMOVED'";
    assert!(query.ends_with(expected), "{query}");
    for field in [
        "campaign.id",
        "ad_group.id",
        "ad_group.name",
        "ad_group_ad.ad.id",
        "ad_group_ad.ad.name",
        "ad_group_ad.status",
        "ad_group_ad.primary_status",
        "ad_group_ad.primary_status_reasons",
        "ad_group_ad.policy_summary.review_status",
        "ad_group_ad.policy_summary.approval_status",
        "ad_group_ad.policy_summary.policy_topic_entries",
    ] {
        assert!(query.replace(" FROM", ",").contains(&format!(" {field},")), "{field} in {query}");
    }
}

#[tokio::test]
async fn performance_max_has_no_ads_that_could_be_read() {
    let fake = Fake::answering(vec![ok(json!({"fieldMask": "x"}))]);
    let campaigns = [campaign(9, "PERFORMANCE_MAX"), campaign(8, "SEARCH")];
    let report = read_of(&fake, &campaigns).await.unwrap();
    assert_eq!((ids(&report, "9"), ids(&report, "8")), (Err(AdsUnread::NotOffered), Ok(vec![])));
    assert!(fake.requests()[0].body["query"].as_str().unwrap().contains("campaign.id IN (8) "));
    let report = read_of(&fake, &campaigns[..1]).await.unwrap();
    assert_eq!((ids(&report, "9"), fake.requests().len()), (Err(AdsUnread::NotOffered), 1), "there is nothing to ask");
}

#[tokio::test]
async fn too_many_ads_are_not_read_in_part() {
    let row = AdRow::default().json(8, 80);
    let fake = Fake::new(move |request| {
        let page = request.body["pageToken"].as_str().map_or(1, |token| token.parse::<u32>().unwrap() + 1);
        ok(json!({"results": [row], "nextPageToken": page.to_string()}))
    });
    let report = read_of(&fake, &[campaign(9, "PERFORMANCE_MAX"), campaign(8, "SEARCH")]).await.unwrap();
    assert_eq!((ids(&report, "8"), ids(&report, "9")), (Err(AdsUnread::TooMany), Err(AdsUnread::NotOffered)));
    assert_eq!(fake.requests().len(), 20);
}

#[tokio::test]
async fn a_list_without_one_of_its_ads_is_a_failure() {
    let good = AdRow::default().json(8, 80);
    let without = |pointer: &str| {
        let mut row = good.clone();
        *row.pointer_mut(pointer).unwrap() = json!(null);
        json!({"results": [good, row], "fieldMask": "x"})
    };
    for body in [without("/campaign/id"), without("/adGroupAd/ad/id"), without("/adGroupAd"), json!({})] {
        let fake = Fake::answering(vec![ok(body.clone())]);
        assert_eq!(read_of(&fake, &[campaign(8, "SEARCH")]).await.unwrap_err().kind, Kind::PlatformFailed, "{body}");
    }
}

#[test]
fn a_rejected_ad_names_the_policies_that_hold_it_back() {
    let policy = json!({"approvalStatus": "DISAPPROVED", "reviewStatus": "REVIEWED", "policyTopicEntries": [
        {"topic": "DESTINATION_NOT_WORKING", "type": "PROHIBITED"}, {"topic": "ALCOHOL", "type": "DESCRIPTIVE"},
        {"topic": "A_NEW_ONE", "type": "FUTURE"}, {"type": "PROHIBITED"}]});
    let reasons = json!(["AD_GROUP_AD_DISAPPROVED"]);
    let ad = ad_of(&AdRow { state: json!("NOT_ELIGIBLE"), reasons, policy: policy.clone() }).unwrap();
    let codes: Vec<Option<&str>> = ad.rejections.iter().map(|rejection| rejection.code.as_deref()).collect();
    assert_eq!(codes, [Some("DESTINATION_NOT_WORKING"), Some("A_NEW_ONE")]);
    assert_eq!(ad.holds[0].message.as_deref(), Some("DESTINATION_NOT_WORKING, A_NEW_ONE"));
    assert_eq!((ad.campaign.as_str(), ad.id.as_str(), ad.name), ("7", "70", None));
    assert_eq!((ad.group_id.as_deref(), ad.group_name.as_deref()), (Some("5"), Some("Group")));

    let unnamed = ad_of(&AdRow { state: json!("PAUSED"), policy: policy.clone(), ..AdRow::default() }).unwrap();
    let reasons: Vec<&str> = unnamed.holds.iter().map(|hold| hold.reason.as_str()).collect();
    assert_eq!(reasons, ["ADS_OFF", "ADS_REJECTED"], "whatever the status says, the review has rejected it");
    assert_eq!(unnamed.state(), AdState::Off);

    let mut limited = policy;
    limited["approvalStatus"] = json!("APPROVED_LIMITED");
    let reasons = json!(["AD_GROUP_AD_APPROVED_LABELED"]);
    let ad = ad_of(&AdRow { state: json!("LIMITED"), reasons, policy: limited }).unwrap();
    assert_eq!((ad.review, ad.rejections), (AdReview::Limited, vec![]), "it is not rejected");
    assert_eq!(ad.holds[0].message.as_deref(), Some("DESTINATION_NOT_WORKING, A_NEW_ONE"));
}

#[test]
fn a_field_of_an_unknown_form_does_not_lose_an_ad() {
    let odd = AdRow { state: json!({}), reasons: json!("x"), policy: json!({"policyTopicEntries": 7}) };
    let found = ad_of(&odd).unwrap();
    assert_eq!((found.state(), found.review, found.holds), (AdState::Unknown, AdReview::Unknown, vec![]));
    let mut removed = AdRow::default().json(7, 70);
    removed["adGroupAd"]["status"] = json!("REMOVED");
    assert_eq!(ad(&removed.to_string()).unwrap(), None);
}

#[test]
fn a_campaign_says_what_its_status_and_its_customer_say() {
    let row = include_str!("../../fixtures/row-daily.json");
    let account = fixtures::account(Platform::Alpha, "EUR", "Europe/Berlin");
    let read = |row: &str| translate::campaign(&account, row).unwrap().signals;
    assert_eq!(read(row), Signals { verdict: Some(DeliveryState::Eligible), holds: vec![] });
    let limited = row.replace("\"ELIGIBLE\"", r#""LIMITED", "primaryStatusReasons": ["BUDGET_CONSTRAINED"]"#);
    let budget = Hold::new(Effect::Limits, DeliveryReason::Budget, Level::Campaign, "BUDGET_CONSTRAINED");
    assert_eq!(read(&limited), Signals { verdict: Some(DeliveryState::Limited), holds: vec![budget] });
}
