//! What stands in the way of a request with an `Idempotency-Key`.

use std::fmt;

/// What stands in the way of a request with an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryStatement {
    /// A request with the key, or for the name, is in progress.
    InProgress,
    /// The key belongs to another request.
    OtherRequest,
    /// It is not known what an earlier request with the key has done.
    EarlierUnknown,
}

impl fmt::Display for RetryStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RetryStatement::InProgress => {
                "Another request with this Idempotency-Key, or for a campaign of this name, is in progress. Send the \
                 request again in a moment to get its response."
            }
            RetryStatement::OtherRequest => {
                "This Idempotency-Key belongs to a different request. Use a new key for a new request, and the same key \
                 only with the same path and body, and with the same API key if that has a limit."
            }
            RetryStatement::EarlierUnknown => {
                "The outcome of the earlier request is unknown. Send it again with the same Idempotency-Key."
            }
        })
    }
}
