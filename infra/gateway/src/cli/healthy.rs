//! `gateway healthy`.

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use shared::outbound::{Outbound, OutboundRequest};
use std::error::Error;
use std::time::Duration;
use tokio::time::Instant;

/// Less than a container waits for its health check.
const TIME_LIMIT: Duration = Duration::from_secs(4);

/// Asks the gateway at a base URL for its health. An error if it does not answer, or not with 200.
pub(super) async fn check(url: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let url = format!("{url}/v1/health");
    let request =
        OutboundRequest { method: Method::GET, url: url.clone(), headers: HeaderMap::new(), body: Bytes::new() };
    let response = Outbound::new()?.send(request, Instant::now() + TIME_LIMIT).await;
    match response {
        Ok(response) if response.status == StatusCode::OK => Ok(()),
        Ok(response) => Err(format!("{url} answers {}", response.status).into()),
        Err(failure) => Err(format!("{url} does not answer: {failure}").into()),
    }
}
