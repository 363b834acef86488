//! What becomes of a user's requests when a connection moves to another user.

use super::{HEADER, Stage, ask, send};
use serde_json::{Value, json};

/// Moves a connection of the first user to the second.
async fn move_connection(stage: &Stage, connection: &str) {
    let update = json!({"external_ref": stage.users[1].name});
    let moved = stage.ask_for_all("PATCH", &format!("/v1/connections/{connection}"), &update).await;
    assert_eq!(moved.status, 200, "{moved:?}");
}

/// What waits would change a campaign of the new user, so this one sees it and can cancel it.
#[tokio::test(start_paused = true)]
async fn what_waits_moves_with_its_connection() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let as_other = async |method: &str, path: &str| {
        ask(&stage.app, &stage.world, Some(other.name), method, path, &Value::Null).await
    };
    let path = format!("/v1/changes/{}", own.waiting);
    assert_eq!(as_other("GET", &path).await.status, 404);
    for connection in &own.connections {
        move_connection(&stage, connection).await;
    }
    let seen = as_other("GET", &path).await;
    assert_eq!((seen.status, &seen.body["external_ref"]), (200, &json!(other.name)), "{seen:?}");
    let listed = as_other("GET", "/v1/changes?state=scheduled").await;
    assert!(listed.text.contains(&own.waiting), "{listed:?}");
    assert_eq!(as_other("GET", &format!("/v1/changes/{}", own.change)).await.status, 404, "its history stays");
    for path in [path.clone(), format!("/v1/changes/{}", own.change)] {
        assert_eq!(stage.ask("GET", &path, &Value::Null).await.status, 404, "{path}");
    }
    assert_eq!(as_other("POST", &format!("{path}/cancel")).await.body["state"], "canceled");
}

/// Neither user sees a bulk change that was asked for by the one in a connection that is the other's now.
#[tokio::test(start_paused = true)]
async fn a_bulk_change_stays_with_whom_it_was_asked_for() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    for connection in &own.connections {
        move_connection(&stage, connection).await;
    }
    let path = format!("/v1/campaigns/status/{}", own.bulk);
    for user in [own, other] {
        let read = ask(&stage.app, &stage.world, Some(user.name), "GET", &path, &Value::Null).await;
        assert_eq!(read.status, 404, "{}: {read:?}", user.name);
    }
    assert_eq!(stage.ask_for_all("GET", &path, &Value::Null).await.status, 200);
}

/// A create that a former user sends again does not tell it what has become of the campaign since.
#[tokio::test(start_paused = true)]
async fn a_create_that_is_sent_again_tells_a_former_user_nothing() {
    let stage = Stage::new().await;
    let own = &stage.users[0];
    let fault = json!({"platform": "beta_ads", "operation": "create", "fault": "error", "times": 9, "ms": 60_000});
    stage.world.control("POST", "faults", &fault).await;
    let target = |number: usize, platform: &str| json!({"platform": platform, "organization_id": own.accounts[number]});
    let body = json!({"name": "Both", "goal": "WEBSITE_TRAFFIC", "budget_amount": 5, "budget_period": "DAILY",
        "targets": [target(0, "ALPHA"), target(1, "BETA")]});
    let headers = [(HEADER, own.name), ("idempotency-key", "order-18"), ("x-api-shape", "enveloped")];
    let first = send(&stage.app, &stage.world, &headers, "POST", "/v1/campaigns", &body).await;
    assert!(first.text.contains("alpha_"), "one is created: {first:?}");
    let connection = stage.ask("GET", "/v1/connections?platform=alpha_ads", &Value::Null).await;
    move_connection(&stage, connection.body["connections"][0]["id"].as_str().expect("an id")).await;
    let again = send(&stage.app, &stage.world, &headers, "POST", "/v1/campaigns", &body).await;
    assert!(!again.text.contains("\"id\":\"alpha_") && again.text.contains("NOT_FOUND"), "{again:?}");
}
