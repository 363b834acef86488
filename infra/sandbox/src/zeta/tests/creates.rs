//! New campaigns.

use serde_json::{Value, json};

use super::{LEFT_OUT, PIXEL, Scene, USD, WITHOUT_PIXEL, blamed, campaign, with};

fn is(field: &str, part: &str, (at, why): (String, String)) {
    assert!(at == field && why.contains(part), "{at}: {why}, expected {field}: {part}");
}

#[test]
fn a_careful_campaign_is_201_and_reads_as_it_was_sent() {
    let mut scene = Scene::new();
    let made = scene.creates(json!({ "start_time": "2026-03-03T09:00:00+09:00" }));
    assert_eq!((&made["ad_account_id"], &made["goal_value"]), (&json!(USD), &json!(50_000_000)));
    assert_eq!(made["start_time"], "2026-03-03T00:00:00Z");
    assert_eq!((&made["configured_status"], &made["effective_status"]), (&json!("PAUSED"), &json!("PAUSED")));
    assert_eq!((&made["created_at"], &made["modified_at"]), (&json!(super::NOON), &json!(super::NOON)));
    assert_eq!((&made["end_time"], &made["bid_value"]), (&Value::Null, &Value::Null));
    let next = scene.creates(json!({}));
    let number = |made: &Value| made["id"].as_str().unwrap().parse::<i64>().unwrap();
    assert!(number(&next) > number(&made));
    let (status, read) = scene.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
    assert_eq!((status, &read["data"]), (200, &made));
}

#[test]
fn a_campaign_without_pixel_is_400_and_says_that_conversion_pixel_id_is_required() {
    let mut scene = Scene::new();
    for missing in [json!(LEFT_OUT), json!(null)] {
        let answer = scene.post(USD, json!({ "conversion_pixel_id": missing }));
        assert_eq!(
            answer.1["error"]["fields"],
            json!([
            { "field": "data/conversion_pixel_id", "message": "is required" }])
        );
    }
    is("data/conversion_pixel_id", "no pixel", scene.refuses(json!({ "conversion_pixel_id": USD })));
    let answer = scene.post(WITHOUT_PIXEL, json!({ "conversion_pixel_id": PIXEL }));
    is("data/conversion_pixel_id", "no pixel", blamed(&answer));
}

#[test]
fn an_unknown_property_is_400_because_the_schema_is_closed() {
    let mut scene = Scene::new();
    is("data/status", "not allowed", scene.refuses(json!({ "status": "PAUSED" })));
    is("data/id", "not allowed", scene.refuses(json!({ "id": "1" })));
    let body = json!({ "data": campaign(), "validate_only": true });
    let answer = scene.send("POST", &format!("/ad_accounts/{USD}/campaigns"), &body);
    is("validate_only", "not allowed", blamed(&answer));
}

#[test]
fn a_body_is_wrapped_in_data() {
    let mut scene = Scene::new();
    let path = format!("/ad_accounts/{USD}/campaigns");
    let answer = scene.send("POST", &path, &campaign());
    is("data", "is required", blamed(&answer));
    let answer = scene.send("POST", &path, &json!({ "data": [campaign()] }));
    is("data", "object", blamed(&answer));
    assert_eq!(scene.send("POST", &path, &json!([])).0, 400);
    let mut plain = super::request("POST", &path, &json!({ "data": campaign() }).to_string());
    plain.headers.insert("content-type".to_owned(), "text/plain".to_owned());
    assert_eq!(scene.reply(&plain).status, 400);
}

#[test]
fn names_under_three_characters_are_refused() {
    let mut scene = Scene::new();
    for name in ["", "a", "ab", "äö", &"x".repeat(501)] {
        is("data/name", "3 to 500", scene.refuses(json!({ "name": name })));
    }
    for name in ["abc", "äöü", &"ö".repeat(500)] {
        assert_eq!(scene.creates(json!({ "name": name }))["name"], name);
    }
}

#[test]
fn a_lifetime_goal_without_end_is_400() {
    let mut scene = Scene::new();
    is("data/end_time", "is required", scene.refuses(json!({ "goal_type": "LIFETIME_SPEND" })));
    let end = json!({ "goal_type": "LIFETIME_SPEND", "end_time": "2026-03-09T12:00:00Z" });
    assert_eq!(scene.creates(end)["goal_type"], "LIFETIME_SPEND");
}

#[test]
fn a_start_in_the_past_is_400() {
    let mut scene = Scene::new();
    for past in [super::NOON, "2026-03-02T11:59:59Z", "2026-03-02T13:30:00+02:00"] {
        is("data/start_time", "future", scene.refuses(json!({ "start_time": past })));
    }
    for odd in [json!("2026-03-03"), json!("2026-03-03T00:00:00"), json!(1_772_500_000)] {
        is("data/start_time", "ISO 8601", scene.refuses(json!({ "start_time": odd })));
    }
    is("data/end_time", "after", scene.refuses(json!({ "end_time": "2026-03-02T12:05:00Z" })));
}

