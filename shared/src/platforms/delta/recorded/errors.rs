//! Errors of the API.

use super::*;
use crate::domain::StatusSet;
use crate::error::{Error, Kind};
use crate::outbound::OutboundResponse;
use crate::platforms::engine::AdPlatform;
use crate::platforms::engine::list::ListRequest;
use http::{HeaderMap, StatusCode};
use std::time::Duration;

fn read(status: u16, body: &str) -> Error {
    let status = StatusCode::from_u16(status).unwrap();
    let response = OutboundResponse { status, headers: HeaderMap::new(), body: body.to_owned().into() };
    let error = error_of(&response, "2026-11-20T21:30:00Z".parse().unwrap());
    assert_eq!(error.platform, Some(Platform::Delta));
    error
}

/// Kind, whether it may be sent again, code, field.
fn meaning(error: &Error) -> (Kind, bool, Option<&str>, Option<&str>) {
    let reported = error.platform_error.as_ref().unwrap();
    (error.kind, error.retryable, reported.code.as_deref(), reported.field.as_deref())
}

/// The error of a list of campaigns that is answered like this.
async fn listing(status: u16, body: &str) -> Error {
    let fake = by_path([(status, "/adCampaigns?", body.to_owned())]);
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    Delta.list_campaigns(&session(&fake, "1"), &request).await.unwrap_err()
}

pub(super) async fn a_dead_token_is_known_by_its_number(body: &str) {
    assert_eq!(meaning(&read(401, body)), (Kind::TokenExpired, false, Some("65600"), None));
}

pub(super) async fn a_missing_permission_is_forbidden(body: &str) {
    assert_eq!(meaning(&read(403, body)), (Kind::Forbidden, false, Some("ACCESS_DENIED"), None));
}

pub(super) async fn a_missing_permission_is_known_by_its_status(body: &str) {
    let error = read(403, body);
    assert_eq!(meaning(&error), (Kind::Forbidden, false, Some("100"), None));
    assert_eq!(error.platform_error.unwrap().message, "Not enough permissions to access: GET /people/~:(id)");
}

pub(super) async fn a_missing_ad_account_is_no_missing_campaign(body: &str) {
    let error = read(404, body);
    assert_eq!(meaning(&error), (Kind::NotFound, false, Some("NOT_FOUND"), None));
    assert!(!error.message.contains("campaign"), "{error}");
    assert_eq!(meaning(&listing(404, body).await), (Kind::Forbidden, false, Some("NOT_FOUND"), None));
    let fake = by_path([(404, "/adAccounts?", body.to_owned())]);
    let session = session(&fake, "1");
    let error = Delta.accounts(&session.call, &session.token).await.unwrap_err();
    assert!(!error.message.contains("campaign"), "{error}");
    let fake = by_path([(404, "/adCampaigns/5", body.to_owned())]);
    let error = Delta.get_campaign(&super::session(&fake, "1"), "5").await.unwrap_err();
    assert_eq!(
        (error.kind, error.message.to_string().as_str()),
        (Kind::NotFound, "There is no such campaign. GET /v1/campaigns lists those of your connected ad accounts.")
    );
}

/// The error of a refused request that this service alone composed.
async fn own_error(body: &str, part: &str) -> Error {
    let error = listing(400, body).await;
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{error}");
    assert!(error.message.contains("operator"), "{error}");
    let message = &error.platform_error.as_ref().unwrap().message;
    assert!(message.contains(part), "{message}");
    error
}

pub(super) async fn an_invalid_search_is_no_fault_of_the_caller(body: &str) {
    let error = own_error(body, "Invalid value for param").await;
    let expected = (Kind::PlatformFailed, false, Some("PARAM_INVALID"), Some("search"));
    assert_eq!(meaning(&error), expected);
}

pub(super) async fn a_sentence_is_no_code(body: &str) {
    let error = read(400, body);
    assert_eq!(meaning(&error), (Kind::PlatformRefused, false, None, Some("account")));
    for part in ["Invalid Urn Format", "wrong type or other syntax error"] {
        assert!(error.message.contains(part), "the message keeps the sentence: {error}");
    }
    assert_eq!(error.message.to_string().matches("Invalid argument").count(), 1, "{error}");
    own_error(body, "Invalid Urn Format").await;
}

pub(super) async fn a_forgotten_parameter_is_no_fault_of_the_caller(body: &str) {
    let error = own_error(body, "Parameter 'account' is required").await;
    assert_eq!(meaning(&error), (Kind::PlatformFailed, false, None, None));
}

pub(super) async fn a_page_that_is_too_large_is_no_fault_of_the_caller(body: &str) {
    let error = own_error(body, "Request would return too many entities.").await;
    assert_eq!(meaning(&error), (Kind::PlatformFailed, false, None, None));
}

pub(super) async fn a_retired_version_is_for_the_operator(body: &str) {
    let error = read(426, body);
    assert_eq!(meaning(&error), (Kind::PlatformFailed, false, Some("NONEXISTENT_VERSION"), None));
    assert!(error.message.contains("operator"), "{error}");
}

pub(super) async fn a_throttled_call_may_be_sent_again(body: &str) {
    let error = read(429, body);
    assert_eq!(meaning(&error), (Kind::RateLimited, true, Some("101"), None));
    // A recorded limit lasted 330 seconds, so the message says what is asked for, and does not promise its end.
    assert_eq!(error.retry_after, Some(Duration::from_secs(60)));
    assert!(error.message.contains("asks us to wait for 60 seconds"), "{error}");
}
