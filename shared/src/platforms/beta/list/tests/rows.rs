//! Tests of lists with unreadable rows: one row never hides the others.

use crate::domain::{BudgetPeriod, CampaignStatus, Goal, PlatformCampaign, StatusSet};
use crate::platforms::beta::Beta;
use crate::platforms::beta::tests::account;
use crate::platforms::fake::{Fake, ReceivedRequest, ok};
use crate::platforms::{AdPlatform, CampaignPage, ListRequest};
use serde_json::{Value, json};

fn row(id: u32, field: &str, value: Value) -> Value {
    let mut row = json!({"id": id.to_string(), "account_id": "111222333", "name": "c", "status": "PAUSED",
        "objective": "OUTCOME_SALES", "daily_budget": "1050", "created_time": "2026-11-20T08:00:00-0800"});
    row[field] = value;
    row
}

async fn page(rows: Vec<Value>, limit: usize, after: Option<&str>) -> CampaignPage {
    let fake = Fake::new(move |request: &ReceivedRequest| {
        if request.line.contains("/insights?") {
            return ok(json!({"data": [{"campaign_id": 1, "spend": 12.30}, {"campaign_id": "2", "spend": "0.10"}]}));
        }
        ok(json!({"data": rows, "paging": {}}))
    });
    let session = fake.session_of(crate::domain::Platform::Beta, account());
    let request = ListRequest { statuses: StatusSet::of(&CampaignStatus::ALL), limit, after: after.map(str::to_owned) };
    Beta.list_campaigns(&session, &request).await.unwrap()
}

/// The second of three campaigns, of which the others are plain.
async fn listed(field: &str, value: Value) -> PlatformCampaign {
    let rows = vec![row(3, "name", json!("a")), row(2, field, value.clone()), row(1, "name", json!("b"))];
    let page = page(rows, 10, None).await;
    let ids: Vec<&str> = page.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!(ids, ["3", "2", "1"], "{field} {value}");
    page.rows.into_iter().nth(1).unwrap()
}

#[tokio::test]
async fn ids_are_read_as_text_or_as_whole_numbers() {
    assert_eq!(listed("id", json!(2)).await.id.to_string(), "beta_111222333_2");
    assert_eq!(listed("account_id", json!(111_222_333)).await.account_id, "111222333");
    assert_eq!(listed("account_id", json!(null)).await.account_id, "111222333", "it is the account's own list");
    assert_eq!(listed("objective", json!("OUTCOME_NEW")).await.goal, None::<Goal>);
}

#[tokio::test]
async fn a_wrong_amount_is_no_budget_and_never_another_amount() {
    let mut both = row(1, "lifetime_budget", json!("5000"));
    both["daily_budget"] = json!("10.5");
    assert_eq!(page(vec![both], 5, None).await.rows[0].budget_amount, None, "it is not known which of them applies");
    let lifetime = listed("daily_budget", json!("0")).await;
    assert_eq!(lifetime.budget_period, None::<BudgetPeriod>);
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_left_out_and_positions_hold() {
    let malformed = [json!(null), json!(7), json!({}), row(2, "id", json!(null)), row(2, "account_id", json!("9"))];
    for malformed in malformed {
        let rows = || vec![row(3, "name", json!("a")), malformed.clone(), row(1, "name", json!("b"))];
        let first = page(rows(), 1, None).await;
        assert_eq!((first.rows[0].remote_id.as_str(), first.has_more), ("3", true), "{malformed}");
        let second = page(rows(), 1, Some(&first.positions[0])).await;
        assert_eq!((second.rows[0].remote_id.as_str(), second.has_more), ("1", false), "{malformed}");
    }
}

#[tokio::test]
async fn spend_is_read_digit_by_digit_from_a_number_too() {
    let page = page(vec![row(2, "name", json!("a")), row(1, "name", json!("b"))], 5, None).await;
    let spent: Vec<Option<String>> =
        page.rows.iter().map(|one| one.total_spend_amount.map(|spent| spent.to_string())).collect();
    assert_eq!(spent, [Some("0.1".to_owned()), Some("12.3".to_owned())]);
}
