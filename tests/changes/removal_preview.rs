//! The dry run of the removal of a connection (D172): what goes on after it, by the sandbox's books.

use super::held_dates::id_of;
use super::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::Platform;

impl Stage {
    /// The path of the only connection.
    async fn only_connection(&self) -> String {
        let listed = self.ask(200, "GET", "/v1/connections", &Value::Null).await;
        assert_eq!(listed["connections"].as_array().map(Vec::len), Some(1), "{listed}");
        format!("/v1/connections/{}", listed["connections"][0]["id"].as_str().expect("an id"))
    }

    async fn removal_of(&self, connection: &str) -> Value {
        self.ask(200, "DELETE", &format!("{connection}?dry_run=true"), &Value::Null).await
    }

    /// The number of campaigns that are switched on in the books.
    async fn switched_on(&self) -> usize {
        self.books().await.iter().filter(|(_, status, _)| !is_paused(status)).count()
    }

    async fn activate(&self, campaign: &str) {
        self.patch(200, campaign, &json!({"status": "ACTIVE"})).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_removal_tells_before_what_runs_is_held_and_waits() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let connection = stage.only_connection().await;
    let none = stage.removal_of(&connection).await;
    let id = connection.trim_start_matches("/v1/connections/");
    assert_eq!(
        none,
        json!({"connection_id": id, "active_campaigns": 0, "has_more_active": false, "held_campaigns": 0,
            "monthly_campaigns": 0, "waiting": {"scheduled": 0, "awaiting_approval": 0}})
    );
    let plain = stage.campaign(Platform::Beta, "Plain").await;
    stage.activate(&plain).await;
    let ends = stage.dated(Platform::Beta, "Ends", None, Some("2027-06-01".to_owned())).await;
    stage.activate(&id_of(&ends)).await;
    stage.monthly_campaign(Platform::Beta, "Month", 310).await;
    let later = stage.campaign(Platform::Beta, "Later").await;
    stage.schedule(&later, 86_400, &json!({"status": "ACTIVE"})).await;
    let told = stage.removal_of(&connection).await;
    assert_eq!(told["active_campaigns"], json!(stage.switched_on().await), "{told}");
    assert_eq!(
        told,
        json!({"connection_id": id, "active_campaigns": 3, "has_more_active": false, "held_campaigns": 1,
            "monthly_campaigns": 1, "waiting": {"scheduled": 1, "awaiting_approval": 0}})
    );
    let books = stage.books().await;
    assert_eq!(stage.removal_of(&connection).await, told, "it has removed nothing");
    stage.ask(204, "DELETE", &format!("{connection}?dry_run=false"), &Value::Null).await;
    stage.minutes(3).await;
    assert_eq!(stage.books().await, books, "what runs goes on");
    stage.ask(404, "DELETE", &format!("{connection}?dry_run=true"), &Value::Null).await;
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_does_not_answer_hides_only_its_own_number() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let connection = stage.only_connection().await;
    let ends = stage.dated(Platform::Beta, "Ends", None, Some("2027-06-01".to_owned())).await;
    stage.activate(&id_of(&ends)).await;
    stage.fault(Platform::Beta, "list", "revoked", 100).await;
    let told = stage.removal_of(&connection).await;
    assert_eq!((&told["active_campaigns"], &told["held_campaigns"]), (&Value::Null, &json!(1)), "{told}");
    let error = &told["error"];
    assert_eq!((&error["platform"], error["message"].is_string()), (&json!("beta_ads"), true), "{told}");
    stage.ask(204, "DELETE", &connection, &Value::Null).await;
    assert_eq!(stage.switched_on().await, 1, "a connection can always be removed");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_of_a_removal_is_asked_for_by_its_name() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let connection = stage.only_connection().await;
    for (query, field) in [("dry_run=yes", "dry_run"), ("dryrun=true", "dryrun")] {
        let refused = stage.ask(400, "DELETE", &format!("{connection}?{query}"), &Value::Null).await;
        assert_eq!(refused["details"][0]["field"], field, "{refused}");
    }
    assert_eq!(stage.only_connection().await, connection);
}
