//! Classifies failures (TikTok API for Business: Return codes). Failures have HTTP status 200, so `code` in the body
//! decides. The status decides only where there is no such body.

mod access;
mod message;

use super::wire;
use crate::domain::Reason;
use crate::platforms::prelude::*;
pub(super) use access::is_deleted_advertiser;
use access::{advice, is_allow_list, is_for_operator, is_of_another_app};
use http::StatusCode;
use message::{field, wait};

/// The codes of success: done, or done in part. The data then lists the parts.
const DONE: [i64; 2] = [0, 20_001];
/// The wait where the platform's gateway throttles and names none.
const GATEWAY_WAIT: Duration = Duration::from_secs(60);

/// Returns the error of a response that is not a success.
pub(super) fn classify(response: &OutboundResponse, now: Timestamp) -> Result<(), Error> {
    let envelope = match envelope(response) {
        Ok(envelope) if response.status.is_success() && DONE.contains(&envelope.code) => return Ok(()),
        Err(error) if response.status.is_success() => return Err(error),
        envelope => envelope.ok().filter(|envelope| !DONE.contains(&envelope.code)),
    };
    let error = match &envelope {
        Some(envelope) => of_code(envelope, response.status, now),
        None => errors::gateway_failed(Platform::Gamma, response.status, GATEWAY_WAIT),
    };
    let requested = if error.retryable { response_body::retry_after(&response.headers, now) } else { None };
    let wait = error.retry_after.max(requested);
    let (code, id) =
        envelope.map(|envelope| (envelope.code, envelope.request_id.unwrap_or_default())).unwrap_or_default();
    let log = format!("status {}, code {code}, request id {:?}", response.status.as_u16(), bounded(&id));
    Err(Error { retry_after: wait, ..error }.on(Platform::Gamma).caused_by(log))
}

/// A refusal with an error code of the platform may come with status 200. A code of success is no refusal, with any
/// status. A duplicate is not one either: an earlier attempt with the same request id succeeded.
pub(super) fn create_failure(response: &OutboundResponse, error: Error) -> CreateFailure {
    let is_done = envelope(response).is_ok_and(|envelope| DONE.contains(&envelope.code));
    match error.kind {
        Kind::Conflict => CreateFailure::Unknown(error),
        _ if is_done => CreateFailure::Unknown(error),
        Kind::PlatformFailed => CreateFailure::of(response, error),
        _ if response.status.is_success() => CreateFailure::NotCreated(errors::referenced_error(error)),
        _ => CreateFailure::of(response, error),
    }
}

/// Recognizes a failure of the platform itself, which may come with status 200.
pub(super) fn is_broken(response: &OutboundResponse) -> bool {
    response.status.is_server_error() || envelope(response).is_ok_and(|envelope| is_failure(envelope.code))
}

/// Temporary failures of the platform. 40200, 40201 (a task that failed or is not ready) and 40700 (an internal
/// validation) are among the refusals by their number, and clients in production send such calls again.
fn is_failure(code: i64) -> bool {
    matches!(code, 40_200 | 40_201 | 40_700 | 50_000..=59_999 | 60_001)
}

/// Whether a call was refused for a permission that the connection lacks. 40001 is the recorded code of a missing scope;
/// the others have the same meanings. A deleted advertiser has 40001 too.
pub(super) fn lacks_permission(error: &Error) -> bool {
    let message = error.platform_error.as_ref().map(|reported| reported.message.as_str()).unwrap_or_default();
    matches!(error.platform_code(), Some("40001" | "40118" | "40125" | "40130")) && !is_deleted_advertiser(message)
}

pub(super) fn envelope(response: &OutboundResponse) -> Result<wire::Envelope, Error> {
    read_object(Platform::Gamma, &response.body)
}

fn of_code(envelope: &wire::Envelope, status: StatusCode, now: Timestamp) -> Error {
    let message = envelope.message.as_deref().unwrap_or_default();
    let failed = || errors::failed(Platform::Gamma);
    let error = match envelope.code {
        40_102 | 40_104 | 40_105 | 40_106 => errors::token_expired(Platform::Gamma),
        40_001 | 40_118 | 40_125 | 40_130 if is_allow_list(message) => errors::refused(Platform::Gamma, message),
        40_001 | 40_101 | 40_110 | 40_113 | 40_115 | 40_118 | 40_125 | 40_130 => forbidden(envelope.code, message),
        40_000 | 40_002 if is_of_another_app(message) => forbidden(envelope.code, message),
        40_007 | 40_300 | 40_301 => Error::not_found("campaign"),
        code @ (40_016 | 40_100 | 40_132 | 40_133 | 61_000) => {
            errors::throttled(Platform::Gamma, wait(code, message, now))
        }
        40_050 => duplicate(),
        40_202 => failed().retryable(),
        code if is_failure(code) || status.is_server_error() => failed().retryable(),
        40_000..=49_999 => errors::refused(Platform::Gamma, message),
        _ => failed(),
    };
    error.with_platform_error(PlatformError {
        code: Some(envelope.code.to_string()),
        message: bounded(message),
        field: field(message),
    })
}

/// A refusal of access: the advice, and the platform's message, which alone names the permission.
fn forbidden(code: i64, message: &str) -> Error {
    let text = format!("{} TikTok says: {message}", advice(code, message));
    let error = Error::new(Kind::Forbidden, bounded(&text)).because(Reason::PlatformAccessDenied);
    if is_for_operator(code, message) { error.for_operator() } else { error }
}

fn duplicate() -> Error {
    let message = "TikTok has received this request before; look at the campaign before you send it again.";
    Error::new(Kind::Conflict, message).because(Reason::AlreadyExists)
}

#[cfg(test)]
mod tests;
