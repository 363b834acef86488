//! Classifies failures (Google Ads API: Errors). The error code inside of the `GoogleAdsFailure` decides; the HTTP status
//! decides only where there is no such failure.

mod codes;

use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded, seconds};
use crate::platforms::engine::create::CreateFailure;
use codes::{advice, field_of_code, is_operation, operator_message, our_field, remedy, smallest_budget};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::error::Error as StdError;
use std::time::Duration;

/// The wait after a burst, where the platform names none.
const BURST: Duration = Duration::from_secs(30);
/// The wait after a day's share is used up, where the platform names none.
const SHARE: Duration = Duration::from_secs(3_600);

/// The error of an answer that is no success.
pub(super) fn classify(answer: &Answer, _: Timestamp) -> Result<(), Error> {
    if answer.status.is_success() { Ok(()) } else { Err(fault(answer)) }
}

/// The error for an answer with any status but 2xx.
pub(super) fn fault(answer: &Answer) -> Error {
    let status = answer.status;
    let reason = parse_error(&answer.body);
    let failure = reason.as_ref().and_then(failure);
    let request_id = failure.as_ref().and_then(|failure| failure.request_id.clone());
    let error = match failure.as_ref().and_then(|failure| Refusal::of(failure, status)) {
        Some(refusal) => refusal.error(),
        None => without_code(status, reason),
    };
    let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let id = bounded(&request_id.or_else(|| header("request-id")).unwrap_or_default());
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.clone()).unwrap_or_default();
    let requested = header("retry-after").and_then(|text| seconds(&text)).filter(|_| error.retryable);
    let wait = error.retry_after.max(requested);
    Error { retry_after: wait, ..error }
        .on(Platform::Alpha)
        .caused_by(format!("status {}, code {code:?}, request id {id:?}", status.as_u16()))
}

/// The error in a body. Calls that stream send it in an array, after the pages that came before it.
fn parse_error(body: &[u8]) -> Option<wire::Status> {
    let in_array = || -> Option<wire::ErrorBody> {
        let parts: Vec<Box<RawValue>> = serde_json::from_slice(body).ok()?;
        parts.iter().find_map(|part| read(part.get().as_bytes()).ok())
    };
    read(body).ok().or_else(in_array).map(|body| body.error)
}

/// Reads a JSON object. Anything else is an error, also an array.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Error> {
    answers::read_object(Platform::Alpha, body)
}

/// An answer of success that cannot be read. Sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Alpha, why)
}

/// A request that fails for every customer, such as one of a retired version, is rejected before anything is created.
pub(super) fn create_failure(answer: &Answer, error: Error) -> CreateFailure {
    if answer.status.is_client_error() && is_operators_fault(&error) {
        return CreateFailure::Refused(error);
    }
    CreateFailure::of(answer, error)
}

fn is_operators_fault(error: &Error) -> bool {
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.as_deref()).unwrap_or_default();
    let is_of_operator = code.starts_with("requestError.") || code.starts_with("queryError.");
    error.kind == Kind::PlatformFailed && !error.retryable && is_of_operator
}

/// The content of a `GoogleAdsFailure`. Its first error decides.
struct Refusal<'a> {
    errors: &'a [wire::GoogleAdsError],
    first: &'a wire::GoogleAdsError,
    /// The enum: `campaignError`.
    family: &'a str,
    /// Its value: `DUPLICATE_CAMPAIGN_NAME`.
    value: &'a str,
    status: StatusCode,
}

