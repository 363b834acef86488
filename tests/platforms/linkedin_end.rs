//! A campaign on LinkedIn whose end has passed: the platform calls it COMPLETED.

use crate::in_process::{self, World, json_of, respond};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// The body of a response to a request, after the work that follows it.
async fn ask(world: &World, app: &Arc<App>, status: u16, method: &str, path: &str, body: &Value) -> Value {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(200)).await;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut response = respond(app, world.request(method, path, &[], &body)).await;
    if let Some(rest) = PostResponseWork::take_from(&mut response) {
        rest.run().await;
    }
    assert_eq!(response.status(), status, "{method} {path}: {:?}", response.body());
    json_of(response.body())
}

#[tokio::test(start_paused = true)]
async fn a_campaign_past_its_end_is_ended_and_active_again_with_a_later_end() {
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let app = Arc::new(world.straight());
    world.connect(&app, Platform::Delta, 1).await;
    let in_hours = |hours: i64| {
        let at = world.clock.now() + SignedDuration::from_hours(hours);
        Timestamp::from_second(at.as_second()).expect("a time").to_string()
    };
    let draft = json!({"platform": "delta_ads", "name": "Short", "goal": "TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY", "end_at": in_hours(1)});
    let made = ask(&world, &app, 201, "POST", "/v1/campaigns", &draft).await;
    let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    ask(&world, &app, 200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    sleep(Duration::from_hours(2)).await;
    assert_eq!(ask(&world, &app, 200, "GET", &path, &Value::Null).await["status"], "ENDED");
    for list in ["/v1/campaigns", "/v1/campaigns?status=ENDED"] {
        let page = ask(&world, &app, 200, "GET", list, &Value::Null).await;
        assert_eq!(page["unified"][0]["status"], "ENDED", "{list}: {page}");
    }
    let archived = ask(&world, &app, 200, "GET", "/v1/campaigns?status=REMOVED", &Value::Null).await;
    assert_eq!(archived["unified"], json!([]));
    ask(&world, &app, 409, "PATCH", &path, &json!({"status": "PAUSED"})).await;
    ask(&world, &app, 200, "PATCH", &path, &json!({"end_at": in_hours(240)})).await;
    assert_eq!(ask(&world, &app, 200, "GET", &path, &Value::Null).await["status"], "ACTIVE");
    let books = world.control("GET", "campaigns?platform=delta_ads", &Value::Null).await;
    assert_eq!(books["campaigns"][0]["status"], "ACTIVE", "{books}");
}
