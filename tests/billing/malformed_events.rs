//! Signed events with malformed ids, which do not keep their owner from buying, and signature headers that cost work.

use super::webhooks::{now, signed};
use crate::world::World;
use serde_json::{Value, json};

const CHECKOUT: &str = "/v1/billing/create-checkout-session";

fn event(id: &Value, customer: &Value, owner: &str) -> String {
    let object = json!({
        "customer": customer, "client_reference_id": owner, "metadata": { "account": owner }, "status": "active",
    });
    json!({ "id": id, "object": "event", "type": "customer.subscription.updated", "data": { "object": object } })
        .to_string()
}

impl World {
    /// Whether the customer with this key gets a checkout.
    async fn can_buy(&self, key: &str) -> bool {
        let checkout = self.ask("POST", CHECKOUT).header("x-api-key", key).json(&json!({ "plan": "pro" }));
        checkout.send().await.expect("a response").status == 200
    }

    /// A call of the payment provider's own API.
    async fn at_provider(&self, method: &str, path: &str) -> Value {
        let url = format!("{}/stripe/v1{path}", self.gateway.sandbox_url);
        let ask = self.request(method, &url).header("authorization", &format!("Bearer {}", sandbox::STRIPE_KEY));
        ask.expect(200).await.json()
    }
}

fn owner(key: &str) -> String {
    shared::auth::ApiKey::parse(key).expect("a key").customer().to_string()
}

#[tokio::test]
async fn a_malformed_customer_id_fails_nothing_and_its_owner_can_buy() {
    let world = World::start().await;
    let long = json!("c".repeat(5_000));
    for (customer, status) in [
        (json!(""), 400),
        (json!(" "), 400),
        (json!("cus_1 "), 400),
        (json!("cus_\u{7}"), 400),
        (json!("cus_é"), 400),
        (json!(".."), 400),
        (json!("../accounts"), 400),
        (json!("cus_1?expand[]=x"), 400),
        (json!("cus_1#"), 400),
        (long.clone(), 400),
        (json!({ "id": long, "object": "customer" }), 400),
        (json!({ "id": "", "object": "customer" }), 400),
        (json!({ "object": "customer" }), 400),
        (json!(7), 400),
        (json!(true), 400),
        (json!([]), 400),
        (json!(null), 200),
        (json!("cus_of_nobody"), 200),
        (json!("c".repeat(255)), 200),
        (json!({ "id": "cus_of_nobody", "object": "customer" }), 200),
        (json!({ "id": "cus_gone", "object": "customer", "deleted": true }), 200),
    ] {
        let key = world.another_customer().await;
        let response = world.deliver_signed(&event(&json!("evt_1"), &customer, &owner(&key))).await;
        assert_eq!(response.status, status, "{customer}: {}", response.text);
        assert!(world.can_buy(&key).await, "{customer}");
    }
}

#[tokio::test]
async fn a_malformed_event_id_is_400_and_its_owner_can_buy() {
    let world = World::start().await;
    let key = world.another_customer().await;
    world.can_buy(&key).await;
    let customer = world.table_dump().await;
    let (_, customer) = customer.split_once("PAYMENT_CUSTOMER#").expect("a payment customer");
    let customer = json!(customer.split('"').next().expect("an id"));
    let odd = [json!(""), json!(" "), json!("evt_\n"), json!("evt/1"), json!("e".repeat(5_000)), json!(7), json!(null)];
    for id in odd {
        let refused = world.deliver_signed(&event(&id, &customer, &owner(&key))).await;
        assert_eq!(refused.status, 400, "{id}: {}", refused.text);
        let ignored = json!({ "id": id, "type": "customer.created", "data": { "object": {} } }).to_string();
        assert_eq!(world.deliver_signed(&ignored).await.status, 400, "{id}");
    }
    for id in ["evt_1", &"e".repeat(255)] {
        assert_eq!(world.deliver_signed(&event(&json!(id), &customer, &owner(&key))).await.status, 200, "{id}");
    }
    assert!(world.can_buy(&key).await);
}

#[tokio::test]
async fn a_customer_that_the_provider_deleted_is_replaced() {
    let world = World::start().await;
    world.buy("pro").await;
    let payment_customer = world.me().await["payment_customer_id"].as_str().expect("an id").to_owned();
    world.at_provider("DELETE", &format!("/customers/{payment_customer}")).await;
    world.delivered_events().await;
    assert_eq!(world.subscription_state().await, ("starter".to_owned(), "canceled".to_owned()));
    // A late event of the deleted customer changes nothing, neither now nor after the next purchase.
    let late = |id: &str| event(&json!(id), &json!(payment_customer), &world.gateway.customer_id);
    assert_eq!(world.deliver_signed(&late("evt_late")).await.status, 200);
    world.buy("pro").await;
    assert_eq!(world.deliver_signed(&late("evt_later")).await.status, 200);
    assert_eq!(world.subscription_state().await, ("pro".to_owned(), "active".to_owned()));
    assert_ne!(world.me().await["payment_customer_id"], json!(payment_customer));
}

#[tokio::test]
async fn a_header_with_thousands_of_signatures_is_400() {
    let world = World::start().await;
    let body = event(&json!("evt_1"), &json!(null), "nobody");
    let good = signed(&world.gateway.webhook_secret, now(), &body);
    let (time, digest) = good.split_once(",v1=").expect("a signature");
    let with = |others: usize| format!("{time}{},v1={digest}", format!(",v1={}", "0".repeat(64)).repeat(others));
    for (header, status) in [
        (with(3), 200),
        (with(20), 400),
        (with(4_999), 400),
        (format!("{good},v0={}", "0".repeat(64)), 200),
        (format!("{good},v0={}", "0".repeat(2_000)), 400),
        (format!("{good}{}", ",a=b".repeat(500)), 400),
    ] {
        let response = world.deliver(&header, &body).await;
        assert_eq!(response.status, status, "{} bytes: {}", header.len(), response.text);
        if status == 400 {
            assert_eq!(response.fields(), ["stripe-signature"]);
        }
    }
}

#[tokio::test]
async fn a_repeated_or_unreadable_signature_header_is_400() {
    let world = World::start().await;
    let body = event(&json!("evt_1"), &json!(null), "nobody");
    let good = signed(&world.gateway.webhook_secret, now(), &body).into_bytes();
    let mut unreadable = good.clone();
    unreadable.push(0xff);
    for (headers, status) in
        [(vec![&good], 200), (vec![&good, &good], 400), (vec![&good, &unreadable], 400), (vec![&unreadable], 400)]
    {
        let mut request = http::Request::builder().method("POST").uri("/v1/billing/webhook");
        for header in &headers {
            request = request.header("stripe-signature", header.as_slice());
        }
        let request = request.body(lambda_http::Body::Text(body.clone())).expect("a request");
        let response = webhooks::handle(world.gateway.app.clone(), request).await;
        assert_eq!(response.status(), status, "{headers:?}");
    }
}

#[tokio::test]
async fn an_absurd_time_in_the_signature_is_400() {
    let world = World::start().await;
    let secret = &world.gateway.webhook_secret;
    let body = event(&json!("evt_1"), &json!(null), "nobody");
    for at in [0, i64::MAX, i64::MIN, now() + 400, now() - 400] {
        let response = world.deliver(&signed(secret, at, &body), &body).await;
        assert_eq!((response.status.as_u16(), response.fields()), (400, vec!["stripe-signature".to_owned()]), "{at}");
    }
}
