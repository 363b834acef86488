//! Campaigns and their spend.

use super::*;
use crate::domain::{BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, Goal, PlatformCampaign, StatusSet};
use crate::error::Kind;
use crate::platforms::fake::{create, marker};
use crate::platforms::gamma::family::ApiFamily;
use crate::platforms::gamma::spend;
use crate::platforms::gamma::translate::campaign;
use crate::platforms::{AdPlatform, CampaignPage, ListRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The account of the campaigns of 2026.
const ACCOUNT: &str = "7644143197428744199";
const NO_ROWS: &str = "[]";

async fn listed(account: &str, page: String) -> CampaignPage {
    let fake = by_path([("/campaign/get/", page), ("/report/integrated/get/", enveloped(NO_ROWS))]);
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 20, after: None };
    Gamma.list_campaigns(&session(&fake, account), &request).await.unwrap()
}

/// Id, status, goal, budget, period and time of each campaign.
fn seen(page: &CampaignPage) -> Vec<(&str, CampaignStatus, Option<Goal>, String)> {
    assert!(!page.has_more);
    let of = |campaign: &PlatformCampaign| {
        format!("{:?} {:?}", campaign.budget_amount.map(|a| a.to_string()), campaign.budget_period)
    };
    page.rows.iter().map(|one| (one.remote_id.as_str(), one.status, one.goal, of(one))).collect()
}

pub(super) async fn a_page_shows_both_of_its_campaigns(body: &str) {
    let page = listed(ACCOUNT, body.to_owned()).await;
    let active = CampaignStatus::Active;
    let expected = [
        ("1866248311321778", active, Some(Goal::Reach), r#"Some("100") Some(Lifetime)"#.to_owned()),
        ("1866248303272130", active, Some(Goal::WebsiteTraffic), r#"Some("100") Some(Daily)"#.to_owned()),
    ];
    assert_eq!(seen(&page), expected);
    let first = &page.rows[0];
    assert_eq!((first.name.as_str(), first.currency.code()), ("Test Campaign Nango", "USD"));
    assert_eq!(first.created_at, Some("2026-05-26T10:58:23Z".parse().unwrap()));
    assert_eq!(first.total_spend_amount, Some(Decimal::ZERO), "the report has no row for it");
    assert_eq!(ApiFamily::of(&first.raw), ApiFamily::Manual);
}

pub(super) async fn a_page_with_an_old_objective_is_sorted_by_its_times(body: &str) {
    let page = listed(ACCOUNT, body.to_owned()).await;
    let ends: Vec<&str> = page.rows.iter().map(|one| one.remote_id.trim_start_matches("186624")).collect();
    let expected = [
        "8497243201",
        "8504518946",
        "8012600530",
        "8476595329",
        "8401884514",
        "8362593393",
        "8311321778",
        "8303272130",
    ];
    assert_eq!(ends, expected);
    assert!(page.rows.is_sorted_by_key(|one| std::cmp::Reverse(one.created_at)));
    let old = &page.rows[4];
    assert_eq!((old.goal, old.name.as_str()), (Some(Goal::AppPromotion), "Test App Campaign"));
    assert!(page.rows.iter().all(|one| one.budget_amount == Some(Decimal::from(100))));
}

pub(super) async fn rows_with_ids_as_numbers_are_read(body: &str) {
    let page = listed("7002238017842757633", enveloped(body)).await;
    let (paused, traffic) = (CampaignStatus::Paused, Some(Goal::WebsiteTraffic));
    let expected = [
        ("1714125042508817", paused, traffic, "None None".to_owned()),
        ("1714124576938033", paused, traffic, "None None".to_owned()),
        ("1714073078669329", paused, traffic, r#"Some("50") Some(Daily)"#.to_owned()),
    ];
    assert_eq!(seen(&page), expected);
}

pub(super) async fn a_new_campaign_that_is_on_is_told_as_active(body: &str) {
    let fake = by_path([("/campaign/create/", body.to_owned())]);
    let draft = CampaignDraft::new(
        "Test Campaign 2026-05-26-002".into(),
        Goal::WebsiteTraffic,
        Decimal::from(100),
        BudgetPeriod::Total,
    );
    let created = create(&Gamma, &session(&fake, ACCOUNT), &draft, &marker()).await.unwrap();
    assert_eq!((created.remote_id.as_str(), created.status), ("1866248012600530", CampaignStatus::Active));
    assert_eq!(created.created_at, Some("2026-05-26T11:01:43Z".parse().unwrap()));
}

pub(super) async fn an_update_answers_the_whole_campaign(body: &str) {
    let sent: Value = serde_json::from_str(body).unwrap();
    let fake = by_path([("/campaign/update/", body.to_owned())]);
    let session = session(&fake, ACCOUNT);
    let before = json!({"campaign_id": "1866248504518946", "campaign_name": "Before", "operation_status": "ENABLE"});
    let before = campaign(&session.account, &before.to_string(), false).unwrap();
    let changes = CampaignChanges { name: Some("Updated Campaign Name".into()), ..CampaignChanges::default() };
    let after = Gamma.update_campaign(&session, &before, &changes).await.unwrap().unwrap();
    assert_eq!((after.name.as_str(), after.status), ("Updated Campaign Name", CampaignStatus::Active));
    assert_eq!(after.updated_at, Some("2026-05-26T11:02:08Z".parse().unwrap()));
    // A caller sees every field of the response, as it came.
    let raw: Value = serde_json::from_str(&after.raw).unwrap();
    let advertiser = json!(ACCOUNT);
    assert_eq!((&raw["special_industries"], &raw["advertiser_id"]), (&json!([]), &advertiser));
    assert!(sent["data"].as_object().unwrap().iter().all(|(name, value)| raw[name] == *value));
}

pub(super) async fn a_deletion_is_read_beside_an_empty_list(body: &str) {
    let fake = by_path([("/campaign/status/update/", body.to_owned())]);
    let session = session(&fake, ACCOUNT);
    let row = json!({"campaign_id": "1866248536343857", "operation_status": "ENABLE"}).to_string();
    let current = campaign(&session.account, &row, false).unwrap();
    Gamma.delete_campaign(&session, &current).await.unwrap();
    let paused = CampaignChanges { status: Some(CampaignStatus::Paused), ..CampaignChanges::default() };
    let error = Gamma.update_campaign(&session, &current, &paused).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "DELETE is not the requested status");
    let other = row.replace("1866248536343857", "1866248536343858");
    let other = campaign(&session.account, &other, false).unwrap();
    let error = Gamma.delete_campaign(&session, &other).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "the response is about another campaign");
}

pub(super) async fn the_spend_of_a_report_is_exact(body: &str) {
    let fake = by_path([("/report/integrated/get/", enveloped(body))]);
    let session = session(&fake, ACCOUNT);
    let report = spend::of(&session, &["1728545382536225", "1714125042508817"], false).await.unwrap().unwrap();
    let rows: Vec<Value> = serde_json::from_str(body).unwrap();
    assert_eq!(rows.len(), 2, "a row for each of these campaigns");
    assert_eq!(report.of("1728545382536225", None), Some(Decimal::from(60)));
    assert_eq!(report.of("1714125042508817", None), Some(Decimal::from(200)));
}
