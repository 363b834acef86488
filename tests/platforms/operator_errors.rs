//! A platform that refuses this service itself, which only the operator can fix.

use crate::oauth::callback::consented;
use crate::world::{World, campaign};
use serde_json::json;

impl World {
    /// Has Google refuse every call, because the Cloud project has not enabled the Google Ads API.
    pub(crate) async fn disable_google_ads(&self) {
        let quirk = json!({"platform": "alpha_ads", "quirk": "service_disabled", "on": true});
        self.control("POST", "quirks").json(&quirk).expect(200).await;
    }
}

/// Asserts that a text sends its reader to the operator alone.
fn sends_to_the_operator(text: &str) {
    assert!(text.contains("Contact the operator of this service"), "{text}");
    for wrong in ["has a role", "authorize again", "authorization link", "user who"] {
        assert!(!text.contains(wrong), "{wrong}: {text}");
    }
}

#[tokio::test]
async fn a_disabled_google_api_is_an_operator_error_on_every_path() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", world.create("alpha_ads", "Kept").await["id"].as_str().expect("an id"));
    world.disable_google_ads().await;
    let rename = json!({"name": "Renamed"});
    let create = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "None")).expect(403).await;
    assert_eq!(world.states(create.header("x-request-id")).await, ["not_created"]);
    let list = world.ask("GET", "/v1/campaigns").expect(403).await;
    let patch = world.ask("PATCH", &path).json(&rename).expect(403).await;
    let delete = world.ask("DELETE", &path).expect(403).await;
    for response in [create, list, patch, delete] {
        let error = response.json();
        assert_eq!((&error["code"], &error["retryable"]), (&json!("FORBIDDEN"), &json!(false)), "{error}");
        assert_eq!(error["platform_error"]["code"], "SERVICE_DISABLED", "{error}");
        sends_to_the_operator(error["error"].as_str().expect("words"));
    }
    let dry_run = world.ask("POST", "/v1/campaigns?dry_run=true").json(&campaign("alpha_ads", "None"));
    let dry_run = dry_run.expect(200).await.json();
    assert_eq!(dry_run["verdict"], "would_fail", "{dry_run}");
    sends_to_the_operator(dry_run["error"]["error"].as_str().expect("words"));
    world.sync().await;
    assert_eq!(world.connections().await[0]["status"], "ACTIVE", "it works again as soon as the operator is done");
}

#[tokio::test]
async fn a_callback_with_a_disabled_google_api_is_an_operator_error() {
    let world = World::start().await;
    let back = consented(&world).await;
    world.disable_google_ads().await;
    let page = world.request("GET", back.as_str()).send().await.expect("a page");
    assert!(page.status.as_u16() >= 400, "{page:?}");
    sends_to_the_operator(&page.text);
}
