//! Updates and changes of status.

use super::*;

const UPDATE: &str = "/campaign/update/";

fn update(campaign: &str, changes: Value) -> Value {
    with(json!({ "advertiser_id": USD, "campaign_id": campaign }), changes)
}

#[test]
fn an_update_changes_name_and_budget_and_the_time_of_change() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    scene.now = "2026-03-02T12:00:30Z".parse().unwrap();
    let answer = scene.post(UPDATE, &update(&id, json!({ "campaign_name": "New", "budget": 60.5 })));
    assert_eq!(answer["code"], 0, "{answer}");
    let row = scene.list(&[])["data"]["list"][0].clone();
    assert_eq!((&row["campaign_name"], &row["budget"]), (&json!("New"), &json!(60.5)));
    assert_eq!([&row["create_time"], &row["modify_time"]], ["2026-03-02 12:00:00", "2026-03-02 12:00:30"]);
}

#[test]
fn an_update_refuses_budget_mode_and_status() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    for (field, value) in [
        ("budget_mode", "BUDGET_MODE_TOTAL"),
        ("operation_status", "DISABLE"),
        ("status", "DISABLE"),
        ("objective_type", "REACH"),
    ] {
        let changes = json!({ "campaign_name": "New", field: value });
        refused(&scene.post(UPDATE, &update(&id, changes)), 40002, &format!("{field}: Unknown field."));
    }
    assert_ne!(scene.list(&[])["data"]["list"][0]["campaign_name"], "New");
}

#[test]
fn an_update_that_changes_nothing_is_40012() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    refused(&scene.post(UPDATE, &update(&id, json!({}))), 40012, "No update");
    refused(&scene.post(UPDATE, &update(&id, json!({ "budget": 50.00 }))), 40012, "No update");
}

#[test]
fn a_new_budget_is_at_least_105_percent_of_what_was_spent() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    scene.spend(&id, "100");
    refused(&scene.post(UPDATE, &update(&id, json!({ "budget": 104.99 }))), 40002, "budget: ");
    assert_eq!(scene.post(UPDATE, &update(&id, json!({ "budget": 105 })))["code"], 0);
    refused(&scene.post(UPDATE, &update(&id, json!({ "budget": 49 }))), 40002, "budget: ");
}

#[test]
fn a_campaign_without_bound_takes_no_budget_later() {
    let mut scene = Scene::new();
    let body = manual(json!({ "budget_mode": "BUDGET_MODE_INFINITE", "budget": null }));
    let id = scene.made(CREATE, &body);
    refused(&scene.post(UPDATE, &update(&id, json!({ "budget": 60 }))), 40002, "budget: ");
}

#[test]
fn delete_is_terminal() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    assert_eq!(scene.switch(&id, "DELETE")["code"], 0);
    for to in ["ENABLE", "DISABLE", "DELETE"] {
        refused(&scene.switch(&id, to), 40002, "has been deleted");
    }
    refused(&scene.post(UPDATE, &update(&id, json!({ "campaign_name": "New" }))), 40002, "has been deleted");
}

#[test]
fn a_change_of_status_answers_with_each_campaign() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    let data = scene.switch(&id, "DISABLE")["data"].clone();
    let one = json!({ "campaign_id": id, "status": "DISABLE", "postback_window_mode": null });
    assert_eq!(data, json!({ "campaign_ids": [id], "status": "DISABLE", "campaign_list": [one] }));
    let row = scene.list(&[])["data"]["list"][0].clone();
    assert_eq!([&row["operation_status"], &row["secondary_status"]], ["DISABLE", "CAMPAIGN_STATUS_DISABLE"]);
    assert_eq!(scene.switch(&id, "ENABLE")["data"]["status"], "ENABLE");
    refused(&scene.switch(&id, "PAUSED"), 40002, "operation_status");
}

#[test]
fn one_to_twenty_campaigns_are_switched_all_or_none() {
    let mut scene = Scene::new();
    let id = scene.campaign();
    let mut switch = |ids: Value| {
        let body = json!({ "advertiser_id": USD, "campaign_ids": ids, "operation_status": "DISABLE" });
        scene.post("/campaign/status/update/", &body)
    };
    refused(&switch(json!([])), 40002, "campaign_ids");
    refused(&switch(json!(vec![id.clone(); 21])), 40002, "campaign_ids");
    refused(&switch(json!(id)), 40002, "campaign_ids");
    refused(&switch(json!([id, "1799999999999999"])), 40007, "1799999999999999");
    refused(&switch(json!([id, "x"])), 40002, "campaign_ids");
    assert_eq!(scene.list(&[])["data"]["list"][0]["operation_status"], "ENABLE");
}

#[test]
fn smart_plus_campaigns_are_changed_by_their_own_addresses() {
    let mut scene = Scene::new();
    let id = scene.made(SMART, &smart(json!({})));
    let changes = update(&id, json!({ "campaign_name": "New", "budget": 70 }));
    refused(&scene.post(UPDATE, &changes), 40002, "/smart_plus/campaign/");
    refused(&scene.switch(&id, "DISABLE"), 40002, "/smart_plus/campaign/");
    assert_eq!(scene.post("/smart_plus/campaign/update/", &changes)["code"], 0);
    let body = json!({ "advertiser_id": USD, "campaign_ids": [id], "operation_status": "DISABLE" });
    assert_eq!(scene.post("/smart_plus/campaign/status/update/", &body)["code"], 0);
    let listed = scene.get("/smart_plus/campaign/get/", &[("advertiser_id", USD)]);
    let row = &listed["data"]["list"][0];
    assert_eq!((&row["campaign_name"], &row["operation_status"]), (&json!("New"), &json!("DISABLE")));
    let other = scene.campaign();
    refused(
        &scene.post("/smart_plus/campaign/update/", &update(&other, json!({ "budget": 60 }))),
        40002,
        "campaign_id",
    );
}

#[test]
fn another_advertiser_s_campaign_is_not_there() {
    let mut scene = Scene::new();
    let id = scene.made(CREATE, &manual(json!({ "advertiser_id": JPY, "budget": 5000 })));
    refused(&scene.post(UPDATE, &update(&id, json!({ "campaign_name": "New" }))), 40007, &id);
    refused(&scene.switch(&id, "DELETE"), 40007, &id);
}
