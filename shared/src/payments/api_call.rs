//! One call of the payment provider's API: form encoding, an idempotency key on every POST, retries.

use super::Provider;
use super::error::{CallError, CallOutcome, classify, invalid_response};
use super::wire::VERSION;
use crate::error::Error;
use crate::outbound::OutboundRequest;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

const STRIPE_VERSION: HeaderName = HeaderName::from_static("stripe-version");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Time limit of one attempt: a hanging call leaves time for another.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
/// Attempts per call.
const MAX_ATTEMPTS: u32 = 3;
/// Minimum delay before the second attempt. It doubles before the third.
const MIN_RETRY_DELAY_MS: u64 = 500;

impl Provider {
    /// The provider stores nothing for a read, so its failure is the caller's error.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, deadline: Instant) -> Result<T, Error> {
        let url = format!("{}{path}", self.base);
        let request = OutboundRequest { method: Method::GET, url, headers: self.headers(), body: Bytes::new() };
        self.send(request, deadline).await.map_err(|failed| failed.error)
    }

    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        deadline: Instant,
    ) -> Result<T, Error> {
        self.get(&format!("{path}?{}", form(query)), deadline).await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        key: &str,
        deadline: Instant,
    ) -> Result<T, CallError> {
        let mut headers = self.headers();
        let key = HeaderValue::from_str(key).map_err(|error| CallError::not_stored(Error::internal(error)))?;
        headers.insert(IDEMPOTENCY_KEY, key);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let body = form(fields).into();
        let request = OutboundRequest { method: Method::POST, url: format!("{}{path}", self.base), headers, body };
        self.send(request, deadline).await
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.authorization.clone());
        headers.insert(STRIPE_VERSION, HeaderValue::from_static(VERSION));
        headers
    }

    /// Sends with retries. They are safe because every POST has an idempotency key.
    async fn send<T: DeserializeOwned>(&self, request: OutboundRequest, deadline: Instant) -> Result<T, CallError> {
        let mut attempt = 1;
        loop {
            let until = deadline.min(Instant::now() + ATTEMPT_TIMEOUT);
            let outcome = self.outbound.send(request.clone(), until).await;
            let delay = retry_delay(attempt);
            let error = match classify(outcome) {
                CallOutcome::Success(body) => {
                    let read = serde_json::from_slice(&body);
                    return read.map_err(|error| CallError::not_stored(invalid_response(error.to_string())));
                }
                CallOutcome::Permanent(error) => return Err(error),
                CallOutcome::Retryable(error) => error,
            };
            if attempt == MAX_ATTEMPTS || Instant::now() + delay >= deadline {
                return Err(error);
            }
            attempt += 1;
            sleep(delay).await;
        }
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Exponential backoff with up to 50 % jitter.
fn retry_delay(attempt: u32) -> Duration {
    let min = MIN_RETRY_DELAY_MS << (attempt - 1).min(3);
    let jitter = Uuid::new_v4().as_u128() % u128::from(min / 2);
    Duration::from_millis(min + u64::try_from(jitter).unwrap_or_default())
}
