//! Answers to searches.

use super::{account, body, errors, good, page};
use crate::domain::{AdAccount, BudgetPeriod, CampaignStatus, Platform, PlatformCampaign, StatusSet};
use crate::error::{Error, Kind};
use crate::platforms::alpha::{Alpha, wire};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::{AdPlatform, CampaignPage, ListRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};

pub(super) const REPLAYED: &[&str] = &[STREAM, ONE, BUDGETS, SPEND, REACHED, MANAGER];

/// Of v21, so with `startDate` and `endDate`, which v26 does not have.
const STREAM: &str = "campaigns-stream.json";
const ONE: &str = "search-one.json";
/// Rows without a campaign: the adapter asks for budgets beside their campaigns only.
const BUDGETS: &str = "budgets-one-removed.json";
/// Rows of a customer by day: the adapter asks for the spend of a campaign's whole run only.
const SPEND: &str = "spend-by-day.json";
const REACHED: &str = "accessible-customers.json";
const MANAGER: &str = "customer-manager-closed.json";

const CUSTOMER: &str = "1781900691";

async fn list(response: ScriptedResponse) -> Result<CampaignPage, Error> {
    let session = Fake::answering(vec![response]).session_of(Platform::Alpha, account(CUSTOMER));
    let request = ListRequest { statuses: StatusSet::of(&CampaignStatus::ALL), limit: 10, after: None };
    Alpha.list_campaigns(&session, &request).await
}

async fn get(response: ScriptedResponse, id: &str) -> Result<PlatformCampaign, Error> {
    Alpha.get_campaign(&Fake::answering(vec![response]).session_of(Platform::Alpha, account(CUSTOMER)), id).await
}

fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

#[tokio::test]
async fn an_array_of_pages_is_an_error_and_never_an_empty_list() {
    for name in [STREAM, BUDGETS, SPEND, MANAGER] {
        let error = list(good(name)).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{name}");
        assert_eq!(get(good(name), "24027360183").await.unwrap_err().kind, Kind::PlatformFailed, "{name}");
    }
}

#[tokio::test]
async fn a_recorded_page_gives_all_its_campaigns() {
    let found = list(ok(page(STREAM))).await.unwrap();
    let expected = [
        ("24027360183", "Seed Campaign Keep 1 Updated", "0.6"),
        ("24027360186", "Seed Campaign Keep 2", "10"),
        ("24027380295", "Test Campaign Proxy Debug", "1"),
    ];
    assert_eq!((found.rows.len(), found.has_more), (3, false));
    for (campaign, (id, name, amount)) in found.rows.iter().zip(expected) {
        assert_eq!((campaign.remote_id.as_str(), campaign.name.as_str()), (id, name));
        assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, None), "{id}");
        assert_eq!(campaign.budget_amount, Some(decimal(amount)), "{id}");
        assert_eq!(campaign.budget_period, None::<BudgetPeriod>, "{id}: the period was not asked for");
        assert_eq!(campaign.total_spend_amount, None, "{id}: not known, and not 0");
        assert_eq!((campaign.start_at, campaign.end_at), (None, None), "{id}");
    }
}

#[tokio::test]
async fn a_recorded_campaign_without_a_status_is_read() {
    let campaign = get(good(ONE), "24027360183").await.unwrap();
    assert_eq!((campaign.name.as_str(), campaign.status), ("Seed Campaign Keep 1", CampaignStatus::Unspecified));
    assert_eq!((campaign.budget_amount, campaign.total_spend_amount), (None, None));
    let found = list(good(ONE)).await.unwrap();
    assert_eq!((found.positions, found.has_more), (vec!["24027360183".to_owned()], false));
}

#[tokio::test]
async fn recorded_rows_without_a_campaign_fail_a_list() {
    for name in [BUDGETS, SPEND] {
        assert_eq!(list(ok(page(name))).await.unwrap_err().kind, Kind::PlatformFailed, "{name}");
    }
}

#[test]
fn recorded_amounts_are_exact() {
    let rows =
        |name: &str| -> Vec<wire::GoogleAdsRow> { serde_json::from_value(page(name)["results"].take()).unwrap() };
    let budgets = rows(BUDGETS).into_iter().map(|row| row.campaign_budget.unwrap().amount_micros.unwrap().to_amount());
    assert_eq!(budgets.collect::<Vec<_>>(), ["1", "1", "0.6"].map(decimal));
    let spent = rows(SPEND).into_iter().map(|row| row.metrics.unwrap().spend().unwrap());
    assert_eq!(spent.collect::<Vec<_>>(), ["1061.08362", "1109.219997", "1164.811394"].map(decimal));
}

/// Two customers: the recorded manager, whose clients are `clients`, and one that refuses as recorded.
async fn reached(clients: Value) -> (Result<Vec<AdAccount>, Error>, Vec<ReceivedRequest>) {
    let refused = (403, body(errors::TEST_TOKEN));
    let fake = Fake::new(move |request: &ReceivedRequest| {
        let of_clients = request.body["query"].as_str().is_some_and(|query| query.contains("FROM customer_client"));
        match request.line.split('/').nth(3).unwrap_or_default() {
            "3608201627" if of_clients => ok(clients.clone()),
            "3608201627" => ok(page(MANAGER)),
            "7202353356" => refused.clone(),
            _ => good(REACHED),
        }
    });
    let session = fake.session_of(Platform::Alpha, account(CUSTOMER));
    (Alpha.accounts(&session.call, &session.token).await, fake.requests())
}

#[tokio::test]
async fn the_recorded_manager_is_walked_although_it_reads_closed() {
    let client = json!({"id": "5", "currencyCode": "EUR", "timeZone": "Europe/Berlin", "status": "ENABLED"});
    let (found, requests) = reached(json!({"results": [{"customerClient": client}], "fieldMask": "x"})).await;
    let found = found.unwrap();
    assert_eq!((found[0].id.as_str(), found[0].manager_id.as_deref()), ("5", Some("3608201627")));
    assert_eq!((found.len(), requests.len()), (1, 4), "the names, the manager, its clients, the refusal");
}

#[tokio::test]
async fn the_recorded_refusal_of_a_customer_shows_when_nothing_is_left() {
    let (found, _) = reached(json!({"fieldMask": "x"})).await;
    let error = found.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false));
    assert!(error.message.contains("its operator has to look into it"), "{}", error.message);
}
