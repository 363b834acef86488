//! Registers the gateway's webhook endpoint at the sandbox's payment provider.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::json;
use shared::app::App;
use shared::outbound::OutboundRequest;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::Instant;

/// The sandbox is on this machine and answers within milliseconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Registers the webhook endpoint and its signing secret. The gateway starts without webhooks if the sandbox does not
/// answer.
pub(crate) async fn register(app: &App, sandbox_url: &str, address: SocketAddr, secret: &str) {
    let url = format!("http://{address}/v1/billing/webhook");
    let body = Bytes::from(json!({ "url": url, "secrets": [secret] }).to_string());
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    let url = format!("{sandbox_url}/_sandbox/stripe/webhook");
    let request = OutboundRequest { method: Method::POST, url, headers, body };
    let reason = match app.outbound.send(request, Instant::now() + TIMEOUT).await {
        Ok(response) if response.status.is_success() => return,
        Ok(response) => format!("it answered {}", response.status),
        Err(failure) => failure.to_string(),
    };
    tracing::warn!(reason, "the sandbox did not register the webhook endpoint: is it running?");
}
