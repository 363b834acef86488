//! Answers to reads: accounts, campaigns, reports.

use super::{body, good, session};
use crate::domain::{CampaignStatus, Goal, PlatformCampaign, StatusSet};
use crate::platforms::beta::Beta;
use crate::platforms::fake::{ScriptedResponse, ok};
use crate::platforms::{AdPlatform, ListRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};

pub(super) const REPLAYED: &[&str] = &[ACCOUNTS, ONE, WITHOUT_PAGING, WITH_AD_SETS, DELETED, REPORT];

const ACCOUNTS: &str = "ad-accounts.json";
/// Of v2.9; its row has no `status`.
const ONE: &str = "campaigns-one.json";
/// Of 2016; it has no `paging`, and its rows have no `status`.
const WITHOUT_PAGING: &str = "campaigns-without-paging.json";
/// With fields of ad sets and insights, which the adapter never asks for, and without names and accounts.
const WITH_AD_SETS: &str = "campaigns-with-ad-sets.json";
const DELETED: &str = "campaign-deleted.json";
/// Of a whole account, which the adapter never asks for; the row has no campaign id.
const REPORT: &str = "insights-account.json";

fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

fn nothing_delivered() -> ScriptedResponse {
    ok(json!({"data": []}))
}

async fn list(name: &str, account: &str, currency: &str) -> Vec<PlatformCampaign> {
    let session = session(account, currency, good(name), nothing_delivered());
    let request = ListRequest { statuses: StatusSet::of(&CampaignStatus::ALL), limit: 25, after: None };
    let page = Beta.list_campaigns(&session, &request).await.unwrap();
    assert!(!page.has_more, "{name}: a cursor without `next` ends the list");
    page.rows
}

fn ids(campaigns: &[PlatformCampaign]) -> Vec<&str> {
    campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect()
}

#[tokio::test]
async fn recorded_accounts_are_all_read_without_a_time_zone() {
    let session = session("1", "USD", good(ACCOUNTS), nothing_delivered());
    let found = Beta.accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<(&str, &str)> = found.iter().map(|account| (account.id.as_str(), account.name.as_str())).collect();
    let expected = [
        ("10152335766987003", "Jane Example"),
        ("1198305280212756", "Retargeting"),
        ("1223529531023664", "International II"),
        ("39788579", "iOS"),
    ];
    assert_eq!(seen, expected);
    assert!(found.iter().all(|account| (account.currency.code(), account.time_zone.as_str()) == ("USD", "UTC")));
}

#[tokio::test]
async fn a_recorded_row_without_a_status_has_its_configured_one() {
    let found = list(ONE, "10152335766987003", "USD").await;
    assert_eq!((ids(&found), found[0].name.as_str()), (vec!["6076261167842"], "Test"));
    assert_eq!((found[0].status, found[0].goal), (CampaignStatus::Active, Some(Goal::AppPromotion)));
    assert_eq!((found[0].budget_amount, found[0].budget_period), (None, None));
    assert_eq!((found[0].start_at, found[0].end_at), (None, None), "one second before 1970 is no start");
    assert_eq!(found[0].created_at.unwrap().to_string(), "2017-04-25T23:54:27Z");
    assert_eq!(found[0].total_spend_amount, Some(Decimal::ZERO), "the report is whole and has no row");
}

#[tokio::test]
async fn a_recorded_page_without_paging_is_the_last_one() {
    let found = list(WITHOUT_PAGING, "861827983860489", "USD").await;
    assert_eq!(ids(&found), ["6057330925170", "6057330783570", "6056934849770"]);
    let starts: Vec<Option<String>> =
        found.iter().map(|campaign| campaign.start_at.map(|start| start.to_string())).collect();
    assert_eq!(starts, [Some("2016-08-30T18:14:57Z".to_owned()), None, Some("2016-08-24T21:00:23Z".to_owned())]);
    for campaign in &found {
        assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Active, Some(Goal::AppPromotion)));
    }
}

#[tokio::test]
async fn recorded_rows_without_a_name_and_an_account_are_read() {
    let found = list(WITH_AD_SETS, "5", "BRL").await;
    assert_eq!(ids(&found), ["120211909100120758", "120211688385150758", "120211310840550758"]);
    let goals: Vec<Option<Goal>> = found.iter().map(|campaign| campaign.goal).collect();
    assert_eq!(goals, [Some(Goal::Sales), None, Some(Goal::Sales)]);
    let statuses: Vec<CampaignStatus> = found.iter().map(|campaign| campaign.status).collect();
    assert_eq!(statuses, [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Paused]);
    let budgets: Vec<Option<Decimal>> = found.iter().map(|campaign| campaign.budget_amount).collect();
    assert_eq!(budgets, [None, None, Some(decimal("300"))], "a budget of an ad set is none of the campaign");
}

#[tokio::test]
async fn the_recorded_deleted_campaign_reads_as_archived() {
    let session = session("10152335766987003", "USD", good(DELETED), nothing_delivered());
    let campaign = Beta.get_campaign(&session, "6076262142242").await.unwrap();
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Archived, Some(Goal::AppPromotion)));
    assert_eq!((campaign.budget_amount, campaign.start_at), (None, None));
    assert_eq!(campaign.raw, body(DELETED).trim(), "as received");
}

/// The spend of one campaign by a report, read alone and in a list.
async fn spent(report: Value) -> (Option<Decimal>, Option<Decimal>) {
    let node = ok(json!({"id": "7", "account_id": "1", "status": "PAUSED"}));
    let one = Beta.get_campaign(&session("1", "USD", node, ok(report.clone())), "7").await.unwrap();
    let rows = ok(json!({"data": [{"id": "7", "status": "PAUSED"}]}));
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 5, after: None };
    let all = Beta.list_campaigns(&session("1", "USD", rows, ok(report)), &request).await.unwrap();
    (one.total_spend_amount, all.rows[0].total_spend_amount)
}

#[tokio::test]
async fn the_recorded_report_is_exact_and_of_no_campaign_in_a_list() {
    let report: Value = serde_json::from_str(&body(REPORT)).unwrap();
    assert_eq!(spent(report.clone()).await, (Some(decimal("361.79")), None));
    let mut named = report;
    named["data"][0]["campaign_id"] = json!("7");
    assert_eq!(spent(named.clone()).await.1, Some(decimal("361.79")));
    let row = named["data"][0].clone();
    let twice = json!({"data": [row.clone(), row]});
    assert_eq!(spent(twice).await, (None, None), "it is not known which of two rows applies, or whether both do");
    let unread = json!({"data": [], "paging": {"cursors": {"after": "x"}, "next": "y"}});
    assert_eq!(spent(unread).await, (None, None), "the row may be on the next page");
}
