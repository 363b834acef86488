//! Budgets and their units.

use super::{BHD, CLIENT, COP, JPY, Session, USD, parameter_error};
use crate::platform::AdPlatform as _;
use serde_json::json;

#[test]
fn a_budget_is_in_units_of_metas_offset_for_the_currency() {
    let mut session = Session::new();
    for (account, formatted) in [(USD, "50.00"), (BHD, "50.00"), (JPY, "5000"), (COP, "5000")] {
        let id = session.campaign(account, json!({}));
        assert_eq!(session.field(&id, "daily_budget"), "5000", "{account}");
        let summaries = session.platform.campaigns(session.now);
        let summary = summaries.iter().find(|summary| summary["id"] == id.as_str()).unwrap();
        assert_eq!(summary["budget"], formatted, "{account}");
    }
}

#[test]
fn amounts_are_unsigned_integers_and_responses_have_them_as_strings() {
    let mut session = Session::new();
    for amount in [json!(5000), json!("5000")] {
        let id = session.campaign(USD, json!({ "daily_budget": amount }));
        let read = session.get(&format!("/v26.0/{id}?fields=daily_budget,lifetime_budget,budget_remaining"));
        let expected = json!({ "id": id, "daily_budget": "5000", "lifetime_budget": "0", "budget_remaining": "5000" });
        assert_eq!(read, expected);
    }
    for amount in ["50.00", "5e3", "-5000", "+5000", "5,000", "99999999999999999999"] {
        assert_eq!(session.create_error(json!({ "daily_budget": amount })), parameter_error(0, ""), "{amount}");
    }
    // A number in a JSON body keeps its literal digits.
    let raw = super::campaign_params(json!({})).to_string().replace("5000", "5000.0");
    let mut request = super::request("POST", &format!("/v26.0/{USD}/campaigns"), &json!({}));
    request.body = raw;
    assert_eq!(session.send(&request).status, 400);
}

#[test]
fn a_budget_below_the_minimum_of_the_account_is_rejected() {
    let mut session = Session::new();
    assert_eq!(session.create_error(json!({ "daily_budget": 49 })), parameter_error(1_885_272, "daily_budget"));
    let lifetime = json!({ "daily_budget": null, "lifetime_budget": 49 });
    assert_eq!(session.create_error(lifetime), parameter_error(1_885_272, "lifetime_budget"));
    let id = session.campaign(USD, json!({ "daily_budget": 50 }));
    let path = format!("/v26.0/{id}");
    assert_eq!(
        session.call_error("POST", &path, &json!({ "daily_budget": 0 })),
        parameter_error(1_885_272, "daily_budget")
    );
    let account = session.get(&format!("/v26.0/{USD}?fields=min_daily_budget"));
    assert_eq!(account["min_daily_budget"], 50);
}

#[test]
fn a_campaign_has_at_most_one_budget_and_keeps_its_kind() {
    let mut session = Session::new();
    assert_eq!(session.create_error(json!({ "lifetime_budget": 5000 })), parameter_error(0, "lifetime_budget"));
    let id = session.campaign(USD, json!({ "daily_budget": null, "lifetime_budget": 90_000 }));
    assert_eq!(session.field(&id, "lifetime_budget"), "90000");
    let path = format!("/v26.0/{id}");
    assert_eq!(session.call_error("POST", &path, &json!({ "daily_budget": 5000 })), parameter_error(0, "daily_budget"));
    assert_eq!(session.call("POST", &path, &json!({ "lifetime_budget": 80_000 })).0, 200);
    assert_eq!(session.field(&id, "lifetime_budget"), "80000");
}

#[test]
fn ad_set_budget_sharing_is_required_without_a_campaign_budget() {
    let name = "is_adset_budget_sharing_enabled";
    let mut session = Session::new();
    assert_eq!(session.create_error(json!({ "daily_budget": null })), parameter_error(4_834_011, name));
    let id = session.campaign(USD, json!({ "daily_budget": null, name: false }));
    let read = session.get(&format!("/v26.0/{id}?fields=daily_budget,lifetime_budget,{name}"));
    assert_eq!(read, json!({ "id": id, name: false }));
    assert_eq!(session.create_error(json!({ name: true })), parameter_error(0, name));
    let id = session.campaign(USD, json!({ name: false }));
    session.campaign(USD, json!({ name: "0" }));
    assert_eq!(session.call_error("POST", &format!("/v26.0/{id}"), &json!({ name: true })), parameter_error(0, name));
}

#[test]
fn budgets_in_forint_are_in_whole_units() {
    let mut session = Session::new();
    let act = session.platform.open_account("HUF").unwrap().id;
    session.platform.grants.open(CLIENT.id, vec![act.clone()], &["ads_management"], session.now.as_second(), 3600);
    session.campaign(&act, json!({ "daily_budget": 3500 }));
    let summaries = session.platform.campaigns(session.now);
    assert_eq!((&summaries[0]["currency"], &summaries[0]["budget"]), (&json!("HUF"), &json!("3500")));
}
