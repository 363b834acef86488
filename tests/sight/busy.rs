//! Two users to whom everything has happened that an event tells of.

use super::{Answer, HEADER, Stage, User, ask, authorize, connect, draft, send};
use crate::in_process::World;
use jiff::Timestamp;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

/// The endpoints of webhooks that receive everything, and their shapes.
pub(super) const ENDPOINTS: [(&str, &str); 2] =
    [("https://flat.example.com/hooks", "flat"), ("https://enveloped.example.com/hooks", "enveloped")];

impl Stage {
    /// A stage with these endpoints and users. In the end the connections work, no user is paused, and none has a limit.
    pub(super) async fn busy() -> Stage {
        let mut stage = Stage::new().await;
        for (url, shape) in ENDPOINTS {
            let made = stage.made("POST", "/v1/webhook-endpoints", &json!({"url": url, "types": ["*"]})).await;
            let path = format!("/v1/webhook-endpoints/{}", text(&made.body["id"]));
            stage.made("PATCH", &path, &json!({"shape": shape})).await;
        }
        let product = stage.with_scopes(&json!(["approve"])).await;
        for number in [0, 1] {
            let user = &stage.users[number];
            let more = [stage.in_connections(user).await, stage.in_limits(user, &product).await].concat();
            stage.users[number].more = more;
            stage.deliver().await;
        }
        stage.outcomes().await;
        stage.pauses().await;
        stage.access().await;
        for number in [0, 1] {
            let forgotten = stage.forgotten(&stage.users[number]).await;
            stage.users[number].more.extend(forgotten);
        }
        // A person decides on none of what waits.
        sleep(Duration::from_hours(7 * 24 + 1)).await;
        stage.minutes(2).await;
        for user in &stage.users {
            stage.made("PUT", &format!("/v1/users/{}", user.name), &json!({"spending_limit": null})).await;
        }
        stage.deliver().await;
        stage
    }

    /// A request of the customer that succeeds.
    async fn made(&self, method: &str, path: &str, body: &Value) -> Answer {
        let answer = self.ask_for_all(method, path, body).await;
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
        answer
    }

    /// A request for a user that succeeds.
    async fn made_for(&self, user: &User, method: &str, path: &str, body: &Value) -> Answer {
        let answer = ask(&self.app, &self.world, Some(user.name), method, path, body).await;
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
        answer
    }

    async fn deliver(&self) {
        deliveries::run(&self.app).await.expect("a run");
    }

    async fn fault(&self, platform: &str, operation: &str, fault: &str, times: u32) {
        let fault = json!({"platform": platform, "operation": operation, "fault": fault, "times": times, "ms": 1});
        self.world.control("POST", "faults", &fault).await;
    }

    async fn no_faults(&self) {
        self.world.control("POST", "reset", &json!({})).await;
    }

