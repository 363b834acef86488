//! The outcome of a create.

use super::*;
use crate::platforms::fake::prepare;

#[tokio::test]
async fn the_id_of_a_new_campaign_is_in_a_header_and_it_is_read_back_once() {
    let fake = answering(vec![new_id("141234567"), bare(200, DAILY)]);
    let campaign = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("141234567", CampaignStatus::Paused));
    // As it was read back.
    assert_eq!((campaign.budget_amount, campaign.goal), (Some(decimal("12.5")), Some(Goal::Sales)));
    assert_eq!((campaign.raw.as_str(), campaign.created_at.is_some()), (DAILY, true));
    let path = "/rest/adAccounts/512345678/adCampaigns";
    assert_eq!(lines(&sent(&fake)), [format!("POST {path}"), format!("GET {path}/141234567")]);
    assert_eq!(sent(&fake)[0].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:601234567");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_cannot_be_read_back_is_still_created() {
    for read_back in
        [bare(500, ""), bare(401, ""), bare(404, "{}"), bare(200, "<html>"), bare(200, LIFETIME), bare(0, "")]
    {
        let status = read_back.0;
        let fake = answering(vec![new_id("141234567"), read_back]);
        let campaign = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
        assert_eq!((campaign.remote_id.as_str(), campaign.raw.as_str()), ("141234567", r#"{"id":141234567}"#));
        assert_eq!((campaign.name.as_str(), campaign.status), ("Winter", CampaignStatus::Paused), "{status}");
        assert_eq!(campaign.total_spend_amount, Some(decimal("0")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_without_a_clear_answer_has_an_unknown_outcome() {
    let cases = [
        bare(500, ""),
        bare(503, r#"{"status":503,"message":"Service Unavailable"}"#),
        bare(408, r#"{"status":408,"message":"Timeout"}"#),
        bare(302, ""),
        bare(409, "<html>"),
        bare(499, ""),
        bare(200, DAILY),
        bare(201, ""),
        new_id(""),
        new_id("x"),
        new_id("0"),
        new_id("12/34"),
    ];
    for response in cases {
        let shown = format!("{response:?}");
        let error = create_answered(response).await;
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{shown}");
        assert!(error.unknown_outcome, "{shown}");
        assert!(error.message.contains("not known whether") && error.message.contains("\"Winter\""), "{error}");
    }
    let error = create_answered(bare(0, "")).await;
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformTimeout, false, true));
}

#[tokio::test]
async fn a_create_that_was_refused_or_never_sent_is_certain() {
    let cases = [
        (400, include_str!("../../fixtures/errors/daily-too-low.json"), Kind::PlatformRefused, false),
        (404, include_str!("../../fixtures/errors/not-found.json"), Kind::PlatformRefused, false),
        (403, include_str!("../../fixtures/errors/access-denied.json"), Kind::Forbidden, false),
        (429, include_str!("../../fixtures/errors/throttled.json"), Kind::RateLimited, true),
        (401, include_str!("../../fixtures/errors/token-expired.json"), Kind::TokenExpired, false),
        (400, include_str!("../../fixtures/errors/version-missing.json"), Kind::PlatformFailed, false),
        (426, include_str!("../../fixtures/errors/version-gone.json"), Kind::PlatformFailed, false),
    ];
    for (status, body, kind, retryable) in cases {
        let error = create_answered(bare(status, body)).await;
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert!(!error.unknown_outcome && !error.message.contains("not known"), "{error}");
    }
    let error = create(&Delta, &session(&Fake::unreachable()), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformFailed, true, false));
}

#[tokio::test]
async fn a_wrong_draft_is_refused_without_a_call() {
    let fake = answering(vec![]);
    let wrong = CampaignDraft { budget_amount: decimal("9"), ..draft() };
    assert_eq!(create(&Delta, &session(&fake), &wrong, &marker()).await.unwrap_err().kind, Kind::Validation);
    assert_eq!(prepare(&Delta, &account(), &wrong).unwrap_err().details[0].field, "budget_amount");
    assert!(prepare(&Delta, &account(), &draft()).is_ok());
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn a_token_that_the_platform_repeats_is_removed() {
    let refusal = json!({"status": 400, "code": "X", "message": "Bearer access-secret is wrong"});
    let shown = format!("{:?}", create_answered(bare(400, &refusal.to_string())).await);
    assert!(!shown.contains("access-secret") && shown.contains("[removed]"), "{shown}");
}
