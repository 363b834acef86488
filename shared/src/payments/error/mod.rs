//! Classifies the payment provider's responses, and decides which of them are retried.

use super::wire::{ErrorBody, Refusal};
use crate::domain::{PlanStatement, Reason};
use crate::error::{Error, Kind};
use crate::outbound::{Failure, OutboundResponse};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::time::Duration;

/// Wait after throttling without `Retry-After`.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(1);

/// A failed call of the provider's API.
#[derive(Debug)]
pub struct CallError {
    pub error: Error,
    /// Whether the provider stored the failure under the call's `Idempotency-Key`: for a day, the same key returns the
    /// same failure.
    pub is_stored: bool,
}

impl CallError {
    /// A failure that the provider has not stored under the key.
    pub(super) fn not_stored(error: Error) -> CallError {
        CallError { error, is_stored: false }
    }

    /// The error for a caller that may have supplied the key: after a stored failure, only a new key helps.
    pub fn for_caller(self, is_keyed: bool) -> Error {
        if !(self.is_stored && is_keyed) {
            return self.error;
        }
        let message = PlanStatement::Repeated(self.error.message.clone()).into();
        Error { message, ..self.error.not_retryable() }
    }
}

/// The outcome of one attempt.
#[derive(Debug)]
pub(super) enum CallOutcome {
    /// The body of a successful response.
    Success(Bytes),
    /// Another attempt with the same key may succeed.
    Retryable(CallError),
    /// Another attempt cannot succeed.
    Permanent(CallError),
}

/// Applies the rule of the provider's own libraries: the header `Stripe-Should-Retry` decides; without it, a missing
/// response, 409 and 5xx are retried.
pub(super) fn classify(outcome: Result<OutboundResponse, Failure>) -> CallOutcome {
    let response = match outcome {
        Ok(response) if response.status.is_success() => return CallOutcome::Success(response.body),
        Ok(response) => response,
        Err(failure) => return CallOutcome::Retryable(CallError::not_stored(no_response(failure))),
    };
    let status = response.status;
    let value = |name| header(&response.headers, name);
    // The provider replays a stored response to every retry.
    let is_replay = value("idempotent-replayed") == Some("true");
    let is_retryable = match value("stripe-should-retry") {
        _ if is_replay => false,
        Some("true") => true,
        Some("false") => false,
        _ => status == StatusCode::CONFLICT || status.is_server_error(),
    };
    let refusal = serde_json::from_slice::<ErrorBody>(&response.body).ok().map(|body| body.error);
    let is_key_reused = refusal.as_ref().is_some_and(|refusal| refusal.kind == "idempotency_error");
    let is_stored = status.is_server_error() || (is_key_reused && status != StatusCode::CONFLICT);
    let error = CallError { error: refused(status, &response.headers, refusal), is_stored };
    if is_retryable { CallOutcome::Retryable(error) } else { CallOutcome::Permanent(error) }
}

/// A successful response that cannot be read.
pub(super) fn invalid_response(reason: impl Into<String>) -> Error {
    let message = "The payment provider sent an invalid response. Nothing was charged; try again.";
    Error::new(Kind::PlatformFailed, message)
        .because(Reason::PaymentProviderFailed)
        .retryable()
        .caused_by(reason.into())
}

fn no_response(failure: Failure) -> Error {
    let (kind, message) = match failure {
        Failure::TimedOut => {
            (Kind::PlatformTimeout, "The payment provider did not answer in time. Nothing was charged; try again.")
        }
        Failure::NotSent | Failure::BreakerOpen(_) | Failure::Broken => {
            (Kind::PlatformFailed, "The payment provider could not be reached. Nothing was charged; try again.")
        }
    };
    Error::new(kind, message).because(Reason::PaymentProviderFailed).retryable().caused_by(failure)
}

fn refused(status: StatusCode, headers: &HeaderMap, refusal: Option<Refusal>) -> Error {
    let code = refusal.as_ref().and_then(|refusal| refusal.code.as_deref());
    let error = match status {
        StatusCode::TOO_MANY_REQUESTS => throttled(headers),
        StatusCode::BAD_REQUEST if code == Some("rate_limit") => throttled(headers),
        StatusCode::NOT_FOUND => Error::not_found("object at the payment provider"),
        StatusCode::BAD_REQUEST if is_missing_customer(refusal.as_ref()) => {
            Error::not_found("customer at the payment provider")
        }
        // 409: another attempt with the same key is in progress.
        status if status.is_server_error() || status == StatusCode::CONFLICT => {
            let message = "The payment provider failed. Nothing was charged; try again.";
            Error::new(Kind::PlatformFailed, message).because(Reason::PaymentProviderFailed).retryable()
        }
        // The API key, the price or the request is wrong: the caller cannot fix that.
        _ => {
            let message = "The payment provider rejected our request. Nothing was charged; contact the operator of \
                           this service.";
            Error::new(Kind::PlatformFailed, message).because(Reason::PaymentProviderFailed)
        }
    };
    let id = header(headers, "request-id").unwrap_or_default();
    let param = refusal.as_ref().and_then(|refusal| refusal.param.as_deref());
    let kind = refusal.as_ref().map(|refusal| refusal.kind.as_str());
    error.caused_by(format!("{status} type {kind:?} code {code:?} param {param:?} request {id}"))
}

/// The request names a customer that the provider does not have, or has deleted.
fn is_missing_customer(refusal: Option<&Refusal>) -> bool {
    let is = |value: &Option<String>, expected: &str| value.as_deref() == Some(expected);
    refusal.is_some_and(|refusal| is(&refusal.code, "resource_missing") && is(&refusal.param, "customer"))
}

fn throttled(headers: &HeaderMap) -> Error {
    let seconds = header(headers, "retry-after").and_then(|text| text.parse().ok());
    let wait = seconds.map_or(DEFAULT_RETRY_AFTER, Duration::from_secs);
    let message = "The payment provider is rate limiting requests; try again later.";
    let error = Error::new(Kind::RateLimited, message).because(Reason::PaymentProviderFailed);
    error.retryable().retry_after(wait)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests;
