//! Creates, updates and deletes of campaigns.

use super::{Session, USD, parameter_error};
use serde_json::{Value, json};

#[test]
fn a_create_returns_only_the_id_and_the_campaign_reads_back() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    assert_eq!(session.get(&format!("/v26.0/{id}")), json!({ "id": id }));
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
    assert_eq!(session.get(&format!("/v26.0/{id}?fields={fields}")), expected);
}

#[test]
fn special_ad_categories_is_required_even_when_empty() {
    let mut session = Session::new();
    let (_, body) = session.call(
        "POST",
        &format!("/v26.0/{USD}/campaigns"),
        &super::campaign_params(json!({ "special_ad_categories": null })),
    );
    assert_eq!(body["error"]["message"], "(#100) The parameter special_ad_categories is required");
    for good in [json!([]), json!(["NONE"]), json!("[]")] {
        session.campaign(USD, json!({ "special_ad_categories": good }));
    }
    for bad in [json!("NONE"), json!(["none"]), json!("")] {
        assert_eq!(session.create_error(json!({ "special_ad_categories": bad })), parameter_error(0, ""));
    }
}

#[test]
fn a_special_ad_category_needs_a_country() {
    let mut session = Session::new();
    let housing =
        |country: Value| json!({ "special_ad_categories": ["HOUSING"], "special_ad_category_country": country });
    let refused = parameter_error(0, "special_ad_category_country");
    assert_eq!(session.create_error(housing(Value::Null)), refused);
    assert_eq!(session.create_error(housing(json!([]))), refused);
    assert_eq!(session.create_error(housing(json!(["Germany"]))), parameter_error(0, ""));
    let id = session.campaign(USD, housing(json!(["DE", "AT"])));
    assert_eq!(session.field(&id, "special_ad_category_country"), json!(["DE", "AT"]));
}

#[test]
fn a_create_rejects_legacy_objectives() {
    let mut session = Session::new();
    for legacy in ["LINK_CLICKS", "CONVERSIONS", "REACH", "LEAD_GENERATION"] {
        assert_eq!(session.create_error(json!({ "objective": legacy })), parameter_error(0, "objective"), "{legacy}");
    }
    assert_eq!(session.create_error(json!({ "objective": "TRAFFIC" })), parameter_error(0, ""));
    assert_eq!(session.create_error(json!({ "objective": null })), parameter_error(0, ""));
}

#[test]
fn a_campaign_without_a_status_is_active() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({ "status": null }));
    assert_eq!(session.field(&id, "status"), "ACTIVE");
    assert_eq!(session.create_error(json!({ "status": "ARCHIVED" })), parameter_error(0, "status"));
    assert_eq!(session.create_error(json!({ "status": "ENABLED" })), parameter_error(0, ""));
}

#[test]
fn error_data_is_encoded_json_that_blames_a_parameter() {
    let mut session = Session::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let (_, body) = session.call("POST", &path, &super::campaign_params(json!({ "daily_budget": 1 })));
    assert_eq!(body["error"]["error_data"], "{\"blame_field_specs\":[[\"daily_budget\"]]}");
    assert_eq!(body["error"]["type"], "OAuthException");
    assert!(body["error"]["error_user_msg"].as_str().unwrap().contains("0.50 USD"), "{body}");
    assert!(body["error"]["fbtrace_id"].is_string());
}

#[test]
fn start_and_stop_times_are_accepted_and_ignored() {
    let mut session = Session::new();
    let untouched = json!({ "start_time": "2026-03-02T07:00:00-0500", "updated_time": "2026-03-02T07:00:00-0500" });
    for stop in ["2026-03-31T20:00:00-0400", "1775001600", "2026-03-01T00:00:00Z", "tomorrow"] {
        let times = json!({ "start_time": "2026-03-05T08:00:00-0500", "stop_time": stop });
        let id = session.campaign(USD, times.clone());
        let path = format!("/v26.0/{id}");
        session.now += jiff::SignedDuration::from_mins(1);
        assert_eq!(session.call("POST", &path, &times), (200, json!({ "success": true })), "{stop}");
        session.now -= jiff::SignedDuration::from_mins(1);
        let mut read = session.get(&format!("{path}?fields=start_time,stop_time,updated_time"));
        assert_eq!(read.as_object_mut().unwrap().remove("id"), Some(json!(id)));
        assert_eq!(read, untouched, "{stop}");
    }
}

#[test]
fn the_default_bid_strategy_is_a_bid_cap() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    assert_eq!(session.field(&id, "bid_strategy"), "LOWEST_COST_WITH_BID_CAP");
    for strategy in ["LOWEST_COST_WITHOUT_CAP", "COST_CAP", "LOWEST_COST_WITH_MIN_ROAS"] {
        let id = session.campaign(USD, json!({ "bid_strategy": strategy }));
        assert_eq!(session.field(&id, "bid_strategy"), strategy);
    }
    assert_eq!(session.create_error(json!({ "bid_strategy": "LOWEST_COST" })), parameter_error(0, ""));
    let own = json!({ "daily_budget": null, "is_adset_budget_sharing_enabled": false });
    let id = session.campaign(USD, own);
    assert_eq!(session.field(&id, "bid_strategy"), Value::Null);
}

