//! Sends events to the webhook endpoint, one after the other, with the faults that meet them.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Error};

use super::events::{Attempt, Endpoint, Fate, Job};
use super::{WORD, signature};
use crate::faults::{Kind, Operation};
use crate::platform::Call;
use crate::state::{Sandbox, World};

/// An endpoint that takes longer has failed.
const DEADLINE: Duration = Duration::from_secs(10);

/// What is to be done next.
enum Next {
    Post(Post),
    /// Nothing before so many milliseconds are over.
    Wait(u64),
    /// Nothing before something happens.
    Idle,
}

/// An event on its way.
struct Post {
    job: Job,
    endpoint: Endpoint,
    body: String,
    twice: bool,
}

/// Delivers until the sandbox stops.
pub(crate) async fn deliver(sandbox: Arc<Sandbox>) {
    let client = match client() {
        Ok(client) => client,
        Err(error) => return tracing::error!(%error, "the sandbox cannot send webhooks"),
    };
    loop {
        let next = next(&mut sandbox.lock(), now_ms(&sandbox));
        match next {
            Next::Idle => sandbox.mail.notified().await,
            Next::Wait(ms) => {
                let _ = tokio::time::timeout(Duration::from_millis(ms), sandbox.mail.notified()).await;
            }
            Next::Post(post) => {
                let attempts = send(&client, &sandbox, &post).await;
                let mut world = sandbox.lock();
                world.platforms.stripe.outbox.settle(post.job, attempts, now_ms(&sandbox));
                // A failure is in the log already, and there is nobody here to tell.
                let _ = sandbox.save(&world);
            }
        }
    }
}

fn now_ms(sandbox: &Sandbox) -> i64 {
    sandbox.now().as_millisecond()
}

fn next(world: &mut World, now_ms: i64) -> Next {
    let World { platforms, faults, .. } = world;
    let outbox = &mut platforms.stripe.outbox;
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
                return Next::Post(Post { job, endpoint, body: event.body.clone(), twice });
            }
        }
    }
    match outbox.next_due() {
        Some(due) => Next::Wait(u64::try_from(due.saturating_sub(now_ms)).unwrap_or(0)),
        None => Next::Idle,
    }
}

/// Sends once, or twice at the same time: that is how duplicates hurt.
async fn send(client: &Client, sandbox: &Sandbox, post: &Post) -> Vec<Attempt> {
    if post.twice {
        let (one, other) = tokio::join!(send_once(client, sandbox, post), send_once(client, sandbox, post));
        return vec![one, other];
    }
    vec![send_once(client, sandbox, post).await]
}

async fn send_once(client: &Client, sandbox: &Sandbox, Post { endpoint, body, .. }: &Post) -> Attempt {
    let now = sandbox.now();
    let sent = client
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

fn reason(error: &Error) -> &'static str {
    match error {
        _ if error.is_timeout() => "no answer in time",
        _ if error.is_connect() => "no connection",
        _ => "the connection broke",
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox shares no client with the workspace")]
fn client() -> Result<Client, Box<dyn std::error::Error + Send + Sync>> {
    // An endpoint is on this machine and speaks plain HTTP: no root is trusted.
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let builder = Client::builder().tls_backend_preconfigured(tls).redirect(Policy::none()).no_proxy();
    Ok(builder.timeout(DEADLINE).user_agent("Stripe/1.0 (+https://stripe.com/docs/webhooks)").build()?)
}
