//! HTTP messages as data: what a dry run shows, and what a retry gets.

use serde::{Deserialize, Serialize};

/// A request that a dry run shows, without its headers and secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRequest {
    pub method: String,
    pub url: String,
    /// Body, as it would be sent.
    pub body: String,
}

/// A response, as it was sent. Retries with the same `Idempotency-Key` get it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResponse {
    pub status: u16,
    /// Headers, without those of the individual request.
    pub headers: Vec<(String, String)>,
    pub body: String,
}
