//! Campaign lists.

use super::*;

#[test]
fn page_info_has_four_keys_and_pages_are_by_number() {
    let mut session = Session::new();
    let made: Vec<String> = (0..3).map(|_| session.campaign()).collect();
    let first = session.list(&[("page_size", "2")]);
    assert_eq!(ids(&first), [&made[2], &made[1]]);
    let info = json!({ "page": 1, "page_size": 2, "total_number": 3, "total_page": 2 });
    assert_eq!(first["data"]["page_info"], info);
    assert_eq!(ids(&session.list(&[("page", "2"), ("page_size", "2")])), [&made[0]]);
    assert!(ids(&session.list(&[("page", "3"), ("page_size", "2")])).is_empty());
    for (name, value) in [("page", "0"), ("page_size", "0"), ("page_size", "1001"), ("page", "x"), ("cursor", "1")] {
        assert_error(&session.list(&[(name, value)]), 40002, name);
    }
}

#[test]
fn a_page_has_ten_campaigns_and_a_setting_shortens_it() {
    let mut session = Session::new();
    for _ in 0..11 {
        session.campaign();
    }
    assert_eq!(ids(&session.list(&[])).len(), 10);
    session.settings.page_size = Some(4);
    let response = session.list(&[("page_size", "1000")]);
    assert_eq!(
        response["data"]["page_info"],
        json!({ "page": 1, "page_size": 4, "total_number": 11, "total_page": 3 })
    );
}

#[test]
fn list_valued_query_parameters_are_json() {
    let mut session = Session::new();
    let id = session.campaign();
    let response = session.list(&[("fields", r#"["campaign_id","budget"]"#)]);
    assert_eq!(response["data"]["list"], json!([{ "campaign_id": id, "budget": 50 }]));
    for fields in ["campaign_id,budget", "campaign_id", "[campaign_id]", "[\"colour\"]"] {
        assert_error(&session.list(&[("fields", fields)]), 40002, "fields");
    }
    assert_error(&session.list(&[("fields", "[\"budget\"]"), ("fields", "[\"budget\"]")]), 40002, "fields");
    for filtering in ["campaign_ids=1", "[]", r#"{"campaign_ids":"1"}"#, r#"{"campaign_ids":[1]}"#, r#"{"id":["1"]}"#] {
        assert_error(&session.list(&[("filtering", filtering)]), 40002, "filtering");
    }
}

#[test]
fn deleted_campaigns_are_listed_only_on_request() {
    let mut session = Session::new();
    let (gone, kept) = (session.campaign(), session.campaign());
    session.set_status(&gone, "DELETE");
    assert_eq!(ids(&session.list(&[])), [&kept]);
    let by_id = json!({ "campaign_ids": [gone] }).to_string();
    assert!(ids(&session.list(&[("filtering", &by_id)])).is_empty());
    for (filtering, expected) in [
        (json!({ "primary_status": "STATUS_DELETE" }), vec![&gone]),
        (json!({ "secondary_status": "CAMPAIGN_STATUS_DELETE" }), vec![&gone]),
        (json!({ "primary_status": "STATUS_ALL" }), vec![&kept, &gone]),
        (json!({ "primary_status": "STATUS_NOT_DELETE" }), vec![&kept]),
        (json!({ "campaign_ids": [gone], "primary_status": "STATUS_ALL" }), vec![&gone]),
    ] {
        let response = session.list(&[("filtering", &filtering.to_string())]);
        assert_eq!(ids(&response), expected, "{filtering}");
    }
    let response = session.list(&[("filtering", r#"{"primary_status":"STATUS_DELETE"}"#)]);
    assert_eq!(response["data"]["list"][0]["secondary_status"], "CAMPAIGN_STATUS_DELETE");
}

#[test]
fn filters_narrow_by_status_name_objective_and_creation_time() {
    let mut session = Session::new();
    let old = session.create(CREATE, &manual(json!({ "campaign_name": "Old reach", "objective_type": "REACH" })));
    session.now = "2026-03-02T12:00:10Z".parse().unwrap();
    let total = manual(json!({ "campaign_name": "New total", "budget_mode": "BUDGET_MODE_TOTAL" }));
    let new = session.create(CREATE, &total);
    session.set_status(&old, "DISABLE");
    session.spend(&new, "50");
    for (filtering, expected) in [
        (json!({ "primary_status": "STATUS_DISABLE" }), &old),
        (json!({ "primary_status": "STATUS_NOT_DELIVERY" }), &new),
        (json!({ "secondary_status": "CAMPAIGN_STATUS_BUDGET_EXCEED" }), &new),
        (json!({ "campaign_name": "old" }), &old),
        (json!({ "objective_type": "TRAFFIC" }), &new),
        (json!({ "creation_filter_start_time": "2026-03-02 12:00:05" }), &new),
        (json!({ "creation_filter_end_time": "2026-03-02 12:00:05" }), &old),
    ] {
        assert_eq!(ids(&session.list(&[("filtering", &filtering.to_string())])), [expected], "{filtering}");
    }
    for filtering in [
        json!({ "primary_status": "ENABLE" }),
        json!({ "secondary_status": "PAUSED" }),
        json!({ "campaign_ids": [] }),
        json!({ "campaign_ids": vec!["1"; 101] }),
        json!({ "creation_filter_start_time": "2026-03-02T12:00:05Z" }),
    ] {
        assert_error(&session.list(&[("filtering", &filtering.to_string())]), 40002, "filtering");
    }
}

#[test]
fn the_common_list_has_both_kinds_and_the_smart_plus_list_its_own() {
    let mut session = Session::new();
    let plain = session.campaign();
    let smart_plus = session.create(SMART, &smart(json!({})));
    assert!(smart_plus > plain);
    assert_eq!(ids(&session.list(&[])), [&smart_plus, &plain]);
    assert_eq!(ids(&session.get("/smart_plus/campaign/get/", &[("advertiser_id", USD)])), [&smart_plus]);
}
