//! Changes in words.

use super::super::wire::Change;
use super::*;
use serde_json::{Value, json};

fn change(kind: &str, state: &str, parts: &Value) -> Change {
    let mut json = json!({
        "id": "chg_1", "kind": kind, "state": state, "platform": "ALPHA", "organization_id": "1",
        "campaign_id": "alpha_1_2",
        "requested": {}, "before": null, "after": null, "applied_fields": [], "not_applied_fields": [],
        "unknown_fields": [], "requested_by": { "type": "person", "id": "p", "name": null },
        "created_at": "2026-12-01T09:00:00Z", "error": null,
    });
    for (name, value) in parts.as_object().unwrap() {
        json[name] = value.clone();
    }
    serde_json::from_str(&json.to_string()).unwrap()
}

fn campaign(name: &str, status: &str, amount: u32, period: &str) -> Value {
    json!({ "name": name, "status": status, "budget_amount": amount, "budget_period": period, "currency": "USD" })
}

#[test]
fn a_create_names_the_campaign_and_its_budget() {
    let requested = json!({ "name": "Spring", "status": "PAUSED", "budget_amount": 1500, "budget_period": "LIFETIME" });
    let after = campaign("Spring", "PAUSED", 1500, "LIFETIME");
    let made = change("create", "applied", &json!({ "requested": requested, "after": after }));
    assert_eq!(what(&made), ["Created “Spring”", "Budget 1,500.00 USD in all"]);
    let refused = change("create", "failed", &json!({ "requested": requested, "campaign_id": null }));
    assert_eq!(what(&refused), ["Create “Spring”", "Budget 1,500 in all"], "the currency is not known");
}

#[test]
fn one_change_may_do_several_things() {
    let all = change(
        "update",
        "applied",
        &json!({
            "requested": { "name": "B", "status": "ACTIVE", "budget_amount": 60 },
            "before": campaign("A", "PAUSED", 50, "DAILY"), "after": campaign("B", "ACTIVE", 60, "DAILY"),
        }),
    );
    assert_eq!(what(&all), ["Activated", "Renamed “A” → “B”", "Budget 50.00 → 60.00 USD a day"]);
    assert_eq!(what(&change("delete", "applied", &json!({}))), ["Deleted"]);
    assert_eq!(what(&change("update", "applied", &json!({}))), ["Changed"]);
}

#[test]
fn what_is_not_applied_is_told_as_a_request() {
    let before = campaign("A", "ACTIVE", 50, "DAILY");
    let parts = json!({
        "requested": { "name": "B", "status": "PAUSED", "budget_amount": 60 }, "before": before,
        "after": campaign("B", "ACTIVE", 50, "DAILY"), "applied_fields": ["name"],
    });
    let lines = ["Pause", "Renamed “A” → “B”", "Budget 50.00 → 60.00 USD a day"];
    assert_eq!(what(&change("update", "partly_applied", &parts)), lines);
    let asked = json!({ "requested": { "name": "B", "status": "ARCHIVED" }, "before": before });
    for state in ["failed", "sending", "unknown", "scheduled", "canceled"] {
        assert_eq!(what(&change("update", state, &asked)), ["Delete", "Rename “A” → “B”"], "{state}");
        assert_eq!(what(&change("delete", state, &json!({}))), ["Delete"], "{state}");
    }
}

#[test]
fn without_a_reading_before_only_the_new_value_is_told() {
    let asked = json!({ "requested": { "name": "B", "status": "DRAFT", "budget_amount": 60.5 } });
    assert_eq!(what(&change("update", "unknown", &asked)), ["Status Draft", "Name “B”", "Budget 60.5"]);
    let same = json!({
        "requested": { "name": "A", "budget_amount": 50 }, "before": campaign("A", "PAUSED", 50, "DAILY"),
        "after": campaign("A", "PAUSED", 50, "DAILY"),
    });
    assert_eq!(what(&change("update", "applied", &same)), ["Name “A”", "Budget 50.00 USD a day"], "no change");
}

#[test]
fn another_period_is_told_with_both_budgets() {
    let before = campaign("A", "PAUSED", 50, "DAILY");
    let both = json!({ "requested": { "budget_amount": 900, "budget_period": "TOTAL" }, "before": before });
    assert_eq!(what(&change("update", "failed", &both)), ["Budget 50.00 USD a day → 900.00 USD in all"]);
    let period = json!({ "requested": { "budget_period": "LIFETIME" }, "before": before });
    assert_eq!(what(&change("update", "failed", &period)), ["Budget 50.00 USD a day → 50.00 USD in all"]);
    let no_budget = json!({ "name": "A", "status": "PAUSED", "budget_amount": null, "currency": "USD" });
    let first = json!({ "requested": { "budget_amount": 50 }, "before": no_budget });
    assert_eq!(what(&change("update", "failed", &first)), ["Budget 50.00 USD"]);
}

#[test]
fn dates_are_told_with_the_ones_before() {
    let before = json!({ "name": "A", "status": "PAUSED", "currency": "USD", "start_at": null,
        "end_at": "2026-12-24T00:00:00Z" });
    let dates = json!({ "requested": { "start_at": "2026-12-02", "end_at": null }, "before": before });
    let lines = ["Start no start date → 2026-12-02", "End 24 Dec 2026, 00:00 UTC → no end date"];
    assert_eq!(what(&change("update", "failed", &dates)), lines);
    let created = json!({ "requested": { "name": "A", "end_at": "2026-12-24T00:00:00Z" } });
    assert_eq!(what(&change("create", "applied", &created)), ["Created “A”", "End 24 Dec 2026, 00:00 UTC"]);
}

#[test]
fn an_unknown_kind_or_state_is_a_word() {
    let later = json!({ "requested": { "status": "PAUSED" } });
    assert_eq!(what(&change("bulk_edit", "applied", &later)), ["Bulk edit", "Paused"]);
    assert_eq!(state_word("partly_applied"), "Partly applied");
    assert_eq!((state_word("scheduled").as_str(), state_word("").as_str()), ("Scheduled", ""));
    assert_eq!(field_word("budget_period"), "budget period");
}
