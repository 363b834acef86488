//! Sends an event to the program under development, as the service does.

use super::Failure;
use super::arguments::receiver_policy;
use super::listed_event::ListedEvent;
use jiff::Timestamp;
use secrecy::ExposeSecret;
use shared::app::optional_env;
use shared::clock::Clock;
use shared::deliveries::signed_headers;
use shared::domain::{EventKind, EventTypes, WebhookSecret};
use shared::outbound::public::{PublicClient, PublicFailure, PublicResponse, TIME_LIMIT};
use shared::vault::random_key;
use std::io::{self, Write};
use std::time::Duration;
use tokio::time::Instant;

/// Signs events and sends them to one address.
pub(super) struct Forwarder {
    client: PublicClient,
    url: String,
    types: EventTypes,
    secret: WebhookSecret,
    is_new_secret: bool,
    clock: Clock,
}

impl Forwarder {
    /// Signs with the secret of the environment, or with a new one.
    pub(super) fn new(url: String, types: EventTypes) -> Result<Forwarder, Failure> {
        let stored = secret_of_environment()?;
        let is_new_secret = stored.is_none();
        let secret = stored.map_or_else(|| random_key().map(WebhookSecret::from_key), Ok)?;
        let client = PublicClient::new(receiver_policy())?;
        Ok(Forwarder { client, url, types, secret, is_new_secret, clock: Clock::system() })
    }

    /// Prints what is forwarded where, and the secret if it is new.
    pub(super) fn announce(&self, api: &str) -> io::Result<()> {
        let secret = if self.is_new_secret {
            format!("{} (new; set UNIFIED_ADS_WEBHOOK_SECRET to keep one)", self.secret.reveal().expose_secret())
        } else {
            "that of UNIFIED_ADS_WEBHOOK_SECRET".to_owned()
        };
        let url = &self.url;
        print(&format!("Forwarding the events of {api} to {url} from now on. Ctrl-C ends it.\n\n  secret  {secret}\n"))
    }

    /// Sends an event once, unless its type is not wanted, and prints the response. A failure is only reported.
    pub(super) async fn forward(&self, event: ListedEvent) -> Result<(), Failure> {
        if !self.wants(&event.kind) {
            return Ok(());
        }
        let ListedEvent { id, kind, payload } = event;
        let (at, started) = (self.clock.now(), Instant::now());
        let headers = signed_headers(std::slice::from_ref(&self.secret), id, at, &payload)?;
        let outcome = self.client.post(&self.url, headers, payload, started + TIME_LIMIT).await;
        Ok(print(&line(at, &kind, &id.to_string(), &outcome, started.elapsed()))?)
    }

    /// A type that this program does not know is one of all.
    fn wants(&self, kind: &str) -> bool {
        EventKind::parse(kind).map_or(self.types == EventTypes::All, |kind| self.types.contains(kind))
    }
}

/// The error does not quote the secret.
fn secret_of_environment() -> Result<Option<WebhookSecret>, Failure> {
    let Some(text) = optional_env("UNIFIED_ADS_WEBHOOK_SECRET") else { return Ok(None) };
    let secret = WebhookSecret::parse(text.into());
    let expected = "UNIFIED_ADS_WEBHOOK_SECRET is not a secret: expected whsec_ and 32 bytes in Base64";
    secret.map(Some).ok_or_else(|| expected.into())
}

/// One line for an event: time, type, id, response and duration.
fn line(
    at: Timestamp,
    kind: &str,
    id: &str,
    outcome: &Result<PublicResponse, PublicFailure>,
    duration: Duration,
) -> String {
    let outcome = match outcome {
        Ok(response) => response.status.as_u16().to_string(),
        Err(failure) => failure.to_string(),
    };
    format!("{}  {kind:<25}  {id}  {outcome}  {} ms", at.strftime("%H:%M:%SZ"), duration.as_millis())
}

/// `println!` would panic when standard output is closed.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_response_or_the_reason_why_there_is_none() {
        let line =
            |outcome| line(Timestamp::UNIX_EPOCH, "change.applied", "evt_1", &outcome, Duration::from_millis(12));
        assert_eq!(
            line(Err(PublicFailure::NotConnected)),
            "00:00:00Z  change.applied             evt_1  the host accepts no connection  12 ms"
        );
        let response =
            PublicResponse { status: http::StatusCode::NO_CONTENT, retry_after: None, body: Default::default() };
        assert!(line(Ok(response)).ends_with("evt_1  204  12 ms"));
    }
}
