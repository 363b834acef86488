//! Recorded answers of the Ads API that are no success.

use super::super::error::error_of;
use super::*;
use crate::error::Kind;
use crate::outbound::OutboundResponse;
use crate::platforms::fake::create;
use http::{HeaderMap, StatusCode};

fn reported(error: &Error) -> (Option<&str>, &str, Option<&str>) {
    let refusal = error.platform_error.as_ref().unwrap();
    (refusal.code.as_deref(), &refusal.message, refusal.field.as_deref())
}

fn meaning(name: &str) -> Error {
    let (status, body) = recorded(name);
    let status = StatusCode::from_u16(status).unwrap();
    error_of(
        &OutboundResponse { status, headers: HeaderMap::new(), body: body.into() },
        "2026-11-20T00:00:00Z".parse().unwrap(),
    )
}

#[test]
fn each_refusal_keeps_its_code_and_its_words() {
    let unknown_field = "Bad Request (fields: 'CONVERSION_SIGNUP_CLICKS' is not one of ['IMPRESSIONS', ...])";
    let wrong_start = "Bad Request (starts_at: starts_at must be a valid datetime. Format: YYYY-MM-DDTHH:MM:SSZ)";
    let cases = [
        ("scope-missing.json", Kind::Forbidden, "UNAUTHORIZED", "Insufficient authentication scopes", None),
        ("ad-account-unknown.json", Kind::Forbidden, "BAD_REQUEST", "Unknown Ad Account", None),
        ("ad-account-id-invalid.json", Kind::Forbidden, "400", "invalid ad_account identifier", None),
        ("not-found.json", Kind::NotFound, "404", "The specified resource was not found", None),
        ("report-start-invalid.json", Kind::PlatformRefused, "400", wrong_start, Some("starts_at")),
        ("report-field-unknown.json", Kind::PlatformRefused, "400", unknown_field, Some("fields")),
    ];
    for (name, kind, code, message, field) in cases {
        let error = meaning(name);
        assert_eq!((error.kind, error.retryable), (kind, false), "{name}");
        assert_eq!(reported(&error), (Some(code), message, field), "{name}");
    }
}

#[tokio::test]
async fn an_account_out_of_reach_is_forbidden_to_list_and_to_find() {
    for name in ["ad-account-unknown.json", "ad-account-id-invalid.json", "scope-missing.json", "not-found.json"] {
        let fake = Fake::new(move |_| recorded(name));
        let listed = list(&fake).await.unwrap_err();
        assert_eq!((listed.kind, listed.retryable), (Kind::Forbidden, false), "{name}");
        assert!(listed.message.contains("ad account"), "{name}: {listed}");
        let found = Zeta.find_created(&session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((found.kind, found.retryable), (Kind::Forbidden, false), "{name}");
    }
}

#[tokio::test]
async fn a_create_in_an_account_out_of_reach_has_made_nothing() {
    for name in
        ["ad-account-unknown.json", "ad-account-id-invalid.json", "scope-missing.json", "scope-insufficient.json"]
    {
        let pixels = || ok(json!({"data": [{"id": "px_1"}], "pagination": {}}));
        for responses in [vec![recorded(name)], vec![pixels(), recorded(name)]] {
            let fake = Fake::answering(responses);
            let error = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap_err();
            assert_eq!((error.kind, error.unknown_outcome, error.retryable), (Kind::Forbidden, false, false), "{name}");
        }
    }
}

#[tokio::test]
async fn a_campaign_that_reddit_does_not_know_is_not_found() {
    let fake = Fake::answering(vec![recorded("not-found.json")]);
    let error = Zeta.get_campaign(&session(&fake), "7").await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::NotFound, false));
}

#[tokio::test]
async fn a_refused_report_leaves_the_campaign_without_its_spend() {
    for name in ["report-start-invalid.json", "report-field-unknown.json", "ad-account-unknown.json"] {
        let (campaign, requests) = listed(recorded(name)).await;
        assert_eq!((campaign.remote_id.as_str(), campaign.total_spend_amount), ("7", None), "{name}");
        assert_eq!(requests.len(), 1, "{name}: the same report would be refused again");
    }
}

#[tokio::test]
async fn a_throttle_in_html_waits_as_long_as_its_header_says() {
    let fake = Fake::with_headers(|_| {
        let (status, body) = recorded("too-many-requests.html");
        (status, "retry-after: 4\r\ncontent-type: text/html\r\n".to_owned(), body)
    });
    let read = Zeta.get_campaign(&session(&fake), "7").await.unwrap_err();
    let made = create(&Zeta, &session(&fake), &draft(), &marker()).await.unwrap_err();
    for error in [read, made] {
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::RateLimited, true, false));
        assert_eq!(error.retry_after.map(|wait| wait.as_secs()), Some(4));
        assert!(error.platform_error.is_none(), "a page for people says nothing to a caller");
    }
}
