//! Faults over HTTP.

use crate::client::TestServer;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn fault(server: &TestServer, operation: &str, fault: &str, ms: u64) {
    let order = json!({ "platform": "alpha_ads", "operation": operation, "fault": fault, "times": 1, "ms": ms });
    assert_eq!(server.control("faults", order).await.status, 200);
}

#[tokio::test]
async fn a_dropped_connection_closes_without_a_byte() {
    let server = TestServer::new().await;
    fault(&server, "any", "drop", 0).await;
    let mut stream = TcpStream::connect(server.running().address).await.unwrap();
    let request = "POST /alpha_ads/token HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut received));
    let ended = read.await.unwrap();
    assert!(matches!(ended, Ok(0)) || ended.is_err(), "{ended:?}");
    assert!(received.is_empty());
}

#[tokio::test]
async fn garbage_is_status_200_with_half_a_page() {
    let server = TestServer::new().await;
    let (access, _) = server.connect().await;
    fault(&server, "create", "garbage", 0).await;
    let response = server.create(&access, "Sale").await.unwrap();
    assert_eq!(response.status, 200);
    assert!(serde_json::from_str::<serde_json::Value>(&response.text).is_err());
    assert!(server.names("alpha_ads").await.is_empty());
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
    assert!(server.names("alpha_ads").await.is_empty());
}

#[tokio::test]
async fn latency_delays_every_request() {
    let server = TestServer::new().await;
    server.control("settings", json!({ "platform": "alpha_ads", "latency_ms": 200 })).await;
    let started = Instant::now();
    server.refresh("1//x").await;
    assert!(started.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn a_fault_with_zero_times_is_cleared() {
    let server = TestServer::new().await;
    fault(&server, "any", "error", 0).await;
    let nothing = json!({ "platform": "alpha_ads", "operation": "any", "times": 0 });
    assert_eq!(server.control("faults", nothing).await.json(), json!({ "faults": [] }));
}
