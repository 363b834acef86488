//! Answers of the token endpoint.

use super::{body, good, session};
use crate::error::{Error, Kind};
use crate::platforms::AdPlatform;
use crate::platforms::beta::{Beta, FLOW};
use crate::platforms::fake::{ScriptedResponse, ok};
use crate::platforms::oauth::{CodeExchange, Tokens};
use secrecy::ExposeSecret;
use serde_json::json;
use std::time::Duration;

pub(super) const REPLAYED: &[&str] = &[LONG_LIVED, WITHOUT_EXPIRY, REDIRECT];

/// Published by Meta, with a placeholder for the token.
const LONG_LIVED: &str = "token-long-lived.json";
const WITHOUT_EXPIRY: &str = "token-without-expiry.json";
const REDIRECT: &str = "error-redirect-refused.json";

async fn refreshed(response: ScriptedResponse) -> Tokens {
    let call = session("1", "USD", response, ok(json!({}))).call;
    Beta.refresh(&call, &"long".into()).await.unwrap()
}

async fn exchanged(response: ScriptedResponse) -> Error {
    let call = session("1", "USD", response, ok(json!({}))).call;
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    Beta.exchange(&call, exchange).await.unwrap_err()
}

#[tokio::test]
async fn a_recorded_token_is_renewed_a_tenth_before_its_end() {
    let tokens = refreshed(good(LONG_LIVED)).await;
    assert_eq!(tokens.access_token.expose_secret(), "{long-lived-user-access-token}");
    assert_eq!(tokens.ttl, Some(Duration::from_millis(5_183_944_000 - 518_394_400)));
    let as_text = body(LONG_LIVED).replace("5183944", "\"5183944\"");
    assert_eq!(refreshed((200, as_text)).await.ttl, tokens.ttl, "a number as text");
}

#[tokio::test]
async fn a_recorded_token_without_an_end_gets_the_usual_one() {
    let tokens = refreshed(good(WITHOUT_EXPIRY)).await;
    assert_eq!((tokens.access_token.expose_secret(), tokens.refresh_token.is_some()), ("xxxx", true));
    assert_eq!(tokens.ttl, Some(FLOW.default_ttl - FLOW.default_ttl / 10));
    for malformed in ["null", "{}", "\"soon\"", "-1", "0", "1.5"] {
        let malformed = body(LONG_LIVED).replace("5183944", malformed);
        assert_eq!(refreshed((200, malformed.clone())).await.ttl, tokens.ttl, "{malformed}");
    }
}

#[tokio::test]
async fn the_recorded_refusal_of_a_redirect_is_the_operators_fault() {
    for status in [400, 200] {
        let error = exchanged((status, body(REDIRECT))).await;
        assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false), "{status}");
        assert!(error.message.contains("its operator has to look into it"), "{}", error.message);
        assert_eq!(error.platform_error.unwrap().code.as_deref(), Some("100"));
    }
}

#[tokio::test]
async fn recorded_errors_of_reads_mean_the_same_for_a_code() {
    for (name, status, kind, retryable) in [
        ("error-wrong-proof.json", 400, Kind::PlatformFailed, false),
        ("error-unavailable.json", 400, Kind::PlatformFailed, true),
        ("error-app-not-authorized.json", 400, Kind::TokenExpired, false),
        ("error-gate-keeper.json", 400, Kind::Forbidden, false),
    ] {
        let error = exchanged((status, body(name))).await;
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{name}");
    }
}
