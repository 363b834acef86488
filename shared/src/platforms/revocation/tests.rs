use super::*;
use crate::domain::AdAccount;
use crate::domain::Platform;
use crate::error::Kind;
use crate::platforms::adapter;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse};
use crate::platforms::fixtures;
use std::time::Duration;
use tokio::time::Instant;

/// The platforms with this kind of revocation.
fn revocable() -> impl Iterator<Item = Platform> {
    Platform::ALL.into_iter().filter(|platform| adapter(*platform).facts().revocation.is_some())
}

fn call(fake: &Fake, platform: Platform) -> CallContext {
    let account = AdAccount { id: "1".into(), ..fixtures::account(Platform::Alpha, "USD", "UTC") };
    fake.session_of(platform, account).call
}

fn grant(refresh_token: Option<&str>) -> RevokedGrant {
    RevokedGrant { access_token: "a&t".into(), refresh_token: refresh_token.map(SecretString::from) }
}

async fn revoked(
    platform: Platform,
    refresh_token: Option<&str>,
    response: ScriptedResponse,
) -> (Result<(), Error>, ReceivedRequest) {
    let fake = Fake::answering(vec![response]);
    let outcome = adapter(platform).revoke(&call(&fake, platform), &grant(refresh_token)).await;
    let mut requests = fake.requests();
    assert_eq!(requests.len(), 1, "it is sent once");
    (outcome, requests.remove(0))
}

/// Asserts the path, the form with and without a refresh token, and the `Authorization` header of a revocation.
pub(in crate::platforms) async fn assert_revokes(
    platform: Platform,
    path: &str,
    [with_refresh_token, without]: [&str; 2],
    authorization: Option<&str>,
) {
    for (refresh_token, form) in [(Some("r/t"), with_refresh_token), (None, without)] {
        let (outcome, request) = revoked(platform, refresh_token, (200, String::new())).await;
        outcome.unwrap();
        assert_eq!(request.line, format!("POST {path} HTTP/1.1"));
        assert_eq!(request.text, form);
        assert!(request.headers.contains("content-type: application/x-www-form-urlencoded\r"), "{}", request.headers);
        let sent = request.headers.lines().find(|line| line.starts_with("authorization:"));
        assert_eq!(sent, authorization, "{platform}");
    }
}

#[tokio::test]
async fn the_required_user_agent_is_sent() {
    for platform in revocable() {
        let fake = Fake::answering(vec![(204, String::new())]);
        let call = call(&fake, platform);
        adapter(platform).revoke(&call, &grant(None)).await.unwrap();
        let agent = call.config.user_agent().map(|agent| format!("user-agent: {}\r", agent.to_ascii_lowercase()));
        let headers = &fake.requests()[0].headers;
        assert!(agent.is_none_or(|agent| headers.contains(&agent)), "{platform}: {headers}");
    }
}

#[test]
fn client_credentials_are_encoded_before_they_are_joined() {
    let proof = basic("a b", "c:d/é").unwrap();
    assert!(proof.is_sensitive());
    let encoded = proof.to_str().unwrap().strip_prefix("Basic ").unwrap();
    assert_eq!(STANDARD.decode(encoded).unwrap(), b"a+b:c%3Ad%2F%C3%A9");
}

#[tokio::test]
async fn a_revoked_and_an_invalid_token_are_both_success() {
    let invalid = r#"{"error":"invalid_token","error_description":"Token expired or revoked"}"#;
    for response in [(200, ""), (200, "{}"), (202, ""), (204, ""), (400, invalid)] {
        for platform in revocable() {
            let (outcome, _) = revoked(platform, Some("r/t"), (response.0, response.1.to_owned())).await;
            outcome.unwrap_or_else(|error| panic!("{platform} {response:?}: {error:?}"));
        }
    }
}

#[tokio::test]
async fn refusals_wrong_clients_and_failures_are_different_errors() {
    let cases = [
        (400, r#"{"error":"invalid_request","error_description":"No."}"#, Kind::PlatformRefused, false),
        (400, r#"{"message":"Bad Request","error":400}"#, Kind::PlatformRefused, false),
        (404, r#"{"message":"Not here","status":404}"#, Kind::PlatformRefused, false),
        (400, r#"{"error":"invalid_client"}"#, Kind::Forbidden, false),
        (400, r#"{"error":"unauthorized_client"}"#, Kind::Forbidden, false),
        (401, r#"{"error":"invalid_token"}"#, Kind::Forbidden, false),
        (401, r#"{"message":"Unauthorized","error":401}"#, Kind::Forbidden, false),
        (403, r#"{"message":"Forbidden","error":403}"#, Kind::Forbidden, false),
        (429, "", Kind::RateLimited, true),
        (400, "{}", Kind::PlatformFailed, true),
        (400, "<html>", Kind::PlatformFailed, true),
        (302, "", Kind::PlatformFailed, true),
        (500, r#"{"error":"invalid_token"}"#, Kind::PlatformFailed, true),
        (503, "", Kind::PlatformFailed, true),
    ];
    for (status, body, kind, retryable) in cases {
        for platform in revocable() {
            let (outcome, _) = revoked(platform, None, (status, body.to_owned())).await;
            let error = outcome.unwrap_err();
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{platform} {status} {body}");
            assert_eq!(error.platform, Some(platform));
        }
    }
}

#[tokio::test]
async fn a_refusal_has_the_platforms_message_and_throttling_its_wait() {
    let refusal = r#"{"error":"invalid_request","error_description":"The token is of another kind."}"#;
    let (outcome, _) = revoked(Platform::Alpha, None, (400, refusal.to_owned())).await;
    let error = outcome.unwrap_err();
    assert_eq!(error.message.to_string(), "Google Ads refused the request: The token is of another kind.");
    assert_eq!(error.platform_error.unwrap().code.as_deref(), Some("invalid_request"));
    let fake = Fake::with_headers(|_| (429, "retry-after: 7\r\n".to_owned(), String::new()));
    let outcome = adapter(Platform::Alpha).revoke(&call(&fake, Platform::Alpha), &grant(None)).await;
    assert_eq!(outcome.unwrap_err().retry_after, Some(Duration::from_secs(7)));
}

#[tokio::test(start_paused = true)]
async fn a_missing_answer_ends_at_the_deadline() {
    for platform in revocable() {
        let fake = Fake::answering(vec![(0, String::new())]);
        let call = call(&fake, platform);
        let error = adapter(platform).revoke(&call, &grant(None)).await.unwrap_err();
        assert_eq!(Instant::now(), call.deadline, "{platform}");
        assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformTimeout, true, Some(platform)));
    }
}

#[tokio::test]
async fn no_secret_that_the_endpoint_repeats_is_in_an_error() {
    let body = r#"{"error":"r/t","error_description":"a&t r/t secret","message":"a&t"}"#;
    for platform in revocable() {
        for status in [400, 401, 500] {
            let (outcome, _) = revoked(platform, Some("r/t"), (status, body.to_owned())).await;
            let shown = format!("{:?}", outcome.unwrap_err());
            assert!(!["a&t", "r/t", "secret"].iter().any(|secret| shown.contains(secret)), "{shown}");
        }
    }
}
