//! Errors.

use super::*;
use crate::error::{Error, Kind};
use crate::outbound::OutboundResponse;
use crate::platforms::gamma::accounts::accounts;
use http::{HeaderMap, StatusCode};
use serde_json::json;
use std::time::Duration;

/// The error of a body, which TikTok sends with status 200.
fn read(body: &str) -> Error {
    let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: body.to_owned().into() };
    let error = classify(&response, "2026-11-20T23:00:00Z".parse().unwrap()).unwrap_err();
    assert_eq!(error.platform, Some(Platform::Gamma));
    assert_eq!(error.platform_error.as_ref().unwrap().field, None, "no field of the caller is at fault");
    error
}

pub(super) async fn a_missing_scope_asks_for_a_new_authorization(body: &str) {
    let error = read(body);
    assert_eq!((error.kind, error.retryable, error.platform_code()), (Kind::Forbidden, false, Some("40001")));
    assert!(error.message.contains("authorize again with all permissions"), "{error}");
    assert!(error.message.contains("lacks the required scope"), "the platform's message reaches the caller: {error}");
}

pub(super) async fn a_dead_token_ends_the_grant(body: &str) {
    let error = read(body);
    assert_eq!((error.kind, error.retryable, error.platform_code()), (Kind::TokenExpired, false, Some("40105")));
    // An unknown token counts as revoked.
    let fake = by_path([("/oauth2/revoke_token/", body.to_owned())]);
    let grant = crate::platforms::RevokedGrant { access_token: "the-token".into(), refresh_token: None };
    crate::platforms::AdPlatform::revoke(&Gamma, &session(&fake, "1").call, &grant).await.unwrap();
}

pub(super) async fn a_limit_of_a_second_is_over_in_a_second(body: &str) {
    let error = read(body);
    assert_eq!((error.kind, error.retryable, error.platform_code()), (Kind::RateLimited, true, Some("40100")));
    assert_eq!(error.retry_after, Some(Duration::from_secs(1)));
}

pub(super) async fn a_deleted_advertiser_asks_for_no_new_authorization(body: &str) {
    let error = read(body);
    assert_eq!((error.kind, error.retryable, error.platform_code()), (Kind::Forbidden, false, Some("40001")));
    assert!(!error.message.contains("authorize again"), "{error}");
    assert!(
        error.message.to_string().ends_with("advertiser account_id1 doesn't exist or has been deleted."),
        "{error}"
    );
    only_the_deleted_one_is_lost(body).await;
}

/// The recorded message names no account of this token, so the adapter has to find the deleted one.
async fn only_the_deleted_one_is_lost(body: &str) {
    let body = body.to_owned();
    let fake = Fake::new(move |request: &ReceivedRequest| {
        let reached = r#"[{"advertiser_id":"71"},{"advertiser_id":"72"}]"#;
        let good = json!([{"advertiser_id": "72", "currency": "USD"}]).to_string();
        let response = match (request.line.contains("/oauth2/advertiser/get/"), request.line.contains("71")) {
            (true, _) => enveloped(reached),
            (false, true) => body.clone(),
            (false, false) => enveloped(&good),
        };
        (200, response)
    });
    let session = session(&fake, "1");
    let found = accounts(&session.call, &session.token).await.unwrap();
    assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["72"]);
}
