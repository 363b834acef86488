use super::wire::Subscription;
use super::*;
use crate::domain::{Plan, SubscriptionState};
use crate::outbound::Outbound;
use serde_json::{Value, json};

fn credentials(change: impl FnOnce(&mut Value)) -> Credentials {
    let mut value = json!({
        "secret_key": "sk_test_1", "webhook_secrets": ["whsec_1"],
        "prices": {"starter": "price_starter", "pro": ["price_pro", "price_pro_of_2025"], "enterprise": "price_ent"},
    });
    change(&mut value);
    serde_json::from_value(value).unwrap()
}

fn refusal(change: impl FnOnce(&mut Value)) -> Option<&'static str> {
    Provider::new(Outbound::new().unwrap(), credentials(change), BASE_URL).err().map(|error| error.0)
}

#[test]
fn insecure_or_ambiguous_credentials_are_rejected() {
    assert_eq!(refusal(|_| {}), None);
    for (secrets, word) in [(json!([]), "is empty"), (json!([""]), "anyone"), (json!(["whsec_1", " "]), "anyone")] {
        assert!(refusal(|value| value["webhook_secrets"] = secrets).is_some_and(|reason| reason.contains(word)));
    }
    assert!(refusal(|value| value["webhook_secrets"] = json!(["1", "2", "3", "4"])).is_none());
    assert!(refusal(|value| value["webhook_secrets"] = json!(["1", "2", "3", "4", "5"])).is_some());
    assert!(refusal(|value| value["secret_key"] = json!("")).is_some());
    assert!(refusal(|value| value["secret_key"] = json!("a\nb")).is_some());
    assert!(refusal(|value| value["prices"]["pro"] = json!("price_starter")).is_some());
    assert!(refusal(|value| value["prices"]["pro"] = json!([])).is_some());
    assert!(refusal(|value| value["prices"]["pro"] = json!("")).is_some());
}

#[test]
fn debug_output_omits_the_secrets() {
    let provider = Provider::new(Outbound::new().unwrap(), credentials(|_| {}), BASE_URL).unwrap();
    let printed = format!("{provider:?} {:?}", credentials(|_| {}));
    assert!(!printed.contains("sk_test_1") && !printed.contains("whsec_1"), "{printed}");
}

#[test]
fn the_pages_are_at_the_provider_or_at_the_configured_origin() {
    let origins = |base: &str| {
        Provider::new(Outbound::new().unwrap(), credentials(|_| {}), base)
            .map(|provider| provider.page_origins())
            .unwrap()
    };
    assert_eq!(origins(BASE_URL), ["https://checkout.stripe.com", "https://billing.stripe.com"]);
    assert_eq!(origins(&format!("{BASE_URL}/")), origins(BASE_URL));
    assert_eq!(origins("http://127.0.0.1:8089/stripe"), ["http://127.0.0.1:8089"]);
}

/// The published example of a subscription, with some fields changed.
fn subscription(change: impl FnOnce(&mut Value)) -> Subscription {
    let mut value: Value = serde_json::from_str(include_str!("fixtures/subscription_updated.json")).unwrap();
    let mut object = value["data"]["object"].take();
    change(&mut object);
    serde_json::from_value(object).unwrap()
}

fn subscription_state(subscriptions: &[Subscription]) -> Option<SubscriptionState> {
    credentials(|_| {}).prices.subscription_state(subscriptions).unwrap()
}

#[test]
fn the_status_decides_on_the_plan() {
    for (status, plan) in [
        ("active", Plan::Pro),
        ("trialing", Plan::Pro),
        ("past_due", Plan::Pro),
        ("incomplete", Plan::Starter),
        ("incomplete_expired", Plan::Starter),
        ("canceled", Plan::Starter),
        ("unpaid", Plan::Starter),
        ("paused", Plan::Starter),
        ("a_word_of_tomorrow", Plan::Starter),
    ] {
        let state = subscription_state(&[subscription(|object| object["status"] = json!(status))]).unwrap();
        assert_eq!((state.plan, state.status.as_str()), (plan, status));
    }
}

