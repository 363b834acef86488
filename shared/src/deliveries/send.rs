//! One attempt: the payload is signed and sent, and the answer is kept.

use super::signature::signed_headers;
use crate::app::App;
use crate::domain::delivery::{Attempt, EndpointResponse};
use crate::domain::{CustomerId, EventId, WebhookEndpoint};
use crate::error::Error;
use crate::outbound::public::{PublicResponse, TIME_LIMIT};
use crate::outbound::retry_wait;
use crate::webhook_secrets::signing_secrets;
use bytes::Bytes;
use jiff::SignedDuration;
use tokio::time::Instant;

/// Sends an event to an endpoint once. An error says that nothing was sent.
pub async fn send(
    app: &App,
    customer: CustomerId,
    endpoint: &WebhookEndpoint,
    event: EventId,
    payload: Vec<u8>,
) -> Result<EndpointResponse, Error> {
    let (at, started) = (app.clock.now(), Instant::now());
    let secrets = signing_secrets(app, customer, endpoint, at).await?;
    let headers = signed_headers(&secrets, event, at, &payload)?;
    let answer = app.webhooks.post(endpoint.url.as_str(), headers, Bytes::from(payload), started + TIME_LIMIT).await;
    let (ended_at, duration) = (app.clock.now(), started.elapsed());
    let mut attempt = Attempt {
        at,
        status_code: None,
        error: None,
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        answer: None,
    };
    let mut retry_after = None;
    match answer {
        Ok(PublicResponse { status, retry_after: asked, body }) => {
            attempt.status_code = Some(status.as_u16());
            attempt.answer = (!body.is_empty()).then(|| String::from_utf8_lossy(&body).into_owned());
            if !status.is_success() {
                attempt.error = Some(format!("The endpoint answered {}.", status.as_u16()));
                retry_after = asked.and_then(|text| SignedDuration::try_from(retry_wait(&text, ended_at)?).ok());
            }
        }
        Err(failure) => attempt.error = Some(failure.to_string()),
    }
    Ok(EndpointResponse { attempt, retry_after, ended_at })
}
