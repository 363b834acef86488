//! An answer that is given again byte for byte to a retry under the same `Idempotency-Key`.

/// The answer, as it went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResponse {
    /// Status.
    pub status: u16,
    /// Headers that belong to the answer and not to one request for it.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: String,
}
