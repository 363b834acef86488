//! Making, changing and ending campaigns.

use serde_json::{Value, json};

use super::{Scene, USD, refusal};

#[test]
fn a_created_campaign_answers_with_its_id_only_and_reads_back() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    assert_eq!(scene.get(&format!("/v26.0/{id}")), json!({ "id": id }));
    let fields = "account_id,name,objective,status,configured_status,effective_status,special_ad_categories,\
                  buying_type,bid_strategy,start_time,stop_time,created_time,spend_cap";
    let expected = json!({
        "id": id,
        "account_id": "1203004005006001",
        "name": "Winter sale",
        "objective": "OUTCOME_TRAFFIC",
        "status": "PAUSED",
        "configured_status": "PAUSED",
        "effective_status": "PAUSED",
        "special_ad_categories": [],
        "buying_type": "AUCTION",
        "bid_strategy": "LOWEST_COST_WITH_BID_CAP",
        "start_time": "2026-03-02T07:00:00-0500",
        "created_time": "2026-03-02T07:00:00-0500",
    });
    assert_eq!(scene.get(&format!("/v26.0/{id}?fields={fields}")), expected);
}

#[test]
fn special_ad_categories_is_required_even_when_there_is_none() {
    let mut scene = Scene::new();
    let (_, body) =
        scene.call("POST", &format!("/v26.0/{USD}/campaigns"), &super::draft(json!({ "special_ad_categories": null })));
    assert_eq!(body["error"]["message"], "(#100) The parameter special_ad_categories is required");
    for good in [json!([]), json!(["NONE"]), json!("[]"), json!(["HOUSING"])] {
        scene.campaign(USD, json!({ "special_ad_categories": good }));
    }
    for bad in [json!("NONE"), json!(["none"]), json!("")] {
        assert_eq!(scene.refuses(json!({ "special_ad_categories": bad })), refusal(0, ""));
    }
}

#[test]
fn legacy_objectives_are_refused_on_create() {
    let mut scene = Scene::new();
    for legacy in ["LINK_CLICKS", "CONVERSIONS", "REACH", "LEAD_GENERATION"] {
        assert_eq!(scene.refuses(json!({ "objective": legacy })), refusal(0, "objective"), "{legacy}");
    }
    assert_eq!(scene.refuses(json!({ "objective": "TRAFFIC" })), refusal(0, ""));
    assert_eq!(scene.refuses(json!({ "objective": null })), refusal(0, ""));
}

#[test]
fn a_status_that_is_left_out_makes_the_campaign_active() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({ "status": null }));
    assert_eq!(scene.field(&id, "status"), "ACTIVE");
    assert_eq!(scene.refuses(json!({ "status": "ARCHIVED" })), refusal(0, "status"));
    assert_eq!(scene.refuses(json!({ "status": "ENABLED" })), refusal(0, ""));
}

#[test]
fn error_data_is_json_inside_a_text_and_blames_a_parameter() {
    let mut scene = Scene::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let (_, body) = scene.call("POST", &path, &super::draft(json!({ "daily_budget": 1 })));
    assert_eq!(body["error"]["error_data"], "{\"blame_field_specs\":[[\"daily_budget\"]]}");
    assert_eq!(body["error"]["type"], "OAuthException");
    assert!(body["error"]["error_user_msg"].as_str().unwrap().contains("0.50 USD"), "{body}");
    assert!(body["error"]["fbtrace_id"].is_string());
}

#[test]
fn start_and_stop_times_are_taken_and_change_nothing() {
    let mut scene = Scene::new();
    let untouched = json!({ "start_time": "2026-03-02T07:00:00-0500", "updated_time": "2026-03-02T07:00:00-0500" });
    for stop in ["2026-03-31T20:00:00-0400", "1775001600", "2026-03-01T00:00:00Z", "tomorrow"] {
        let times = json!({ "start_time": "2026-03-05T08:00:00-0500", "stop_time": stop });
        let id = scene.campaign(USD, times.clone());
        let path = format!("/v26.0/{id}");
        scene.now += jiff::SignedDuration::from_mins(1);
        assert_eq!(scene.call("POST", &path, &times), (200, json!({ "success": true })), "{stop}");
        scene.now -= jiff::SignedDuration::from_mins(1);
        let mut read = scene.get(&format!("{path}?fields=start_time,stop_time,updated_time"));
        assert_eq!(read.as_object_mut().unwrap().remove("id"), Some(json!(id)));
        assert_eq!(read, untouched, "{stop}");
    }
}

