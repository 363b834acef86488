//! Spending limits of API keys. The sandbox's books say what runs, never our own record.

mod approval;
mod budgets;
mod concurrency;
mod later_activations;
mod laws;
mod product_approval;
mod races;
mod random;
mod requests;
mod shares;
mod split_raises;
mod stop;
mod stop_progress;
mod users;
mod visibility;

use crate::in_process::{self, World, json_of, respond};
use jiff::SignedDuration;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::app::App;
use shared::changes::{self, Review};
use shared::domain::spending::Spender;
use shared::domain::{Approver, Change, ChangeId, KeyId, PersonId, Plan, Platform, Requester, Spending};
use shared::error::Error;
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// A customer with an ad account on each of some platforms: a key without a limit, and one with.
pub(crate) struct Stage {
    pub(crate) app: Arc<App>,
    /// Requests of this world are of the key without a limit.
    pub(crate) owner: World,
    pub(crate) limited: World,
    pub(crate) key: KeyId,
    pub(crate) connections: Vec<String>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// A limit of a daily amount in US dollars.
pub(crate) fn daily(connections: &[String], daily: i64) -> Value {
    json!({"connections": connections, "amounts": [{"currency": "USD", "daily": daily}]})
}

/// A limit of 500 US dollars a day, with which a person approves every activation.
pub(crate) fn with_approval(connections: &[String]) -> Value {
    let mut limit = daily(connections, 500);
    limit["approval"] = json!({"activation": true});
    limit
}

impl Stage {
    /// A stage whose key may run this much a day on these platforms.
    pub(crate) async fn with_daily(platforms: &[Platform], amount: i64) -> Stage {
        Stage::with(platforms, |connections| daily(connections, amount)).await
    }

    pub(crate) async fn with(platforms: &[Platform], limit: impl Fn(&[String]) -> Value) -> Stage {
        let owner = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(owner.straight());
        for platform in platforms {
            owner.connect(&app, *platform, 1).await;
        }
        let listed = send(&app, &owner, "GET", "/v1/connections", &Value::Null).await.body;
        let listed = listed["connections"].as_array().expect("a list").iter();
        let connections: Vec<String> = listed.map(|one| one["id"].as_str().expect("an id").to_owned()).collect();
        let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit(&connections)});
        let made = send(&app, &owner, "POST", "/v1/api-keys", &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let limited = with_key(&owner, made.body["api_key"].as_str().expect("a key"));
        let key = KeyId(made.body["id"].as_str().expect("an id").to_owned());
        Stage { app, owner, limited, key, connections }
    }

    /// A request of the key with the limit.
    pub(crate) async fn agent(&self, method: &str, path: &str, body: &Value) -> Answer {
        send(&self.app, &self.limited, method, path, body).await
    }

    /// A request of the key without a limit, which must succeed.
    pub(crate) async fn owner(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = send(&self.app, &self.owner, method, path, body).await;
        assert!(answer.status < 300, "{method} {path}: {} {}", answer.status, answer.body);
        answer.body
    }

