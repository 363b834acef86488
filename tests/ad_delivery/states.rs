//! Each cause on each platform.

use super::{Stage, judged};
use serde_json::{Value, json};
use shared::domain::Platform;

/// Checks that some ads on every platform lead to a state, whose first reason is this one.
async fn ads_make(ads: &[&str], state: &str, reason: Option<&str>) {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, ads).await;
        let (found, reasons) = stage.judged(&campaign).await;
        assert_eq!((found.as_str(), reasons.first().map(String::as_str)), (state, reason), "{platform} {ads:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_approved_ad_may_be_shown() {
    ads_make(&["approved"], "ELIGIBLE", None).await;
}

#[tokio::test(start_paused = true)]
async fn a_rejected_ad_blocks() {
    ads_make(&["rejected"], "BLOCKED", Some("ADS_REJECTED")).await;
}

#[tokio::test(start_paused = true)]
async fn an_ad_in_review_waits() {
    ads_make(&["in_review"], "WAITING", Some("ADS_IN_REVIEW")).await;
}

#[tokio::test(start_paused = true)]
async fn a_paused_ad_blocks() {
    ads_make(&["paused"], "BLOCKED", Some("ADS_OFF")).await;
}

#[tokio::test(start_paused = true)]
async fn a_rejected_ad_beside_an_approved_one_limits() {
    ads_make(&["approved", "rejected"], "LIMITED", Some("ADS_REJECTED")).await;
}

#[tokio::test(start_paused = true)]
async fn a_campaign_without_ads_says_so() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        let read = stage.delivery(&campaign).await;
        // Google counts what is eligible, and does not say that there are none.
        let reason = if platform == Platform::Alpha { "NO_ELIGIBLE_ADS" } else { "NO_ADS" };
        assert_eq!(judged(&read["delivery"]), ("BLOCKED".to_owned(), vec![reason.to_owned()]), "{platform}");
        assert_eq!((&read["delivery"]["ads"]["total"], &read["ads"]), (&json!(0), &json!([])), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_suspended_account_blocks() {
    // LinkedIn's word for it stands at the campaign, those of the others at the account.
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["approved"]).await;
        stage.hold(&campaign, true, json!("suspended")).await;
        let read = stage.delivery(&campaign).await;
        let (state, reasons) = judged(&read["delivery"]);
        assert_eq!((state.as_str(), reasons[0].as_str()), ("BLOCKED", "ACCOUNT"), "{platform} {read}");
        assert_eq!(read["delivery"]["reasons"][0]["level"], "account", "{platform}");
        stage.hold(&campaign, true, Value::Null).await;
        assert_eq!(stage.judged(&campaign).await.0, "ELIGIBLE", "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_paused_campaign_is_off() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["rejected"]).await;
        stage.set_status(&campaign, "PAUSED").await;
        let (state, reasons) = stage.judged(&campaign).await;
        assert_eq!((state.as_str(), reasons), ("OFF", vec!["CAMPAIGN_STATUS".to_owned()]), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejection_has_the_text_of_the_platform() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["approved", "rejected", "rejected"]).await;
        let read = stage.delivery(&campaign).await;
        let counts = &read["delivery"]["ads"];
        assert_eq!((&counts["total"], &counts["rejected"], &counts["can_run"]), (&json!(3), &json!(2), &json!(1)));
        assert_eq!(read["delivery"]["reasons"][0]["count"], 2, "{platform} {read}");
        let first = &read["ads"][0];
        assert_eq!((&first["review"], &first["state"]), (&json!("REJECTED"), &json!("BLOCKED")), "{platform} {read}");
        let said = &first["rejections"][0];
        assert!(said["text"].is_string() || said["code"].is_string(), "{platform} {first}");
    }
}

#[tokio::test(start_paused = true)]
async fn both_shapes_agree() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["approved", "rejected"]).await;
        let flat = stage.delivery(&campaign).await;
        let path = format!("/v1/campaigns/{}/delivery", campaign.id);
        let enveloped = stage.world.request("GET", &path, &[("x-api-shape", "enveloped")], "");
        let enveloped = stage.send(200, enveloped).await["data"].clone();
        assert_eq!((&flat["delivery"], &flat["ads"]), (&enveloped["delivery"], &enveloped["ads"]), "{platform}");
        assert_eq!(enveloped["platform"], platform.as_upper());
    }
}

#[tokio::test(start_paused = true)]
async fn a_campaign_alone_does_not_read_its_ads() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["rejected"]).await;
        let read = stage.ask(200, "GET", &format!("/v1/campaigns/{}", campaign.id), "").await;
        let listed = stage.ask(200, "GET", "/v1/campaigns", "").await["unified"][0].clone();
        for delivery in [&read["delivery"], &listed["delivery"]] {
            assert_eq!((&delivery["ads"], &delivery["ads_unread"]), (&Value::Null, &json!("NOT_READ")), "{platform}");
            // Google says it of the campaign.
            let state = if platform == Platform::Alpha { "BLOCKED" } else { "UNKNOWN" };
            assert_eq!(delivery["state"], state, "{platform} {delivery}");
        }
    }
}