#[test]
fn an_omitted_bid_strategy_is_a_bid_cap_that_needs_bids() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    assert_eq!(scene.field(&id, "bid_strategy"), "LOWEST_COST_WITH_BID_CAP");
    for strategy in ["LOWEST_COST_WITHOUT_CAP", "COST_CAP", "LOWEST_COST_WITH_MIN_ROAS"] {
        let id = scene.campaign(USD, json!({ "bid_strategy": strategy }));
        assert_eq!(scene.field(&id, "bid_strategy"), strategy);
    }
    assert_eq!(scene.refuses(json!({ "bid_strategy": "LOWEST_COST" })), refusal(0, ""));
    let own = json!({ "daily_budget": null, "is_adset_budget_sharing_enabled": false });
    let id = scene.campaign(USD, own);
    assert_eq!(scene.field(&id, "bid_strategy"), Value::Null);
}

#[test]
fn a_change_of_the_budget_does_not_move_updated_time() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    scene.now += jiff::SignedDuration::from_mins(1);
    let path = format!("/v26.0/{id}");
    assert_eq!(scene.call("POST", &path, &json!({ "daily_budget": 7000 })).0, 200);
    assert_eq!(scene.field(&id, "updated_time"), "2026-03-02T07:00:00-0500");
    assert_eq!(scene.call("POST", &path, &json!({ "daily_budget": 8000, "name": "Other" })).0, 200);
    assert_eq!(scene.field(&id, "updated_time"), "2026-03-02T07:01:00-0500");
    assert_eq!(scene.field(&id, "daily_budget"), "8000");
}

#[test]
fn an_update_changes_what_was_sent_and_nothing_else() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    let (status, body) = scene.call("POST", &path, &json!({ "status": "ACTIVE", "daily_budget": "7000" }));
    assert_eq!((status, body), (200, json!({ "success": true })));
    let read = scene.get(&format!("{path}?fields=name,status,daily_budget"));
    assert_eq!(read, json!({ "id": id, "name": "Winter sale", "status": "ACTIVE", "daily_budget": "7000" }));
    // All or nothing.
    let half = json!({ "name": "Other", "daily_budget": 1 });
    assert_eq!(scene.fails("POST", &path, &half), refusal(1_885_272, "daily_budget"));
    assert_eq!(scene.field(&id, "name"), "Winter sale");
    assert_eq!(scene.fails("POST", &path, &json!({ "objective": "OUTCOME_SALES" })), refusal(0, "objective"));
}

#[test]
fn deleting_answers_success_and_leaves_a_campaign_that_reads_as_deleted() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    assert_eq!(scene.call("DELETE", &path, &Value::Null), (200, json!({ "success": true })));
    assert_eq!(scene.field(&id, "effective_status"), "DELETED");
    assert_eq!(scene.fails("POST", &path, &json!({ "status": "ACTIVE" })), refusal(0, "status"));
    let other = scene.campaign(USD, json!({}));
    assert_eq!(scene.call("POST", &format!("/v26.0/{other}"), &json!({ "status": "DELETED" })).0, 200);
    assert_eq!(scene.field(&other, "status"), "DELETED");
}

#[test]
fn an_archived_campaign_can_be_renamed_and_deleted_but_not_revived() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    assert_eq!(scene.call("POST", &path, &json!({ "status": "ARCHIVED" })).0, 200);
    assert_eq!(scene.fails("POST", &path, &json!({ "status": "PAUSED" })), refusal(0, "status"));
    assert_eq!(scene.fails("POST", &path, &json!({ "daily_budget": 9000 })), refusal(0, "daily_budget"));
    assert_eq!(scene.call("POST", &path, &json!({ "name": "Old" })).0, 200);
    assert_eq!(scene.call("DELETE", &path, &Value::Null).0, 200);
}

#[test]
fn a_repeated_create_makes_a_second_campaign_with_a_larger_id() {
    let mut scene = Scene::new();
    let ids = [(); 2].map(|()| scene.campaign(USD, json!({})).parse::<u64>().unwrap());
    assert!(ids[0] < ids[1]);
}

#[test]
fn validate_only_creates_and_changes_nothing() {
    let mut scene = Scene::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let dry = json!({ "execution_options": ["validate_only"] });
    assert_eq!(scene.call("POST", &path, &super::draft(dry.clone())).1, json!({ "success": true }));
    assert_eq!(scene.get(&path), json!({ "data": [] }));
    let id = scene.campaign(USD, json!({}));
    let rename = json!({ "name": "Other", "execution_options": ["validate_only"] });
    assert_eq!(scene.call("POST", &format!("/v26.0/{id}"), &rename).0, 200);
    assert_eq!(scene.field(&id, "name"), "Winter sale");
}
