//! Updates and status changes.

use super::*;

const UPDATE: &str = "/campaign/update/";

fn update(campaign: &str, changes: Value) -> Value {
    with(json!({ "advertiser_id": USD, "campaign_id": campaign }), changes)
}

#[test]
fn an_update_changes_name_budget_and_modify_time() {
    let mut session = Session::new();
    let id = session.campaign();
    session.now = "2026-03-02T12:00:30Z".parse().unwrap();
    let response = session.post(UPDATE, &update(&id, json!({ "campaign_name": "New", "budget": 60.5 })));
    assert_eq!(response["code"], 0, "{response}");
    let row = session.list(&[])["data"]["list"][0].clone();
    assert_eq!((&row["campaign_name"], &row["budget"]), (&json!("New"), &json!(60.5)));
    assert_eq!([&row["create_time"], &row["modify_time"]], ["2026-03-02 12:00:00", "2026-03-02 12:00:30"]);
}

#[test]
fn an_update_rejects_budget_mode_and_status() {
    let mut session = Session::new();
    let id = session.campaign();
    for (field, value) in [
        ("budget_mode", "BUDGET_MODE_TOTAL"),
        ("operation_status", "DISABLE"),
        ("status", "DISABLE"),
        ("objective_type", "REACH"),
    ] {
        let changes = json!({ "campaign_name": "New", field: value });
        assert_error(&session.post(UPDATE, &update(&id, changes)), 40002, &format!("{field}: Unknown field."));
    }
    assert_ne!(session.list(&[])["data"]["list"][0]["campaign_name"], "New");
}

#[test]
fn an_update_that_changes_nothing_is_40012() {
    let mut session = Session::new();
    let id = session.campaign();
    assert_error(&session.post(UPDATE, &update(&id, json!({}))), 40012, "No update");
    assert_error(&session.post(UPDATE, &update(&id, json!({ "budget": 50.00 }))), 40012, "No update");
}

#[test]
fn a_new_budget_is_at_least_105_percent_of_the_spend() {
    let mut session = Session::new();
    let id = session.campaign();
    session.spend(&id, "100");
    assert_error(&session.post(UPDATE, &update(&id, json!({ "budget": 104.99 }))), 40002, "budget: ");
    assert_eq!(session.post(UPDATE, &update(&id, json!({ "budget": 105 })))["code"], 0);
    assert_error(&session.post(UPDATE, &update(&id, json!({ "budget": 49 }))), 40002, "budget: ");
}

#[test]
fn an_unlimited_campaign_takes_no_budget_later() {
    let mut session = Session::new();
    let body = manual(json!({ "budget_mode": "BUDGET_MODE_INFINITE", "budget": null }));
    let id = session.create(CREATE, &body);
    assert_error(&session.post(UPDATE, &update(&id, json!({ "budget": 60 }))), 40002, "budget: ");
}

#[test]
fn delete_is_terminal() {
    let mut session = Session::new();
    let id = session.campaign();
    assert_eq!(session.set_status(&id, "DELETE")["code"], 0);
    for to in ["ENABLE", "DISABLE", "DELETE"] {
        assert_error(&session.set_status(&id, to), 40002, "has been deleted");
    }
    assert_error(&session.post(UPDATE, &update(&id, json!({ "campaign_name": "New" }))), 40002, "has been deleted");
}

#[test]
fn a_status_change_returns_each_campaign() {
    let mut session = Session::new();
    let id = session.campaign();
    let data = session.set_status(&id, "DISABLE")["data"].clone();
    let one = json!({ "campaign_id": id, "status": "DISABLE", "postback_window_mode": null });
    assert_eq!(data, json!({ "campaign_ids": [id], "status": "DISABLE", "campaign_list": [one] }));
    let row = session.list(&[])["data"]["list"][0].clone();
    assert_eq!([&row["operation_status"], &row["secondary_status"]], ["DISABLE", "CAMPAIGN_STATUS_DISABLE"]);
    assert_eq!(session.set_status(&id, "ENABLE")["data"]["status"], "ENABLE");
    assert_error(&session.set_status(&id, "PAUSED"), 40002, "operation_status");
}

#[test]
fn a_status_change_of_1_to_20_campaigns_is_atomic() {
    let mut session = Session::new();
    let id = session.campaign();
    let mut switch = |ids: Value| {
        let body = json!({ "advertiser_id": USD, "campaign_ids": ids, "operation_status": "DISABLE" });
        session.post("/campaign/status/update/", &body)
    };
    assert_error(&switch(json!([])), 40002, "campaign_ids");
    assert_error(&switch(json!(vec![id.clone(); 21])), 40002, "campaign_ids");
    assert_error(&switch(json!(id)), 40002, "campaign_ids");
    assert_error(&switch(json!([id, "1799999999999999"])), 40007, "1799999999999999");
    assert_error(&switch(json!([id, "x"])), 40002, "campaign_ids");
    assert_eq!(session.list(&[])["data"]["list"][0]["operation_status"], "ENABLE");
}

#[test]
fn smart_plus_campaigns_change_through_their_own_endpoints() {
    let mut session = Session::new();
    let id = session.create(SMART, &smart(json!({})));
    let changes = update(&id, json!({ "campaign_name": "New", "budget": 70 }));
    assert_error(&session.post(UPDATE, &changes), 40002, "/smart_plus/campaign/");
    assert_error(&session.set_status(&id, "DISABLE"), 40002, "/smart_plus/campaign/");
    assert_eq!(session.post("/smart_plus/campaign/update/", &changes)["code"], 0);
    let body = json!({ "advertiser_id": USD, "campaign_ids": [id], "operation_status": "DISABLE" });
    assert_eq!(session.post("/smart_plus/campaign/status/update/", &body)["code"], 0);
    let listed = session.get("/smart_plus/campaign/get/", &[("advertiser_id", USD)]);
    let row = &listed["data"]["list"][0];
    assert_eq!((&row["campaign_name"], &row["operation_status"]), (&json!("New"), &json!("DISABLE")));
    let other = session.campaign();
    assert_error(
        &session.post("/smart_plus/campaign/update/", &update(&other, json!({ "budget": 60 }))),
        40002,
        "campaign_id",
    );
}

#[test]
fn a_campaign_of_another_advertiser_is_not_found() {
    let mut session = Session::new();
    let id = session.create(CREATE, &manual(json!({ "advertiser_id": JPY, "budget": 5000 })));
    assert_error(&session.post(UPDATE, &update(&id, json!({ "campaign_name": "New" }))), 40007, &id);
    assert_error(&session.set_status(&id, "DELETE"), 40007, &id);
}
