//! Budgets and the schedule that they depend on.

use super::{DAY, JPY, Session, USD, error, usd};
use serde_json::json;

#[test]
fn a_daily_budget_under_10_and_a_total_under_100_dollars_are_rejected() {
    let mut session = Session::new();
    let daily = session.create_errors(USD, &json!({ "dailyBudget": usd("9.99") }));
    assert_eq!(daily, error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    let schedule = json!({ "start": session.now_ms(), "end": session.now_ms() + 30 * DAY });
    let total = json!({ "dailyBudget": null, "totalBudget": usd("99.99"), "runSchedule": schedule });
    assert_eq!(session.create_errors(USD, &total), error("FIELD_VALUE_TOO_LOW", "/totalBudget/amount"));
    let yen = json!({ "dailyBudget": { "amount": "999", "currencyCode": "JPY" } });
    assert_eq!(session.create_errors(JPY, &yen), error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    session.campaign(USD, &json!({ "dailyBudget": usd("10") }));
    session.campaign(USD, &json!({ "dailyBudget": null, "totalBudget": usd("100.00"), "runSchedule": schedule }));
}

#[test]
fn a_total_budget_alone_needs_the_end_of_the_schedule() {
    let mut session = Session::new();
    let total = json!({ "dailyBudget": null, "totalBudget": usd("500.00") });
    assert_eq!(session.create_errors(USD, &total), error("MISSING_FIELD", "/runSchedule/end"));
    session.campaign(USD, &json!({ "totalBudget": usd("500.00") }));
    let neither = session.create_errors(USD, &json!({ "dailyBudget": null }));
    assert_eq!(neither, error("MISSING_FIELD", "/dailyBudget"));
    let less = session.create_errors(USD, &json!({ "dailyBudget": usd("200"), "totalBudget": usd("150") }));
    assert_eq!(less, error("CONDITIONAL_VALUE_TOO_LOW", "/totalBudget/amount"));
}

#[test]
fn a_budget_uses_the_currency_of_the_account() {
    let mut session = Session::new();
    let mismatch = error("CURRENCY_MISMATCH", "/dailyBudget/currencyCode");
    assert_eq!(session.create_errors(JPY, &json!({ "dailyBudget": usd("5000") })), mismatch);
}

#[test]
fn amounts_are_decimal_texts_with_the_decimals_of_the_currency() {
    let mut session = Session::new();
    for (account, amount) in [(USD, "50.001"), (USD, "5e1"), (USD, "-50"), (USD, ""), (JPY, "5000.5")] {
        let code = if account == JPY { "JPY" } else { "USD" };
        let budget = json!({ "dailyBudget": { "amount": amount, "currencyCode": code } });
        assert_eq!(session.create_errors(account, &budget), error("INVALID_VALUE", "/dailyBudget/amount"), "{amount}");
    }
    let high = session.create_errors(USD, &json!({ "dailyBudget": usd("99999999999999999999") }));
    assert_eq!(high, error("FIELD_VALUE_TOO_HIGH", "/dailyBudget/amount"));
    let number = json!({ "dailyBudget": { "amount": 50, "currencyCode": "USD" } });
    let fields = session.campaign_fields(USD, &number);
    let response = session.send(&super::creation(USD, &fields));
    assert_eq!(response.status, 422);
    assert!(response.body.contains("/dailyBudget/amount"), "{}", response.body);
    let id = session.campaign(USD, &json!({ "dailyBudget": usd("50.10") }));
    assert_eq!(session.get_campaign(id)["dailyBudget"], usd("50.10"));
}

#[test]
fn a_start_in_the_past_is_rejected_to_the_millisecond() {
    let mut session = Session::new();
    let start = |ms: i64| json!({ "runSchedule": { "start": ms } });
    let now = session.now_ms();
    assert_eq!(session.create_errors(USD, &start(now - 1)), error("INVALID_VALUE", "/runSchedule/start"));
    session.campaign(USD, &start(now));
    let backwards = json!({ "runSchedule": { "start": now + DAY, "end": now + DAY } });
    assert_eq!(session.create_errors(USD, &backwards), error("CONDITIONAL_VALUE_TOO_LOW", "/runSchedule/end"));
    let none = json!({ "runSchedule": { "end": now + DAY } });
    assert_eq!(session.create_errors(USD, &none), error("MISSING_FIELD", "/runSchedule/start"));
}
