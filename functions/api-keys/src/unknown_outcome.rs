//! The error of a change that may have taken effect.

use shared::error::{Error, Kind};

/// The error for a failed write that DynamoDB may have applied, with what the caller should do.
pub(crate) fn unknown_outcome(error: Error, advice: &str) -> Error {
    if error.kind != Kind::Internal {
        return error;
    }
    let message = format!("An internal error occurred, and it is not known whether it took effect. {advice}");
    Error { message, ..error.of_unknown_outcome() }
}
