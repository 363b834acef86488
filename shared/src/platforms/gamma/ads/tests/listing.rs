//! The lists of ads.

use super::*;
use crate::error::Kind;
use std::slice;

fn by_path<const N: usize>(responses: [(&'static str, ScriptedResponse); N]) -> Fake {
    Fake::new(move |request: &ReceivedRequest| {
        let response = responses.iter().find(|(path, _)| request.line.contains(path));
        response.unwrap_or_else(|| panic!("no response for {}", request.line)).1.clone()
    })
}

fn pairs(parameters: &[(&str, &str)]) -> Vec<(String, String)> {
    parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn each_kind_of_campaign_has_its_list_of_ads() {
    let smart = json!({"smart_plus_ad_id": "21", "ad_id": "99", "campaign_id": "2", "ad_name": "", "adgroup_id": "78",
        "secondary_status": "AD_STATUS_AUDIT"});
    let lists = [
        ("/smart_plus/ad/get/", page(&[smart], 1, 1)),
        ("/ad/get/", page(&[row(11, 1, "AD_STATUS_DELIVERY_OK")], 1, 1)),
    ];
    let fake = by_path(lists);
    let report = read_of(&fake, &[manual(1), smart_plus(2), manual(3)], true).await.unwrap();
    let delivered = only(&report, "1");
    assert_eq!(
        (delivered.id.as_str(), delivered.state(), delivered.review),
        ("11", AdState::CanRun, AdReview::Approved)
    );
    assert_eq!((delivered.name.as_deref(), delivered.group_id.as_deref()), (Some("Ad"), Some("77")));
    assert_eq!(delivered.group_name.as_deref(), Some("Group"));
    let waiting = only(&report, "2");
    assert_eq!((waiting.id.as_str(), waiting.state(), waiting.name), ("21", AdState::Waiting, None));
    assert_eq!(report.of("3"), Ok([].as_slice()), "its list is whole and empty");
    let mut asked: Vec<_> = fake.requests().iter().map(asked).collect();
    asked.sort();
    let fields = r#"["campaign_id","adgroup_id","adgroup_name","ad_id","ad_name","secondary_status"]"#;
    let expected = |campaigns, fields, size| {
        let account = account().id;
        let filter = ("filtering", campaigns);
        pairs(&[("advertiser_id", &account), filter, ("fields", fields), ("page", "1"), ("page_size", size)])
    };
    let of_manual = expected(r#"{"campaign_ids":["1","3"]}"#, fields, "1000");
    let of_smart = expected(r#"{"campaign_ids":["2"]}"#, &fields.replace(r#""ad_id","#, ""), "100");
    let paths = ["/open_api/v1.3/ad/get/", "/open_api/v1.3/smart_plus/ad/get/"].map(str::to_owned);
    let [manual_path, smart_path] = paths;
    assert_eq!(asked, [(manual_path, of_manual), (smart_path, of_smart)], "no rejection, so no call for its text");
}

#[tokio::test]
async fn a_list_is_read_to_its_end_and_removed_ads_are_left_out() {
    let pages = |request: &ReceivedRequest| {
        let (_, parameters) = asked(request);
        let number = parameters.iter().find(|(name, _)| name == "page").unwrap().1.parse().unwrap();
        let words = ["AD_STATUS_DELETE", "AD_STATUS_DISABLE", "AD_STATUS_ADGROUP_DELETE"];
        page(&[row(number, 1, words[usize::try_from(number).unwrap() - 1])], number.try_into().unwrap(), 3)
    };
    let fake = Fake::new(pages);
    let report = read_of(&fake, &[manual(1)], false).await.unwrap();
    assert_eq!(fake.requests().len(), 3);
    assert_eq!((only(&report, "1").id.as_str(), only(&report, "1").state()), ("2", AdState::Off));
}

#[tokio::test]
async fn a_list_that_is_too_long_says_nothing_of_its_campaigns() {
    let many = |request: &ReceivedRequest| {
        if request.line.contains("/smart_plus/") {
            return page(&[], 1, 1);
        }
        let number = asked(request).1.iter().find(|(name, _)| name == "page").unwrap().1.parse().unwrap();
        page(&[row(number, 1, "AD_STATUS_DELIVERY_OK")], number.try_into().unwrap(), 21)
    };
    let fake = Fake::new(many);
    let report = read_of(&fake, &[manual(1), smart_plus(2)], false).await.unwrap();
    assert_eq!((report.of("1"), report.of("2")), (Err(AdsUnread::TooMany), Ok([].as_slice())));
    assert_eq!(fake.requests().len(), 21, "twenty pages, and the other list");
}

#[tokio::test]
async fn a_hundred_campaigns_are_asked_for_at_a_time() {
    let fake = Fake::new(|_| page(&[], 1, 1));
    let campaigns: Vec<PlatformCampaign> = (1..=101).map(manual).collect();
    let report = read_of(&fake, &campaigns, false).await.unwrap();
    let filters: Vec<usize> = fake
        .requests()
        .iter()
        .map(|request| {
            let filter: Value = serde_json::from_str(&asked(request).1[1].1).unwrap();
            filter["campaign_ids"].as_array().unwrap().len()
        })
        .collect();
    assert_eq!(filters, [100, 1]);
    assert!(campaigns.iter().all(|campaign| report.of(&campaign.remote_id) == Ok(&[])));
}

#[tokio::test]
async fn ads_that_no_list_has_are_not_offered_and_not_asked_for() {
    let fake = Fake::answering(vec![]);
    let with = |fields: Value| {
        let mut row = json!({"campaign_id": "5", "operation_status": "ENABLE", "campaign_automation_type": "MANUAL"});
        row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        campaign(&account(), &row.to_string(), false).unwrap()
    };
    for other in [
        with(json!({"campaign_automation_type": "SMART_PLUS"})),
        with(json!({"campaign_automation_type": "GMV_MAX"})),
        with(json!({"is_smart_performance_campaign": true})),
        with(json!({"campaign_automation_type": null, "is_smart_performance_campaign": true})),
        with(json!({"campaign_system_origin": "PROMOTE"})),
    ] {
        let report = read_of(&fake, slice::from_ref(&other), true).await.unwrap();
        assert_eq!(report.of("5"), Err(AdsUnread::NotOffered), "{}", other.raw);
    }
    let old = with(json!({"campaign_automation_type": null, "is_smart_performance_campaign": false}));
    let fake = Fake::new(|_| page(&[], 1, 1));
    assert_eq!(read_of(&fake, &[old], true).await.unwrap().of("5"), Ok([].as_slice()), "rows of 2023 have no kind");
}

#[tokio::test]
async fn a_missing_permission_is_said_and_any_other_failure_is_an_error() {
    let scope = include_str!("../../fixtures/recorded/scope-missing.json");
    let either = include_str!("../../fixtures/errors/no-permission-either.json");
    for body in [scope, either] {
        let refused = (200, body.to_owned());
        let fake = by_path([("/smart_plus/ad/get/", page(&[], 1, 1)), ("/ad/get/", refused)]);
        let report = read_of(&fake, &[manual(1), smart_plus(2)], true).await.unwrap();
        assert_eq!((report.of("1"), report.of("2")), (Err(AdsUnread::NotPermitted), Ok([].as_slice())), "{body}");
    }
    let deleted = include_str!("../../fixtures/errors/advertiser-deleted.json");
    let revoked = include_str!("../../fixtures/errors/token-revoked.json");
    let missing = include_str!("../../fixtures/errors/advertiser-not-found.json");
    let unnamed = page(&[json!({"campaign_id": "1", "secondary_status": "AD_STATUS_AUDIT"})], 1, 1).1;
    for (body, kind) in [
        (deleted, Kind::Forbidden),
        (revoked, Kind::TokenExpired),
        (missing, Kind::Forbidden),
        (&unnamed, Kind::PlatformFailed),
        (r#"{"code":0,"data":{}}"#, Kind::PlatformFailed),
    ] {
        let body = body.to_owned();
        let fake = Fake::new(move |_| (200, body.clone()));
        assert_eq!(read_of(&fake, &[manual(1)], false).await.unwrap_err().kind, kind);
    }
}
