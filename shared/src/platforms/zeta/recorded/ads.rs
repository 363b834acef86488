//! The recorded ad.

use super::*;
use crate::domain::{AdReview, AdState};
use crate::platforms::AdsRequest;
use crate::platforms::zeta::translate;
use serde_json::value::RawValue;

#[tokio::test]
async fn a_paused_ad_in_a_paused_ad_group_is_off() {
    // The body of one ad, which a list has in its `data`.
    let one: serde_json::Value = serde_json::from_str(&recorded("ad.json").1).unwrap();
    let fake = Fake::new(move |request| match request.line.contains("/ads?") {
        true => ok(json!({"data": [one["data"]], "pagination": {}})),
        false => ok(json!({"data": {"id": "a2_sample"}})),
    });
    let session = session(&fake);
    let row = RawValue::from_string(json!({"id": "2000000000000000001"}).to_string()).unwrap();
    let campaign = translate::campaign(&session.account, &row).unwrap();
    let request = AdsRequest { campaigns: &[campaign], with_rejections: false };
    let report = Zeta.read_ads(&session, request).await.unwrap();
    let [ad] = report.of("2000000000000000001").unwrap() else { panic!("one ad") };
    let words: Vec<Option<&str>> = ad.holds.iter().map(|hold| hold.word.as_deref()).collect();
    assert_eq!((ad.id.as_str(), ad.name.as_deref()), ("t3_sample01", Some("Sample Ad")));
    assert_eq!((ad.state(), ad.review), (AdState::Off, AdReview::Unknown));
    assert_eq!(words, [Some("PAUSED"), Some("AD_GROUP_PAUSED")]);
}