#[test]
fn without_campaign_budget_optimization_the_budget_is_the_ad_groups_and_refused() {
    let mut scene = Scene::new();
    let plain = json!({ "name": "Sale", "objective": "CLICKS", "configured_status": "PAUSED" });
    let path = format!("/ad_accounts/{USD}/campaigns");
    for flag in [json!(LEFT_OUT), json!(false), json!(null)] {
        is("data/goal_type", "is_campaign", scene.refuses(json!({ "is_campaign_budget_optimization": flag })));
    }
    for (name, value) in [
        ("goal_value", json!(1)),
        ("start_time", json!("2026-03-03T00:00:00Z")),
        ("bid_type", json!("CPC")),
        ("conversion_pixel_id", json!(PIXEL)),
    ] {
        let body = with(plain.clone(), json!({ name: value }));
        let answer = scene.send("POST", &path, &json!({ "data": body }));
        is(&format!("data/{name}"), "is_campaign", blamed(&answer));
    }
    let (status, made) = scene.send("POST", &path, &json!({ "data": plain }));
    assert_eq!((status, &made["data"]["goal_value"]), (201, &Value::Null));
}

#[test]
fn the_status_has_no_default_and_has_to_be_said() {
    let mut scene = Scene::new();
    for name in ["configured_status", "name", "objective", "goal_type", "goal_value", "start_time", "bid_type"] {
        is(&format!("data/{name}"), "is required", scene.refuses(json!({ name: LEFT_OUT })));
    }
    is("data/configured_status", "one of", scene.refuses(json!({ "configured_status": "DRAFT" })));
    is("data/configured_status", "new", scene.refuses(json!({ "configured_status": "DELETED" })));
    assert_eq!(scene.creates(json!({ "configured_status": "ACTIVE" }))["effective_status"], "ACTIVE");
}

#[test]
fn money_is_an_integer_of_micros_and_nothing_else() {
    let mut scene = Scene::new();
    for odd in ["\"50000000\"", "50000000.0", "5e7", "0", "-1", "9223372036854775808"] {
        let odd: Value = serde_json::from_str(odd).unwrap();
        is("data/goal_value", "integer", scene.refuses(json!({ "goal_value": odd })));
    }
    assert_eq!(scene.creates(json!({ "goal_value": i64::MAX }))["goal_value"], i64::MAX);
}

#[test]
fn an_objective_that_optimises_for_an_event_has_to_name_it() {
    let mut scene = Scene::new();
    for objective in ["CONVERSIONS", "LEAD_GENERATION", "VIDEO_VIEWABLE_IMPRESSIONS"] {
        let without = json!({ "objective": objective, "optimization_goal": LEFT_OUT });
        is("data/optimization_goal", "is required", scene.refuses(without));
    }
    let sales = json!({ "objective": "CONVERSIONS", "optimization_goal": "PURCHASE" });
    is("data/view_through_conversion_type", "is required", scene.refuses(sales.clone()));
    let through = json!({ "view_through_conversion_type": "SEVEN_DAY_CLICKS_ONE_DAY_VIEW" });
    assert_eq!(scene.creates(with(sales, through))["optimization_goal"], "PURCHASE");
    is("data/optimization_goal", "one of", scene.refuses(json!({ "optimization_goal": "IMPRESSIONS" })));
    is("data/app_id", "is required", scene.refuses(json!({ "objective": "APP_INSTALLS" })));
    is("data/objective", "one of", scene.refuses(json!({ "objective": "REACH" })));
}

#[test]
fn a_bid_goes_with_its_strategy() {
    let mut scene = Scene::new();
    is("data/bid_value", "null", scene.refuses(json!({ "bid_value": 1 })));
    is("data/bid_value", "is required", scene.refuses(json!({ "bid_strategy": "TARGET_CPX" })));
    assert_eq!(scene.creates(json!({ "bid_strategy": "TARGET_CPX", "bid_value": 7 }))["bid_value"], 7);
}

#[test]
fn an_invoice_label_is_kept_and_shown_up_to_80_characters() {
    let mut scene = Scene::new();
    let label = format!("{}{}", "é".repeat(43), "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d+");
    let made = scene.creates(json!({ "invoice_label": label }));
    assert_eq!((label.chars().count(), &made["invoice_label"]), (80, &json!(label)));
    let (_, read) = scene.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
    assert_eq!(read["data"]["invoice_label"], json!(label));
    let (_, list) = scene.get(&format!("/ad_accounts/{USD}/campaigns"));
    assert_eq!(list["data"][0]["invoice_label"], json!(label));
    let long = json!({ "invoice_label": format!("{label}x") });
    is("data/invoice_label", "0 to 80 characters", scene.refuses(long.clone()));
    is("data/invoice_label", "0 to 80 characters", scene.refuses_change(made["id"].as_str().unwrap(), &long));
    is("data/invoice_label", "text", scene.refuses(json!({ "invoice_label": 5 })));
    assert_eq!(scene.creates(json!({}))["invoice_label"], Value::Null);
}

#[test]
fn use_catalog_is_answered_as_a_boolean() {
    let mut scene = Scene::new();
    for (sent, answered) in [(json!(LEFT_OUT), false), (Value::Null, false), (json!(false), false), (json!(true), true)]
    {
        let made = scene.creates(json!({ "use_catalog": sent }));
        assert_eq!(made["use_catalog"], answered, "{sent}");
        let (_, read) = scene.get(&format!("/campaigns/{}", made["id"].as_str().unwrap()));
        assert_eq!(read["data"]["use_catalog"], answered, "{sent}");
    }
}
