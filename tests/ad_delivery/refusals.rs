//! What the platform does not say, does not permit, or says in a word that is new.

use super::{Stage, judged};
use serde_json::{Value, json};
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn an_unknown_word_is_kept_and_never_guessed() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["approved"]).await;
        stage.quirk(platform, "unknown_word").await;
        let read = stage.delivery(&campaign).await;
        let (state, reasons) = judged(&read["delivery"]);
        // LinkedIn names what holds a campaign back: a word that is new is one more of these.
        let expected = if platform == Platform::Delta { "BLOCKED" } else { "UNKNOWN" };
        assert!(state == expected && reasons.iter().all(|reason| reason == "OTHER"), "{platform} {read}");
        assert_ne!(read["delivery"]["reasons"][0]["words"], json!([]), "{platform} {read}");
    }
}

/// LinkedIn and Reddit give a hundred ads in a page, the others more.
#[tokio::test(start_paused = true)]
async fn more_ads_than_a_request_reads_are_not_counted() {
    for platform in Platform::ALL {
        let (stage, campaign) = Stage::running(platform).await;
        stage.set_ads(&campaign, &["approved"]).await;
        stage.quirk(platform, "many_ads").await;
        let read = stage.delivery(&campaign).await;
        let delivery = &read["delivery"];
        if matches!(platform, Platform::Delta | Platform::Zeta) {
            assert_eq!((&delivery["ads"], &delivery["ads_unread"]), (&Value::Null, &json!("TOO_MANY")), "{platform}");
            assert_eq!(read["ads"], json!([]), "{platform}");
        } else {
            assert_eq!(
                (&delivery["ads"]["total"], &delivery["ads_unread"]),
                (&json!(2_101), &Value::Null),
                "{platform}"
            );
            assert_eq!(read["ads"].as_array().expect("a list").len(), 100, "{platform}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_without_the_right_to_ads_still_reads_campaigns() {
    let (stage, campaign) = Stage::running(Platform::Gamma).await;
    stage.quirk(Platform::Gamma, "no_ad_permission").await;
    let delivery = stage.delivery(&campaign).await["delivery"].clone();
    assert_eq!((&delivery["state"], &delivery["ads_unread"]), (&json!("UNKNOWN"), &json!("NOT_PERMITTED")));
    let listed = stage.ask(200, "GET", "/v1/campaigns?delivery_state=UNKNOWN", "").await;
    assert_eq!(listed["unified"].as_array().expect("a list").len(), 1, "{listed}");
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    assert_eq!(connections["connections"][0]["status"], "ACTIVE", "the connection works: {connections}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_whose_ads_the_platform_does_not_offer_says_so() {
    let stage = Stage::new().await;
    stage.quirk(Platform::Gamma, "old_smart_plus").await;
    stage.world.authorize(&stage.app, Platform::Gamma, &["7301002003004004003".to_owned()]).await;
    let listed = stage.ask(200, "GET", "/v1/campaigns", "").await;
    let id = listed["unified"][0]["id"].as_str().expect("an id");
    let delivery = stage.ask(200, "GET", &format!("/v1/campaigns/{id}/delivery"), "").await["delivery"].clone();
    assert_eq!((&delivery["state"], &delivery["ads_unread"]), (&json!("UNKNOWN"), &json!("NOT_OFFERED")));
}

#[tokio::test(start_paused = true)]
async fn a_masked_review_is_not_known() {
    let (stage, campaign) = Stage::running(Platform::Beta).await;
    stage.set_ads(&campaign, &["rejected"]).await;
    stage.quirk(Platform::Beta, "masked_review").await;
    let read = stage.delivery(&campaign).await;
    assert_eq!((&read["ads"][0]["review"], &read["ads"][0]["state"]), (&json!("UNKNOWN"), &json!("OFF")), "{read}");
    assert_eq!(judged(&read["delivery"]), ("BLOCKED".to_owned(), vec!["ADS_OFF".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn another_customers_campaign_is_not_found() {
    let (stage, campaign) = Stage::running(Platform::Epsilon).await;
    let other = Stage::new().await;
    let path = format!("/v1/campaigns/{}/delivery", campaign.id);
    let (foreign, none) = (other.ask(404, "GET", &path, "").await, "/v1/campaigns/epsilon_1_2/delivery");
    let none = other.ask(404, "GET", none, "").await;
    assert_eq!((&foreign["code"], &foreign["error"]), (&none["code"], &none["error"]));
    drop(stage);
}

#[tokio::test(start_paused = true)]
async fn a_read_of_the_delivery_changes_nothing() {
    let (stage, campaign) = Stage::running(Platform::Zeta).await;
    stage.set_ads(&campaign, &["rejected"]).await;
    let books = || stage.world.control("GET", "campaigns?platform=zeta_ads", &Value::Null);
    let before = books().await;
    for _ in 0..3 {
        stage.delivery(&campaign).await;
    }
    assert_eq!(books().await, before);
    let history = stage.ask(200, "GET", "/v1/changes", "").await;
    assert_eq!(history["changes"].as_array().expect("a list").len(), 2, "a create and an activation: {history}");
}
