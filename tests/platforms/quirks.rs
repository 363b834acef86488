//! Quirks that appear only in ad accounts of their own, as a caller of the service sees them.

use crate::world::{World, campaign};
use serde_json::{Value, json};

impl World {
    /// A world in which one quirk of a platform is on and these ad accounts are connected.
    async fn with_quirk(platform: &str, quirk: &str, accounts: &[&str]) -> World {
        let world = World::start().await;
        let on = json!({"platform": platform, "quirk": quirk, "on": true});
        world.control("POST", "quirks").json(&on).expect(200).await;
        // The account is opened with the platform's next request.
        world.authorize(platform).await;
        world.connect(platform, accounts).await;
        world
    }

    /// The campaigns of an ad account in the sandbox.
    async fn held(&self, platform: &str, account: &str) -> Vec<Value> {
        let response = self.control("GET", &format!("campaigns?platform={platform}")).expect(200).await.json();
        let held = response["campaigns"].as_array().expect("a list").iter();
        held.filter(|held| held["account"] == account).cloned().collect()
    }

    /// The goals of all campaigns in the enveloped spelling, sorted.
    async fn goals(&self) -> Vec<String> {
        let page = self.ask("GET", "/v1/campaigns").header("x-api-shape", "enveloped").expect(200).await.json();
        assert_eq!(page.get("errors"), None, "{page}");
        let listed = page["unified"].as_array().expect("a list").iter();
        let mut goals: Vec<String> = listed.map(|one| one["goal"].as_str().expect("a goal").to_owned()).collect();
        goals.sort();
        goals
    }
}

#[tokio::test]
async fn a_token_error_without_a_subcode_does_not_end_the_connection() {
    let account = "act_1203004005000190";
    let plain = World::start().await.sandbox_accounts("beta_ads").await[0].clone();
    let world = World::with_quirk("beta_ads", "bare_190", &[&plain, account]).await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page["errors"][0]["code"], "FORBIDDEN", "{page}");
    let statuses: Vec<Value> =
        world.connections().await.iter().map(|connection| connection["status"].clone()).collect();
    assert!(statuses.contains(&json!("ACTIVE")) && !statuses.contains(&json!("REVOKED")), "{statuses:?}");
}

#[tokio::test]
async fn the_error_of_an_undeclared_customer_names_the_declaration() {
    let world = World::with_quirk("alpha_ads", "undeclared_customer", &["1002003900"]).await;
    let ask = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "Refused"));
    let error = ask.expect(422).await.json();
    assert_eq!(error["code"], "PLATFORM_ERROR");
    let words = error["error"].as_str().expect("words");
    assert!(words.contains("political"), "{words}");
    assert_eq!(world.held("alpha_ads", "1002003900").await.len(), 1, "only the campaign that is not declared");
}

#[tokio::test]
async fn creates_despite_transient_errors_happen_once_each() {
    let account = "7301002003004004002";
    let world = World::with_quirk("gamma_ads", "troubled_creates", &[account]).await;
    for number in 0..4 {
        let key = format!("k{number}");
        let body = campaign("gamma_ads", &format!("Troubled {number}"));
        let first = world.keyed(&key, &body).await;
        assert!([201, 504].contains(&first.status.as_u16()), "{first:?}");
    }
    let mut last = vec![0; 4];
    // A retried create may meet the next failure; the pause lets it be reconciled.
    for minutes in [3, 6, 9, 12] {
        let later = world.later(minutes * 60).await;
        for (number, last) in last.iter_mut().enumerate() {
            let body = campaign("gamma_ads", &format!("Troubled {number}"));
            let (status, response) = world.keyed_at(later.clone(), &format!("k{number}"), &body).await;
            assert!([201, 504].contains(&status), "{response}");
            *last = status;
        }
    }
    assert_eq!(last, [201; 4], "each is made in the end");
    let held = world.held("gamma_ads", account).await;
    let mut names: Vec<&str> = held.iter().filter_map(|held| held["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Troubled 0", "Troubled 1", "Troubled 2", "Troubled 3"], "and once");
}

#[tokio::test]
async fn campaigns_with_legacy_objectives_are_listed() {
    let world = World::with_quirk("gamma_ads", "legacy_objectives", &["7301002003004004001"]).await;
    assert_eq!(world.goals().await, ["APP_PROMOTION", "SALES", "SALES", "UNSPECIFIED"]);
    let world = World::with_quirk("epsilon_ads", "legacy_campaigns", &["549755813003"]).await;
    assert_eq!(world.goals().await, ["SALES", "SALES", "UNSPECIFIED", "UNSPECIFIED"]);
}

#[tokio::test]
async fn a_campaign_on_linkedin_can_deliver_where_the_account_has_a_page() {
    for (account, delivers) in [("512300001", true), ("512300005", false)] {
        let world = World::start().await;
        world.connect("delta_ads", &[account]).await;
        for goal in ["TRAFFIC", "LEADS", "SALES", "AWARENESS"] {
            let mut body = campaign("delta_ads", goal);
            body["goal"] = json!(goal);
            world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
        }
        for held in world.held("delta_ads", account).await {
            let lacks = if delivers { json!([]) } else { json!(["associatedEntity"]) };
            assert_eq!((&held["delivers"], &held["undelivered"]), (&json!(delivers), &lacks), "{held}");
        }
    }
}
