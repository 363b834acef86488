//! Creates of campaigns.

use super::{NOW, REMOVED, Session, USD, change, item};
use serde_json::{Value, json};

#[test]
fn a_new_campaign_has_text_ids_and_times_in_seconds() {
    let mut session = Session::new();
    let made = session.create(json!({ "start_time": NOW + 60, "end_time": NOW + 86_400 }));
    let id = made["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    let expected = json!({
        "id": id,
        "ad_account_id": USD,
        "name": "Winter sale",
        "status": "PAUSED",
        "objective_type": "CONSIDERATION",
        "is_campaign_budget_optimization": true,
        "is_flexible_daily_budgets": false,
        "daily_spend_cap": 50_000_000,
        "lifetime_spend_cap": null,
        "start_time": NOW + 60,
        "end_time": NOW + 86_400,
        "order_line_id": null,
        "tracking_urls": null,
        "created_time": NOW,
        "updated_time": NOW,
        "summary_status": "PAUSED",
        "type": "campaign",
    });
    assert_eq!(made, expected);
    let (status, read) = session.get(&format!("/v5/ad_accounts/{USD}/campaigns/{id}"));
    assert_eq!((status, read), (200, expected));
    assert!(session.create(json!({}))["id"].as_str().unwrap() > id.as_str());
}

#[test]
fn the_default_status_is_active() {
    let mut session = Session::new();
    let made = session.create(json!({ "status": REMOVED }));
    assert_eq!((&made["status"], &made["summary_status"]), (&json!("ACTIVE"), &json!("RUNNING")));
    assert_eq!(made["start_time"], NOW);
    for status in ["ARCHIVED", "DELETED_DRAFT"] {
        let why = session.rejects("POST", item(json!({ "status": status })));
        assert!(why.contains("status"), "{why}");
    }
    assert_eq!(session.create(json!({ "status": "DRAFT" }))["status"], "DRAFT");
}

#[test]
fn a_rejected_item_is_an_exception_inside_a_200_and_others_succeed() {
    let mut session = Session::new();
    let bad = item(json!({ "lifetime_spend_cap": 900_000_000 }));
    let body = json!([item(json!({ "name": "One" })), bad, item(json!({ "name": "Two" }))]);
    let (status, response) = session.write("POST", USD, &body);
    assert_eq!(status, 200);
    let names: Vec<_> = response["items"].as_array().unwrap().iter().map(|one| one["data"]["name"].clone()).collect();
    assert_eq!(names, [json!("One"), Value::Null, json!("Two")]);
    assert_eq!(response["items"][1]["exceptions"].as_array().map(Vec::len), Some(1));
    assert!(response["items"][1]["exceptions"][0]["code"].is_u64());
    assert_eq!(session.ids("").0.len(), 2);
}

#[test]
fn both_caps_together_are_rejected() {
    let why = Session::new().rejects("POST", item(json!({ "lifetime_spend_cap": 900_000_000 })));
    assert!(why.contains("at the same time"), "{why}");
}

#[test]
fn a_lifetime_cap_needs_an_end() {
    let mut session = Session::new();
    let lifetime = |end: Value| json!({ "daily_spend_cap": null, "lifetime_spend_cap": 900_000_000, "end_time": end });
    for missing in [json!(REMOVED), Value::Null] {
        let why = session.rejects("POST", item(lifetime(missing)));
        assert!(why.contains("needs end_time"), "{why}");
    }
    assert!(session.ids("").0.is_empty());
    let made = session.create(lifetime(json!(NOW + 86_400)));
    assert_eq!((&made["daily_spend_cap"], &made["lifetime_spend_cap"]), (&Value::Null, &json!(900_000_000)));
}

#[test]
fn current_objectives_are_accepted_and_deprecated_ones_rejected() {
    let mut session = Session::new();
    for objective in
        ["AWARENESS", "CONSIDERATION", "VIDEO_COMPLETION", "SALES", "LEADS", "APP_INSTALL", "CTV_CONSIDERATION"]
    {
        assert_eq!(session.create(json!({ "objective_type": objective }))["objective_type"], objective);
    }
    let draft = session.create(json!({ "status": "DRAFT" }))["id"].clone();
    for objective in ["WEB_CONVERSION", "CATALOG_SALES", "VIDEO_VIEW", "WEB_SESSIONS"] {
        let old = json!({ "objective_type": objective });
        let why = session.rejects("POST", item(old.clone()));
        assert!(why.contains("deprecated"), "{why}");
        let why = session.rejects("PATCH", change(&draft, old));
        assert!(why.contains("deprecated"), "{why}");
    }
}

