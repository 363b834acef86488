use super::super::tests::support::session;
use super::*;
use crate::platforms::fake::{Fake, ScriptedResponse};

async fn refreshed(response: ScriptedResponse) -> Result<Tokens, Error> {
    let fake = Fake::answering(vec![response]);
    refresh(&session(&fake).call, &"pinr.old".into()).await
}

#[tokio::test]
async fn a_refresh_returns_a_new_refresh_token_each_time() {
    let tokens = refreshed((200, include_str!("../fixtures/issued.json").into())).await.unwrap();
    assert_eq!(tokens.access_token.expose_secret(), "pina_new");
    assert_eq!(tokens.refresh_token.as_ref().map(ExposeSecret::expose_secret), Some("pinr.new"));
    assert_eq!(tokens.ttl, Some(Duration::from_secs(2_592_000)));
    let bare = refreshed((200, r#"{"access_token":"pina_x"}"#.into())).await.unwrap();
    assert!(bare.refresh_token.is_none(), "the old one stays");
    assert_eq!(bare.ttl, Some(FLOW.default_ttl));
}

#[tokio::test]
async fn the_client_proves_itself_by_basic_authentication_and_never_in_the_body() {
    let fake = Fake::answering(vec![(200, include_str!("../fixtures/issued.json").into()); 2]);
    let session = session(&fake);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let code = CodeExchange { code: &code, redirect_uri: "https://us.example/c?a=b", verifier: &verifier };
    exchange(&session.call, code).await.unwrap();
    refresh(&session.call, &"pinr.old".into()).await.unwrap();
    for (request, form) in fake.requests().iter().zip([
        "grant_type=authorization_code&code=the-code&redirect_uri=https%3A%2F%2Fus.example%2Fc%3Fa%3Db",
        "grant_type=refresh_token&refresh_token=pinr.old",
    ]) {
        assert_eq!(request.line, "POST /v5/oauth/token HTTP/1.1");
        // The headers were put in lower case, and base64 has two cases.
        let proof = STANDARD.encode("id:secret").to_ascii_lowercase();
        assert!(request.headers.contains(&format!("authorization: basic {proof}")), "{}", request.headers);
        assert!(request.headers.contains("content-type: application/x-www-form-urlencoded"));
        assert_eq!(request.text, form);
    }
}

#[tokio::test(start_paused = true)]
async fn a_dead_grant_a_wrong_client_and_a_failure_are_told_apart() {
    let cases: [(u16, &str, Kind, bool); 17] = [
        (401, r#"{"code":283,"message":"The authorization grant is invalid"}"#, Kind::TokenExpired, false),
        (400, r#"{"code":"283","message":"The client's grant is invalid"}"#, Kind::TokenExpired, false),
        (401, r#"{"error":"invalid_grant"}"#, Kind::TokenExpired, false),
        (401, r#"{"code":2,"message":"Authentication failed."}"#, Kind::Forbidden, false),
        (400, r#"{"code":1,"message":"The refresh token is invalid."}"#, Kind::TokenExpired, false),
        (400, r#"{"error":"invalid_grant"}"#, Kind::TokenExpired, false),
        (401, r#"{"error":"invalid_client"}"#, Kind::Forbidden, false),
        (401, r#"{"code":2,"message":"Invalid client credentials."}"#, Kind::Forbidden, false),
        (400, r#"{"code":1,"message":"redirect_uri does not match."}"#, Kind::Forbidden, false),
        (403, r#"{"code":29,"message":"Not permitted."}"#, Kind::Forbidden, false),
        (429, r#"{"code":8,"message":"Slow down."}"#, Kind::RateLimited, true),
        (500, r#"{"code":2,"message":"Authentication failed."}"#, Kind::PlatformFailed, true),
        (503, "", Kind::PlatformFailed, true),
        (401, "<html>", Kind::PlatformFailed, true),
        (302, "", Kind::PlatformFailed, true),
        (200, r#"{"token_type":"bearer"}"#, Kind::PlatformFailed, true),
        (0, "", Kind::PlatformTimeout, true),
    ];
    for (status, body, kind, retryable) in cases {
        let error = refreshed((status, body.into())).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{status} {body}");
        assert_eq!(error.platform, Some(Platform::Epsilon), "{status} {body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_401_without_a_known_code_ends_a_grant_only_for_a_known_client() {
    let unclear = (401, r#"{"code":1,"message":"Authentication failed."}"#.to_owned());
    let incomplete = (400, r#"{"code":1,"message":"refresh_token is required"}"#.to_owned());
    let cases = [
        (incomplete, Kind::TokenExpired),
        ((401, r#"{"code":283,"message":"The authorization grant is invalid"}"#.to_owned()), Kind::TokenExpired),
        ((401, r#"{"code":2,"message":"Authentication failed."}"#.to_owned()), Kind::Forbidden),
        (unclear.clone(), Kind::Forbidden),
        ((0, String::new()), Kind::Forbidden),
    ];
    for (probed, kind) in cases {
        let fake = Fake::answering(vec![unclear.clone(), probed]);
        let error = refresh(&session(&fake).call, &"pinr.old".into()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, false));
        assert_eq!(fake.requests()[1].text, "grant_type=refresh_token");
    }
}

#[tokio::test]
async fn a_known_code_decides_without_a_second_request() {
    for (code, kind) in [(283, Kind::TokenExpired), (2, Kind::Forbidden)] {
        let fake = Fake::new(move |_| (401, format!(r#"{{"code":{code},"message":"Anything at all."}}"#)));
        let session = session(&fake);
        let error = refresh(&session.call, &"pinr.old".into()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, false), "{code}");
        let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
        let used = CodeExchange { code: &code, redirect_uri: "https://us.example/c", verifier: &verifier };
        assert_eq!(exchange(&session.call, used).await.unwrap_err().kind, kind);
        assert_eq!(fake.requests().len(), 2, "one for the refresh, one for the code");
    }
}

#[tokio::test]
async fn secrets_that_the_endpoint_repeats_are_removed() {
    let error = refreshed((400, r#"{"code":1,"message":"pinr.old is dead"}"#.into())).await.unwrap_err();
    assert!(!format!("{error:?}").contains("pinr.old"), "{error:?}");
}

#[tokio::test]
async fn a_client_blamed_in_the_data_does_not_end_the_grant() {
    let blamed = |data: &str| format!(r#"{{"code":283,"data":{data},"message":"The authorization grant is invalid"}}"#);
    for status in [400, 401] {
        let error = refreshed((status, blamed("\"Invalid Application ID\""))).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::Forbidden, false), "{status}");
        for data in ["null", "\"\"", "{}", "7", "\"Expired\""] {
            let error = refreshed((status, blamed(data))).await.unwrap_err();
            assert_eq!((error.kind, error.retryable), (Kind::TokenExpired, false), "{status} {data}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_blames_the_client_does_not_say_that_it_is_known() {
    let unclear = (401, r#"{"code":1,"message":"Authentication failed."}"#.to_owned());
    for refusal in [r#"{"code":283,"data":"Invalid Application ID"}"#, r#"{"code":1,"message":"Unknown client."}"#] {
        let fake = Fake::answering(vec![unclear.clone(), (400, refusal.to_owned())]);
        let error = refresh(&session(&fake).call, &"pinr.old".into()).await.unwrap_err();
        assert_eq!(error.kind, Kind::Forbidden, "{refusal}");
    }
}

#[tokio::test]
async fn a_lifetime_of_another_form_does_not_lose_the_tokens() {
    for (expires_in, seconds) in [("\"3600\"", 3_600), ("null", 2_592_000), ("-1", 2_592_000), ("\"soon\"", 2_592_000)]
    {
        let body = format!(r#"{{"access_token":"pina_x","refresh_token":"pinr.x","expires_in":{expires_in}}}"#);
        let tokens = refreshed((200, body)).await.unwrap();
        assert_eq!(tokens.ttl, Some(Duration::from_secs(seconds)), "{expires_in}");
        assert!(tokens.refresh_token.is_some(), "the old one is used up");
    }
}
