//! The billing endpoints: a customer buys a plan.

use super::stage::Stage;
use super::table::Row;
use crate::billing::webhooks::signed;
use crate::in_process::location;
use crate::in_process::network::WEBHOOK_SECRET;
use lambda_http::Request;
use serde_json::{Value, json};
use shared::domain::Plan;

const CHECKOUT: &str = "/v1/billing/create-checkout-session";
const STATUS: &str = "/v1/billing/status";
const ME: &str = "/v1/customer/me";

/// From no plan to a subscription.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Starter, &[]).await;
    stage.in_process.control("POST", "stripe/webhook", &json!({})).await;
    stage.ask(200, "GET", STATUS, "").await;
    stage.count("", 200, "GET", STATUS, "").await;
    stage.count("", 200, "GET", ME, "").await;
    let plan = json!({"plan": "pro"}).to_string();
    stage.count("customer new to the provider", 200, "POST", CHECKOUT, &plan).await;
    let session = stage.count("customer known to the provider", 200, "POST", CHECKOUT, &plan).await;
    let keyed = stage.in_process.request("POST", CHECKOUT, &[("idempotency-key", "k")], &plan);
    stage.count_as("customer known to the provider, with an Idempotency-Key", 200, keyed).await;

    let page = session["checkout_url"].as_str().expect("an address");
    let paid = stage.in_process.post_form(page, "decision=pay".to_owned()).await;
    stage.count("after a purchase", 200, "GET", &location(&paid), "").await;
    stage.count("without a purchase", 200, "GET", "/v1/billing/return", "").await;
    stage.count("an unknown session", 400, "GET", "/v1/billing/return?session_id=cs_unknown", "").await;
    // The plan has changed, which the process sees with its next request.
    stage.ask(200, "GET", STATUS, "").await;
    stage.count("", 200, "POST", "/v1/billing/portal", "").await;

    let began = event(&stage, "customer.subscription.created").await;
    stage.count_as("a subscription changed", 200, webhook(&stage, &began)).await;
    stage.count_as("the same event again", 200, webhook(&stage, &began)).await;
    let other = json!({"id": "evt_x", "type": "customer.updated", "data": {"object": {}}}).to_string();
    stage.count_as("an ignored event type", 200, webhook(&stage, &other)).await;
    stage.rows
}

/// Webhooks of the payment provider.
async fn event(stage: &Stage, kind: &str) -> String {
    let events = stage.in_process.control("GET", "stripe/events", &Value::Null).await;
    let mut events = events["events"].as_array().expect("a list").iter().map(|known| &known["event"]);
    events.find(|event| event["type"] == kind).expect("an event").to_string()
}

fn webhook(stage: &Stage, body: &str) -> Request {
    let signature = signed(WEBHOOK_SECRET, stage.in_process.clock.now().as_second(), body);
    let mut request =
        stage.in_process.request("POST", "/v1/billing/webhook", &[("stripe-signature", &signature)], body);
    request.headers_mut().remove("x-api-key");
    request
}
