use super::edit::patch;
use super::*;
use crate::domain::{CampaignChanges, CampaignDraft, Moment};
use crate::error::Kind;
use crate::platforms::fake::{marker, prepare};
use crate::platforms::fixtures;
use crate::platforms::zeta::Zeta;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};

pub(super) const ROW: &str = include_str!("../fixtures/campaign.json");

pub(super) fn account() -> AdAccount {
    fixtures::account(Platform::Zeta, "EUR", "Europe/Berlin")
}

pub(super) fn now() -> Timestamp {
    "2026-11-20T00:00:00Z".parse().unwrap()
}

pub(super) fn read(row: &str) -> Result<PlatformCampaign, Error> {
    campaign(&account(), &RawValue::from_string(row.to_owned()).unwrap())
}

fn amount(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

fn draft() -> CampaignDraft {
    CampaignDraft {
        name: "Spring".into(),
        start_at: Moment::parse("2031-07-01"),
        ..fixtures::draft(Goal::WebsiteTraffic, "12.5")
    }
}

fn sent(draft: &CampaignDraft) -> Value {
    let prepared = prepare(&Zeta, &account(), draft).unwrap();
    prepared.with_field(&["data", "conversion_pixel_id"], "pixel_1").unwrap().json()["data"].clone()
}

fn errors(draft: &CampaignDraft) -> Vec<String> {
    let error = prepare(&Zeta, &account(), draft).unwrap_err();
    error.details.into_iter().map(|detail| detail.field).collect()
}

#[test]
fn a_campaign_is_read_whole() {
    let read = read(ROW).unwrap();
    assert_eq!(read.id.to_string(), "zeta_a2_example_1893244213456789012");
    assert_eq!((read.status, read.goal), (CampaignStatus::Paused, Some(Goal::WebsiteTraffic)));
    assert_eq!((read.budget_amount, read.budget_period), (Some(amount("12.5")), Some(BudgetPeriod::Daily)));
    assert_eq!(read.start_at, Some("2026-12-01T08:00:00Z".parse().unwrap()));
    assert_eq!(read.end_at, None);
    assert_eq!(read.created_at, Some("2026-11-20T09:15:30.123Z".parse().unwrap()));
    assert_eq!(read.raw, ROW.trim_end(), "passed on as received");
}

#[test]
fn states_and_goals_read_as_the_nearest_of_ours() {
    let cases = [
        (r#"{"id":"1","configured_status":"ACTIVE","effective_status":"PENDING_APPROVAL"}"#, CampaignStatus::Active),
        (r#"{"id":"1","configured_status":"ACTIVE","effective_status":"COMPLETED"}"#, CampaignStatus::Ended),
        (r#"{"id":"1","configured_status":"ARCHIVED"}"#, CampaignStatus::Archived),
        (r#"{"id":"1","configured_status":"DELETED"}"#, CampaignStatus::Archived),
        (r#"{"id":"1","configured_status":"NEW"}"#, CampaignStatus::Unspecified),
    ];
    for (row, status) in cases {
        assert_eq!(read(row).unwrap().status, status, "{row}");
    }
    assert_eq!(goal("IMPRESSIONS"), Some(Goal::Reach));
    assert_eq!(goal("CATALOG_SALES"), Some(Goal::Sales));
    assert_eq!(goal("VIDEO_VIEWABLE_IMPRESSIONS"), None);
}

#[test]
fn another_accounts_campaign_is_not_found() {
    assert_eq!(read(r#"{"id":"1","ad_account_id":"a2_other"}"#).unwrap_err().kind, Kind::NotFound);
}

#[test]
fn a_malformed_optional_field_does_not_lose_the_campaign() {
    let malformed = r#"{"id":"1","name":null,"objective":["CLICKS"],"configured_status":7,"effective_status":{},
        "start_time":null,"use_catalog":null,"goal_type":"WEEKLY_SPEND","goal_value":5000000}"#;
    let read_malformed = read(malformed).unwrap();
    assert_eq!(
        (read_malformed.name.as_str(), read_malformed.goal, read_malformed.status),
        ("", None, CampaignStatus::Unspecified)
    );
    assert_eq!((read_malformed.budget_amount, read_malformed.budget_period), (None, None));
    let timeless = read(r#"{"id":"1","start_time":"soon","end_time":7,"created_at":"","modified_at":[]}"#).unwrap();
    assert_eq!((timeless.start_at, timeless.end_at), (None, None), "a wrong time is none, never another one");
    assert_eq!((timeless.created_at, timeless.updated_at), (None, None));
    for use_catalog in ["true", "false", "null", "\"yes\""] {
        let row = ROW.replace("\"end_time\": null", &format!("\"end_time\": null, \"use_catalog\": {use_catalog}"));
        assert_eq!(read(row.trim_end()).unwrap().budget_amount, Some(amount("12.5")), "{use_catalog}");
    }
}

#[test]
fn a_new_campaign_is_paused_with_a_budget_of_its_own_and_the_pixel() {
    assert_eq!(
        sent(&draft()),
        json!({
            "name": "Spring",
            "invoice_label": marker().label(),
            "objective": "CLICKS",
            "configured_status": "PAUSED",
            "is_campaign_budget_optimization": true,
            "goal_type": "DAILY_SPEND",
            "goal_value": 12_500_000,
            "start_time": "2031-06-30T22:00:00Z",
            "bid_strategy": "BIDLESS",
            "bid_type": "CPC",
            "conversion_pixel_id": "pixel_1",
            "optimization_goal": "CLICKS"
        })
    );
}

#[test]
fn each_goal_has_its_objective() {
    for (goal, objective, bid_type, optimization) in [
        (Goal::BrandAwareness, "BRAND_AWARENESS", "CPM", Value::Null),
        (Goal::Reach, "IMPRESSIONS", "CPM", Value::Null),
        (Goal::Leads, "LEAD_GENERATION", "CPC", json!("LEAD")),
        (Goal::Sales, "CONVERSIONS", "CPM", json!("PURCHASE")),
        (Goal::Conversions, "CONVERSIONS", "CPM", json!("PURCHASE")),
    ] {
        let sent = sent(&CampaignDraft { goal, ..draft() });
        assert_eq!((&sent["objective"], &sent["bid_type"]), (&json!(objective), &json!(bid_type)));
        assert_eq!(sent["optimization_goal"], optimization);
        let is_conversions = objective == "CONVERSIONS";
        assert_eq!(sent["view_through_conversion_type"].is_string(), is_conversions);
    }
    assert_eq!(errors(&CampaignDraft { goal: Goal::AppPromotion, ..draft() }), ["goal"]);
}

#[test]
fn a_budget_for_the_whole_run_needs_an_end_and_goes_out_with_it() {
    let whole = CampaignDraft { budget_period: BudgetPeriod::Total, ..draft() };
    assert_eq!(errors(&whole), ["end_at"]);
    let sent = sent(&CampaignDraft { end_at: Moment::parse("2031-07-31"), ..whole });
    assert_eq!((&sent["goal_type"], &sent["end_time"]), (&json!("LIFETIME_SPEND"), &json!("2031-07-31T21:59:59Z")));
}

#[test]
fn names_under_3_characters_are_refused_before_anything_is_sent() {
    assert_eq!(errors(&CampaignDraft { name: "ab".into(), ..draft() }), ["name"]);
    let changes = CampaignChanges { name: Some("é2".into()), ..CampaignChanges::default() };
    assert_eq!(patch(&account(), &read(ROW).unwrap(), &changes, now()).unwrap_err().details[0].field, "name");
}

#[test]
fn a_missing_start_is_in_the_future_and_one_in_the_past_is_refused() {
    let started: Timestamp =
        sent(&CampaignDraft { start_at: None, ..draft() })["start_time"].as_str().unwrap().parse().unwrap();
    assert!(started > now());
    assert_eq!(errors(&CampaignDraft { start_at: Moment::parse("2020-01-01"), ..draft() }), ["start_at"]);
    let over = CampaignDraft { start_at: None, end_at: Moment::parse("2020-01-01"), ..draft() };
    assert_eq!(errors(&over), ["end_at"]);
}

#[test]
fn a_change_sends_only_what_changes() {
    let current = read(ROW).unwrap();
    let changes = CampaignChanges {
        status: Some(CampaignStatus::Active),
        budget_amount: Some(amount("20.01")),
        ..CampaignChanges::default()
    };
    let sent = serde_json::to_value(patch(&account(), &current, &changes, now()).unwrap()).unwrap();
    assert_eq!(sent, json!({"configured_status": "ACTIVE", "goal_value": 20_010_000}));
}
