//! Webhook endpoints, whose secrets are in two kinds of responses only.

use crate::leaks::fixture::Fixture;
use crate::receiver::{REFUSES, ReceivedRequest, Receiver};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{sleep, timeout};

const PATH: &str = "/v1/webhook-endpoints";
/// Longest time until the events of the scenario are delivered.
const PATIENCE: Duration = Duration::from_secs(240);

/// An endpoint from its creation over rotations to its deletion, and one that stays.
pub(crate) async fn run(fixture: &Fixture) {
    for is_deleted in [true, false] {
        let created = fixture.call("POST", PATH, &json!({"url": "https://example.com/", "types": ["*"]})).await;
        assert_eq!(created.status, 201);
        let created: Value = serde_json::from_slice(&created.body).unwrap();
        let one = format!("{PATH}/{}", created["id"].as_str().unwrap());
        let rotate = format!("{one}/rotate-secret");
        let mut misplaced = json!({});
        misplaced["secret"] = created["secret"].clone();
        for (method, path, body, status) in [
            ("POST", rotate.as_str(), json!(null), 200),
            ("POST", rotate.as_str(), json!(null), 200),
            ("POST", rotate.as_str(), misplaced.clone(), 400),
            ("PATCH", one.as_str(), misplaced.clone(), 400),
            ("PATCH", one.as_str(), json!({"url": created["secret"]}), 400),
            ("PATCH", one.as_str(), json!({"status": "disabled"}), 200),
            ("GET", one.as_str(), json!(null), 200),
            ("GET", PATH, json!(null), 200),
        ] {
            assert_eq!(fixture.call(method, path, &body).await.status, status, "{method} {path}");
        }
        if is_deleted {
            assert_eq!(fixture.call("DELETE", &one, &Value::Null).await.status, 204);
        }
    }
}

/// An endpoint that receives the newest events of the scenario and refuses each at first. Returns all that it has
/// received.
pub(crate) async fn deliver(fixture: &Fixture) -> Vec<u8> {
    let receiver = Receiver::start().await;
    let url = format!("{}{REFUSES}", receiver.url);
    let one = async |method: &str, path: &str, body: Value| {
        let response = fixture.call(method, path, &body).await;
        assert!(response.status.is_success(), "{method} {path}: {}", response.status);
        serde_json::from_slice::<Value>(&response.body).unwrap()
    };
    let created = one("POST", PATH, json!({"url": url, "types": ["*"]})).await;
    let path = format!("{PATH}/{}", created["id"].as_str().unwrap());
    // Both secrets sign from here on.
    one("POST", &format!("{path}/rotate-secret"), Value::Null).await;
    let sent = one("POST", &format!("{path}/test"), Value::Null).await;
    assert_eq!(sent["attempts"][0]["status_code"], 500, "{sent}");
    let newest = one("GET", "/v1/events?limit=100", Value::Null).await;
    let since = &newest["events"].as_array().unwrap().last().unwrap()["timestamp"];
    let replayed =
        one("POST", &format!("{path}/replay"), json!({ "since": since })).await["replayed"].as_u64().unwrap();
    assert!(replayed > 50, "{replayed} events");
    let accepted = || receiver.heard().iter().filter(|heard| heard.is_accepted()).count() as u64;
    let all = async {
        while accepted() < replayed {
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(PATIENCE, all).await.unwrap_or_else(|_| panic!("{} of {replayed} events are delivered", accepted()));
    one("GET", &format!("{path}/deliveries?limit=100"), Value::Null).await;
    let text = |heard: &ReceivedRequest| [format!("{:?}\n", heard.headers).as_bytes(), &heard.body, b"\n"].concat();
    receiver.heard().iter().flat_map(text).collect()
}
