use super::*;
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::gamma::Gamma;
use crate::platforms::oauth::AuthorizeRequest;
use crate::platforms::settings::Settings;
use crate::platforms::{AdPlatform, RevokedGrant};
use serde_json::json;

#[test]
fn the_consent_page_and_the_callback_have_their_own_parameter_names() {
    let client = config::Client { client_id: "app".into(), client_secret: "secret".into(), developer_token: None };
    let config = PlatformConfig::new(Platform::Gamma, client, Settings::default(), None);
    let (state, verifier) = ("state&1".into(), "v".repeat(43).into());
    let request = AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
    let url = Gamma.authorize_url(&config, &request).unwrap();
    let expected = "https://business-api.tiktok.com/portal/auth?app_id=app&state=state%261\
                    &redirect_uri=https%3A%2F%2Fus.example%2Fcallback";
    assert_eq!(url, expected);
    assert_eq!(Gamma.facts().code_parameter, "auth_code");
}

async fn exchanged(response: ScriptedResponse) -> (Fake, Result<Tokens, Error>) {
    let fake = Fake::answering(vec![response]);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    let outcome = Gamma.exchange(&fake.session().call, exchange).await;
    (fake, outcome)
}

#[tokio::test]
async fn a_code_becomes_a_token_without_an_end_and_without_a_refresh_token() {
    let data = json!({"access_token": "t0ken", "advertiser_ids": ["7"], "scope": [1, 2, 4]});
    let (fake, tokens) = exchanged(ok(json!({"code": 0, "message": "OK", "data": data}))).await;
    let tokens = tokens.unwrap();
    assert_eq!(tokens.access_token.expose_secret(), "t0ken");
    assert!(tokens.ttl.is_none() && tokens.refresh_token.is_none());
    assert!(tokens.missing_scopes(FLOW.scopes).is_empty());
    let request = &fake.requests()[0];
    assert_eq!(request.line, "POST /open_api/v1.3/oauth2/access_token/ HTTP/1.1");
    assert_eq!(request.text, r#"{"app_id":"id","secret":"secret","auth_code":"the-code"}"#);
    assert!(request.headers.contains("content-type: application/json") && !request.headers.contains("access-token"));
}

#[tokio::test]
async fn the_numbers_of_a_token_tell_which_permissions_it_lacks() {
    let names = NUMBERS.map(|(name, _)| name);
    assert_eq!(FLOW.scopes, names);
    let [accounts, ads, reports] = names;
    for (scope, missing) in [
        (json!([1, 10, 2, 20, 4, 41]), vec![]),
        (json!([100, 200, 201, 44]), vec![]),
        (json!(["1", "2", "4", "7294180478502830081"]), vec![]),
        (json!([4]), vec![accounts, ads]),
        (json!([1, 2]), vec![reports]),
        (json!([1, 200, 4]), vec![ads]),
        (json!([]), vec![]),
        (json!("ads.read"), vec![]),
        (json!(["ads.read"]), vec![]),
        (json!(null), vec![]),
    ] {
        let data = json!({"access_token": "t0ken", "advertiser_ids": ["7"], "scope": scope});
        let (_, tokens) = exchanged(ok(json!({"code": 0, "message": "OK", "data": data}))).await;
        assert_eq!(tokens.unwrap().missing_scopes(FLOW.scopes), missing, "{scope}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_used_code_differs_from_a_wrong_client_and_from_a_failure() {
    let refusal = |code: i64| ok(json!({"code": code, "message": "the-code or secret is wrong", "data": {}}));
    let no_token = json!({"code": 0, "data": {"access_token": ""}});
    for (response, kind, retryable) in [
        (refusal(40_110), Kind::TokenExpired, false),
        (refusal(40_101), Kind::TokenExpired, false),
        (refusal(40_115), Kind::Forbidden, false),
        (refusal(40_100), Kind::RateLimited, true),
        (refusal(50_000), Kind::PlatformFailed, true),
        ((503, String::new()), Kind::PlatformFailed, true),
        ((0, String::new()), Kind::PlatformTimeout, true),
        (ok(no_token), Kind::PlatformFailed, true),
    ] {
        let (_, outcome) = exchanged(response.clone()).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{response:?}");
        let shown = format!("{error:?}");
        assert!(!shown.contains("the-code") && !shown.contains("secret"), "{shown}");
    }
}

#[tokio::test]
async fn a_token_that_is_refused_cannot_be_refreshed() {
    let silent = Fake::answering(vec![]);
    let error = Gamma.refresh(&silent.session().call, &"none".into()).await.unwrap_err();
    assert_eq!((error.kind, error.retryable, silent.requests().len()), (Kind::TokenExpired, false, 0));
}

async fn revoked(response: ScriptedResponse) -> (Result<(), Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(vec![response]);
    let grant = RevokedGrant { access_token: "the-token".into(), refresh_token: None };
    let outcome = Gamma.revoke(&fake.session().call, &grant).await;
    (outcome, fake.requests())
}

#[tokio::test]
async fn a_grant_ends_with_the_token_in_the_header_and_in_the_body() {
    for body in [json!({"code": 0, "message": "OK", "data": {}}), json!({"code": 0})] {
        let (outcome, requests) = revoked(ok(body)).await;
        outcome.unwrap();
        assert_eq!(requests[0].line, "POST /open_api/v1.3/oauth2/revoke_token/ HTTP/1.1");
        assert_eq!(requests[0].text, r#"{"app_id":"id","secret":"secret","access_token":"the-token"}"#);
        assert!(requests[0].headers.contains("access-token: the-token\r"), "{}", requests[0].headers);
        assert!(requests[0].headers.contains("content-type: application/json\r"), "{}", requests[0].headers);
        assert_eq!(requests.len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn only_a_dead_token_counts_as_revoked() {
    let refusal = |code: i64| ok(json!({"code": code, "message": "the-token or secret is wrong", "data": {}}));
    for invalid in [40_102, 40_105] {
        revoked(refusal(invalid)).await.0.unwrap_or_else(|error| panic!("{invalid}: {error:?}"));
    }
    for (response, kind, retryable) in [
        (refusal(40_101), Kind::Forbidden, false),
        (refusal(40_002), Kind::PlatformRefused, false),
        (refusal(40_104), Kind::TokenExpired, false),
        (refusal(40_100), Kind::RateLimited, true),
        (refusal(50_000), Kind::PlatformFailed, true),
        ((200, "<html>".into()), Kind::PlatformFailed, true),
        ((503, String::new()), Kind::PlatformFailed, true),
        ((0, String::new()), Kind::PlatformTimeout, true),
    ] {
        let error = revoked(response.clone()).await.0.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{response:?}");
        let shown = format!("{error:?}");
        assert!(!shown.contains("the-token") && !shown.contains("secret"), "{shown}");
    }
}
