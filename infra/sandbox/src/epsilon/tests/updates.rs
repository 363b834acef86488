//! Updates of campaigns.

use super::{NOW, Session, USD, change, item};
use serde_json::{Value, json};

#[test]
fn an_update_keeps_unnamed_fields_and_sets_the_update_time() {
    let mut session = Session::new();
    let made = session.create(json!({ "end_time": NOW + 86_400 }));
    session.now = "2026-03-02T12:00:05Z".parse().unwrap();
    let changed = session.update(&made["id"], json!({ "name": "New", "status": "ACTIVE" }));
    assert_eq!((&changed["name"], &changed["status"]), (&json!("New"), &json!("ACTIVE")));
    assert_eq!((&changed["daily_spend_cap"], &changed["end_time"]), (&json!(50_000_000), &made["end_time"]));
    assert_eq!((&changed["created_time"], &changed["updated_time"]), (&json!(NOW), &json!(NOW + 5)));
    assert_eq!(session.update(&made["id"], json!({ "end_time": -1 }))["end_time"], Value::Null);
    assert_eq!(session.update(&made["id"], json!({ "status": "PAUSED" }))["status"], "PAUSED");
}

#[test]
fn switching_to_a_lifetime_cap_requires_a_null_daily_cap() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    let why = session.rejects("PATCH", change(&id, json!({ "lifetime_spend_cap": 900_000_000 })));
    assert!(why.contains("at the same time"), "{why}");
    let switched = json!({ "lifetime_spend_cap": 900_000_000, "daily_spend_cap": null, "end_time": NOW + 86_400 });
    let changed = session.update(&id, switched);
    assert_eq!((&changed["daily_spend_cap"], &changed["lifetime_spend_cap"]), (&Value::Null, &json!(900_000_000)));
    let why = session.rejects("PATCH", change(&id, json!({ "lifetime_spend_cap": null })));
    assert!(why.contains("needs a daily or lifetime"), "{why}");
}

#[test]
fn switching_to_a_lifetime_cap_needs_an_end_and_keeps_it() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    let switched = json!({ "lifetime_spend_cap": 900_000_000, "daily_spend_cap": null });
    let why = session.rejects("PATCH", change(&id, switched.clone()));
    assert!(why.contains("needs end_time"), "{why}");
    session.update(&id, json!({ "end_time": NOW + 86_400 }));
    assert_eq!(session.update(&id, switched)["end_time"], NOW + 86_400);
    let why = session.rejects("PATCH", change(&id, json!({ "end_time": -1 })));
    assert!(why.contains("needs end_time"), "{why}");
    let back = json!({ "lifetime_spend_cap": null, "daily_spend_cap": 5_000_000, "end_time": -1 });
    assert_eq!(session.update(&id, back)["end_time"], Value::Null);
}

