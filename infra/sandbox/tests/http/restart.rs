//! Start and stop.

use crate::client::TestServer;
use sandbox::Options;

#[tokio::test]
async fn a_port_in_use_is_named_with_the_option_to_change_it() {
    let server = TestServer::new().await;
    let port = server.running().address.port();
    let error = sandbox::start(Options { port, data: None }).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--sandbox-port"), "{error}");
}

#[tokio::test]
async fn it_listens_on_loopback_only_and_stops_on_request() {
    let server = TestServer::new().await;
    assert!(server.running().address.ip().is_loopback());
    let address = server.running().address;
    assert_eq!(server.url(), format!("http://127.0.0.1:{}", address.port()));
    server.stop().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[test]
fn a_client_is_registered_for_each_platform() {
    assert!(sandbox::PLATFORMS.iter().all(|word| sandbox::client(word).is_some()));
    assert_eq!(sandbox::client("omega_ads"), None);
}
