//! Monthly budgets and keys: one with a spending limit can neither ask for one nor activate it, and a stopped key has
//! nothing activated or raised.

use super::ENVELOPED;
use crate::in_process::{World, json_of, respond};
use crate::spending::{Answer, Stage, with_key};
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::domain::{KeyId, Platform};
use tokio::time::{Duration, sleep};

const PLATFORM: Platform = Platform::Beta;

impl Stage {
    /// A request in the enveloped shape, with the key of a world.
    async fn enveloped(&self, world: &World, method: &str, path: &str, body: &Value) -> Answer {
        sleep(Duration::from_millis(200)).await;
        let response = respond(&self.app, world.request(method, path, &ENVELOPED, &body.to_string())).await;
        Answer { status: response.status().as_u16(), body: json_of(response.body()) }
    }

    /// Creates a campaign with a monthly budget, and returns its id and the one at Meta.
    async fn monthly(&self, world: &World, name: &str, amount: i64) -> (String, String) {
        let connections = self.owner("GET", "/v1/connections", &Value::Null).await;
        let body = json!({"platform": PLATFORM.as_upper(), "name": name, "goal": "WEBSITE_TRAFFIC",
            "organization_id": connections["connections"][0]["remote_account_id"], "budget_amount": amount,
            "budget_period": "MONTHLY"});
        let made = self.enveloped(world, "POST", "/v1/campaigns", &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.body["data"]["id"].as_str().expect("an id").to_owned();
        let flat = self.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        (id, flat["remote_id"].as_str().expect("an id").to_owned())
    }

    /// Spends more than a month has, on the day that it is in New York.
    async fn spend(&self, remote: &str, spend: i64) {
        let zone = jiff::tz::TimeZone::get("America/New_York").expect("a zone");
        let day = zone.to_datetime(self.owner.clock.now()).date();
        let order = json!({"platform": PLATFORM.as_str(), "campaign_id": remote, "date": day.to_string(),
            "spend": spend.to_string(), "impressions": 1000, "clicks": 50});
        self.owner.control("POST", "delivery", &order).await;
    }

    async fn by_schedule(&self) -> Vec<Value> {
        let listed = self.owner("GET", "/v1/changes?limit=100", &Value::Null).await;
        let changes = listed["changes"].as_array().expect("a list").iter();
        changes.filter(|change| !change["apply_at"].is_null()).cloned().collect()
    }

    /// So many days pass; maintenance looks on each.
    async fn days(&self, days: i64) {
        for _ in 0..days {
            self.hours(24).await;
            self.minutes(3).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_neither_asks_for_a_month_nor_activates_one() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (id, _) = stage.monthly(&stage.owner, "Owner's", 930).await;
    let daily = stage.campaign(PLATFORM, "Daily", 50).await;
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let create = json!({"platform": "BETA", "name": "Agent's", "goal": "WEBSITE_TRAFFIC", "budget_amount": 930,
        "organization_id": connections["connections"][0]["remote_account_id"], "budget_period": "MONTHLY"});
    let amount = json!({"budget_period": "MONTHLY", "budget_amount": 1240});
    let (path, other) = (format!("/v1/campaigns/{id}"), format!("/v1/campaigns/{daily}"));
    let active = json!({"status": "ACTIVE"});
    for (method, path, body) in [
        ("POST", "/v1/campaigns", &create),
        ("PATCH", path.as_str(), &active),
        ("PATCH", path.as_str(), &amount),
        ("PATCH", other.as_str(), &amount),
    ] {
        let refused = stage.enveloped(&stage.limited, method, path, body).await;
        assert_eq!(refused.status, 403, "{method} {path} {body}: {}", refused.body);
        assert_eq!(refused.body["error"]["reason"], "SPENDING_LIMIT", "{}", refused.body);
    }
    // What is applied later, or for many, is refused at its time.
    let at = stage.owner.clock.now() + SignedDuration::from_mins(5);
    stage.agent("PATCH", &format!("{path}?apply_at={at:.0}"), &active).await;
    stage.agent("POST", "/v1/campaigns/status", &json!({"status": "ACTIVE", "ids": [id]})).await;
    stage.minutes(15).await;
    assert_eq!(stage.running().await, 0.into(), "nothing runs");
    // A pause is always possible.
    stage.owner("PATCH", &path, &active).await;
    assert_eq!(stage.change(&id, &json!({"status": "PAUSED"})).await, 200);
    assert_eq!(stage.running().await, 0.into(), "nothing runs");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_key_has_no_month_activated_or_raised() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let made = stage.owner("POST", "/v1/api-keys", &json!({"name": "Free", "scopes": ["campaigns"]})).await;
    let key = KeyId(made["id"].as_str().expect("an id").to_owned());
    let free = with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
    let (spent, remote) = stage.monthly(&free, "Spent", 310).await;
    let (running, _) = stage.monthly(&free, "Running", 930).await;
    for id in [&spent, &running] {
        let path = format!("/v1/campaigns/{id}");
        let activated = stage.enveloped(&free, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        assert_eq!(activated.status, 200, "{}", activated.body);
    }
    stage.spend(&remote, 400).await;
    stage.minutes(4).await;
    assert!(stage.running().await > 0.into(), "one of them runs");
    stage.owner("POST", &format!("/v1/api-keys/{key}/stop"), &Value::Null).await;
    stage.minutes(4).await;
    assert_eq!(stage.running().await, 0.into(), "the stop has paused it");
    let applied = |changes: Vec<Value>| changes.iter().filter(|change| change["state"] == "applied").count();
    let before = applied(stage.by_schedule().await);
    stage.days(33).await;
    assert_eq!(stage.running().await, 0.into(), "nothing runs in the next month");
    let changes = stage.by_schedule().await;
    assert!(changes.len() < 90, "at most one step a day for each of the two: {}", changes.len());
    assert_eq!(applied(changes), before, "nothing was activated or raised");
}
