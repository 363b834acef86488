//! Faults over HTTP.

use crate::client::TestServer;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const LIST: &str = "SELECT campaign.name FROM campaign WHERE campaign.status != 'REMOVED'";
const GET: &str = "SELECT campaign.name FROM campaign WHERE campaign.id = 21000000001";

async fn fault(server: &TestServer, operation: &str, fault: &str, ms: u64) {
    let order = json!({ "platform": "alpha_ads", "operation": operation, "fault": fault, "times": 1, "ms": ms });
    assert_eq!(server.control("faults", order).await.status, 200);
}

#[tokio::test]
async fn error_and_throttle_use_the_platforms_own_form() {
    let server = TestServer::new().await;
    let (access, refresh) = server.connect().await;
    fault(&server, "list", "error", 0).await;
    let response = server.search(&access, LIST).await.unwrap();
    assert_eq!((response.status, response.json()["error"]["status"].as_str()), (500, Some("INTERNAL")));
    fault(&server, "list", "throttle", 0).await;
    let response = server.search(&access, LIST).await.unwrap();
    assert_eq!(response.status, 429);
    let error = &response.json()["error"]["details"][0]["errors"][0];
    assert_eq!(error["errorCode"]["quotaError"], "RESOURCE_TEMPORARILY_EXHAUSTED");
    assert_eq!(error["details"]["quotaErrorDetails"]["retryDelay"], "30s");
    fault(&server, "refresh", "error", 0).await;
    let response = server.refresh(&refresh).await;
    assert_eq!((response.status, response.json()["error"].as_str()), (500, Some("internal_failure")));
    assert_eq!(server.search(&access, LIST).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_dropped_connection_closes_without_a_byte() {
    let server = TestServer::new().await;
    fault(&server, "any", "drop", 0).await;
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    let request = "POST /alpha_ads/token HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut received));
    let ended = read.await.unwrap();
    assert!(matches!(ended, Ok(0)) || ended.is_err(), "{ended:?}");
    assert!(received.is_empty());
}

#[tokio::test]
async fn drop_executes_nothing_and_drop_after_executes_the_request() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    fault(&server, "create", "drop", 0).await;
    assert!(server.create(&access, "Lost").await.is_err());
    assert!(server.names().await.is_empty());
    fault(&server, "create", "drop_after", 0).await;
    assert!(server.create(&access, "Unheard").await.is_err());
    assert_eq!(server.names().await, ["Unheard"]);
}

#[tokio::test]
async fn garbage_is_status_200_with_half_a_page() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    fault(&server, "create", "garbage", 0).await;
    let response = server.create(&access, "Sale").await.unwrap();
    assert_eq!(response.status, 200);
    assert!(serde_json::from_str::<serde_json::Value>(&response.text).is_err());
    assert!(server.names().await.is_empty());
}

#[tokio::test]
async fn front_is_a_page_with_the_status_that_was_asked_for() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    for (ordered, status) in [(None, 403), (Some(400), 400), (Some(599), 599)] {
        let mut order = json!({ "platform": "alpha_ads", "operation": "create", "fault": "front", "times": 1 });
        if let Some(ordered) = ordered {
            order["status"] = json!(ordered);
        }
        let response = server.control("faults", order).await;
        assert_eq!((response.status, &response.json()["faults"][0]["status"]), (200, &json!(status)));
        let response = server.create(&access, "Sale").await.unwrap();
        assert_eq!(response.status, status);
        assert!(response.text.starts_with("<html>"), "{}", response.text);
    }
    assert!(server.names().await.is_empty());
}

#[tokio::test]
async fn a_revoked_grant_needs_a_new_consent() {
    let server = TestServer::new().await;
    let (access, refresh) = server.connect().await;
    fault(&server, "get", "revoked", 0).await;
    let response = server.search(&access, GET).await.unwrap();
    assert_eq!(response.status, 401);
    assert!(response.text.contains("OAUTH_TOKEN_REVOKED"), "{}", response.text);
    let response = server.refresh(&refresh).await;
    assert_eq!((response.status, response.json()["error"].as_str()), (400, Some("invalid_grant")));
    let (access, _) = server.connect().await;
    assert_eq!(server.search(&access, GET).await.unwrap().status, 200);
}

#[tokio::test]
async fn faults_apply_to_their_operation_only() {
    let server = TestServer::new().await;
    let (access, refresh) = server.connect().await;
    server.create(&access, "Sale").await.unwrap();
    let campaign = "customers/1002003001/campaigns/21000000001";
    let mutate = async |operation: serde_json::Value| {
        let path = "/v26/customers/1002003001/campaigns:mutate";
        server.call(&access, path, &json!({ "operations": [operation] })).await.unwrap().status
    };
    let rename = json!({ "update": { "resourceName": campaign, "name": "New" }, "updateMask": "name" });
    for operation in ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"] {
        fault(&server, operation, "error", 0).await;
    }
    assert_eq!(server.create(&access, "Other").await.unwrap().status, 500);
    assert_eq!(server.search(&access, LIST).await.unwrap().status, 500);
    assert_eq!(server.search(&access, GET).await.unwrap().status, 500);
    assert_eq!(mutate(rename.clone()).await, 500);
    assert_eq!(mutate(json!({ "remove": campaign })).await, 500);
    assert_eq!(server.refresh(&refresh).await.status, 500);
    assert_eq!(server.search(&access, "SELECT customer.id FROM customer").await.unwrap().status, 500);
    assert_eq!(server.submit("/alpha_ads/revoke", &[("token", "x")]).await.status, 500);
    let code = server.approve(&[], &[]).await;
    assert_eq!(server.exchange(&code, &[]).await.status, 500);
    assert_eq!(server.exchange(&code, &[]).await.status, 200);
    assert_eq!(mutate(rename).await, 200);
    let nothing = json!({ "platform": "alpha_ads", "operation": "any", "times": 0 });
    assert_eq!(server.control("faults", nothing).await.json(), json!({ "faults": [] }));
}

#[tokio::test]
async fn latency_delays_every_request() {
    let server = TestServer::new().await;
    server.control("settings", json!({ "platform": "alpha_ads", "latency_ms": 200 })).await;
    let started = Instant::now();
    server.refresh("1//x").await;
    assert!(started.elapsed() >= Duration::from_millis(200));
}
