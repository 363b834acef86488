//! Delivery of events to the webhook endpoint, with the faults that meet them.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::redirect::Policy;
use reqwest::{Client, Error};

use super::events::{Attempt, Endpoint, Fate, Job};
use super::{Stripe, WORD, signature};
use crate::faults::{Call, Faults, Kind, Operation};

/// An endpoint that takes longer has failed.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The next step of the delivery.
pub(crate) enum Next {
    Send(Post),
    /// Nothing is due for so many milliseconds.
    Wait(u64),
    /// Nothing is due until an event occurs.
    Idle,
}

/// An event on its way.
pub(crate) struct Post {
    job: Job,
    endpoint: Endpoint,
    body: String,
    twice: bool,
}

impl Stripe {
    /// Takes the next event to send, after the faults that meet it.
    pub(crate) fn next_delivery(&mut self, faults: &mut Faults, now_ms: i64) -> Next {
        let outbox = &mut self.outbox;
        while let Some(job) = outbox.take(now_ms) {
            let fault = if job.fresh { faults.take(WORD, Call::Known(Operation::Webhook)) } else { None };
            let job = Job { fresh: false, ..job };
            match fault.as_ref().map(|fault| (fault.kind, fault.ms)) {
                Some((Kind::Loss, _)) => outbox.decide(&job.event, Fate::Lost),
                Some((Kind::Delay, ms)) => {
                    outbox.put(Job { due_ms: now_ms.saturating_add_unsigned(ms), ..job });
                }
                Some((Kind::Reorder, _)) => outbox.put(Job { held: true, ..job }),
                kind => {
                    let Some(endpoint) = outbox.endpoint.clone() else {
                        outbox.decide(&job.event, Fate::NoEndpoint);
                        continue;
                    };
                    let Some(event) = outbox.events.iter().find(|event| event.id == job.event) else { continue };
                    let twice = matches!(kind, Some((Kind::Duplicate, _)));
                    return Next::Send(Post { job, endpoint, body: event.body.clone(), twice });
                }
            }
        }
        match outbox.next_due() {
            Some(due) => Next::Wait(u64::try_from(due.saturating_sub(now_ms)).unwrap_or(0)),
            None => Next::Idle,
        }
    }

    /// Records the attempts of a sent event; a failed one is retried.
    pub(crate) fn record_delivery(&mut self, post: Post, attempts: Vec<Attempt>, now_ms: i64) {
        self.outbox.settle(post.job, attempts, now_ms);
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

    /// Sends an event once. With the fault `duplicate`, sends it twice at the same time.
    pub(crate) async fn send(&self, post: &Post, now: Timestamp) -> Vec<Attempt> {
        if post.twice {
            let (one, other) = tokio::join!(self.send_once(post, now), self.send_once(post, now));
            return vec![one, other];
        }
        vec![self.send_once(post, now).await]
    }

    async fn send_once(&self, Post { endpoint, body, .. }: &Post, now: Timestamp) -> Attempt {
        let sent = self
            .0
            .post(&endpoint.url)
            .header("content-type", "application/json; charset=utf-8")
            .header("stripe-signature", signature::header(&endpoint.secrets, now.as_second(), body))
            .body(body.clone())
            .send()
            .await;
        let (status, error) = match sent {
            Ok(answer) => (Some(answer.status().as_u16()), None),
            Err(error) => (None, Some(reason(&error).to_owned())),
        };
        Attempt { at_ms: now.as_millisecond(), status, error }
    }
}

fn reason(error: &Error) -> &'static str {
    match error {
        _ if error.is_timeout() => "no answer in time",
        _ if error.is_connect() => "no connection",
        _ => "the connection broke",
    }
}
