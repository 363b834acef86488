//! Start, stop, and persistence.

use crate::client::TestServer;
use sandbox::Options;

const LIST: &str = "SELECT campaign.name, metrics.cost_micros FROM campaign";

#[tokio::test]
async fn grants_accounts_and_campaigns_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let (access, refresh) = server.connect().await;
    server.create(&access, "Kept").await.unwrap();
    let account = serde_json::json!({ "platform": "alpha_ads", "currency": "SEK" });
    server.control("accounts", account).await;
    let spend = serde_json::json!({ "platform": "alpha_ads", "campaign_id": 21_000_000_001_u64, "amount": 2 });
    assert_eq!(server.control("spend", spend).await.status, 200);
    // The first server still runs: acknowledged changes must be on disk already.
    let again = TestServer::start(Some(folder.path())).await;
    let response = again.search(&access, LIST).await.unwrap().json();
    assert_eq!(response["results"][0]["campaign"]["name"], "Kept");
    assert_eq!(response["results"][0]["metrics"]["costMicros"], "2000000");
    assert_eq!(again.refresh(&refresh).await.status, 200);
    assert!(again.get("/").await.text.contains("SEK"));
    again.running.stop().await;
}

#[tokio::test]
async fn a_port_in_use_is_named_with_the_option_to_change_it() {
    let server = TestServer::new().await;
    let port = server.running.address.port();
    let error = sandbox::start(Options { port, data: None }).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--sandbox-port"), "{error}");
}

#[tokio::test]
async fn it_listens_on_loopback_only_and_stops_on_request() {
    let server = TestServer::new().await;
    assert!(server.running.address.ip().is_loopback());
    let address = server.running.address;
    assert_eq!(server.running.url(), format!("http://127.0.0.1:{}", address.port()));
    server.running.stop().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[test]
fn a_client_is_registered_for_each_platform() {
    assert!(sandbox::PLATFORMS.iter().all(|word| sandbox::client(word).is_some()));
    assert_eq!(sandbox::client("omega_ads"), None);
}
