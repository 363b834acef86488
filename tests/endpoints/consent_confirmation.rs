//! The caller's own state in a consent, consents that connect nothing before the caller confirms them (D89), and consents
//! that fail or lack a permission.

use super::redirect_uris::parameters;
use crate::oauth::callback::{open, statuses, token_requests};
use crate::world::{TestResponse, World, id_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const BACK: &str = "https://example.com/back";
const STATE: &str = "7f3a b&c=d#é";

impl World {
    /// Begins an authorization whose user returns to [`BACK`]; returns what authorize answers.
    async fn begin_at(&self, platform: &str, query: &str) -> Value {
        let path = format!("/v1/connections/{platform}/authorize?redirect_uri={BACK}{query}");
        self.ask("GET", &path).expect(200).await.json()
    }

    /// The redirect after an approval.
    async fn approved(&self, begun: &Value, accounts: &[&str]) -> BTreeMap<String, String> {
        let page = begun["authorize_url"].as_str().expect("an address");
        parameters(&self.sent_back(&self.consent(page, "approve", accounts).await).await)
    }

    async fn confirm(&self, key: &str, connection: &str, code: &str) -> TestResponse {
        let ask = self.ask("POST", &format!("/v1/connections/{connection}/confirm")).header("x-api-key", key);
        ask.json(&json!({"confirmation_code": code})).send().await.expect("a response")
    }
}

async fn world() -> World {
    let world = World::start().await;
    world.register(BACK, 201).await;
    world
}

/// A state as a query has it; of printable ASCII characters.
fn encoded(state: &str) -> String {
    url::form_urlencoded::byte_serialize(state.as_bytes()).collect()
}

#[tokio::test]
async fn the_redirect_has_the_callers_state_and_every_connection() {
    let world = world().await;
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(3);
    accounts.sort();
    let all: Vec<&str> = accounts.iter().map(String::as_str).collect();
    let first = world.begin_at("alpha_ads", "&external_ref=user42").await;
    world.approved(&first, &all[..1]).await;

    let state = STATE.replace('é', "e");
    let own = format!("&external_ref=user43&state={}", encoded(&state));
    let begun = world.begin_at("alpha_ads", &own).await;
    let back = world.approved(&begun, &all).await;
    let listed = world.connections().await;
    let id_in = |account: &str| id_of(listed.iter().find(|one| one["remote_account_id"] == account).expect("one"));
    let mut named: Vec<&str> = back["connection_ids"].split(',').collect();
    named.sort_unstable();
    let mut expected = [id_in(all[1]), id_in(all[2])];
    expected.sort();
    assert_eq!(named, expected);
    assert!(expected.contains(&back["connection_id"]));
    assert_eq!((back["status"].as_str(), back["skipped"].as_str()), ("connected", &*format!("{}:OTHER_USER", all[0])));
    assert_eq!((&back["state"], back["external_ref"].as_str()), (&state, "user43"));

    let begun = world.begin_at("alpha_ads", &own).await;
    let page = begun["authorize_url"].as_str().expect("an address");
    let denied = parameters(&world.sent_back(&world.consent(page, "deny", &[]).await).await);
    assert_eq!((denied["status"].as_str(), &denied["state"]), ("denied", &state));
    let begun = world.begin_at("alpha_ads", &own).await;
    world.fault("alpha_ads", "token", "error", 1).await;
    let failed = world.approved(&begun, &all).await;
    assert_eq!((failed["status"].as_str(), &failed["state"]), ("failed", &state));
    assert!(statuses(&world.connections().await).iter().all(|status| *status == "ACTIVE"), "no authorization is left");
}

#[tokio::test]
async fn a_state_or_confirmation_without_a_redirect_uri_is_refused() {
    let world = world().await;
    for (query, field) in [("state=x", "state"), ("confirm=true", "confirm")] {
        let refused = world.ask("GET", &format!("/v1/connections/alpha_ads/authorize?{query}")).expect(400).await;
        assert_eq!(refused.fields(), [field]);
    }
    let path = format!("/v1/connections/alpha_ads/authorize?redirect_uri={BACK}&state={}", encoded(STATE));
    assert_eq!(world.ask("GET", &path).expect(400).await.fields(), ["state"], "not ASCII");
    assert_eq!(world.connections().await.len(), 0);
}

#[tokio::test]
async fn a_consent_connects_nothing_before_its_confirmation() {
    let world = world().await;
    let own = world.gateway.api_key.clone();
    let other = world.another_customer().await;
    let begun = world.begin_at("alpha_ads", "&confirm=true&state=mine&external_ref=user42").await;
    let decoy = world.begin_at("alpha_ads", "&confirm=true").await;
    let back = world.approved(&begun, &[]).await;
    assert_eq!((back["status"].as_str(), back["state"].as_str()), ("awaiting_confirmation", "mine"));
    let (id, code) = (begun["connection_id"].as_str().expect("an id"), back["confirmation_code"].as_str());
    assert_eq!(back["connection_id"], id);
    assert_eq!(token_requests(&world).await, 0, "no token exists");
    assert_eq!(statuses(&world.connections().await), ["PENDING", "PENDING"]);

    for wrong in ["", "x", &"x".repeat(43), &code.to_uppercase()] {
        let refused = world.confirm(&own, id, wrong).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["reason"]), (409, &json!("NOT_WAITING")), "{wrong}");
    }
    let decoy = decoy["connection_id"].as_str().expect("an id");
    assert_eq!(world.confirm(&own, decoy, code).await.status, 409, "it is that of another connection");
    assert_eq!(world.confirm(&other, id, code).await.status, 404, "of another customer");
    let callback = format!("{}/v1/oauth/callback/alpha_ads", world.gateway.url());
    open(&world, &format!("{callback}?state={code}&code=stolen"), 400).await;
    assert_eq!(token_requests(&world).await, 0, "none of them has used it up");

    let confirmed = world.confirm(&own, id, code).await;
    assert_eq!(confirmed.status, 200, "{confirmed:?}");
    let confirmed = confirmed.json();
    let listed = world.ask("GET", &format!("/v1/connections/{id}")).expect(200).await.json();
    assert_eq!(confirmed, json!({"connections": [listed], "skipped": []}));
    assert_eq!((&listed["status"], &listed["external_ref"]), (&json!("ACTIVE"), &json!("user42")));
    assert_eq!(token_requests(&world).await, 1);
    assert_eq!(world.confirm(&own, id, code).await.status, 409, "once");
}