    /// Creates a paused campaign with the key without a limit, and returns its id.
    pub(crate) async fn campaign(&self, platform: Platform, name: &str, budget: i64) -> String {
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": budget,
            "budget_period": "DAILY"});
        self.owner("POST", "/v1/campaigns", &body).await["id"].as_str().expect("an id").to_owned()
    }

    /// Changes a campaign with the key with the limit, and returns the status of the response.
    pub(crate) async fn change(&self, campaign: &str, changes: &Value) -> u16 {
        self.agent("PATCH", &format!("/v1/campaigns/{campaign}"), changes).await.status
    }

    /// Approves a change as a person who looks at it now.
    pub(crate) async fn approve(&self, id: &str) -> Result<Change, Error> {
        let seen = self.review(id).await.version();
        self.approve_as_seen(id, &seen).await
    }

    /// What a person sees of a change.
    pub(crate) async fn review(&self, id: &str) -> Review {
        changes::review(&self.app, self.stored(id).await).await.expect("a review")
    }

    /// A change as it is stored.
    async fn stored(&self, id: &str) -> Change {
        let change = self.app.store.change(self.owner.customer, change_id(id)).await;
        change.expect("a read").expect("a change")
    }

    /// Rejects a change as a person.
    async fn reject(&self, id: &str) -> Result<Change, Error> {
        changes::reject(&self.app, self.stored(id).await, &approver(), None).await
    }

    /// Approves a change as a person who has looked at it before.
    async fn approve_as_seen(&self, id: &str, seen: &str) -> Result<Change, Error> {
        changes::approve(&self.app, self.stored(id).await, approver(), seen).await
    }

    /// What the API says of the daily limit in US dollars: reserved and left.
    pub(crate) async fn reserved_and_left(&self) -> (i64, i64) {
        let limits = self.agent("GET", "/v1/limits", &Value::Null).await.body;
        let daily = &limits["amounts"][0]["daily"];
        (daily["reserved"].as_i64().expect("a number"), daily["left"].as_i64().expect("a number"))
    }

    /// The budgets that run by the sandbox's books.
    pub(crate) async fn running(&self) -> Decimal {
        running(&self.owner).await
    }

    async fn spending(&self) -> Spending {
        self.app
            .store
            .spending(self.owner.customer, &Spender::Key(self.key.clone()))
            .await
            .expect("a read")
            .expect("a spending")
    }

    /// Sets a fault. One that delays does so by a minute, longer than a request waits.
    pub(crate) async fn fault(&self, platform: Platform, operation: &str, fault: &str, times: u32) {
        let fault = json!({"platform": platform.as_str(), "operation": operation, "fault": fault, "times": times,
            "ms": 60_000});
        self.owner.control("POST", "faults", &fault).await;
    }

    /// Runs maintenance every minute for this time.
    pub(crate) async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            sleep(Duration::from_mins(1)).await;
            maintenance::run(&self.app).await.expect("maintenance runs to its end");
        }
    }

    /// Lets this many hours pass.
    pub(crate) async fn hours(&self, hours: i64) {
        sleep(Duration::try_from(SignedDuration::from_hours(hours)).expect("a duration")).await;
    }
}

fn change_id(id: &str) -> ChangeId {
    ChangeId::parse(id).expect("the id of a change")
}

/// A person of the customer.
fn person() -> Requester {
    Requester::Person { id: PersonId("person_1".to_owned()), email: Some("ada@example.com".to_owned()) }
}

/// The same person, with a request of their own.
fn approver() -> Approver {
    Approver::in_person(person(), uuid::Uuid::new_v4())
}

/// The same world with another key.
pub(crate) fn with_key(world: &World, key: &str) -> World {
    World {
        customer: world.customer,
        api_key: key.to_owned(),
        database: world.database.clone(),
        sandbox: world.sandbox.clone(),
        clock: world.clock.clone(),
        receivers: world.receivers.clone(),
    }
}

async fn send(app: &Arc<App>, world: &World, method: &str, path: &str, body: &Value) -> Answer {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(200)).await;
    send_now(app, world, method, path, body).await
}

pub(crate) async fn send_now(app: &Arc<App>, world: &World, method: &str, path: &str, body: &Value) -> Answer {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut response = respond(app, world.request(method, path, &[], &body)).await;
    if let Some(rest) = PostResponseWork::take_from(&mut response) {
        rest.run().await;
    }
    let status = response.status().as_u16();
    let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
    Answer { status, body }
}

/// The sum of the budgets of all campaigns that are switched on in the sandbox's books.
async fn running(world: &World) -> Decimal {
    let listed = world.control("GET", "campaigns", &Value::Null).await;
    running_of(listed["campaigns"].as_array().expect("a list"))
}

/// The sum of the budgets of those of these campaigns that are switched on.
pub(crate) fn running_of<'a>(campaigns: impl IntoIterator<Item = &'a Value>) -> Decimal {
    let on = |one: &&Value| ["ENABLED", "ACTIVE", "ENABLE"].contains(&one["status"].as_str().unwrap_or(""));
    let budget = |one: &Value| one["budget"].as_str().expect("a budget").parse::<Decimal>().expect("a decimal");
    campaigns.into_iter().filter(on).map(budget).sum()
}
