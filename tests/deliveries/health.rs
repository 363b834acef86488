//! An endpoint that fails as a whole: it is left alone, and disabled in the end.

use super::Stage;
use crate::in_process::receivers::Behaviour;
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_gone_is_disabled_at_once() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    let other = stage.endpoint("two", &["webhook_endpoint.disabled"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(410, None));
    stage.change(60).await;
    stage.run().await;
    let told = stage.told_of(&endpoint).await;
    assert_eq!((&told["status"], &told["disabled_reason"]), (&json!("disabled"), &json!("The endpoint answered 410.")));
    stage.change(70).await;
    stage.run().await;
    assert_eq!(stage.received(&endpoint).len(), 1);
    let heard = stage.received(&other);
    assert_eq!(heard.len(), 1, "{heard:?}");
    let event = heard[0].event();
    assert_eq!(event["data"]["webhook_endpoint"], told);
    assert_eq!(event["previous"], json!({"webhook_endpoint": {"status": "enabled"}}));
    let path = format!("/v1/webhook-endpoints/{}", endpoint.id);
    stage.ask("PATCH", &path, &json!({"status": "enabled"})).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.change(80).await;
    stage.run().await;
    assert_eq!(stage.budgets(&endpoint), [60, 80]);
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_fails_for_five_days_is_disabled() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, None));
    for day in 0..5 {
        stage.change(60 + day).await;
        stage.run().await;
        assert_eq!(stage.told_of(&endpoint).await["status"], "enabled", "day {day}");
        stage.hours(24).await;
    }
    stage.change(90).await;
    stage.run().await;
    assert_eq!(stage.told_of(&endpoint).await["status"], "disabled");
}

#[tokio::test(start_paused = true)]
async fn an_overloaded_endpoint_is_left_alone_as_a_whole() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(503, Some("600")));
    stage.change(60).await;
    stage.run().await;
    stage.change(70).await;
    stage.run().await;
    stage.minutes(9).await;
    assert_eq!(stage.received(&endpoint).len(), 1, "the second event waits as well");
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.minutes(10).await;
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    assert_eq!(heard, [60, 60, 70]);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_endpoint_hears_nothing() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Down);
    stage.change(60).await;
    stage.run().await;
    stage.ask("DELETE", &format!("/v1/webhook-endpoints/{}", endpoint.id), &Value::Null).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.minutes(60).await;
    assert!(stage.received(&endpoint).is_empty());
}
