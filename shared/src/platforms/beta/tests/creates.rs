//! Tests of creates: what is sent, and what each response proves.

use super::{Beta, ID, NODE, account, error, session};
use crate::domain::{AdAccount, CampaignDraft, CampaignStatus, Goal, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::fake::{self, Fake, ReceivedRequest, ScriptedResponse, marker, ok};
use crate::platforms::fixtures;
use rust_decimal::Decimal;
use serde_json::json;

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Conversions, "10.50")
}

async fn create(responses: Vec<ScriptedResponse>) -> (Result<PlatformCampaign, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(responses);
    let outcome = fake::create(&Beta, &session(&fake), &draft(), &marker()).await;
    (outcome, fake.requests())
}

async fn create_answered(status: u16, body: &str) -> Error {
    let (outcome, requests) = create(vec![(status, body.to_owned())]).await;
    assert_eq!(requests.len(), 1, "a create is sent once");
    outcome.unwrap_err()
}

#[tokio::test]
async fn a_create_is_one_post_and_the_campaign_is_read_back() {
    let (campaign, requests) = create(vec![ok(json!({"id": ID})), (200, NODE.to_owned())]).await;
    let campaign = campaign.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), (ID, CampaignStatus::Paused));
    assert_eq!((campaign.goal, campaign.raw.as_str()), (Some(Goal::Conversions), NODE.trim()));
    assert_eq!(campaign.created_at.unwrap().to_string(), "2026-11-20T16:00:00Z");
    assert_eq!(campaign.start_at.unwrap().to_string(), "2026-12-01T08:00:00Z");
    assert!(
        requests[0].line.starts_with("POST /v26.0/act_111222333/campaigns?appsecret_proof="),
        "{}",
        requests[0].line
    );
    assert!(
        requests[1].line.starts_with(&format!("GET /v26.0/{ID}?fields=id%2Caccount_id%2C")),
        "{}",
        requests[1].line
    );
    assert_eq!(requests[0].body["special_ad_categories"], json!([]));
    assert_eq!(requests[0].body["status"], "PAUSED");
    assert_eq!(requests.len(), 2);
}

#[tokio::test]
async fn every_call_has_the_token_and_the_proof_of_the_app_secret() {
    let (_, requests) = create(vec![ok(json!({"id": ID})), (200, NODE.to_owned())]).await;
    // HMAC-SHA256 of "access-secret" under the key "secret".
    let proof = "appsecret_proof=7dc0bdcd1353df1382081860204f621422cd8cc43fc18d2c7c4eec9d955faadf";
    for request in requests {
        assert!(request.headers.contains("authorization: bearer access-secret"), "{}", request.headers);
        assert!(request.line.contains(proof) && !request.line.contains("access-secret"), "{}", request.line);
    }
}

#[tokio::test]
async fn a_new_campaign_is_told_as_it_was_read_back() {
    let other = NODE.replace("\"PAUSED\"", "\"ACTIVE\"").replace("\"1050\"", "\"2100\"");
    let (campaign, _) = create(vec![ok(json!({"id": ID})), (200, other)]).await;
    let campaign = campaign.unwrap();
    assert_eq!((campaign.status, campaign.budget_amount), (CampaignStatus::Active, Some(Decimal::from(21))));
    assert_eq!((campaign.goal, campaign.total_spend_amount), (Some(Goal::Conversions), Some(Decimal::ZERO)));
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_is_not_read_back_is_still_created() {
    let unread = [
        (500, String::new()),
        (400, error("token-expired")),
        ok(json!({"id": "8", "account_id": "9"})),
        ok(json!([])),
        (0, String::new()),
    ];
    for response in unread {
        let (campaign, _) = create(vec![ok(json!({"id": ID})), response]).await;
        let campaign = campaign.unwrap();
        assert_eq!((campaign.remote_id.as_str(), campaign.raw), (ID, format!(r#"{{"id":"{ID}"}}"#)));
        assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    }
}

#[tokio::test]
async fn a_refused_create_has_a_known_outcome() {
    for (status, name, kind, retryable) in [
        (200, "name-blamed", Kind::PlatformRefused, false),
        (403, "ads-management-limit", Kind::RateLimited, true),
        (400, "missing-permissions", Kind::Forbidden, false),
        (400, "permission-before-page", Kind::Forbidden, false),
        (400, "profile-not-linked", Kind::PlatformRefused, false),
        (400, "version-retired", Kind::PlatformFailed, false),
        (400, "signature-wrong", Kind::PlatformFailed, false),
        (400, "proof-wrong", Kind::PlatformFailed, false),
    ] {
        let error = create_answered(status, &error(name)).await;
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{name}");
        assert!(!error.unknown_outcome && !error.message.contains("not known"), "{error}");
    }
    let error = create_answered(401, "<html>").await;
    assert_eq!((error.kind, error.unknown_outcome), (Kind::Forbidden, false), "the page of a gateway");
}

#[tokio::test]
async fn an_account_id_that_is_no_number_is_never_part_of_a_path() {
    let fake = Fake::answering(vec![]);
    let malformed = AdAccount { id: "1/../2".into(), ..account() };
    let session = fake.session_of(Platform::Beta, malformed);
    let error = fake::create(&Beta, &session, &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Internal);
}
