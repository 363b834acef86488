//! Errors in the flat shape.

use super::super::error_response::retry_after;
use super::super::spending_limits::WireRefusal;
use super::super::wire::{WirePlatformError, naming_field};
use super::super::{Shape, names};
use crate::domain::{ChangedFields, Platform};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use serde::Serialize;
use serde_with::skip_serializing_none;

/// An error response, in the shape of the response that it replaces (D2).
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct FlatError<'a> {
    error: String,
    code: &'static str,
    reason: &'static str,
    timestamp: i64,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<FlatDetail<'a>>,
    retryable: bool,
    #[serde(flatten)]
    outcomes: Option<FlatOutcomes<'a>>,
    /// Seconds, as in the header.
    retry_after: Option<u64>,
    spending_limit: Option<WireRefusal>,
    platform: Option<&'static str>,
    platform_error: Option<WirePlatformError<'a>>,
}

/// What became of the fields of an update.
#[derive(Serialize)]
struct FlatOutcomes<'a> {
    applied: &'a [&'static str],
    not_applied: &'a [&'static str],
    unknown: &'a [&'static str],
}

impl<'a> From<&'a ChangedFields> for FlatOutcomes<'a> {
    fn from(outcomes: &'a ChangedFields) -> FlatOutcomes<'a> {
        let ChangedFields { applied, not_applied, unknown } = outcomes;
        FlatOutcomes { applied, not_applied, unknown }
    }
}

#[derive(Serialize)]
struct FlatDetail<'a> {
    field: &'a str,
    message: String,
}

impl<'a> FlatError<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str, now: Timestamp) -> FlatError<'a> {
        FlatError {
            error: message(error),
            code: code(error.kind),
            reason: error.reason().as_str(),
            timestamp: now.as_second(),
            request_id,
            details: error
                .details
                .iter()
                .map(|error| FlatDetail { field: &error.field, message: names::message(error, Shape::Flat) })
                .collect(),
            retryable: error.retryable,
            outcomes: error.outcomes.as_deref().map(Into::into),
            retry_after: retry_after(error.retry_after),
            spending_limit: error.limit.as_deref().map(Into::into),
            platform: error.platform.map(Platform::as_str),
            platform_error: error.platform_error.as_ref().map(Into::into),
        }
    }
}

/// The message of an error. That of invalid fields begins with the first of them: some clients show nothing else.
pub(crate) fn message(error: &Error) -> String {
    let [first, others @ ..] = error.details.as_slice() else { return naming_field(error) };
    if error.kind != Kind::Validation {
        return naming_field(error);
    }
    let others = match others.len() {
        0 => String::new(),
        1 => " One more is in details.".to_owned(),
        number => format!(" {number} more are in details."),
    };
    let sentence = format!("{} {}", first.field, names::message(first, Shape::Flat));
    format!("{}.{others}", sentence.trim_end_matches('.'))
}

/// The code of an error. It differs from the enveloped shape in VALIDATION_ERROR only.
pub(crate) fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Validation => "VALIDATION_ERROR",
        other => other.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FieldError;

    #[test]
    fn the_message_of_invalid_fields_begins_with_the_first() {
        let field = |name: &str| FieldError::new(name, "must be a number");
        assert_eq!(message(&Error::fields(vec![field("limit")])), "limit must be a number.");
        let two = Error::fields(vec![field("limit"), field("b")]);
        assert_eq!(message(&two), "limit must be a number. One more is in details.");
        let three = Error::fields(vec![field("limit"), field("b"), field("c")]);
        assert_eq!(message(&three), "limit must be a number. 2 more are in details.");
        assert_eq!(message(&Error::field("url", "must use HTTPS.")), "url must use HTTPS.");
    }

    #[test]
    fn a_message_of_its_own_stays() {
        let unsupported = Error {
            details: vec![FieldError::new("goal", "is not known")],
            ..Error::new(Kind::NotSupported, "Meta has no such goal.")
        };
        assert_eq!(message(&unsupported), "Meta has no such goal.");
        assert_eq!(message(&Error::not_found("change")), Error::not_found("change").message.to_string());
    }
}
