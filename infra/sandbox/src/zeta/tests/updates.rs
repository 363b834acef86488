//! Updates of campaigns.

use super::{NOW, Session, USD};
use jiff::Timestamp;
use serde_json::{Value, json};

#[test]
fn an_update_keeps_unnamed_fields_and_sets_the_update_time() {
    let mut session = Session::new();
    let made = session.create(json!({ "end_time": "2026-04-01T00:00:00Z" }));
    let id = made["id"].as_str().unwrap();
    session.now = "2026-03-02T12:10:00Z".parse().unwrap();
    let changed = session.update(id, &json!({ "name": "New", "configured_status": "ACTIVE", "goal_value": 7 }));
    assert_eq!((&changed["name"], &changed["goal_value"]), (&json!("New"), &json!(7)));
    assert_eq!((&changed["start_time"], &changed["end_time"]), (&made["start_time"], &made["end_time"]));
    assert_eq!(
        (&changed["created_at"], &changed["modified_at"]),
        (&made["created_at"], &json!("2026-03-02T12:10:00Z"))
    );
    assert_eq!(session.update(id, &json!({ "end_time": null }))["end_time"], Value::Null);
    session.now = "2026-03-03T11:00:00Z".parse().unwrap();
    assert_eq!(session.update_error(id, &json!({ "end_time": "2026-03-03T10:00:00Z" })).0, "data/end_time");
}

#[test]
fn goal_type_in_an_update_is_400() {
    let mut session = Session::new();
    let id = session.create_id(json!({}));
    for (name, value) in [
        ("goal_type", json!("DAILY_SPEND")),
        ("conversion_pixel_id", json!(super::PIXEL)),
        ("is_campaign_budget_optimization", json!(true)),
        ("status", json!("PAUSED")),
    ] {
        let (field, why) = session.update_error(&id, &json!({ name: value }));
        assert!(field == format!("data/{name}") && why.contains("not allowed"), "{field}: {why}");
    }
}

#[test]
fn a_rejected_update_changes_nothing() {
    let mut session = Session::new();
    let made = session.create(json!({}));
    let id = made["id"].as_str().unwrap();
    for changes in [
        json!({ "name": "New", "goal_value": "7" }),
        json!({ "name": "ab" }),
        json!({ "name": null }),
        json!({ "goal_value": null }),
        json!({ "start_time": "2026-03-02T11:00:00Z" }),
        json!({ "bid_value": 5 }),
    ] {
        session.update_error(id, &changes);
        assert_eq!(session.get(&format!("/campaigns/{id}")).1["data"], made, "{changes}");
    }
}

#[test]
fn dates_move_ahead_and_only_the_end_can_be_taken_away() {
    let mut session = Session::new();
    let id = session.create_id(json!({ "configured_status": "ACTIVE", "end_time": "2026-03-02T12:10:00Z" }));
    session.now = "2026-03-02T12:10:00Z".parse().unwrap();
    assert_eq!(session.get(&format!("/campaigns/{id}")).1["data"]["effective_status"], "COMPLETED");
    let later = session.update(&id, &json!({ "end_time": "2026-04-01T02:00:00+02:00" }));
    assert_eq!((&later["end_time"], &later["effective_status"]), (&json!("2026-04-01T00:00:00Z"), &json!("ACTIVE")));
    let moved = session.update(&id, &json!({ "start_time": "2026-03-03T00:00:00Z" }));
    assert_eq!(moved["start_time"], "2026-03-03T00:00:00Z");
    for (changes, field) in [
        (json!({ "start_time": null }), "data/start_time"),
        (json!({ "start_time": "2026-03-02T12:10:00Z" }), "data/start_time"),
        (json!({ "end_time": "2026-03-02T12:10:00Z" }), "data/end_time"),
        (json!({ "end_time": "2026-03-03T00:00:00Z" }), "data/end_time"),
        (json!({ "end_time": -1 }), "data/end_time"),
    ] {
        assert_eq!(session.update_error(&id, &changes).0, field, "{changes}");
    }
    assert_eq!(session.update(&id, &json!({ "end_time": null }))["end_time"], Value::Null);
}

#[test]
fn a_lifetime_campaign_keeps_an_end() {
    let mut session = Session::new();
    let id = session.create_id(json!({ "goal_type": "LIFETIME_SPEND", "end_time": "2026-03-09T12:00:00Z" }));
    assert_eq!(session.update_error(&id, &json!({ "end_time": null })).0, "data/end_time");
}

#[test]
fn archived_is_final_for_delivery_and_deletable_after_three_hours() {
    let mut session = Session::new();
    let id = session.create_id(json!({}));
    let deleted = json!({ "configured_status": "DELETED" });
    assert!(session.update_error(&id, &deleted).1.contains("only an archived"));
    session.update(&id, &json!({ "configured_status": "ARCHIVED" }));
    assert!(session.update_error(&id, &json!({ "configured_status": "ACTIVE" })).1.contains("again"));
    session.now = Timestamp::from_second(NOW + 3 * 3600 - 1).unwrap();
    // Archiving again does not restart the three hours.
    session.update(&id, &json!({ "configured_status": "ARCHIVED" }));
    assert!(session.update_error(&id, &deleted).1.contains("3 hours"));
    session.now = Timestamp::from_second(NOW + 3 * 3600).unwrap();
    assert_eq!(session.update(&id, &deleted)["effective_status"], "DELETED");
    assert!(session.update_error(&id, &json!({ "name": "New" })).1.contains("deleted"));
    assert_eq!(session.get(&format!("/campaigns/{id}")).1["data"]["configured_status"], "DELETED");
}

#[test]
fn a_wrong_method_and_the_long_path_are_404() {
    let mut session = Session::new();
    let id = session.create_id(json!({}));
    let body = json!({ "data": { "name": "New" } });
    for (method, path) in [
        ("PUT", format!("/campaigns/{id}")),
        ("POST", format!("/campaigns/{id}")),
        ("DELETE", format!("/campaigns/{id}")),
        ("PATCH", format!("/ad_accounts/{USD}/campaigns/{id}")),
        ("GET", format!("/ad_accounts/{USD}/campaigns/{id}")),
        ("PATCH", "/campaigns/77".to_owned()),
        ("PATCH", "/campaigns/x".to_owned()),
        ("GET", format!("/campaigns/{id}/")),
    ] {
        let (status, response) = session.call(method, &path, &body);
        assert_eq!((status, &response["error"]["code"]), (404, &json!(404)), "{method} {path}");
    }
}