impl<'a> Refusal<'a> {
    fn of(failure: &'a wire::GoogleAdsFailure, status: StatusCode) -> Option<Refusal<'a>> {
        if !(status.is_client_error() || status.is_server_error()) {
            return None;
        }
        let first = failure.errors.first()?;
        let (family, value) = first.error_code.first_key_value()?;
        Some(Refusal { errors: &failure.errors, first, family, value, status })
    }

    fn error(&self) -> Error {
        let error = match (self.family, self.value) {
            ("authenticationError", "AUTHENTICATION_ERROR") => answers::token_expired(Platform::Alpha),
            ("authenticationError", value) if value.starts_with("OAUTH_TOKEN_") => {
                answers::token_expired(Platform::Alpha)
            }
            ("authenticationError" | "authorizationError", _) | ("quotaError", "ACCESS_PROHIBITED") => {
                Error::new(Kind::Forbidden, advice(self.value))
            }
            ("quotaError", _) => self.throttled(),
            ("mutateError" | "requestError", "RESOURCE_NOT_FOUND") => Error::not_found("campaign"),
            // The code is newer than this version of the API: what it says is in the message.
            ("internalError", "ERROR_CODE_NOT_PUBLISHED") if self.status.is_client_error() => self.refused(),
            ("internalError", _) | ("databaseError", "CONCURRENT_MODIFICATION") => {
                answers::failed(Platform::Alpha).retryable()
            }
            _ if self.status.is_server_error() => answers::failed(Platform::Alpha).retryable(),
            (family, value) => match operator_message(family, value, &self.first.message) {
                Some(reason) => Error::new(Kind::PlatformFailed, reason),
                None => self.refused(),
            },
        };
        error.with_fault(PlatformFault {
            code: Some(bounded(&format!("{}.{}", self.family, self.value))),
            message: bounded(&self.first.message),
            field: self.field(),
        })
    }

    fn refused(&self) -> Error {
        let messages: Vec<&str> = self.errors.iter().map(|error| error.message.trim()).collect();
        answers::refused(Platform::Alpha, &format!("{}{}{}", messages.join(" "), self.minimum(), remedy(self.value)))
    }

    fn minimum(&self) -> String {
        let details = self.first.details.as_ref();
        let details = details.and_then(|details| details.budget_per_day_minimum_error_details.as_ref());
        details.and_then(smallest_budget).unwrap_or_default()
    }

    /// Other callers may have used up a share of this service, so the caller gets the platform's own message.
    fn throttled(&self) -> Error {
        let error = answers::throttled(Platform::Alpha, self.wait());
        if self.quota().and_then(|quota| quota.rate_scope.as_deref()) != Some("DEVELOPER") {
            return error;
        }
        let reason = self.first.message.trim();
        let message = format!("{NAME} is throttling all calls of this service, not this ad account alone. {reason}");
        Error { message: bounded(message.trim()), ..error }
    }

    fn quota(&self) -> Option<&wire::QuotaErrorDetails> {
        self.first.details.as_ref()?.quota_error_details.as_ref()
    }

    fn wait(&self) -> Duration {
        let delay = self.quota().and_then(|quota| seconds(quota.retry_delay.as_deref()?));
        delay.unwrap_or(match self.value {
            "RESOURCE_TEMPORARILY_EXHAUSTED" | "EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION" => BURST,
            _ => SHARE,
        })
    }

    /// Our name of the field at fault, by its path, else by the code; else the platform's own name of it.
    fn field(&self) -> Option<String> {
        let path = self.first.location.iter().flat_map(|location| &location.field_path_elements);
        let names = path.map(|element| element.field_name.as_str());
        let names: Vec<&str> = names.filter(|name| !is_operation(name)).collect();
        let ours = names.iter().rev().find_map(|name| our_field(name)).or_else(|| field_of_code(self.value));
        ours.map(str::to_owned).or_else(|| names.last().map(|name| bounded(name)))
    }
}

/// The failure among the details, which may be of other types too.
fn failure(status: &wire::Status) -> Option<wire::GoogleAdsFailure> {
    let failures = status.details.iter().filter_map(|detail| serde_json::from_str(detail.get()).ok());
    failures.into_iter().find(|failure: &wire::GoogleAdsFailure| failure.type_url.ends_with(".GoogleAdsFailure"))
}

/// The error of an answer without an error code: of a gateway of Google, or without JSON.
fn without_code(status: StatusCode, reason: Option<wire::Status>) -> Error {
    let canonical = reason.as_ref().and_then(|reason| reason.status.as_deref());
    let error = match (status.as_u16(), canonical) {
        (401, _) => answers::token_expired(Platform::Alpha),
        (429, _) => answers::throttled(Platform::Alpha, BURST),
        (408 | 499 | 500.., _) | (409, Some("ABORTED")) => answers::failed(Platform::Alpha).retryable(),
        (403, Some(_)) => Error::new(Kind::Forbidden, advice("")),
        (404, Some("NOT_FOUND")) => Error::not_found("campaign"),
        (400.., Some(_)) => {
            let message = reason.as_ref().map_or("", |reason| reason.message.as_str());
            answers::refused(Platform::Alpha, message)
        }
        _ => answers::failed(Platform::Alpha),
    };
    match reason {
        Some(reason) => error.with_fault(PlatformFault {
            code: reason.status.as_deref().map(bounded),
            message: bounded(&reason.message),
            field: None,
        }),
        None => error,
    }
}

#[cfg(test)]
mod refusals;
#[cfg(test)]
mod tests;
