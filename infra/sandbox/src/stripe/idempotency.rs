//! Stored responses by `Idempotency-Key`.
//!
//! API reference: Idempotent requests. The response of an executed request is stored, a 500 included. The response of
//! a request that failed validation, or was rejected before execution, is not.

use super::error::StripeError;
use crate::http::{Pairs, Request, Response};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Seconds that a response is stored.
const RETENTION: i64 = 86_400;

/// Maximum characters of a key.
const MAX_KEY_LENGTH: usize = 255;

/// A POST request with an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyedRequest {
    pub(super) key: String,
    endpoint: String,
    /// Parameters, sorted by name.
    parameters: Vec<(String, String)>,
}

impl KeyedRequest {
    /// Reads a POST request with a key; `None` for any other request.
    pub(super) fn read(request: &Request) -> Result<Option<Self>, StripeError> {
        if request.method != "POST" {
            return Ok(None);
        }
        let Some(key) = request.header("idempotency-key") else { return Ok(None) };
        if key.is_empty() || key.chars().count() > MAX_KEY_LENGTH {
            let why = format!("Idempotency keys have 1 to {MAX_KEY_LENGTH} characters.");
            return Err(StripeError::invalid(why));
        }
        let pairs = Pairs::parse(&request.body);
        let mut parameters: Vec<_> = pairs.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        parameters.sort();
        Ok(Some(Self { key: key.to_owned(), endpoint: request.path.clone(), parameters }))
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredResponse {
    request: KeyedRequest,
    at: i64,
    status: u16,
    body: String,
}

/// Used keys with their responses.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct IdempotencyKeys {
    stored: BTreeMap<String, StoredResponse>,
    /// Keys of requests without a response yet.
    #[serde(skip)]
    in_progress: BTreeSet<String>,
}

impl IdempotencyKeys {
    /// Marks a request as in progress. False when another request with the key is. A request with a stored response is
    /// only replayed, so any number of them may arrive at once.
    pub(super) fn begin(&mut self, request: &KeyedRequest) -> bool {
        self.stored.contains_key(&request.key) || self.in_progress.insert(request.key.clone())
    }

    /// Marks a request as done.
    pub(super) fn finish(&mut self, request: &KeyedRequest) {
        self.in_progress.remove(&request.key);
    }

    /// The stored response for this request. Another request with the same key is an error.
    pub(super) fn replay(&mut self, request: &KeyedRequest, now: i64) -> Result<Option<Response>, StripeError> {
        self.stored.retain(|_, stored| now - stored.at < RETENTION);
        let Some(stored) = self.stored.get(&request.key) else { return Ok(None) };
        if stored.request.endpoint != request.endpoint {
            return Err(StripeError::key_reused(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{}' \
                 vs '{}'). Try using a key other than '{}' if you meant to execute a different request.",
                request.endpoint, stored.request.endpoint, request.key
            )));
        }
        if stored.request.parameters != request.parameters {
            return Err(StripeError::key_reused(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. \
                 Try using a key other than '{}' if you meant to execute a different request.",
                request.key
            )));
        }
        let response = Response::new(stored.status, "application/json; charset=UTF-8", stored.body.clone());
        Ok(Some(response.with("idempotent-replayed", "true")))
    }

    /// Stores the response of an executed request.
    pub(super) fn store(&mut self, request: KeyedRequest, response: &Response, now: i64) {
        let stored = StoredResponse { at: now, status: response.status, body: response.body.clone(), request };
        self.stored.entry(stored.request.key.clone()).or_insert(stored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, body: &str) -> KeyedRequest {
        let headers = BTreeMap::from([("idempotency-key".to_owned(), "k".to_owned())]);
        let method = "POST".to_owned();
        let path = path.to_owned();
        let body = body.to_owned();
        KeyedRequest::read(&Request { method, path, body, headers, ..Request::default() }).unwrap().unwrap()
    }

    #[test]
    fn the_same_request_gets_the_same_response_for_a_day() {
        let mut keys = IdempotencyKeys::default();
        keys.store(request("/v1/customers", "a=1&b=2"), &Response::new(500, "", "first"), 0);
        let again = keys.replay(&request("/v1/customers", "b=2&a=1"), RETENTION - 1).unwrap().unwrap();
        assert_eq!((again.status, again.body.as_str()), (500, "first"));
        assert!(keys.replay(&request("/v1/customers", "b=2&a=1"), RETENTION).unwrap().is_none());
    }

    #[test]
    fn requests_with_a_key_exclude_each_other_until_its_response_is_stored() {
        let mut keys = IdempotencyKeys::default();
        let request = request("/v1/customers", "a=1");
        assert!(keys.begin(&request) && !keys.begin(&request));
        keys.store(request.clone(), &Response::new(200, "", ""), 0);
        assert!(keys.begin(&request) && keys.begin(&request), "replays do not exclude each other");
    }

    #[test]
    fn another_request_with_the_key_is_refused() {
        let mut keys = IdempotencyKeys::default();
        keys.store(request("/v1/customers", "a=1"), &Response::new(200, "", ""), 0);
        for other in [request("/v1/customers", "a=2"), request("/v1/checkout/sessions", "a=1")] {
            assert_eq!(keys.replay(&other, 1).unwrap_err().status, 400);
        }
    }
}
