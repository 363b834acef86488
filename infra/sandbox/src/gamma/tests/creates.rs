//! New campaigns, manual and Smart+.

use super::*;

#[test]
fn a_manual_campaign_answers_with_all_its_fields() {
    let mut scene = Scene::new();
    let body = manual(json!({ "budget_optimize_on": false }));
    let answer = scene.post(CREATE, &body);
    assert_eq!(outcome(&answer), (0, "OK"));
    let data = &answer["data"];
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
fn a_budget_is_a_number_with_exactly_the_digits_that_were_sent() {
    let mut scene = Scene::new();
    let body = manual(json!({ "budget": "@" })).to_string().replace("\"@\"", "1234567.89");
    let reply = scene.send(&request("POST", CREATE, "", &body));
    assert!(reply.body.contains("\"budget\":1234567.89,"), "{}", reply.body);
    refused(&scene.post(CREATE, &manual(json!({ "budget": "50" }))), 40002, "budget: Not a valid number.");
}

#[test]
fn ids_are_strings_and_a_number_is_refused() {
    let mut scene = Scene::new();
    let number = json!({ "advertiser_id": 7_301_002_003_004_005_001_u64 });
    refused(&scene.post(CREATE, &manual(number)), 40002, "advertiser_id: Not a valid string.");
    let body =
        json!({ "advertiser_id": USD, "campaign_ids": [1_800_000_000_000_001_u64], "operation_status": "ENABLE" });
    refused(&scene.post("/campaign/status/update/", &body), 40002, "campaign_ids");
}

#[test]
fn the_operation_status_of_a_manual_campaign_is_ignored_and_that_of_smart_plus_heard() {
    let mut scene = Scene::new();
    let off = json!({ "operation_status": "DISABLE" });
    let answer = scene.post(CREATE, &manual(off.clone()));
    assert_eq!((&answer["code"], &answer["data"]["operation_status"]), (&json!(0), &json!("ENABLE")));
    let answer = scene.post(SMART, &smart(off));
    assert_eq!((&answer["code"], &answer["data"]["operation_status"]), (&json!(0), &json!("DISABLE")));
    let paused = json!({ "operation_status": "PAUSED" });
    refused(&scene.post(CREATE, &manual(paused)), 40002, "operation_status: Must be one of: ENABLE, DISABLE.");
}

#[test]
fn a_campaign_without_an_operation_status_is_enabled() {
    let mut scene = Scene::new();
    assert_eq!(scene.post(CREATE, &manual(json!({})))["data"]["operation_status"], "ENABLE");
    assert_eq!(scene.post(SMART, &smart(json!({})))["data"]["operation_status"], "ENABLE");
}

#[test]
fn the_least_campaign_budget_is_50_and_5000_in_yen() {
    let mut scene = Scene::new();
    let mut asked = |advertiser: &str, budget: Value| {
        let name = format!("{advertiser} {budget}");
        let body = manual(json!({ "advertiser_id": advertiser, "budget": budget, "campaign_name": name }));
        scene.post(CREATE, &body)["code"].clone()
    };
    let codes = [(USD, json!(50)), (USD, json!(49.99)), (USD, json!(20)), (JPY, json!(5000)), (JPY, json!(4999))];
    assert_eq!(codes.map(|(advertiser, budget)| asked(advertiser, budget)), [0, 40002, 40002, 0, 40002]);
    let codes = [(KWD, json!(50.125)), (USD, json!(50.125)), (JPY, json!(5000.5)), (USD, json!(10_000_000))];
    assert_eq!(codes.map(|(advertiser, budget)| asked(advertiser, budget)), [0, 40002, 40002, 40002]);
}

#[test]
fn without_a_budget_mode_a_manual_campaign_spends_without_bound() {
    let mut scene = Scene::new();
    let answer = scene.post(CREATE, &manual(json!({ "budget_mode": null, "budget": null })));
    assert_eq!(answer["data"]["budget_mode"], "BUDGET_MODE_INFINITE");
    assert_eq!(answer["data"]["budget"], 0);
    refused(&scene.post(CREATE, &manual(json!({ "budget_mode": null }))), 40002, "budget");
    refused(&scene.post(CREATE, &manual(json!({ "budget": null }))), 40002, "budget: Missing");
}

#[test]
fn budget_modes_depend_on_the_path_and_on_budget_optimisation() {
    let mut scene = Scene::new();
    let modes = ["INFINITE", "DAY", "TOTAL", "DYNAMIC_DAILY_BUDGET"];
    let mut taken = |smart_plus: bool, optimized: bool| {
        modes.map(|mode| {
            let budget = if mode == "INFINITE" { Value::Null } else { json!(50) };
            let changes = json!({
                "budget_mode": format!("BUDGET_MODE_{mode}"),
                "budget": budget,
                "budget_optimize_on": optimized,
                "request_id": (scene.gamma.last_campaign + 1).to_string(),
            });
            let (path, body) = if smart_plus { (SMART, smart(changes)) } else { (CREATE, manual(changes)) };
            scene.post(path, &body)["code"] == 0
        })
    };
    assert_eq!(taken(false, false), [true, true, true, false]);
    assert_eq!(taken(false, true), [false, true, true, true]);
    assert_eq!(taken(true, false), [true, true, true, false]);
    assert_eq!(taken(true, true), [false, false, true, true]);
    let unsaid = manual(json!({ "budget_mode": null, "budget_optimize_on": true }));
    refused(&scene.post(CREATE, &unsaid), 40002, "budget_mode");
}

#[test]
fn smart_plus_optimises_and_has_a_dynamic_daily_budget_unless_told_otherwise() {
    let mut scene = Scene::new();
    let data = scene.post(SMART, &smart(json!({})))["data"].clone();
    assert_eq!(data["budget_optimize_on"], true);
    assert_eq!(data["budget_mode"], "BUDGET_MODE_DYNAMIC_DAILY_BUDGET");
    assert_eq!(data["campaign_automation_type"], "UPGRADED_SMART_PLUS");
    let plain = smart(json!({ "budget_optimize_on": false, "budget": null, "request_id": "2" }));
    assert_eq!(scene.post(SMART, &plain)["data"]["budget_mode"], "BUDGET_MODE_INFINITE");
}

#[test]
fn objectives_depend_on_the_path_and_old_names_are_refused() {
    let mut scene = Scene::new();
    for old in ["CONVERSIONS", "APP_INSTALL", "CATALOG_SALES", "RF_REACH", "traffic"] {
        refused(&scene.post(CREATE, &manual(json!({ "objective_type": old }))), 40002, "objective_type");
    }
    for manual_only in ["TRAFFIC", "REACH", "VIDEO_VIEWS", "ENGAGEMENT", "PRODUCT_SALES"] {
        refused(&scene.post(SMART, &smart(json!({ "objective_type": manual_only }))), 40002, "objective_type");
    }
    let sales = json!({ "objective_type": "WEB_CONVERSIONS" });
    refused(&scene.post(SMART, &smart(sales.clone())), 40002, "sales_destination: Missing");
    let app = json!({ "objective_type": "APP_PROMOTION" });
    refused(&scene.post(SMART, &smart(app.clone())), 40002, "app_promotion_type: Missing");
    refused(&scene.post(CREATE, &manual(app.clone())), 40002, "app_promotion_type: Missing");
    let odd = json!({ "app_promotion_type": "APP_INSTALL" });
    refused(&scene.post(SMART, &smart(odd.clone())), 40002, "app_promotion_type");
    scene.made(SMART, &smart(with(with(app, odd), json!({ "request_id": "5" }))));
    scene.made(SMART, &smart(with(sales, json!({ "sales_destination": "WEBSITE", "request_id": "6" }))));
}

#[test]
fn manual_campaigns_for_conversions_end_with_2026() {
    for (objective, more) in [
        ("WEB_CONVERSIONS", json!({})),
        ("LEAD_GENERATION", json!({})),
        ("APP_PROMOTION", json!({ "app_promotion_type": "APP_INSTALL" })),
        ("PRODUCT_SALES", json!({})),
    ] {
        let mut scene = Scene::new();
        let grants = &mut scene.gamma.grants;
        grants.open(CLIENT.id, vec![USD.to_owned()], &[], scene.now.as_second(), 1_000_000_000);
        let mut body = with(manual(json!({ "objective_type": objective })), more);
        scene.now = "2026-12-31T23:59:59Z".parse().unwrap();
        scene.made(CREATE, &body);
        body["campaign_name"] = json!("Too late");
        scene.now = "2027-01-01T00:00:00Z".parse().unwrap();
        refused(&scene.post(CREATE, &body), 40002, "objective_type: ");
        scene.made(CREATE, &manual(json!({ "campaign_name": "Traffic" })));
        scene.made(SMART, &smart(json!({ "campaign_name": "Smart" })));
    }
}

#[test]
fn smart_plus_needs_a_request_id() {
    let mut scene = Scene::new();
    refused(&scene.post(SMART, &smart(json!({ "request_id": null }))), 40002, "request_id: Missing");
    for bad in ["abc", "", "-1", "9223372036854775808", "1.5"] {
        refused(&scene.post(SMART, &smart(json!({ "request_id": bad }))), 40002, "request_id");
    }
    refused(&scene.post(SMART, &smart(json!({ "request_id": 7 }))), 40002, "request_id");
}

#[test]
fn of_several_calls_with_one_request_id_only_one_succeeds() {
    let mut scene = Scene::new();
    let id = json!({ "request_id": "77" });
    refused(&scene.post(SMART, &smart(json!({ "request_id": "77", "budget": 1 }))), 40002, "budget");
    scene.made(SMART, &smart(id.clone()));
    refused(&scene.post(SMART, &smart(id.clone())), 40050, "Duplicated request");
    refused(&scene.post(CREATE, &manual(id)), 40050, "Duplicated request");
    refused(&scene.post(SMART, &smart(json!({ "request_id": "077" }))), 40050, "Duplicated request");
    let id = json!({ "request_id": "78" });
    scene.made(CREATE, &manual(id.clone()));
    refused(&scene.post(CREATE, &manual(id)), 40050, "Duplicated request");
    assert_eq!(ids(&scene.list(&[])).len(), 2);
}

#[test]
fn a_taken_name_needs_a_request_id() {
    let mut scene = Scene::new();
    let first = scene.made(CREATE, &manual(json!({})));
    refused(&scene.post(CREATE, &manual(json!({}))), 40002, "campaign_name: Campaign name already exists");
    let second = scene.made(CREATE, &manual(json!({ "request_id": "1" })));
    for id in [first, second] {
        assert_eq!(scene.switch(&id, "DELETE")["code"], 0);
    }
    scene.made(CREATE, &manual(json!({})));
}

#[test]
fn missing_unknown_and_odd_fields_are_refused_by_name() {
    let mut scene = Scene::new();
    for field in ["campaign_name", "objective_type"] {
        refused(&scene.post(CREATE, &manual(json!({ field: null }))), 40002, &format!("{field}: Missing"));
        refused(&scene.post(CREATE, &manual(json!({ field: 5 }))), 40002, field);
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
        refused(&scene.post(CREATE, &manual(json!({ field: value }))), 40002, field);
    }
    refused(&scene.post(SMART, &smart(json!({ "virtual_objective_type": "SALES" }))), 40002, "Unknown field");
    let sales = json!({ "objective_type": "WEB_CONVERSIONS", "virtual_objective_type": "SALES" });
    refused(&scene.post(CREATE, &manual(sales.clone())), 40002, "sales_destination: Missing");
    scene.made(CREATE, &manual(with(sales, json!({ "sales_destination": "APP", "special_industries": ["CREDIT"] }))));
}
