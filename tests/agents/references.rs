//! The argument `reference` of the tools that change campaigns.

use super::{Agent, draft};
use crate::spending::{Stage, daily};
use serde_json::json;
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn an_agent_names_its_changes_and_reads_the_name_again() {
    let stage = Stage::with(&[Platform::Alpha], |connections| daily(connections, 900)).await;
    let agent = Agent::of(&stage);
    let mut create = draft(&stage.connections[0], "Named", 60);
    create["reference"] = json!("order-42");
    let made = agent.change("create", &create).await;
    assert_eq!(made["reference"], "order-42", "{made}");
    let id = &made["campaign"]["id"];
    let change = agent.call("get_change", &json!({"change_id": made["change_id"]})).await.ok();
    assert_eq!(change["reference"], "order-42", "{change}");
    let update = json!({"campaign_id": id, "budget_amount": 70, "currency": "USD", "reference": "order-43"});
    assert_eq!(agent.change("update", &update).await["reference"], "order-43");
    let paused = agent.call("pause_campaign", &json!({"campaign_id": id, "reference": "order-44"})).await.ok();
    assert_eq!(paused["reference"], "order-44", "{paused}");
    let removed = agent.change("delete", &json!({"campaign_id": id, "reference": "order-45"})).await;
    assert_eq!(removed["reference"], "order-45", "{removed}");
    let alone = json!({"kind": "update", "arguments": {"campaign_id": id, "reference": "order-46"}});
    let (_, refusal) = agent.call("preview_change", &alone).await.refusal();
    assert!(refusal.contains("must name what to change"), "{refusal}");
    let wrong = json!({"campaign_id": id, "reference": "order 47"});
    let (code, refusal) = agent.call("pause_campaign", &wrong).await.refusal();
    assert!(code == "VALIDATION_ERROR" && refusal.contains("reference"), "{code} {refusal}");
    for reference in ["order-42", "order-43", "order-45"] {
        let found = stage.owner("GET", &format!("/v1/changes?reference={reference}"), &json!(null)).await;
        assert_eq!(found["changes"].as_array().map(Vec::len), Some(1), "{reference}: {found}");
    }
}
