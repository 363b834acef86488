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
use std::borrow::Cow;

/// An error response (D2 in docs/decisions.md).
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct FlatError<'a> {
    error: Cow<'a, str>,
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
    message: Cow<'a, str>,
}

impl<'a> FlatError<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str, now: Timestamp) -> FlatError<'a> {
        FlatError {
            error: naming_field(error),
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

/// The code of an error. It differs from the enveloped shape in VALIDATION_ERROR only.
pub(crate) fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Validation => "VALIDATION_ERROR",
        other => other.code(),
    }
}