#[test]
fn budget_optimization_needs_a_cap_and_a_cap_needs_it() {
    let mut session = Session::new();
    let without = session.rejects("POST", item(json!({ "daily_spend_cap": REMOVED })));
    assert!(without.contains("needs a daily or lifetime"), "{without}");
    for flag in [json!(false), json!(REMOVED)] {
        let why = session.rejects("POST", item(json!({ "is_campaign_budget_optimization": flag })));
        assert!(why.contains("needs is_campaign_budget_optimization"), "{why}");
    }
    let zero = session.rejects("POST", item(json!({ "daily_spend_cap": 0 })));
    assert!(zero.contains("above zero"), "{zero}");
    let neither = json!({ "daily_spend_cap": REMOVED, "is_campaign_budget_optimization": false });
    assert_eq!(session.create(neither)["daily_spend_cap"], Value::Null);
}

#[test]
fn money_is_an_integer_in_micros_and_not_a_fraction_or_text() {
    let mut session = Session::new();
    for bad in [json!("50000000"), json!(50.5), json!(50_000_000.0), json!(-1), json!(u64::MAX), json!([1])] {
        let (status, response) = session.write("POST", USD, &json!([item(json!({ "daily_spend_cap": bad }))]));
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{bad}");
        assert!(response["message"].as_str().unwrap().contains("[0].daily_spend_cap"), "{response}");
    }
    assert_eq!(session.create(json!({ "daily_spend_cap": i64::MAX }))["daily_spend_cap"], i64::MAX);
}

#[test]
fn times_are_unix_seconds_and_not_milliseconds_or_texts() {
    let mut session = Session::new();
    for bad in [json!(NOW * 1000), json!("2026-04-01T00:00:00Z"), json!("1772452800"), json!(1_772_452_800.5)] {
        let (status, response) = session.write("POST", USD, &json!([item(json!({ "start_time": bad }))]));
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{bad}");
    }
    let why = session.rejects("POST", item(json!({ "start_time": NOW + 60, "end_time": NOW + 60 })));
    assert!(why.contains("after start_time"), "{why}");
    let why = session.rejects("POST", item(json!({ "start_time": NOW - 60, "end_time": NOW - 30 })));
    assert!(why.contains("past"), "{why}");
}

#[test]
fn a_malformed_request_is_a_400_with_code_1_and_creates_nothing() {
    let mut session = Session::new();
    let one = |changes| json!([item(json!({})), item(changes)]);
    for (body, place) in [
        (one(json!({ "name": REMOVED })), "[1].name"),
        (one(json!({ "name": 5 })), "[1].name"),
        (one(json!({ "objective_type": REMOVED })), "[1].objective_type"),
        (one(json!({ "objective_type": "TRAFFIC" })), "[1].objective_type"),
        (one(json!({ "ad_account_id": REMOVED })), "[1].ad_account_id"),
        (one(json!({ "ad_account_id": 549_755_813_001_i64 })), "[1].ad_account_id"),
        (one(json!({ "status": "ENABLED" })), "[1].status"),
        (one(json!({ "is_campaign_budget_optimization": "true" })), "[1].is_campaign_budget_optimization"),
        (one(json!({ "daily_budget": 5 })), "[1].daily_budget"),
        (one(json!({ "id": "5" })), "[1].id"),
        (one(json!({ "tracking_urls": {} })), "[1].tracking_urls"),
        (json!([5]), "[0]"),
        (item(json!({})), "array"),
    ] {
        let (status, response) = session.write("POST", USD, &body);
        assert_eq!((status, &response["code"]), (400, &json!(1)), "{body}");
        assert!(response["message"].as_str().unwrap().contains(place), "{place}: {response}");
    }
    assert!(session.ids("").0.is_empty());
}

#[test]
fn an_array_has_one_to_thirty_campaigns() {
    let mut session = Session::new();
    for (count, expected) in [(0, 400), (31, 400), (30, 200)] {
        let body: Value = (0..count).map(|_| item(json!({}))).collect();
        assert_eq!(session.write("POST", USD, &body).0, expected, "{count}");
    }
    assert_eq!(session.ids("page_size=250").0.len(), 30);
}

#[test]
fn a_foreign_account_an_empty_name_and_an_old_objective_are_exceptions() {
    let mut session = Session::new();
    for (changes, part) in [
        (json!({ "ad_account_id": super::JPY }), "ad_account_id"),
        (json!({ "name": " " }), "name"),
        (json!({ "objective_type": "VIDEO_VIEW" }), "deprecated"),
    ] {
        let why = session.rejects("POST", item(changes));
        assert!(why.contains(part), "{why}");
    }
}
