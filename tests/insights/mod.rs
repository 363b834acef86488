//! Insights and dry runs on every platform, with the sandbox in process and a paused clock.

mod bad_queries;
mod connections;
mod days;
mod dry_run;
mod large;
mod paging;

use crate::in_process::{self, World, json_of, respond};
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lambda_http::{Body, Request, Response};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;

/// A process of the service, and the world around it.
struct Stage {
    world: World,
    app: Arc<App>,
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        Stage { world, app }
    }

    /// The same with an ad account on these platforms.
    async fn connected(platforms: &[Platform]) -> Stage {
        let stage = Stage::new().await;
        for platform in platforms {
            stage.world.connect(&stage.app, *platform, 1).await;
        }
        stage
    }

    /// The same with a clock that stands still: requests with one id create the same campaign then, with the same
    /// marker and start.
    fn at_one_time(self) -> Stage {
        let now = self.app.clock.now();
        let mut app = self.world.straight();
        app.clock = Clock::from_fn(move || now);
        Stage { app: Arc::new(app), ..self }
    }

    /// Sends a request of the customer.
    async fn ask(&self, status: u16, method: &str, path: &str, body: &str) -> Value {
        self.send(status, self.world.request(method, path, &[], body)).await
    }

    async fn send(&self, status: u16, request: Request) -> Value {
        let what = format!("{} {}", request.method(), request.uri());
        let answered = self.respond(request).await;
        assert_eq!(answered.status(), status, "{what}: {:?}", answered.body());
        json_of(answered.body())
    }

    /// The response to a request, after the work that follows it.
    async fn respond(&self, request: Request) -> Response<Body> {
        // A token of the rate limit each time.
        tokio::time::advance(tokio::time::Duration::from_millis(200)).await;
        let mut answered = respond(&self.app, request).await;
        if let Some(rest) = PostResponseWork::take_from(&mut answered) {
            rest.run().await;
        }
        answered
    }

    /// Creates a campaign; returns its id and the platform's.
    async fn create(&self, platform: Platform, name: &str) -> (String, String) {
        let made = self.ask(201, "POST", "/v1/campaigns", &draft(platform, name)).await;
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        (text("id"), text("remote_id"))
    }

    /// Sets what campaigns did.
    async fn deliver(&self, order: Value) {
        self.world.control("POST", "delivery", &order).await;
    }

    /// So many days before today in UTC.
    fn day(&self, before: i64) -> Date {
        TimeZone::UTC.to_datetime(self.world.clock.now()).date().saturating_sub(before.days())
    }

    /// Campaigns at a platform.
    async fn campaigns_at(&self, platform: Platform) -> usize {
        let all = self.world.control("GET", &format!("campaigns?platform={platform}"), &Value::Null).await;
        all["campaigns"].as_array().expect("a list").len()
    }
}

/// A campaign that every platform takes.
fn draft(platform: Platform, name: &str) -> String {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 5000, "budget_period": "DAILY",
        "platform": platform.as_str()})
    .to_string()
}

/// An exact number of a response; `None` for null.
fn decimal(value: &Value) -> Option<Decimal> {
    (!value.is_null())
        .then(|| Decimal::from_scientific(&value.to_string()).or_else(|_| value.to_string().parse()))?
        .ok()
}
