//! Events on their way to endpoints: signed, retried, at least once.

mod api;
mod health;
mod payloads;
mod retries;
mod slow_endpoints;

use crate::in_process::receivers::Received;
use crate::in_process::{self, World, json_of, respond};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// A customer with an ad account, a campaign, and endpoints of webhooks.
struct Stage {
    world: World,
    app: Arc<App>,
    campaign: String,
}

/// An endpoint, from the response to its creation.
struct Endpoint {
    url: String,
    id: String,
    secret: String,
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Beta, 1).await;
        let mut stage = Stage { world, app, campaign: String::new() };
        let body = json!({"platform": "beta_ads", "name": "One", "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY"});
        let created = stage.ask("POST", "/v1/campaigns", &body).await;
        created["id"].as_str().expect("an id").clone_into(&mut stage.campaign);
        stage.run().await;
        stage
    }

    /// A request that must succeed.
    async fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, body) = self.try_ask(&self.app, method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {body}");
        body
    }

    /// A request to a process, and its status and body.
    async fn try_ask(&self, app: &Arc<App>, method: &str, path: &str, body: &Value) -> (u16, Value) {
        // A token of the rate limit each time.
        sleep(Duration::from_millis(200)).await;
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let mut response = respond(app, self.world.request(method, path, &[], &text)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
        (response.status().as_u16(), body)
    }

    async fn endpoint(&self, name: &str, types: &[&str]) -> Endpoint {
        let url = format!("https://{name}.example.com/hooks");
        let made = self.ask("POST", "/v1/webhook-endpoints", &json!({"url": url, "types": types})).await;
        let text = |field: &str| made[field].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        Endpoint { url, id: text("id"), secret: text("secret") }
    }

    /// An applied change, which has an event.
    async fn change(&self, budget: i64) {
        self.ask("PATCH", &format!("/v1/campaigns/{}", self.campaign), &json!({"budget_amount": budget})).await;
    }

    /// What the service does when something has happened.
    async fn run(&self) {
        deliveries::run(&self.app).await.expect("a run");
    }

    /// Runs deliveries every minute for this time.
    async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            sleep(Duration::from_mins(1)).await;
            self.run().await;
        }
    }

    /// Runs deliveries three times an hour for this time.
    async fn hours(&self, hours: u64) {
        for _ in 0..3 * hours {
            sleep(Duration::from_mins(20)).await;
            self.run().await;
        }
    }

    fn received(&self, endpoint: &Endpoint) -> Vec<Received> {
        self.world.receivers.received(&endpoint.url)
    }

    /// The budgets in the events that an endpoint received.
    fn budgets(&self, endpoint: &Endpoint) -> Vec<i64> {
        let budget = |received: &Received| received.event()["data"]["campaign"]["budget_amount"].as_i64();
        self.received(endpoint).iter().filter_map(budget).collect()
    }

    async fn read_endpoint(&self, endpoint: &Endpoint) -> Value {
        self.ask("GET", &format!("/v1/webhook-endpoints/{}", endpoint.id), &Value::Null).await
    }
}
