//! Lists: default filters, filters and pages.

use super::{EUR, JPY, Session, USD};
use serde_json::{Value, json};

#[test]
fn archived_and_deleted_campaigns_are_listed_only_on_request() {
    let mut session = Session::new();
    let ids = [(); 3].map(|()| session.campaign(USD, json!({})));
    session.call("POST", &format!("/v26.0/{}", ids[0]), &json!({ "status": "ARCHIVED" }));
    session.call("DELETE", &format!("/v26.0/{}", ids[1]), &Value::Null);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(session.ids(&path), [ids[2].clone()]);
    assert_eq!(session.ids(&format!("{path}?effective_status=[\"ARCHIVED\"]")), [ids[0].clone()]);
    let all = format!("{path}?effective_status=[\"PAUSED\",\"DELETED\",\"ARCHIVED\"]");
    assert_eq!(session.ids(&all), [ids[2].clone(), ids[1].clone(), ids[0].clone()]);
    let filtering = "filtering=[{\"field\":\"effective_status\",\"operator\":\"IN\",\"value\":[\"DELETED\"]}]";
    assert_eq!(session.ids(&format!("{path}?{filtering}")), [ids[1].clone()]);
}

#[test]
fn a_list_can_be_filtered_by_name_id_and_creation_time() {
    let mut session = Session::new();
    let old = vec![session.campaign(USD, json!({ "name": "Old sale" }))];
    session.now = "2026-03-03T12:00:00Z".parse().unwrap();
    let at = 1_772_452_800;
    session.platform.grants.add_access_token("token", 1, at, 999_999);
    let ids = vec![session.campaign(USD, json!({ "name": "New sale" }))];
    let mut listed = |field: &str, operator: &str, value: Value| {
        let filter = json!([{ "field": field, "operator": operator, "value": value }]);
        session.ids(&format!("/v26.0/{USD}/campaigns?filtering={filter}"))
    };
    assert_eq!(listed("name", "CONTAIN", json!("new")), ids);
    assert_eq!(listed("name", "EQUAL", json!("Old sale")), old);
    assert_eq!(listed("created_time", "GREATER_THAN", json!(at)), ids);
    assert_eq!(listed("created_time", "LESS_THAN_OR_EQUAL", json!(at)), old);
    assert_eq!(listed("campaign.id", "IN", json!(old)), old);
}

#[test]
fn an_invalid_cursor_or_limit_is_rejected() {
    let mut session = Session::new();
    for bad in ["after=x", "limit=0", "limit=-1", "limit=x"] {
        assert_eq!(session.call_error("GET", &format!("/v26.0/{USD}/campaigns?{bad}"), &Value::Null).0, 100, "{bad}");
    }
}

#[test]
fn the_account_list_has_the_chosen_accounts_with_act_ids() {
    let mut session = Session::with_access(&[JPY, EUR], &["ads_management"]);
    let fields = "account_id,name,currency,timezone_name,timezone_offset_hours_utc,account_status,min_daily_budget";
    let body = session.get(&format!("/v26.0/me/adaccounts?fields={fields}"));
    let first = json!({
        "id": JPY,
        "account_id": "1203004005006002",
        "name": "Harbour Coffee Japan",
        "currency": "JPY",
        "timezone_name": "Asia/Tokyo",
        "timezone_offset_hours_utc": 9,
        "account_status": 1,
        "min_daily_budget": 50,
    });
    assert_eq!(body["data"][0], first);
    assert_eq!(body["data"].as_array().unwrap().len(), 2);
    assert_eq!(
        session.get("/v26.0/me/adaccounts?limit=1")["data"][0],
        json!({ "id": JPY, "account_id": "1203004005006002" })
    );
}

#[test]
fn a_list_has_the_newest_first_with_creation_times() {
    let mut session = Session::new();
    for minute in [1, 2] {
        session.now += jiff::SignedDuration::from_mins(minute);
        session.campaign(USD, json!({}));
    }
    let list = session.get(&format!("/v26.0/{USD}/campaigns?fields=created_time"));
    assert_eq!(list["data"][0]["created_time"], "2026-03-02T07:03:00-0500");
    assert_eq!(list["data"][1]["created_time"], "2026-03-02T07:01:00-0500");
}
