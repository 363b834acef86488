//! Creates of campaigns.

use super::{PIXEL, REMOVED, Session, USD, WITHOUT_PIXEL, campaign, field_error, with};
use serde_json::{Value, json};

fn assert_field(field: &str, part: &str, (at, why): (String, String)) {
    assert!(at == field && why.contains(part), "{at}: {why}, expected {field}: {part}");
}

#[test]
fn a_valid_campaign_is_201_and_reads_back_as_it_was_sent() {
    let mut session = Session::new();
    let made = session.create(json!({ "start_time": "2026-03-03T09:00:00+09:00" }));
    assert_eq!((&made["ad_account_id"], &made["goal_value"]), (&json!(USD), &json!(50_000_000)));
    assert_eq!(made["start_time"], "2026-03-03T00:00:00Z");
    assert_eq!((&made["configured_status"], &made["effective_status"]), (&json!("PAUSED"), &json!("PAUSED")));
    assert_eq!((&made["created_at"], &made["modified_at"]), (&json!(super::NOON), &json!(super::NOON)));
    assert_eq!((&made["end_time"], &made["bid_value"]), (&Value::Null, &Value::Null));
    let next = session.create(json!({}));
    let number = |made: &Value| made["id"].as_str().unwrap().parse::<i64>().unwrap();
    assert!(number(&next) > number(&made));
    let (status, read) = session.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
    assert_eq!((status, &read["data"]), (200, &made));
}

#[test]
fn a_create_without_pixel_is_400_and_names_the_field() {
    let mut session = Session::new();
    for missing in [json!(REMOVED), json!(null)] {
        let response = session.post(USD, json!({ "conversion_pixel_id": missing }));
        assert_eq!(
            response.1["error"]["fields"],
            json!([
            { "field": "data/conversion_pixel_id", "message": "is required" }])
        );
    }
    assert_field(
        "data/conversion_pixel_id",
        "not a pixel",
        session.create_error(json!({ "conversion_pixel_id": USD })),
    );
    let response = session.post(WITHOUT_PIXEL, json!({ "conversion_pixel_id": PIXEL }));
    assert_field("data/conversion_pixel_id", "not a pixel", field_error(&response));
}

#[test]
fn an_unknown_property_is_400_because_the_schema_is_closed() {
    let mut session = Session::new();
    assert_field("data/status", "not allowed", session.create_error(json!({ "status": "PAUSED" })));
    assert_field("data/id", "not allowed", session.create_error(json!({ "id": "1" })));
    let body = json!({ "data": campaign(), "validate_only": true });
    let response = session.call("POST", &format!("/ad_accounts/{USD}/campaigns"), &body);
    assert_field("validate_only", "not allowed", field_error(&response));
}

#[test]
fn a_body_is_wrapped_in_data() {
    let mut session = Session::new();
    let path = format!("/ad_accounts/{USD}/campaigns");
    let response = session.call("POST", &path, &campaign());
    assert_field("data", "is required", field_error(&response));
    let response = session.call("POST", &path, &json!({ "data": [campaign()] }));
    assert_field("data", "object", field_error(&response));
    assert_eq!(session.call("POST", &path, &json!([])).0, 400);
    let mut plain = super::request("POST", &path, &json!({ "data": campaign() }).to_string());
    plain.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(session.send(&plain).status, 400);
}

#[test]
fn names_under_three_characters_are_rejected() {
    let mut session = Session::new();
    for name in ["", "a", "ab", "äö", &"x".repeat(501)] {
        assert_field("data/name", "3 to 500", session.create_error(json!({ "name": name })));
    }
    for name in ["abc", "äöü", &"ö".repeat(500)] {
        assert_eq!(session.create(json!({ "name": name }))["name"], name);
    }
}

#[test]
fn a_lifetime_goal_without_end_is_400() {
    let mut session = Session::new();
    assert_field("data/end_time", "is required", session.create_error(json!({ "goal_type": "LIFETIME_SPEND" })));
    let end = json!({ "goal_type": "LIFETIME_SPEND", "end_time": "2026-03-09T12:00:00Z" });
    assert_eq!(session.create(end)["goal_type"], "LIFETIME_SPEND");
}

#[test]
fn a_start_in_the_past_is_400() {
    let mut session = Session::new();
    for past in [super::NOON, "2026-03-02T11:59:59Z", "2026-03-02T13:30:00+02:00"] {
        assert_field("data/start_time", "future", session.create_error(json!({ "start_time": past })));
    }
    for invalid in [json!("2026-03-03"), json!("2026-03-03T00:00:00"), json!(1_772_500_000)] {
        assert_field("data/start_time", "ISO 8601", session.create_error(json!({ "start_time": invalid })));
    }
    assert_field("data/end_time", "after", session.create_error(json!({ "end_time": "2026-03-02T12:05:00Z" })));
}

