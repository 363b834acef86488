use super::*;
use crate::outbound::{Answer, Failure, Transport};
use crate::payments::BASE_URL;
use async_trait::async_trait;
use http::StatusCode;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Answers one after the other, and keeps what it was asked.
#[derive(Debug, Default)]
struct Script {
    answers: Mutex<Vec<Result<Answer, Failure>>>,
    asked: Mutex<Vec<Outgoing>>,
}

#[async_trait]
impl Transport for Script {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.asked.lock().unwrap().push(outgoing);
        self.answers.lock().unwrap().remove(0)
    }
}

fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &Value) -> Result<Answer, Failure> {
    let pair =
        |(name, value): &(&'static str, &'static str)| (HeaderName::from_static(name), HeaderValue::from_static(value));
    let headers = headers.iter().map(pair).collect();
    Ok(Answer { status: StatusCode::from_u16(status).unwrap(), headers, body: body.to_string().into() })
}

fn provider(answers: Vec<Result<Answer, Failure>>) -> (Provider, Arc<Script>) {
    let script = Arc::new(Script { answers: Mutex::new(answers), asked: Mutex::default() });
    let credentials = json!({
        "secret_key": "sk_test_1", "webhook_secrets": ["whsec_1"],
        "prices": {"starter": "price_starter", "pro": ["price_pro", "price_pro_of_2025"], "enterprise": "price_ent"},
    });
    let credentials = serde_json::from_value(credentials).unwrap();
    (Provider::new(Outbound::with_transport(script.clone()), credentials, BASE_URL).unwrap(), script)
}

fn in_a_minute() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

async fn make_customer(provider: &Provider, deadline: Instant) -> Result<Customer, Failed> {
    provider.create_customer(CustomerId(Uuid::from_u128(7)), "a+b@example.com", "customer-7-0", deadline).await
}

fn header<'a>(outgoing: &'a Outgoing, name: &str) -> &'a str {
    outgoing.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_post_is_a_form_with_version_and_key_and_all_its_attempts_have_the_same_key() {
    let made = answer(200, &[], &json!({"id": "cus_1", "object": "customer"}));
    let (provider, script) = provider(vec![Err(Failure::Broken), made]);
    assert_eq!(make_customer(&provider, in_a_minute()).await.unwrap().id, "cus_1");
    let asked = script.asked.lock().unwrap();
    assert_eq!(asked.len(), 2);
    for outgoing in asked.iter() {
        assert_eq!((outgoing.method.as_str(), outgoing.url.as_str()), ("POST", "https://api.stripe.com/v1/customers"));
        assert_eq!(header(outgoing, "idempotency-key"), "customer-7-0");
        assert_eq!(header(outgoing, "stripe-version"), "2026-10-28.endive");
        assert_eq!(header(outgoing, "authorization"), "Bearer sk_test_1");
        assert_eq!(header(outgoing, "content-type"), "application/x-www-form-urlencoded");
        let form: Vec<_> = url::form_urlencoded::parse(&outgoing.body).into_owned().collect();
        let account = ("metadata[account]".to_owned(), "00000000-0000-0000-0000-000000000007".to_owned());
        assert_eq!(form, [("email".to_owned(), "a+b@example.com".to_owned()), account]);
        assert!(!format!("{outgoing:?}").contains("sk_test_1"), "the key does not print");
    }
}

#[tokio::test]
async fn a_failure_that_the_key_keeps_is_not_asked_for_again_and_is_said_to_be_kept() {
    let error = json!({"error": {"type": "api_error", "message": "x"}});
    let replayed = answer(500, &[("idempotent-replayed", "true")], &error);
    let (provider, script) = provider(vec![answer(500, &[], &error), replayed]);
    let failed = make_customer(&provider, in_a_minute()).await.unwrap_err();
    assert!(failed.keeps && failed.error.retryable, "{failed:?}");
    assert_eq!(script.asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn no_attempt_begins_after_the_deadline() {
    let (provider, script) = provider(vec![Err(Failure::NotSent)]);
    let failed = make_customer(&provider, Instant::now() + Duration::from_millis(300)).await.unwrap_err();
    assert_eq!((failed.keeps, failed.error.kind), (false, Kind::PlatformFailed));
    assert_eq!(script.asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_purchase_names_our_customer_wherever_it_may_be_looked_for() {
    let session = json!({"id": "cs_1", "mode": "subscription", "status": "open", "payment_status": "unpaid",
        "url": "https://checkout.example/cs_1", "customer": "cus_1"});
    let (provider, script) = provider(vec![answer(200, &[], &session)]);
    let account = CustomerId(Uuid::from_u128(7));
    let wanted = Checkout {
        account,
        payment_customer: "cus_1",
        plan: Plan::Pro,
        success_url: "https://a/b",
        cancel_url: "https://a",
    };
    let (session, url) = provider.create_checkout(wanted, "k", in_a_minute()).await.unwrap();
    assert_eq!((session.id.as_str(), url.as_str()), ("cs_1", "https://checkout.example/cs_1"));
    let asked = script.asked.lock().unwrap();
    let form: Vec<_> = url::form_urlencoded::parse(&asked[0].body).into_owned().collect();
    let value = |name: &str| form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    for name in ["client_reference_id", "metadata[account]", "subscription_data[metadata][account]"] {
        assert_eq!(value(name), Some("00000000-0000-0000-0000-000000000007"), "{name}");
    }
    assert_eq!((value("line_items[0][price]"), value("customer")), (Some("price_pro"), Some("cus_1")));
}

#[tokio::test]
async fn all_pages_of_subscriptions_are_read() {
    let page = |id: &str, has_more: bool| {
        let subscription = json!({"id": id, "status": "canceled", "created": 1, "cancel_at_period_end": false,
            "items": {"data": [], "has_more": false}});
        answer(200, &[], &json!({"object": "list", "data": [subscription], "has_more": has_more}))
    };
    let (provider, script) = provider(vec![page("sub_2", true), page("sub_1", false)]);
    let all = provider.subscriptions("cus_1", in_a_minute()).await.unwrap();
    assert_eq!(all.len(), 2);
    let asked = script.asked.lock().unwrap();
    assert!(asked[1].url.ends_with("/v1/subscriptions?customer=cus_1&status=all&limit=100&starting_after=sub_2"));
    assert!(asked.iter().all(|outgoing| outgoing.headers.get("idempotency-key").is_none()));
}
