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

#[tokio::test(start_paused = true)]
async fn a_create_without_a_clear_answer_has_an_unknown_outcome() {
    let cases = [
        (500, String::new()),
        (500, error("unknown")),
        (503, error("service-unavailable")),
        (500, error("name-blamed")),
        (400, error("transient-validation")),
        (302, String::new()),
        (408, "<html>".into()),
        (409, "<html>".into()),
        (499, String::new()),
        (200, String::new()),
        (200, "{}".into()),
        (200, "[]".into()),
        (200, r#"{"id":7"#.into()),
        (200, r#"{"id":"../7"}"#.into()),
        (200, r#"{"error":"malformed"}"#.into()),
        (400, r#"{"error":{"code":0,"message":"?"}}"#.into()),
        (200, r#"{"error":{"code":-1,"message":"?"}}"#.into()),
        (500, error("token-expired")),
        (500, error("profile-not-linked")),
        (503, error("version-retired")),
    ];
    for (status, body) in cases {
        let error = create_answered(status, &body).await;
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{status} {body}");
        assert!(error.unknown_outcome, "{status} {body}");
        assert!(error.message.contains("not known whether") && error.message.contains("\"Winter\""), "{error}");
    }
    let error = create_answered(0, "").await;
    assert_eq!((error.kind, error.retryable), (Kind::PlatformTimeout, false));
}

#[tokio::test]
async fn a_create_that_a_page_refuses_has_created_nothing() {
    for (status, body, kind) in [
        (400, "<html>", Kind::PlatformRefused),
        (401, "<html>", Kind::Forbidden),
        (403, r#"{"error":"malformed"}"#, Kind::Forbidden),
        (404, "<html>", Kind::PlatformFailed),
        (429, "<html>", Kind::RateLimited),
    ] {
        let error = create_answered(status, body).await;
        assert_eq!((error.kind, error.unknown_outcome), (kind, false), "{status} {body}: {error}");
    }
}

#[tokio::test]
async fn a_refused_or_unsent_create_has_a_known_outcome() {
    for (status, name, kind, retryable) in [
        (400, "budget-blamed-in-text", Kind::PlatformRefused, false),
        (200, "name-blamed", Kind::PlatformRefused, false),
        (400, "not-found", Kind::Forbidden, false),
        (403, "ads-management-limit", Kind::RateLimited, true),
        (400, "token-expired", Kind::TokenExpired, false),
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
    let error = fake::create(&Beta, &session(&Fake::unreachable()), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
}

#[tokio::test]
async fn secrets_that_the_platform_repeats_are_removed() {
    let refusal = json!({"error": {"code": 100, "message": "access-secret and secret"}});
    let shown = format!("{:?}", create_answered(400, &refusal.to_string()).await);
    assert!(!shown.contains("secret"), "{shown}");
}

#[tokio::test]
async fn an_account_id_that_is_no_number_is_never_part_of_a_path() {
    let fake = Fake::answering(vec![]);
    let malformed = AdAccount { id: "1/../2".into(), ..account() };
    let session = fake.session_of(Platform::Beta, malformed);
    let error = fake::create(&Beta, &session, &draft(), &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Internal);
}
