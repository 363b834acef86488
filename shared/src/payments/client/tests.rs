use super::*;
use crate::domain::Plan;
use crate::error::Kind;
use crate::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use crate::payments::{BASE_URL, CheckoutPage, CheckoutRequest};
use async_trait::async_trait;
use http::{HeaderName, StatusCode};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use uuid::Uuid;

/// Returns the responses in order, and records the requests.
#[derive(Debug, Default)]
struct Script {
    responses: Mutex<Vec<Result<OutboundResponse, Failure>>>,
    sent: Mutex<Vec<OutboundRequest>>,
}

#[async_trait]
impl Transport for Script {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        self.sent.lock().unwrap().push(request);
        self.responses.lock().unwrap().remove(0)
    }
}

fn response(status: u16, headers: &[(&'static str, &'static str)], body: &Value) -> Result<OutboundResponse, Failure> {
    let pair =
        |(name, value): &(&'static str, &'static str)| (HeaderName::from_static(name), HeaderValue::from_static(value));
    let headers = headers.iter().map(pair).collect();
    Ok(OutboundResponse { status: StatusCode::from_u16(status).unwrap(), headers, body: body.to_string().into() })
}

fn provider(responses: Vec<Result<OutboundResponse, Failure>>) -> (Provider, Arc<Script>) {
    let script = Arc::new(Script { responses: Mutex::new(responses), sent: Mutex::default() });
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

async fn make_customer(provider: &Provider, deadline: Instant) -> Result<Customer, CallError> {
    provider.create_customer(CustomerId(Uuid::from_u128(7)), "a+b@example.com", "customer-7-0", deadline).await
}

fn header<'a>(request: &'a OutboundRequest, name: &str) -> &'a str {
    request.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test(start_paused = true)]
async fn every_attempt_of_a_post_has_the_same_form_version_and_key() {
    let made = response(200, &[], &json!({"id": "cus_1", "object": "customer"}));
    let (provider, script) = provider(vec![Err(Failure::Broken), made]);
    assert_eq!(make_customer(&provider, in_a_minute()).await.unwrap().id, "cus_1");
    let sent = script.sent.lock().unwrap();
    assert_eq!(sent.len(), 2);
    for request in sent.iter() {
        assert_eq!((request.method.as_str(), request.url.as_str()), ("POST", "https://api.stripe.com/v1/customers"));
        assert_eq!(header(request, "idempotency-key"), "customer-7-0");
        assert_eq!(header(request, "stripe-version"), "2026-10-28.endive");
        assert_eq!(header(request, "authorization"), "Bearer sk_test_1");
        assert_eq!(header(request, "content-type"), "application/x-www-form-urlencoded");
        let form: Vec<_> = url::form_urlencoded::parse(&request.body).into_owned().collect();
        let account = ("metadata[account]".to_owned(), "00000000-0000-0000-0000-000000000007".to_owned());
        assert_eq!(form, [("email".to_owned(), "a+b@example.com".to_owned()), account]);
        assert!(!format!("{request:?}").contains("sk_test_1"), "the API key is not shown");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stored_failure_is_not_retried_and_is_reported_as_stored() {
    let error = json!({"error": {"type": "api_error", "message": "x"}});
    let replayed = response(500, &[("idempotent-replayed", "true")], &error);
    let (provider, script) = provider(vec![response(500, &[], &error), replayed]);
    let failed = make_customer(&provider, in_a_minute()).await.unwrap_err();
    assert!(failed.is_stored && failed.error.retryable, "{failed:?}");
    assert_eq!(script.sent.lock().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn no_attempt_begins_after_the_deadline() {
    let (provider, script) = provider(vec![Err(Failure::NotSent)]);
    let failed = make_customer(&provider, Instant::now() + Duration::from_millis(300)).await.unwrap_err();
    assert_eq!((failed.is_stored, failed.error.kind), (false, Kind::PlatformFailed));
    assert_eq!(script.sent.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_checkout_session_names_the_customer_in_three_places() {
    let session = json!({"id": "cs_1", "mode": "subscription", "status": "open", "payment_status": "unpaid",
        "url": "https://checkout.example/cs_1", "customer": "cus_1"});
    let (provider, script) = provider(vec![response(200, &[], &session)]);
    let customer = CustomerId(Uuid::from_u128(7));
    let request = CheckoutRequest {
        customer,
        payment_customer: "cus_1",
        plan: Plan::Pro,
        success_url: "https://a/b",
        cancel_url: "https://a",
    };
    let page = provider.create_checkout_session(request, "k", in_a_minute()).await.unwrap();
    let expected = CheckoutPage { session_id: "cs_1".to_owned(), url: "https://checkout.example/cs_1".to_owned() };
    assert_eq!(page, expected);
    let sent = script.sent.lock().unwrap();
    let form: Vec<_> = url::form_urlencoded::parse(&sent[0].body).into_owned().collect();
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
        response(200, &[], &json!({"object": "list", "data": [subscription], "has_more": has_more}))
    };
    let (provider, script) = provider(vec![page("sub_2", true), page("sub_1", false)]);
    let all = provider.subscriptions("cus_1", in_a_minute()).await.unwrap();
    assert_eq!(all.len(), 2);
    let sent = script.sent.lock().unwrap();
    assert!(sent[1].url.ends_with("/v1/subscriptions?customer=cus_1&status=all&limit=100&starting_after=sub_2"));
    assert!(sent.iter().all(|request| request.headers.get("idempotency-key").is_none()));
}
