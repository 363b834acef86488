//! Errors in the enveloped shape.

use super::super::error_response::retry_after;
use super::super::spending_limits::WireRefusal;
use super::super::wire::{WirePlatformError, naming_field};
use super::super::{Shape, names};
use crate::domain::{ChangedFields, Platform};
use crate::error::{Error, FieldError};
use serde::Serialize;
use serde_with::skip_serializing_none;

/// An error response.
#[derive(Serialize)]
pub(crate) struct EnvelopedError<'a> {
    error: ErrorBody<'a>,
}

/// The `error` member of an error response.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErrorBody<'a> {
    code: &'static str,
    reason: &'static str,
    message: String,
    retryable: bool,
    request_id: &'a str,
    #[serde(flatten)]
    outcomes: Option<Outcomes<'a>>,
    /// Seconds, as in the header.
    retry_after: Option<u64>,
    spending_limit: Option<WireRefusal>,
    platform: Option<&'static str>,
    platform_error: Option<WirePlatformError<'a>>,
}

/// What became of the fields of an update.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcomes<'a> {
    applied: &'a [&'static str],
    not_applied: &'a [&'static str],
    unknown: &'a [&'static str],
}

impl<'a> From<&'a ChangedFields> for Outcomes<'a> {
    fn from(outcomes: &'a ChangedFields) -> Outcomes<'a> {
        let ChangedFields { applied, not_applied, unknown } = outcomes;
        Outcomes { applied, not_applied, unknown }
    }
}

impl<'a> EnvelopedError<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str) -> EnvelopedError<'a> {
        EnvelopedError { error: ErrorBody::new(error, request_id) }
    }
}

impl<'a> ErrorBody<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str) -> ErrorBody<'a> {
        ErrorBody {
            code: error.kind.code(),
            reason: error.reason().as_str(),
            message: message(error),
            retryable: error.retryable,
            request_id,
            outcomes: error.outcomes.as_deref().map(Into::into),
            retry_after: retry_after(error.retry_after),
            spending_limit: error.limit.as_deref().map(Into::into),
            platform: error.platform.map(Platform::as_upper),
            platform_error: error.platform_error.as_ref().map(Into::into),
        }
    }
}

/// The message of an error. This shape has no `details`, so the message names the fields.
fn message(error: &Error) -> String {
    if error.details.is_empty() {
        return naming_field(error);
    }
    let named = |error: &FieldError| format!("{} {}", error.field, names::message(error, Shape::Enveloped));
    let errors: Vec<String> = error.details.iter().map(named).collect();
    errors.join("; ")
}