#[tokio::test]
async fn an_unconfirmed_consent_expires() {
    let world = world().await;
    let begun = world.begin_at("alpha_ads", "&confirm=true").await;
    let code = world.approved(&begun, &[]).await["confirmation_code"].clone();
    world.let_authorizations_run_out().await;
    let id = begun["connection_id"].as_str().expect("an id");
    assert_eq!(world.confirm(&world.gateway.api_key.clone(), id, &code).await.status, 404);
    assert_eq!((token_requests(&world).await, world.connections().await.len()), (0, 0));
}

#[tokio::test]
async fn a_failed_confirmation_is_reported_and_connects_nothing() {
    let world = world().await;
    let key = world.gateway.api_key.clone();
    let account = world.sandbox_accounts("alpha_ads").await.remove(0);
    world.approved(&world.begin_at("alpha_ads", "&external_ref=user42").await, &[&account]).await;
    for (fault, status) in [("error", 502), ("none", 409)] {
        let begun = world.begin_at("alpha_ads", "&confirm=true&external_ref=user43").await;
        let code = world.approved(&begun, &[&account]).await["confirmation_code"].clone();
        if fault != "none" {
            world.fault("alpha_ads", "token", fault, 1).await;
        }
        let refused = world.confirm(&key, begun["connection_id"].as_str().expect("an id"), &code).await;
        let told = (refused.status.as_u16(), &refused.json()["retryable"]);
        assert_eq!(told, (status, &json!(false)), "the code is used up: {refused:?}");
        assert_eq!(statuses(&world.connections().await), ["ACTIVE"], "that of user42");
    }
}

