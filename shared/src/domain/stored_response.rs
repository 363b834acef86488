//! Responses that are replayed to retries with the same `Idempotency-Key`.

/// A response, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResponse {
    pub status: u16,
    /// Headers, without those of the individual request.
    pub headers: Vec<(String, String)>,
    pub body: String,
}
