//! A product with 200 shops, which are users of one customer: from their consents to the end of one. A queue crashes and
//! delivers twice, a platform fails, shops have limits and approve themselves. Each step is judged by the sandbox's books,
//! never by our own record.

mod books;
mod queue;
mod steps;

use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use crate::in_process::{self, World, json_of, respond};
use crate::spending::with_key;
use async_trait::async_trait;
use queue::Message;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::time::{Duration, sleep};

const SHOPS: usize = 200;
/// The daily budget of each campaign, of which the limit of a shop admits one.
const BUDGET: i64 = 60;
const LIMIT: i64 = 100;

/// A shop, and what its owner has asked for.
#[derive(Debug)]
struct Shop {
    /// The product's name for it.
    name: String,
    platform: Platform,
    /// Its ad account, as the books name it.
    account: String,
    /// Its owner approves each activation.
    approves: bool,
    /// The campaigns that were bought: name and id.
    campaigns: BTreeMap<&'static str, String>,
    /// The sum of the daily budgets that are to run.
    running: i64,
}

/// The product: one customer, and one process of the service, whose calls to platforms are counted.
struct Product {
    world: World,
    /// The same customer with a key of the scope `approve`.
    approver: World,
    app: Arc<App>,
    network: Arc<CountingNetwork>,
    shops: Vec<Shop>,
}

/// The sandbox; counts the calls to the platform that is to fail.
#[derive(Debug)]
struct CountingNetwork {
    network: Network,
    calls: AtomicUsize,
}

/// The platform that fails for a while.
const FAILING: Platform = Platform::Gamma;

#[async_trait]
impl Transport for CountingNetwork {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        if request.url.contains(FAILING.as_str()) {
            self.calls.fetch_add(1, Ordering::Relaxed);
        }
        self.network.send(request).await
    }
}

impl Product {
    /// A product whose shops are connected, one ad account each, on all platforms in turn.
    async fn with_shops(count: usize) -> Product {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let network = Network(world.sandbox.clone());
        let network = Arc::new(CountingNetwork { network, calls: AtomicUsize::new(0) });
        let app = Arc::new(world.app(client_over(Straight(world.database.clone())), network.clone()));
        let key = json!({"name": "Product", "scopes": ["approve"]}).to_string();
        let made = respond(&app, world.request("POST", "/v1/api-keys", &[], &key)).await;
        let approver = with_key(&world, json_of(made.body())["api_key"].as_str().expect("a key"));
        let mut product = Product { world, approver, app, network, shops: Vec::new() };
        for number in 0..count {
            let shop = product.connect(number).await;
            product.shops.push(shop);
        }
        product
    }

    /// Connects the ad account of a new shop, and gives the shop its limit.
    async fn connect(&self, number: usize) -> Shop {
        let (name, platform) = (format!("shop{number}"), Platform::ALL[number % Platform::ALL.len()]);
        let order = json!({"platform": platform.as_str(), "currency": "USD"});
        let opened = self.world.control("POST", "accounts", &order).await;
        let account = opened["account"]["id"].as_str().expect("an id").to_owned();
        let begun = self.ask(&name, "GET", &format!("/v1/connections/{platform}/authorize"), Value::Null).await;
        let page = begun["authorize_url"].as_str().expect("an address");
        let back = self.world.consent(page, std::slice::from_ref(&account)).await;
        assert_eq!(respond(&self.app, self.world.request("GET", &back, &[], "")).await.status(), 200, "{name}");
        let approves = number % 10 == 3;
        let mut limit = json!({"amounts": [{"currency": "USD", "daily": LIMIT}]});
        if approves {
            limit["approval"] = json!({"activation": true});
        }
        let body = json!({"label": format!("Shop {number}"), "spending_limit": limit});
        self.ask(&name, "PUT", &format!("/v1/users/{name}"), body).await;
        Shop { name, platform, account, approves, campaigns: BTreeMap::new(), running: 0 }
    }

    /// A request for a shop without a key, which must succeed.
    async fn ask(&self, shop: &str, method: &'static str, path: &str, body: Value) -> Value {
        let message = Message { shop: shop.to_owned(), key: None, method, path: path.to_owned(), body };
        let answer = self.deliver(&message).await;
        assert!(answer.status < 300, "{message:?}: {answer:?}");
        answer.body
    }

    /// The shops with this property, by number.
    fn shops_that(&self, is_wanted: impl Fn(&Shop) -> bool) -> Vec<usize> {
        (0..self.shops.len()).filter(|number| is_wanted(&self.shops[*number])).collect()
    }

    /// The message that creates a campaign of a shop.
    fn creation(&self, number: usize, name: &'static str) -> Message {
        let Shop { name: shop, platform, .. } = &self.shops[number];
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": BUDGET,
            "budget_period": "DAILY"});
        let path = "/v1/campaigns".to_owned();
        Message { shop: shop.clone(), key: Some(name), method: "POST", path, body }
    }

    /// The message that activates a campaign of a shop.
    fn activation(&self, number: usize, name: &str, key: &'static str) -> Message {
        let Shop { name: shop, campaigns, .. } = &self.shops[number];
        let path = format!("/v1/campaigns/{}", campaigns[name]);
        Message { shop: shop.clone(), key: Some(key), method: "PATCH", path, body: json!({"status": "ACTIVE"}) }
    }

    /// Notes a campaign that was bought.
    fn note(&mut self, number: usize, name: &'static str, created: &queue::Answer) {
        assert_eq!(created.status, 201, "{created:?}");
        let id = created.body["id"].as_str().expect("an id").to_owned();
        self.shops[number].campaigns.insert(name, id);
    }

    /// Lets the platform fail, or work again.
    async fn set_outage(&self, fails: bool) {
        let times = if fails { 1_000_000 } else { 0 };
        let fault = json!({"platform": FAILING.as_str(), "operation": "any", "fault": "error", "times": times});
        self.world.control("POST", "faults", &fault).await;
    }

    /// Runs maintenance every minute for this time.
    async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            sleep(Duration::from_mins(1)).await;
            maintenance::run(&self.app).await.expect("maintenance runs to its end");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn two_hundred_shops_buy_each_campaign_once_and_within_their_limits() {
    let mut product = Product::with_shops(SHOPS).await;
    product.judge("connected").await;
    product.create_through_a_queue_that_crashes().await;
    product.activate_during_an_outage().await;
    product.refuse_what_exceeds_a_limit().await;
    product.let_owners_approve().await;
    product.pause_and_resume_one().await;
    product.disconnect_one().await;
}
