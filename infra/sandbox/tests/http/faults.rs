//! Faults, as the network shows them.

use crate::client::Scene;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const LIST: &str = "SELECT campaign.name FROM campaign WHERE campaign.status != 'REMOVED'";
const GET: &str = "SELECT campaign.name FROM campaign WHERE campaign.id = 21000000001";

async fn fault(scene: &Scene, operation: &str, fault: &str, ms: u64) {
    let order = json!({ "platform": "alpha_ads", "operation": operation, "fault": fault, "times": 1, "ms": ms });
    assert_eq!(scene.control("faults", order).await.status, 200);
}

#[tokio::test]
async fn an_error_and_a_throttle_speak_the_platform_s_language() {
    let scene = Scene::new().await;
    let (access, refresh) = scene.connect().await;
    fault(&scene, "list", "error", 0).await;
    let answer = scene.search(&access, LIST).await.unwrap();
    assert_eq!((answer.status, answer.json()["error"]["status"].as_str()), (500, Some("INTERNAL")));
    fault(&scene, "list", "throttle", 0).await;
    let answer = scene.search(&access, LIST).await.unwrap();
    assert_eq!(answer.status, 429);
    let error = &answer.json()["error"]["details"][0]["errors"][0];
    assert_eq!(error["errorCode"]["quotaError"], "RESOURCE_TEMPORARILY_EXHAUSTED");
    assert_eq!(error["details"]["quotaErrorDetails"]["retryDelay"], "30s");
    fault(&scene, "refresh", "error", 0).await;
    let answer = scene.refresh(&refresh).await;
    assert_eq!((answer.status, answer.json()["error"].as_str()), (500, Some("internal_failure")));
    assert_eq!(scene.search(&access, LIST).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_dropped_connection_closes_without_a_byte() {
    let scene = Scene::new().await;
    fault(&scene, "any", "drop", 0).await;
    let mut stream = TcpStream::connect(scene.running.address).await.unwrap();
    let request = "POST /alpha_ads/token HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut received));
    let ended = read.await.unwrap();
    assert!(matches!(ended, Ok(0)) || ended.is_err(), "{ended:?}");
    assert!(received.is_empty());
}

#[tokio::test]
async fn drop_does_nothing_and_drop_after_does_it() {
    let scene = Scene::new().await;
    let (access, _) = scene.connect().await;
    fault(&scene, "create", "drop", 0).await;
    assert!(scene.create(&access, "Lost").await.is_err());
    assert!(scene.names().await.is_empty());
    fault(&scene, "create", "drop_after", 0).await;
    assert!(scene.create(&access, "Unheard").await.is_err());
    assert_eq!(scene.names().await, ["Unheard"]);
}

#[tokio::test]
async fn garbage_has_a_good_status_and_half_a_page() {
    let scene = Scene::new().await;
    let (access, _) = scene.connect().await;
    fault(&scene, "create", "garbage", 0).await;
    let answer = scene.create(&access, "Sale").await.unwrap();
    assert_eq!(answer.status, 200);
    assert!(serde_json::from_str::<serde_json::Value>(&answer.text).is_err());
    assert!(scene.names().await.is_empty());
}

/// Whether a campaign is there before a moment; asked again and again until then.
async fn appears(scene: &Scene, name: &str, before: Instant) -> bool {
    while Instant::now() < before {
        if scene.names().await.contains(&name.to_owned()) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn slow_acts_at_once_and_late_acts_late_even_for_those_who_left() {
    let scene = Scene::new().await;
    let (access, _) = scene.connect().await;
    for (kind, at_once) in [("slow", true), ("late", false)] {
        fault(&scene, "create", kind, 3_000).await;
        let started = Instant::now();
        let given_up = tokio::time::timeout(Duration::from_millis(500), scene.create(&access, kind)).await;
        assert!(given_up.is_err());
        assert_eq!(appears(&scene, kind, started + Duration::from_millis(2_500)).await, at_once, "{kind}");
        assert!(appears(&scene, kind, started + Duration::from_secs(30)).await, "{kind}");
    }
}

#[tokio::test]
async fn a_revoked_grant_is_dead_until_a_new_consent() {
    let scene = Scene::new().await;
    let (access, refresh) = scene.connect().await;
    fault(&scene, "get", "revoked", 0).await;
    let answer = scene.search(&access, GET).await.unwrap();
    assert_eq!(answer.status, 401);
    assert!(answer.text.contains("OAUTH_TOKEN_REVOKED"), "{}", answer.text);
    let answer = scene.refresh(&refresh).await;
    assert_eq!((answer.status, answer.json()["error"].as_str()), (400, Some("invalid_grant")));
    let (access, _) = scene.connect().await;
    assert_eq!(scene.search(&access, GET).await.unwrap().status, 200);
}

#[tokio::test]
async fn faults_meet_their_own_operation_only() {
    let scene = Scene::new().await;
    let (access, refresh) = scene.connect().await;
    scene.create(&access, "Sale").await.unwrap();
    let campaign = "customers/1002003001/campaigns/21000000001";
    let mutate = async |operation: serde_json::Value| {
        let path = "/v26/customers/1002003001/campaigns:mutate";
        scene.call(&access, path, &json!({ "operations": [operation] })).await.unwrap().status
    };
    let rename = json!({ "update": { "resourceName": campaign, "name": "New" }, "updateMask": "name" });
    for operation in ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"] {
        fault(&scene, operation, "error", 0).await;
    }
    assert_eq!(scene.create(&access, "Other").await.unwrap().status, 500);
    assert_eq!(scene.search(&access, LIST).await.unwrap().status, 500);
    assert_eq!(scene.search(&access, GET).await.unwrap().status, 500);
    assert_eq!(mutate(rename.clone()).await, 500);
    assert_eq!(mutate(json!({ "remove": campaign })).await, 500);
    assert_eq!(scene.refresh(&refresh).await.status, 500);
    assert_eq!(scene.search(&access, "SELECT customer.id FROM customer").await.unwrap().status, 500);
    assert_eq!(scene.submit("/alpha_ads/revoke", &[("token", "x")]).await.status, 500);
    let code = scene.approve(&[], &[]).await;
    assert_eq!(scene.exchange(&code, &[]).await.status, 500);
    assert_eq!(scene.exchange(&code, &[]).await.status, 200);
    assert_eq!(mutate(rename).await, 200);
    let nothing = json!({ "platform": "alpha_ads", "operation": "any", "times": 0 });
    assert_eq!(scene.control("faults", nothing).await.json(), json!({ "faults": [] }));
}

#[tokio::test]
async fn latency_holds_every_request_back() {
    let scene = Scene::new().await;
    scene.control("settings", json!({ "platform": "alpha_ads", "latency_ms": 200 })).await;
    let started = Instant::now();
    scene.refresh("1//x").await;
    assert!(started.elapsed() >= Duration::from_millis(200));
}
