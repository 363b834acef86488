//! Quirks of customers, and what a client can still do with all of them on.

use super::*;
use crate::quirks::{ALL, switch};

const UNDECLARED: &str = "1002003900";
const BLOCKED: &str = "mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED";

/// With the customer that has not declared open to the token.
fn undeclared() -> Scene {
    let mut scene = Scene::open_to(&[USD, UNDECLARED], &[api::SCOPE]);
    scene.quirk("undeclared_customer");
    scene
}

fn statuses(scene: &mut Scene, from: &str) -> Vec<Value> {
    let (_, body) = scene.search(MANAGER, &format!("SELECT {from}.id, {from}.status FROM {from}"));
    let key = crate::alpha::proto::camel(from);
    body["results"].as_array().unwrap().iter().map(|row| row[&key]["status"].clone()).collect()
}

#[test]
fn a_manager_may_read_as_closed_and_its_clients_are_usable() {
    let mut scene = Scene::new();
    assert_eq!(statuses(&mut scene, "customer"), ["ENABLED"]);
    scene.quirk("closed_manager");
    assert_eq!(statuses(&mut scene, "customer"), ["CLOSED"]);
    let clients = ["ENABLED", "ENABLED", "ENABLED", "ENABLED", "CLOSED"];
    assert_eq!(statuses(&mut scene, "customer_client"), clients);
    let query = json!({ "query": "SELECT customer.id FROM customer WHERE customer.status = 'CLOSED'" });
    let (_, body) = scene.post(&format!("/v26/customers/{USD}/googleAds:search"), &query);
    assert_eq!(body["results"], Value::Null);
    scene.campaign(USD, json!({}));
}

#[test]
fn an_undeclared_campaign_blocks_every_mutate_of_its_customer() {
    let mut scene = undeclared();
    let old = format!("customers/{UNDECLARED}/campaigns/20000000001");
    let rename = json!({ "resourceName": old, "name": "New" });
    for operations in [
        both(UNDECLARED, json!({}), json!({})),
        json!([{ "campaignOperation": { "update": rename, "updateMask": "name" } }]),
        json!([{ "campaignOperation": { "remove": old } }]),
    ] {
        assert_eq!(scene.fails(UNDECLARED, operations), error(BLOCKED, ""));
    }
    assert_eq!(scene.field(&old, "campaign.missing_eu_political_advertising_declaration"), true);
    scene.campaign(USD, json!({}));
}

#[test]
fn a_declaration_ends_the_block() {
    let mut scene = undeclared();
    let old = format!("customers/{UNDECLARED}/campaigns/20000000001");
    let declared = json!({
        "resourceName": old,
        "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
    });
    let mask = "containsEuPoliticalAdvertising";
    scene.does(UNDECLARED, json!([{ "campaignOperation": { "update": declared, "updateMask": mask } }]));
    assert_eq!(scene.field(&old, "campaign.missing_eu_political_advertising_declaration"), false);
    scene.campaign(UNDECLARED, json!({}));
}

#[test]
fn the_customer_of_a_quirk_is_marked_and_new_ids_go_on() {
    let mut scene = undeclared();
    assert_eq!(scene.alpha.accounts().len(), 5);
    for _ in 0..2 {
        scene.search(USD, "SELECT customer.id FROM customer");
    }
    let card = scene.alpha.accounts().pop().unwrap();
    assert_eq!((card.id.as_str(), card.marks.as_slice()), (UNDECLARED, &["quirk"][..]));
    assert_eq!(scene.alpha.accounts().len(), 6);
    assert_eq!(scene.alpha.open_account("USD").unwrap().id, "1002004000");
}

#[test]
fn with_every_quirk_on_a_campaign_is_made_changed_and_removed() {
    let mut scene = Scene::new();
    switch(scene.alpha.quirks(), &mut scene.settings.quirks, ALL, true).unwrap();
    let (campaign, budget) = scene.campaign(USD, json!({}));
    scene.campaign(JPY, display(json!({})));
    let rename = json!({ "resourceName": campaign, "name": "Other", "status": "ENABLED" });
    scene.does(USD, json!([{ "campaignOperation": { "update": rename, "updateMask": "name,status" } }]));
    let more = json!({ "resourceName": budget, "amountMicros": "60000000" });
    scene.does(USD, json!([{ "campaignBudgetOperation": { "update": more, "updateMask": "amount_micros" } }]));
    assert_eq!(scene.field(&campaign, "campaign_budget.amount_micros"), "60000000");
    scene.does(USD, json!([{ "campaignOperation": { "remove": campaign } }]));
    assert_eq!(scene.field(&campaign, "campaign.status"), "REMOVED");
}
