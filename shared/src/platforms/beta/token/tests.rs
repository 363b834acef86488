use super::*;
use crate::platforms::beta::Beta;
use crate::platforms::beta::tests::{account, error};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::{AdPlatform, RevokedGrant};
use serde_json::json;
use std::collections::HashMap;

fn call(fake: &Fake) -> CallContext {
    fake.session_of(Platform::Beta, account()).call
}

fn issued(token: &str, seconds: u64) -> ScriptedResponse {
    ok(json!({"access_token": token, "token_type": "bearer", "expires_in": seconds}))
}

async fn exchanged(fake: &Fake) -> Result<Tokens, Error> {
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    Beta.exchange(&call(fake), exchange).await
}

fn form(request: &OutboundRequest) -> HashMap<String, String> {
    url::form_urlencoded::parse(&request.body).into_owned().collect()
}

/// A platform that issues a short-lived token and a long-lived one, and answers this about permissions.
fn consented(permissions: ScriptedResponse) -> Fake {
    Fake::new(move |request| match (request.line.contains("/me/permissions"), request.text.contains("code=")) {
        (true, _) => permissions.clone(),
        (false, true) => issued("short", 3_600),
        (false, false) => issued("long", 5_184_000),
    })
}

fn permissions(rows: &[(&str, &str)]) -> ScriptedResponse {
    let row = |(permission, status): &(&str, &str)| json!({"permission": permission, "status": status});
    ok(json!({"data": rows.iter().map(row).collect::<Vec<_>>()}))
}

#[tokio::test]
async fn a_code_becomes_a_long_lived_token_which_is_the_refresh_token_too() {
    let fake = consented(permissions(&[("ads_management", "granted"), ("ads_read", "granted")]));
    let tokens = exchanged(&fake).await.unwrap();
    assert!(tokens.missing_scopes(FLOW.scopes).is_empty());
    assert_eq!(tokens.access_token.expose_secret(), "long");
    assert_eq!(tokens.refresh_token.unwrap().expose_secret(), "long");
    let (asked, issued): (Vec<ReceivedRequest>, Vec<ReceivedRequest>) =
        fake.requests().into_iter().partition(|request| request.line.starts_with("GET "));
    assert_eq!((asked.len(), issued.len()), (1, 2));
    assert!(asked[0].line.starts_with("GET /v26.0/me/permissions?appsecret_proof="), "{}", asked[0].line);
    assert!(asked[0].headers.contains("authorization: bearer short\r"), "{}", asked[0].headers);
    for request in issued {
        assert_eq!(request.line, "POST /v26.0/oauth/access_token HTTP/1.1", "no secret in the address");
        assert!(request.headers.contains("content-type: application/x-www-form-urlencoded"));
    }
}

#[tokio::test(start_paused = true)]
async fn only_a_permission_that_is_said_to_be_declined_is_missing() {
    for (answer, missing) in [
        (permissions(&[("ads_management", "declined"), ("ads_read", "granted")]), vec!["ads_management"]),
        (permissions(&[("ads_management", "granted"), ("ads_read", "expired")]), vec!["ads_read"]),
        (permissions(&[("ads_management", "declined"), ("ads_read", "declined")]), vec!["ads_management", "ads_read"]),
        (permissions(&[("email", "declined"), ("ads_read", "pending")]), vec![]),
        (permissions(&[]), vec![]),
        (ok(json!({"data": [{"permission": 7}]})), vec![]),
        (ok(json!([])), vec![]),
        ((400, error("app-limit")), vec![]),
        ((500, String::new()), vec![]),
        ((0, String::new()), vec![]),
    ] {
        let tokens = exchanged(&consented(answer.clone())).await.unwrap();
        assert_eq!(tokens.access_token.expose_secret(), "long", "{answer:?}");
        assert_eq!(tokens.missing_scopes(FLOW.scopes), missing, "{answer:?}");
    }
}

#[tokio::test]
async fn a_refresh_is_an_exchange_of_the_long_lived_token_for_a_newer_one() {
    let fake = Fake::answering(vec![issued("newer", 5_184_000), ok(json!({"access_token": "t"}))]);
    let tokens = Beta.refresh(&call(&fake), &"long".into()).await.unwrap();
    assert_eq!(tokens.access_token.expose_secret(), "newer");
    assert_eq!(tokens.refresh_token.unwrap().expose_secret(), "newer");
    let (life, held_back) = (Duration::from_secs(5_184_000), Duration::from_secs(518_400));
    assert_eq!(tokens.ttl, Some(life - held_back), "renewed while it lives, because afterwards it cannot be");
    let unsaid = Beta.refresh(&call(&fake), &"long".into()).await.unwrap();
    assert_eq!(unsaid.ttl, Some(FLOW.default_ttl - FLOW.default_ttl / 10));
}

#[test]
fn tokens_are_requested_with_the_published_parameters() {
    let call = call(&Fake::answering(vec![]));
    let (code, token) = ("c&d".into(), "long".into());
    let of_code = form(&request(&call, Grant::Code { code: &code, redirect_uri: "https://us.example/callback?a=b" }));
    let expected = [
        ("client_id", "id"),
        ("client_secret", "secret"),
        ("redirect_uri", "https://us.example/callback?a=b"),
        ("code", "c&d"),
    ];
    assert_eq!(of_code, HashMap::from(expected.map(|(key, value)| (key.into(), value.into()))));
    let of_token = form(&request(&call, Grant::Token(&token)));
    assert_eq!(of_token["grant_type"], "fb_exchange_token");
    assert_eq!(of_token["fb_exchange_token"], "long");
}

