//! `GET /v1/platforms`: public, and the same table that validates.

use crate::world::World;
use serde_json::json;

#[tokio::test]
async fn the_capabilities_are_public() {
    let world = World::start().await;
    let response = world.ask("GET", "/v1/platforms").without("x-api-key").expect(200).await.json();
    let platforms = response["platforms"].as_array().expect("a list");
    let alpha = platforms.iter().find(|platform| platform["platform"] == "alpha_ads").expect("alpha");
    assert_eq!(alpha["display_name"], "Google Ads");
    assert_eq!(alpha["goals"], json!(["AWARENESS", "TRAFFIC", "LEADS", "SALES", "CONVERSIONS"]));
    assert_eq!(alpha["budget_periods"], json!(["DAILY", "LIFETIME"]));
    assert_eq!(alpha["statuses"], json!(["ACTIVE", "PAUSED", "REMOVED"]));
    assert_eq!(alpha["minimum_budgets"], json!([{"budget_period": "DAILY", "currency": null, "amount": 1}]));
    assert_eq!(alpha["oauth"], json!({"scopes": ["https://www.googleapis.com/auth/adwords"], "pkce": true}));
    let page = "https://developers.google.com/google-ads/api/docs/sunset-dates";
    assert_eq!(alpha["api_version"], json!({"name": "v26", "ends_on": "2027-11-01", "page": page}));
    assert!(alpha["notes"].as_array().is_some_and(|notes| !notes.is_empty()));
    world.ask("GET", "/v1/platforms?x=1").expect(400).await;
    world.ask("POST", "/v1/platforms").expect(405).await;
}

#[tokio::test]
async fn the_documented_platform_version_is_the_one_called() {
    let world = World::start().await;
    let response = world.ask("GET", "/v1/platforms").without("x-api-key").expect(200).await.json();
    for shown in response["platforms"].as_array().expect("a list") {
        let platform = shown["platform"].as_str().expect("a word");
        let name = shown["api_version"]["name"].as_str().expect("a version");
        world.connect(platform, &[]).await;
        world.ask("GET", &format!("/v1/campaigns?platform={platform}")).expect(200).await;
        let received = world.received(platform).await;
        let last = received.last().expect("a call");
        let in_path = last["path"].as_str().expect("a path").contains(&format!("/{name}/"));
        assert!(in_path || last["headers"]["linkedin-version"] == name, "{platform} {name}: {last}");
    }
}
