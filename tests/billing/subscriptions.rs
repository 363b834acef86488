//! Billing through HTTP, with the sandbox's pages clicked as a person does.

use crate::world::{Answer, World};
use futures_util::future::join_all;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::Plan;
use std::collections::BTreeSet;
use std::time::Duration;

const CHECKOUT: &str = "/v1/billing/create-checkout-session";
const PORTAL: &str = "/v1/billing/portal";

impl World {
    async fn checkout(&self, plan: &str) -> Value {
        self.ask("POST", CHECKOUT).json(&json!({ "plan": plan })).expect(200).await.json()
    }

    /// Presses a button on a page of the provider.
    async fn click(&self, url: &Value, form: &str) -> Answer {
        self.request("POST", url.as_str().expect("an address")).form(form).send().await.expect("an answer")
    }

    /// Buys a plan and comes back to our page.
    async fn buy(&self, plan: &str) -> Answer {
        let session = self.checkout(plan).await;
        let paid = self.click(&session["checkout_url"], "decision=pay").await;
        self.request("GET", paid.header("location")).expect(200).await
    }

    async fn portal(&self) -> Value {
        self.ask("POST", PORTAL).expect(200).await.json()["portal_url"].clone()
    }

    async fn status(&self) -> Value {
        self.ask("GET", "/v1/billing/status").expect(200).await.json()
    }

    async fn me(&self) -> Value {
        self.ask("GET", "/v1/customer/me").expect(200).await.json()
    }

    /// Plan and status.
    async fn subscription_state(&self) -> (String, String) {
        let status = self.status().await;
        let word = |name: &str| status[name].as_str().expect("a word").to_owned();
        assert_eq!(self.me().await["plan"], status["plan"]);
        (word("plan"), word("status"))
    }

