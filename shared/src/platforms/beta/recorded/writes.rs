//! Replies to creates, changes and deletions.

use super::{body, good, session};
use crate::domain::{CampaignDraft, CampaignStatus, Goal, PlatformCampaign};
use crate::platforms::beta::{Beta, translate};
use crate::platforms::fake::{Fake, create, marker, ok};
use crate::platforms::fixtures;
use crate::platforms::{AccountSession, AdPlatform};
use serde_json::json;

pub(super) const REPLAYED: &[&str] = &[CREATED, DELETED];

const CREATED: &str = "created.json";
const DELETED: &str = "deleted.json";

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Sales, "10")
}

fn current(session: &AccountSession) -> PlatformCampaign {
    let node = r#"{"id":"6076262142242","account_id":"1","name":"Test","status":"PAUSED"}"#;
    translate::campaign(&session.account, node, session.call.now).unwrap()
}

#[tokio::test]
async fn a_recorded_create_returns_its_campaign() {
    let account = session("1", "USD", ok(json!({})), ok(json!({}))).account;
    let fake = Fake::answering(vec![good(CREATED), (500, String::new())]);
    let session = fake.session_of(crate::domain::Platform::Beta, account);
    let campaign = create(&Beta, &session, &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("6076262393242", CampaignStatus::Paused));
    assert_eq!(campaign.raw, r#"{"id":"6076262393242"}"#, "it exists, although it was not read back");
}

#[tokio::test]
async fn the_recorded_success_confirms_a_deletion_and_leaves_a_create_unknown() {
    let session = session("1", "USD", good(DELETED), ok(json!({})));
    Beta.delete_campaign(&session, &current(&session)).await.unwrap();
    let error = create(&Beta, &session, &draft(), &marker()).await.unwrap_err();
    assert!(error.unknown_outcome && !error.retryable, "{error}: {}", body(DELETED));
}
