//! New campaigns, manual and Smart+.

use super::*;

#[test]
fn a_manual_create_returns_every_field() {
    let mut session = Session::new();
    let body = manual(json!({ "budget_optimize_on": false }));
    let response = session.post(CREATE, &body);
    assert_eq!(code_and_message(&response), (0, "OK"));
    let data = &response["data"];
    assert_eq!(data["campaign_id"], "1800000000000001");
    for (field, value) in [
        ("advertiser_id", USD),
        ("campaign_name", "Winter sale"),
        ("objective_type", "TRAFFIC"),
        ("budget_mode", "BUDGET_MODE_DAY"),
        ("operation_status", "ENABLE"),
        ("secondary_status", "CAMPAIGN_STATUS_ENABLE"),
        ("campaign_automation_type", "MANUAL"),
        ("create_time", "2026-03-02 12:00:00"),
        ("modify_time", "2026-03-02 12:00:00"),
    ] {
        assert_eq!(data[field], value, "{field}");
    }
}

#[test]
fn a_budget_is_a_number_with_the_exact_digits_sent() {
    let mut session = Session::new();
    let body = manual(json!({ "budget": "@" })).to_string().replace("\"@\"", "1234567.89");
    let response = session.send(&request("POST", CREATE, "", &body));
    assert!(response.body.contains("\"budget\":1234567.89,"), "{}", response.body);
    assert_error(&session.post(CREATE, &manual(json!({ "budget": "50" }))), 40002, "budget: Not a valid number.");
}

#[test]
fn an_id_sent_as_a_number_is_rejected() {
    let mut session = Session::new();
    let number = json!({ "advertiser_id": 7_301_002_003_004_005_001_u64 });
    assert_error(&session.post(CREATE, &manual(number)), 40002, "advertiser_id: Not a valid string.");
    let body =
        json!({ "advertiser_id": USD, "campaign_ids": [1_800_000_000_000_001_u64], "operation_status": "ENABLE" });
    assert_error(&session.post("/campaign/status/update/", &body), 40002, "campaign_ids");
}

#[test]
fn only_smart_plus_creates_honor_operation_status() {
    let mut session = Session::new();
    let off = json!({ "operation_status": "DISABLE" });
    let response = session.post(CREATE, &manual(off.clone()));
    assert_eq!((&response["code"], &response["data"]["operation_status"]), (&json!(0), &json!("ENABLE")));
    let response = session.post(SMART, &smart(off));
    assert_eq!((&response["code"], &response["data"]["operation_status"]), (&json!(0), &json!("DISABLE")));
    let paused = json!({ "operation_status": "PAUSED" });
    assert_error(&session.post(CREATE, &manual(paused)), 40002, "operation_status: Must be one of: ENABLE, DISABLE.");
}

#[test]
fn a_campaign_without_an_operation_status_is_enabled() {
    let mut session = Session::new();
    assert_eq!(session.post(CREATE, &manual(json!({})))["data"]["operation_status"], "ENABLE");
    assert_eq!(session.post(SMART, &smart(json!({})))["data"]["operation_status"], "ENABLE");
}

#[test]
fn the_minimum_campaign_budget_is_50_and_5000_in_yen() {
    let mut session = Session::new();
    let mut create = |advertiser: &str, budget: Value| {
        let name = format!("{advertiser} {budget}");
        let body = manual(json!({ "advertiser_id": advertiser, "budget": budget, "campaign_name": name }));
        session.post(CREATE, &body)["code"].clone()
    };
    let codes = [(USD, json!(50)), (USD, json!(49.99)), (USD, json!(20)), (JPY, json!(5000)), (JPY, json!(4999))];
    assert_eq!(codes.map(|(advertiser, budget)| create(advertiser, budget)), [0, 40002, 40002, 0, 40002]);
    let codes = [(KWD, json!(50.125)), (USD, json!(50.125)), (JPY, json!(5000.5)), (USD, json!(10_000_000))];
    assert_eq!(codes.map(|(advertiser, budget)| create(advertiser, budget)), [0, 40002, 40002, 40002]);
}