#[tokio::test(start_paused = true)]
async fn a_revoked_grant_is_told_from_our_own_client_and_from_a_failure() {
    let cases = [
        (400, error("token-expired"), Kind::TokenExpired, false),
        (401, error("token-revoked"), Kind::TokenExpired, false),
        (400, error("client-secret"), Kind::Forbidden, false),
        (500, error("unknown"), Kind::PlatformFailed, true),
        (400, error("service-unavailable"), Kind::PlatformFailed, true),
        (400, error("app-limit"), Kind::RateLimited, true),
        (400, error("name-blamed"), Kind::Forbidden, false),
        (403, error("permission-denied"), Kind::Forbidden, false),
        (400, error("token-malformed"), Kind::TokenExpired, false),
        (400, error("permission-before-page"), Kind::Forbidden, false),
        (400, error("app-deleted"), Kind::PlatformFailed, false),
        (400, error("version-retired"), Kind::PlatformFailed, false),
        (400, error("signature-wrong"), Kind::PlatformFailed, false),
        (401, String::new(), Kind::PlatformFailed, true),
        (500, String::new(), Kind::PlatformFailed, true),
        (400, "<html>".into(), Kind::PlatformFailed, true),
        (200, "{}".into(), Kind::PlatformFailed, true),
        (200, r#"{"access_token":""}"#.into(), Kind::PlatformFailed, true),
        (200, error("token-expired"), Kind::TokenExpired, false),
        (0, String::new(), Kind::PlatformTimeout, true),
    ];
    for (status, body, kind, retryable) in cases {
        let fake = Fake::answering(vec![(status, body.clone())]);
        let error = Beta.refresh(&call(&fake), &"long".into()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert_eq!(error.platform, Some(Platform::Beta));
    }
}

#[tokio::test]
async fn a_refused_code_is_told_from_a_wrong_redirect_address() {
    let used = exchanged(&Fake::answering(vec![(400, error("code-used"))])).await.unwrap_err();
    assert_eq!((used.kind, used.platform_error.unwrap().code.as_deref()), (Kind::TokenExpired, Some("100/36009")));
    let mismatch = exchanged(&Fake::answering(vec![(400, error("redirect-mismatch"))])).await.unwrap_err();
    assert_eq!(mismatch.kind, Kind::Forbidden);
}

#[tokio::test]
async fn no_token_gets_into_an_error() {
    let refusal = json!({"error": {"code": 190, "message": "bad token the-long-one, secret"}}).to_string();
    for (status, body) in [(400, refusal), (200, r#"{"access_token":{"x":"the-long-one"}}"#.into())] {
        let fake = Fake::answering(vec![(status, body)]);
        let error = Beta.refresh(&call(&fake), &"the-long-one".into()).await.unwrap_err();
        assert!(!format!("{error:?}").contains("the-long-one"), "{error:?}");
    }
}

async fn revoked(response: ScriptedResponse) -> (Result<(), Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(vec![response]);
    let grant = RevokedGrant { access_token: "access-secret".into(), refresh_token: Some("access-secret".into()) };
    let outcome = Beta.revoke(&call(&fake), &grant).await;
    (outcome, fake.requests())
}

#[tokio::test]
async fn a_revocation_takes_all_permissions_back() {
    let (outcome, requests) = revoked(ok(json!({"success": true}))).await;
    outcome.unwrap();
    let proof = "7dc0bdcd1353df1382081860204f621422cd8cc43fc18d2c7c4eec9d955faadf";
    assert_eq!(requests[0].line, format!("DELETE /v26.0/me/permissions?appsecret_proof={proof} HTTP/1.1"));
    assert!(requests[0].headers.contains("authorization: bearer access-secret\r"), "{}", requests[0].headers);
    assert_eq!((requests[0].text.as_str(), requests.len()), ("", 1));
}

#[tokio::test(start_paused = true)]
async fn only_a_grant_that_is_revoked_already_counts_as_ended() {
    for (status, body) in [(400, "token-expired"), (401, "token-revoked"), (200, "token-app-removed")] {
        revoked((status, error(body))).await.0.unwrap_or_else(|error| panic!("{body}: {error:?}"));
    }
    let repeated = json!({"error": {"code": 200, "message": "access-secret and secret"}}).to_string();
    let cases = [
        (403, error("permission-denied"), Kind::Forbidden, false),
        (400, repeated, Kind::Forbidden, false),
        (400, error("user-limit"), Kind::RateLimited, true),
        (200, r#"{"success":false}"#.into(), Kind::PlatformFailed, true),
        (200, "<html>".into(), Kind::PlatformFailed, true),
        (503, String::new(), Kind::PlatformFailed, true),
        (0, String::new(), Kind::PlatformTimeout, true),
    ];
    for (status, body, kind, retryable) in cases {
        let error = revoked((status, body.clone())).await.0.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
