mod calls;

use super::*;
use crate::error::Kind;
use crate::platforms::fake::{Fake, ok};
use crate::platforms::oauth::AuthorizeRequest;
use crate::platforms::revocation::tests::assert_revokes;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

fn session(fake: &Fake) -> AccountSession {
    fake.session_of(Platform::Delta, translate::tests::account())
}

fn tokens(extra: Value) -> Value {
    let mut response = json!({"access_token": "AQX", "expires_in": 5_184_000, "scope": "r_ads,rw_ads,r_ads_reporting"});
    response.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    response
}

#[test]
fn the_consent_page_gets_its_scopes_with_spaces_and_no_challenge() {
    let fake = Fake::answering(vec![]);
    let session = session(&fake);
    let (state, verifier) = ("state".into(), "v".repeat(43).into());
    let request = AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
    let url = url::Url::parse(&Delta.authorize_url(&session.call.config, &request).unwrap()).unwrap();
    assert_eq!(url.path(), "/oauth/v2/authorization");
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(parameter("scope").as_deref(), Some("r_ads rw_ads r_ads_reporting"));
    assert_eq!(parameter("response_type").as_deref(), Some("code"));
    assert_eq!((parameter("code_challenge"), parameter("code_challenge_method")), (None, None));
}

#[tokio::test]
async fn an_exchange_has_the_secret_in_its_body_and_needs_no_refresh_token() {
    let fake = Fake::answering(vec![ok(tokens(json!({})))]);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    let tokens = Delta.exchange(&session(&fake).call, exchange).await.unwrap();
    assert_eq!(tokens.access_token.expose_secret(), "AQX");
    assert_eq!(tokens.ttl, Some(Duration::from_secs(5_184_000)));
    assert!(tokens.refresh_token.is_none(), "only approved applications get one");
    let request = &fake.requests()[0];
    assert!(request.line.starts_with("POST /oauth/v2/accessToken "), "{}", request.line);
    assert!(!request.headers.contains("authorization:"), "{}", request.headers);
    for part in ["grant_type=authorization_code", "code=the-code", "client_id=id", "client_secret=secret"] {
        assert!(request.text.contains(part), "{part} in {}", request.text);
    }
    assert!(!request.text.contains("code_verifier"), "{}", request.text);
}

#[tokio::test]
async fn a_code_that_has_ended_means_authorize_again() {
    let refused = |error: &str| json!({"error": error, "error_description": "Unable to retrieve access token"});
    for (status, error, kind) in [
        (400, "invalid_redirect_uri", Kind::TokenExpired),
        (401, "invalid_redirect_uri", Kind::TokenExpired),
        (400, "invalid_request", Kind::TokenExpired),
        (401, "invalid_request", Kind::TokenExpired),
        (400, "invalid_grant", Kind::TokenExpired),
        (401, "invalid_client", Kind::Forbidden),
        (400, "unauthorized_client", Kind::Forbidden),
    ] {
        let fake = Fake::answering(vec![(status, refused(error).to_string())]);
        let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
        let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
        let outcome = Delta.exchange(&session(&fake).call, exchange).await.unwrap_err();
        assert_eq!((outcome.kind, outcome.platform), (kind, Some(Platform::Delta)), "{status} {error}");
        assert_eq!(outcome.platform_error.unwrap().code.as_deref(), Some(error), "the platform's code is kept");
    }
}

#[tokio::test]
async fn a_refresh_keeps_the_refresh_token_whose_end_does_not_move() {
    let again = json!({"refresh_token": "AQR", "refresh_token_expires_in": 1_000});
    let fake = Fake::answering(vec![ok(tokens(again))]);
    let tokens = Delta.refresh(&session(&fake).call, &"AQR".into()).await.unwrap();
    assert_eq!(tokens.refresh_token.unwrap().expose_secret(), "AQR");
    assert_eq!(tokens.ttl, Some(Duration::from_secs(5_184_000)), "the life of the access token alone");
    assert!(fake.requests()[0].text.contains("grant_type=refresh_token"));
}

