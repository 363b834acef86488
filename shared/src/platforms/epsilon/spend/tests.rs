use super::super::Epsilon;
use super::super::tests::support::{campaign, session};
use super::amount;
use crate::domain::StatusSet;
use crate::platforms::fake::{Fake, ok};
use crate::platforms::{AdPlatform, ListRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The spend of campaigns 1 to 8, as text, by a report with these rows.
async fn spent(rows: Value) -> Vec<Option<String>> {
    let campaigns: Vec<Value> = (1..=8).rev().map(|id| campaign(id, "PAUSED")).collect();
    let fake = Fake::new(move |request| {
        let is_report = request.line.contains("/analytics?");
        ok(if is_report { rows.clone() } else { json!({"items": campaigns, "bookmark": null}) })
    });
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 8, after: None };
    let page = Epsilon.list_campaigns(&session(&fake), &request).await.unwrap();
    page.rows.iter().rev().map(|campaign| campaign.total_spend_amount.map(|sum| sum.to_string())).collect()
}

fn known(amount: &str) -> Option<String> {
    Some(amount.to_owned())
}

#[tokio::test]
async fn a_malformed_row_costs_only_the_spend_of_its_campaign() {
    let rows = json!([
        {"CAMPAIGN_ID": "1", "SPEND_IN_MICRO_DOLLAR": 1_230_001},
        {"CAMPAIGN_ID": "2", "SPEND_IN_MICRO_DOLLAR": 0.5},
        {"CAMPAIGN_ID": "3", "SPEND_IN_DOLLAR": 30},
        {"CAMPAIGN_ID": "4", "SPEND_IN_MICRO_DOLLAR": null},
        {"CAMPAIGN_ID": 5, "SPEND_IN_MICRO_DOLLAR": -1},
        {"CAMPAIGN_ID": 6, "SPEND_IN_MICRO_DOLLAR": 5}, {"CAMPAIGN_ID": "6", "SPEND_IN_MICRO_DOLLAR": 5},
        {"CAMPAIGN_ID": 7, "SPEND_IN_MICRO_DOLLAR": "2500000", "NEW": []},
        {"CAMPAIGN_ID": "99", "SPEND_IN_MICRO_DOLLAR": {}},
    ]);
    assert_eq!(spent(rows).await, [known("1.230001"), None, None, None, None, None, known("2.5"), known("0")]);
}

#[tokio::test]
async fn beside_a_row_of_no_campaign_a_missing_row_is_unknown() {
    for malformed in [
        json!({"SPEND_IN_MICRO_DOLLAR": 5}),
        json!({"CAMPAIGN_ID": null, "SPEND_IN_MICRO_DOLLAR": 5}),
        json!({"CAMPAIGN_ID": "c8", "SPEND_IN_MICRO_DOLLAR": 5}),
        json!({"CAMPAIGN_ID": 8.5}),
        json!(null),
        json!([8, 5]),
    ] {
        let spent = spent(json!([{"CAMPAIGN_ID": "1", "SPEND_IN_MICRO_DOLLAR": 1_000_000}, malformed])).await;
        assert_eq!(spent[0], known("1"), "{malformed}");
        assert!(spent[1..].iter().all(Option::is_none), "the malformed row may be of any of them: {malformed}");
    }
}

#[test]
fn spend_is_read_to_the_micro_and_never_rounded() {
    for (text, expected) in [("1234567890", "1234.56789"), ("\"5000000\"", "5"), ("5e6", "5"), ("7.0", "0.000007")] {
        assert_eq!(amount(text), Some(Decimal::from_str_exact(expected).unwrap()), "{text}");
    }
    for text in ["0.5", "1e40", "\"x\"", "true", "\"\""] {
        assert_eq!(amount(text), None, "{text}");
    }
}
