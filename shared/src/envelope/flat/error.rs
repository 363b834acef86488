//! Errors in the flat shape.

use super::super::Shape;
use super::super::names;
use super::super::spending_limits::WireRefusal;
use super::super::wire::{WirePlatformError, naming_field};
use crate::domain::Platform;
use crate::error::{Error, Kind};
use jiff::Timestamp;
use serde::Serialize;
use std::borrow::Cow;

/// An error response (D2 in docs/decisions.md).
#[derive(Serialize)]
pub(crate) struct FlatError<'a> {
    error: Cow<'a, str>,
    code: &'static str,
    timestamp: i64,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<FlatDetail<'a>>,
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    spending_limit: Option<WireRefusal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform_error: Option<WirePlatformError<'a>>,
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
            timestamp: now.as_second(),
            request_id,
            details: error
                .details
                .iter()
                .map(|error| FlatDetail { field: &error.field, message: names::message(error, Shape::Flat) })
                .collect(),
            retryable: error.retryable,
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