#[tokio::test]
async fn an_error_of_metas_dialog_is_a_failed_consent() {
    let world = world().await;
    let quirk = json!({"platform": "beta_ads", "quirk": "dialog_error", "on": true});
    world.control("POST", "quirks").json(&quirk).expect(200).await;
    let back = world.approved(&world.begin_at("beta_ads", "&state=s").await, &[]).await;
    assert_eq!((back["status"].as_str(), back["error"].as_str()), ("failed", "FORBIDDEN"));
    for part in ["Meta", "1349048", "Can't load URL"] {
        assert!(back["message"].contains(part), "{back:?}");
    }
    assert_eq!(world.connections().await.len(), 0, "nothing stays PENDING");
    let url = world.authorize("beta_ads").await;
    let page = open(&world, &world.consent(&url, "approve", &[]).await, 400).await;
    assert!(page.text.contains("1349048"), "{}", page.text);
}

#[tokio::test]
async fn a_callback_with_neither_code_nor_error_is_a_failed_consent() {
    let world = world().await;
    let begun = world.begin_at("alpha_ads", "").await;
    let state = parameters(begun["authorize_url"].as_str().expect("an address"))["state"].clone();
    let callback = format!("{}/v1/oauth/callback/alpha_ads?state={state}", world.gateway.url());
    let back = parameters(&world.sent_back(&callback).await);
    assert!(back["message"].contains("neither a code nor an error"), "{back:?}");
    assert_eq!(world.connections().await.len(), 0, "nothing stays PENDING");
    open(&world, &callback, 400).await;
}

#[tokio::test]
async fn a_missing_permission_is_named_and_nothing_is_connected() {
    let world = world().await;
    let platforms = ["zeta_ads", "beta_ads", "gamma_ads"];
    for platform in platforms {
        world.connect(platform, &[]).await;
    }
    let before = world.connections().await;
    for (platform, kept, missing) in [
        ("zeta_ads", "scope=adsread", "adsedit"),
        ("zeta_ads", "scope=adsedit", "adsread"),
        ("beta_ads", "scope=ads_read", "ads_management"),
        ("beta_ads", "scope=ads_management", "ads_read"),
        ("beta_ads", "scope=email", "ads_management, ads_read"),
        ("gamma_ads", "scope=1&scope=10&scope=2&scope=20", "Reporting"),
        ("gamma_ads", "scope=4", "Ad Account Management, Ads Management"),
    ] {
        let begun = world.begin_at(platform, "").await;
        let page = begun["authorize_url"].as_str().expect("an address");
        let form = format!("decision=approve&{kept}");
        let callback = world.request("POST", page).form(&form).expect(302).await.header("location").to_owned();
        let back = parameters(&world.sent_back(&callback).await);
        assert_eq!((back["status"].as_str(), back["reason"].as_str()), ("failed", "PERMISSION_MISSING"), "{platform}");
        assert!(back["message"].contains(&format!("Not ticked: {missing}.")), "{back:?}");
    }
    assert_eq!(world.connections().await, before, "the earlier consents are as they were");
    for platform in platforms {
        assert_eq!(world.revocations(platform).await.len(), 0, "and their tokens work");
        world.create(platform, "still works").await;
    }
}

#[tokio::test]
async fn a_consent_is_kept_when_meta_does_not_list_its_permissions() {
    for fault in ["error", "garbage", "throttle"] {
        let world = World::start().await;
        world.fault("beta_ads", "permissions", fault, 9).await;
        world.connect("beta_ads", &[]).await;
        world.create("beta_ads", "works").await;
    }
}
