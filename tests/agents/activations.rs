//! Previews of changes that make a campaign run, and of dates.

use super::refusals::says;
use super::{Agent, draft};
use crate::spending::{Stage, daily};
use serde_json::{Value, json};
use shared::domain::Platform;

async fn stage(platforms: &[Platform]) -> Stage {
    Stage::with(platforms, |connections| daily(connections, 900)).await
}

fn at(stage: &Stage, hours: i64) -> String {
    format!("{:.0}", stage.owner.clock.now() + jiff::SignedDuration::from_hours(hours))
}

async fn shown(agent: &Agent<'_>, arguments: Value) -> Value {
    agent.call("preview_change", &json!({"kind": "update", "arguments": arguments})).await.ok()
}

#[tokio::test(start_paused = true)]
async fn a_later_end_of_an_ended_campaign_is_shown_as_its_start() {
    for platform in [Platform::Epsilon, Platform::Zeta] {
        let stage = stage(&[platform]).await;
        let agent = Agent::of(&stage);
        let mut draft = draft(&stage.connections[0], "Ending", 64);
        (draft["start_at"], draft["end_at"]) = (json!(at(&stage, 1)), json!(at(&stage, 30)));
        let id = agent.change("create", &draft).await["campaign"]["id"].clone();
        agent.change("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
        let longer = shown(&agent, json!({"campaign_id": id, "end_at": at(&stage, 40)})).await;
        assert!(!longer["warnings"].to_string().contains("ended at"), "{platform}: its end lies ahead: {longer}");
        assert!(longer["warnings"].to_string().contains("may spend for longer"), "{platform}: {longer}");
        stage.hours(31).await;
        let later = shown(&agent, json!({"campaign_id": id, "end_at": at(&stage, 99)})).await;
        let statuses = (&later["before"]["status"], &later["after"]["status"]);
        assert_eq!(statuses, (&json!("ENDED"), &json!("ACTIVE")), "{platform}: {later}");
        let warnings = later["warnings"].to_string();
        assert!(warnings.contains("The campaign starts, and spends up to 64.00 USD a day"), "{platform}: {warnings}");
        assert!(warnings.contains("The campaign ended at"), "{platform}: {warnings}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_preview_refuses_a_future_start_of_a_running_campaign() {
    let stage = stage(&[Platform::Beta]).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Runs", 60).await;
    agent.change("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await;
    let later = json!({"kind": "update", "arguments": {"campaign_id": id, "start_at": at(&stage, 50)}});
    says(
        agent.call("preview_change", &later).await.refusal(),
        "VALIDATION_ERROR",
        &["start_at", "while the campaign runs"],
    );
}

#[tokio::test(start_paused = true)]
async fn an_earlier_start_of_a_waiting_campaign_is_shown_as_an_activation() {
    let stage = stage(&[Platform::Gamma]).await;
    let agent = Agent::of(&stage);
    let mut draft = draft(&stage.connections[0], "Planned", 60);
    draft["start_at"] = json!(at(&stage, 50));
    let id = agent.change("create", &draft).await["campaign"]["id"].clone();
    assert_eq!(agent.change("update", &json!({"campaign_id": id, "status": "ACTIVE"})).await["state"], "scheduled");
    let earlier = shown(&agent, json!({"campaign_id": id, "start_at": at(&stage, 5)})).await;
    assert!(earlier["warnings"].to_string().contains("The campaign starts at"), "{earlier}");
}

#[tokio::test(start_paused = true)]
async fn a_preview_of_a_lower_budget_names_the_pending_raise() {
    let stage = stage(&[Platform::Alpha]).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Raised", 60).await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", at(&stage, 5));
    let raise = stage.owner("PATCH", &path, &json!({"budget_amount": 900})).await["id"].clone();
    let lower = shown(&agent, json!({"campaign_id": id, "budget_amount": 30, "currency": "USD"})).await;
    let warnings = lower["warnings"].to_string();
    let change = raise.as_str().expect("an id");
    assert!(warnings.contains(change) && warnings.contains("900.00 USD"), "{warnings}");
    let renamed = shown(&agent, json!({"campaign_id": id, "name": "Other"})).await;
    assert!(!renamed["warnings"].to_string().contains(change), "{renamed}");
}
