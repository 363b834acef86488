//! Ad accounts, and the token endpoint.

use super::*;
use crate::error::{Error, Kind};
use crate::platforms::delta::accounts;
use crate::platforms::engine::AdPlatform;
use crate::platforms::oauth::{CodeExchange, Tokens};
use secrecy::ExposeSecret;
use std::time::Duration;

/// Id, name and currency of each account.
async fn found(fake: &Fake) -> Vec<[String; 3]> {
    let session = session(fake, "1");
    let found = Delta.accounts(&session.call, &session.token).await.unwrap();
    found.into_iter().map(|one| [one.id, one.name, one.currency.code().to_owned()]).collect()
}

pub(super) async fn a_test_account_stays_and_its_page_is_not_the_last(body: &str) {
    // The token of the recorded page leads to a second one.
    let fake = by_path([
        (200, "&pageToken=DgFM1V9r6aUuA4M6V0uGFxY9ASDBvzxZod6VsdWmjiQ ", enveloped("[]")),
        (200, "/adAccounts?q=search&pageSize=1000 ", body.to_owned()),
    ]);
    assert_eq!(found(&fake).await, [["514674276", "This is a new account name.", "USD"]]);
    assert_eq!(fake.requests().len(), 2);
}

pub(super) async fn accounts_on_hold_stay(body: &str) {
    let fake = by_path([(200, "/adAccounts?", enveloped(body))]);
    assert_eq!(found(&fake).await, [["508774356", "Test Account 2", "USD"], ["508777244", "Test Account 1", "USD"]]);
}

async fn exchanged(status: u16, body: &str) -> Result<Tokens, Error> {
    let fake = by_path([(status, "/oauth/v2/accessToken", body.to_owned())]);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    Delta.exchange(&session(&fake, "1").call, exchange).await
}

async fn refreshed(status: u16, body: &str) -> Result<Tokens, Error> {
    let fake = by_path([(status, "/oauth/v2/accessToken", body.to_owned())]);
    Delta.refresh(&session(&fake, "1").call, &"AQW".into()).await
}

pub(super) async fn a_token_without_a_type_is_read(body: &str) {
    for tokens in [exchanged(200, body).await.unwrap(), refreshed(200, body).await.unwrap()] {
        assert_eq!(tokens.access_token.expose_secret(), "AQX-FAKE-ACCESS-TOKEN");
        assert_eq!(tokens.refresh_token.unwrap().expose_secret(), "AQW-FAKE-REFRESH-TOKEN");
        assert_eq!(tokens.ttl, Some(Duration::from_secs(86_400)), "the life of the access token alone");
    }
}

/// The error of an exchange of a code.
async fn expired_code(body: &str, code: &str) {
    let error = exchanged(400, body).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false));
    let reported = error.platform_error.unwrap();
    assert_eq!(reported.code.as_deref(), Some(code));
    assert!(reported.message.contains("Or authorization code expired"), "{}", reported.message);
}

pub(super) async fn an_expired_code_asks_for_a_new_authorization(body: &str) {
    expired_code(body, "invalid_redirect_uri").await;
}

pub(super) async fn an_expired_code_is_one_under_its_other_name(body: &str) {
    expired_code(body, "invalid_request").await;
}

pub(super) async fn a_refresh_without_its_token_does_not_end_the_grant(body: &str) {
    let error = refreshed(400, body).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false), "the request was at fault");
    assert_eq!(error.platform_error.unwrap().code.as_deref(), Some("invalid_request"));
}

pub(super) async fn a_token_that_is_refused_too_early_is_tried_again(body: &str) {
    let refusal = || (401, body.to_owned());
    let good = enveloped(r#"[{"id":5,"name":"five","currency":"USD","status":"ACTIVE"}]"#);
    let fake = Fake::answering(vec![refusal(), (200, good)]);
    let soon = Duration::from_millis(1);
    let first = session(&fake, "1");
    let found = accounts::accounts(&first.call, &first.token, soon).await.unwrap();
    assert_eq!((found.len(), fake.requests().len()), (1, 2));
    // Only once: a token that stays refused has ended. A pause that does not fit into the request is skipped.
    for (pause, calls) in [(soon, 2), (Duration::from_secs(60), 1)] {
        let fake = Fake::answering(vec![refusal(), refusal()]);
        let again = session(&fake, "1");
        let error = accounts::accounts(&again.call, &again.token, pause).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false));
        assert_eq!(error.platform_error.unwrap().code.as_deref(), Some("REVOKED_ACCESS_TOKEN"));
        assert_eq!(fake.requests().len(), calls);
    }
}
