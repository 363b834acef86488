use super::*;
use crate::domain::{AdAccount, CampaignDraft, Goal};
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, create, marker, ok};
use crate::platforms::fixtures;
use crate::platforms::gamma::Gamma;
use crate::platforms::gamma::translate::campaign;
use serde_json::json;

mod changing;

const CREATED: &str = include_str!("../../fixtures/created.json");
const SWITCHED_ON: &str = include_str!("../../fixtures/created-switched-on.json");

fn account() -> AdAccount {
    fixtures::account(Platform::Gamma, "USD", "UTC")
}

fn session(fake: &Fake) -> AccountSession {
    fake.session_of(Platform::Gamma, account())
}

fn draft(goal: Goal) -> CampaignDraft {
    fixtures::draft(goal, "75.10")
}

fn done() -> ScriptedResponse {
    ok(json!({"code": 0, "message": "OK", "request_id": "r", "data": {}}))
}

fn refused(code: i64, message: &str) -> ScriptedResponse {
    ok(json!({"code": code, "message": message, "request_id": "r", "data": {}}))
}

fn paths(fake: &Fake) -> Vec<String> {
    let path = |request: &ReceivedRequest| {
        request.line.split(' ').nth(1).unwrap().trim_start_matches("/open_api/v1.3").to_owned()
    };
    fake.requests().iter().map(path).collect()
}

#[tokio::test]
async fn a_create_is_one_call_with_the_token_in_the_platforms_own_header() {
    let fake = Fake::answering(vec![(200, CREATED.to_owned())]);
    let campaign = create(&Gamma, &session(&fake), &draft(Goal::WebsiteTraffic), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("1801234567890123", CampaignStatus::Paused));
    let requests = fake.requests();
    assert_eq!(requests[0].line, "POST /open_api/v1.3/campaign/create/ HTTP/1.1");
    for header in ["access-token: access-secret", "content-type: application/json"] {
        assert!(requests[0].headers.contains(header), "{header} in {}", requests[0].headers);
    }
    assert!(!requests[0].headers.contains("authorization"));
    assert_eq!(
        (&requests[0].body["operation_status"], &requests[0].body["budget_optimize_on"]),
        (&json!("DISABLE"), &json!(false))
    );
}

#[tokio::test]
async fn every_attempt_has_the_same_request_id_in_both_families() {
    let fake = Fake::new(|_| (200, CREATED.to_owned()));
    for goal in [Goal::Reach, Goal::Sales, Goal::Reach] {
        create(&Gamma, &session(&fake), &draft(goal), &marker()).await.unwrap();
    }
    assert_eq!(paths(&fake)[..2], ["/campaign/create/", "/smart_plus/campaign/create/"]);
    for request in fake.requests() {
        let id = request.body["request_id"].as_str().unwrap();
        assert_eq!(id, marker().number().to_string());
        assert!(id.parse::<i64>().unwrap() > 0, "a 64-bit integer as text");
    }
}

#[tokio::test]
async fn a_duplicate_has_an_unknown_outcome_because_an_earlier_one_succeeded() {
    for goal in [Goal::Reach, Goal::Sales] {
        let fake = Fake::answering(vec![refused(40_050, "Duplicated requests have been sent.")]);
        let error = create(&Gamma, &session(&fake), &draft(goal), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.unknown_outcome, error.retryable), (Kind::PlatformFailed, true, false));
        assert_eq!(fake.requests().len(), 1);
    }
}

#[tokio::test]
async fn the_goal_alone_chooses_the_family_of_calls() {
    let fake = Fake::new(|_| (200, CREATED.to_owned()));
    for (goal, path) in [
        (Goal::WebsiteTraffic, "/campaign/create/"),
        (Goal::Reach, "/campaign/create/"),
        (Goal::BrandAwareness, "/campaign/create/"),
        (Goal::Conversions, "/smart_plus/campaign/create/"),
        (Goal::Leads, "/smart_plus/campaign/create/"),
        (Goal::Sales, "/smart_plus/campaign/create/"),
        (Goal::AppPromotion, "/smart_plus/campaign/create/"),
    ] {
        create(&Gamma, &session(&fake), &draft(goal), &marker()).await.unwrap();
        assert_eq!(paths(&fake).last().unwrap(), path, "{goal:?}");
    }
}

#[tokio::test]
async fn a_campaign_that_is_created_active_is_told_as_active() {
    let silent = r#"{"code":0,"message":"OK","data":{"campaign_id":"1801234567890123"}}"#;
    for created in [SWITCHED_ON, silent] {
        let fake = Fake::answering(vec![(200, created.to_owned())]);
        let campaign = create(&Gamma, &session(&fake), &draft(Goal::Reach), &marker()).await.unwrap();
        assert_eq!((campaign.status, fake.requests().len()), (CampaignStatus::Active, 1), "the sender pauses it");
    }
}
