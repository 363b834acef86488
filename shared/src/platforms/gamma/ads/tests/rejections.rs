//! The texts of rejections.

use super::*;

/// An account whose manual campaign 1 has these ads, and whose reviews are this.
fn reviewed(rows: Vec<Value>, reviews: Value) -> Fake {
    Fake::new(move |request: &ReceivedRequest| {
        if request.line.contains("/ad/review_info/") {
            return ok(json!({"code": 0, "message": "OK", "data": reviews}));
        }
        page(&rows, 1, 1)
    })
}

fn texts(ad: &PlatformAd) -> Vec<&str> {
    assert!(ad.rejections.iter().all(|rejection| rejection.code.is_none()), "TikTok has no codes");
    ad.rejections.iter().map(|rejection| rejection.text.as_deref().unwrap()).collect()
}

#[tokio::test]
async fn the_texts_of_rejected_ads_are_read_only_on_request() {
    let rows = || vec![row(11, 1, "AD_STATUS_AUDIT_DENY"), row(12, 1, "AD_STATUS_DELIVERY_OK")];
    let info =
        json!([{"reasons": ["Misleading claim.", "No sound."], "suggestion": "Edit the ad."}, {"reasons": null}]);
    let by_ad = json!({"11": {"ad_id": "11", "is_approved": false, "reject_info": info}});
    for reviews in [json!({"ad_review_map": by_ad}), json!({"ad_review_map": {"77": by_ad}})] {
        let fake = reviewed(rows(), reviews);
        let report = read_of(&fake, &[manual(1)], true).await.unwrap();
        let [rejected, delivered] = report.of("1").unwrap() else { panic!("{report:?}") };
        assert_eq!(texts(rejected), ["Misleading claim. No sound. Edit the ad."]);
        assert_eq!(rejected.holds[0].message.as_deref(), Some("Misleading claim. No sound. Edit the ad."));
        assert!(delivered.rejections.is_empty() && delivered.holds.is_empty());
        let (path, parameters) = asked(&fake.requests()[1]);
        assert_eq!(path, "/open_api/v1.3/ad/review_info/");
        let expected = [("advertiser_id", account().id), ("ad_ids", r#"["11"]"#.to_owned())];
        assert_eq!(parameters, expected.map(|(name, value)| (name.to_owned(), value)));
    }
    let fake = reviewed(rows(), json!(null));
    let report = read_of(&fake, &[manual(1)], false).await.unwrap();
    assert_eq!((report.of("1").unwrap()[0].review, fake.requests().len()), (AdReview::Rejected, 1));
}

#[tokio::test]
async fn a_smart_plus_ad_has_the_texts_of_its_creatives_too() {
    let ad = json!({"smart_plus_ad_id": "21", "campaign_id": "1", "secondary_status": "AD_STATUS_AUDIT_DENY"});
    let info = |texts: &[&str]| texts.iter().map(|text| json!({"reasons": [text]})).collect::<Vec<_>>();
    let review = |info: Value| json!({"smart_plus_ad_id": "21", "review_status": "UNAVAILABLE", "reject_info": info});
    let creatives = [review(json!(info(&["a", "b", "c", "d", "e", "f"]))), review(json!(null))];
    let reviews =
        json!({"smart_plus_ad_review_infos": [review(json!(info(&["a"])))], "material_review_infos": creatives});
    let fake = reviewed(vec![ad], reviews);
    let report = read_of(&fake, &[smart_plus(1)], true).await.unwrap();
    assert_eq!(texts(&only(&report, "1")), ["a", "b", "c", "d", "e"], "each once, and five at most");
    let (path, parameters) = asked(&fake.requests()[1]);
    assert_eq!(path, "/open_api/v1.3/smart_plus/ad/review_info/");
    let setting = ("extra_info_setting".to_owned(), r#"{"include_reject_info":true}"#.to_owned());
    assert!(parameters.contains(&setting) && parameters.contains(&("smart_plus_ad_ids".into(), r#"["21"]"#.into())));
}

#[tokio::test]
async fn a_hundred_rejections_are_explained_in_one_call() {
    let fake = reviewed((101..=301).map(|id| row(id, 1, "AD_STATUS_AUDIT_DENY")).collect(), json!({}));
    let report = read_of(&fake, &[manual(1)], true).await.unwrap();
    assert_eq!((report.of("1").unwrap().len(), fake.requests().len()), (201, 2));
    let ids: Vec<String> = serde_json::from_str(&asked(&fake.requests()[1]).1[1].1).unwrap();
    assert_eq!((ids.len(), ids[0].as_str(), ids[99].as_str()), (100, "101", "200"));
}

#[tokio::test]
async fn a_rejection_without_a_permitted_text_is_still_one() {
    let fake = Fake::new(|request: &ReceivedRequest| match request.line.contains("/review_info/") {
        true => (200, include_str!("../../fixtures/recorded/scope-missing.json").to_owned()),
        false => page(&[row(11, 1, "AD_STATUS_AUDIT_DENY")], 1, 1),
    });
    let report = read_of(&fake, &[manual(1)], true).await.unwrap();
    let ad = only(&report, "1");
    assert_eq!((ad.review, ad.state(), ad.rejections.len()), (AdReview::Rejected, AdState::Blocked, 0));
    assert_eq!((ad.holds[0].reason, ad.holds[0].level), (DeliveryReason::AdsRejected, Level::Ad));
    assert_eq!(ad.holds[0].effect, Effect::Blocks);
}
