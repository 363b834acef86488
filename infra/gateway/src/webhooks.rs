//! Tells the sandbox's payment provider where its webhooks go.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::json;
use shared::app::App;
use shared::outbound::Outgoing;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::Instant;

/// The sandbox is on this machine: what takes longer is not going to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// Has webhooks sent here, signed with our secret. A sandbox that is not to be reached is no reason not to start.
pub(crate) async fn ask_for_them(app: &App, sandbox_url: &str, address: SocketAddr, secret: &str) {
    let url = format!("http://{address}/v1/billing/webhook");
    let body = Bytes::from(json!({ "url": url, "secrets": [secret] }).to_string());
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    let url = format!("{sandbox_url}/_sandbox/stripe/webhook");
    let outgoing = Outgoing { method: Method::POST, url, headers, body };
    let reason = match app.outbound.send(outgoing, Instant::now() + PATIENCE).await {
        Ok(answer) if answer.status.is_success() => return,
        Ok(answer) => format!("it answered {}", answer.status),
        Err(failure) => failure.to_string(),
    };
    tracing::warn!(reason, "the sandbox sends no webhooks of the payment provider here: is it running?");
}
