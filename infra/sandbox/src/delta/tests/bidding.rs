//! Bids, the promoted organization, and pacing.

use super::{DAY, EUR, Session, USD, WITHOUT_PAGE, creation, error, errors, summary, usd};
use serde_json::{Value, json};

const ENTITY: &str = "/associatedEntity";
const TARGET: &str = "/optimizationTargetType";

#[test]
fn manual_bidding_is_the_default_and_needs_a_bid() {
    let mut session = Session::new();
    for (target, cost) in [(json!(null), "CPC"), (json!("NONE"), "CPM"), (json!("NONE"), "CPV")] {
        let manual = json!({ "optimizationTargetType": target, "costType": cost });
        assert_eq!(session.create_errors(USD, &manual), error("MISSING_FIELD", "/unitCost"), "{manual}");
        let with_bid = json!({ "optimizationTargetType": target, "costType": cost, "unitCost": usd("2.50") });
        let id = session.campaign(USD, &with_bid);
        assert_eq!(session.get_campaign(id)["optimizationTargetType"], "NONE");
        assert_eq!(session.get_campaign(id)["unitCost"], usd("2.50"));
    }
}

#[test]
fn automatic_bidding_requires_a_matching_cost_type() {
    let mut session = Session::new();
    let bidding = |cost: &str, target: &str| json!({ "costType": cost, "optimizationTargetType": target });
    for (cost, target) in [("CPM", "MAX_REACH"), ("CPM", "MAX_IMPRESSION"), ("CPM", "MAX_CLICK")] {
        let id = session.campaign(USD, &bidding(cost, target));
        assert_eq!(session.get_campaign(id)["optimizationTargetType"], target);
    }
    for (cost, target) in
        [("CPC", "MAX_REACH"), ("CPC", "MAX_IMPRESSION"), ("CPC", "MAX_CLICK"), ("CPV", "MAX_CLICK"), ("CPM", "MAX")]
    {
        assert_eq!(
            session.create_errors(USD, &bidding(cost, target)),
            error("INVALID_VALUE", TARGET),
            "{cost} {target}"
        );
    }
    let id = session.campaign(USD, &json!({}));
    let response = session.patch(id, &json!({ "$set": { "costType": "CPC" } }));
    assert_eq!(errors(&response), error("INVALID_VALUE", TARGET));
    assert_eq!(session.patch(id, &json!({ "$set": bidding("CPM", "MAX_REACH") })).status, 204);
}

#[test]
fn an_entity_must_be_the_reference_of_the_account() {
    let mut session = Session::with_access(&[USD, EUR, WITHOUT_PAGE], &["rw_ads"]);
    session.group(USD);
    session.group(WITHOUT_PAGE);
    let (_, account) = session.get(&format!("/rest/adAccounts/{USD}"));
    let (_, other) = session.get(&format!("/rest/adAccounts/{EUR}"));
    assert!(account["reference"].as_str().unwrap().starts_with("urn:li:organization:"), "{account}");
    assert_ne!(account["reference"], other["reference"]);
    let id = session.campaign(USD, &json!({}));
    assert_eq!(session.get_campaign(id)["associatedEntity"], account["reference"]);
    let foreign = json!({ "associatedEntity": other["reference"] });
    assert_eq!(session.create_errors(USD, &foreign), error("INVALID_VALUE", ENTITY));
    let response = session.patch(id, &json!({ "$set": foreign }));
    assert_eq!(errors(&response), error("INVALID_VALUE", ENTITY));
    let person = session.campaign_fields(USD, &json!({ "associatedEntity": "urn:li:person:1" }));
    assert_eq!(session.send(&creation(USD, &person)).status, 422);
    let (_, without_page) = session.get(&format!("/rest/adAccounts/{WITHOUT_PAGE}"));
    assert_eq!(without_page.get("reference"), None);
    assert_eq!(session.create_errors(WITHOUT_PAGE, &foreign), error("INVALID_VALUE", ENTITY));
    session.campaign(WITHOUT_PAGE, &json!({}));
}

#[test]
fn a_campaign_without_bid_or_entity_never_delivers() {
    let mut session = Session::new();
    let mut delivers = |changes: Value| {
        let now = session.now_ms();
        let id = session.campaign(USD, &changes);
        let running = json!({ "$set": { "status": "ACTIVE", "runSchedule": { "start": now + 600_000 } } });
        assert_eq!(session.patch(id, &running).status, 204);
        let campaign = summary(&session);
        (campaign["delivers"].clone(), campaign["undelivered"].clone())
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
    let mut session = Session::new();
    let schedule = json!({ "start": session.now_ms(), "end": session.now_ms() + 30 * DAY });
    let total = json!({
        "dailyBudget": null, "totalBudget": usd("500"), "runSchedule": schedule, "pacingStrategy": "LIFETIME" });
    let paced = session.campaign(USD, &total);
    assert_eq!(session.get_campaign(paced)["pacingStrategy"], "LIFETIME");
    let plain = session.campaign(USD, &json!({ "totalBudget": usd("500") }));
    let set = |word: &str| json!({ "$set": { "pacingStrategy": word } });
    let refused = error("INVALID_VALUE", "/pacingStrategy");
    assert_eq!(errors(&session.patch(plain, &set("LIFETIME"))), refused);
    assert_eq!(errors(&session.patch(paced, &set("LINEAR"))), refused);
    assert_eq!(errors(&session.patch(paced, &json!({ "$delete": ["pacingStrategy"] }))), refused);
    assert_eq!(session.patch(paced, &set("LIFETIME")).status, 204);
}

#[test]
fn a_patch_that_keeps_the_bid_accepts_an_older_campaign_without_one() {
    let mut session = Session::new();
    let manual = json!({ "optimizationTargetType": "NONE", "unitCost": usd("2"), "associatedEntity": null });
    let id = session.campaign(USD, &manual);
    let account = session.platform.accounts.iter_mut().find(|account| account.id == USD).unwrap();
    account.campaigns.get_mut(&id).unwrap().fields.remove("unitCost");
    assert_eq!(session.patch(id, &json!({ "$set": { "name": "New" } })).status, 204);
    let response = session.patch(id, &json!({ "$set": { "costType": "CPC" } }));
    assert_eq!(errors(&response), error("MISSING_FIELD", "/unitCost"));
}
