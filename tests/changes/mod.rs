//! Scheduled and bulk changes, which maintenance applies. The sandbox's books say what happened.

mod activations;
mod budgets;
mod bulk;
mod due;
mod held_dates;
mod monthly;
mod pairs;
mod removal_preview;
mod retries;
mod scheduled;
mod since;
mod undo;

use crate::in_process::{self, World, json_of, respond};
use jiff::{SignedDuration, Timestamp};
use maintenance::RunResult;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// A customer with one ad account on each of some platforms, under a paused clock.
struct Stage {
    world: World,
    app: Arc<App>,
}

/// A response.
struct Answer {
    status: u16,
    change_ids: String,
    body: Value,
}

impl Stage {
    async fn connected(platforms: &[Platform]) -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        for platform in platforms {
            world.connect(&app, *platform, 1).await;
        }
        Stage { world, app }
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        // A token of the rate limit each time.
        sleep(Duration::from_millis(200)).await;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut response = respond(&self.app, self.world.request(method, path, headers, &body)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        let change_ids = response.headers().get("change-id").map(|ids| ids.to_str().expect("a text").to_owned());
        let status = response.status().as_u16();
        let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
        Answer { status, change_ids: change_ids.unwrap_or_default(), body }
    }

    async fn ask(&self, status: u16, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.send(method, path, &[], body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        answer.body
    }

    /// Creates a campaign, and returns its id.
    async fn campaign(&self, platform: Platform, name: &str) -> String {
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY"});
        let made = self.ask(201, "POST", "/v1/campaigns", &body).await;
        made["id"].as_str().expect("an id").to_owned()
    }

    /// A time so many seconds ahead, as a query parameter.
    fn ahead(&self, seconds: i64) -> String {
        let at = self.world.clock.now() + SignedDuration::from_secs(seconds);
        Timestamp::from_second(at.as_second()).expect("a time").to_string()
    }

    /// Schedules a change, and returns its id.
    async fn schedule(&self, campaign: &str, seconds: i64, changes: &Value) -> String {
        let path = format!("/v1/campaigns/{campaign}?apply_at={}", self.ahead(seconds));
        let change = self.ask(202, "PATCH", &path, changes).await;
        change["id"].as_str().expect("an id").to_owned()
    }

    async fn change(&self, id: &str) -> Value {
        self.ask(200, "GET", &format!("/v1/changes/{id}"), &Value::Null).await
    }

    /// Runs maintenance now.
    async fn maintenance(&self) -> RunResult {
        maintenance::run(&self.app).await.expect("maintenance runs to its end")
    }

    /// Runs maintenance every minute for this time.
    async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            sleep(Duration::from_mins(1)).await;
            self.maintenance().await;
        }
    }

    /// The campaigns in the sandbox's books, by name: status and budget.
    async fn books(&self) -> Vec<(String, String, String)> {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        let text = |campaign: &Value, name: &str| match &campaign[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let campaigns = listed["campaigns"].as_array().expect("a list").iter();
        campaigns.map(|one| (text(one, "name"), text(one, "status"), text(one, "budget"))).collect()
    }

    /// The budget and the status of a campaign in the books, by its name.
    async fn in_books(&self, name: &str) -> (String, String) {
        let found = self.books().await.into_iter().find(|(known, ..)| known == name).expect("a campaign");
        (found.1, found.2)
    }

    async fn fault(&self, platform: Platform, operation: &str, fault: &str, times: u32) {
        let fault = json!({"platform": platform.as_str(), "operation": operation, "fault": fault, "times": times});
        self.world.control("POST", "faults", &fault).await;
    }

    async fn no_faults(&self) {
        self.world.control("POST", "reset", &json!({})).await;
    }
}

/// Whether a status in the books means that the campaign is switched off.
fn is_paused(status: &str) -> bool {
    ["PAUSED", "DISABLE"].contains(&status)
}