#[test]
fn dates_move_and_only_minus_one_takes_the_end_away() {
    let mut session = Session::new();
    let id = session.create(json!({ "status": "ACTIVE", "end_time": NOW + 60 }))["id"].clone();
    session.now = "2026-03-02T12:01:00Z".parse().unwrap();
    let later = session.update(&id, json!({ "end_time": NOW + 86_400 }));
    assert_eq!((&later["end_time"], &later["summary_status"]), (&json!(NOW + 86_400), &json!("RUNNING")));
    assert_eq!(session.update(&id, json!({ "end_time": NOW + 3_600 }))["end_time"], NOW + 3_600);
    assert_eq!(session.update(&id, json!({ "end_time": null }))["end_time"], NOW + 3_600);
    let moved = session.update(&id, json!({ "start_time": NOW + 600 }));
    assert_eq!((&moved["start_time"], &moved["summary_status"]), (&json!(NOW + 600), &json!("NOT_STARTED")));
    assert_eq!(session.update(&id, json!({ "start_time": null }))["start_time"], NOW + 600);
    for (changes, why) in [
        (json!({ "start_time": NOW + 3_600 }), "end_time must be after start_time"),
        (json!({ "end_time": NOW + 600 }), "end_time must be after start_time"),
        (json!({ "start_time": NOW - 60, "end_time": NOW + 60 }), "in the past"),
    ] {
        let said = session.rejects("PATCH", change(&id, changes));
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(session.update(&id, json!({ "end_time": -1 }))["end_time"], Value::Null);
    let (status, body) = session.write("POST", USD, &json!([item(json!({ "end_time": -1 }))]));
    assert_eq!((status, &body["code"]), (400, &json!(1)), "a new campaign has no end to take away: {body}");
    for field in ["start_time", "end_time"] {
        let (status, _) = session.write("PATCH", USD, &json!([change(&id, json!({ field: -2 }))]));
        assert_eq!(status, 400, "{field}");
    }
}

#[test]
fn an_older_lifetime_campaign_without_an_end_can_be_renamed() {
    let mut session = Session::new();
    let made = session.create(json!({
        "daily_spend_cap": null, "lifetime_spend_cap": 900_000_000, "end_time": NOW + 86_400 }));
    let account = session.platform.accounts.iter_mut().find(|account| account.id.to_string() == USD).unwrap();
    account.campaigns.values_mut().for_each(|campaign| campaign.end = None);
    assert_eq!(session.update(&made["id"], json!({ "name": "New" }))["end_time"], Value::Null);
}

#[test]
fn a_rejected_update_is_an_exception_inside_a_200_and_changes_nothing() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    let body = json!([
        change(&json!("5"), json!({ "name": "Missing" })),
        change(&id, json!({ "name": "New", "daily_spend_cap": 0 })),
        change(&id, json!({ "status": "PAUSED" })),
    ]);
    let (status, response) = session.write("PATCH", USD, &body);
    assert_eq!(status, 200, "{response}");
    assert_eq!(response["items"][0]["exceptions"][0], json!({ "code": 30, "message": "Campaign not found." }));
    assert_eq!(response["items"][1]["exceptions"].as_array().map(Vec::len), Some(1));
    assert_eq!(response["items"][2]["data"]["name"], "Winter sale");
}

#[test]
fn archived_is_final() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    let archived = session.update(&id, json!({ "status": "ARCHIVED" }));
    assert_eq!((&archived["status"], &archived["summary_status"]), (&json!("ARCHIVED"), &json!("ARCHIVED")));
    for changes in [json!({ "status": "ACTIVE" }), json!({ "status": "ARCHIVED" }), json!({ "name": "New" })] {
        let why = session.rejects("PATCH", change(&id, changes));
        assert!(why.contains("ARCHIVED"), "{why}");
    }
    let path = format!("/v5/ad_accounts/{USD}/campaigns/{}", id.as_str().unwrap());
    assert_eq!(session.get(&path).1["status"], "ARCHIVED");
}

#[test]
fn the_objective_can_change_only_while_the_campaign_is_a_draft() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    let why = session.rejects("PATCH", change(&id, json!({ "objective_type": "AWARENESS" })));
    assert!(why.contains("draft"), "{why}");
    assert_eq!(session.update(&id, json!({ "objective_type": "CONSIDERATION" }))["status"], "PAUSED");
    let draft = session.create(json!({ "status": "DRAFT" }))["id"].clone();
    let changed = session.update(&draft, json!({ "objective_type": "AWARENESS", "status": "PAUSED" }));
    assert_eq!(changed["objective_type"], "AWARENESS");
    let why = session.rejects("PATCH", change(&draft, json!({ "status": "DRAFT" })));
    assert!(why.contains("PAUSED cannot become DRAFT"), "{why}");
}

#[test]
fn only_drafts_can_be_deleted() {
    let mut session = Session::new();
    let draft = session.create(json!({ "status": "DRAFT" }))["id"].clone();
    let gone = session.update(&draft, json!({ "status": "DELETED_DRAFT" }));
    assert_eq!(gone["summary_status"], "DELETED_DRAFT");
    let id = session.create(json!({}))["id"].clone();
    let why = session.rejects("PATCH", change(&id, json!({ "status": "DELETED_DRAFT" })));
    assert!(why.contains("cannot become"), "{why}");
}

#[test]
fn a_malformed_update_is_a_400_with_code_1() {
    let mut session = Session::new();
    let id = session.create(json!({}))["id"].clone();
    for item in [
        json!({ "ad_account_id": USD, "name": "No id" }),
        json!({ "id": id, "name": "No account" }),
        change(&json!(626_735_565_001_i64), json!({})),
        change(&id, json!({ "name": null })),
        change(&id, json!({ "daily_spend_cap": "1" })),
        change(&id, json!({ "status": "REMOVED" })),
    ] {
        let (status, response) = session.write("PATCH", USD, &json!([item]));
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{item}");
    }
}
