//! Webhook endpoints, whose secrets are in two kinds of responses only.

use crate::leaks::fixture::Fixture;
use serde_json::{Value, json};

const PATH: &str = "/v1/webhook-endpoints";

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
