//! Requests for a user of a customer (D159): two users of one customer, of whom neither sees anything of the other.

mod acting;
mod bound_keys;
mod busy;
mod erasure;
mod events;
mod export;
mod moved;
mod outcomes;
mod walk;

use crate::in_process::{self, World, json_of, respond};
use jiff::Timestamp;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

const HEADER: &str = "x-external-ref";

/// A response.
#[derive(Debug)]
struct Answer {
    status: u16,
    body: Value,
    /// All headers and the body, as sent.
    text: String,
    headers: http::HeaderMap,
}

impl Answer {
    fn header(&self, name: &str) -> String {
        self.headers[name].to_str().expect("text").to_owned()
    }
}

/// A user, its connection on each platform, and what was made for it.
struct User {
    name: &'static str,
    connections: Vec<String>,
    accounts: Vec<String>,
    campaign: String,
    campaign_name: String,
    /// The request that has created the campaign.
    request: String,
    /// A change that is made, and one that waits.
    change: String,
    waiting: String,
    bulk: String,
    /// What else is named in events of the user only.
    more: Vec<String>,
}

impl User {
    /// Everything that names the user, or what is the user's.
    fn names(&self) -> Vec<&str> {
        let User { name, campaign, campaign_name, request, change, waiting, bulk, .. } = self;
        let own = [*name, campaign, campaign_name, request, change, waiting, bulk];
        let lists = [&self.connections, &self.accounts, &self.more];
        own.into_iter().chain(lists.into_iter().flatten().map(String::as_str)).collect()
    }
}

/// A customer with two users, each with a connection on Google Ads and on Meta Ads.
struct Stage {
    app: Arc<App>,
    world: World,
    users: [User; 2],
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        let mut users = Vec::new();
        for name in ["shop_a", "shop_b"] {
            let accounts = vec![
                connect(&app, &world, name, Platform::Alpha).await,
                connect(&app, &world, name, Platform::Beta).await,
            ];
            users.push(fill(&app, &world, name, accounts).await);
        }
        let users = users.try_into().ok().expect("two users");
        Stage { app, world, users }
    }

    /// A request for the first user.
    async fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        ask(&self.app, &self.world, Some(self.users[0].name), method, path, body).await
    }

    /// A request of the customer for no user.
    async fn ask_for_all(&self, method: &str, path: &str, body: &Value) -> Answer {
        ask(&self.app, &self.world, None, method, path, body).await
    }

    /// The same world with a key of these scopes.
    async fn with_scopes(&self, scopes: &Value) -> World {
        let made = self.ask_for_all("POST", "/v1/api-keys", &json!({"name": "Scoped", "scopes": scopes})).await;
        assert_eq!(made.status, 201, "{made:?}");
        crate::spending::with_key(&self.world, made.body["api_key"].as_str().expect("a key"))
    }

    /// The same world with a key that is bound to the first user.
    async fn bound(&self, scopes: &Value) -> World {
        let body = json!({"name": "Bound", "scopes": scopes, "external_ref": self.users[0].name});
        let made = self.ask_for_all("POST", "/v1/api-keys", &body).await;
        assert_eq!((made.status, &made.body["external_ref"]), (201, &json!(self.users[0].name)), "{made:?}");
        crate::spending::with_key(&self.world, made.body["api_key"].as_str().expect("a key"))
    }
}

async fn ask(app: &Arc<App>, world: &World, user: Option<&str>, method: &str, path: &str, body: &Value) -> Answer {
    let headers: Vec<(&str, &str)> = user.map(|user| (HEADER, user)).into_iter().collect();
    send(app, world, &headers, method, path, body).await
}

async fn send(
    app: &Arc<App>,
    world: &World,
    headers: &[(&str, &str)],
    method: &str,
    path: &str,
    body: &Value,
) -> Answer {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(200)).await;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut response = respond(app, world.request(method, path, headers, &body)).await;
    if let Some(rest) = PostResponseWork::take_from(&mut response) {
        rest.run().await;
    }
    let text = format!("{:?} {}", response.headers(), String::from_utf8_lossy(response.body()));
    let is_json = response.headers().get("content-type").is_some_and(|kind| kind == "application/json");
    let body = match response.body() {
        body if body.is_empty() => Value::Null,
        body if is_json => json_of(body),
        body => Value::String(String::from_utf8_lossy(body).into_owned()),
    };
    Answer { status: response.status().as_u16(), body, text, headers: response.headers().clone() }
}

/// Connects a new ad account for a user; returns its id.
async fn connect(app: &Arc<App>, world: &World, user: &str, platform: Platform) -> String {
    let order = json!({"platform": platform.as_str(), "currency": "USD"});
    let opened = world.control("POST", "accounts", &order).await;
    let account = opened["account"]["id"].as_str().expect("an id").to_owned();
    authorize(app, world, user, platform, &account).await;
    account.trim_start_matches("act_").to_owned()
}

/// Gives a consent for an ad account of a user.
async fn authorize(app: &Arc<App>, world: &World, user: &str, platform: Platform, account: &str) {
    let path = format!("/v1/connections/{platform}/authorize");
    let begun = ask(app, world, Some(user), "GET", &path, &Value::Null).await;
    let page = begun.body["authorize_url"].as_str().expect("an address");
    let back = world.consent(page, &[account.to_owned()]).await;
    assert_eq!(respond(app, world.request("GET", &back, &[], "")).await.status(), 200, "{back}");
}

/// Makes a campaign for a user, changes of it and a bulk change.
async fn fill(app: &Arc<App>, world: &World, name: &'static str, accounts: Vec<String>) -> User {
    let ask = async |method: &str, path: &str, body: Value| {
        let answer = ask(app, world, Some(name), method, path, &body).await;
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
        answer
    };
    let listed = ask("GET", "/v1/connections", Value::Null).await.body;
    let listed = listed["connections"].as_array().expect("a list").iter();
    let connections = listed.map(|one| one["id"].as_str().expect("an id").to_owned()).collect();
    let campaign_name = format!("Secret of {name}");
    let created = ask("POST", "/v1/campaigns", draft(&campaign_name)).await;
    let campaign = created.body["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/campaigns/{campaign}");
    let changed = ask("PATCH", &path, json!({"budget_amount": 6})).await;
    let later = Timestamp::from_second(world.clock.now().as_second() + 7_200).expect("a time");
    let waiting = ask("PATCH", &format!("{path}?apply_at={later}"), json!({"budget_amount": 7})).await;
    let bulk = ask("POST", "/v1/campaigns/status", json!({"status": "ACTIVE", "ids": [campaign]})).await;
    User {
        name,
        connections,
        accounts,
        campaign,
        campaign_name,
        request: created.header("x-request-id"),
        change: changed.header("change-id"),
        waiting: waiting.header("change-id"),
        bulk: bulk.body["bulk_id"].as_str().expect("an id").to_owned(),
        more: Vec::new(),
    }
}

/// A campaign of which the only connection on Google Ads is the default.
fn draft(name: &str) -> Value {
    json!({"platform": "alpha_ads", "name": name, "goal": "TRAFFIC", "budget_amount": 5, "budget_period": "DAILY"})
}
