//! Classifies failures: one function from an answer to our error.
//!
//! TikTok API for Business: Return codes. Failures have HTTP status 200, so `code` in the body decides. The status
//! decides only where there is no such body.

mod access;
mod message;

use super::wire;
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::Answer;
use crate::platforms::answers::{self, bounded};
use crate::platforms::engine::create::CreateFailure;
pub(super) use access::is_deleted_advertiser;
use access::{advice, is_allow_list, is_of_another_app};
use http::StatusCode;
use jiff::Timestamp;
use message::{field, wait};
use std::error::Error as StdError;
use std::time::Duration;

/// The codes of success: done, or done in part. The data then lists the parts.
const DONE: [i64; 2] = [0, 20_001];

/// The code of a change that the campaign already has.
const NO_UPDATE: &str = "40012";

/// The wait where the platform's gateway throttles and names none.
const GATEWAY_WAIT: Duration = Duration::from_secs(60);

/// Returns the error of an answer that is not a success.
pub(super) fn classify(answer: &Answer, now: Timestamp) -> Result<(), Error> {
    let envelope = match envelope(answer) {
        Ok(envelope) if answer.status.is_success() && DONE.contains(&envelope.code) => return Ok(()),
        Err(error) if answer.status.is_success() => return Err(error),
        envelope => envelope.ok().filter(|envelope| !DONE.contains(&envelope.code)),
    };
    let error = match &envelope {
        Some(envelope) => of_code(envelope, answer.status, now),
        None => of_status(answer.status),
    };
    let requested = answers::retry_after(&answer.headers, now).filter(|_| error.retryable);
    let wait = error.retry_after.max(requested);
    let (code, id) =
        envelope.map(|envelope| (envelope.code, envelope.request_id.unwrap_or_default())).unwrap_or_default();
    let log = format!("status {}, code {code}, request id {:?}", answer.status.as_u16(), bounded(&id));
    Err(Error { retry_after: wait, ..error }.on(Platform::Gamma).caused_by(log))
}

/// Only a refusal with an error code of the platform proves that nothing was created.
///
/// A code of success is not a refusal with any status. A duplicate is not one either: an earlier attempt with the
/// same request id succeeded.
pub(super) fn create_failure(answer: &Answer, error: Error) -> CreateFailure {
    let is_done = envelope(answer).is_ok_and(|envelope| DONE.contains(&envelope.code));
    let may_refuse = answer.status.is_success() || answer.status.is_client_error();
    match error.kind {
        Kind::PlatformFailed | Kind::Conflict => CreateFailure::Unknown(error),
        _ if is_done || !may_refuse => CreateFailure::Unknown(error),
        // The create refers to something that does not exist.
        Kind::NotFound => CreateFailure::Refused(Error { kind: Kind::PlatformRefused, ..error }),
        _ => CreateFailure::Refused(error),
    }
}

/// Recognizes the refusal of a change without an effect.
pub(super) fn is_no_update(error: &Error) -> bool {
    let code = error.platform_fault.as_ref().and_then(|fault| fault.code.as_deref());
    error.kind == Kind::PlatformRefused && code == Some(NO_UPDATE)
}

/// Recognizes a failure of the platform itself, which may come with status 200.
pub(super) fn is_broken(answer: &Answer) -> bool {
    answer.status.is_server_error() || envelope(answer).is_ok_and(|envelope| is_failure(envelope.code))
}

/// Temporary failures of the platform. 40200, 40201 (a task that failed or is not ready) and 40700 (an internal
/// validation) are among the refusals by their number, and clients in production send such calls again.
fn is_failure(code: i64) -> bool {
    matches!(code, 40_200 | 40_201 | 40_700 | 50_000..=59_999 | 60_001)
}

/// Reads the envelope of an answer, of success or of failure.
pub(super) fn envelope(answer: &Answer) -> Result<wire::Envelope, Error> {
    answers::read_object(Platform::Gamma, &answer.body)
}

/// The error for an answer of success that cannot be read, where sending again is safe.
pub(super) fn unreadable(why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    answers::unreadable(Platform::Gamma, why)
}

fn of_code(envelope: &wire::Envelope, status: StatusCode, now: Timestamp) -> Error {
    let message = envelope.message.as_deref().unwrap_or_default();
    let failed = || answers::failed(Platform::Gamma);
    let error = match envelope.code {
        40_102 | 40_104 | 40_105 | 40_106 => answers::token_expired(Platform::Gamma),
        40_001 | 40_118 | 40_125 | 40_130 if is_allow_list(message) => answers::refused(Platform::Gamma, message),
        40_001 | 40_101 | 40_110 | 40_113 | 40_115 | 40_118 | 40_125 | 40_130 => forbidden(envelope.code, message),
        40_000 | 40_002 if is_of_another_app(message) => forbidden(envelope.code, message),
        40_007 | 40_300 | 40_301 => Error::not_found("campaign"),
        40_016 | 40_100 | 40_132 | 40_133 | 61_000 => {
            answers::throttled(Platform::Gamma, wait(envelope.code, message, now))
        }
        40_050 => Error::new(Kind::Conflict, duplicate()),
        40_202 => failed().retryable(),
        code if is_failure(code) => failed().retryable(),
        _ if status.is_server_error() => failed().retryable(),
        40_000..=49_999 => answers::refused(Platform::Gamma, message),
        _ => failed(),
    };
    error.with_fault(PlatformFault {
        code: Some(envelope.code.to_string()),
        message: bounded(message),
        field: field(message),
    })
}

/// A refusal of access: the advice, and the platform's message, which alone names the permission.
fn forbidden(code: i64, message: &str) -> Error {
    let text = format!("{} {} says: {message}", advice(code, message), Platform::Gamma.display_name());
    Error::new(Kind::Forbidden, bounded(&text))
}

fn duplicate() -> String {
    let name = Platform::Gamma.display_name();
    format!("{name} has received this request before; look at the campaign before you send it again.")
}

/// The error without a code: from the platform's gateway, or without any JSON.
fn of_status(status: StatusCode) -> Error {
    match status.as_u16() {
        401 => answers::token_expired(Platform::Gamma),
        429 => answers::throttled(Platform::Gamma, GATEWAY_WAIT),
        408 | 499 | 500.. => answers::failed(Platform::Gamma).retryable(),
        _ => answers::failed(Platform::Gamma),
    }
}

#[cfg(test)]
mod tests;
