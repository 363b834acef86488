//! Recorded answers of the token endpoint.

use super::*;
use crate::error::Kind;
use crate::platforms::oauth::{CodeExchange, Tokens};
use secrecy::ExposeSecret;
use std::time::Duration;

async fn exchanged(name: &str) -> Result<Tokens, Error> {
    let fake = Fake::answering(vec![recorded(name)]);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let used = CodeExchange { code: &code, redirect_uri: "https://us.example/c", verifier: &verifier };
    Zeta.exchange(&session(&fake).call, used).await
}

async fn refreshed(name: &str) -> Result<Tokens, Error> {
    let fake = Fake::answering(vec![recorded(name)]);
    Zeta.refresh(&session(&fake).call, &"old".into()).await
}

fn check(tokens: &Tokens, access: &str, refresh: Option<&str>) {
    assert_eq!(tokens.access_token.expose_secret(), access);
    assert_eq!(tokens.refresh_token.as_ref().map(ExposeSecret::expose_secret), refresh);
    assert_eq!(tokens.ttl, Some(Duration::from_secs(3_600)));
}

#[tokio::test]
async fn issued_tokens_last_an_hour_and_can_be_renewed() {
    let issued = exchanged("token-issued.json").await.unwrap();
    check(&issued, "0000000-aaaaaaaaaaaaaaaaaaaaaaaaaaa", Some("0000000-bbbbbbbbbbbbbbbbbbbbbbbbbbb"));
    let renewed = refreshed("token-refreshed.json").await.unwrap();
    check(&renewed, "0000000-aaaaaaaaaaaaaaaaaaaaaa-0000000", Some("aaaaaaa-0000000000000000000000-aaaaaaa"));
}

#[tokio::test]
async fn an_answer_without_a_refresh_token_keeps_the_earlier_one() {
    let issued = refreshed("token-without-refresh.json").await.unwrap();
    check(&issued, "-000000000000000000000000000000", None);
}

#[tokio::test]
async fn a_wrong_code_inside_200_asks_for_a_new_authorization() {
    let error = exchanged("token-code-invalid.json").await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false));
    assert_eq!(error.platform_error.unwrap().code.as_deref(), Some("invalid_grant"));
}

#[tokio::test]
async fn a_dead_refresh_token_asks_for_a_new_authorization() {
    let error = refreshed("token-refresh-invalid.json").await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false));
}

#[tokio::test]
async fn a_refused_client_is_the_operators_fault() {
    let name = "token-client-refused.json";
    for error in [exchanged(name).await.unwrap_err(), refreshed(name).await.unwrap_err()] {
        assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false));
        assert!(error.message.contains("operator"), "{error}");
    }
}