#[test]
fn a_budget_without_budget_optimization_is_rejected() {
    let mut session = Session::new();
    let plain = json!({ "name": "Sale", "objective": "CLICKS", "configured_status": "PAUSED" });
    let path = format!("/ad_accounts/{USD}/campaigns");
    for flag in [json!(REMOVED), json!(false), json!(null)] {
        assert_field(
            "data/goal_type",
            "is_campaign",
            session.create_error(json!({ "is_campaign_budget_optimization": flag })),
        );
    }
    for (name, value) in [
        ("goal_value", json!(1)),
        ("start_time", json!("2026-03-03T00:00:00Z")),
        ("bid_type", json!("CPC")),
        ("conversion_pixel_id", json!(PIXEL)),
    ] {
        let body = with(plain.clone(), json!({ name: value }));
        let response = session.call("POST", &path, &json!({ "data": body }));
        assert_field(&format!("data/{name}"), "is_campaign", field_error(&response));
    }
    let (status, made) = session.call("POST", &path, &json!({ "data": plain }));
    assert_eq!((status, &made["data"]["goal_value"]), (201, &Value::Null));
}

#[test]
fn the_status_has_no_default_and_is_required() {
    let mut session = Session::new();
    for name in ["configured_status", "name", "objective", "goal_type", "goal_value", "start_time", "bid_type"] {
        assert_field(&format!("data/{name}"), "is required", session.create_error(json!({ name: REMOVED })));
    }
    assert_field("data/configured_status", "one of", session.create_error(json!({ "configured_status": "DRAFT" })));
    assert_field("data/configured_status", "new", session.create_error(json!({ "configured_status": "DELETED" })));
    assert_eq!(session.create(json!({ "configured_status": "ACTIVE" }))["effective_status"], "ACTIVE");
}

#[test]
fn money_is_an_integer_of_micros_and_nothing_else() {
    let mut session = Session::new();
    for invalid in ["\"50000000\"", "50000000.0", "5e7", "0", "-1", "9223372036854775808"] {
        let invalid: Value = serde_json::from_str(invalid).unwrap();
        assert_field("data/goal_value", "integer", session.create_error(json!({ "goal_value": invalid })));
    }
    assert_eq!(session.create(json!({ "goal_value": i64::MAX }))["goal_value"], i64::MAX);
}

#[test]
fn an_objective_that_optimizes_for_an_event_requires_the_event() {
    let mut session = Session::new();
    for objective in ["CONVERSIONS", "LEAD_GENERATION", "VIDEO_VIEWABLE_IMPRESSIONS"] {
        let without = json!({ "objective": objective, "optimization_goal": REMOVED });
        assert_field("data/optimization_goal", "is required", session.create_error(without));
    }
    let sales = json!({ "objective": "CONVERSIONS", "optimization_goal": "PURCHASE" });
    assert_field("data/view_through_conversion_type", "is required", session.create_error(sales.clone()));
    let through = json!({ "view_through_conversion_type": "SEVEN_DAY_CLICKS_ONE_DAY_VIEW" });
    assert_eq!(session.create(with(sales, through))["optimization_goal"], "PURCHASE");
    assert_field(
        "data/optimization_goal",
        "one of",
        session.create_error(json!({ "optimization_goal": "IMPRESSIONS" })),
    );
    assert_field("data/app_id", "is required", session.create_error(json!({ "objective": "APP_INSTALLS" })));
    assert_field("data/objective", "one of", session.create_error(json!({ "objective": "REACH" })));
}

#[test]
fn the_bid_strategy_decides_about_the_bid_value() {
    let mut session = Session::new();
    assert_field("data/bid_value", "null", session.create_error(json!({ "bid_value": 1 })));
    assert_field("data/bid_value", "is required", session.create_error(json!({ "bid_strategy": "TARGET_CPX" })));
    assert_eq!(session.create(json!({ "bid_strategy": "TARGET_CPX", "bid_value": 7 }))["bid_value"], 7);
}

#[test]
fn an_invoice_label_is_stored_and_shown_up_to_80_characters() {
    let mut session = Session::new();
    let label = format!("{}{}", "é".repeat(43), "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d+");
    let made = session.create(json!({ "invoice_label": label }));
    assert_eq!((label.chars().count(), &made["invoice_label"]), (80, &json!(label)));
    let (_, read) = session.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
    assert_eq!(read["data"]["invoice_label"], json!(label));
    let (_, list) = session.get(&format!("/ad_accounts/{USD}/campaigns"));
    assert_eq!(list["data"][0]["invoice_label"], json!(label));
    let long = json!({ "invoice_label": format!("{label}x") });
    assert_field("data/invoice_label", "0 to 80 characters", session.create_error(long.clone()));
    assert_field("data/invoice_label", "0 to 80 characters", session.update_error(made["id"].as_str().unwrap(), &long));
    assert_field("data/invoice_label", "text", session.create_error(json!({ "invoice_label": 5 })));
    assert_eq!(session.create(json!({}))["invoice_label"], Value::Null);
}

#[test]
fn use_catalog_is_a_boolean_in_the_response() {
    let mut session = Session::new();
    for (sent, returned) in [(json!(REMOVED), false), (Value::Null, false), (json!(false), false), (json!(true), true)]
    {
        let made = session.create(json!({ "use_catalog": sent }));
        assert_eq!(made["use_catalog"], returned, "{sent}");
        let (_, read) = session.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
        assert_eq!(read["data"]["use_catalog"], returned, "{sent}");
    }
}
