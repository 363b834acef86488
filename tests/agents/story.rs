//! A day of an agent, on each platform.

use super::{Agent, books, draft};
use crate::spending::Stage;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn an_agent_creates_runs_reads_and_removes_a_campaign_on_any_platform() {
    let stage = Stage::with(&Platform::ALL, |connections| {
        json!({"connections": connections, "amounts": [{"currency": "USD", "daily": 500}],
            "approval": {"activation": true}})
    })
    .await;
    let agent = Agent::of(&stage);
    let accounts = agent.call("list_accounts", &json!({})).await.ok();
    let accounts = accounts["accounts"].as_array().expect("a list");
    assert_eq!(accounts.len(), Platform::ALL.len());
    for account in accounts {
        let platform = account["platform"].as_str().expect("a name");
        let connection = account["id"].as_str().expect("an id");
        assert_eq!(account["currency"], "USD", "{platform}");
        let name = format!("Spring on {platform}");
        let shown = json!({"kind": "create", "arguments": draft(connection, &name, 60)});
        let shown = agent.call("preview_change", &shown).await.ok();
        assert_eq!((&shown["before"], &shown["after"]["budget"]), (&Value::Null, &json!("60.00 USD a day")));
        assert_eq!(shown["needs_approval"], false, "{platform}: it is created paused");
        let id = agent.create(connection, &name, 60).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}");
        let update = json!({"campaign_id": id, "status": "ACTIVE"});
        let shown = agent.call("preview_change", &json!({"kind": "update", "arguments": update})).await.ok();
        assert_eq!((&shown["before"]["status"], &shown["after"]["status"]), (&json!("PAUSED"), &json!("ACTIVE")));
        assert_eq!(shown["needs_approval"], true, "{platform}");
        assert!(shown["warnings"].to_string().contains("spends up to 60.00 USD a day"), "{shown}");
        let asked = agent.change("update", &update).await;
        assert_eq!(asked["state"], "awaiting_approval", "{platform}");
        let page = asked["approval_url"].as_str().expect("an address");
        assert!(asked["message"].as_str().expect("words").contains(page), "{asked}");
        let change = json!({"change_id": asked["change_id"]});
        assert_eq!(agent.call("get_change", &change).await.ok()["state"], "awaiting_approval");
        stage.approve(asked["change_id"].as_str().expect("an id")).await.expect("an approval");
        assert_eq!(agent.call("get_change", &change).await.ok()["state"], "applied", "{platform}");
        assert_eq!(stage.running().await, Decimal::from(60), "{platform}");
        let insights = agent.call("get_insights", &json!({"campaign_id": id})).await.ok();
        assert_eq!((&insights["granularity"], &insights["currency"]), (&json!("total"), &json!("USD")));
        let left = agent.call("get_limits", &json!({})).await.ok();
        assert!(left["left"].to_string().contains("USD a day"), "{left}");
        let campaign = json!({"campaign_id": id});
        assert_eq!(agent.call("pause_campaign", &campaign).await.ok()["state"], "applied", "{platform}");
        assert_eq!(agent.call("pause_campaign", &campaign).await.ok()["state"], "unchanged", "{platform}");
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}");
        assert_eq!(agent.change("delete", &campaign).await["state"], "applied", "{platform}");
    }
    assert_eq!(books(&stage.owner).await.len(), Platform::ALL.len(), "one campaign on each");
}

#[tokio::test(start_paused = true)]
async fn a_preview_shows_the_campaign_defaults_and_expires_when_they_change() {
    let stage = Stage::with_daily(&[Platform::Delta], 500).await;
    let (agent, connection) = (Agent::of(&stage), &stage.connections[0]);
    let path = format!("/v1/connections/{connection}");
    let aim = |country: &str, language: &str| json!({"campaign_defaults": {"country": country, "language": language}});
    stage.owner("PATCH", &path, &aim("DE", "de")).await;
    let arguments = draft(connection, "Aimed", 60);
    let shown = agent.call("preview_change", &json!({"kind": "create", "arguments": arguments})).await.ok();
    assert_eq!(shown["campaign_defaults"], json!({"country": "DE", "language": "de", "source": "connection"}));
    let confirmed = agent.preview("create", &arguments).await;
    stage.owner("PATCH", &path, &aim("FR", "fr")).await;
    let (code, words) = agent.call("create_campaign", &confirmed).await.refusal();
    assert!(code == "CONFLICT" && words.contains("since the preview"), "{code} {words}");
    assert_eq!(books(&stage.owner).await.len(), 0);
    agent.create(connection, "Aimed", 60).await;
    let booked = books(&stage.owner).await.remove(0);
    assert_eq!(booked["locale"], json!({"country": "FR", "language": "fr"}), "{booked}");
}

#[tokio::test(start_paused = true)]
async fn changes_of_an_agent_are_in_the_history_and_calls_in_the_usage_log() {
    let stage = Stage::with_daily(&[Platform::Epsilon], 500).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Known", 60).await;
    agent.change("update", &json!({"campaign_id": id, "name": "Better known"})).await;
    let history = stage.owner("GET", &format!("/v1/changes?api_key_id={}", stage.key), &Value::Null).await;
    let kinds: Vec<&Value> = history["changes"].as_array().expect("a list").iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["update", "create"]);
    let log = stage.owner("GET", "/v1/usage-logs?path=/v1/mcp", &Value::Null).await;
    let log = log["usage_logs"].as_array().expect("a list");
    let tools: Vec<&Value> = log.iter().map(|entry| &entry["tool"]).collect();
    assert_eq!(tools, ["update_campaign", "preview_change", "create_campaign", "preview_change"], "one entry a call");
    assert_eq!((&log[0]["status_code"], &log[0]["platform"]), (&json!(200), &json!("epsilon_ads")));
    let change = &history["changes"][0];
    assert_eq!(change["request_id"], log[0]["request_id"], "the log leads to the change");
}

#[tokio::test(start_paused = true)]
async fn an_agent_waits_for_a_start_that_the_service_holds() {
    let stage = Stage::with_daily(&[Platform::Beta], 500).await;
    let agent = Agent::of(&stage);
    let mut dated = draft(&stage.connections[0], "Dated", 60);
    let day = stage.owner.clock.now() + jiff::SignedDuration::from_hours(72);
    dated["start_at"] = json!(format!("{day:.0}"));
    let created = agent.change("create", &dated).await;
    let id = &created["campaign"]["id"];
    let started = agent.change("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
    assert_eq!(started["state"], "scheduled", "{started}");
    assert!(started["apply_at"].is_string(), "{started}");
}