#[test]
fn a_budget_change_leaves_updated_time_alone() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    session.now += jiff::SignedDuration::from_mins(1);
    let path = format!("/v26.0/{id}");
    assert_eq!(session.call("POST", &path, &json!({ "daily_budget": 7000 })).0, 200);
    assert_eq!(session.field(&id, "updated_time"), "2026-03-02T07:00:00-0500");
    assert_eq!(session.call("POST", &path, &json!({ "daily_budget": 8000, "name": "Other" })).0, 200);
    assert_eq!(session.field(&id, "updated_time"), "2026-03-02T07:01:00-0500");
    assert_eq!(session.field(&id, "daily_budget"), "8000");
}

#[test]
fn an_update_changes_only_the_sent_parameters() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    let (status, body) = session.call("POST", &path, &json!({ "status": "ACTIVE", "daily_budget": "7000" }));
    assert_eq!((status, body), (200, json!({ "success": true })));
    let read = session.get(&format!("{path}?fields=name,status,daily_budget"));
    assert_eq!(read, json!({ "id": id, "name": "Winter sale", "status": "ACTIVE", "daily_budget": "7000" }));
    // An update is atomic.
    let half = json!({ "name": "Other", "daily_budget": 1 });
    assert_eq!(session.call_error("POST", &path, &half), parameter_error(1_885_272, "daily_budget"));
    assert_eq!(session.field(&id, "name"), "Winter sale");
    assert_eq!(
        session.call_error("POST", &path, &json!({ "objective": "OUTCOME_SALES" })),
        parameter_error(0, "objective")
    );
}

#[test]
fn a_deleted_campaign_stays_readable() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    assert_eq!(session.call("DELETE", &path, &Value::Null), (200, json!({ "success": true })));
    assert_eq!(session.field(&id, "effective_status"), "DELETED");
    assert_eq!(session.call_error("POST", &path, &json!({ "status": "ACTIVE" })), parameter_error(0, "status"));
    let other = session.campaign(USD, json!({}));
    assert_eq!(session.call("POST", &format!("/v26.0/{other}"), &json!({ "status": "DELETED" })).0, 200);
    assert_eq!(session.field(&other, "status"), "DELETED");
}

#[test]
fn an_archived_campaign_can_only_be_renamed_or_deleted() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    let path = format!("/v26.0/{id}");
    assert_eq!(session.call("POST", &path, &json!({ "status": "ARCHIVED" })).0, 200);
    assert_eq!(session.call_error("POST", &path, &json!({ "status": "PAUSED" })), parameter_error(0, "status"));
    assert_eq!(session.call_error("POST", &path, &json!({ "daily_budget": 9000 })), parameter_error(0, "daily_budget"));
    assert_eq!(session.call("POST", &path, &json!({ "name": "Old" })).0, 200);
    assert_eq!(session.call("DELETE", &path, &Value::Null).0, 200);
}

#[test]
fn validate_only_writes_nothing() {
    let mut session = Session::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let dry = json!({ "execution_options": ["validate_only"] });
    assert_eq!(session.call("POST", &path, &super::campaign_params(dry.clone())).1, json!({ "success": true }));
    assert_eq!(session.get(&path), json!({ "data": [] }));
    let id = session.campaign(USD, json!({}));
    let rename = json!({ "name": "Other", "execution_options": ["validate_only"] });
    assert_eq!(session.call("POST", &format!("/v26.0/{id}"), &rename).0, 200);
    assert_eq!(session.field(&id, "name"), "Winter sale");
}

#[test]
fn validate_only_checks_every_write_and_counts_only_as_a_parameter() {
    let mut session = Session::new();
    let path = format!("/v26.0/{USD}/campaigns");
    let dry = |changes: Value| {
        let options = json!({ "execution_options": ["validate_only"] });
        super::campaign_params(crate::fields::changed(options, &changes, &json!("left out")))
    };
    for bad in [json!({ "daily_budget": 1 }), json!({ "name": null }), json!({ "objective": "CONVERSIONS" })] {
        assert_eq!(session.call_error("POST", &path, &dry(bad.clone())).0, 100, "{bad}");
    }
    for options in [json!("validate_only"), json!(["validate"]), json!(["include_recommendations"])] {
        let params = super::campaign_params(json!({ "execution_options": options }));
        assert_eq!(session.call_error("POST", &path, &params).0, 100, "{params}");
    }
    assert_eq!(session.get(&path), json!({ "data": [] }));
    let id = session.campaign(USD, json!({}));
    let update = format!("/v26.0/{id}");
    let budget = json!({ "daily_budget": 7000, "status": "ACTIVE", "execution_options": ["validate_only"] });
    assert_eq!(session.call("POST", &update, &budget), (200, json!({ "success": true })));
    let small = json!({ "daily_budget": 1, "execution_options": ["validate_only"] });
    assert_eq!(session.call_error("POST", &update, &small).0, 100);
    assert_eq!((session.field(&id, "daily_budget"), session.field(&id, "status")), (json!("5000"), json!("PAUSED")));
    let options = "execution_options=%5B%22validate_only%22%5D";
    assert_eq!(session.call("POST", &format!("{update}?{options}"), &json!({ "name": "x" })).0, 200);
    assert_eq!(session.field(&id, "name"), "Winter sale", "a parameter may be in the address");
    let mut with_header = super::request("POST", &update, &json!({ "name": "Other" }));
    with_header.headers.insert("execution_options".to_owned(), "[\"validate_only\"]".to_owned());
    assert_eq!(session.send(&with_header).status, 200);
    assert_eq!(session.field(&id, "name"), "Other", "an option elsewhere is none");
}
