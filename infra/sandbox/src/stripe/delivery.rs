//! Delivery of events to the webhook endpoint, with the faults that meet them.

use super::events::{Attempt, Delivery, DeliveryStatus, Endpoint};
use super::signature;
use super::state::{NAME, Stripe};
use crate::faults::{Faults, Kind, Operation, RequestKind};
use jiff::Timestamp;
use reqwest::redirect::Policy;
use reqwest::{Client, Error};
use std::sync::Arc;
use std::time::Duration;

/// An endpoint that takes longer has failed.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The next step of the delivery.
pub(crate) enum Next {
    Send(WebhookRequest),
    /// Nothing is due for so many milliseconds.
    Wait(u64),
    /// Nothing is due until an event occurs.
    Idle,
}

/// An event to post to the endpoint.
pub(crate) struct WebhookRequest {
    delivery: Delivery,
    endpoint: Endpoint,
    body: String,
    /// Send it twice at the same time, for the fault `duplicate`.
    twice: bool,
}

impl Stripe {
    /// Takes the next event to send, after the faults that meet it.
    pub(crate) fn next_delivery(&mut self, faults: &mut Faults, now_ms: i64) -> Next {
        let outbox = &mut self.outbox;
        while let Some(delivery) = outbox.take_due(now_ms) {
            let fault =
                if delivery.fresh { faults.take(NAME, RequestKind::Operation(Operation::Webhook)) } else { None };
            let delivery = Delivery { fresh: false, ..delivery };
            match fault.as_ref().map(|fault| (fault.kind, fault.ms)) {
                Some((Kind::Loss, _)) => outbox.set_status(&delivery.event, DeliveryStatus::Lost),
                Some((Kind::Delay, ms)) => {
                    outbox.requeue(Delivery { due_ms: now_ms.saturating_add_unsigned(ms), ..delivery });
                }
                Some((Kind::Reorder, _)) => outbox.requeue(Delivery { held: true, ..delivery }),
                kind => {
                    let Some(endpoint) = outbox.endpoint.clone() else {
                        outbox.set_status(&delivery.event, DeliveryStatus::NoEndpoint);
                        continue;
                    };
                    let Some(event) = outbox.events.iter().find(|event| event.id == delivery.event) else { continue };
                    let twice = matches!(kind, Some((Kind::Duplicate, _)));
                    return Next::Send(WebhookRequest { delivery, endpoint, body: event.body.clone(), twice });
                }
            }
        }
        match outbox.next_due() {
            Some(due) => Next::Wait(u64::try_from(due.saturating_sub(now_ms)).unwrap_or(0)),
            None => Next::Idle,
        }
    }

    /// Records the attempts of a sent event; a failed one is retried.
    pub(crate) fn record_delivery(&mut self, request: WebhookRequest, attempts: Vec<Attempt>, now_ms: i64) {
        self.outbox.record_attempts(request.delivery, attempts, now_ms);
    }
}

/// The HTTP client that posts events.
pub(crate) struct WebhookClient(Client);

impl WebhookClient {
    #[expect(clippy::disallowed_methods, reason = "the sandbox shares no client with the workspace")]
    pub(crate) fn new() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        // The endpoint is on this machine and speaks plain HTTP, so no root certificate is trusted.
        let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let builder = Client::builder().tls_backend_preconfigured(tls).redirect(Policy::none()).no_proxy();
        Ok(Self(builder.timeout(TIMEOUT).user_agent("Stripe/1.0 (+https://stripe.com/docs/webhooks)").build()?))
    }

    /// Posts an event.
    pub(crate) async fn send(&self, request: &WebhookRequest, now: Timestamp) -> Vec<Attempt> {
        if request.twice {
            let (one, other) = tokio::join!(self.send_once(request, now), self.send_once(request, now));
            return vec![one, other];
        }
        vec![self.send_once(request, now).await]
    }

    async fn send_once(&self, WebhookRequest { endpoint, body, .. }: &WebhookRequest, now: Timestamp) -> Attempt {
        let sent = self
            .0
            .post(&endpoint.url)
            .header("content-type", "application/json; charset=utf-8")
            .header("stripe-signature", signature::header(&endpoint.secrets, now.as_second(), body))
            .body(body.clone())
            .send()
            .await;
        let (status, error) = match sent {
            Ok(response) => (Some(response.status().as_u16()), None),
            Err(error) => (None, Some(reason(&error).to_owned())),
        };
        Attempt { at_ms: now.as_millisecond(), status, error }
    }
}

fn reason(error: &Error) -> &'static str {
    match error {
        _ if error.is_timeout() => "no response in time",
        _ if error.is_connect() => "no connection",
        _ => "the connection broke",
    }
}
