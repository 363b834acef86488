//! Tests of the order of the list.

use super::*;

fn row(name: &str, currency: &str, week: Option<i64>) -> Row {
    let json = serde_json::json!({
        "id": format!("beta_1_{name}"), "platform": "BETA", "organization_id": "1", "name": name, "status": "PAUSED",
        "goal": "REACH", "currency": currency,
    });
    let row = Row::without_numbers(serde_json::from_str(&json.to_string()).unwrap());
    let numbers = crate::client::overview::Numbers { week: week.map(Decimal::from), ..row.numbers };
    Row { numbers, ..row }
}

fn sorted(order: &str, mut rows: Vec<Row>) -> String {
    Order::parse(order).unwrap().sort(&mut rows, Timestamp::UNIX_EPOCH);
    rows.iter().map(|row| row.campaign.name.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_unknown_comes_last_and_ties_are_in_the_order_of_names() {
    let rows =
        || vec![row("d", "USD", None), row("B", "USD", Some(9)), row("c", "USD", Some(70)), row("a", "USD", Some(9))];
    assert_eq!(sorted("-week", rows()), "c a B d");
    assert_eq!(sorted("week", rows()), "a B c d");
    assert_eq!(sorted("name", rows()), "a B c d");
    assert_eq!(sorted("-name", rows()), "d c B a");
    assert_eq!(sorted("-clicks", rows()), "a B c d", "all are unknown");
}

#[test]
fn amounts_of_different_currencies_are_not_compared() {
    let rows = vec![row("a", "USD", Some(5)), row("b", "JPY", Some(900)), row("c", "USD", Some(70))];
    assert_eq!(sorted("-week", rows), "b c a");
}

#[test]
fn a_click_turns_the_order_around_and_another_column_begins_with_the_usual_end() {
    assert_eq!(Order::default().to_string(), "-week");
    assert_eq!(Order::default().clicked(Column::Week).to_string(), "week");
    assert_eq!(Order::default().clicked(Column::Name).to_string(), "name");
    assert_eq!(Order::parse("name").unwrap().clicked(Column::Clicks).to_string(), "-clicks");
    assert_eq!(Order::parse("oldest"), None);
}
