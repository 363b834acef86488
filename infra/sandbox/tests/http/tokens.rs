//! Codes and tokens.

use crate::client::{Answer, REDIRECT, Scene, form};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

const QUERY: &str = "SELECT customer.id FROM customer";

fn error(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["error"].as_str().unwrap().to_owned())
}

fn bad(code: &str) -> (u16, String) {
    (400, code.to_owned())
}

#[tokio::test]
async fn a_code_becomes_an_access_and_a_refresh_token() {
    let scene = Scene::new().await;
    let code = scene.approve(&[], &[]).await;
    let answer = scene.exchange(&code, &[]).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.headers["cache-control"], "no-store");
    let body = answer.json();
    assert!(body["access_token"].as_str().unwrap().starts_with("ya29."));
    assert!(body["refresh_token"].as_str().unwrap().starts_with("1//"));
    assert_eq!((&body["expires_in"], &body["token_type"]), (&json!(3599), &json!("Bearer")));
    assert_eq!(body["scope"], "https://www.googleapis.com/auth/adwords");
    let answer = scene.search(body["access_token"].as_str().unwrap(), QUERY).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text);
}

#[tokio::test]
async fn a_refresh_answers_with_no_refresh_token_and_the_old_one_stays() {
    let scene = Scene::new().await;
    let (access, refresh) = scene.connect().await;
    for _ in 0..2 {
        let body = scene.refresh(&refresh).await.json();
        assert_eq!(body.get("refresh_token"), None);
        assert_ne!(body["access_token"], json!(access));
    }
    assert_eq!(error(&scene.refresh("1//never").await), bad("invalid_grant"));
}

#[tokio::test]
async fn the_exchange_is_exact_about_address_verifier_and_client() {
    let scene = Scene::new().await;
    let code = scene.approve(&[], &[]).await;
    let other = format!("{REDIRECT}/");
    for (changes, expected) in [
        ([("redirect_uri", other.as_str())], bad("redirect_uri_mismatch")),
        ([("redirect_uri", "")], bad("invalid_request")),
        ([("code_verifier", "")], bad("invalid_grant")),
        ([("code_verifier", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")], bad("invalid_grant")),
        ([("client_secret", "wrong")], (401, "invalid_client".to_owned())),
        ([("client_id", "wrong")], (401, "invalid_client".to_owned())),
        ([("client_secret", "")], bad("invalid_request")),
        ([("grant_type", "password")], bad("unsupported_grant_type")),
        ([("grant_type", "")], bad("invalid_request")),
        ([("code", "4/0Anever")], bad("invalid_grant")),
    ] {
        assert_eq!(error(&scene.exchange(&code, &changes).await), expected, "{changes:?}");
    }
    assert_eq!(scene.exchange(&code, &[]).await.status, 200);
}

#[tokio::test]
async fn the_client_may_come_in_a_basic_header_and_the_body_only_as_a_form() {
    let scene = Scene::new().await;
    let (_, refresh) = scene.connect().await;
    let client = sandbox::client("alpha_ads").unwrap();
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", client.id, client.secret)));
    let body = form(&[("grant_type", "refresh_token"), ("refresh_token", &refresh)]);
    let status = async |kind: &str| {
        let headers = [("content-type", kind), ("authorization", basic.as_str())];
        scene.send("POST", "/alpha_ads/token", &headers, &body).await.unwrap().status
    };
    assert_eq!(status("application/x-www-form-urlencoded").await, 200);
    assert_eq!(status("application/json").await, 400);
    assert_eq!(scene.get("/alpha_ads/token").await.status, 405);
}

#[tokio::test]
async fn a_replayed_code_kills_what_it_gave() {
    let scene = Scene::new().await;
    let code = scene.approve(&[], &[]).await;
    let tokens = scene.exchange(&code, &[]).await.json();
    assert_eq!(error(&scene.exchange(&code, &[]).await), bad("invalid_grant"));
    let refreshed = scene.refresh(tokens["refresh_token"].as_str().unwrap()).await;
    assert_eq!(error(&refreshed), bad("invalid_grant"));
    assert_eq!(refreshed.json()["error_description"], "Token has been expired or revoked.");
    let answer = scene.search(tokens["access_token"].as_str().unwrap(), QUERY).await.unwrap();
    assert_eq!(answer.status, 401);
    assert!(answer.text.contains("OAUTH_TOKEN_REVOKED"), "{}", answer.text);
}

#[tokio::test]
async fn a_refresh_token_comes_offline_and_again_only_with_prompt_consent() {
    let scene = Scene::new().await;
    let tokens = async |changes: &[(&str, &str)]| {
        let code = scene.approve(changes, &[]).await;
        scene.exchange(&code, &[]).await.json()
    };
    assert!(tokens(&[("access_type", "")]).await.get("refresh_token").is_none());
    let first = tokens(&[("prompt", "")]).await;
    assert!(first.get("refresh_token").is_some());
    assert!(tokens(&[("prompt", "")]).await.get("refresh_token").is_none());
    assert!(tokens(&[("prompt", "select_account consent")]).await.get("refresh_token").is_some());
}

#[tokio::test]
async fn revoking_ends_a_grant_once() {
    let scene = Scene::new().await;
    let (access, refresh) = scene.connect().await;
    let (other, _) = scene.connect().await;
    let revoke = async |token: &str| scene.submit("/alpha_ads/revoke", &[("token", token)]).await;
    assert_eq!(revoke(&refresh).await.status, 200);
    assert_eq!(error(&revoke(&access).await), bad("invalid_token"));
    assert_eq!(error(&revoke("ya29.never").await), bad("invalid_token"));
    assert_eq!(error(&scene.refresh(&refresh).await), bad("invalid_grant"));
    assert_eq!(scene.search(&access, QUERY).await.unwrap().status, 401);
    assert_eq!(scene.search(&other, QUERY).await.unwrap().status, 200);
}

#[tokio::test]
async fn an_access_token_lives_as_long_as_set() {
    let scene = Scene::new().await;
    scene.control("settings", json!({ "platform": "alpha_ads", "access_token_ttl_s": 0 })).await;
    let (access, refresh) = scene.connect().await;
    let answer = scene.search(&access, QUERY).await.unwrap();
    assert_eq!(answer.status, 401);
    assert!(answer.text.contains("OAUTH_TOKEN_EXPIRED"), "{}", answer.text);
    scene.control("settings", json!({ "platform": "alpha_ads", "access_token_ttl_s": 60 })).await;
    let body = scene.refresh(&refresh).await.json();
    assert_eq!(body["expires_in"], 60);
}
