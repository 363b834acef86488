//! Tests of lists with malformed rows: such a row costs no other row.

use crate::domain::{BudgetPeriod, CampaignStatus, PlatformCampaign, StatusSet};
use crate::error::Kind;
use crate::platforms::alpha::Alpha;
use crate::platforms::fake::{Fake, ok};
use crate::platforms::{AdPlatform, CampaignPage, ListRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};

fn row(id: u32) -> Value {
    json!({"campaign": {"id": id.to_string(), "name": "c", "status": "ENABLED", "startDateTime": "2026-12-01 00:00:00"},
        "campaignBudget": {"period": "DAILY", "amountMicros": "12500000"}, "customer": {"currencyCode": "EUR"},
        "metrics": {"costMicros": "1"}})
}

fn with(field: &str, value: Value) -> Value {
    let mut row = row(2);
    let (parent, name) = field.rsplit_once('/').unwrap();
    row.pointer_mut(parent).unwrap()[name] = value;
    row
}

async fn page(rows: &[Value]) -> CampaignPage {
    let fake = Fake::answering(vec![ok(json!({"results": rows, "fieldMask": "x"}))]);
    let request = ListRequest { statuses: StatusSet::of(&CampaignStatus::ALL), limit: 10, after: None };
    Alpha.list_campaigns(&fake.session(), &request).await.unwrap()
}

/// The second of three campaigns, the others being plain.
async fn listed(field: &str, value: Value) -> PlatformCampaign {
    let page = page(&[row(3), with(field, value.clone()), row(1)]).await;
    let ids: Vec<&str> = page.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    assert_eq!(ids, ["3", "2", "1"], "{field} {value}");
    page.rows.into_iter().nth(1).unwrap()
}

#[tokio::test]
async fn a_malformed_optional_field_costs_neither_the_page_nor_the_row() {
    let of_campaign = ["name", "status", "primaryStatus", "experimentType", "advertisingChannelType"];
    let dates_and_more = ["biddingStrategyType", "startDateTime", "endDateTime", "campaignBudget", "manualCpm"];
    let fields = of_campaign.iter().chain(&dates_and_more).map(|name| format!("/campaign/{name}"));
    for field in fields.chain(["/customer".to_owned(), "/metrics".to_owned(), "/customer/currencyCode".to_owned()]) {
        for malformed in [json!(null), json!(7), json!(true), json!("SOMETHING_NEW"), json!({"a": 1}), json!([1])] {
            let campaign = listed(&field, malformed).await;
            assert_eq!(campaign.budget_amount, Some(Decimal::new(125, 1)), "{field}");
            assert_eq!(campaign.currency.code(), "EUR", "{field}");
        }
    }
    assert_eq!(listed("/campaign/status", json!("IN_REVIEW")).await.status, CampaignStatus::Unspecified);
    assert_eq!(listed("/campaign/startDateTime", json!("yesterday")).await.start_at, None);
    assert_eq!(listed("/metrics/costMicros", json!("x")).await.total_spend_amount, None, "not known, and not 0");
}

#[tokio::test]
async fn ids_and_amounts_are_read_as_text_or_as_whole_numbers() {
    assert_eq!(listed("/campaign/id", json!(2)).await.remote_id, "2");
    let amount = listed("/campaignBudget/amountMicros", json!(20_500_000)).await.budget_amount;
    assert_eq!(amount, Some(Decimal::new(205, 1)));
}

#[tokio::test]
async fn a_wrong_amount_is_no_budget_and_never_another_amount() {
    for malformed in [json!("1.5"), json!(1.5), json!(true), json!({}), json!("9223372036854775808"), json!(1e20)] {
        for field in ["/campaignBudget/amountMicros", "/campaignBudget/totalAmountMicros"] {
            let campaign = listed(field, malformed.clone()).await;
            assert_eq!((campaign.budget_amount, campaign.budget_period), (None, None), "{field} {malformed}");
        }
    }
    for malformed in [json!(7), json!("x"), json!([]), json!(null)] {
        assert_eq!(listed("/campaignBudget", malformed).await.budget_amount, None);
    }
    let of_another_period = listed("/campaignBudget/period", json!("FIXED_DAILY")).await;
    assert_eq!((of_another_period.budget_period, of_another_period.start_at.is_some()), (None::<BudgetPeriod>, true));
}

#[tokio::test]
async fn a_list_without_a_readable_row_is_a_failure_and_not_empty() {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    let fake = Fake::answering(vec![ok(json!({"results": [null, {}]})), ok(json!({"results": [row(1)]}))]);
    let mut session = fake.session();
    assert_eq!(Alpha.list_campaigns(&session, &request).await.unwrap_err().kind, Kind::PlatformFailed);
    session.account.time_zone = "Mars/Olympus".into();
    assert_eq!(Alpha.list_campaigns(&session, &request).await.unwrap_err().kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_left_out() {
    let malformed = [json!(null), json!(7), json!({}), json!({"campaign": 7}), with("/campaign/id", json!(null))];
    for malformed in
        malformed.into_iter().chain([with("/campaign/id", json!("1.5")), with("/campaign/id", json!("-4"))])
    {
        let page = page(&[row(3), malformed.clone(), row(1)]).await;
        assert_eq!(page.positions, ["3", "1"], "{malformed}");
        assert!(!page.has_more, "{malformed}");
    }
}
