//! Changed campaigns.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{NOW, Scene, USD};

#[test]
fn what_is_not_named_stays_and_the_change_is_dated() {
    let mut scene = Scene::new();
    let made = scene.creates(json!({ "end_time": "2026-04-01T00:00:00Z" }));
    let id = made["id"].as_str().unwrap();
    scene.now = "2026-03-02T12:10:00Z".parse().unwrap();
    let changed = scene.updates(id, &json!({ "name": "New", "configured_status": "ACTIVE", "goal_value": 7 }));
    assert_eq!((&changed["name"], &changed["goal_value"]), (&json!("New"), &json!(7)));
    assert_eq!((&changed["start_time"], &changed["end_time"]), (&made["start_time"], &made["end_time"]));
    assert_eq!(
        (&changed["created_at"], &changed["modified_at"]),
        (&made["created_at"], &json!("2026-03-02T12:10:00Z"))
    );
    assert_eq!(scene.updates(id, &json!({ "end_time": null }))["end_time"], Value::Null);
    scene.now = "2026-03-03T11:00:00Z".parse().unwrap();
    assert_eq!(scene.refuses_change(id, &json!({ "end_time": "2026-03-03T10:00:00Z" })).0, "data/end_time");
}

#[test]
fn goal_type_in_a_change_is_400() {
    let mut scene = Scene::new();
    let id = scene.id(json!({}));
    for (name, value) in [
        ("goal_type", json!("DAILY_SPEND")),
        ("conversion_pixel_id", json!(super::PIXEL)),
        ("is_campaign_budget_optimization", json!(true)),
        ("status", json!("PAUSED")),
    ] {
        let (field, why) = scene.refuses_change(&id, &json!({ name: value }));
        assert!(field == format!("data/{name}") && why.contains("not allowed"), "{field}: {why}");
    }
}

#[test]
fn a_refused_change_changes_nothing() {
    let mut scene = Scene::new();
    let made = scene.creates(json!({}));
    let id = made["id"].as_str().unwrap();
    for changes in [
        json!({ "name": "New", "goal_value": "7" }),
        json!({ "name": "ab" }),
        json!({ "name": null }),
        json!({ "goal_value": null }),
        json!({ "start_time": "2026-03-02T11:00:00Z" }),
        json!({ "bid_value": 5 }),
    ] {
        scene.refuses_change(id, &changes);
        assert_eq!(scene.get(&format!("/campaigns/{id}")).1["data"], made, "{changes}");
    }
}

#[test]
fn a_lifetime_campaign_keeps_an_end() {
    let mut scene = Scene::new();
    let id = scene.id(json!({ "goal_type": "LIFETIME_SPEND", "end_time": "2026-03-09T12:00:00Z" }));
    assert_eq!(scene.refuses_change(&id, &json!({ "end_time": null })).0, "data/end_time");
}

#[test]
fn archived_is_final_for_delivery_and_deleted_comes_three_hours_after_it() {
    let mut scene = Scene::new();
    let id = scene.id(json!({}));
    let deleted = json!({ "configured_status": "DELETED" });
    assert!(scene.refuses_change(&id, &deleted).1.contains("only an archived"));
    scene.updates(&id, &json!({ "configured_status": "ARCHIVED" }));
    assert!(scene.refuses_change(&id, &json!({ "configured_status": "ACTIVE" })).1.contains("again"));
    scene.now = Timestamp::from_second(NOW + 3 * 3600 - 1).unwrap();
    // Saying it once more does not begin the hours anew.
    scene.updates(&id, &json!({ "configured_status": "ARCHIVED" }));
    assert!(scene.refuses_change(&id, &deleted).1.contains("3 hours"));
    scene.now = Timestamp::from_second(NOW + 3 * 3600).unwrap();
    assert_eq!(scene.updates(&id, &deleted)["effective_status"], "DELETED");
    assert!(scene.refuses_change(&id, &json!({ "name": "New" })).1.contains("deleted"));
    assert_eq!(scene.get(&format!("/campaigns/{id}")).1["data"]["configured_status"], "DELETED");
}

#[test]
fn a_wrong_verb_and_the_long_path_are_404() {
    let mut scene = Scene::new();
    let id = scene.id(json!({}));
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
        let (status, answer) = scene.send(method, &path, &body);
        assert_eq!((status, &answer["error"]["code"]), (404, &json!(404)), "{method} {path}");
    }
}
