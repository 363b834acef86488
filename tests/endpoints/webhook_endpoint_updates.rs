//! `PATCH /v1/webhook-endpoints/{id}`.

use super::webhook_endpoints::{PATH, URL, without_secret};
use crate::world::{TestResponse, World, id_of};
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

impl World {
    pub(super) async fn change_endpoint(&self, endpoint: &Value, changes: &Value, status: u16) -> TestResponse {
        self.ask("PATCH", &format!("{PATH}/{}", id_of(endpoint))).json(changes).expect(status).await
    }
}

#[tokio::test]
async fn each_field_changes_alone() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let mut expected = without_secret(&made);
    for (name, value) in [
        ("url", json!("https://example.com/others")),
        ("types", json!(["change.applied", "change.failed"])),
        ("types", json!(["*"])),
        ("shape", json!("enveloped")),
        ("description", json!("All events")),
        ("description", Value::Null),
        ("description", Value::Null),
        ("status", json!("disabled")),
        ("status", json!("disabled")),
        ("status", json!("enabled")),
    ] {
        expected[name] = value.clone();
        let changed = world.change_endpoint(&made, &json!({ name: value }), 200).await;
        assert_eq!(changed.json(), expected);
        assert_eq!(world.endpoints_of(&world.gateway.api_key).await, [expected.clone()]);
    }
    let all = json!({ "url": URL, "types": ["limit.refused"], "shape": "flat", "description": "One",
        "status": "disabled" });
    let changed = world.change_endpoint(&made, &all, 200).await.json();
    for (name, value) in all.as_object().expect("an object") {
        assert_eq!(&changed[name], value);
    }
    for (changes, field) in [
        (json!({}), "body"),
        (json!({ "url": "http://example.com/" }), "url"),
        (json!({ "url": null }), "url"),
        (json!({ "types": [] }), "types"),
        (json!({ "types": null }), "types"),
        (json!({ "shape": null }), "shape"),
        (json!({ "description": "" }), "description"),
        (json!({ "status": "paused" }), "status"),
        (json!({ "status": null }), "status"),
        (json!({ "disabled_reason": null }), "disabled_reason"),
        (json!({ "secret": "whsec_" }), "secret"),
    ] {
        assert_eq!(world.change_endpoint(&made, &changes, 400).await.fields(), [field], "{changes}");
    }
    assert_eq!(world.endpoints_of(&world.gateway.api_key).await, [changed]);
}

#[tokio::test]
async fn enabling_an_endpoint_removes_the_reason_why_it_was_disabled() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    let reason = |endpoint: &Value| [endpoint["status"].clone(), endpoint["disabled_reason"].clone()];
    world.disable_endpoints("It answered 410.").await;
    let changed = world.change_endpoint(&made, &json!({ "description": "Log" }), 200).await.json();
    assert_eq!(reason(&changed), [json!("disabled"), json!("It answered 410.")]);
    let again = world.change_endpoint(&made, &json!({ "status": "disabled" }), 200).await.json();
    assert_eq!(reason(&again), reason(&changed));
    let enabled = world.change_endpoint(&made, &json!({ "status": "enabled" }), 200).await.json();
    assert_eq!(reason(&enabled), [json!("enabled"), Value::Null]);
    let disabled = world.change_endpoint(&made, &json!({ "status": "disabled" }), 200).await.json();
    assert_eq!(reason(&disabled), [json!("disabled"), Value::Null], "the customer knows its own reason");
}

impl World {
    /// Disables every endpoint in the table, as the service does.
    async fn disable_endpoints(&self, reason: &str) {
        let client = self.gateway.config.aws.dynamodb_client();
        for item in self.items("WEBHOOK_ENDPOINT#").await {
            let update = client.update_item().table_name(&self.gateway.config.table);
            let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
            let update = update.update_expression("SET endpoint_status = :status, disabled_reason = :reason");
            let text = |value: &str| AttributeValue::S(value.to_owned());
            let update = update.expression_attribute_values(":status", text("disabled"));
            update.expression_attribute_values(":reason", text(reason)).send().await.expect("a write");
        }
    }
}
