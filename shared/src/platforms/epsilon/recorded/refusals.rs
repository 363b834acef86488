//! Recorded answers that are no success.

use super::*;
use crate::error::{Error, Kind};
use crate::platforms::oauth::CodeExchange;

fn reported(error: &Error) -> (Option<&str>, &str) {
    let refusal = error.platform_error.as_ref().unwrap();
    (refusal.code.as_deref(), &refusal.message)
}

#[tokio::test]
async fn a_refused_read_means_what_its_status_and_code_say() {
    let cases = [
        ("authentication-failed.json", Kind::TokenExpired, false, "2"),
        ("scope-missing.json", Kind::Forbidden, false, "3"),
        ("server-fault.json", Kind::PlatformFailed, true, "12"),
    ];
    for (name, kind, retryable, code) in cases {
        let fake = with_report("spend-empty.json", recorded(name));
        let error = Epsilon.get_campaign(&session(&fake, SEED), "626759223935").await.unwrap_err();
        assert_eq!((error.kind, error.retryable, reported(&error).0), (kind, retryable, Some(code)), "{name}");
    }
}

#[tokio::test]
async fn a_server_fault_leaves_a_create_of_unknown_outcome() {
    let fake = Fake::answering(vec![recorded("server-fault.json")]);
    let error = create(&Epsilon, &session(&fake, SEED), &draft(), &marker()).await.unwrap_err();
    assert!(error.unknown_outcome && !error.retryable, "{error}");
}

#[tokio::test]
async fn a_refused_report_leaves_the_campaign_without_its_spend() {
    let campaign = read_one("analytics-parameters-invalid.json").await;
    check_seed(&campaign);
    assert_eq!(campaign.total_spend_amount, None);
}

#[tokio::test]
async fn a_refusal_as_one_object_is_certain() {
    let fake = Fake::answering(vec![recorded("refusal-as-one-object.json")]);
    let error = create(&Epsilon, &session(&fake, SEED), &draft(), &marker()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformRefused, false, false));
    assert_eq!(reported(&error), (Some("2781"), "Sandboxed Pins may not be promoted."));
}

#[tokio::test]
async fn data_beside_an_exception_is_no_success() {
    let response = || Fake::answering(vec![recorded("update-with-data-and-exception.json")]);
    let current = PlatformCampaign { remote_id: EXAMPLE.into(), ..read_one("spend-empty.json").await };
    let changes = CampaignChanges { name: Some("ACME Tools".into()), ..CampaignChanges::default() };
    let error = Epsilon.update_campaign(&session(&response(), EXAMPLE), &current, &changes).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformRefused, false));
    assert_eq!(reported(&error), (Some("2"), "Advertiser not found."));
    let error = create(&Epsilon, &session(&response(), EXAMPLE), &draft(), &marker()).await.unwrap_err();
    assert!(error.unknown_outcome, "the response has the id of a campaign, so there may be one: {error}");
}

async fn refused_tokens(name: &str) -> [Error; 2] {
    let fake = Fake::answering(vec![recorded(name); 2]);
    let call = session(&fake, SEED).call;
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let used = CodeExchange { code: &code, redirect_uri: "https://us.example/c", verifier: &verifier };
    let exchanged = Epsilon.exchange(&call, used).await.unwrap_err();
    [exchanged, Epsilon.refresh(&call, &"pinr.old".into()).await.unwrap_err()]
}

#[tokio::test]
async fn a_dead_grant_asks_for_a_new_authorization() {
    for error in refused_tokens("token-grant-invalid.json").await {
        assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false));
        assert_eq!(reported(&error), (Some("283"), "The authorization grant is invalid"));
    }
}

#[tokio::test]
async fn an_unknown_application_is_the_operators_fault() {
    for error in refused_tokens("token-application-invalid-v3.json").await {
        assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false));
        assert!(error.message.contains("operator") && !error.message.contains("authorize"), "{error}");
        assert_eq!(reported(&error), (Some("283"), "The authorization grant is invalid (Invalid Application ID)"));
    }
}