#[test]
fn without_a_budget_mode_a_manual_campaign_is_unlimited() {
    let mut session = Session::new();
    let response = session.post(CREATE, &manual(json!({ "budget_mode": null, "budget": null })));
    assert_eq!(response["data"]["budget_mode"], "BUDGET_MODE_INFINITE");
    assert_eq!(response["data"]["budget"], 0);
    assert_error(&session.post(CREATE, &manual(json!({ "budget_mode": null }))), 40002, "budget");
    assert_error(&session.post(CREATE, &manual(json!({ "budget": null }))), 40002, "budget: Missing");
}

#[test]
fn budget_modes_depend_on_kind_and_budget_optimization() {
    let mut session = Session::new();
    let modes = ["INFINITE", "DAY", "TOTAL", "DYNAMIC_DAILY_BUDGET"];
    let mut accepted = |smart_plus: bool, optimized: bool| {
        modes.map(|mode| {
            let budget = if mode == "INFINITE" { Value::Null } else { json!(50) };
            let changes = json!({
                "budget_mode": format!("BUDGET_MODE_{mode}"),
                "budget": budget,
                "budget_optimize_on": optimized,
                "request_id": (session.platform.last_campaign + 1).to_string(),
            });
            let (path, body) = if smart_plus { (SMART, smart(changes)) } else { (CREATE, manual(changes)) };
            session.post(path, &body)["code"] == 0
        })
    };
    assert_eq!(accepted(false, false), [true, true, true, false]);
    assert_eq!(accepted(false, true), [false, true, true, true]);
    assert_eq!(accepted(true, false), [true, true, true, false]);
    assert_eq!(accepted(true, true), [false, false, true, true]);
    let without_mode = manual(json!({ "budget_mode": null, "budget_optimize_on": true }));
    assert_error(&session.post(CREATE, &without_mode), 40002, "budget_mode");
}

#[test]
fn smart_plus_defaults_to_an_optimized_dynamic_daily_budget() {
    let mut session = Session::new();
    let data = session.post(SMART, &smart(json!({})))["data"].clone();
    assert_eq!(data["budget_optimize_on"], true);
    assert_eq!(data["budget_mode"], "BUDGET_MODE_DYNAMIC_DAILY_BUDGET");
    assert_eq!(data["campaign_automation_type"], "UPGRADED_SMART_PLUS");
    let plain = smart(json!({ "budget_optimize_on": false, "budget": null, "request_id": "2" }));
    assert_eq!(session.post(SMART, &plain)["data"]["budget_mode"], "BUDGET_MODE_INFINITE");
}

#[test]
fn objectives_depend_on_the_kind_and_legacy_ones_are_rejected() {
    let mut session = Session::new();
    for old in ["CONVERSIONS", "APP_INSTALL", "CATALOG_SALES", "RF_REACH", "traffic"] {
        assert_error(&session.post(CREATE, &manual(json!({ "objective_type": old }))), 40002, "objective_type");
    }
    for manual_only in ["TRAFFIC", "REACH", "VIDEO_VIEWS", "ENGAGEMENT", "PRODUCT_SALES"] {
        assert_error(&session.post(SMART, &smart(json!({ "objective_type": manual_only }))), 40002, "objective_type");
    }
    let sales = json!({ "objective_type": "WEB_CONVERSIONS" });
    assert_error(&session.post(SMART, &smart(sales.clone())), 40002, "sales_destination: Missing");
    let app = json!({ "objective_type": "APP_PROMOTION" });
    assert_error(&session.post(SMART, &smart(app.clone())), 40002, "app_promotion_type: Missing");
    assert_error(&session.post(CREATE, &manual(app.clone())), 40002, "app_promotion_type: Missing");
    let odd = json!({ "app_promotion_type": "APP_INSTALL" });
    assert_error(&session.post(SMART, &smart(odd.clone())), 40002, "app_promotion_type");
    session.create(SMART, &smart(with(with(app, odd), json!({ "request_id": "5" }))));
    session.create(SMART, &smart(with(sales, json!({ "sales_destination": "WEBSITE", "request_id": "6" }))));
}

