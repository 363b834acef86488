//! Authorization codes and tokens.

use crate::client::{Response, TestServer, basic, form};
use serde_json::json;

const QUERY: &str = "SELECT customer.id FROM customer";

fn error(response: &Response) -> (u16, String) {
    (response.status, response.json()["error"].as_str().unwrap().to_owned())
}

fn bad(code: &str) -> (u16, String) {
    (400, code.to_owned())
}

#[tokio::test]
async fn a_code_is_exchanged_for_an_access_and_a_refresh_token() {
    let server = TestServer::new().await;
    let code = server.approve(&[], &[]).await;
    let response = server.exchange(&code, &[]).await;
    assert_eq!(response.status, 200, "{}", response.text);
    assert_eq!(response.headers["cache-control"], "no-store");
    let body = response.json();
    assert!(body["access_token"].as_str().unwrap().starts_with("ya29."));
    assert!(body["refresh_token"].as_str().unwrap().starts_with("1//"));
    assert_eq!((&body["expires_in"], &body["token_type"]), (&json!(3599), &json!("Bearer")));
    assert_eq!(body["scope"], "https://www.googleapis.com/auth/adwords");
    let response = server.search(body["access_token"].as_str().unwrap(), QUERY).await.unwrap();
    assert_eq!(response.status, 200, "{}", response.text);
}

#[tokio::test]
async fn a_refresh_keeps_the_refresh_token_and_does_not_repeat_it() {
    let server = TestServer::new().await;
    let (access, refresh) = server.connect().await;
    for _ in 0..2 {
        let body = server.refresh(&refresh).await.json();
        assert_eq!(body.get("refresh_token"), None);
        assert_ne!(body["access_token"], json!(access));
    }
    assert_eq!(error(&server.refresh("1//never").await), bad("invalid_grant"));
}

#[tokio::test]
async fn the_client_may_use_a_basic_header_and_must_send_a_form() {
    let server = TestServer::new().await;
    let (_, refresh) = server.connect().await;
    let basic = basic("alpha_ads", sandbox::client("alpha_ads").unwrap().secret);
    let body = form(&[("grant_type", "refresh_token"), ("refresh_token", &refresh)]);
    let status = async |kind: &str| {
        let headers = [("content-type", kind), ("authorization", basic.as_str())];
        server.send("POST", "/alpha_ads/token", &headers, &body).await.unwrap().status
    };
    assert_eq!(status("application/x-www-form-urlencoded").await, 200);
    assert_eq!(status("application/json").await, 400);
    assert_eq!(server.get("/alpha_ads/token").await.status, 405);
}

#[tokio::test]
async fn a_refresh_token_needs_offline_access_and_a_new_consent() {
    let server = TestServer::new().await;
    let tokens = async |changes: &[(&str, &str)]| {
        let code = server.approve(changes, &[]).await;
        server.exchange(&code, &[]).await.json()
    };
    assert!(tokens(&[("access_type", "")]).await.get("refresh_token").is_none());
    let first = tokens(&[("prompt", "")]).await;
    assert!(first.get("refresh_token").is_some());
    assert!(tokens(&[("prompt", "")]).await.get("refresh_token").is_none());
    assert!(tokens(&[("prompt", "select_account consent")]).await.get("refresh_token").is_some());
}

#[tokio::test]
async fn a_grant_is_revoked_once() {
    let server = TestServer::new().await;
    let (access, refresh) = server.connect().await;
    let (other, _) = server.connect().await;
    let revoke = async |token: &str| server.submit("/alpha_ads/revoke", &[("token", token)]).await;
    assert_eq!(revoke(&refresh).await.status, 200);
    assert_eq!(error(&revoke(&access).await), bad("invalid_token"));
    assert_eq!(error(&revoke("ya29.never").await), bad("invalid_token"));
    assert_eq!(error(&server.refresh(&refresh).await), bad("invalid_grant"));
    assert_eq!(server.search(&access, QUERY).await.unwrap().status, 401);
    assert_eq!(server.search(&other, QUERY).await.unwrap().status, 200);
}
