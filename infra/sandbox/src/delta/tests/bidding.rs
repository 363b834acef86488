//! Bids, the entity that a campaign promotes, and pacing.

use serde_json::{Value, json};

use super::{DAY, EUR, PAGELESS, Scene, USD, card, creation, error, errors, usd};

const ENTITY: &str = "/associatedEntity";
const TARGET: &str = "/optimizationTargetType";

#[test]
fn manual_bidding_is_the_default_and_needs_a_bid() {
    let mut scene = Scene::new();
    for (target, cost) in [(json!(null), "CPC"), (json!("NONE"), "CPM"), (json!("NONE"), "CPV")] {
        let manual = json!({ "optimizationTargetType": target, "costType": cost });
        assert_eq!(scene.wrong(USD, &manual), error("MISSING_FIELD", "/unitCost"), "{manual}");
        let with_bid = json!({ "optimizationTargetType": target, "costType": cost, "unitCost": usd("2.50") });
        let id = scene.campaign(USD, &with_bid);
        assert_eq!(scene.show(id)["optimizationTargetType"], "NONE");
        assert_eq!(scene.show(id)["unitCost"], usd("2.50"));
    }
}

#[test]
fn automatic_bidding_goes_with_its_cost_type() {
    let mut scene = Scene::new();
    let bidding = |cost: &str, target: &str| json!({ "costType": cost, "optimizationTargetType": target });
    for (cost, target) in [("CPM", "MAX_REACH"), ("CPM", "MAX_IMPRESSION"), ("CPM", "MAX_CLICK")] {
        let id = scene.campaign(USD, &bidding(cost, target));
        assert_eq!(scene.show(id)["optimizationTargetType"], target);
    }
    for (cost, target) in
        [("CPC", "MAX_REACH"), ("CPC", "MAX_IMPRESSION"), ("CPC", "MAX_CLICK"), ("CPV", "MAX_CLICK"), ("CPM", "MAX")]
    {
        assert_eq!(scene.wrong(USD, &bidding(cost, target)), error("INVALID_VALUE", TARGET), "{cost} {target}");
    }
    let id = scene.campaign(USD, &json!({}));
    let reply = scene.patch(id, &json!({ "$set": { "costType": "CPC" } }));
    assert_eq!(errors(&reply), error("INVALID_VALUE", TARGET));
    assert_eq!(scene.patch(id, &json!({ "$set": bidding("CPM", "MAX_REACH") })).status, 204);
}

#[test]
fn an_entity_is_the_reference_of_the_account() {
    let mut scene = Scene::open_to(&[USD, EUR, PAGELESS], &["rw_ads"]);
    scene.group(USD);
    scene.group(PAGELESS);
    let (_, account) = scene.get(&format!("/rest/adAccounts/{USD}"));
    let (_, other) = scene.get(&format!("/rest/adAccounts/{EUR}"));
    assert!(account["reference"].as_str().unwrap().starts_with("urn:li:organization:"), "{account}");
    assert_ne!(account["reference"], other["reference"]);
    let id = scene.campaign(USD, &json!({}));
    assert_eq!(scene.show(id)["associatedEntity"], account["reference"]);
    let foreign = json!({ "associatedEntity": other["reference"] });
    assert_eq!(scene.wrong(USD, &foreign), error("INVALID_VALUE", ENTITY));
    let reply = scene.patch(id, &json!({ "$set": foreign }));
    assert_eq!(errors(&reply), error("INVALID_VALUE", ENTITY));
    let person = scene.fields(USD, &json!({ "associatedEntity": "urn:li:person:1" }));
    assert_eq!(scene.send(&creation(USD, &person)).status, 422);
    let (_, pageless) = scene.get(&format!("/rest/adAccounts/{PAGELESS}"));
    assert_eq!(pageless.get("reference"), None);
    assert_eq!(scene.wrong(PAGELESS, &foreign), error("INVALID_VALUE", ENTITY));
    scene.campaign(PAGELESS, &json!({}));
}

#[test]
fn a_campaign_without_bid_or_entity_never_delivers() {
    let mut scene = Scene::new();
    let mut delivers = |changes: Value| {
        let now = scene.ms();
        let id = scene.campaign(USD, &changes);
        let running = json!({ "$set": { "status": "ACTIVE", "runSchedule": { "start": now + 600_000 } } });
        assert_eq!(scene.patch(id, &running).status, 204);
        let shown = card(&scene);
        (shown["delivers"].clone(), shown["undelivered"].clone())
    };
    assert_eq!(delivers(json!({})), (json!(true), json!([])));
    let manual = |bid: &str| json!({ "optimizationTargetType": "NONE", "unitCost": usd(bid) });
    assert_eq!(delivers(manual("0.01")).0, json!(true));
    assert_eq!(delivers(manual("0")), (json!(false), json!(["unitCost"])));
    assert_eq!(delivers(manual("0.00")).0, json!(false));
    assert_eq!(delivers(json!({ "associatedEntity": null })), (json!(false), json!(["associatedEntity"])));
}

#[test]
fn lifetime_pacing_is_set_at_creation_only() {
    let mut scene = Scene::new();
    let schedule = json!({ "start": scene.ms(), "end": scene.ms() + 30 * DAY });
    let total = json!({
        "dailyBudget": null, "totalBudget": usd("500"), "runSchedule": schedule, "pacingStrategy": "LIFETIME" });
    let paced = scene.campaign(USD, &total);
    assert_eq!(scene.show(paced)["pacingStrategy"], "LIFETIME");
    let plain = scene.campaign(USD, &json!({ "totalBudget": usd("500") }));
    let set = |word: &str| json!({ "$set": { "pacingStrategy": word } });
    let refused = error("INVALID_VALUE", "/pacingStrategy");
    assert_eq!(errors(&scene.patch(plain, &set("LIFETIME"))), refused);
    assert_eq!(errors(&scene.patch(paced, &set("LINEAR"))), refused);
    assert_eq!(errors(&scene.patch(paced, &json!({ "$delete": ["pacingStrategy"] }))), refused);
    assert_eq!(scene.patch(paced, &set("LIFETIME")).status, 204);
}

#[test]
fn a_patch_that_leaves_the_bid_alone_passes_an_older_campaign() {
    let mut scene = Scene::new();
    let manual = json!({ "optimizationTargetType": "NONE", "unitCost": usd("2"), "associatedEntity": null });
    let id = scene.campaign(USD, &manual);
    let account = scene.delta.accounts.iter_mut().find(|account| account.id == USD).unwrap();
    account.campaigns.get_mut(&id).unwrap().fields.remove("unitCost");
    assert_eq!(scene.patch(id, &json!({ "$set": { "name": "New" } })).status, 204);
    let reply = scene.patch(id, &json!({ "$set": { "costType": "CPC" } }));
    assert_eq!(errors(&reply), error("MISSING_FIELD", "/unitCost"));
}
