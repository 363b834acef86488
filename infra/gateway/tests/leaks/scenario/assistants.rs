//! A person who signs in for an assistant: the cookies, the code, the tokens, and where each is sent once more.

use crate::leaks::fixture::Fixture;
use crate::person::{AGENTS, Person, REVOKE, TOKEN, Tokens, VERIFIER, exchange_form, refresh_form};
use http::StatusCode;
use serde_json::Value;
use shared::outbound::OutboundResponse;
use url::Url;

/// A sign-in, a refresh, replays of a token and of a code, another sign-in, and a sign-out.
pub(crate) async fn run(fixture: &Fixture) {
    fixture.record_secret("PKCE verifier", VERIFIER);
    let mut person = Person::signed_in(&fixture.url).await;
    let first = person.allow(None).await;
    let mut tokens = vec![person.tokens(&exchange_form(&first)).await];
    let listed = fixture.call("GET", "/v1/api-keys", &Value::Null).await;
    let listed: Value = serde_json::from_slice(&listed.body).unwrap();
    let mut keys = listed["api_keys"].as_array().unwrap().iter();
    let key = keys.find(|key| key["assistant"] == true).unwrap()["id"].as_str().unwrap();
    // The answer to a refresh is lost, and the program sends it again.
    for _ in 0..2 {
        tokens.push(person.tokens(&refresh_form(&tokens[0].refresh)).await);
    }
    assert_eq!(person.call(&tokens[1].access).await, StatusCode::OK);
    refused(&mut person, &exchange_form(&first)).await;
    refused(&mut person, &refresh_form(&tokens[1].refresh)).await;
    assert_eq!(person.call(&tokens[1].access).await, StatusCode::UNAUTHORIZED);
    let second = person.allow(Some(key)).await;
    tokens.push(person.tokens(&exchange_form(&second)).await);
    // In each other's place, and where nothing belongs.
    let last = tokens.last().unwrap().clone();
    for misplaced in [exchange_form(&last.refresh), refresh_form(&last.access), refresh_form(&second)] {
        refused(&mut person, &misplaced).await;
    }
    assert_eq!(person.call(&last.refresh).await, StatusCode::UNAUTHORIZED);
    let in_address = format!("/v1/mcp?access_token={}", last.access);
    assert!(person.get(&in_address).await.status.is_client_error());
    let answer = person.send(REVOKE, &format!("token={}", last.access)).await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(person.call(&last.access).await, StatusCode::UNAUTHORIZED);
    person.page(AGENTS).await;
    for answer in &person.heard {
        fixture.record_response(answer, &shown(answer));
    }
}

async fn refused(person: &mut Person, form: &str) {
    assert_eq!(person.send(TOKEN, form).await.unwrap().status, StatusCode::BAD_REQUEST);
}

/// The secrets that belong into an answer.
fn shown(answer: &OutboundResponse) -> Vec<(&'static str, String)> {
    const COOKIES: [(&str, &str); 3] = [
        ("__Host-session=", "cookie __Host-session"),
        ("__Host-connect=", "cookie __Host-connect"),
        ("__Host-sign-in=", "cookie __Host-sign-in"),
    ];
    let mut shown = Vec::new();
    for cookie in answer.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().unwrap();
        let value = |name: &str| Some(cookie.strip_prefix(name)?.split(';').next()?.to_owned());
        let known = COOKIES.iter().find_map(|(name, kind)| Some((*kind, value(name)?)));
        shown.extend(known.filter(|(_, value)| !value.is_empty()));
    }
    if let Some(to) = answer.headers.get("location").and_then(|to| Url::parse(to.to_str().unwrap()).ok()) {
        let parameter = |wanted: &str| to.query_pairs().find(|(name, _)| name == wanted);
        let is_to_program = parameter("iss").is_some();
        let code = parameter("code").filter(|_| is_to_program).map(|(_, value)| value.into_owned());
        shown.extend(code.map(|code| ("code of a consent", code)));
    }
    if let Some(Tokens { access, refresh }) = Tokens::of(answer) {
        shown.extend([("access token", access), ("refresh token", refresh)]);
    }
    shown
}
