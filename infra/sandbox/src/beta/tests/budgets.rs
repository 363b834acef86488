//! Money: how it is counted, sent and read.

use serde_json::json;

use super::{BHD, CLIENT, COP, JPY, Scene, USD, refusal};
use crate::platform::Platform as _;

#[test]
fn a_budget_is_counted_with_metas_own_offset_of_the_accounts_currency() {
    let mut scene = Scene::new();
    for (account, shown) in [(USD, "50.00"), (BHD, "50.00"), (JPY, "5000"), (COP, "5000")] {
        let id = scene.campaign(account, json!({}));
        assert_eq!(scene.field(&id, "daily_budget"), "5000", "{account}");
        let card = crate::platform::Platform::campaigns(&scene.beta, scene.now);
        let card = card.iter().find(|card| card["id"] == id.as_str()).unwrap();
        assert_eq!(card["budget"], shown, "{account}");
    }
}

#[test]
fn money_is_text_in_answers_and_an_unsigned_integer_in_requests() {
    let mut scene = Scene::new();
    for amount in [json!(5000), json!("5000")] {
        let id = scene.campaign(USD, json!({ "daily_budget": amount }));
        let read = scene.get(&format!("/v26.0/{id}?fields=daily_budget,lifetime_budget,budget_remaining"));
        let expected = json!({ "id": id, "daily_budget": "5000", "lifetime_budget": "0", "budget_remaining": "5000" });
        assert_eq!(read, expected);
    }
    for amount in ["50.00", "5e3", "-5000", "+5000", "5,000", "99999999999999999999"] {
        assert_eq!(scene.refuses(json!({ "daily_budget": amount })), refusal(0, ""), "{amount}");
    }
    // A number of a JSON body keeps its own digits.
    let raw = super::draft(json!({})).to_string().replace("5000", "5000.0");
    let mut request = super::request("POST", &format!("/v26.0/{USD}/campaigns"), &json!({}));
    request.body = raw;
    assert_eq!(scene.send(&request).status, 400);
}

#[test]
fn a_budget_below_the_minimum_of_the_account_is_refused() {
    let mut scene = Scene::new();
    assert_eq!(scene.refuses(json!({ "daily_budget": 49 })), refusal(1_885_272, "daily_budget"));
    let lifetime = json!({ "daily_budget": null, "lifetime_budget": 49 });
    assert_eq!(scene.refuses(lifetime), refusal(1_885_272, "lifetime_budget"));
    let id = scene.campaign(USD, json!({ "daily_budget": 50 }));
    let path = format!("/v26.0/{id}");
    assert_eq!(scene.fails("POST", &path, &json!({ "daily_budget": 0 })), refusal(1_885_272, "daily_budget"));
    let account = scene.get(&format!("/v26.0/{USD}?fields=min_daily_budget"));
    assert_eq!(account["min_daily_budget"], 50);
}

#[test]
fn a_campaign_has_one_budget_at_most_and_keeps_its_kind() {
    let mut scene = Scene::new();
    assert_eq!(scene.refuses(json!({ "lifetime_budget": 5000 })), refusal(0, "lifetime_budget"));
    let id = scene.campaign(USD, json!({ "daily_budget": null, "lifetime_budget": 90_000 }));
    assert_eq!(scene.field(&id, "lifetime_budget"), "90000");
    let path = format!("/v26.0/{id}");
    assert_eq!(scene.fails("POST", &path, &json!({ "daily_budget": 5000 })), refusal(0, "daily_budget"));
    assert_eq!(scene.call("POST", &path, &json!({ "lifetime_budget": 80_000 })).0, 200);
    assert_eq!(scene.field(&id, "lifetime_budget"), "80000");
}

#[test]
fn ad_set_budget_sharing_has_to_be_said_when_no_campaign_budget_is_set() {
    let name = "is_adset_budget_sharing_enabled";
    let mut scene = Scene::new();
    assert_eq!(scene.refuses(json!({ "daily_budget": null })), refusal(4_834_011, name));
    let id = scene.campaign(USD, json!({ "daily_budget": null, name: false }));
    let read = scene.get(&format!("/v26.0/{id}?fields=daily_budget,lifetime_budget,{name}"));
    assert_eq!(read, json!({ "id": id, name: false }));
    assert_eq!(scene.refuses(json!({ name: true })), refusal(0, name));
    let id = scene.campaign(USD, json!({ name: false }));
    scene.campaign(USD, json!({ name: "0" }));
    assert_eq!(scene.fails("POST", &format!("/v26.0/{id}"), &json!({ name: true })), refusal(0, name));
}

#[test]
fn the_forint_is_counted_in_whole_units() {
    let mut scene = Scene::new();
    let act = scene.beta.open_account("HUF").unwrap().id;
    scene.beta.grants.open(CLIENT.id, vec![act.clone()], &["ads_management"], scene.now.as_second(), 3600);
    scene.campaign(&act, json!({ "daily_budget": 3500 }));
    let cards = scene.beta.campaigns(scene.now);
    assert_eq!((&cards[0]["currency"], &cards[0]["budget"]), (&json!("HUF"), &json!("3500")));
}