#[test]
fn the_period_is_that_of_the_item_with_the_plans_price() {
    let state = subscription_state(&[subscription(|object| {
        let mut other = object["items"]["data"][0].clone();
        other["price"]["id"] = json!("price_of_something_else");
        other["current_period_end"] = json!(1);
        object["items"]["data"].as_array_mut().unwrap().insert(0, other);
    })]);
    let state = state.unwrap();
    assert_eq!(state.period_start.as_second(), 1_795_166_130);
    assert_eq!(state.period_end.as_second(), 1_797_758_130);
}

#[test]
fn the_largest_active_plan_counts() {
    let with = |id: &str, status: &str, price: &str, created: i64| {
        subscription(|object| {
            object["id"] = json!(id);
            object["status"] = json!(status);
            object["created"] = json!(created);
            object["items"]["data"][0]["price"]["id"] = json!(price);
        })
    };
    let chosen = |all: &[Subscription]| subscription_state(all).unwrap().subscription_id;
    let (pro, ent) = (with("sub_pro", "active", "price_pro", 1), with("sub_ent", "past_due", "price_ent", 2));
    let ended = with("sub_ended", "canceled", "price_ent", 9);
    assert_eq!(chosen(&[pro.clone(), ent.clone(), ended.clone()]), "sub_ent");
    assert_eq!(chosen(&[ended.clone(), pro]), "sub_pro");
    assert_eq!(chosen(&[with("sub_open", "incomplete", "price_pro", 1), ended.clone()]), "sub_open");
    assert_eq!(chosen(&[with("sub_older", "canceled", "price_pro", 1), ended]), "sub_ended");
    assert_eq!(subscription_state(&[]), None);
}

#[test]
fn an_old_price_keeps_its_plan_and_an_unknown_one_is_internal() {
    let priced = |price: &str| subscription(|object| object["items"]["data"][0]["price"]["id"] = json!(price));
    assert_eq!(subscription_state(&[priced("price_pro_of_2025")]).unwrap().plan, Plan::Pro);
    assert!(credentials(|_| {}).prices.subscription_state(&[priced("price_x")]).is_err());
}

#[test]
fn a_subscription_without_items_is_ignored() {
    let empty = subscription(|object| object["items"]["data"] = json!([]));
    assert_eq!(subscription_state(std::slice::from_ref(&empty)), None);
    assert_eq!(subscription_state(&[empty, subscription(|_| {})]).unwrap().plan, Plan::Pro);
}

#[test]
fn published_events_name_the_customer() {
    for text in [
        include_str!("fixtures/checkout_session_completed.json"),
        include_str!("fixtures/subscription_updated.json"),
        include_str!("fixtures/subscription_deleted.json"),
        include_str!("fixtures/invoice_paid.json"),
        include_str!("fixtures/invoice_payment_failed.json"),
    ] {
        let event: wire::Event = serde_json::from_str(text).unwrap();
        assert!(event.id.starts_with("evt_"));
        let object: wire::EventObject = serde_json::from_value(event.data.object).unwrap();
        assert_eq!(object.customer.unwrap().id(), "cus_QhZ1x8WmPq4Rst", "{}", event.kind);
    }
    let bought: wire::Event = serde_json::from_str(include_str!("fixtures/checkout_session_completed.json")).unwrap();
    let bought: wire::EventObject = serde_json::from_value(bought.data.object).unwrap();
    assert_eq!(bought.client_reference_id.as_deref(), Some("6f1c2d3e-4a5b-4c6d-8e7f-901a2b3c4d5e"));
    let deleted = subscription(|object| object["status"] = json!("canceled"));
    assert_eq!(deleted.items.data.len(), 1);
}

#[test]
fn an_id_is_a_word_of_at_most_255_characters() {
    for id in ["cus_1", "evt_test-1", "A", &"x".repeat(255)] {
        assert!(wire::is_object_id(id), "{id}");
    }
    for text in ["", " ", "cus 1", "..", "a/b", "a?b", "a#b", "a%2Fb", "cus_\n", "cus_é", &"x".repeat(256)] {
        assert!(!wire::is_object_id(text), "{text}");
    }
}

#[test]
fn an_expanded_customer_has_the_same_id() {
    let whole: wire::Expandable = serde_json::from_value(json!({"id": "cus_1", "object": "customer"})).unwrap();
    assert_eq!(whole.id(), serde_json::from_value::<wire::Expandable>(json!("cus_1")).unwrap().id());
}
