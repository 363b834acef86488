//! Why campaigns do not run, on every platform: the cause is set in the sandbox's books, and the answer has to name it.

mod list;
mod refusals;
mod states;
mod words;

use crate::in_process::{self, World, json_of, respond};
use lambda_http::{Body, Request, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;

/// A process of the service, and the world around it.
struct Stage {
    world: World,
    app: Arc<App>,
}

/// An active campaign at a platform.
struct Running {
    platform: Platform,
    id: String,
    remote_id: String,
    /// Its ad account, as the sandbox names it.
    account: String,
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        Stage { world, app }
    }

    /// The same with an ad account at a platform, and an active campaign without ads in it.
    async fn running(platform: Platform) -> (Stage, Running) {
        let stage = Stage::new().await;
        let account = stage.world.connect(&stage.app, platform, 1).await.remove(0);
        let running = stage.activate(platform, &account, "Spring").await;
        (stage, running)
    }

    /// Makes a campaign and activates it.
    async fn activate(&self, platform: Platform, account: &str, name: &str) -> Running {
        let draft = json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
            "platform": platform.as_str()});
        let made = self.ask(201, "POST", "/v1/campaigns", &draft.to_string()).await;
        assert_eq!(made["delivery"], Value::Null, "a write says nothing of it: {made}");
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        let running = Running { platform, id: text("id"), remote_id: text("remote_id"), account: account.to_owned() };
        let changed = self.set_status(&running, "ACTIVE").await;
        assert_eq!((&changed["status"], &changed["delivery"]), (&json!("ACTIVE"), &Value::Null), "{platform}");
        // LinkedIn starts a campaign some minutes later.
        tokio::time::advance(tokio::time::Duration::from_secs(1_200)).await;
        running
    }

    async fn set_status(&self, campaign: &Running, status: &str) -> Value {
        let path = format!("/v1/campaigns/{}", campaign.id);
        self.ask(200, "PATCH", &path, &json!({ "status": status }).to_string()).await
    }

    /// Gives a campaign these ads in the sandbox's books.
    async fn set_ads(&self, campaign: &Running, ads: &[&str]) {
        let order = json!({"platform": campaign.platform.as_str(), "campaign_id": campaign.remote_id, "ads": ads});
        self.world.control("POST", "ads", &order).await;
    }

    /// Holds a campaign, or its ad account, at the platform.
    async fn hold(&self, campaign: &Running, of_account: bool, hold: Value) {
        // Meta's control has the account as Meta writes it.
        let prefix = if campaign.platform == Platform::Beta { "act_" } else { "" };
        let account = format!("{prefix}{}", campaign.account);
        let (field, id) = if of_account { ("account", &account) } else { ("campaign_id", &campaign.remote_id) };
        let order = json!({"platform": campaign.platform.as_str(), field: id, "hold": hold});
        self.world.control("POST", "hold", &order).await;
    }

    /// Switches a quirk of a platform on.
    async fn quirk(&self, platform: Platform, name: &str) {
        let order = json!({"platform": platform.as_str(), "quirk": name, "on": true});
        self.world.control("POST", "quirks", &order).await;
    }

    /// What the service says of a campaign.
    async fn delivery(&self, campaign: &Running) -> Value {
        self.ask(200, "GET", &format!("/v1/campaigns/{}/delivery", campaign.id), "").await
    }

    /// Its state and the names of its reasons.
    async fn judged(&self, campaign: &Running) -> (String, Vec<String>) {
        judged(&self.delivery(campaign).await["delivery"])
    }

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
}

/// The state and the names of the reasons of a `delivery`.
fn judged(delivery: &Value) -> (String, Vec<String>) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let reasons = delivery["reasons"].as_array().expect("reasons");
    (text(&delivery["state"]), reasons.iter().map(|reason| text(&reason["reason"])).collect())
}
