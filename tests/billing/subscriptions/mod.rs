//! Subscriptions through HTTP: checkout, return page, portal and usage, with the sandbox's payment pages.

mod checkout;
mod failures;
mod lifecycle;
mod quota;

use crate::world::{TestResponse, World};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shared::clock::Clock;
use std::time::Duration;

const CHECKOUT: &str = "/v1/billing/create-checkout-session";
const PORTAL: &str = "/v1/billing/portal";

impl World {
    async fn checkout(&self, plan: &str) -> Value {
        self.ask("POST", CHECKOUT).json(&json!({ "plan": plan })).expect(200).await.json()
    }

    /// Submits a form of a payment page.
    pub(crate) async fn click(&self, url: &Value, form: &str) -> TestResponse {
        self.request("POST", url.as_str().expect("an address")).form(form).send().await.expect("a response")
    }

    /// Buys a plan and opens the return page.
    pub(crate) async fn buy(&self, plan: &str) -> TestResponse {
        let session = self.checkout(plan).await;
        let paid = self.click(&session["checkout_url"], "decision=pay").await;
        self.request("GET", paid.header("location")).expect(200).await
    }

    pub(crate) async fn portal(&self) -> Value {
        self.ask("POST", PORTAL).expect(200).await.json()["portal_url"].clone()
    }

    async fn status(&self) -> Value {
        self.ask("GET", "/v1/billing/status").expect(200).await.json()
    }

    pub(super) async fn me(&self) -> Value {
        self.ask("GET", "/v1/customer/me").expect(200).await.json()
    }

    /// Plan and status of the subscription.
    pub(super) async fn subscription_state(&self) -> (String, String) {
        let status = self.status().await;
        let text = |name: &str| status[name].as_str().expect("a string").to_owned();
        assert_eq!(self.me().await["plan"], status["plan"]);
        (text("plan"), text("status"))
    }

    /// Waits until no event is pending; returns all events.
    pub(crate) async fn delivered_events(&self) -> Vec<Value> {
        let all = async {
            loop {
                let events = self.control("GET", "stripe/events").expect(200).await.json();
                let events = events["events"].as_array().expect("a list").clone();
                if !events.iter().any(|event| event["delivery"] == "waiting" || event["delivery"] == "held") {
                    return events;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), all).await.expect("every event is delivered or fails")
    }

    /// Number of requests that the provider received, such as `POST /v1/customers`.
    async fn provider_requests(&self, pattern: &str) -> usize {
        let requests = self.received("stripe").await;
        let matches = |request: &&Value| {
            let line = format!(
                "{} {}",
                request["method"].as_str().unwrap_or_default(),
                request["path"].as_str().unwrap_or_default()
            );
            line.contains(pattern)
        };
        requests.iter().filter(matches).count()
    }

    /// Id of the newest subscription at the provider.
    async fn subscription(&self) -> String {
        let events = self.delivered_events().await;
        let mut created = events.iter().filter(|event| event["event"]["type"] == "customer.subscription.created");
        let id = created.next_back().expect("a subscription")["event"]["data"]["object"]["id"].clone();
        id.as_str().expect("an id").to_owned()
    }

    async fn advance(&self, periods: u32) {
        let body = json!({ "subscription": self.subscription().await, "periods": periods });
        self.control("POST", "stripe/advance").json(&body).expect(200).await;
        self.delivered_events().await;
    }

    /// Sets the number of requests that the demo customer has used.
    async fn set_used_requests(&self, used: u64) {
        let client = self.gateway.config.aws.dynamodb_client();
        let customer = shared::domain::CustomerId(self.gateway.customer_id.parse().expect("an id"));
        let update = client.update_item().table_name(&self.gateway.config.table);
        let update = update.set_key(Some(shared::store::table_keys::account(customer).attributes()));
        let used = aws_sdk_dynamodb::types::AttributeValue::N(used.to_string());
        let update = update.update_expression("SET used = :used").expression_attribute_values(":used", used);
        update.send().await.expect("a write");
    }
}

/// A world without webhooks.
async fn world_without_webhooks() -> World {
    let world = World::start().await;
    world.control("POST", "stripe/webhook").json(&json!({})).expect(200).await;
    world
}

fn pair(plan: &str, status: &str) -> (String, String) {
    (plan.to_owned(), status.to_owned())
}

#[tokio::test]
async fn without_a_purchase_the_account_has_its_plan_and_a_calendar_month() {
    let world = World::start().await;
    let status = world.status().await;
    assert_eq!((&status["plan"], &status["status"]), (&json!("enterprise"), &json!("active")));
    assert_eq!(
        status["usage"],
        json!({ "requests_used": 0, "requests_limit": 5_000_000 }),
        "the request itself does not count"
    );
    let today = Clock::system().now().to_zoned(TimeZone::UTC);
    let first = today.strftime("%Y-%m-01T00:00:00Z").to_string();
    assert_eq!(status["current_period_start"], json!(first));
    let me = world.me().await;
    assert_eq!(me["id"], json!(world.gateway.customer_id));
    assert_eq!((&me["email"], &me["connections_count"]), (&json!("demo@example.com"), &json!(0)));
    assert_eq!(me["payment_customer_id"], Value::Null);
    assert_eq!(me.as_object().expect("an object").len(), 6);
}

#[tokio::test]
async fn a_pending_connection_is_not_counted() {
    let world = World::connected("alpha_ads").await;
    world.authorize("beta_ads").await;
    assert_eq!(world.me().await["connections_count"], 1);
}
