//! Money and the schedule it hangs on.

use serde_json::json;

use super::{DAY, JPY, Scene, USD, error, usd};

#[test]
fn a_daily_budget_below_ten_dollars_and_a_total_below_a_hundred_are_too_low() {
    let mut scene = Scene::new();
    let daily = scene.wrong(USD, &json!({ "dailyBudget": usd("9.99") }));
    assert_eq!(daily, error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    let schedule = json!({ "start": scene.ms(), "end": scene.ms() + 30 * DAY });
    let total = json!({ "dailyBudget": null, "totalBudget": usd("99.99"), "runSchedule": schedule });
    assert_eq!(scene.wrong(USD, &total), error("FIELD_VALUE_TOO_LOW", "/totalBudget/amount"));
    let yen = json!({ "dailyBudget": { "amount": "999", "currencyCode": "JPY" } });
    assert_eq!(scene.wrong(JPY, &yen), error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    scene.campaign(USD, &json!({ "dailyBudget": usd("10") }));
    scene.campaign(USD, &json!({ "dailyBudget": null, "totalBudget": usd("100.00"), "runSchedule": schedule }));
}

#[test]
fn a_total_budget_alone_needs_the_end_of_the_schedule() {
    let mut scene = Scene::new();
    let total = json!({ "dailyBudget": null, "totalBudget": usd("500.00") });
    assert_eq!(scene.wrong(USD, &total), error("MISSING_FIELD", "/runSchedule/end"));
    scene.campaign(USD, &json!({ "totalBudget": usd("500.00") }));
    let neither = scene.wrong(USD, &json!({ "dailyBudget": null }));
    assert_eq!(neither, error("MISSING_FIELD", "/dailyBudget"));
    let less = scene.wrong(USD, &json!({ "dailyBudget": usd("200"), "totalBudget": usd("150") }));
    assert_eq!(less, error("CONDITIONAL_VALUE_TOO_LOW", "/totalBudget/amount"));
}

#[test]
fn the_currency_of_a_budget_is_the_account_s() {
    let mut scene = Scene::new();
    let mismatch = error("CURRENCY_MISMATCH", "/dailyBudget/currencyCode");
    assert_eq!(scene.wrong(JPY, &json!({ "dailyBudget": usd("5000") })), mismatch);
}

#[test]
fn amounts_are_decimal_texts_with_the_decimals_of_the_currency() {
    let mut scene = Scene::new();
    for (account, amount) in [(USD, "50.001"), (USD, "5e1"), (USD, "-50"), (USD, ""), (JPY, "5000.5")] {
        let code = if account == JPY { "JPY" } else { "USD" };
        let budget = json!({ "dailyBudget": { "amount": amount, "currencyCode": code } });
        assert_eq!(scene.wrong(account, &budget), error("INVALID_VALUE", "/dailyBudget/amount"), "{amount}");
    }
    let high = scene.wrong(USD, &json!({ "dailyBudget": usd("99999999999999999999") }));
    assert_eq!(high, error("FIELD_VALUE_TOO_HIGH", "/dailyBudget/amount"));
    let number = json!({ "dailyBudget": { "amount": 50, "currencyCode": "USD" } });
    let fields = scene.fields(USD, &number);
    let reply = scene.send(&super::creation(USD, &fields));
    assert_eq!(reply.status, 422);
    assert!(reply.body.contains("/dailyBudget/amount"), "{}", reply.body);
    let id = scene.campaign(USD, &json!({ "dailyBudget": usd("50.10") }));
    assert_eq!(scene.show(id)["dailyBudget"], usd("50.10"));
}

#[test]
fn a_start_in_the_past_is_refused_to_the_millisecond() {
    let mut scene = Scene::new();
    let start = |ms: i64| json!({ "runSchedule": { "start": ms } });
    let now = scene.ms();
    assert_eq!(scene.wrong(USD, &start(now - 1)), error("INVALID_VALUE", "/runSchedule/start"));
    scene.campaign(USD, &start(now));
    let backwards = json!({ "runSchedule": { "start": now + DAY, "end": now + DAY } });
    assert_eq!(scene.wrong(USD, &backwards), error("CONDITIONAL_VALUE_TOO_LOW", "/runSchedule/end"));
    let none = json!({ "runSchedule": { "end": now + DAY } });
    assert_eq!(scene.wrong(USD, &none), error("MISSING_FIELD", "/runSchedule/start"));
}