#[tokio::test]
async fn a_refused_refresh_says_whether_the_grant_has_ended() {
    let description = "The provided authorization grant or refresh token is invalid, expired or revoked.";
    let cases = [
        (400, json!({"error": "invalid_grant", "error_description": description}), Kind::TokenExpired),
        (400, json!({"error": "invalid_request", "error_description": description}), Kind::TokenExpired),
        (
            400,
            json!({"error": "invalid_request", "error_description": "A required parameter is missing"}),
            Kind::Forbidden,
        ),
        (401, json!({"error": "invalid_client", "error_description": "Client authentication failed"}), Kind::Forbidden),
        (500, json!({}), Kind::PlatformFailed),
        (429, json!({}), Kind::RateLimited),
    ];
    for (status, body, kind) in cases {
        let fake = Fake::answering(vec![(status, body.to_string())]);
        let error = Delta.refresh(&session(&fake).call, &"AQR".into()).await.unwrap_err();
        assert_eq!((error.kind, error.platform), (kind, Some(Platform::Delta)), "{body}");
    }
}

#[tokio::test]
async fn all_active_accounts_in_a_known_currency_are_found_page_by_page() {
    let row = |id: u32, status: &str, currency: &str| json!({"id": id, "name": format!("a{id}"), "status": status, "currency": currency, "test": false});
    let first = json!({
        "elements": [row(512_345_679, "ACTIVE", "EUR"), row(5, "CANCELED", "USD"), row(6, "DRAFT", "USD")],
        "metadata": {"nextPageToken": "a+b"},
    });
    let second = json!({
        "elements": [row(512_345_678, "ACTIVE", "USD"), row(7, "ACTIVE", "XAU"), row(8, "REMOVED", "USD")],
        "metadata": {},
    });
    let fake = Fake::answering(vec![ok(first), ok(second)]);
    let session = session(&fake);
    let found = Delta.accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|account| (account.id.as_str(), account.currency.code(), account.time_zone.as_str()))
        .collect();
    assert_eq!(seen, [("512345678", "USD", "UTC"), ("512345679", "EUR", "UTC")]);
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines[0], "GET /rest/adAccounts?q=search&pageSize=1000 HTTP/1.1");
    assert_eq!(lines[1], "GET /rest/adAccounts?q=search&pageSize=1000&pageToken=a%2Bb HTTP/1.1");
}

#[tokio::test]
async fn an_ad_account_survives_a_field_that_is_null_or_text() {
    let rows = json!([
        {"id": "7", "name": null, "status": "ACTIVE", "currency": "USD", "reference": null},
        {"id": 8, "status": "SOMETHING_NEW", "currency": "USD"},
        {"id": 9, "name": "nine", "status": "ACTIVE", "currency": null},
    ]);
    let fake = Fake::answering(vec![ok(json!({"elements": rows, "metadata": {}}))]);
    let session = session(&fake);
    let found = Delta.accounts(&session.call, &session.token).await.unwrap();
    assert_eq!(found.iter().map(|account| account.id.as_str()).collect::<Vec<_>>(), ["7"]);
}

#[tokio::test]
async fn accounts_that_cannot_be_read_to_the_end_are_an_error() {
    for body in [json!({"elements": []}), json!({"elements": [{"id": -1, "status": "ACTIVE"}], "metadata": {}})] {
        let fake = Fake::answering(vec![ok(body)]);
        let session = session(&fake);
        let error = Delta.accounts(&session.call, &session.token).await.unwrap_err();
        assert_eq!(error.kind, Kind::PlatformFailed);
    }
}

#[tokio::test]
async fn a_malformed_field_of_an_ad_account_loses_no_account() {
    let rows = json!([
        {"id": 7, "name": 7, "status": "ACTIVE", "currency": "USD", "test": "yes", "servingStatuses": 1},
        {"id": 8, "name": {"a": 1}, "status": "ACTIVE", "currency": "EUR"},
        {"id": 9, "name": "nine", "status": 1, "currency": ["USD"]},
    ]);
    let fake = Fake::answering(vec![ok(json!({"elements": rows, "metadata": {}}))]);
    let session = session(&fake);
    let found = Delta.accounts(&session.call, &session.token).await.unwrap();
    let seen: Vec<_> = found.iter().map(|account| (account.id.as_str(), account.name.as_str())).collect();
    assert_eq!(seen, [("7", "7"), ("8", "")]);
}

#[test]
fn the_notes_name_the_bidding_the_rounding_and_the_missing_page() {
    let notes = CAPABILITIES.notes.join("\n");
    for part in ["bids automatically", "billed by impressions", "rounded to", "without a page"] {
        assert!(notes.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_grant_is_revoked_with_the_client_in_the_form() {
    let form = |token| format!("token={token}&client_id=id&client_secret=secret");
    assert_revokes(Platform::Delta, "/oauth/v2/revoke", [&form("r%2Ft"), &form("a%26t")], None).await;
}
