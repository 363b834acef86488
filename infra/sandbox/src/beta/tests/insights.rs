//! Spend reports.

use super::{COP, Session, USD};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

#[test]
fn spend_is_a_decimal_string_in_major_units() {
    let mut session = Session::new();
    for (account, currency, amount) in [(USD, "USD", "12.30"), (COP, "COP", "12345")] {
        let id = session.campaign(account, json!({}));
        assert!(session.platform.spend(&id, amount, session.now).is_ok());
        let query = "fields=spend,account_currency&date_preset=maximum";
        let row = session.get(&format!("/v26.0/{id}/insights?{query}"))["data"][0].clone();
        assert_eq!((&row["spend"], &row["account_currency"]), (&json!(amount), &json!(currency)));
        assert!(row["date_start"].is_string() && row["date_stop"].is_string());
        let fields = "name,insights.date_preset(maximum){spend}";
        let read = session.get(&format!("/v26.0/{id}?fields={fields}"));
        assert_eq!(read["insights"]["data"][0]["spend"], amount);
    }
}

#[test]
fn reports_without_spend_are_empty() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    let query = "fields=campaign_id,spend&date_preset=maximum";
    assert_eq!(session.get(&format!("/v26.0/{id}/insights?{query}")), json!({ "data": [] }));
    let whole = format!("/v26.0/{USD}/insights?level=campaign&{query}");
    assert_eq!(session.get(&whole), json!({ "data": [] }));
    assert_eq!(session.get(&format!("/v26.0/{id}?fields=insights{{spend}}")), json!({ "id": id }));
    let other = session.campaign(USD, json!({}));
    assert!(session.platform.spend(&other, "0.05", session.now).is_ok());
    let rows = session.get(&whole)["data"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!((&rows[0]["campaign_id"], &rows[0]["spend"]), (&json!(other), &json!("0.05")));
}

#[test]
fn an_account_report_has_pages_and_filters() {
    let mut session = Session::new();
    let ids = [(); 3].map(|()| session.campaign(USD, json!({})));
    for id in &ids {
        assert!(session.platform.spend(id, "1", session.now).is_ok());
    }
    let base = format!("/v26.0/{USD}/insights?level=campaign&fields=campaign_id,spend&date_preset=maximum");
    let first = session.get(&format!("{base}&limit=2"));
    assert!(first["paging"]["next"].is_string());
    let after = first["paging"]["cursors"]["after"].as_str().unwrap();
    let second = session.get(&format!("{base}&limit=2&after={after}"));
    assert_eq!(second["data"][0]["campaign_id"], ids[0]);
    assert_eq!(second["paging"]["next"], Value::Null);
    let filter = json!([{ "field": "campaign.id", "operator": "IN", "value": [ids[1]] }]);
    let rows = session.get(&format!("{base}&filtering={filter}"))["data"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["campaign_id"]), (1, &json!(ids[1])));
}

#[test]
fn the_default_date_preset_ends_yesterday() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    assert!(session.platform.spend(&id, "5", session.now).is_ok());
    assert_eq!(session.get(&format!("/v26.0/{id}/insights?fields=spend")), json!({ "data": [] }));
    let today = session.get(&format!("/v26.0/{id}/insights?fields=spend&date_preset=today"));
    assert_eq!(today["data"][0]["spend"], "5.00");
}

#[test]
fn unknown_presets_fields_and_levels_are_rejected() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    for bad in ["date_preset=lifetime", "fields=cost", "level=campaigns", "time_range={\"since\":\"x\"}"] {
        assert_eq!(session.call_error("GET", &format!("/v26.0/{id}/insights?{bad}"), &Value::Null).0, 100, "{bad}");
    }
}

#[test]
fn spend_with_more_decimals_than_the_currency_is_rejected() {
    let mut session = Session::new();
    let id = session.campaign(COP, json!({}));
    for bad in ["0.5", "-1", "x"] {
        assert!(session.platform.spend(&id, bad, session.now).is_err(), "{bad}");
    }
    assert!(session.platform.spend("5", "1", session.now).is_err());
}
