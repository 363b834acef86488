use super::*;
use crate::domain::{AdAccount, Currency};
use crate::platforms::adapter;
use crate::platforms::fake::{Answered, Asked, Fake};
use std::time::Duration;
use tokio::time::Instant;

/// The platforms that are revoked by this.
const HERE: [Platform; 3] = [Platform::Alpha, Platform::Delta, Platform::Zeta];

fn peer(fake: &Fake, platform: Platform) -> Peer {
    let account = AdAccount {
        id: "1".into(),
        name: String::new(),
        currency: Currency::from_code("USD").unwrap(),
        time_zone: "UTC".into(),
        manager_id: None,
    };
    fake.session_of(platform, account).peer
}

fn grant(refresh_token: Option<&str>) -> RevokedGrant {
    RevokedGrant { access_token: "a&t".into(), refresh_token: refresh_token.map(SecretString::from) }
}

async fn revoked(platform: Platform, refresh_token: Option<&str>, answer: Answered) -> (Result<(), Error>, Asked) {
    let fake = Fake::answering(vec![answer]);
    let outcome = adapter(platform).revoke(&peer(&fake, platform), &grant(refresh_token)).await;
    let mut asked = fake.asked();
    assert_eq!(asked.len(), 1, "it is sent once");
    (outcome, asked.remove(0))
}

#[tokio::test]
async fn each_platform_is_asked_at_its_address_with_its_form_and_its_proof_of_the_client() {
    // The headers were put in lower case, and base64 has two cases.
    let basic = format!("authorization: basic {}", STANDARD.encode("id:secret").to_ascii_lowercase());
    let cases = [
        (Platform::Alpha, "/revoke", "token=r%2Ft", "token=a%26t", None),
        (
            Platform::Delta,
            "/oauth/v2/revoke",
            "token=r%2Ft&client_id=id&client_secret=secret",
            "token=a%26t&client_id=id&client_secret=secret",
            None,
        ),
        (
            Platform::Zeta,
            "/api/v1/revoke_token",
            "token=r%2Ft&token_type_hint=refresh_token",
            "token=a%26t&token_type_hint=access_token",
            Some(basic.as_str()),
        ),
    ];
    for (platform, path, with_refresh_token, without, proof) in cases {
        for (refresh_token, form) in [(Some("r/t"), with_refresh_token), (None, without)] {
            let (outcome, asked) = revoked(platform, refresh_token, (200, String::new())).await;
            outcome.unwrap();
            assert_eq!(asked.line, format!("POST {path} HTTP/1.1"));
            assert_eq!(asked.text, form);
            assert!(asked.headers.contains("content-type: application/x-www-form-urlencoded\r"), "{}", asked.headers);
            let sent_proof = asked.headers.lines().find(|line| line.starts_with("authorization:"));
            assert_eq!(sent_proof, proof, "{platform}");
        }
    }
}

#[tokio::test]
async fn the_user_agent_that_the_platform_minds_goes_along() {
    let fake = Fake::answering(vec![(204, String::new())]);
    let peer = peer(&fake, Platform::Zeta);
    adapter(Platform::Zeta).revoke(&peer, &grant(None)).await.unwrap();
    let agent = format!("user-agent: {}\r", peer.site.user_agent().unwrap().to_ascii_lowercase());
    assert!(fake.asked()[0].headers.contains(&agent), "{agent} in {}", fake.asked()[0].headers);
}

#[test]
fn the_client_is_encoded_before_it_is_joined_and_no_log_shows_it() {
    let proof = basic("a b", "c:d/é").unwrap();
    assert!(proof.is_sensitive());
    let encoded = proof.to_str().unwrap().strip_prefix("Basic ").unwrap();
    assert_eq!(STANDARD.decode(encoded).unwrap(), b"a+b:c%3Ad%2F%C3%A9");
}

#[tokio::test]
async fn done_and_dead_already_are_both_success() {
    let dead = r#"{"error":"invalid_token","error_description":"Token expired or revoked"}"#;
    for answer in [(200, ""), (200, "{}"), (202, ""), (204, ""), (400, dead)] {
        for platform in HERE {
            let (outcome, _) = revoked(platform, Some("r/t"), (answer.0, answer.1.to_owned())).await;
            outcome.unwrap_or_else(|error| panic!("{platform} {answer:?}: {error:?}"));
        }
    }
}

#[tokio::test]
async fn a_refusal_a_wrong_client_and_a_failure_are_told_apart() {
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
        for platform in HERE {
            let (outcome, _) = revoked(platform, None, (status, body.to_owned())).await;
            let error = outcome.unwrap_err();
            assert_eq!((error.kind, error.retryable), (kind, retryable), "{platform} {status} {body}");
            assert_eq!(error.platform, Some(platform));
        }
    }
}

#[tokio::test]
async fn a_refusal_is_told_in_the_platforms_words_and_throttling_with_its_wait() {
    let said = r#"{"error":"invalid_request","error_description":"The token is of another kind."}"#;
    let (outcome, _) = revoked(Platform::Alpha, None, (400, said.to_owned())).await;
    let error = outcome.unwrap_err();
    assert_eq!(error.message, "Google Ads refused the request: The token is of another kind.");
    assert_eq!(error.platform_fault.unwrap().code.as_deref(), Some("invalid_request"));
    let fake = Fake::with_headers(|_| (429, "retry-after: 7\r\n".to_owned(), String::new()));
    let outcome = adapter(Platform::Alpha).revoke(&peer(&fake, Platform::Alpha), &grant(None)).await;
    assert_eq!(outcome.unwrap_err().retry_after, Some(Duration::from_secs(7)));
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    for platform in HERE {
        let fake = Fake::answering(vec![(0, String::new())]);
        let peer = Peer { deadline: Instant::now() + Duration::from_millis(300), ..peer(&fake, platform) };
        let error = adapter(platform).revoke(&peer, &grant(None)).await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformTimeout, true, Some(platform)));
    }
}

#[tokio::test]
async fn no_secret_that_the_endpoint_repeats_gets_into_an_error() {
    let body = r#"{"error":"r/t","error_description":"a&t r/t secret","message":"a&t"}"#;
    for platform in HERE {
        for status in [400, 401, 500] {
            let (outcome, _) = revoked(platform, Some("r/t"), (status, body.to_owned())).await;
            let shown = format!("{:?}", outcome.unwrap_err());
            assert!(!["a&t", "r/t", "secret"].iter().any(|secret| shown.contains(secret)), "{shown}");
        }
    }
}
