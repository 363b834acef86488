use super::*;
use serde_json::{Value, json};
use shared::domain::Platform;

const HOSTILE: &str = "<script>alert('\"')</script>";

fn range() -> Range {
    Range::read(&[], "2026-11-23T09:00:00Z".parse().unwrap())
}

/// An account with a row for each day.
fn account(platform: &str, text: &str, days: u8) -> Value {
    let row = |back: u8| {
        json!({
            "campaign_id": format!("{platform}_1203004005006_7"), "date": format!("2026-11-{:02}", 22 - back),
            "spend": 1234.25, "impressions": 123_456, "clicks": 1234, "conversions": 12.5, "conversion_value": 4321.75,
            "is_final": false,
        })
    };
    json!({
        "platform": platform, "organization_id": text, "currency": "USD", "time_zone": text, "attribution": text,
        "rows": (0..days).map(row).collect::<Vec<_>>(),
    })
}

fn shown(accounts: Vec<Value>) -> InsightsPage {
    let accounts = accounts.into_iter().map(|account| serde_json::from_str(&account.to_string()).unwrap()).collect();
    page(Layout::signed_out("Insights"), Reading { accounts, ..Reading::default() }, range())
}

fn all_platforms(text: &str) -> String {
    let accounts = Platform::ALL.map(|platform| account(platform.as_upper(), text, 7));
    shown(accounts.into()).render().unwrap()
}

#[test]
fn a_page_of_six_platforms_is_small_and_its_ids_are_unique() {
    let page = all_platforms("Europe/Berlin, 7 days after a click");
    assert!(page.len() < 28_000, "{} bytes, and the menu has 2,000 more", page.len());
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), page.matches("<svg").count(), page.matches("<table").count()), (count, 12, 6));
}

#[test]
fn texts_of_platforms_are_escaped() {
    assert!(!all_platforms(HOSTILE).contains("<script>alert"));
}

#[test]
fn accounts_without_rows_are_named_and_none_at_all_has_a_sentence() {
    let some = shown(vec![account("ALPHA", "1", 7), account("BETA", "2", 0)]).render().unwrap();
    assert!(some.contains("Nothing in these days: Meta (USD)."), "{some}");
    let none = shown(vec![account("BETA", "2", 0)]).render().unwrap();
    assert!(none.contains("No campaign did anything in these days") && !none.contains("<svg"), "{none}");
}

#[test]
fn failures_are_said_without_hiding_the_numbers() {
    let refusal =
        Refusal { status: 429, message: "Too many.".to_owned(), details: Vec::new(), request_id: "r".to_owned() };
    let failures = vec![Failure { account: "Meta: 7".to_owned(), message: "Meta ended the consent.".to_owned() }];
    let page = shown(vec![account("ALPHA", "1", 7)]);
    let page = InsightsPage { refusal: Some(refusal), failures, limit: Some("50,000".to_owned()), ..page };
    let html = page.render().unwrap();
    for text in ["Too many.", "<strong>Meta: 7</strong> Meta ended the consent.", "50,000 rows", "<svg"] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let nothing = InsightsPage { is_connected: false, ..shown(Vec::new()) }.render().unwrap();
    assert!(nothing.contains("Connect an ad account") && !nothing.contains("<form"), "{nothing}");
}
