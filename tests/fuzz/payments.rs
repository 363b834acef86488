//! Responses and webhooks of the payment provider.

use super::platforms::now;
use super::rendering::{both_shapes, no_secret};
use super::responses::{self, SEPARATOR, Script};
use jiff::SignedDuration;
use ring::hmac;
use shared::domain::{CustomerId, Plan, SubscriptionState};
use shared::error::{Error, Kind};
use shared::outbound::Outbound;
use shared::payments::{BASE_URL, CallError, CheckoutRequest, Credentials, Provider, SIGNATURE_HEADER, WebhookEvent};
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Signs in these runs.
const SECRET: &str = "whsec_canary";

/// Runs one operation of the provider's client, `a` to `e`, against the responses in the input. Returns its success.
pub(super) fn responses(input: &[u8]) -> bool {
    let mut parts = input.split(|byte| *byte == SEPARATOR);
    let order = parts.next().and_then(|order| order.first()).copied().unwrap_or(b'e');
    let provider = provider(Outbound::with_transport(Script::read(format!("{BASE_URL}/v1/"), parts)));
    let Err(error) = responses::run(operate(&provider, order)) else { return true };
    no_secret(&error, &["sk_canary", SECRET]);
    assert!(error.kind != Kind::Internal, "{error:?}");
    both_shapes(&Err(error));
    false
}

async fn operate(provider: &Provider, order: u8) -> Result<(), Error> {
    let deadline = Instant::now() + Duration::from_secs(25);
    let customer = CustomerId(Uuid::from_u128(7));
    match order {
        b'a' => {
            provider.create_customer(customer, "owner@example.com", "key", deadline).await.map_err(caller)?;
        }
        b'b' => {
            let (success_url, cancel_url) = ("https://us.example/return", "https://us.example/cancel");
            let request =
                CheckoutRequest { customer, payment_customer: "cus_1", plan: Plan::Pro, success_url, cancel_url };
            provider.create_checkout_session(request, "key", deadline).await.map_err(caller)?;
        }
        b'c' => {
            provider.checkout_state("cs_1", "cus_1", deadline).await?;
        }
        b'd' => {
            provider.create_portal_session("cus_1", "https://us.example/", "key", deadline).await.map_err(caller)?;
        }
        _ => match provider.subscription_state("cus_1", deadline).await {
            // A price that the secret does not name is for the operator, and the error says so.
            Err(error) if error.kind == Kind::Internal => {}
            outcome => outcome?.iter().for_each(check_state),
        },
    }
    Ok(())
}

/// The caller's error of a POST under a key of its own.
fn caller(failed: CallError) -> Error {
    failed.for_caller(true)
}

/// A customer without a paid subscription has the free plan, and no period runs backwards.
fn check_state(state: &SubscriptionState) {
    assert!(state.period_start <= state.period_end);
    assert!(state.status.grants_access() || state.plan == Plan::Starter);
}

pub(super) fn provider(outbound: Outbound) -> Provider {
    let credentials: Credentials = serde_json::from_str(
        r#"{"secret_key":"sk_canary","webhook_secrets":["whsec_canary"],
            "prices":{"starter":"price_starter","pro":"price_pro","enterprise":["price_enterprise"]}}"#,
    )
    .expect("credentials");
    Provider::new(outbound, credentials, BASE_URL).expect("a provider")
}

/// Reads a webhook: the first line is its signature header, the rest its body. Returns whether the body is an event
/// about a customer.
pub(super) fn webhook(input: &[u8]) -> bool {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let header = &input[..end];
    let body = input.get(end + 1..).unwrap_or_default();
    let provider = provider(Outbound::with_transport(Script::of("", [].into())));
    if let Ok(header) = str::from_utf8(header)
        && is_signed(&provider.read_webhook(header, body, now()))
    {
        let has_signature = header.split(',').any(|part| {
            let time = part.strip_prefix("t=").unwrap_or_default();
            header.contains(&sign(time, body))
        });
        assert!(has_signature, "{header} was taken");
    }
    let time = now().as_second().to_string();
    let header = format!("t={time},v0=1,v1={}", sign(&time, body));
    let event = provider.read_webhook(&header, body, now());
    assert!(is_signed(&event), "{event:?}");
    assert!(!is_signed(&provider.read_webhook(&header, body, now() + SignedDuration::from_secs(301))));
    assert!(!is_signed(&provider.read_webhook(&header, &[body, b" "].concat(), now())));
    event.is_ok_and(|event| event.customer.is_some())
}

/// Whether the signature of an event was accepted.
fn is_signed(event: &Result<WebhookEvent, Error>) -> bool {
    !event.as_ref().is_err_and(|error| error.details.iter().any(|detail| detail.field == SIGNATURE_HEADER))
}

/// The signature of a body, as the provider makes it.
fn sign(time: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    let signature = hmac::sign(&key, &[time.as_bytes(), b".", body].concat());
    signature.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