#[test]
fn manual_campaigns_for_conversions_end_with_2026() {
    for (objective, more) in [
        ("WEB_CONVERSIONS", json!({})),
        ("LEAD_GENERATION", json!({})),
        ("APP_PROMOTION", json!({ "app_promotion_type": "APP_INSTALL" })),
        ("PRODUCT_SALES", json!({})),
    ] {
        let mut session = Session::new();
        let grants = &mut session.platform.grants;
        grants.open(CLIENT.id, vec![USD.to_owned()], &[], session.now.as_second(), 1_000_000_000);
        let mut body = with(manual(json!({ "objective_type": objective })), more);
        session.now = "2026-12-31T23:59:59Z".parse().unwrap();
        session.create(CREATE, &body);
        body["campaign_name"] = json!("Too late");
        session.now = "2027-01-01T00:00:00Z".parse().unwrap();
        assert_error(&session.post(CREATE, &body), 40002, "objective_type: ");
        session.create(CREATE, &manual(json!({ "campaign_name": "Traffic" })));
        session.create(SMART, &smart(json!({ "campaign_name": "Smart" })));
    }
}

#[test]
fn smart_plus_needs_a_request_id() {
    let mut session = Session::new();
    assert_error(&session.post(SMART, &smart(json!({ "request_id": null }))), 40002, "request_id: Missing");
    for bad in ["abc", "", "-1", "9223372036854775808", "1.5"] {
        assert_error(&session.post(SMART, &smart(json!({ "request_id": bad }))), 40002, "request_id");
    }
    assert_error(&session.post(SMART, &smart(json!({ "request_id": 7 }))), 40002, "request_id");
}

#[test]
fn only_one_call_of_each_request_id_succeeds() {
    let mut session = Session::new();
    let id = json!({ "request_id": "77" });
    assert_error(&session.post(SMART, &smart(json!({ "request_id": "77", "budget": 1 }))), 40002, "budget");
    session.create(SMART, &smart(id.clone()));
    assert_error(&session.post(SMART, &smart(id.clone())), 40050, "Duplicated request");
    assert_error(&session.post(CREATE, &manual(id)), 40050, "Duplicated request");
    assert_error(&session.post(SMART, &smart(json!({ "request_id": "077" }))), 40050, "Duplicated request");
    let id = json!({ "request_id": "78" });
    session.create(CREATE, &manual(id.clone()));
    assert_error(&session.post(CREATE, &manual(id)), 40050, "Duplicated request");
    assert_eq!(ids(&session.list(&[])).len(), 2);
}

#[test]
fn a_taken_name_needs_a_request_id() {
    let mut session = Session::new();
    let first = session.create(CREATE, &manual(json!({})));
    assert_error(&session.post(CREATE, &manual(json!({}))), 40002, "campaign_name: Campaign name already exists");
    let second = session.create(CREATE, &manual(json!({ "request_id": "1" })));
    for id in [first, second] {
        assert_eq!(session.set_status(&id, "DELETE")["code"], 0);
    }
    session.create(CREATE, &manual(json!({})));
}

#[test]
fn errors_name_missing_unknown_and_invalid_fields() {
    let mut session = Session::new();
    for field in ["campaign_name", "objective_type"] {
        assert_error(&session.post(CREATE, &manual(json!({ field: null }))), 40002, &format!("{field}: Missing"));
        assert_error(&session.post(CREATE, &manual(json!({ field: 5 }))), 40002, field);
    }
    for (field, value) in [
        ("start_time", json!("2026-03-02 12:00:00")),
        ("status", json!("DISABLE")),
        ("budget_optimize_on", json!("false")),
        ("special_industries", json!(["POLITICS"])),
        ("special_industries", json!("CREDIT")),
        ("campaign_type", json!("SEARCH")),
        ("sales_destination", json!("WEBSITE")),
        ("virtual_objective_type", json!("SALES")),
        ("campaign_name", json!("Sale 🎉")),
        ("campaign_name", json!("漢".repeat(257))),
    ] {
        assert_error(&session.post(CREATE, &manual(json!({ field: value }))), 40002, field);
    }
    assert_error(&session.post(SMART, &smart(json!({ "virtual_objective_type": "SALES" }))), 40002, "Unknown field");
    let sales = json!({ "objective_type": "WEB_CONVERSIONS", "virtual_objective_type": "SALES" });
    assert_error(&session.post(CREATE, &manual(sales.clone())), 40002, "sales_destination: Missing");
    session
        .create(CREATE, &manual(with(sales, json!({ "sales_destination": "APP", "special_industries": ["CREDIT"] }))));
}
