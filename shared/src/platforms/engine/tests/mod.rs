//! Tests of the engine through a tiny seventh platform, `eta`.

mod creates;
mod eta;
mod pages;
mod updates;

use super::*;
use crate::domain::{CampaignStatus, ChangeId, Goal};
use crate::error::Kind;
use crate::platforms::fake::{self, Fake, ReceivedRequest, marker};
use crate::platforms::fixtures;
use eta::Eta;
use rust_decimal::Decimal;
use serde_json::{Value, json};

fn session(fake: &Fake) -> AccountSession {
    let account = AdAccount { id: "9".into(), ..fixtures::account(Platform::Zeta, "USD", "UTC") };
    fake.session_of(eta::PLATFORM, account)
}

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::WebsiteTraffic, "50")
}

fn row(id: u32) -> Value {
    json!({"id": id.to_string(), "name": "Winter", "status": "PAUSED", "daily": 50,
        "created": "2026-11-20T12:00:00Z"})
}

fn with(mut row: Value, field: &str, value: Value) -> Value {
    row[field] = value;
    row
}

fn ids(campaigns: &[PlatformCampaign]) -> Vec<&str> {
    campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect()
}

#[tokio::test]
async fn a_campaign_is_read_changed_and_deleted() {
    let responses = [row(7), with(row(7), "status", json!("ACTIVE")), json!({})];
    let fake = Fake::answering(responses.map(fake::ok).to_vec());
    let session = session(&fake);
    let current = Eta.get_campaign(&session, "7").await.unwrap();
    assert_eq!((current.status, current.budget_amount), (CampaignStatus::Paused, Some(Decimal::from(50))));
    let changes = CampaignChanges { status: Some(CampaignStatus::Active), ..CampaignChanges::default() };
    let changed = Eta.update_campaign(&session, &current, &changes).await.unwrap().unwrap();
    assert_eq!(changed.status, CampaignStatus::Active);
    Eta.delete_campaign(&session, &changed).await.unwrap();
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["GET", "PATCH", "DELETE"].map(|method| format!("{method} /v1/9/campaigns/7 HTTP/1.1")));
    assert_eq!(fake.requests()[1].body, json!({"status": "ACTIVE"}));
}

#[tokio::test(start_paused = true)]
async fn a_failed_read_may_be_repeated_and_a_refused_one_may_not() {
    for (status, body, kind, retryable) in [
        (503, "", Kind::PlatformFailed, true),
        (0, "", Kind::PlatformTimeout, true),
        (400, r#"{"error":"no"}"#, Kind::PlatformFailed, false),
        (404, r#"{"error":"gone"}"#, Kind::NotFound, false),
        (401, "", Kind::TokenExpired, false),
    ] {
        let fake = Fake::answering(vec![(status, body.to_owned())]);
        let error = Eta.get_campaign(&session(&fake), "7").await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (kind, retryable, false), "{status}");
    }
}

#[tokio::test]
async fn every_secret_that_the_platform_repeats_is_removed() {
    let refusal = json!({"error": "access-secret developer-secret secret"}).to_string();
    let fake = Fake::answering(vec![(400, refusal.clone()), (400, refusal)]);
    let read = Eta.get_campaign(&session(&fake), "7").await.unwrap_err();
    let created = fake::create(&Eta, &session(&fake), &draft(), &marker()).await.unwrap_err();
    assert!(created.message.contains("[removed]"), "{created}");
    for error in [read, created] {
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