    /// Connections come and go, and TikTok takes a part of a change. Returns the ids of what is new.
    async fn in_connections(&self, user: &User) -> Vec<String> {
        let mut more = Vec::new();
        for platform in [Platform::Gamma, Platform::Delta] {
            more.push(connect(&self.app, &self.world, user.name, platform).await);
            let path = format!("/v1/connections?platform={platform}");
            let listed = self.made_for(user, "GET", &path, &Value::Null).await;
            let id = text(&listed.body["connections"][0]["id"]);
            let path = format!("/v1/connections/{id}");
            more.push(id);
            match platform {
                Platform::Delta => self.made_for(user, "DELETE", &path, &Value::Null).await,
                _ => self.made_for(user, "PATCH", &path, &json!({"label": format!("Label of {}", user.name)})).await,
            };
        }
        let name = format!("{} on TikTok", user.campaign_name);
        let body = json!({"platform": "gamma_ads", "name": name, "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY"});
        let made = self.made_for(user, "POST", "/v1/campaigns", &body).await;
        let path = format!("/v1/campaigns/{}", text(&made.body["id"]));
        self.made_for(user, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        let spend = json!({"platform": "gamma_ads", "campaign_id": made.body["remote_id"], "amount": "100.00"});
        self.world.control("POST", "spend", &spend).await;
        // The campaign is paused first, and a budget below its spend is refused then.
        let part = json!({"status": "PAUSED", "budget_amount": 60, "name": format!("{name}, later")});
        let refused = ask(&self.app, &self.world, Some(user.name), "PATCH", &path, &part).await;
        assert_eq!(refused.status, 422, "{refused:?}");
        more.push(text(&made.body["id"]));
        more
    }

    /// What waits is canceled, a limit refuses, and a product approves one change, rejects one, and leaves one. Returns the
    /// ids of what is new.
    async fn in_limits(&self, user: &User, product: &World) -> Vec<String> {
        let (of_user, campaign) = (format!("/v1/users/{}", user.name), format!("/v1/campaigns/{}", user.campaign));
        let later = format!("{campaign}?apply_at={}", self.in_seconds(7_200));
        let waiting = self.made_for(user, "PATCH", &later, &json!({"budget_amount": 7})).await;
        let cancel = format!("/v1/changes/{}/cancel", waiting.header("change-id"));
        self.made_for(user, "POST", &cancel, &Value::Null).await;
        let small = json!({"amounts": [{"currency": "USD", "daily": 10}]});
        self.made("PUT", &of_user, &json!({"spending_limit": small})).await;
        let raise = json!({"budget_amount": 50});
        let refused = ask(&self.app, &self.world, Some(user.name), "PATCH", &campaign, &raise).await;
        assert_eq!((refused.status, &refused.body["spending_limit"]["of"]), (403, &json!("user")), "{refused:?}");
        let asks = json!({"amounts": [{"currency": "USD", "daily": 1_000}], "approval": {"activation": true}});
        self.made("PUT", &of_user, &json!({"spending_limit": asks})).await;
        let mut more = Vec::new();
        for end in ["reject", "approve", "none"] {
            let body = draft(&format!("{} to {end}", user.campaign_name));
            let made = self.made_for(user, "POST", "/v1/campaigns", &body).await;
            let path = format!("/v1/campaigns/{}", text(&made.body["id"]));
            let asked = self.made_for(user, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
            assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{asked:?}");
            let change = format!("/v1/changes/{}", text(&asked.body["id"]));
            self.decide(user, product, &change, end).await;
            more.extend([text(&made.body["id"]), text(&asked.body["id"])]);
        }
        more
    }

    /// An activation that waits for a person. A pause would cancel it. Returns the ids of what is new.
    async fn forgotten(&self, user: &User) -> [String; 2] {
        let body = draft(&format!("{} forgotten", user.campaign_name));
        let made = self.made_for(user, "POST", "/v1/campaigns", &body).await;
        let path = format!("/v1/campaigns/{}", text(&made.body["id"]));
        let asked = self.made_for(user, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        assert_eq!(asked.status, 202, "{asked:?}");
        [text(&made.body["id"]), text(&asked.body["id"])]
    }

    async fn decide(&self, user: &User, product: &World, change: &str, end: &str) {
        let headers = [(HEADER, user.name)];
        let decision = match end {
            "approve" => {
                let path = format!("{change}/review");
                let review = send(&self.app, product, &headers, "GET", &path, &Value::Null).await;
                json!({"version": review.body["version"], "approved_by": "Ada"})
            }
            "reject" => json!({"rejected_by": "Ada"}),
            _ => return,
        };
        let decided = send(&self.app, product, &headers, "POST", &format!("{change}/{end}"), &decision).await;
        assert_eq!(decided.status, 200, "{change}/{end}: {decided:?}");
    }

    /// A change has an unknown outcome until it turns out that it was not made, and one is late.
    async fn outcomes(&self) {
        for user in &self.users {
            // The campaign is read before the change, and not after it.
            for (operation, fault, times) in [("get", "slow", 1), ("get", "error", 9), ("update", "drop", 1)] {
                self.fault("alpha_ads", operation, fault, times).await;
            }
            let path = format!("/v1/campaigns/{}", user.campaign);
            let body = json!({"budget_amount": 8});
            let unknown = ask(&self.app, &self.world, Some(user.name), "PATCH", &path, &body).await;
            assert!(unknown.status >= 500, "{unknown:?}");
            self.no_faults().await;
            self.minutes(3).await;
        }
        for user in &self.users {
            let later = format!("/v1/campaigns/{}?apply_at={}", user.campaign, self.in_seconds(120));
            self.made_for(user, "PATCH", &later, &json!({"budget_amount": 9})).await;
        }
        self.fault("alpha_ads", "get", "error", 100_000).await;
        self.minutes(8).await;
        self.no_faults().await;
        self.minutes(20).await;
        self.deliver().await;
    }

    /// Users get another label, are paused, and are resumed.
    async fn pauses(&self) {
        for user in &self.users {
            let label = json!({"label": format!("Shop of {}", user.name)});
            self.made("PUT", &format!("/v1/users/{}", user.name), &label).await;
        }
        for end in ["pause", "resume"] {
            for user in &self.users {
                self.made("POST", &format!("/v1/users/{}/{end}", user.name), &Value::Null).await;
            }
            self.minutes(4).await;
        }
        self.deliver().await;
    }

    /// The ad accounts cannot be used for a while; then their users withdraw the consents, and give them again.
    async fn access(&self) {
        for access in ["lost", "regained"] {
            for user in &self.users {
                let body = json!({"platform": "alpha_ads", "account": user.accounts[0], "access": access});
                self.world.control("POST", "access", &body).await;
            }
            self.sync().await;
        }
        self.fault("alpha_ads", "accounts", "revoked", 4).await;
        self.sync().await;
        self.no_faults().await;
        for user in &self.users {
            authorize(&self.app, &self.world, user.name, Platform::Alpha, &user.accounts[0]).await;
        }
        self.deliver().await;
    }

    /// Checks the connections twice: the first look may not be sure.
    async fn sync(&self) {
        for _ in 0..2 {
            self.made("POST", "/v1/connections/sync", &Value::Null).await;
        }
    }

    fn in_seconds(&self, seconds: i64) -> Timestamp {
        Timestamp::from_second(self.world.clock.now().as_second() + seconds).expect("a time")
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}