    /// The provider's events, once none is on its way any more.
    pub(crate) async fn settled(&self) -> Vec<Value> {
        let all = async {
            loop {
                let events = self.control("GET", "stripe/events").expect(200).await.json();
                let events = events["events"].as_array().expect("a list").clone();
                if !events.iter().any(|one| one["delivery"] == "waiting" || one["delivery"] == "held") {
                    return events;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), all).await.expect("every event has its end")
    }

    /// What was asked of the provider, as `POST /v1/customers`.
    async fn asked_of_stripe(&self, what: &str) -> usize {
        let requests = self.received("stripe").await;
        let is_one = |one: &&Value| {
            let line =
                format!("{} {}", one["method"].as_str().unwrap_or_default(), one["path"].as_str().unwrap_or_default());
            line.contains(what)
        };
        requests.iter().filter(is_one).count()
    }

    /// The one subscription at the provider.
    async fn subscription(&self) -> String {
        let events = self.settled().await;
        let mut created = events.iter().filter(|one| one["event"]["type"] == "customer.subscription.created");
        let id = created.next_back().expect("a subscription")["event"]["data"]["object"]["id"].clone();
        id.as_str().expect("an id").to_owned()
    }

    async fn advance(&self, periods: u32) {
        let body = json!({ "subscription": self.subscription().await, "periods": periods });
        self.control("POST", "stripe/advance").json(&body).expect(200).await;
        self.settled().await;
    }

    /// Changes attributes of the demo customer's account, as authentication does when it counts.
    async fn count_requests(&self, used: u64) {
        let client = self.gateway.config.aws.dynamodb_client();
        let customer = shared::domain::CustomerId(self.gateway.customer_id.parse().expect("an id"));
        let update = client.update_item().table_name(&self.gateway.config.table);
        let update = update.set_key(Some(shared::store::table_keys::account(customer).attributes()));
        let used = aws_sdk_dynamodb::types::AttributeValue::N(used.to_string());
        let update = update.update_expression("SET used = :used").expression_attribute_values(":used", used);
        update.send().await.expect("a write");
    }
}

/// The webhooks do not come.
async fn deaf_world() -> World {
    let world = World::start().await;
    world.control("POST", "stripe/webhook").json(&json!({})).expect(200).await;
    world
}

fn pair(plan: &str, status: &str) -> (String, String) {
    (plan.to_owned(), status.to_owned())
}

#[tokio::test]
async fn without_a_purchase_the_plan_is_the_accounts_and_the_period_the_month() {
    let world = World::start().await;
    let status = world.status().await;
    assert_eq!((&status["plan"], &status["status"]), (&json!("enterprise"), &json!("active")));
    assert_eq!(status["usage"], json!({ "requests_used": 1, "requests_limit": 5_000_000 }), "to ask counts too");
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
async fn connections_count_once_their_user_is_back() {
    let world = World::connected("alpha_ads").await;
    world.authorize("beta_ads").await;
    assert_eq!(world.me().await["connections_count"], 1);
}

#[tokio::test]
async fn a_paid_plan_is_there_at_once_without_any_webhook() {
    let world = deaf_world().await;
    for (plan, limit) in [("starter", 10_000), ("pro", 250_000), ("enterprise", 5_000_000)] {
        let page = world.buy(plan).await;
        assert!(page.text.contains(&format!("Your plan is {plan} from now on")), "{}", page.text);
        let status = world.status().await;
        assert_eq!((&status["plan"], &status["status"]), (&json!(plan), &json!("active")));
        assert_eq!(status["usage"]["requests_limit"], limit);
        assert!(world.me().await["payment_customer_id"].as_str().expect("an id").starts_with("cus_"));
        world.click(&world.portal().await, "decision=cancel_now").await;
    }
    assert_eq!(world.asked_of_stripe("POST /v1/customers").await, 1);
}

#[tokio::test]
async fn a_webhook_alone_brings_the_plan_to_who_never_comes_back() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    world.click(&session["checkout_url"], "decision=pay").await;
    let events = world.settled().await;
    assert!(events.iter().all(|one| one["delivery"] == "delivered"), "{events:?}");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn the_page_and_the_webhooks_together_count_the_period_once() {
    let world = World::start().await;
    world.buy("pro").await;
    world.settled().await;
    world.count_requests(77).await;
    let events = world.settled().await;
    for event in &events {
        world.control("POST", "stripe/redeliver").json(&json!({ "event": event["event"]["id"] })).expect(200).await;
    }
    world.settled().await;
    assert_eq!(world.status().await["usage"]["requests_used"], 78, "to ask counts too");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn the_return_page_may_be_loaded_again_and_by_many() {
    let world = deaf_world().await;
    let session = world.checkout("pro").await;
    let paid = world.click(&session["checkout_url"], "decision=pay").await;
    let loads = (0..8).map(|_| world.request("GET", paid.header("location")).expect(200));
    join_all(loads).await;
    world.count_requests(5).await;
    world.request("GET", paid.header("location")).expect(200).await;
    assert_eq!(world.status().await["usage"]["requests_used"], 6, "to ask counts too");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn a_declined_card_and_a_changed_mind_change_nothing() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    assert_eq!(world.click(&session["checkout_url"], "decision=decline").await.status, 402);
    let unpaid = format!("/v1/billing/return?session_id={}", session["session_id"].as_str().expect("an id"));
    let page = world.ask("GET", &unpaid).without("x-api-key").expect(400).await;
    assert!(page.text.contains("Nothing was paid"), "{}", page.text);
    let back = world.click(&session["checkout_url"], "decision=cancel").await;
    let page = world.request("GET", back.header("location")).expect(200).await;
    assert!(page.text.contains("You are back"), "{}", page.text);
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
    assert_eq!(world.me().await["payment_customer_id"], Value::Null);
    world.control("POST", "stripe/expire").json(&json!({ "session": session["session_id"] })).expect(200).await;
    assert!(world.settled().await.iter().all(|one| one["delivery"] == "delivered"));
    world.ask("GET", &unpaid).expect(400).await;
}

#[tokio::test]
async fn a_return_that_no_purchase_leads_to_changes_nothing() {
    let world = World::start().await;
    for query in ["session_id=", "session_id=cs_x", "session_id=..%2Fsubscriptions", "session_id=cs_a%2Fb", "other=1"] {
        let page = world.ask("GET", &format!("/v1/billing/return?{query}")).without("x-api-key").expect(400).await;
        assert!(page.header("content-type").starts_with("text/html"), "{query}");
    }
    assert_eq!(world.asked_of_stripe("subscriptions").await, 0);
}

#[tokio::test]
async fn a_bad_request_asks_nothing_of_the_provider() {
    let world = World::start().await;
    for (body, fields) in [
        (json!({}), ["plan"]),
        (json!({ "plan": "gold" }), ["plan"]),
        (json!({ "plan": "PRO" }), ["plan"]),
        (json!({ "plan": 1 }), ["plan"]),
        (json!({ "plan": "pro", "price": "x" }), ["price"]),
    ] {
        let answer = world.ask("POST", CHECKOUT).json(&body).expect(400).await;
        assert_eq!(
            (answer.json()["code"].clone(), answer.fields()),
            (json!("VALIDATION_ERROR"), fields.map(Into::into).to_vec())
        );
    }
    world.ask("POST", PORTAL).json(&json!({ "x": 1 })).expect(400).await;
    for (method, path) in
        [("POST", CHECKOUT), ("POST", PORTAL), ("GET", "/v1/billing/status"), ("GET", "/v1/customer/me")]
    {
        let keyless = world.ask(method, path).without("x-api-key").expect(401).await;
        assert_eq!(keyless.json()["code"], "UNAUTHORIZED");
        world.ask(method, &format!("{path}?x=1")).expect(400).await;
    }
    for path in [CHECKOUT, PORTAL] {
        let body = json!({ "plan": "pro" });
        world.ask("POST", path).header("idempotency-key", "").json(&body).expect(400).await;
    }
    assert_eq!(world.asked_of_stripe("/v1/").await, 0);
}

#[tokio::test]
async fn who_has_a_subscription_is_sent_to_the_portal() {
    let world = deaf_world().await;
    let (first, second) = (world.checkout("pro").await, "/v1/billing/portal");
    // Paid a moment ago, and nobody has told us.
    world.click(&first["checkout_url"], "decision=pay").await;
    for plan in ["pro", "enterprise", "starter"] {
        let refused = world.ask("POST", CHECKOUT).json(&json!({ "plan": plan })).expect(409).await.json();
        assert_eq!(refused["code"], "CONFLICT");
        assert!(refused["error"].as_str().expect("words").contains(second), "{refused}");
    }
    assert_eq!(world.subscription_state().await, pair("pro", "active"), "the provider was asked, so it is known now");
    world.click(&world.portal().await, "decision=cancel_now").await;
    world.checkout("enterprise").await;
}

#[tokio::test]
async fn the_portal_changes_the_plan_and_ends_it() {
    let world = World::start().await;
    world.buy("pro").await;
    let portal = world.portal().await;
    world.click(&portal, "decision=plan&price=price_enterprise").await;
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
    world.click(&portal, "decision=plan&price=price_pro").await;
    world.click(&portal, "decision=cancel").await;
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"), "what is paid for is had to its end");
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    let back = world.click(&portal, "decision=back").await;
    world.request("GET", back.header("location")).expect(200).await;
}

#[tokio::test]
async fn a_failed_payment_keeps_the_plan_until_the_subscription_ends() {
    let world = World::start().await;
    world.buy("pro").await;
    let portal = world.portal().await;
    world.click(&portal, "decision=fail").await;
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("pro", "past_due"));
    world.click(&portal, "decision=pay").await;
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
    world.click(&portal, "decision=fail").await;
    world.settled().await;
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    world.buy("enterprise").await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
}

#[tokio::test]
async fn a_period_that_rolls_counts_anew() {
    let world = World::start().await;
    world.buy("pro").await;
    world.settled().await;
    let before = world.status().await;
    world.count_requests(200).await;
    world.advance(3).await;
    let after = world.status().await;
    assert_eq!(after["usage"]["requests_used"], 1, "to ask counts too");
    assert!(after["current_period_start"].as_str() > before["current_period_end"].as_str(), "{before} {after}");
    world.click(&world.portal().await, "decision=plan&price=price_enterprise").await;
    world.settled().await;
    world.count_requests(9).await;
    world.click(&world.portal().await, "decision=cancel").await;
    world.settled().await;
    let used = &world.status().await["usage"]["requests_used"];
    assert_eq!(used, 11, "within a period nothing is forgotten; the portal and this count too");
}

#[tokio::test]
async fn what_an_operator_sets_holds_until_the_subscription_next_changes() {
    let world = World::start().await;
    world.buy("pro").await;
    world.settled().await;
    let customer = shared::domain::CustomerId(world.gateway.customer_id.parse().expect("an id"));
    world.gateway.app.store.set_plan(customer, Plan::Enterprise).await.expect("a write");
    world.advance(1).await;
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"), "a renewal is no change");
    world.click(&world.portal().await, "decision=cancel_now").await;
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("starter", "canceled"));
    world.gateway.app.store.set_plan(customer, Plan::Pro).await.expect("a write");
    for event in world.settled().await {
        world.control("POST", "stripe/redeliver").json(&json!({ "event": event["event"]["id"] })).expect(200).await;
    }
    world.settled().await;
    assert_eq!(world.subscription_state().await, pair("pro", "canceled"), "old news changes nothing");
}

#[tokio::test]
async fn twenty_who_open_the_portal_at_once_are_one_customer_of_the_provider() {
    let world = World::start().await;
    let answers = join_all((0..20).map(|_| world.ask("POST", PORTAL).expect(200))).await;
    let portals: BTreeSet<String> = answers.iter().map(|answer| answer.json()["portal_url"].to_string()).collect();
    assert_eq!(portals.len(), 20);
    let dump = world.table_dump().await;
    assert_eq!(dump.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1, "{dump}");
    assert_eq!(world.me().await["payment_customer_id"], Value::Null, "nothing is bought yet");
    world.buy("pro").await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

/// What is asked of the provider, and by whom.
const OPERATIONS: [(&str, &str); 4] =
    [("customer", PORTAL), ("portal", PORTAL), ("checkout", CHECKOUT), ("subscription", CHECKOUT)];

fn body_of(path: &str) -> Value {
    if path == CHECKOUT { json!({ "plan": "pro" }) } else { json!({}) }
}

#[tokio::test]
async fn a_provider_that_fails_is_named_and_the_next_attempt_succeeds() {
    for (operation, path) in OPERATIONS {
        let world = World::start().await;
        // The provider keeps a failure under the key of a call that writes, so that asking again is of no use.
        let errors = if operation == "subscription" { 3 } else { 1 };
        for (fault, times, status, code) in [
            ("error", errors, 502, "PLATFORM_ERROR"),
            ("garbage", 1, 502, "PLATFORM_ERROR"),
            ("throttle", 1, 429, "RATE_LIMITED"),
        ] {
            world.fault("stripe", operation, fault, times).await;
            let failed = world.ask("POST", path).json(&body_of(path)).expect(status).await;
            let told = failed.json();
            assert_eq!(
                (&told["code"], &told["retryable"]),
                (&json!(code), &json!(true)),
                "{operation} {fault}: {told}"
            );
            assert_eq!(told.get("platform").unwrap_or(&Value::Null), &Value::Null);
            assert_eq!(failed.header("retry-after").is_empty(), status != 429);
            // A customer who is known is not made again, so the other failures come before.
            if operation != "customer" || fault == "throttle" {
                world.ask("POST", path).json(&body_of(path)).expect(200).await;
            }
        }
        assert_eq!(world.table_dump().await.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1, "{operation}");
    }
}

#[tokio::test]
async fn an_answer_that_is_lost_is_asked_for_again_and_nothing_is_made_twice() {
    let world = World::start().await;
    for (operation, path) in OPERATIONS {
        for fault in ["drop_after", "drop"] {
            // A customer who is known is not made again.
            if operation == "customer" && fault == "drop" {
                continue;
            }
            world.fault("stripe", operation, fault, 1).await;
            world.ask("POST", path).json(&body_of(path)).expect(200).await;
        }
    }
    assert_eq!(world.table_dump().await.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1);
    let customers = world.asked_of_stripe("POST /v1/customers").await;
    assert_eq!(customers, 2, "asked for twice, with one key");
}

#[tokio::test]
async fn a_purchase_that_cannot_be_confirmed_is_not_lost() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    let paid = world.click(&session["checkout_url"], "decision=pay").await;
    world.settled().await;
    world.fault("stripe", "checkout", "error", 3).await;
    let page = world.request("GET", paid.header("location")).expect(502).await;
    assert!(page.text.contains("nothing is lost"), "{}", page.text);
    world.request("GET", paid.header("location")).expect(200).await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn a_function_that_is_not_to_have_the_provider_starts_without_its_secret() {
    use shared::app::{App, Config};
    let world = World::start().await;
    let config = Config { with_payments: false, ..world.gateway.config.clone() };
    let app = App::start(config).await.expect("a function");
    assert!(app.payments.is_none() && world.gateway.app.payments.is_some());
}
