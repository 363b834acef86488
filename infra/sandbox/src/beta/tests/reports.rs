//! Reports by day, with actions.

use super::{JPY, Session, USD};
use crate::delivery::Delivery;
use crate::platform::{AdPlatform as _, SpendError};
use jiff::civil::Date;
use serde_json::{Value, json};

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn deliver(session: &mut Session, campaign: &str, date: &str, delivery: &Delivery) {
    assert!(session.platform.deliver(campaign, day(date), delivery).is_ok());
}

fn delivery() -> Delivery {
    Delivery { spend: 12_340_000, impressions: 1000, clicks: 10, conversions: 3_000_000, conversion_value: 72_500_000 }
}

fn rows(session: &mut Session, path: &str, query: &str) -> Vec<Value> {
    session.get(&format!("/v26.0/{path}/insights?{query}"))["data"].as_array().unwrap().clone()
}

const FIELDS: &str = "fields=campaign_id,spend,impressions,clicks,actions,action_values";
const RANGE: &str = "time_range={\"since\":\"2026-02-01\",\"until\":\"2026-02-28\"}";

#[test]
fn an_increment_gives_a_row_for_each_delivered_part() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    deliver(&mut session, &id, "2026-02-01", &delivery());
    deliver(&mut session, &id, "2026-02-02", &Delivery::default());
    deliver(&mut session, &id, "2026-02-04", &Delivery { impressions: 7, ..Delivery::default() });
    let found = rows(&mut session, &id, &format!("{FIELDS}&{RANGE}&time_increment=1"));
    assert_eq!(found.len(), 2);
    let purchases = |value: &str| {
        let name = |name: &str| json!({ "action_type": name, "value": value });
        ["purchase", "omni_purchase", "offsite_conversion.fb_pixel_purchase", "onsite_web_purchase"].map(name).to_vec()
    };
    let mut actions = vec![json!({ "action_type": "link_click", "value": "10" })];
    actions.extend(purchases("3"));
    let first = json!({ "campaign_id": id, "spend": "12.34", "impressions": "1000", "clicks": "10", "actions": actions,
        "action_values": purchases("72.5"), "date_start": "2026-02-01", "date_stop": "2026-02-01" });
    assert_eq!(found[0], first);
    let second = json!({ "campaign_id": id, "spend": "0.00", "impressions": "7", "clicks": "0",
        "date_start": "2026-02-04", "date_stop": "2026-02-04" });
    assert_eq!(found[1], second, "actions that did not happen are absent");
    let mut parts = |increment: &str| -> Vec<(Value, Value)> {
        let found = rows(&mut session, &id, &format!("{FIELDS}&{RANGE}&time_increment={increment}"));
        found.iter().map(|row| (row["date_start"].clone(), row["date_stop"].clone())).collect()
    };
    let whole = vec![(json!("2026-02-01"), json!("2026-02-28"))];
    assert_eq!(parts("all_days"), whole);
    assert_eq!(parts("monthly"), whole);
    assert_eq!(parts("90"), whole);
    let threes = [("2026-02-01", "2026-02-03"), ("2026-02-04", "2026-02-06")];
    assert_eq!(parts("3"), threes.map(|(first, last)| (json!(first), json!(last))));
}

#[test]
fn a_conversion_has_the_names_of_its_objective() {
    let mut session = Session::new();
    for (objective, name) in [("OUTCOME_LEADS", "lead"), ("OUTCOME_APP_PROMOTION", "omni_app_install")] {
        let id = session.campaign(USD, json!({ "objective": objective }));
        deliver(&mut session, &id, "2026-02-01", &Delivery { conversions: 1_500_000, ..Delivery::default() });
        let row = rows(&mut session, &id, &format!("{FIELDS}&{RANGE}")).remove(0);
        let action = row["actions"].as_array().unwrap().iter().find(|action| action["action_type"] == name);
        assert_eq!(action.unwrap()["value"], "1.5");
        assert_eq!(row.get("action_values"), None, "no value was reported");
    }
}

#[test]
fn a_report_of_an_account_is_paged_and_leaves_out_final_campaigns() {
    let mut session = Session::new();
    let ids = [(); 3].map(|()| session.campaign(USD, json!({})));
    for id in &ids {
        deliver(&mut session, id, "2026-02-01", &delivery());
        deliver(&mut session, id, "2026-02-02", &delivery());
    }
    let base = format!("{FIELDS}&{RANGE}&level=campaign&time_increment=1");
    let first = session.get(&format!("/v26.0/{USD}/insights?{base}&limit=4"));
    let after = first["paging"]["cursors"]["after"].as_str().unwrap();
    let second = session.get(&format!("/v26.0/{USD}/insights?{base}&limit=4&after={after}"));
    let pages = [&first, &second].map(|page| page["data"].as_array().unwrap().len());
    assert_eq!((pages, second["paging"].get("next")), ([4, 2], None));
    assert_eq!(
        (&second["data"][1]["campaign_id"], &second["data"][1]["date_start"]),
        (&json!(ids[0]), &json!("2026-02-02"))
    );
    assert_eq!(session.call("DELETE", &format!("/v26.0/{}", ids[0]), &Value::Null).0, 200);
    assert_eq!(session.call("POST", &format!("/v26.0/{}", ids[1]), &json!({ "status": "ARCHIVED" })).0, 200);
    assert_eq!(rows(&mut session, USD, &base).len(), 2);
    let statuses = "filtering=[{\"field\":\"campaign.effective_status\",\"operator\":\"IN\",\
                    \"value\":[\"PAUSED\",\"ARCHIVED\",\"DELETED\"]}]";
    assert_eq!(rows(&mut session, USD, &format!("{base}&{statuses}")).len(), 6);
    assert_eq!(rows(&mut session, &ids[0], &format!("{FIELDS}&{RANGE}")).len(), 1, "by its id");
    let whole = rows(&mut session, USD, &format!("{FIELDS}&{RANGE}")).remove(0);
    assert_eq!((&whole["impressions"], whole.get("campaign_id")), (&json!("6000"), None));
}

#[test]
fn a_delivery_is_exact_in_metas_units() {
    let mut session = Session::new();
    let id = session.campaign(JPY, json!({}));
    let half = Delivery { spend: 500_000, ..Delivery::default() };
    let refused = session.platform.deliver(&id, day("2026-03-02"), &half);
    assert!(matches!(refused, Err(SpendError::InvalidForCurrency(currency)) if currency == "JPY"));
}

#[test]
fn wrong_ranges_and_increments_are_rejected() {
    let mut session = Session::new();
    let id = session.campaign(USD, json!({}));
    let mut code = |query: &str| session.call_error("GET", &format!("/v26.0/{id}/insights?{query}"), &Value::Null).0;
    for increment in ["0", "91", "-1", "1.5", "daily"] {
        assert_eq!(code(&format!("{RANGE}&time_increment={increment}")), 100, "{increment}");
    }
    assert_eq!(code("time_range={\"since\":\"2023-02-01\",\"until\":\"2023-02-02\"}"), 3018);
    assert_eq!(code("time_range={\"since\":\"2026-02-02\",\"until\":\"2026-02-01\"}"), 100);
    assert_eq!(code("action_attribution_windows=[\"7d_view\"]"), 3);
    let oldest = "time_range={\"since\":\"2023-02-02\",\"until\":\"2026-03-02\"}";
    assert!(rows(&mut session, &id, oldest).is_empty());
}
