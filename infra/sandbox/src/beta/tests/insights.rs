//! Reports of cost.

use serde_json::{Value, json};

use super::{COP, Scene, USD};
use crate::platform::Platform as _;

#[test]
fn spend_is_a_decimal_text_in_major_units() {
    let mut scene = Scene::new();
    for (account, currency, amount) in [(USD, "USD", "12.30"), (COP, "COP", "12345")] {
        let id = scene.campaign(account, json!({}));
        assert!(scene.beta.spend(&id, amount, scene.now).is_ok());
        let query = "fields=spend,account_currency&date_preset=maximum";
        let row = scene.get(&format!("/v26.0/{id}/insights?{query}"))["data"][0].clone();
        assert_eq!((&row["spend"], &row["account_currency"]), (&json!(amount), &json!(currency)));
        assert!(row["date_start"].is_string() && row["date_stop"].is_string());
        let fields = "name,insights.date_preset(maximum){spend}";
        let read = scene.get(&format!("/v26.0/{id}?fields={fields}"));
        assert_eq!(read["insights"]["data"][0]["spend"], amount);
    }
}

#[test]
fn data_is_empty_when_nothing_was_spent_on_an_account_too() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    let query = "fields=campaign_id,spend&date_preset=maximum";
    assert_eq!(scene.get(&format!("/v26.0/{id}/insights?{query}")), json!({ "data": [] }));
    let whole = format!("/v26.0/{USD}/insights?level=campaign&{query}");
    assert_eq!(scene.get(&whole), json!({ "data": [] }));
    assert_eq!(scene.get(&format!("/v26.0/{id}?fields=insights{{spend}}")), json!({ "id": id }));
    let other = scene.campaign(USD, json!({}));
    assert!(scene.beta.spend(&other, "0.05", scene.now).is_ok());
    let rows = scene.get(&whole)["data"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!((&rows[0]["campaign_id"], &rows[0]["spend"]), (&json!(other), &json!("0.05")));
}

#[test]
fn an_account_report_is_paged_and_filtered_like_any_list() {
    let mut scene = Scene::new();
    let ids = [(); 3].map(|()| scene.campaign(USD, json!({})));
    for id in &ids {
        assert!(scene.beta.spend(id, "1", scene.now).is_ok());
    }
    let base = format!("/v26.0/{USD}/insights?level=campaign&fields=campaign_id,spend&date_preset=maximum");
    let first = scene.get(&format!("{base}&limit=2"));
    assert!(first["paging"]["next"].is_string());
    let after = first["paging"]["cursors"]["after"].as_str().unwrap();
    let second = scene.get(&format!("{base}&limit=2&after={after}"));
    assert_eq!(second["data"][0]["campaign_id"], ids[0]);
    assert_eq!(second["paging"]["next"], Value::Null);
    let filter = json!([{ "field": "campaign.id", "operator": "IN", "value": [ids[1]] }]);
    let rows = scene.get(&format!("{base}&filtering={filter}"))["data"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["campaign_id"]), (1, &json!(ids[1])));
}

#[test]
fn a_date_preset_that_is_left_out_ends_yesterday_and_so_hides_today() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    assert!(scene.beta.spend(&id, "5", scene.now).is_ok());
    assert_eq!(scene.get(&format!("/v26.0/{id}/insights?fields=spend")), json!({ "data": [] }));
    let today = scene.get(&format!("/v26.0/{id}/insights?fields=spend&date_preset=today"));
    assert_eq!(today["data"][0]["spend"], "5.00");
}

#[test]
fn lifetime_is_no_date_preset_any_more_and_odd_fields_and_levels_are_refused() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    for bad in ["date_preset=lifetime", "fields=cost", "level=campaigns", "time_range={\"since\":\"x\"}"] {
        assert_eq!(scene.fails("GET", &format!("/v26.0/{id}/insights?{bad}"), &Value::Null).0, 100, "{bad}");
    }
}

#[test]
fn an_amount_finer_than_the_currency_is_counted_in_cannot_be_spent() {
    let mut scene = Scene::new();
    let id = scene.campaign(COP, json!({}));
    for bad in ["0.5", "-1", "x"] {
        assert!(scene.beta.spend(&id, bad, scene.now).is_err(), "{bad}");
    }
    assert!(scene.beta.spend("5", "1", scene.now).is_err());
}
