//! Starting, stopping, and what is kept in between.

use crate::client::Scene;
use sandbox::Options;

const LIST: &str = "SELECT campaign.name, metrics.cost_micros FROM campaign";

#[tokio::test]
async fn grants_accounts_and_campaigns_outlive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::start(Some(folder.path())).await;
    let (access, refresh) = scene.connect().await;
    scene.create(&access, "Kept").await.unwrap();
    let made = serde_json::json!({ "platform": "alpha_ads", "currency": "SEK" });
    scene.control("accounts", made).await;
    let spend = serde_json::json!({ "platform": "alpha_ads", "campaign_id": 21_000_000_001_u64, "amount": 2 });
    assert_eq!(scene.control("spend", spend).await.status, 200);
    // Not stopped: what was acknowledged has to be there already.
    let again = Scene::start(Some(folder.path())).await;
    let answer = again.search(&access, LIST).await.unwrap().json();
    assert_eq!(answer["results"][0]["campaign"]["name"], "Kept");
    assert_eq!(answer["results"][0]["metrics"]["costMicros"], "2000000");
    assert_eq!(again.refresh(&refresh).await.status, 200);
    assert!(again.get("/").await.text.contains("SEK"));
    again.running.stop().await;
}

#[tokio::test]
async fn a_taken_port_says_which_and_what_to_do() {
    let scene = Scene::new().await;
    let port = scene.running.address.port();
    let error = sandbox::start(Options { port, data: None }).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--sandbox-port"), "{error}");
}

#[tokio::test]
async fn it_listens_on_this_machine_only_and_stops_when_told() {
    let scene = Scene::new().await;
    assert!(scene.running.address.ip().is_loopback());
    let address = scene.running.address;
    assert_eq!(scene.running.url(), format!("http://127.0.0.1:{}", address.port()));
    scene.running.stop().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[test]
fn a_client_is_registered_for_each_platform() {
    assert!(sandbox::PLATFORMS.iter().all(|word| sandbox::client(word).is_some()));
    assert_eq!(sandbox::client("omega_ads"), None);
}
